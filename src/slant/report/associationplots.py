"""A run of associations -> figure of words, one corpus against another; figure 2 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from slant.report.associations import Associations, Question, method_name
from slant.report.escaping import visible
from slant.report.figures import INK, Figure, Series, Spec, looks, series_of
from slant.report.labels import free_places
from slant.report.tables import rounded

SIZE = 400
"""Width and height of a plot in pixels."""
_STRIP = 190
_BINS, _BAR, _AWAY = 16, 36, 6
_LABEL_SIZE = 11


@dataclass(frozen=True, slots=True)
class Dot:
    """A word: its set and its h in the corpus across and the corpus up, None where there is but
    one corpus."""

    word: str
    set: str
    x: float
    y: float | None


def word_dots(
    question: Question, method: str, across: str, up: str | None
) -> tuple[list[Dot], list[str]]:
    """The words of X and Y that both corpora know, with their h, and those that one alone knows.

    Args:
        question: its tests hold the values.
        method: of the tests.
        across, up: the corpora of the two axes; None for a plot of one corpus.
    """
    dots, left = [], []
    for side in ("x", "y"):
        first = _values(question, across, method, side)
        second = first if up is None else _values(question, up, method, side)
        for word in dict.fromkeys((*first, *second)):
            if word in first and word in second:
                name = str(getattr(question, side))
                dots.append(Dot(word, name, first[word], None if up is None else second[word]))
            else:
                left.append(word)
    return dots, left


def _values(question: Question, corpus: str, method: str, side: str) -> dict[str, float]:
    test = question.test(corpus, method) or {}
    return {str(word): float(h) for word, h in (test.get("values") or {}).get(side, ())}


def words_figure(
    found: Associations, question: Question, method: str, name: str, table: str
) -> Figure | None:
    """h of each word, the first corpus across and each other one up, with marginal histograms.

    Rule: large points are the means of the words drawn. A label without room is left out; its
    point and its row in the table stay. With one corpus, its words lie on two lines.

    Args:
        found: what was read.
        question: whose words of X and Y are drawn.
        method: of the tests.
        name: of the figure.
        table: the name of the table with the same numbers.

    Returns:
        The figure; None where the run did not keep the values, or no word is in both corpora.

    Source: figure 2.
    """
    kept = [c for c in found.corpora if (question.test(c, method) or {}).get("values")]
    if not kept:
        return None
    series = series_of([question.x, question.y])
    pairs: list[tuple[str, str | None]] = [(kept[0], up) for up in kept[1:]] or [(kept[0], None)]
    drawn = [(across, up, *word_dots(question, method, across, up)) for across, up in pairs]
    drawn = [row for row in drawn if row[2]]
    if not drawn:
        return None
    across_ends = _ends([dot.x for _, _, dots, _ in drawn for dot in dots])
    panels, unlabelled = [], 0
    for across, up, dots, _ in drawn:
        panel, missing = _panel(question, (across, up), dots, series, across_ends)
        panels.append(panel)
        unlabelled += missing
    left = dict.fromkeys(word for row in drawn for word in row[3])
    caption = (
        f"h of the words of {question.x} and {question.y} by {method_name(method)}: to the right "
        f"nearer to {question.a}, to the left nearer to {question.b} in {kept[0]}"
        + ("; the same upwards and downwards in the other corpus" if drawn[0][1] else "")
        + ". Large points are the means of a set's words drawn here; bars at the edge count words."
    )
    if unlabelled:
        caption += f" {unlabelled} label{'s' if unlabelled > 1 else ''} had no room."
    if left:
        caption += f" Not in both corpora, so not drawn: {', '.join(left)}."
    alt = f"Words of {question.x} and {question.y} between {question.a} and {question.b}"
    return Figure(name, visible(caption), visible(alt), table, series, tuple(panels), 2)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    room = 0.08 * (max(values) - min(values)) or 0.05
    return min(values) - room, max(values) + room


def _panel(
    question: Question,
    corpora: tuple[str, str | None],
    dots: Sequence[Dot],
    series: Sequence[Series],
    across: tuple[float, float],
) -> tuple[Spec, int]:
    tall = SIZE if corpora[1] else _STRIP
    up = _ends([dot.y for dot in dots if dot.y is not None] or [0.0])
    lines = {question.x: tall * 0.3, question.y: tall * 0.7}
    pixels = [
        (
            _pixel(dot.x, across, SIZE),
            lines[dot.set] if dot.y is None else tall - _pixel(dot.y, up, tall),
        )
        for dot in dots
    ]
    means = _means(dots)
    centres = [
        (
            _pixel(mean.x, across, SIZE),
            lines[mean.set] if mean.y is None else tall - _pixel(mean.y, up, tall),
        )
        for mean in means
    ]
    taken = [(x - 9, y - 9, x + 9, y + 9) for x, y in centres]
    labels = [visible(dot.word) for dot in dots]
    places = free_places(pixels, labels, (SIZE, tall), taken=taken)
    color, shape = looks(series)["color"], looks(series)["shape"]
    x, y = _axis(question, corpora[0], across), _upward(question, corpora[1], up)
    here = {"x": _raw("px"), "y": _raw("py")}
    points = [_datum(dot, at, corpora) for dot, at in zip(dots, pixels, strict=True)]
    middles = [
        {**_datum(mean, at, corpora), "said": f"mean of {_said(mean, corpora)}"}
        for mean, at in zip(means, centres, strict=True)
    ]
    names, leaders = [], []
    for dot, at, label, place in zip(dots, pixels, labels, places, strict=True):
        if place:
            px, py = place.centre
            names.append({"series": dot.set, "label": label, "px": px, "py": py})
            if place.leader:
                leaders.append(
                    {"series": dot.set, "px": at[0], "py": at[1],
                     "to_x": place.leader[0], "to_y": place.leader[1]}
                )  # fmt: skip
    zero = {"type": "rule", "color": INK, "opacity": 0.35, "strokeDash": [3, 3]}
    zeros = []
    if across[0] < 0 < across[1]:
        zeros.append(_layer([{"x": 0}], zero, {"x": {**x, "field": "x"}}))
    if corpora[1] and up[0] < 0 < up[1]:
        zeros.append(_layer([{"y": 0}], zero, {"y": {**y, "field": "y"}}))
    dot_mark = {"type": "point", "filled": True, "opacity": 0.9, "size": 42, "aria": True}
    mean_mark = {**dot_mark, "size": 230, "stroke": INK, "strokeWidth": 1.5, "opacity": 1}
    text = {"type": "text", "fontSize": _LABEL_SIZE}
    described = {"description": {"field": "said"}}
    both = {"x": x, "y": y} if corpora[1] else {"x": x, "y": here["y"]}
    layers = [
        *zeros,
        *_margins(dots, across, up if corpora[1] else None, color, x, y, tall),
        _layer(leaders, {"type": "rule", "opacity": 0.5},
               {**here, "x2": {"field": "to_x"}, "y2": {"field": "to_y"}, "color": color}),
        _layer(points, dot_mark, {**both, "color": color, "shape": shape, **described}),
        _layer(middles, mean_mark, {**both, "color": color, "shape": shape, **described}),
        _layer(names, text, {**here, "text": {"field": "label"}, "color": color}),
    ]  # fmt: skip
    panel = {"width": SIZE, "height": tall, "layer": layers}
    return panel, sum(place is None for place in places)


def _layer(values: Sequence[Mapping[str, Any]], mark: Spec, encoding: Spec) -> Spec:
    return {"data": {"values": list(values)}, "mark": mark, "encoding": encoding}


def _pixel(value: float, ends: tuple[float, float], size: int) -> float:
    return (value - ends[0]) / (ends[1] - ends[0]) * size


def _raw(field: str) -> Spec:
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


def _axis(question: Question, corpus: str, ends: tuple[float, float]) -> Spec:
    return {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": list(ends), "nice": False, "zero": False},
        "axis": {
            "title": visible(f"{question.b} ← {corpus} → {question.a}"),
            "tickCount": 5,
            "format": ".2~f",
        },
    }


def _upward(question: Question, corpus: str | None, ends: tuple[float, float]) -> Spec:
    return {**_axis(question, str(corpus), ends), "field": "y"}


def _means(dots: Sequence[Dot]) -> list[Dot]:
    found = []
    for name in dict.fromkeys(dot.set for dot in dots):
        own = [dot for dot in dots if dot.set == name]
        ups = [dot.y for dot in own if dot.y is not None]
        up = sum(ups) / len(ups) if ups else None
        found.append(Dot(name, name, sum(dot.x for dot in own) / len(own), up))
    return found


def _datum(dot: Dot, at: tuple[float, float], corpora: tuple[str, str | None]) -> Spec:
    datum = {"series": dot.set, "word": dot.word, "said": _said(dot, corpora), "x": dot.x}
    return {**datum, "px": at[0], "py": at[1], **({} if dot.y is None else {"y": dot.y})}


def _said(dot: Dot, corpora: tuple[str, str | None]) -> str:
    said = f"{dot.word}: {rounded(dot.x)} in {corpora[0]}"
    return visible(said if dot.y is None else f"{said}, {rounded(dot.y)} in {corpora[1]}")


def _margins(
    dots: Sequence[Dot],
    across: tuple[float, float],
    up: tuple[float, float] | None,
    color: Spec,
    x: Spec,
    y: Spec,
    tall: int,
) -> list[Spec]:
    mark = {"type": "rect", "opacity": 0.45}
    made = []
    bars = _bars([(dot.set, dot.x) for dot in dots], across)
    top = [{**bar, "near": -_AWAY, "far": -_AWAY - bar["share"] * _BAR} for bar in bars]
    place = {"y": _raw("near"), "y2": {"field": "far"}}
    made.append(_layer(top, mark, {"x": {**x, "field": "from"}, "x2": {"field": "to"}, **place,
                                   "color": color}))  # fmt: skip
    if up is not None:
        bars = _bars([(dot.set, dot.y) for dot in dots if dot.y is not None], up)
        side = [
            {**bar, "near": SIZE + _AWAY, "far": SIZE + _AWAY + bar["share"] * _BAR} for bar in bars
        ]
        place = {"x": _raw("near"), "x2": {"field": "far"}}
        made.append(_layer(side, mark, {"y": {**y, "field": "from"}, "y2": {"field": "to"},
                                        **place, "color": color}))  # fmt: skip
    return made


def _bars(values: Sequence[tuple[str, float]], ends: tuple[float, float]) -> list[Spec]:
    step = (ends[1] - ends[0]) / _BINS
    counts: dict[tuple[str, int], int] = {}
    for name, value in values:
        key = (name, min(floor((value - ends[0]) / step), _BINS - 1))
        counts[key] = counts.get(key, 0) + 1
    most = max(counts.values())
    return [
        {"series": name, "from": ends[0] + i * step, "to": ends[0] + (i + 1) * step,
         "count": n, "share": n / most}
        for (name, i), n in sorted(counts.items())
    ]  # fmt: skip
