"""Draws the images of the embedded sample `open/pairs`.

    python samples/draw_pairs.py [FOLDER]

Needs Pillow, which the package itself does not. Everything is drawn from the numbers below with
Pillow's built-in font, without a random generator, so that a second drawing is the first one.
Each technique has a fair twin that shows the same facts.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FOLDER = Path(__file__).parents[1] / "src" / "slant" / "data" / "samples" / "images"
WIDTH, HEIGHT, SCALE = 640, 400, 2
INK, GREY, PALE, PAPER = "#22303c", "#7b8794", "#d9dee3", "#fbfaf7"
BLUE, RED, GREEN, SAND = "#2f6f9f", "#b5382a", "#4f8a5b", "#e6d9c2"


class Sheet:
    """A canvas in units of the finished picture, drawn at twice the size and then reduced."""

    def __init__(self, ground: str = PAPER) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), ground)
        self.draw = ImageDraw.Draw(self.image)

    def box(
        self, x0: float, y0: float, x1: float, y1: float, fill: str, *, radius: float = 0
    ) -> None:
        """A filled rectangle, with rounded corners where a radius is given."""
        corners = [v * SCALE for v in (x0, y0, x1, y1)]
        self.draw.rounded_rectangle(corners, radius * SCALE, fill=fill)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        """A filled circle around (x, y)."""
        corners = [v * SCALE for v in (x - radius, y - radius, x + radius, y + radius)]
        self.draw.ellipse(corners, fill=fill)

    def path(self, points: Sequence[tuple[float, float]], fill: str, width: float) -> None:
        """A line through the points."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self.draw.line(scaled, fill=fill, width=round(width * SCALE), joint="curve")

    def shape(self, points: Sequence[tuple[float, float]], fill: str) -> None:
        """A filled polygon."""
        self.draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=fill)

    def text(
        self, x: float, y: float, words: str, size: float = 15, fill: str = INK, *, at: str = "la"
    ) -> None:
        """Words at (x, y); `at` is Pillow's anchor."""
        font = ImageFont.load_default(size * SCALE)
        self.draw.text((x * SCALE, y * SCALE), words, fill=fill, font=font, anchor=at)

    def finished(self) -> Image.Image:
        """The picture at its final size."""
        return self.image.resize((WIDTH, HEIGHT), Image.Resampling.BOX)


def _frame(title: str, source: str) -> Sheet:
    sheet = Sheet()
    sheet.text(40, 24, title, 21)
    sheet.text(40, 372, source, 12, GREY)
    return sheet


def _axis(
    sheet: Sheet, low: float, high: float, ticks: Sequence[float]
) -> Callable[[float], float]:
    def y(value: float) -> float:
        return 330 - (value - low) / (high - low) * 250

    for tick in ticks:
        sheet.path([(92, y(tick)), (610, y(tick))], PALE, 1)
        sheet.text(84, y(tick), f"{tick:,.0f}", 13, GREY, at="rm")
    return y


def _label(sheet: Sheet, x: float, y: float, words: str) -> None:
    # A piece of paper below the number, so that no grid line crosses it.
    sheet.box(x - len(words) * 4.5, y - 15, x + len(words) * 4.5, y, PAPER)
    sheet.text(x, y, words, 15, INK, at="md")


def rents(low: float, high: float, ticks: Sequence[float], colour: str) -> Image.Image:
    """Bars of the mean rent in three years above an axis that begins at `low`."""
    sheet = _frame("Mean rent in Orvane, crowns a month", "Source: housing office of Orvane")
    y = _axis(sheet, low, high, ticks)
    for place, (year, rent) in enumerate([(2023, 968), (2024, 985), (2025, 1007)]):
        x = 140 + place * 160
        sheet.box(x, y(rent), x + 100, 330, colour)
        _label(sheet, x + 50, y(rent) - 6, f"{rent:,}")
        sheet.text(x + 50, 348, str(year), 14, INK, at="mm")
    sheet.path([(92, 330), (610, 330)], INK, 1.5)
    return sheet.finished()


THEFTS = {2016: 31, 2017: 34, 2018: 29, 2019: 36, 2020: 33}
THEFTS |= {2021: 38, 2022: 30, 2023: 24, 2024: 27, 2025: 33}


