"""Runs -> figures as Vega-Lite specifications: plain dicts with their data inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Spec = dict[str, Any]
Series = tuple[str, str, str]
"""Label, colour and shape of one series."""

INK, PAPER = "#1c2024", "#ffffff"
# Six hues of near lightness that stay apart in the common colour blindnesses, at least 3:1 on
# white; the page swaps them for lighter ones in the dark. The shape alone tells series apart.
COLOURS = ("#0065a3", "#b84a00", "#007a5e", "#9b3f82", "#6b5d00", "#5b6470")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
CONFIG: Spec = {
    "aria": False,
    "font": FONT,
    "background": None,
    "view": {"stroke": None},
    "title": {"color": INK, "fontSize": 13, "fontWeight": 600, "anchor": "start", "offset": 8},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "titleFontWeight": 400,
        "titleFontSize": 12,
        "labelFontSize": 12,
        "gridColor": INK,
        "gridOpacity": 0.13,
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
        "labelLimit": 200,
    },
    "legend": {
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 320,
        "symbolSize": 80,
        "title": None,
        "orient": "bottom",
        "columns": 3,
    },
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its panels, and all that a reader who cannot see them needs.

    Fields:
        name: file name without ending, and anchor on the page.
        caption: what is drawn, in sentences.
        alt: what it shows in one sentence without colours.
        table: name of the table that holds the same numbers.
        series: (label, colour, shape) of each series.
        panels: Vega-Lite specifications without legend, one per panel.
        columns: panels side by side in the file.
        tick: what the vertical bars stand for, empty where there are none.
    """

    name: str
    caption: str
    alt: str
    table: str
    series: tuple[Series, ...]
    panels: tuple[Spec, ...]
    columns: int = 2
    tick: str = ""


def figure_spec(figure: Figure) -> Spec:
    """The whole figure as one Vega-Lite specification: white ground, one legend below."""
    spec: Spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": figure.alt,
        "concat": list(figure.panels),
        "columns": figure.columns,
        "spacing": 28,
        "config": {**CONFIG, "background": PAPER},
    }
    if figure.tick:
        spec["title"] = {"text": f"Vertical bar: {figure.tick}", "fontWeight": 400, "fontSize": 12}
    return spec


def panel_spec(panel: Spec) -> Spec:
    """One panel as a specification of its own, without legend: the page writes that itself."""
    layers = []
    for layer in panel["layer"]:
        encoding = {
            channel: {**what, "legend": None} if channel in ("color", "shape") else what
            for channel, what in layer["encoding"].items()
        }
        layers.append({**layer, "encoding": encoding})
    return {**panel, "layer": layers, "config": CONFIG}


def series_of(labels: Sequence[str]) -> tuple[Series, ...]:
    """A colour and a shape for each label, in order."""
    return tuple(
        (label, COLOURS[i % len(COLOURS)], SHAPES[i % len(SHAPES)])
        for i, label in enumerate(labels)
    )


def looks(series: Sequence[Series]) -> Spec:
    """The encodings of colour and shape for these series."""
    labels = [label for label, _, _ in series]
    return {
        "color": _nominal(labels, [colour for _, colour, _ in series]),
        "shape": _nominal(labels, [shape for _, _, shape in series]),
    }


def _nominal(domain: list[str], range_: list[str]) -> Spec:
    return {"field": "series", "type": "nominal", "scale": {"domain": domain, "range": range_}}


def unit_axis(field: str, title: str | None, **axis: Any) -> Spec:
    """The encoding of a share on an axis from 0 to 1."""
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {"title": title, "values": [0, 0.25, 0.5, 0.75, 1], "format": ".2~f", **axis},
    }


def point(label: str, estimate: Mapping[str, Any], **more: Any) -> Spec:
    """The datum of one estimate; without an interval its line has no length."""
    low, high = estimate.get("low"), estimate.get("high")
    value = estimate["value"]
    ends = (value, value) if low is None or high is None else (low, high)
    return {"series": label, "value": value, "low": ends[0], "high": ends[1], **more}


def listed(series: Sequence[Series]) -> str:
    """The labels of the series, for a sentence."""
    return ", ".join(label for label, _, _ in series)
