"""A scored run of BAIT -> figures of what examples add, and of how often each bias is predicted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slant.report.bait import Bait, Read, level_text, models_text
from slant.report.baitbiasboards import bias_of, chosen
from slant.report.baitnames import articles_text, score_name, shots_text
from slant.report.baittestboards import SIGNIFICANT, SIGNS, significant
from slant.report.escaping import visible
from slant.report.figures import (
    INK,
    Figure,
    Series,
    Spec,
    listed,
    looks,
    point,
    series_of,
)

_STEP = 9
_NARROW = 0.02
"""An axis of differences is not shorter."""


def gains(rows: Sequence[Read]) -> list[Read]:
    """The comparisons of a model with examples against itself with none that have a value."""
    return [
        row
        for row in rows
        if row["first"]["system"] == row["second"]["system"]
        and int(row["second"]["shots"]) == 0 < int(row["first"]["shots"])
        and row.get("difference") is not None
    ]


def gain_figure(found: Bait, rows: Sequence[Read], name: str, table: str) -> Figure | None:
    """What worked examples add to each score of each model, with intervals: figures 2 and 3.

    Args:
        found: what was read.
        rows: the comparisons of one family.
        name: of the figure.
        table: the name of the table with the same numbers.

    Returns:
        The figure; None where the family compares nothing with no examples.
    """
    kept = gains(rows)
    if not kept:
        return None
    shots = sorted({int(row["first"]["shots"]) for row in kept})
    series = series_of([shots_text(k) for k in shots])
    models = list(dict.fromkeys(found.label(str(row["first"]["system"])) for row in kept))
    points: dict[str, list[Spec]] = {}
    for row in kept:
        datum = point(
            shots_text(int(row["first"]["shots"])),
            {**row, "value": float(row["difference"])},
            model=found.label(str(row["first"]["system"])),
            sign=SIGNS[not significant(row)],
        )
        points.setdefault(str(row["score"]), []).append(datum)
    domain = _around([end for own in points.values() for p in own for end in (p["low"], p["high"])])
    panels = [
        _gain_panel(score_name(score), own, series, models, domain) for score, own in points.items()
    ]
    caption = (
        f"Gain over no examples on the mean over {articles_text(int(kept[0]['n']))} of each "
        f"article's score. Lines are {level_text(found)} of paired differences. Filled and "
        f"{SIGNS[0]}: p below {SIGNIFICANT:g} after Holm's correction over the {len(rows)} "
        f"comparisons of the family; hollow and {SIGNS[1]}: not."
    )
    alt = f"Dot plot of gains by examples in {len(panels)} scores for " + ", ".join(models)
    return Figure(name, caption, visible(alt), table, series, tuple(panels), 2)


def _around(ends: Sequence[float]) -> list[float]:
    low, high = min(0.0, *ends), max(0.0, *ends)
    if high - low < _NARROW:
        low, high = min(low, -_NARROW / 2), max(high, _NARROW / 2)
    room = high - low
    # The sign stands to the right of each line.
    return [low - 0.04 * room, high + 0.16 * room]


def _gain_panel(
    title: str,
    points: list[Spec],
    series: Sequence[Series],
    models: list[str],
    domain: list[float],
) -> Spec:
    labels = [label for label, _, _ in series]
    band = max(30, 15 * len(labels) + 8)
    y = {**_bands("model", models), "axis": {**_bands("model", models)["axis"], "labelLimit": 130}}
    offset = {"field": "series", "scale": {"domain": labels, "padding": 0.8}}
    placed: Spec = {"y": y, "yOffset": offset}

    def x(field: str) -> Spec:
        axis = {"title": None, "format": "+.2~f", "tickCount": 5,
                "labelExpr": "datum.value == 0 ? '0' : datum.label"}  # fmt: skip
        return {"field": field, "type": "quantitative", "axis": axis,
                "scale": {"domain": domain, "nice": False}}  # fmt: skip

    def dots(sign: str, filled: bool) -> Spec:
        return {
            "data": {"values": [p for p in points if p["sign"] == sign]},
            "mark": {"type": "point", "filled": filled, "size": 48, "opacity": 1, "strokeWidth": 2},
            "encoding": {"x": x("value"), **placed, **looks(series)},
        }

    return {
        "title": title,
        "width": 250,
        "height": band * len(models),
        "layer": [
            {
                "data": {"values": [{"value": 0}]},
                "mark": {"type": "rule", "strokeWidth": 1, "color": INK},
                "encoding": {"x": x("value")},
            },
            {
                "data": {"values": points},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.55},
                "encoding": {
                    "x": x("low"), "x2": {"field": "high"}, **placed,
                    "color": looks(series)["color"],
                },
            },
            dots(SIGNS[0], True),
            dots(SIGNS[1], False),
            {
                "data": {"values": points},
                "mark": {"type": "text", "align": "left", "dx": 5, "fontSize": 11, "color": INK},
                "encoding": {"x": x("high"), **placed, "text": {"field": "sign"}},
            },
        ],
    }  # fmt: skip


def _bands(field: str, domain: Sequence[str]) -> dict[str, Any]:
    return {
        "field": field,
        "type": "nominal",
        "sort": None,
        "scale": {"domain": list(domain), "paddingInner": 0, "paddingOuter": 0},
        "axis": {"title": None, "grid": True, "bandPosition": 0, "tickBand": "extent"},
    }


def count_figure(found: Bait, name: str, table: str, shots: int) -> Figure | None:
    """In how many articles each system predicts each bias, against the gold.

    Args:
        found: what was read.
        name: of the figure.
        table: the name of the table with the same numbers.
        shots: the number of examples of the models.
    """
    kept = [(s, one) for s, one in chosen(found, shots) if s.kind != "human"]
    points: list[Spec] = []
    bars: list[Spec] = []
    for category in found.categories:
        having = [(s, one) for s, setting in kept if (one := bias_of(setting, category))]
        for system, one in having:
            points.append({"series": system.label, "bias": category.label,
                           "value": float(one["predicted_articles"])})  # fmt: skip
        if having:
            bars.append({"bias": category.label, "value": int(having[0][1]["gold_articles"])})
    if not points:
        return None
    series = series_of([s.label for s, _ in kept])
    biases = [bar["bias"] for bar in bars]
    y: Spec = {**_bands("bias", biases)}
    y["axis"] = {**y["axis"], "labelLimit": 150}
    labels = [label for label, _, _ in series]
    high = max([found.articles, *(p["value"] for p in points)])
    x: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, high], "nice": True},
        "axis": {"title": "articles", "tickCount": 5, "format": "~s"},
    }
    panel: Spec = {
        "width": 250,
        "height": max(30, _STEP * len(series) + 10) * len(biases),
        "layer": [
            {
                "data": {"values": bars},
                "mark": {"type": "rule", "strokeWidth": 2, "color": INK},
                "encoding": {
                    "x": x,
                    "y": {**y, "bandPosition": 0.1},
                    "y2": {"field": "bias", "bandPosition": 0.9},
                },
            },
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": True, "size": 44, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "yOffset": {"field": "series", "scale": {"domain": labels, "padding": 0.8}},
                    **looks(series),
                },
            },
        ],
    }
    caption = (
        f"Articles in which each bias is predicted, in the mean over runs, of "
        f"{articles_text(found.articles)}{models_text(found, shots)}. To the right of the "
        "bar a bias is predicted more often than the gold has it, to the left less often."
    )
    alt = f"Dot plot of predicted articles by bias, against the gold, for {listed(series)}"
    gold = ((), "articles that have the bias in the gold")
    return Figure(name, caption, visible(alt), table, series, (panel,), 1, (gold,))