def thefts(first: int, low: float, high: float, ticks: Sequence[float], title: str) -> Image.Image:
    """A line of the thefts in Lowmere from the year `first` to 2025."""
    sheet = _frame(title, "Source: police of the district of Lowmere")
    y = _axis(sheet, low, high, ticks)
    years = [year for year in THEFTS if year >= first]
    colour = BLUE if first > 2016 else RED
    points = [
        (130 + place * 440 / (len(years) - 1), y(THEFTS[year])) for place, year in enumerate(years)
    ]
    for (x, top), year in zip(points, years, strict=True):
        _label(sheet, x, top - 10, str(THEFTS[year]))
        sheet.text(x, 348, str(year), 13, INK, at="mm")
    sheet.path(points, colour, 4)
    for x, top in points:
        sheet.disc(x, top, 6, colour)
    sheet.path([(92, 330), (610, 330)], INK, 1.5)
    return sheet.finished()


def _turbine(sheet: Sheet, x: float, size: float) -> None:
    hub = 318 - size
    sheet.shape([(x - size * 0.05, 318), (x + size * 0.05, 318), (x + 2, hub), (x - 2, hub)], INK)
    for turn in range(3):
        angle = math.radians(turn * 120 - 90)
        tip = (x + size * 0.62 * math.cos(angle), hub + size * 0.62 * math.sin(angle))
        side = (size * 0.07 * math.cos(angle + 1.57), size * 0.07 * math.sin(angle + 1.57))
        root = (x + size * 0.12 * math.cos(angle), hub + size * 0.12 * math.sin(angle))
        sheet.shape([(x, hub), (root[0] + side[0], root[1] + side[1]), tip], GREEN)
    sheet.disc(x, hub, max(3, size * 0.05), INK)


def wind(second: float) -> Image.Image:
    """Two turbines for 14,000 and 28,000 homes; the second is `second` times as high."""
    sheet = _frame("Homes supplied by wind on Tavish Head", "Source: parish of Tavish")
    sheet.path([(60, 318), (580, 318)], GREY, 1.5)
    _turbine(sheet, 190, 74)
    _turbine(sheet, 430, 74 * second)
    sheet.text(190, 330, "2024: 14,000 homes", 15, INK, at="ma")
    sheet.text(430, 330, "2025: 28,000 homes", 15, INK, at="ma")
    return sheet.finished()


def card(lines: Sequence[str], deck: str, band: str, size: float) -> Image.Image:
    """A headline card of an invented outlet: name, headline in lines, one line below it."""
    sheet = Sheet()
    sheet.box(0, 0, WIDTH, 54, band)
    sheet.text(40, 27, "Orvane Courier", 22, PAPER, at="lm")
    sheet.text(600, 27, "Tuesday", 15, PAPER, at="rm")
    for place, line in enumerate(lines):
        sheet.text(40, 92 + place * size * 1.25, line, size)
    sheet.text(40, 250, deck, 18, GREY)
    # The street below the headline is the same on every card.
    sheet.box(0, 290, WIDTH, HEIGHT, SAND)
    for place, height in enumerate([44, 62, 38, 70, 50, 58, 40, 66]):
        x = 24 + place * 76
        sheet.box(x, 372 - height, x + 60, 372, "#b9a98a")
        sheet.box(x + 12, 384 - height, x + 24, 396 - height, PAPER)
        sheet.box(x + 36, 384 - height, x + 48, 396 - height, PAPER)
    sheet.box(0, 372, WIDTH, HEIGHT, GREY)
    return sheet.finished()


def _person(sheet: Sheet, x: float, y: float, size: float, coat: str, *, skin: str) -> None:
    sheet.box(x - size * 0.32, y - size, x + size * 0.32, y + size * 0.6, coat, radius=size * 0.25)
    sheet.disc(x, y - size * 1.3, size * 0.3, skin)


COATS = ["#4a6b8a", "#8a5a4a", "#5d7a57", "#6d5b85", "#94833f", "#3f7d7a"]
SKINS = ["#e8c39e", "#8d5a3b", "#c98f62", "#f0d3b5"]


def hall(caption: str, shift: int) -> Image.Image:
    """A meeting: a speaker at a desk and four rows of listeners; `shift` reseats them."""
    sheet = Sheet("#efe7da")
    sheet.box(0, 0, WIDTH, 120, "#d8cbb4")
    for x in (70, 210, 430, 570):
        sheet.box(x - 28, 24, x + 28, 96, "#bcd3e0", radius=4)
    sheet.box(250, 132, 390, 176, "#8b6f4e")
    _person(sheet, 320, 136, 34, COATS[3], skin=SKINS[1])
    sheet.box(240, 150, 400, 184, "#8b6f4e")
    for row in range(4):
        for seat in range(11):
            if (row * 5 + seat * 3 + shift) % 8 == 0:
                continue
            pick = row * 7 + seat * 5 + shift
            x = 50 + seat * 54 + (row % 2) * 20
            coat, skin = COATS[pick % 6], SKINS[pick % 4]
            _person(sheet, x, 240 + row * 38, 22 + row * 2, coat, skin=skin)
    sheet.box(0, 360, WIDTH, HEIGHT, INK)
    sheet.text(20, 380, caption, 16, PAPER, at="lm")
    return sheet.finished()


