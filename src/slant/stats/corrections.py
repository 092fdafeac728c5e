"""Corrections of p-values for being several.

Each gives adjusted p-values in the order of the given ones, in [0, 1], never below them, and never
in another order of size. No p-values give none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import OptionError
from slant.types import Floats, Test

Correction = Callable[[ArrayLike], Floats]


def bonferroni(p: ArrayLike) -> Floats:
    """Adjusted p-values that bound the chance of any false finding: m p.

    Args:
        p: (m,) the p-values of one family, in [0, 1].

    Returns:
        (m,) in [0, 1].

    >>> bonferroni([0.01, 0.04, 0.5]).tolist()
    [0.03, 0.12, 1.0]
    """
    values = _family(p)
    return np.minimum(1.0, values * values.size)


def holm(p: ArrayLike) -> Floats:
    """Adjusted p-values that bound the chance of any false finding, never above Bonferroni's.

    The i-th smallest (from 0) becomes (m - i) p, or what a smaller one became, if that is more.

    Args:
        p: (m,) the p-values of one family, in [0, 1].

    Returns:
        (m,) in [0, 1].
    Source: Holm 1979.

    >>> holm([0.03, 0.01, 0.02]).tolist()  # 3 x 0.01, 2 x 0.02, then 0.04 stays above 1 x 0.03
    [0.04, 0.03, 0.04]
    """
    values = _family(p)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(values.size, 0, -1)
    return _restored(np.maximum.accumulate(steps), order)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjusted p-values that bound the expected share of false findings among the findings.

    The i-th smallest (from 1) becomes m p / i, or what a larger one became, if that is less.
    Valid for tests that are independent or positively dependent.

    Args:
        p: (m,) the p-values of one family, in [0, 1].

    Returns:
        (m,) in [0, 1].
    Source: Benjamini and Hochberg 1995.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()  # 3 x 0.01 / 1, 3 x 0.04 / 3 twice
    [0.03, 0.04, 0.04]
    """
    values = _family(p)
    order = np.argsort(values, kind="stable")
    steps = values[order] * values.size / np.arange(1, values.size + 1)
    return _restored(np.minimum.accumulate(steps[::-1])[::-1], order)


def adjusted(tests: Sequence[Test], correction: Correction) -> list[Test]:
    """The same tests with `p_adjusted` filled, taken as one family.

    Args:
        tests: in any order, which is kept.
        correction: `holm`, `bonferroni` or `benjamini_hochberg`.
    """
    values = correction([test.p for test in tests])
    return [replace(test, p_adjusted=float(p)) for test, p in zip(tests, values, strict=True)]


def _family(p: ArrayLike) -> Floats:
    values = np.asarray(p, dtype=np.float64)
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise OptionError(
            f"Correcting {values.size} p-values", f"one is {wrong[0]}", "Give values from 0 to 1"
        )
    return values


def _restored(steps: Floats, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
    out = np.empty_like(steps)
    out[order] = np.minimum(1.0, steps)
    return out
