"""The canvas on which the pictures of `open/pairs` are drawn, and their palettes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 640, 400
"""The units of the drawing; a finished picture has three quarters of them in pixels."""
SCALE = 1.5
COLOURS = 40
"""What a finished picture's palette has at most: fewer bytes, letters still smooth."""
INK, GREY, PALE, PAPER = "#22303c", "#6d7985", "#d9dee3", "#fbfaf7"
BLUE, RED, GREEN, SAND = "#2f6f9f", "#b5382a", "#4f8a5b", "#e6d9c2"
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a chart: ground, words, lesser words, grid, and three for the data."""

    ground: str = PAPER
    ink: str = INK
    grey: str = GREY
    pale: str = PALE
    data: tuple[str, str, str] = (BLUE, RED, GREEN)


CLEAR = Look()
WARM = Look(data=(RED, BLUE, "#c08a2d"))
DUSK = Look("#26323f", "#f2efe8", "#b3bcc4", "#435260", ("#e2725b", "#7fb2d6", "#e0b45c"))
NIGHT = Look("#26323f", "#f2efe8", "#b3bcc4", "#435260", ("#7fb2d6", "#e2725b", "#8fc19a"))
CLAY = Look("#f3e6d8", "#3a2c25", "#85705f", "#dccab8", ("#a8442f", "#3f6f73", "#c79a3c"))
MOSS = Look("#e8efe2", "#26352b", "#66786a", "#cbd8c4", ("#3f7d58", "#a8442f", "#33658a"))


class Sheet:
    """A canvas in units of the drawing, drawn at twice the pixels and then reduced."""

    def __init__(self, ground: str = PAPER) -> None:
        self.image = Image.new("RGB", (int(WIDTH * SCALE), int(HEIGHT * SCALE)), ground)
        self.draw = ImageDraw.Draw(self.image)

    def box(
        self, x0: float, y0: float, x1: float, y1: float, fill: str, *, radius: float = 0
    ) -> None:
        """A filled rectangle, with rounded corners where a radius is given."""
        corners = [round(v * SCALE) for v in (x0, y0, x1, y1)]
        self.draw.rounded_rectangle(corners, radius * SCALE, fill=fill)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        """A filled circle around (x, y)."""
        self.oval(x - radius, y - radius, x + radius, y + radius, fill)

    def oval(self, x0: float, y0: float, x1: float, y1: float, fill: str) -> None:
        """A filled ellipse inside the rectangle."""
        self.draw.ellipse([v * SCALE for v in (x0, y0, x1, y1)], fill=fill)

    def slice(
        self, around: tuple[float, float, float, float], start: float, end: float, fill: str
    ) -> None:
        """A slice of the ellipse inside the rectangle; degrees clockwise from three o'clock."""
        self.draw.pieslice([v * SCALE for v in around], start, end, fill=fill)

    def bow(
        self,
        around: tuple[float, float, float, float],
        start: float,
        end: float,
        fill: str,
        width: float,
    ) -> None:
        """A bent line along the ellipse inside the rectangle."""
        corners = [v * SCALE for v in around]
        self.draw.arc(corners, start, end, fill=fill, width=round(width * SCALE))

    def path(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line through the points."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self.draw.line(scaled, fill=fill, width=max(1, round(width * SCALE)), joint="curve")

    def shape(self, points: Sequence[Point], fill: str) -> None:
        """A filled polygon."""
        self.draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=fill)

    def text(
        self, x: float, y: float, words: str, size: float = 16, fill: str = INK, *, at: str = "la"
    ) -> None:
        """Words at (x, y); `at` is Pillow's anchor."""
        font = ImageFont.load_default(size * SCALE)
        self.draw.text((x * SCALE, y * SCALE), words, fill=fill, font=font, anchor=at)

    def width_of(self, words: str, size: float) -> float:
        """How wide the words are, in units."""
        return float(ImageFont.load_default(size * SCALE).getlength(words)) / SCALE

    def caption(self, words: str) -> None:
        """A strip with the words below a scene."""
        self.box(0, 358, WIDTH, HEIGHT, INK)
        self.text(20, 380, words, 18, PAPER, at="lm")

    def finished(self) -> Image.Image:
        """The picture at its final size, in few colours."""
        width, height = self.image.size
        small = self.image.resize((width // 2, height // 2), Image.Resampling.BOX)
        return small.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
