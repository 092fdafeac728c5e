"""How sure an annotator is, as annotation tools write it."""

from __future__ import annotations

import math

from slant.annotate.standoff import Place

LEVELS = {"low": 1.0, "medium": 2.0, "high": 3.0}
"""The words that stand for the three levels."""


def confidence_value(text: str, place: Place) -> float:
    """The number that a confidence is written as, or one of low, medium and high.

    >>> from pathlib import Path
    >>> confidence_value("high", Place(Path("a.ann"), "line 1"))
    3.0
    """
    word = text.strip().lower()
    if word in LEVELS:
        return LEVELS[word]
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        found = f"has the confidence '{text}'"
        raise place.fault(found, f"Write a number, or one of {', '.join(LEVELS)}")
    return value


def confidence_text(value: float) -> str:
    """A confidence without a needless ".0".

    >>> confidence_text(3.0), confidence_text(2.5)
    ('3', '2.5')
    """
    return str(int(value)) if float(value).is_integer() else repr(float(value))
