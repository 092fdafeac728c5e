"""A study -> figures of attention heads: what circuits hold against their size, and heat maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.report.circuitboards import Reading, curve_of, reading_text, texts_text
from slant.report.figures import (
    COLOURS,
    INK,
    Figure,
    Series,
    Spec,
    listed,
    looks,
    point,
    series_of,
)
from slant.report.studies import KIND_NAMES, Study, Subject, choices_text, level_text, seeds_text

_GREY = 0.13
_SIDE = 20
_STEPS = 41
_SIGNS = ("towards biased", "towards unbiased")


def circuit_figure(study: Study, name: str, table: str, reading: Reading) -> Figure | None:
    """Sufficiency, completeness, retention and rescue against the number of heads, a line for each
    model; figure 2 of the paper.

    Args:
        study: what was read.
        name: of the figure.
        table: the name of the table with the same numbers.
        reading: of delta P, and what is corrupted.
    """
    having = [one for one in study.circuited if curve_of(one, reading)]
    if not having or not study.circuit:
        return None
    series = series_of([one.label for one in study.subjects])
    series = tuple(row for row in series if row[0] in {one.label for one in having})
    panels, cut = [], False
    for share in ("retention", "sufficiency", "completeness", "rescue"):
        points = [datum for one in having for datum in _points(one, reading, share)]
        if not points:
            continue
        bands = [datum for one in having for datum in _bands(one, reading, share)]
        low, high = _domain(points, bands)
        cut = cut or any(p["low"] < low or p["high"] > high for p in (*points, *bands))
        panels.append(_panel(share, points, bands, series, (low, high)))
    if not panels:
        return None
    caption = (
        f"What the first k heads hold, {reading_text(reading)}, over {texts_text(study, reading)}, "
        f"{seeds_text(having)}. {choices_text(study.circuit)} Bands in a line's colour are "
        f"{level_text(study.circuit)}; grey bands are random heads of the same number, one for "
        "each model. The axis of k is logarithmic."
    )
    if cut:
        caption += " Bands that run beyond a panel are cut at its edge."
    alt = f"Line plots of {len(panels)} shares against the number of heads for " + listed(series)
    return Figure(name, caption, alt, table, series, tuple(panels), 2)


def _points(one: Subject, reading: Reading, share: str) -> list[Spec]:
    return [
        point(one.label, at[share], k=at["k"])
        for at in (curve_of(one, reading) or {})["points"]
        if at[share]["value"] is not None and at["k"] > 0
    ]


def _bands(one: Subject, reading: Reading, share: str) -> list[Spec]:
    return [
        {"model": one.label, "k": at["k"], "low": band["low"], "high": band["high"]}
        for at in (curve_of(one, reading) or {})["points"]
        if (band := at["random"][share])["low"] is not None
        and band["high"] is not None
        and at["k"] > 0
    ]


def _domain(points: Sequence[Spec], bands: Sequence[Spec]) -> tuple[float, float]:
    values = [0.0, *(p["value"] for p in points)]
    values += [(band["low"] + band["high"]) / 2 for band in bands]
    room = max(0.5 * (max(values) - min(values)), 1e-9)
    ends = [end for p in (*points, *bands) for end in (p["low"], p["high"])]
    return (
        max(min(*values, *ends), min(values) - room),
        min(max(*values, *ends), max(values) + room),
    )


def _ticks(counts: Sequence[int]) -> list[int]:
    shown = [1, 3, 10, 30, 100, 300, 1000]
    return [tick for tick in shown if min(counts) <= tick <= max(counts)] or sorted(set(counts))


def _panel(
    share: str,
    points: list[Spec],
    bands: list[Spec],
    series: Sequence[Series],
    domain: tuple[float, float],
) -> Spec:
    counts = [datum["k"] for datum in points]
    x: Spec = {
        "field": "k",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [min(counts) / 1.1, max(counts) * 1.1], "nice": False},
        "axis": {"title": "k, heads", "values": _ticks(counts), "format": "d"},
    }
    y: Spec = {
        "type": "quantitative",
        "scale": {"domain": list(domain), "nice": True},
        "axis": {"title": None, "format": ".3~g", "tickCount": 5},
    }
    color = looks(series)["color"]
    # Bands of many models lie over one another: together they stay as light as those of three.
    faint = min(1.0, 3 / len(series))

    def area(opacity: float, **more: Any) -> Spec:
        return {"type": "area", "opacity": opacity, "clip": True, "stroke": None, **more}

    ends = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    at = {"x": x, "y": {**y, "field": "value"}}
    return {
        "title": share,
        "width": 320,
        "height": 220,
        "layer": [
            {
                "data": {"values": bands},
                "mark": area(_GREY * faint, color=INK),
                "encoding": {**ends, "detail": {"field": "model", "type": "nominal"}},
            },
            {
                "data": {"values": [{"value": 0}]},
                "mark": {"type": "rule", "strokeWidth": 1, "color": INK},
                "encoding": {"y": {**y, "field": "value"}},
            },
            {
                "data": {"values": points},
                "mark": area(0.16 * faint),
                "encoding": {**ends, "color": color},
            },
            {
                "data": {"values": points},
                "mark": {"type": "line", "strokeWidth": 1.75, "clip": True},
                "encoding": {**at, "color": color},
            },
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": True, "size": 45, "opacity": 1, "clip": True},
                "encoding": {**at, **looks(series)},
            },
        ],
    }


def effect_figure(study: Study, name: str, table: str, kind: str) -> Figure | None:
    """Heat map of the heads' effects, layer by head, a panel for each model and one for the scale.

    Rule: the hue is the sign and the depth the size, the ground of the page is 0; all panels have
    one scale.

    Args:
        study: what was read.
        name: of the figure.
        table: the name of the table with the same numbers.
        kind: words, random_words or excess.
    """
    having = [one for one in study.circuited if kind in (one.circuit or {})["effects"]]
    cells = {one.label: _cells(one.circuit or {}, kind) for one in having}
    sizes = [abs(cell["value"]) for drawn in cells.values() for cell in drawn]
    if not sizes or not study.circuit:
        return None
    reach = max(sizes) or 1.0
    series = ((_SIGNS[0], COLOURS[1], "square"), (_SIGNS[1], COLOURS[0], "square"))
    panels = [_map(one, cells[one.label], reach) for one in having]
    panels.append(_scale(reach))
    caption = (
        f"Effect of each head, {KIND_NAMES[kind]}: how far the readout moves when this head alone "
        f"is put back to what it is in the clean text; mean over texts and {seeds_text(having)}. "
        f"{choices_text(study.circuit)} All panels have the scale of the last one; the ground is 0."
    )
    alt = f"Heat maps, layer by head, of {len(having)} models: " + listed(
        [(one.label, "", "") for one in having]
    )
    return Figure(name, caption, alt, table, series, tuple(panels), 2)


def _cells(read: Mapping[str, Any], kind: str) -> list[Spec]:
    return [
        {"block": block, "head": head, "value": value, "series": _SIGNS[value < 0]}
        for block, row in zip(read["blocks"], read["effects"][kind], strict=True)
        for head, value in enumerate(row)
        if value is not None
    ]


def _shade(reach: float) -> Spec:
    return {
        "color": {
            "field": "series",
            "type": "nominal",
            "scale": {"domain": list(_SIGNS), "range": [COLOURS[1], COLOURS[0]]},
        },
        "fillOpacity": {
            "field": "size",
            "type": "quantitative",
            "scale": {"domain": [0, reach], "range": [0, 1]},
            "legend": None,
        },
    }


def _map(one: Subject, cells: list[Spec], reach: float) -> Spec:
    read = one.circuit or {}
    heads = list(range(max(read["heads"])))
    return {
        "title": one.label,
        "width": _SIDE * len(heads),
        "height": _SIDE * len(read["blocks"]),
        "layer": [
            {
                "data": {"values": [{**cell, "size": abs(cell["value"])} for cell in cells]},
                "mark": {"type": "rect", "stroke": INK, "strokeOpacity": 0.12, "strokeWidth": 1},
                "encoding": {
                    "x": {
                        "field": "head",
                        "type": "ordinal",
                        "scale": {"domain": heads},
                        "axis": {"title": "head", "labelAngle": 0, "labelPadding": 4},
                    },
                    "y": {
                        "field": "block",
                        "type": "nominal",
                        "sort": None,
                        "scale": {"domain": list(reversed(read["blocks"]))},
                        "axis": {"title": None},
                    },
                    **_shade(reach),
                },
            }
        ],
    }


def _scale(reach: float) -> Spec:
    step = 2 * reach / _STEPS
    strip = [
        {
            "from": -reach + i * step,
            "to": -reach + (i + 1) * step,
            "size": abs(-reach + (i + 0.5) * step),
            "series": _SIGNS[i < _STEPS // 2],
        }
        for i in range(_STEPS)
    ]
    return {
        "title": "effect",
        "width": 240,
        "height": 14,
        "layer": [
            {
                "data": {"values": strip},
                "mark": {"type": "rect", "stroke": None},
                "encoding": {
                    "x": {
                        "field": "from",
                        "type": "quantitative",
                        "scale": {"domain": [-reach, reach], "nice": False},
                        "axis": {
                            "title": None,
                            "grid": False,
                            "values": [-reach, -reach / 2, 0, reach / 2, reach],
                            "format": "+.2~g",
                            "labelExpr": "datum.value == 0 ? '0' : datum.label",
                        },
                    },
                    "x2": {"field": "to"},
                    **_shade(reach),
                },
            }
        ],
    }
