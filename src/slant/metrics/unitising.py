"""Two annotators who each mark stretches of a text: Krippendorff's alpha for unitising.

The continuum is the text in characters; a unit is a marked stretch, what lies between is a gap.
One category at a time, so that a passage with two categories is no contradiction.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError
from slant.metrics.overlaps import characters, joined, shared_characters
from slant.types import Array, Floats, Span, Undefined


def unit_counts(first: Sequence[Span], second: Sequence[Span], length: int) -> Array:
    """What unitising alpha needs to know of one text and category; texts are added.

    Rule: a continuum cannot be cut twice at one place, so that marks of one annotator that share a
    character are one unit; marks that only touch stay two.

    Args:
        first, second: what each annotator marked.
        length: characters of the text.

    Returns:
        (5,) characters that both, only the second, only the first, and neither marked, and the sum
        over both annotators' units of their squared lengths.

    Raises:
        DataError: a mark is empty or leaves the text.

    >>> unit_counts([Span(0, 4)], [Span(2, 6), Span(6, 8)], 10).tolist()  # 16 + 16 + 4
    [2, 4, 2, 2, 36]
    """
    for span in (*first, *second):
        if not 0 <= span.start < span.end <= length:
            found = f"the mark [{span.start}, {span.end}) is no stretch of {length} characters"
            raise DataError("Counting marked characters", found, "Give marks inside the text")
    units = [joined(spans) for spans in (first, second)]
    both = shared_characters(*units)
    squares = sum((unit.end - unit.start) ** 2 for one in units for unit in one)
    only = [characters(one) - both for one in units]
    neither = length - both - only[0] - only[1]
    return np.array([both, only[1], only[0], neither, squares], np.int64)


def unitising_kernel(counts: ArrayLike) -> Floats:
    """Krippendorff's alpha for unitising, the variant u-alpha (nominal), of one category.

    Rule: 1 - observed / expected disagreement over coincident characters. Observed: each character
    pairs what the first and the second annotator said of it. Expected: all characters of both
    annotators are paired with all others at random, but a unit is never paired with itself, nor a
    character of a gap with itself. With b, f, s, n characters marked by both, one and the other,
    and neither, K = 2 b + f + s marked, G = 2 n + f + s in gaps, T = K + G, and S the squared
    lengths of units: 1 - (f + s) (T^2 - S - G) / (T K G). Of one category against gaps, u-alpha
    and its binary variant are the same number.

    Args:
        counts: (..., 5) of `unit_counts`, added over texts, each as often as a resample drew it.

    Returns:
        (...) at most 1 = the same stretches, 0 = as by chance; NaN where nothing is marked, or no
        character is left unmarked.

    Source: Krippendorff, Mathet, Bouvry and Widlöcher 2016, On the reliability of unitizing
    textual continua: further developments, section 5.

    >>> round(float(unitising_kernel([2, 4, 2, 2, 36])), 3)  # 1 - 6 * (400 - 36 - 10) / 2000
    -0.062
    """
    table = np.asarray(counts, np.float64)
    both, second, first, neither, squares = np.moveaxis(table, -1, 0)
    apart = first + second
    units, gaps = 2 * both + apart, 2 * neither + apart
    total = units + gaps
    possible = total * units * gaps
    observed = apart * (total * total - squares - gaps)
    alpha: Floats = 1 - np.divide(
        observed, possible, out=np.full(np.shape(possible), np.nan), where=possible > 0
    )
    return alpha


def unitising_alpha(
    first: Sequence[Span], second: Sequence[Span], length: int
) -> float | Undefined:
    """Krippendorff's u-alpha of one text and one category; see `unitising_kernel`.

    Args:
        first, second: what each annotator marked.
        length: characters of the text.

    >>> unitising_alpha([Span(2, 5)], [Span(2, 5)], 10)
    1.0
    """
    value = float(unitising_kernel(unit_counts(first, second, length)))
    if not np.isnan(value):
        return value
    return Undefined("unitising alpha needs a stretch that is marked and one that is not")
