"""Statistics of colour and edges of an image: what can be said of it without a trained model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.types import Floats

VERSION = "1"
"""Changes with the formulas, and with it the keys of kept vectors."""
GREYS, HUES, DIRECTIONS, CELLS = 8, 12, 8, 3
_EDGE = 0.1
_WEIGHTS = np.array([0.299, 0.587, 0.114])

NAMES = (
    "log of width to height",
    *(f"mean {colour}" for colour in ("red", "green", "blue")),
    *(f"deviation {colour}" for colour in ("red", "green", "blue")),
    *(f"share of grey {part + 1} of {GREYS}" for part in range(GREYS)),
    *(f"saturated hue {part + 1} of {HUES}" for part in range(HUES)),
    "mean saturation",
    "deviation of saturation",
    "colourfulness",
    "share of 512 colours",
    "mean edge",
    "deviation of edges",
    "share of edges",
    *(f"edges of direction {part + 1} of {DIRECTIONS}" for part in range(DIRECTIONS)),
    *(f"edges in cell {part + 1} of {CELLS**2}" for part in range(CELLS**2)),
)
"""What each number of `colour_statistics` is."""


def colour_statistics(pixels: NDArray[np.uint8]) -> Floats:
    """Colours, greys, hues and edges of an image.

    Grey is the luma 0.299 R + 0.587 G + 0.114 B. A hue counts with its saturation, (max - min) /
    max. Colourfulness is |sd(R - G), sd((R + G) / 2 - B)| + 0.3 of the same of means. The edge at a
    place is the length of the gradient of grey by differences of neighbours; its direction is taken
    without sign; it is one from 0.1 on. Cells are a grid of three by three.

    Args:
        pixels: (height, width, 3) values of RGB from 0 to 255, at least one.

    Returns:
        (len(NAMES),) finite numbers; all but the first are at least 0, of colours in shares of 1.

    Source: Hasler and Süsstrunk, Measuring colourfulness in natural images (2003), section 6.

    >>> grey = colour_statistics(np.full((2, 4, 3), 51, dtype=np.uint8))
    >>> dict(zip(NAMES, grey.round(2).tolist()))["mean red"], float(grey[NAMES.index("mean edge")])
    (0.2, 0.0)
    """
    rgb: Floats = pixels.astype(np.float64) / 255
    height, width = rgb.shape[:2]
    grey: Floats = rgb @ _WEIGHTS
    hues, saturation = _hues(rgb)
    across, yellow = rgb[..., 0] - rgb[..., 1], (rgb[..., 0] + rgb[..., 1]) / 2 - rgb[..., 2]
    colourful = np.hypot(across.std(), yellow.std()) + 0.3 * np.hypot(across.mean(), yellow.mean())
    codes = (pixels >> 5).astype(np.int64) @ np.array([64, 8, 1])
    greys = np.bincount(np.minimum(grey * GREYS, GREYS - 1).astype(int).ravel(), minlength=GREYS)
    return np.concatenate(
        [
            [np.log(width / height)],
            rgb.mean((0, 1)),
            rgb.std((0, 1)),
            greys / grey.size,
            hues,
            [saturation.mean(), saturation.std(), colourful, len(np.unique(codes)) / 512],
            _edges(grey),
        ]
    )


def _hues(rgb: Floats) -> tuple[Floats, Floats]:
    """The mean saturation that falls on each hue, and the saturation of each place."""
    high, low = rgb.max(2), rgb.min(2)
    span = high - low
    safe = np.where(span > 0, span, 1.0)
    red, green, blue = np.moveaxis(rgb, 2, 0)
    sixths = np.select(
        [high == red, high == green],
        [(green - blue) / safe % 6, (blue - red) / safe + 2],
        (red - green) / safe + 4,
    )
    saturation: Floats = span / np.where(high > 0, high, 1.0)
    bins = (sixths * (HUES / 6)).astype(int).ravel() % HUES
    sums: Any = np.bincount(bins, weights=saturation.ravel(), minlength=HUES)
    return sums / saturation.size, saturation


def _edges(grey: Floats) -> Floats:
    down = np.gradient(grey, axis=0) if grey.shape[0] > 1 else np.zeros_like(grey)
    right = np.gradient(grey, axis=1) if grey.shape[1] > 1 else np.zeros_like(grey)
    length = np.hypot(down, right)
    # Half a turn is the same edge; half a bin of offset keeps upright and level ones in one bin.
    turn = (np.arctan2(down, right) / np.pi + 0.5 / DIRECTIONS) % 1
    bins = np.minimum((turn * DIRECTIONS).astype(int), DIRECTIONS - 1).ravel()
    directions = np.bincount(bins, weights=length.ravel(), minlength=DIRECTIONS) / length.size
    rows = np.arange(grey.shape[0]) * CELLS // grey.shape[0]
    columns = np.arange(grey.shape[1]) * CELLS // grey.shape[1]
    cell = (rows[:, None] * CELLS + columns).ravel()
    sums = np.bincount(cell, weights=length.ravel(), minlength=CELLS**2)
    cells = sums / np.maximum(np.bincount(cell, minlength=CELLS**2), 1)
    return np.concatenate(
        [[length.mean(), length.std(), (length >= _EDGE).mean()], directions, cells]
    )
