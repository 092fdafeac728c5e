"""Where the words of a text stand."""

from __future__ import annotations

import re

import numpy as np

from slant.types import Array

_WORD = re.compile(r"[^\W_]+(?:['’\-‐‑.][^\W_]+)*")


def word_ranges(text: str) -> Array:
    """The words of a text as ranges of characters.

    Rule: runs of letters and digits, joined by single apostrophes, hyphens or points inside.
    Punctuation by itself is no word: nobody marks it, so that it would only raise every score.

    Args:
        text: any text.

    Returns:
        (words, 2) half-open ranges of code points, from left to right.

    >>> word_ranges("It's U.S. so-called …").tolist()
    [[0, 4], [5, 8], [10, 19]]
    """
    return np.array([found.span() for found in _WORD.finditer(text)], np.int64).reshape(-1, 2)
