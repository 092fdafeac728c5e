"""Two annotators who each say of every unit whether something is present: how far they agree.

All are kernels of counts (both, only the second, only the first, neither), so that one call
measures a thousand resamples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from slant.types import Floats


def agreed_share(counts: ArrayLike) -> Floats:
    """Raw agreement p_o: the share of units of which both say the same.

    Args:
        counts: (..., 4) units that both, only the second, only the first, and neither mark.

    Returns:
        (...) in [0, 1]; NaN without a unit.

    >>> float(agreed_share([1, 3, 2, 44]))
    0.9
    """
    both, second, first, neither = _cells(counts)
    return _ratio(both + neither, both + second + first + neither)


def chance_share(counts: ArrayLike) -> Floats:
    """Agreement by chance p_e of Cohen: two annotators who mark at random, each as often as it did.

    Rule: p q + (1 - p) (1 - q), p and q the shares of units that each marks.

    Args:
        counts: as `agreed_share`.

    Returns:
        (...) in [0, 1]; NaN without a unit.

    >>> round(float(chance_share([1, 3, 2, 44])), 4)  # (3 * 4 + 47 * 46) / 50 ** 2
    0.8696
    """
    both, second, first, neither = _cells(counts)
    size = both + second + first + neither
    p, q = both + first, both + second
    return _ratio(p * q + (size - p) * (size - q), size * size)


def kappa_kernel(counts: ArrayLike) -> Floats:
    """Cohen's kappa of presence: (p_o - p_e) / (1 - p_e).

    Rare categories have a p_e near 1, so that a few units decide: read it beside p_o, p_e and
    `gwet_kernel`.

    Args:
        counts: as `agreed_share`.

    Returns:
        (...) at most 1 = equal, 0 = as by chance; NaN where both mark all units, or none.

    Source: Cohen 1960; Feinstein and Cicchetti 1990 on rare categories.

    >>> round(float(kappa_kernel([1, 3, 2, 44])), 2)  # (0.9 - 0.8696) / 0.1304
    0.23
    """
    both, second, first, neither = _cells(counts)
    size = both + second + first + neither
    # over size squared, in whole numbers: 1 - p_e is exactly 0 where there is no kappa
    p, q = both + first, both + second
    chance = p * q + (size - p) * (size - q)
    return _ratio(size * (both + neither) - chance, size * size - chance)


def gwet_kernel(counts: ArrayLike) -> Floats:
    """Gwet's AC1 of presence: (p_o - p_e) / (1 - p_e) with another p_e.

    Rule: p_e = 2 m (1 - m), m the mean of the shares of units that each marks: at most a half, and
    small for rare categories, where Cohen's nears 1.

    Args:
        counts: as `agreed_share`.

    Returns:
        (...) in [-1, 1], 1 = equal; 1 where neither marks a unit. NaN without a unit.

    Source: Gwet 2008, Computing inter-rater reliability and its variance in the presence of high
    agreement.

    >>> round(float(gwet_kernel([1, 3, 2, 44])), 4)  # (0.9 - 2 * 0.07 * 0.93) / (1 - 0.1302)
    0.885
    """
    both, second, first, neither = _cells(counts)
    size = both + second + first + neither
    marked = 2 * both + second + first
    # over 2 size squared
    chance = marked * (2 * size - marked)
    return _ratio(2 * size * (both + neither) - chance, 2 * size * size - chance)


def _cells(counts: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    table = np.asarray(counts, np.float64)
    return table[..., 0], table[..., 1], table[..., 2], table[..., 3]


def _ratio(above: Floats, below: Floats) -> Floats:
    share: Floats = np.divide(above, below, out=np.full(np.shape(below), np.nan), where=below > 0)
    return share
