"""Runs -> figures of their scores: per task, and per data set against its size."""

from __future__ import annotations

from collections.abc import Sequence

from slant.report.entries import Setting, data_names, task_name
from slant.report.figures import (
    INK,
    Figure,
    Series,
    Spec,
    listed,
    looks,
    point,
    series_of,
    share_axis,
    share_domain,
)
from slant.report.labels import label_places


def task_figure(setting: Setting, name: str) -> Figure:
    """F1 per task and system, pooled and averaged over data sets; figure 3 of the MBIB paper."""
    series = series_of([entry.label for entry in setting.whole])
    tasks = [task_name(task) for task in setting.tasks]
    drawn = []
    for average, title in (("micro_f1", "Micro F1"), ("group_f1", "Group F1")):
        points, ticks = [], []
        for task in setting.tasks:
            for entry in setting.whole:
                estimate = entry.tasks[task]["scores"].get(average) or {}
                if estimate.get("value") is not None:
                    points.append(point(entry.label, estimate, task=task_name(task)))
            control = setting.controls.get("source-only", {}).get(task, {}).get(average) or {}
            if control.get("value") is not None:
                ticks.append({"task": task_name(task), "value": control["value"]})
        drawn.append((title, points, ticks))
    domain = share_domain([datum for _, points, ticks in drawn for datum in points + ticks])
    panels = [
        _task_panel(title, tasks, p, ticks, series=series, domain=domain)
        for title, p, ticks in drawn
    ]
    caption = (
        "F1 per task and system. Micro: over all test texts of a task; group: the mean over a "
        "task's data sets. Lines are intervals; the vertical bar is what knowing only the data "
        "set reaches."
    )
    alt = f"Dot plot of micro and group F1 on {len(tasks)} tasks for " + listed(series)
    tick = "source-only, which sees the data set and no text"
    return Figure(name, caption, alt, name, series, tuple(panels), 2, tick)


def _task_panel(
    title: str,
    tasks: list[str],
    points: list[Spec],
    ticks: list[Spec],
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
            {
                "data": {"values": ticks},
                "mark": {"type": "tick", "thickness": 2, "size": band * 0.74, "color": INK},
                "encoding": {"x": x, "y": y},
            },
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
    panels = [_size_panel(*parts, domain) for parts in drawn]
    caption = (
        "F1 per data set against its number of test texts (logarithmic). Data sets are named by "
        "their number in the benchmark; one that serves several tasks has a point for each. "
        "Vertical lines are intervals. Sets with one label only have no F1 and are not drawn."
    )
    alt = "Scatter plot of F1 against test set size, a panel for each of " + listed(series)
    return Figure(name, caption, alt, name, (), tuple(panels), 2)


def _in_several(setting: Setting) -> set[str]:
    every = [d for facts in setting.first.tasks.values() for d in facts["groups"]]
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
    label: str, colour: str, shape: str, points: list[Spec], shares: list[float]
) -> Spec:
    width, height = 360, 300
    sizes = [p["n"] for p in points]
    domain = (max(1, min(sizes)) / 1.6, max(sizes) * 1.6)
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
                "mark": {"type": "rule", "strokeWidth": 0.75, "opacity": 0.45, "color": INK},
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
