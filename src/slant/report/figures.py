"""Runs -> figures as Vega-Lite specifications: plain dicts with their data inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

Spec = dict[str, Any]
Series = tuple[str, str, str]
"""Label, colour and shape of one series."""
Bar = tuple[tuple[int, ...], str]
"""Dashes of a vertical bar, none for a solid one, and what it stands for."""

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
    # Room for a fallback font wider than the one that measured the labels.
    "padding": {"left": 22, "right": 10, "top": 4, "bottom": 4},
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
        "labelFlush": False,
        "labelLimit": 200,
    },
    "legend": {
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 320,
        "symbolSize": 80,
        "symbolOpacity": 1,
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
        bars: (dashes, what they stand for) of each kind of vertical bar; no dashes: a solid one.
    """

    name: str
    caption: str
    alt: str
    table: str
    series: tuple[Series, ...]
    panels: tuple[Spec, ...]
    columns: int = 2
    bars: tuple[Bar, ...] = ()


def figure_spec(figure: Figure) -> Spec:
    """The whole figure as one Vega-Lite specification: white ground, one legend below."""
    spec: Spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "description": figure.alt,
        "concat": list(figure.panels),
        "columns": figure.columns,
        "spacing": 28,
        "config": {**CONFIG, "background": PAPER},
    }
    if figure.bars:
        lines = [f"{'Dashed' if dash else 'Solid'} bar: {text}" for dash, text in figure.bars]
        spec["title"] = {"text": lines, "fontWeight": 400, "fontSize": 12, "anchor": "start"}
    return spec


def panel_spec(panel: Spec) -> Spec:
    """One panel by itself, without title and legend: the page writes those in its own type."""
    layers = []
    for layer in panel["layer"]:
        encoding = {
            channel: {**what, "legend": None} if channel in ("color", "shape") else what
            for channel, what in layer["encoding"].items()
        }
        layers.append({**layer, "encoding": encoding})
    bare = {key: what for key, what in panel.items() if key != "title"}
    return {**bare, "layer": layers, "config": CONFIG}


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


def share_domain(points: Sequence[Mapping[str, Any]]) -> list[float]:
    """The tenths around all values and interval ends: a dot plot need not start at zero.

    >>> share_domain([{"value": 0.41, "low": 0.39, "high": 0.43}, {"value": 0.72}])
    [0.3, 0.8]
    """
    ends = [p[key] for p in points for key in ("value", "low", "high") if key in p] or [0, 1]
    low, high = floor(min(ends) * 10 + 1e-9) / 10, ceil(max(ends) * 10 - 1e-9) / 10
    return [low, high] if high > low else [low, low + 0.1]


def range_text(domain: Sequence[float]) -> str:
    """A sentence to append to a caption about an axis of F1 that does not start at zero.

    >>> range_text([0.3, 0.8]), range_text([0.0, 1.0])
    (' The axis of F1 runs from 0.3 to 0.8, not from 0.', '')
    """
    if domain[0] == 0:
        return ""
    return f" The axis of F1 runs from {domain[0]:g} to {domain[1]:g}, not from 0."


def share_axis(field: str, title: str | None, domain: Sequence[float] = (0, 1)) -> Spec:
    """The encoding of a share on an axis with the given ends."""
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": list(domain), "nice": False},
        "axis": {"title": title, "format": ".2~f", "tickCount": 5},
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
