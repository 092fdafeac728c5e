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
    unit_axis,
)
from slant.report.labels import label_positions


def task_figure(setting: Setting, name: str) -> Figure:
    """F1 per task and system, pooled and averaged over data sets; figure 3 of the MBIB paper."""
    series = series_of([entry.label for entry in setting.entries])
    tasks = [task_name(task) for task in setting.tasks]
    panels = []
    for average, title in (("micro_f1", "Micro F1"), ("group_f1", "Group F1")):
        points, ticks = [], []
        for task in setting.tasks:
            for entry in setting.entries:
                estimate = entry.tasks[task]["scores"].get(average) or {}
                if estimate.get("value") is not None:
                    points.append(point(entry.label, estimate, task=task_name(task)))
            control = setting.controls.get("source-only", {}).get(task, {}).get(average) or {}
            if control.get("value") is not None:
                ticks.append({"task": task_name(task), "value": control["value"]})
        panels.append(_task_panel(title, tasks, points, ticks, series))
    caption = (
        "F1 per task and system. Left: micro, over all test texts of a task. Right: group, the "
        "mean over a task's data sets. Lines are intervals; the vertical bar is what knowing only "
        "the data set reaches."
    )
    alt = f"Dot plot of micro and group F1 on {len(tasks)} tasks for " + listed(series)
    tick = "source-only, which sees the data set and no text"
    return Figure(name, caption, alt, name, series, tuple(panels), 2, tick)


def _task_panel(
    title: str,
    tasks: list[str],
    points: list[Spec],
    ticks: list[Spec],
    series: Sequence[Series],
) -> Spec:
    band = max(30, 13 * len(series) + 8)
    y = {
        "field": "task",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": tasks},
        "axis": {"title": None, "grid": True, "bandPosition": 0, "tickBand": "extent"},
    }
    labels = [label for label, _, _ in series]
    offset = {"field": "series", "scale": {"domain": labels}}
    x = unit_axis("value", None)
    return {
        "title": title,
        "width": 270,
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
                    "x": unit_axis("low", None),
                    "x2": {"field": "high"},
                    "y": y,
                    "yOffset": offset,
                    "color": looks(series)["color"],
                },
            },
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": True, "size": 62, "opacity": 1},
                "encoding": {"x": x, "y": y, "yOffset": offset, **looks(series)},
            },
        ],
    }


def dataset_figure(setting: Setting, name: str) -> Figure | None:
    """F1 per data set against its size, a panel per system; figure 4 of the MBIB paper."""
    series = series_of([entry.label for entry in setting.entries])
    names = data_names(setting.entries)
    panels, several = [], _in_several(setting)
    for (label, colour, shape), entry in zip(series, setting.entries, strict=True):
        points = []
        for task, facts in entry.tasks.items():
            for dataset, group in facts["groups"].items():
                if group.get("f1") is None or group.get("one_class"):
                    continue
                estimate = {**group, "value": group["f1"]}
                tag = f"{dataset} {task_name(task)}" if dataset in several else dataset
                more = {"tag": tag, "name": names.get(dataset, dataset), "n": group["n"]}
                points.append(point(label, estimate, **more))
        if points:
            panels.append(_size_panel(label, colour, shape, points))
    if not panels:
        return None
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


def _size_panel(label: str, colour: str, shape: str, points: list[Spec]) -> Spec:
    width, height = 360, 300
    sizes = [p["n"] for p in points]
    domain = (max(1, min(sizes)) / 1.6, max(sizes) * 1.6)
    places = label_positions(
        [(p["n"], p["value"]) for p in points],
        [p["tag"] for p in points],
        domain,
        (width, height),
    )
    tags = [
        {"n": n, "value": value, "tag": p["tag"], "to_n": p["n"], "to": p["value"]}
        for (n, value), p in zip(places, points, strict=True)
    ]
    x = {
        "field": "n",
        "type": "quantitative",
        "scale": {"type": "log", "domain": list(domain), "nice": False},
        "axis": {"title": "test texts", "format": "~s", "tickCount": 5, "grid": True},
    }
    y = unit_axis("value", "F1")
    return {
        "title": label,
        "width": width,
        "height": height,
        "layer": [
            {
                "data": {"values": points},
                "mark": {"type": "rule", "strokeWidth": 1.5, "opacity": 0.3, "color": colour},
                "encoding": {"x": x, "y": unit_axis("low", "F1"), "y2": {"field": "high"}},
            },
            {
                "data": {"values": tags},
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
