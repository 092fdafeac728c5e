"""Where the words of a text stand."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np

from slant.types import Array

_JOINERS = "\u200c\u200d"


def word_ranges(text: str) -> Array:
    """The words of a text as ranges of characters.

    Rule: runs of letters and digits with the marks that combine with them (accents, vowel signs),
    joined by single apostrophes, hyphens or points, or by zero-width joiners inside. Punctuation
    by itself is no word: nobody marks it, so that it would only raise every score.

    Args:
        text: any text.

    Returns:
        (words, 2) half-open ranges of code points, from left to right.

    >>> word_ranges("It's U.S. so-called …").tolist()
    [[0, 4], [5, 8], [10, 19]]
    >>> word_ranges("हिन्दी Cafe\u0301").tolist()
    [[0, 6], [7, 12]]
    """
    combining = "" if text.isascii() else "".join(sorted(filter(_combines, set(text))))
    words = _pattern(combining).finditer(text)
    return np.array([found.span() for found in words], np.int64).reshape(-1, 2)


def _combines(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc")


@lru_cache(maxsize=64)
def _pattern(combining: str) -> re.Pattern[str]:
    """Of a word of a text that has these marks: `re` has no class of them all."""
    marks = f"[{re.escape(combining)}]*" if combining else ""
    run = rf"(?:[^\W_]{marks})+" if combining else r"[^\W_]+"
    return re.compile(rf"{run}(?:(?:['’\-‐‑.]|[{_JOINERS}]+){run})*")
