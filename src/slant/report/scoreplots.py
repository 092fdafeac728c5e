"""Runs -> figures of their scores: per task, and per data set against its size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.report.entries import data_names, task_name
from slant.report.figures import (
    INK,
    Bar,
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
from slant.report.labels import label_places
from slant.report.settings import Setting

# Controls that are drawn; majority's score is that of any constant answer.
_BARS: dict[str, Bar] = {
    "source-only": ((), "source-only, which sees the data set and no text"),
    "random": ((3, 2), "random, a coin: chance"),
}


def task_figure(setting: Setting, name: str) -> Figure:
    """F1 per task and system, pooled and averaged over data sets; figure 3 of the MBIB paper."""
    series = series_of([entry.label for entry in setting.whole])
    tasks = [task_name(task) for task in setting.tasks]
    drawn = []
    for average, title in (("micro_f1", "Micro F1"), ("group_f1", "Group F1")):
        points = [
            point(entry.label, estimate, task=task_name(task))
            for task in setting.tasks
            for entry in setting.whole
            if (estimate := _estimate(entry.tasks.get(task, {}).get("scores"), average))
        ]
        bars = {
            control: [
                {"task": task_name(task), "value": estimate["value"]}
                for task in setting.tasks
                if (estimate := _estimate(setting.controls[control].get(task), average))
            ]
            for control in _BARS
            if control in setting.controls
        }
        drawn.append((title, points, bars))
    domain = share_domain(
        [datum for _, points, bars in drawn for part in (points, *bars.values()) for datum in part]
    )
    panels = [
        _task_panel(title, tasks, points, bars, series=series, domain=domain)
        for title, points, bars in drawn
    ]
    shown = [bar for control, bar in _BARS.items() if control in setting.controls]
    said = {
        "source-only": "the solid vertical bar is what knowing only the data set reaches",
        "random": "the dashed one what a coin reaches",
    }
    explained = [text for control, text in said.items() if control in setting.controls]
    caption = (
        "F1 per task and system. Micro: over all test texts of a task; group: the mean over a "
        f"task's data sets. {'; '.join(['Lines are intervals', *explained])}." + range_text(domain)
    )
    alt = f"Dot plot of micro and group F1 on {len(tasks)} tasks for " + listed(series)
    return Figure(name, caption, alt, name, series, tuple(panels), 2, tuple(shown))


def _estimate(scores: Mapping[str, Any] | None, average: str) -> Mapping[str, Any] | None:
    estimate: Mapping[str, Any] = (scores or {}).get(average) or {}
    return estimate if estimate.get("value") is not None else None


def _task_panel(
    title: str,
    tasks: list[str],
    points: list[Spec],
    bars: Mapping[str, list[Spec]],
    *,
    series: Sequence[Series],
    domain: list[float],
) -> Spec:
    band = max(30, 13 * len(series) + 8)
    y = {
        "field": "task",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": tasks, "paddingInner": 0, "paddingOuter": 0},
        "axis": {"title": None, "grid": True, "bandPosition": 0, "tickBand": "extent"},
    }
    labels = [label for label, _, _ in series]
    offset = {"field": "series", "scale": {"domain": labels, "padding": 0.8}}
    x = share_axis("value", None, domain)
    return {
        "title": title,
        "width": 280,
        "height": band * len(tasks),
        "layer": [
            *(_bar_layer(bars[control], _BARS[control][0], x, y) for control in bars),
            {
                "data": {"values": points},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.55},
                "encoding": {
                    "x": share_axis("low", None, domain),
                    "x2": {"field": "high"},
                    "y": y,
                    "yOffset": offset,
                    "color": looks(series)["color"],
                },
            },
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": True, "size": 44, "opacity": 1},
                "encoding": {"x": x, "y": y, "yOffset": offset, **looks(series)},
            },
        ],
    }


def _bar_layer(bars: list[Spec], dash: tuple[int, ...], x: Spec, y: Spec) -> Spec:
    mark = {"type": "rule", "strokeWidth": 2, "color": INK, "strokeDash": list(dash)}
    return {
        "data": {"values": bars},
        "mark": mark if dash else {k: v for k, v in mark.items() if k != "strokeDash"},
        "encoding": {
            "x": x,
            "y": {**y, "bandPosition": 0.13},
            "y2": {"field": "task", "bandPosition": 0.87},
        },
    }


def dataset_figure(setting: Setting, name: str) -> Figure | None:
    """F1 per data set against its size, a panel per system; figure 4 of the MBIB paper."""
    series = series_of([entry.label for entry in setting.whole])
    names = data_names(setting.entries)
    several, short = _in_several(setting), _short_names(setting)
    drawn = []
    for (label, colour, shape), entry in zip(series, setting.whole, strict=True):
        points = []
        for task, facts in entry.tasks.items():
            for dataset, group in facts["groups"].items():
                if group.get("f1") is None or group.get("one_class"):
                    continue
                estimate = {**group, "value": group["f1"]}
                tag = f"{dataset} {short[task]}" if dataset in several else dataset
                more = {"tag": tag, "name": names.get(dataset, dataset), "n": group["n"]}
                points.append(point(label, estimate, **more))
        if points:
            drawn.append((label, colour, shape, points))
    if len({datum["name"] for *_, points in drawn for datum in points}) < 2:
        return None
    domain = share_domain([datum for *_, points in drawn for datum in points])
    counts = [datum["n"] for *_, points in drawn for datum in points]
    sizes = (max(1, min(counts)) / 1.6, max(counts) * 1.6)
    panels = [_size_panel(*parts, domain, sizes) for parts in drawn]
    caption = (
        "F1 per data set against its number of test texts (logarithmic). Data sets are named by "
        "their number in the benchmark; one that serves several tasks has a point for each. "
        "Vertical lines are intervals. Sets with one label only have no F1 and are not drawn."
        + range_text(domain)
    )
    alt = "Scatter plot of F1 against test set size, a panel for each of " + listed(series)
    return Figure(name, caption, alt, name, (), tuple(panels), 2)


def _in_several(setting: Setting) -> set[str]:
    every = [dataset for task in setting.tasks for dataset in setting.facts(task)["groups"]]
    return {dataset for dataset in every if every.count(dataset) > 1}


def _short_names(setting: Setting) -> dict[str, str]:
    first = {task: task_name(task).split()[0] for task in setting.tasks}
    words = list(first.values())
    return {t: w if words.count(w) == 1 else task_name(t) for t, w in first.items()}


def _size_ticks(low: float, high: float) -> list[int]:
    fine = [step * 10**power for power in range(9) for step in (1, 2, 5)]
    shown = [tick for tick in fine if low <= tick <= high]
    return shown if len(shown) <= 6 else [tick for tick in shown if str(tick)[0] == "1"]


def _size_panel(
    label: str,
    colour: str,
    shape: str,
    points: list[Spec],
    shares: list[float],
    domain: tuple[float, float],
) -> Spec:
    width, height = 360, 320
    places = label_places(
        [(p["n"], p["value"]) for p in points],
        [p["tag"] for p in points],
        domain,
        (shares[0], shares[1]),
        (width, height),
    )
    pairs = list(zip(places, points, strict=True))
    tags = [{"n": at.centre[0], "value": at.centre[1], "tag": p["tag"]} for at, p in pairs]
    leaders = [
        {"n": at.leader[0], "value": at.leader[1], "to_n": p["n"], "to": p["value"]}
        for at, p in pairs
        if at.leader
    ]
    x = {
        "field": "n",
        "type": "quantitative",
        "scale": {"type": "log", "domain": list(domain), "nice": False},
        "axis": {"title": "test texts", "format": "~s", "values": _size_ticks(*domain)},
    }
    y = share_axis("value", "F1", shares)
    return {
        "title": label,
        "width": width,
        "height": height,
        "layer": [
            {
                "data": {"values": points},
                "mark": {"type": "rule", "strokeWidth": 1.5, "opacity": 0.3, "color": colour},
                "encoding": {"x": x, "y": share_axis("low", "F1", shares), "y2": {"field": "high"}},
            },
            {
                "data": {"values": leaders},
                "mark": {"type": "rule", "strokeWidth": 0.75, "opacity": 0.7, "color": INK},
                "encoding": {"x": x, "y": y, "x2": {"field": "to_n"}, "y2": {"field": "to"}},
            },
            {
                "data": {"values": points},
                "mark": {
                    "type": "point",
                    "shape": shape,
                    "filled": True,
                    "size": 55,
                    "opacity": 1,
                    "color": colour,
                },
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": tags},
                "mark": {
                    "type": "text",
                    "fontSize": 10.5,
                    "color": INK,
                    "stroke": None,
                },
                "encoding": {"x": x, "y": y, "text": {"field": "tag"}},
            },
        ],
    }
