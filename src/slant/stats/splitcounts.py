"""How many ways to choose n of N numbers have a sum of at least t: three exact counts.

A permutation of two samples is such a choice. Enumeration makes every sum (to about three
million); meet in the middle makes the sums of each half and counts pairs by bisection (to 22 and
22 numbers, 2e12 choices); the lattice count rounds the numbers to a grid, counts the choices of
each size and rounded sum by recursion, and brackets the true count by what the rounding can do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from slant.types import Array, Floats

ENUMERATED = 3_000_000
"""Most choices that are enumerated: C(24, 12) = 2,704,156."""

HALF = 1 << 22
"""Most sums of one half for meet in the middle: 22 numbers and all their choices."""

WIDEST = 200
"""Most numbers of a lattice count: beyond, its bracket is wider than Monte Carlo's error."""

_GRID = 1 << 20
_CELLS = 1 << 24


def enumerable(total: int, size: int) -> bool:
    """Whether all choices of `size` among `total` numbers can be enumerated.

    >>> enumerable(24, 12), enumerable(26, 13)
    (True, False)
    """
    return comb(total, size) <= ENUMERATED


def meetable(total: int, size: int) -> bool:
    """Whether the choices of each half are few enough to meet in the middle.

    >>> meetable(44, 22), meetable(46, 23), meetable(70, 4)
    (True, False, True)
    """
    return all(
        sum(comb(half, k) for k in _sizes(half, total - half, size)) <= HALF
        for half in (total // 2, total - total // 2)
    )


def latticed(total: int, size: int) -> bool:
    """Whether a lattice count is of use: at most `WIDEST` numbers.

    >>> latticed(50, 25), latticed(300, 150)
    (True, False)
    """
    return 0 < size < total <= WIDEST


def all_sums(values: Floats, size: int) -> Floats:
    """The sum of every choice of `size` numbers, in colexicographic order.

    Args:
        values: (N,).
        size: 0 to N.

    Returns:
        (C(N, size),).

    >>> all_sums(np.array([1.0, 2.0, 4.0]), 2).tolist()
    [3.0, 5.0, 6.0]
    """
    return _sums(values, size, values.size - size)[size]


def enumerated(values: Floats, size: int, thresholds: Sequence[float]) -> list[int]:
    """How many choices have a sum of at least each threshold, by making every sum.

    Args:
        values: (N,).
        size: how many are chosen.
        thresholds: numbers, in any order.

    >>> enumerated(np.array([1.0, 2.0, 4.0]), 2, [5, 7])
    [2, 0]
    """
    sums = all_sums(values, size)
    return [int(np.count_nonzero(sums >= t)) for t in thresholds]


def met(values: Floats, size: int, thresholds: Sequence[float]) -> list[int]:
    """How many choices have a sum of at least each threshold, by meeting in the middle.

    A choice is one of the first half's and one of the second half's, k and size - k numbers: for
    each k the sums of both are sorted, and for each of the first the second's are bisected.

    Args:
        values: (N,).
        size: how many are chosen.
        thresholds: numbers, in any order.
    Source: Horowitz and Sahni 1974.

    >>> met(np.array([1.0, 2.0, 4.0]), 2, [5, 7])
    [2, 0]
    """
    half = values.size // 2
    left, right = (_sums(part, size, part.size) for part in (values[:half], values[half:]))
    found = [0] * len(thresholds)
    for k in _sizes(half, values.size - half, size):
        asked, table = np.sort(left[k])[::-1], np.sort(right[size - k])
        for place, t in enumerate(thresholds):
            short = int(np.searchsorted(table, t - asked).sum())
            found[place] += asked.size * table.size - short
    return found


def lattice_shares(
    values: Floats, size: int, thresholds: Sequence[float], grid: int | None = None
) -> list[tuple[float, float]]:
    """Bounds on the share of choices with a sum of at least each threshold.

    With v = low + step q + e, q a whole number, a choice's sum is size low + step (sum of q) +
    (sum of e), and the last lies between the sums of the `size` smallest and largest e. The
    number of choices by sum of q is counted exactly, up to a relative 1e-10 that is in the bounds.

    Args:
        values: (N,).
        size: how many are chosen.
        thresholds: numbers, in any order.
        grid: steps of the grid over the range of the sums: the more, the narrower the bracket.
            By default a million, or fewer to keep the table of counts below 128 MB.

    Returns:
        (low, high) for each threshold, shares of all choices in [0, 1].

    >>> [(low, high)] = lattice_shares(np.array([1.0, 2.0, 4.0]), 2, [4.9])
    >>> round(low, 6), round(high, 6)
    (0.666667, 0.666667)
    """
    base = float(values.min())
    above = np.sort(values - base)
    reach = float(above[values.size - size :].sum())
    if reach == 0:
        return [(float(size * base >= t),) * 2 for t in thresholds]
    step = reach / (grid or min(_GRID, _CELLS // (size + 1)))
    whole = np.rint(above / step).astype(np.int64)
    left = np.sort(above - whole * step)
    least, most = float(left[:size].sum()), float(left[values.size - size :].sum())
    counts = _counts(whole, size)
    share = np.cumsum(counts[::-1])[::-1] / counts.sum()
    share = np.append(share, 0.0)
    slack = 1e-12 * (reach + size * abs(base))
    found = []
    for t in thresholds:
        need = t - size * base
        sure = int(np.clip(np.ceil((need - least + slack) / step), 0, share.size - 1))
        perhaps = int(np.clip(np.ceil((need - most - slack) / step), 0, share.size - 1))
        low, high = float(share[sure]), float(share[perhaps])
        found.append((low * (1 - 1e-10), min(1.0, high * (1 + 1e-10))))
    return found


def _counts(whole: Array, size: int) -> Floats:
    # [k, s]: choices of k numbers with sum s. Ascending numbers keep the reached sums short;
    # descending k lets one table hold the old and the new counts.
    total = whole.size
    top = np.concatenate([[0], np.cumsum(whole)])
    table = np.zeros((size + 1, int(whole[total - size :].sum()) + 1))
    table[0, 0] = 1.0
    for seen, q in enumerate(whole.tolist()):
        for k in range(min(seen + 1, size), max(1, size - (total - seen - 1)) - 1, -1):
            ends = int(top[seen] - top[seen - k + 1]) + 1
            table[k, q : q + ends] += table[k - 1, :ends]
    last: Floats = table[size]
    return last


def _sizes(half: int, other: int, size: int) -> range:
    return range(max(0, size - other), min(half, size) + 1)


def _sums(values: Floats, most: int, spare: int) -> list[Floats]:
    # sums of every choice of 0 to `most` numbers, each in colexicographic order, where a choice of
    # k numbers need not look past the first k + spare
    sizes = range(min(most, values.size) + 1)
    sums = [np.zeros(comb(min(k + spare, values.size), k)) for k in sizes]
    for i, value in enumerate(values.tolist()):
        for k in sizes[1 : i + 2]:
            if i < k + spare:
                own = slice(comb(i, k), comb(i + 1, k))
                np.add(sums[k - 1][: comb(i, k - 1)], value, out=sums[k][own])
    return sums
