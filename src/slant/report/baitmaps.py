"""A scored run of BAIT -> a heat map of every bias and system, and where predictions land."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from slant.report.bait import Bait, models_text
from slant.report.baitbiasboards import bias_of, chosen
from slant.report.baitcueboards import LANDED, SHARES, Landing, shares_of
from slant.report.baitnames import articles_text, shots_text
from slant.report.baitpassages import FATE_WORDS, FATES
from slant.report.escaping import visible
from slant.report.figures import COLOURS, INK, Figure, Series, Spec, looks, share_axis

_DEEPEST = 0.5
"""Opacity of a cell of F1 1: ink on it can be read in the light and in the dark."""
_LEAST_LABEL = 0.09
_COLOURS = dict(
    zip(LANDED, (COLOURS[2], COLOURS[0], COLOURS[4], COLOURS[1], COLOURS[5]), strict=True)
)


def map_figure(found: Bait, name: str, table: str, shots: int) -> Figure | None:
    """F1 of every bias and system, detection beside triggers: figure 4.

    Args:
        found: what was read.
        name: of the figure.
        table: the name of the table with the same numbers.
        shots: the number of examples of the models.
    """
    panels = []
    rows = chosen(found, shots)
    for key, title in (("detection_f1", "Detection F1"), ("triggers_f1", "Trigger F1")):
        cells = [
            {
                "system": system.label,
                "bias": category.short,
                "value": value,
                "said": "–" if value is None else f"{value:.2f}",
            }
            for system, setting in rows
            for category in found.categories
            if (one := bias_of(setting, category)) and key in one
            for value in [one[key]["value"]]
        ]
        if cells:
            panels.append(_map(title, cells, [c.short for c in found.categories],
                               [system.label for system, _ in rows]))  # fmt: skip
    if not panels:
        return None
    names = "; ".join(f"{c.short} {c.name}" for c in found.categories if c.short != c.name)
    caption = (
        f"F1 of every bias over {articles_text(found.articles)}, means over runs"
        f"{models_text(found, shots)}. The deeper a cell, the higher its F1; a dash is an F1 that "
        f"is not defined.{f' {names}.' if names else ''}"
    )
    alt = f"Heat maps of F1 by bias for {', '.join(system.label for system, _ in rows)}"
    return Figure(name, visible(caption), visible(alt), table, (), tuple(panels), 2)


def _map(title: str, cells: list[Spec], biases: list[str], systems: list[str]) -> Spec:
    x: Spec = {
        "field": "bias",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": biases, "padding": 0},
        "axis": {"title": None, "labelAngle": 0, "orient": "top", "labelPadding": 4,
                 "grid": False, "labelFontSize": 11},
    }  # fmt: skip
    y: Spec = {
        "field": "system",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": systems, "padding": 0},
        "axis": {"title": None, "labelLimit": 130, "grid": False},
    }
    depth = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "range": [0, _DEEPEST]},
        "legend": None,
    }
    return {
        "title": title,
        "width": 34 * len(biases),
        "height": 26 * len(systems),
        "layer": [
            {
                "data": {"values": [cell for cell in cells if cell["value"] is not None]},
                "mark": {"type": "rect", "color": COLOURS[0], "stroke": INK,
                         "strokeOpacity": 0.12, "strokeWidth": 1},
                "encoding": {"x": x, "y": y, "fillOpacity": depth},
            },
            {
                "data": {"values": cells},
                "mark": {"type": "text", "fontSize": 11, "color": INK},
                "encoding": {"x": x, "y": y, "text": {"field": "said"}},
            },
        ],
    }  # fmt: skip


def landing_figure(
    found: Bait, landings: Mapping[str, Landing], name: str, table: str, shots: int
) -> Figure | None:
    """On what the spans predicted for each bias lie: figure 5 a.

    Args:
        found: what was read.
        landings: by bias, of all models together, see `baitcueboards.add_landing`.
        name: of the figure.
        table: the name of the table with the same numbers.
        shots: the number of examples of the models.
    """
    parts: list[Spec] = []
    biases = []
    for category in found.categories:
        shares = shares_of(landings.get(category.code, Counter()))
        if not shares:
            continue
        biases.append(category.label)
        start = 0.0
        for fate in LANDED:
            end = start + shares[fate]
            text = f"{shares[fate]:.0%}" if shares[fate] >= _LEAST_LABEL else ""
            parts.append({"bias": category.label, "series": _word(fate), "from": start, "to": end,
                          "middle": (start + end) / 2, "said": text})  # fmt: skip
            start = end
    if not parts:
        return None
    series: tuple[Series, ...] = tuple((_word(fate), _COLOURS[fate], "square") for fate in LANDED)
    caption = (
        f"On what the spans lie that the models predict for each bias, with {shots_text(shots)}, "
        "pooled over models and runs; from left to right in the order of the key."
    )
    alt = f"Stacked bars of where predicted spans lie, for {len(biases)} biases"
    return Figure(name, caption, alt, table, series, (_bars(parts, biases, series),), 1)


def _word(fate: str) -> str:
    return FATE_WORDS[FATES.index(fate)]


def _percents(field: str, title: str) -> Spec:
    axis = {"title": title, "format": ".0%", "tickCount": 5}
    return {**share_axis(field, title), "axis": axis}


def _bars(parts: list[Spec], biases: list[str], series: Sequence[Series]) -> Spec:
    y: Spec = {
        "field": "bias",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": biases, "paddingInner": 0.3, "paddingOuter": 0.15},
        "axis": {"title": None, "labelLimit": 150},
    }

    def x(field: str) -> Spec:
        return _percents(field, "share of predicted spans")

    return {
        "width": 250,
        "height": 30 * len(biases),
        "layer": [
            {
                "data": {"values": parts},
                "mark": {"type": "rect", "opacity": 0.55},
                "encoding": {
                    "x": x("from"),
                    "x2": {"field": "to"},
                    "y": y,
                    "color": looks(series)["color"],
                },
            },
            {
                "data": {"values": [part for part in parts if part["said"]]},
                "mark": {"type": "text", "fontSize": 11, "color": INK},
                "encoding": {"x": x("middle"), "y": y, "text": {"field": "said"}},
            },
        ],
    }


def cue_figure(found: Bait, rows: Sequence[Spec], name: str, table: str) -> Figure | None:
    """How often predicted spans hold the cue of their bias, against random stretches: figure 5 b.

    Args:
        found: what was read.
        rows: points of `baitcueboards.cue_points`.
        name: of the figure.
        table: the name of the table with the same numbers.
    """
    if not rows:
        return None
    series = tuple(
        (label, COLOURS[i], shape)
        for label, (i, shape) in zip(SHARES.values(), ((1, "square"), (5, "diamond")), strict=True)
        if any(row["series"] == label for row in rows)
    )
    biases = list(dict.fromkeys(row["bias"] for row in rows))
    return Figure(
        name,
        "Share of stretches of text that hold the surface cue of a bias: spans predicted for it on "
        "unmarked text, and random stretches of the same length. Lines are intervals.",
        f"Dot plot of the share of spans with a cue, for {len(biases)} biases",
        table,
        series,
        (_cue_panel(list(rows), biases, series),),
        1,
    )


def _cue_panel(rows: list[Spec], biases: list[str], series: Sequence[Series]) -> Spec:
    labels = [label for label, _, _ in series]
    y: Spec = {
        "field": "bias",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": biases, "paddingInner": 0, "paddingOuter": 0},
        "axis": {"title": None, "labelLimit": 150, "grid": True, "bandPosition": 0,
                 "tickBand": "extent"},
    }  # fmt: skip
    offset = {"field": "series", "scale": {"domain": labels, "padding": 0.8}}

    def x(field: str) -> Spec:
        return _percents(field, "share with the cue")

    return {
        "width": 250,
        "height": max(36, 15 * len(labels) + 8) * len(biases),
        "layer": [
            {
                "data": {"values": rows},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.55},
                "encoding": {"x": x("low"), "x2": {"field": "high"}, "y": y, "yOffset": offset,
                             "color": looks(series)["color"]},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "size": 48, "opacity": 1},
                "encoding": {"x": x("value"), "y": y, "yOffset": offset, **looks(series)},
            },
        ],
    }  # fmt: skip
