"""The charts and cards of `open/pairs`; what is fair and what is not is in the numbers given."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from pairsheet import CLEAR, GREY, HEIGHT, INK, PAPER, SAND, WIDTH, Look, Sheet
from PIL import Image

Series = Mapping[str, Sequence[float]]


def _frame(title: str, source: str, look: Look) -> Sheet:
    sheet = Sheet(look.ground)
    sheet.text(36, 22, title, 23, look.ink)
    sheet.text(36, 368, f"Source: {source}", 15, look.grey)
    return sheet


def _figures(values: Iterable[float]) -> list[str]:
    # As many decimals in all of them as one needs.
    held = list(values)
    decimals = 0 if all(value == round(value) for value in held) else 1
    return [f"{value:,.{decimals}f}" for value in held]


def _axis(
    sheet: Sheet,
    ticks: Sequence[float],
    look: Look,
    *,
    inverted: bool = False,
    right: str = "",
    left: str = "",
) -> Callable[[float], float]:
    """Grid lines at the ticks; gives the height of a value. `right`: on that side, its colour."""

    def y(value: float) -> float:
        part = (value - ticks[0]) / (ticks[-1] - ticks[0])
        return 92 + part * 238 if inverted else 330 - part * 238

    for tick, words in zip(ticks, _figures(ticks), strict=True):
        if right:
            sheet.text(588, y(tick), words, 15, right, at="lm")
            continue
        sheet.path([(84, y(tick)), (580, y(tick))], look.pale, 1)
        sheet.text(76, y(tick), words, 15, left or look.grey, at="rm")
    return y


def _label(sheet: Sheet, x: float, y: float, words: str, look: Look) -> None:
    # A piece of ground below the number, so that no grid line crosses it.
    half = sheet.width_of(words, 16) / 2 + 3
    sheet.box(x - half, y - 15, x + half, y + 1, look.ground)
    sheet.text(x, y, words, 16, look.ink, at="md")


def bars(
    title: str,
    source: str,
    values: Mapping[str, float],
    ticks: Sequence[float],
    look: Look = CLEAR,
    *,
    marked: str = "",
) -> Image.Image:
    """Bars above an axis that begins at the first tick; the `marked` one in the second colour."""
    sheet = _frame(title, source, look)
    y = _axis(sheet, ticks, look)
    step = 490 / len(values)
    figures = _figures(values.values())
    for place, (name, value) in enumerate(values.items()):
        middle = 86 + step * (place + 0.5)
        colour = look.data[1] if name == marked else look.data[0]
        sheet.box(middle - step * 0.32, y(value), middle + step * 0.32, 330, colour)
        _label(sheet, middle, y(value) - 4, figures[place], look)
        sheet.text(middle, 347, name, 16, look.ink, at="mm")
    sheet.path([(84, 330), (580, 330)], look.ink, 1.5)
    return sheet.finished()


def _line(
    sheet: Sheet, values: Sequence[float], y: Callable[[float], float], colour: str
) -> list[tuple[float, float]]:
    points = [
        (112 + place * 440 / (len(values) - 1), y(value)) for place, value in enumerate(values)
    ]
    sheet.path(points, colour, 4)
    for x, top in points:
        sheet.disc(x, top, 5, colour)
    return points


def _key(sheet: Sheet, names: Sequence[str], colours: Sequence[str], look: Look) -> None:
    x = 84.0
    for name, colour in zip(names, colours, strict=False):
        sheet.box(x, 60, x + 16, 72, colour)
        sheet.text(x + 22, 66, name, 15, look.ink, at="lm")
        x += sheet.width_of(name, 15) + 44


def _times(sheet: Sheet, names: Sequence[str], look: Look) -> None:
    for place, name in enumerate(names):
        sheet.text(112 + place * 440 / (len(names) - 1), 347, name, 15, look.ink, at="mm")
    sheet.path([(84, 330), (580, 330)], look.ink, 1.5)


def lines(
    title: str,
    source: str,
    times: Sequence[str],
    series: Series,
    ticks: Sequence[float],
    look: Look = CLEAR,
    *,
    inverted: bool = False,
) -> Image.Image:
    """Lines over time; one alone has its values beside the points."""
    sheet = _frame(title, source, look)
    y = _axis(sheet, ticks, look, inverted=inverted)
    for values, colour in zip(series.values(), look.data, strict=False):
        points = _line(sheet, values, y, colour)
        if len(series) == 1:
            for (x, top), words in zip(points, _figures(values), strict=True):
                _label(sheet, x, top - 9, words, look)
    if len(series) > 1:
        _key(sheet, list(series), look.data, look)
    _times(sheet, times, look)
    return sheet.finished()


def two_axes(
    title: str,
    source: str,
    times: Sequence[str],
    series: Series,
    left: Sequence[float],
    right: Sequence[float],
    look: Look = CLEAR,
) -> Image.Image:
    """Two lines, each with an axis of its own."""
    sheet = _frame(title, source, look)
    scales = [
        _axis(sheet, left, look, left=look.data[0]),
        _axis(sheet, right, look, right=look.data[1]),
    ]
    for values, y, colour in zip(series.values(), scales, look.data, strict=False):
        _line(sheet, values, y, colour)
    _key(sheet, list(series), look.data, look)
    _times(sheet, times, look)
    return sheet.finished()


def stack(
    title: str,
    source: str,
    times: Sequence[str],
    parts: Series,
    ticks: Sequence[float],
    look: Look,
    colours: Mapping[str, str],
) -> Image.Image:
    """Stacked bars, the first part at the bottom."""
    sheet = _frame(title, source, look)
    y = _axis(sheet, ticks, look)
    step = 490 / len(times)
    for place, name in enumerate(times):
        middle, below = 86 + step * (place + 0.5), 0.0
        for part, values in parts.items():
            top = below + values[place]
            foot = max(below, ticks[0])
            below = top
            if top <= foot:  # Below the beginning of a cut axis nothing is seen.
                continue
            sheet.box(middle - step * 0.3, y(top), middle + step * 0.3, y(foot), colours[part])
            sheet.text(middle, y((foot + top) / 2), str(values[place]), 15, PAPER, at="mm")
        sheet.text(middle, 347, name, 16, look.ink, at="mm")
    _key(sheet, list(parts), [colours[part] for part in parts], look)
    sheet.path([(84, 330), (580, 330)], look.ink, 1.5)
    return sheet.finished()


# Corners of twelve districts: four columns and three rows, moved so that they look like land.
_CORNERS = (
    ((60, 84), (160, 70), (250, 88), (352, 66), (446, 92)),
    ((44, 170), (148, 158), (262, 176), (340, 160), (462, 172)),
    ((66, 250), (166, 262), (244, 246), (356, 258), (440, 252)),
    ((50, 338), (150, 350), (258, 334), (346, 352), (456, 336)),
)


def areas(
    title: str,
    source: str,
    values: Mapping[str, float],
    classes: Sequence[tuple[float, str, str]],
    look: Look = CLEAR,
) -> Image.Image:
    """A map of twelve districts; a class is (least value, colour, its name in the key)."""
    sheet = _frame(title, source, look)
    figures = _figures(values.values())
    for place, (name, value) in enumerate(values.items()):
        row, column = divmod(place, 4)
        a, b = _CORNERS[row][column], _CORNERS[row][column + 1]
        c, d = _CORNERS[row + 1][column + 1], _CORNERS[row + 1][column]
        colour = [shade for least, shade, _ in classes if value >= least][-1]
        sheet.shape([a, b, c, d], colour)
        sheet.path([a, b, c, d, a], look.ground, 3)
        x = sum(point[0] for point in (a, b, c, d)) / 4
        y = sum(point[1] for point in (a, b, c, d)) / 4
        light = sum(int(colour[at : at + 2], 16) for at in (1, 3, 5)) > 400
        words = INK if light else PAPER
        sheet.text(x, y - 9, name, 15, words, at="mm")
        sheet.text(x, y + 10, figures[place], 15, words, at="mm")
    for place, (_, shade, name) in enumerate(classes):
        sheet.box(490, 120 + place * 34, 514, 140 + place * 34, shade)
        sheet.text(522, 130 + place * 34, name, 15, look.ink, at="lm")
    return sheet.finished()


def _turbine(sheet: Sheet, x: float, foot: float, size: float, look: Look) -> None:
    hub, ink = foot - size * 0.62, look.ink
    sheet.shape([(x - size * 0.03, foot), (x + size * 0.03, foot), (x + 2, hub), (x - 2, hub)], ink)
    for turn in range(3):
        angle = math.radians(turn * 120 - 90)
        tip = (x + size * 0.38 * math.cos(angle), hub + size * 0.38 * math.sin(angle))
        side = (size * 0.05 * math.cos(angle + 1.57), size * 0.05 * math.sin(angle + 1.57))
        root = (x + size * 0.08 * math.cos(angle), hub + size * 0.08 * math.sin(angle))
        sheet.shape([(x, hub), (root[0] + side[0], root[1] + side[1]), tip], look.data[2])
    sheet.disc(x, hub, max(2, size * 0.03), ink)


def _coins(sheet: Sheet, x: float, foot: float, size: float, look: Look) -> None:
    sheet.disc(x, foot - size / 2, size / 2, look.data[2])
    sheet.disc(x, foot - size / 2, size * 0.4, look.ground)
    sheet.disc(x, foot - size / 2, size * 0.36, look.data[2])
    sheet.text(x, foot - size / 2, "C", size * 0.5, look.ground, at="mm")


def _barrel(sheet: Sheet, x: float, foot: float, size: float, look: Look) -> None:
    half, lid = size * 0.34, size * 0.09
    sheet.box(x - half, foot - size + lid, x + half, foot - lid, look.data[0])
    sheet.oval(x - half, foot - 2 * lid, x + half, foot, look.data[0])
    for part in (0.33, 0.66):
        line = foot - size * part
        sheet.bow((x - half, line - lid, x + half, line + lid), 0, 180, look.ground, 2)
    sheet.oval(x - half, foot - size, x + half, foot - size + 2 * lid, look.ink)


def _house(sheet: Sheet, x: float, foot: float, size: float, look: Look) -> None:
    half = size * 0.42
    sheet.box(x - half * 0.8, foot - size * 0.55, x + half * 0.8, foot, look.data[0])
    roof = foot - size * 0.5
    sheet.shape([(x - half, roof), (x, foot - size), (x + half, roof)], look.data[1])
    sheet.box(x - size * 0.09, foot - size * 0.28, x + size * 0.09, foot, look.ground)


ICONS = {"turbine": _turbine, "coins": _coins, "barrel": _barrel, "house": _house}


def icons(
    title: str,
    source: str,
    entries: Sequence[tuple[str, float]],
    icon: str,
    look: Look = CLEAR,
) -> Image.Image:
    """One icon an entry, (words below, height)."""
    sheet = _frame(title, source, look)
    sheet.path([(60, 318), (580, 318)], look.grey, 1.5)
    for place, (words, size) in enumerate(entries):
        x = 60 + 520 / len(entries) * (place + 0.5)
        ICONS[icon](sheet, x, 317, size, look)
        sheet.text(x, 340, words, 17, look.ink, at="mm")
    return sheet.finished()


def icon_rows(
    title: str,
    source: str,
    rows: Mapping[str, int],
    each: str,
    icon: str,
    look: Look = CLEAR,
) -> Image.Image:
    """Rows of equal icons, as many as the number given; `each` says what one stands for."""
    sheet = _frame(title, source, look)
    for row, (name, count) in enumerate(rows.items()):
        foot = 138 + row * 200 / max(1, len(rows) - 1)
        sheet.text(36, foot - 20, name, 17, look.ink, at="lm")
        for place in range(count):
            ICONS[icon](sheet, 124 + place * 42, foot, 38, look)
    sheet.text(36, 66, each, 15, look.grey, at="lm")
    return sheet.finished()


def pie(
    title: str,
    source: str,
    shares: Mapping[str, float],
    colours: Sequence[str],
    look: Look = CLEAR,
    *,
    first: float = -90,
    tilted: bool = False,
) -> Image.Image:
    """A pie whose first slice begins at `first` degrees; a tilted one lies back and has a rim."""
    sheet = _frame(title, source, look)
    rim, high = (46, 76) if tilted else (0, 122)
    for depth in range(rim, -1, -2):
        around = (70, 206 - high - rim / 2 + depth, 360, 206 + high - rim / 2 + depth)
        if not tilted:
            around = (93, 84, 337, 328)
        start = first
        for share, colour in zip(shares.values(), colours, strict=True):
            end = start + share * 3.6
            dark = f"#{int(colour[1:3], 16) * 2 // 3:02x}{int(colour[3:5], 16) * 2 // 3:02x}"
            dark += f"{int(colour[5:7], 16) * 2 // 3:02x}"
            sheet.slice(around, start, end, dark if depth else colour)
            start = end
    for place, ((name, share), colour) in enumerate(zip(shares.items(), colours, strict=True)):
        sheet.box(410, 120 + place * 38, 430, 138 + place * 38, colour)
        sheet.text(440, 129 + place * 38, f"{name} {share:.0f}%", 17, look.ink, at="lm")
    return sheet.finished()


def card(
    outlet: str,
    day: str,
    lines: Sequence[str],
    deck: str,
    band: str,
    size: float,
    *,
    ground: str = PAPER,
    shift: int = 0,
) -> Image.Image:
    """A headline card of an invented outlet: name, headline in lines, one line below, a street."""
    sheet = Sheet(ground)
    ink, lesser = (INK, GREY) if ground == PAPER else (PAPER, SAND)
    sheet.box(0, 0, WIDTH, 54, band)
    sheet.text(40, 27, outlet, 22, PAPER, at="lm")
    sheet.text(600, 27, day, 17, PAPER, at="rm")
    for place, line in enumerate(lines):
        sheet.text(40, 80 + place * size * 1.2, line, size, ink)
    sheet.text(40, 244, deck, 19, lesser)
    heights = [44, 62, 38, 70, 50, 58, 40, 66]
    sheet.box(0, 290, WIDTH, HEIGHT, SAND)
    for place in range(8):
        height = heights[(place + shift) % 8]
        x = 24 + place * 76
        sheet.box(x, 372 - height, x + 60, 372, "#b9a98a")
        sheet.box(x + 12, 384 - height, x + 24, 396 - height, PAPER)
        sheet.box(x + 36, 384 - height, x + 48, 396 - height, PAPER)
    sheet.box(0, 372, WIDTH, HEIGHT, GREY)
    return sheet.finished()
