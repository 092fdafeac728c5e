"""Runs -> figures of reliability and learning; comparisons -> forest plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.report.curveboards import FEW
from slant.report.entries import Entry, compared, task_name
from slant.report.figures import (
    COLOURS,
    INK,
    Figure,
    Series,
    Spec,
    listed,
    looks,
    point,
    range_text,
    series_of,
    share_axis,
    share_domain,
)
from slant.report.settings import Setting, mean_score


def reliability_figure(setting: Setting, name: str) -> Figure | None:
    """Share of biased texts against the mean probability given, a panel per task."""
    with_bins = [e for e in setting.whole if any(t.get("calibration") for t in e.tasks.values())]
    if not with_bins:
        return None
    every = series_of([entry.label for entry in setting.whole])
    kept = {entry.label for entry in with_bins}
    series = tuple(row for row in every if row[0] in kept)
    panels = []
    for task in setting.tasks:
        points = [
            {"series": e.label, "x": b["mean_probability"], "y": b["share_biased"], "n": b["n"]}
            for e in with_bins
            for b in (e.tasks.get(task, {}).get("calibration") or {}).get("bins", ())
            if b.get("mean_probability") is not None and b.get("share_biased") is not None
        ]
        if points:
            panels.append(_reliability_panel(task_name(task), points, series))
    if not panels:
        return None
    caption = (
        "Reliability per task: of the texts given about this probability of bias, the share that "
        "is labelled biased. On the diagonal a probability means what it says."
    )
    if any(datum["n"] < FEW for panel in panels for datum in panel["layer"][2]["data"]["values"]):
        caption += (
            f" Small points that no line joins stand for fewer than {FEW} texts: they say little."
        )
    alt = f"Reliability diagrams of {len(panels)} tasks for " + listed(series)
    return Figure(name, caption, alt, name, series, tuple(panels), 4)


def _reliability_panel(title: str, points: list[Spec], series: Sequence[Series]) -> Spec:
    x, y = share_axis("x", "mean probability"), share_axis("y", "share biased")
    ends = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    return {
        "title": title,
        "width": 165,
        "height": 165,
        "layer": [
            {
                "data": {"values": ends},
                "mark": {"type": "line", "strokeWidth": 1, "strokeDash": [4, 4], "color": INK},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": [datum for datum in points if datum["n"] >= FEW]},
                "mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.6},
                "encoding": {"x": x, "y": y, "color": looks(series)["color"]},
            },
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": True, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "size": {
                        "condition": {"test": f"datum.n < {FEW}", "value": 14},
                        "value": 45,
                    },
                    **looks(series),
                },
            },
        ],
    }


def learning_figure(curves: Mapping[str, Sequence[Entry]], name: str) -> Figure | None:
    """Media bias score against the share of the training texts, a line per system."""
    series = series_of(list(curves))
    drawn = []
    for average, title in (("micro", "Micro F1"), ("group", "Group F1")):
        points = [
            point(system, entry.scores["overall"][f"media_bias_{average}"], share=entry.share)
            for system, entries in curves.items()
            for entry in sorted(entries, key=lambda e: e.share)
            if mean_score(entry.scores["overall"], average) is not None
        ]
        if points:
            drawn.append((title, points))
    if not drawn:
        return None
    domain = share_domain([datum for _, points in drawn for datum in points])
    panels = [_learning_panel(title, points, series, domain) for title, points in drawn]
    caption = (
        "Score against the share of the training texts that a system saw. Lines at the points are "
        "intervals." + range_text(domain)
    )
    alt = "Line plot of the media bias scores against training share for " + listed(series)
    return Figure(name, caption, alt, name, series, tuple(panels), 2)


def _learning_panel(
    title: str, points: list[Spec], series: Sequence[Series], domain: list[float]
) -> Spec:
    x = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {"title": "share of training texts", "format": ".0%", "tickCount": 5},
    }
    color = looks(series)["color"]
    return {
        "title": title,
        "width": 320,
        "height": 240,
        "layer": [
            {
                "data": {"values": points},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
                "encoding": {
                    "x": x,
                    "y": share_axis("low", "F1", domain),
                    "y2": {"field": "high"},
                    "color": color,
                },
            },
            {
                "data": {"values": points},
                "mark": {"type": "line", "strokeWidth": 1.5},
                "encoding": {"x": x, "y": share_axis("value", "F1", domain), "color": color},
            },
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {"x": x, "y": share_axis("value", "F1", domain), **looks(series)},
            },
        ],
    }


def comparison_figure(
    comparison: Mapping[str, Any], name: str, pair: tuple[str, str] | None = None
) -> Figure | None:
    """Forest plot: the difference of two systems per task, with its interval.

    Args: as in `comparison_board`.
    """
    alpha = 1 - float(comparison["level"])
    labels = (f"p Holm below {alpha:.3g}", f"p Holm {alpha:.3g} or more")
    series = ((labels[0], COLOURS[0], "circle"), (labels[1], COLOURS[5], "diamond"))
    points = [
        point(
            labels[0] if row["p_holm"] is not None and row["p_holm"] < alpha else labels[1],
            {"value": row["difference"], "low": row["low"], "high": row["high"]},
            task=task_name(row["task"]),
        )
        for row in comparison["tasks"]
        if row["difference"] is not None
    ]
    if not points:
        return None
    first, second = pair or compared([comparison])[0]
    reach = max(max(abs(p["low"]), abs(p["high"]), abs(p["value"])) for p in points) * 1.1 or 1.0
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [-reach, reach], "nice": True},
        "axis": {
            "title": f"← {first} better · {second} better →",
            "format": "+.2~f",
            "tickCount": 5,
            "labelExpr": "datum.value == 0 ? '0' : datum.label",
        },
    }
    y = {
        "field": "task",
        "type": "nominal",
        "sort": None,
        "axis": {"title": None, "grid": True},
    }
    panel = {
        "width": 340,
        "height": 30 * len(points),
        "layer": [
            {
                "data": {"values": [{"value": 0}]},
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": INK},
                "encoding": {"x": {**x, "field": "value"}},
            },
            {
                "data": {"values": points},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
                "encoding": {
                    "x": {**x, "field": "low"},
                    "x2": {"field": "high"},
                    "y": y,
                    "color": looks(series)["color"],
                },
            },
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {"x": {**x, "field": "value"}, "y": y, **looks(series)},
            },
        ],
    }
    caption = f"Difference per task, {second} less {first} (the reference); lines are intervals."
    alt = f"Forest plot of the difference between {second} and {first} on {len(points)} tasks"
    return Figure(name, caption, alt, name, series, (panel,), 1)