def _placard(sheet: Sheet, x: float, y: float, size: float, words: str) -> None:
    # The board is as wide as its words.
    half = len(words) * 4.6 + 8
    sheet.path([(x, y), (x, y + size)], "#6b4f33", 3)
    sheet.box(x - half, y - 13, x + half, y + 13, PAPER, radius=2)
    sheet.text(x, y, words, 13, INK, at="mm")


def protest(close: bool, caption: str) -> Image.Image:
    """Students before a university: from afar with the square, or cut to a few dark backs."""
    sheet = Sheet("#5a1f1a" if close else "#cfe1ea")
    if close:
        sheet.box(0, 70, WIDTH, HEIGHT, "#7d2a22")
        for bar in range(17):
            sheet.box(bar * 40, 40, bar * 40 + 8, 250, "#1d1412")
        sheet.box(0, 60, WIDTH, 72, "#1d1412")
        for place in range(6):
            x, y = 40 + place * 116, 280 + (place % 2) * 26
            _person(sheet, x, y, 92, "#241a1a", skin="#3a2a26")
            sheet.box(x + 30, y - 180, x + 48, y - 60, "#241a1a", radius=8)
            sheet.disc(x + 39, y - 184, 15, "#3a2a26")
    else:
        sheet.box(0, 210, WIDTH, HEIGHT, "#b7c4a4")
        sheet.box(120, 80, 520, 220, SAND)
        sheet.shape([(110, 80), (530, 80), (320, 30)], "#a8957a")
        for column in range(7):
            sheet.box(142 + column * 57, 92, 156 + column * 57, 206, PAPER)
        sheet.box(296, 140, 344, 220, "#6b4f33")
        for row in range(3):
            for place in range(13):
                pick = row * 5 + place * 7
                x, y = 70 + place * 42 + (row % 2) * 16, 262 + row * 34
                _person(sheet, x, y, 17 + row * 2, COATS[pick % 6], skin=SKINS[pick % 4])
        for x, words in ((150, "FEES"), (330, "TALK TO US"), (500, "NO RISE")):
            _placard(sheet, x, 230, 58, words)
    sheet.box(0, 360, WIDTH, HEIGHT, INK)
    sheet.text(20, 380, caption, 16, PAPER, at="lm")
    return sheet.finished()


IMAGES: dict[str, Callable[[], Image.Image]] = {
    "p01.png": lambda: rents(960, 1010, range(960, 1011, 10), BLUE),
    "p02.png": lambda: rents(0, 1200, range(0, 1201, 200), RED),
    "p03.png": lambda: thefts(2016, 0, 45, range(0, 41, 10), "Thefts in Lowmere since 2016"),
    "p04.png": lambda: thefts(2023, 22, 35, (22, 26, 30, 34), "Thefts in Lowmere: only one way"),
    "p05.png": lambda: wind(2.0),
    "p06.png": lambda: wind(math.sqrt(2)),
    "p07.png": lambda: card(
        ["Council votes on parking", "charge for Ferry Street"],
        "Two crowns an hour from September, vote on Thursday",
        RED,
        38,
    ),
    "p08.png": lambda: card(
        ["FLEECED!", "Drivers bled dry again"],
        "The town hall's shameless raid on your wallet",
        RED,
        54,
    ),
    "p09.png": lambda: hall("The meeting in the town hall of Lowmere on Tuesday evening", 1),
    "p10.png": lambda: hall("The town hall of Lowmere during the meeting on Tuesday", 4),
    "p11.png": lambda: protest(True, "The mob at the gate of Castell University"),
    "p12.png": lambda: protest(False, "Students before the main hall of Castell University"),
}
"""What each file shows; the order and parity of the names say nothing about the labels."""


def draw_all(folder: Path) -> list[Path]:
    """Draws every image into the folder and gives the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, picture in IMAGES.items():
        picture().save(folder / name, optimize=True)
        paths.append(folder / name)
    return paths


if __name__ == "__main__":
    for path in draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER):
        print(path)
