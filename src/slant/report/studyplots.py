"""A study -> figure of plausibility against retention; figure 3 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any

from slant.report.circuitboards import Reading, point_at, reading_text
from slant.report.figures import Figure, Series, Spec, listed, looks, series_of, share_axis
from slant.report.labels import label_places
from slant.report.studies import Study, Subject, level_text, seeds_text
from slant.report.studyboards import best_method, class_f1
from slant.report.tables import rounded

_SMALL, _LARGE = 70, 420
_PIXELS = (420, 300)


def meeting_figure(study: Study, name: str, table: str, reading: Reading) -> Figure | None:
    """Best AUROC over explanations against retention at k = 30, the size of a point class F1.

    Args:
        study: what was read.
        name: of the figure.
        table: the name of the table with the same numbers.
        reading: of delta P, and what is corrupted.

    Returns:
        The figure; None where fewer than two models have both.
    """
    every = series_of([one.label for one in study.subjects])
    points, having = [], []
    for one in study.subjects:
        if datum := _datum(one, reading):
            points.append(datum)
            having.append(one)
    if len(points) < 2 or not study.circuit:
        return None
    series = tuple(row for row in every if row[0] in {one.label for one in having})
    sizes = sorted({int(datum["k"]) for datum in points})
    ks = " or ".join(str(k) for k in sizes)
    f1s = [datum["f1"] for datum in points]
    caption = (
        "Plausibility against what a circuit holds: AUROC of the model's best explanation, and "
        f"retention of its first {ks} heads, {reading_text(reading)} ({seeds_text(having)}). The "
        f"number at a point is its class F1, and the larger the point the higher it is: "
        f"{rounded(min(f1s))} to {rounded(max(f1s))}. Lines are {level_text(study.circuit)}."
    )
    alt = "Scatter plot of plausibility against retention for " + listed(series)
    return Figure(name, caption, alt, table, series, (_panel(points, series),), 1)


def _datum(one: Subject, reading: Reading) -> Spec | None:
    best, point = best_method(one), point_at(one, reading)
    f1 = class_f1(one).get("value")
    if not best or not point or f1 is None or point["retention"]["value"] is None:
        return None
    x, y = _ends(best[1]), _ends(point["retention"])
    return {
        "series": one.label,
        "k": point["k"],
        "f1": f1,
        "tag": rounded(f1),
        "x": x[1],
        "x_low": x[0],
        "x_high": x[2],
        "y": y[1],
        "y_low": y[0],
        "y_high": y[2],
    }


def _ends(estimate: Mapping[str, Any]) -> tuple[float, float, float]:
    value, low, high = estimate["value"], estimate.get("low"), estimate.get("high")
    return (value if low is None else low, value, value if high is None else high)


def _domain(points: Sequence[Spec], axis: str) -> list[float]:
    ends = [datum[f"{axis}_{end}"] for datum in points for end in ("low", "high")]
    room = 0.12 * (max(ends) - min(ends)) or 0.05
    return [min(ends) - room, max(ends) + room]


def _tags(points: list[Spec], across: list[float], up: list[float]) -> list[Spec]:
    # The places are reckoned for a logarithmic axis: the exponential of a share stands on one.
    places = label_places(
        [(exp(datum["x"]), datum["y"]) for datum in points],
        [f"{datum['tag']}     " for datum in points],
        (exp(across[0]), exp(across[1])),
        (up[0], up[1]),
        _PIXELS,
    )
    return [
        {**datum, "x": log(at.centre[0]), "y": at.centre[1]}
        for datum, at in zip(points, places, strict=True)
    ]


def _panel(points: list[Spec], series: Sequence[Series]) -> Spec:
    across, up = _domain(points, "x"), _domain(points, "y")
    x = share_axis("x", "AUROC of the best explanation", across)
    y = share_axis("y", "retention", up)
    f1s = [datum["f1"] for datum in points]
    ends = [min(f1s), max(f1s)] if max(f1s) > min(f1s) else [min(f1s) - 0.01, max(f1s) + 0.01]
    color = looks(series)["color"]
    rule = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.5}
    data = {"values": points}
    return {
        "width": _PIXELS[0],
        "height": _PIXELS[1],
        "layer": [
            {
                "data": data,
                "mark": rule,
                "encoding": {
                    "x": share_axis("x_low", "AUROC of the best explanation", across),
                    "x2": {"field": "x_high"},
                    "y": y,
                    "color": color,
                },
            },
            {
                "data": data,
                "mark": rule,
                "encoding": {
                    "x": x,
                    "y": share_axis("y_low", "retention", up),
                    "y2": {"field": "y_high"},
                    "color": color,
                },
            },
            {
                "data": data,
                "mark": {"type": "point", "filled": True, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "size": {
                        "field": "f1",
                        "type": "quantitative",
                        "scale": {"domain": ends, "range": [_SMALL, _LARGE], "zero": False},
                        "legend": None,
                    },
                    **looks(series),
                },
            },
            {
                "data": {"values": _tags(points, across, up)},
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {"x": x, "y": y, "text": {"field": "tag"}, "color": color},
            },
        ],
    }
