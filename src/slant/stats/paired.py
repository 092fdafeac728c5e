"""Tests of two conditions on the same units: the t test of differences, and signs exchanged.

A unit (an article) has one number under each condition. The t test takes the differences for a
sample of a normal law; the sign-flip test only holds that, if the conditions did not differ, each
unit's two numbers could have changed places. It counts every exchange where it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError, OptionError
from slant.stats.permutations import TIE
from slant.stats.resampling import generator
from slant.stats.shares import binomial_interval
from slant.types import Array, Estimate, Floats, Undefined

Signs = Literal["enumeration", "meet-in-the-middle", "monte-carlo"]

ENUMERATED = 20
"""Units that differ, up to which every exchange is made: 2^19 sums, as the mirrored ones follow."""
MET = 36
"""Units that differ, up to which two halves of 2^18 exchanges meet in the middle."""
_BLOCK = 1 << 13
_ALIKE = 1e-12


@dataclass(frozen=True, slots=True)
class PairedT:
    """How two conditions differ on the same units.

    Fields:
        n: units.
        difference: the mean of first - second.
        low, high: its t interval; None where there is none.
        t: the statistic; None where it is 0/0 or infinite.
        p: two-sided; None where there is no test.
        why: there is no statistic; "" where there is.
        better, worse, equal: units on which the first is higher, lower, the same.
    """

    n: int
    difference: float
    low: float | None
    high: float | None
    t: float | None
    p: float | None
    why: str
    better: int
    worse: int
    equal: int


@dataclass(frozen=True, slots=True)
class Flipped:
    """The outcome of a sign-flip test.

    Fields:
        p: two-sided, exact, or (b + 1) / (m + 1) for Monte Carlo.
        low, high: p itself where it is exact, else the exact 95 % interval of b / m.
        method: how exchanges were counted.
        differing: units whose difference is not 0; the others' signs change nothing.
    """

    p: float
    low: float
    high: float
    method: Signs
    differing: int


def paired_t(first: ArrayLike, second: ArrayLike, *, level: float) -> PairedT:
    """The two-sided paired t test, with the t interval of the mean difference.

    t = mean(d) / (s / sqrt(n)) with n - 1 degrees of freedom, d = first - second and s their
    standard deviation with n - 1. Where all differences are 0, p = 1 and the interval is [0, 0].
    Where all are one other number, t is infinite: such units tell nothing of how far a difference
    scatters, and there is no test.

    Args:
        first, second: (n,) finite numbers, unit by unit.
        level: of the interval, in (0, 1).

    Returns:
        See `PairedT`; p is in [0, 1].
    Raises:
        DataError: other shapes, no unit, or what is no finite number.
    Source: Student 1908.

    >>> test = paired_t([3, 4, 5], [1, 3, 2], level=0.95)  # d = 2, 1, 3: 2 / (1 / sqrt(3))
    >>> round(test.t, 4), round(test.p, 4), (test.better, test.worse)
    (3.4641, 0.0742, (3, 0))
    >>> paired_t([1, 2], [1, 2], level=0.95).p
    1.0
    """
    found = _differences(first, second)
    n, mean = found.size, float(found.mean())
    up, down = int((found > _ALIKE).sum()), int((found < -_ALIKE).sum())
    counts = (up, down, n - up - down)
    if up + down == 0:
        return PairedT(n, 0.0, 0.0, 0.0, None, 1.0, "the two are the same on every unit", *counts)
    if n == 1:
        return PairedT(n, mean, None, None, None, None, "there is one unit only", *counts)
    if float(np.abs(found - mean).max()) <= _ALIKE:
        why = "the difference is the same on every unit"
        return PairedT(n, mean, None, None, None, None, why, *counts)
    from scipy.stats import t as student

    error = float(found.std(ddof=1)) / sqrt(n)
    half = float(student.ppf((1 + level) / 2, n - 1)) * error
    p = float(2 * student.sf(abs(mean) / error, n - 1))
    return PairedT(n, mean, mean - half, mean + half, mean / error, min(1.0, p), "", *counts)


def mean_interval(values: ArrayLike, *, level: float) -> Estimate | Undefined:
    """The mean over units with its t interval.

    Args:
        values: (n,) finite numbers.
        level: in (0, 1).

    Returns:
        mean -+ t s / sqrt(n); without ends for one unit; undefined for none.

    >>> found = mean_interval([0.0, 1.0, 1.0, 0.0], level=0.95)
    >>> round(found.low, 4), round(found.high, 4)  # 0.5 -+ 3.1824 x 0.57735 / 2
    (-0.4187, 1.4187)
    """
    own = np.asarray(values, dtype=np.float64)
    if not own.size:
        return Undefined("there is no unit")
    mean, low, high = float(own.mean()), None, None
    if own.size > 1:
        from scipy.stats import t as student

        half = float(student.ppf((1 + level) / 2, own.size - 1) * own.std(ddof=1)) / sqrt(own.size)
        low, high = mean - half, mean + half
    return Estimate(mean, low, high, level=level, n=own.size, method="t")


def sign_flip_test(
    differences: ArrayLike, *, permutations: int, seed: int, names: Sequence[str] = ()
) -> Flipped:
    """Whether paired differences could have had other signs: p of their mean.

    Two-sided p is the share of the 2^n choices of signs whose |sum| is at least the observed one.
    Sums that rounding alone could tell apart count as equal. Units without a difference change
    nothing and are left out of the counting.

    Args:
        differences: (n,) finite numbers.
        permutations, seed, names: as in `sign_flip_tests`.

    Returns:
        See `Flipped`; p is 1 where all differences are 0.
    Source: Fisher 1935, section 21; Phipson and Smyth 2010 for Monte Carlo.

    >>> sign_flip_test([1, 2, 3], permutations=99, seed=1).p  # +++ and --- of 8
    0.25
    """
    rows = np.asarray(differences, dtype=np.float64)[None]
    return sign_flip_tests(rows, permutations=permutations, seed=seed, names=names)[0]


def sign_flip_tests(
    differences: ArrayLike, *, permutations: int, seed: int, names: Sequence[str] = ()
) -> list[Flipped]:
    """The sign-flip tests of many rows of differences over the same units.

    Up to `ENUMERATED` differing units all signs are made, up to `MET` they meet in the middle;
    beyond, signs are drawn, once for all rows, so that a row has the p it has alone.

    Args:
        differences: (T, n) finite numbers.
        permutations: how many choices of signs are drawn for Monte Carlo.
        seed, names: of their stream; see `resampling.generator`.

    Returns:
        T outcomes, in order.
    Raises:
        DataError: no unit, or what is no finite number. OptionError: no permutations.
    """
    rows = np.asarray(differences, dtype=np.float64)
    if rows.ndim != 2 or (len(rows) and not rows.shape[1]) or not np.isfinite(rows).all():
        raise DataError(
            "Exchanging signs", f"the differences have the shape {rows.shape} or hold what is no "
            "finite number", "Give one finite number for each unit",
        )  # fmt: skip
    if permutations < 1:
        raise OptionError("Exchanging signs", f"{permutations} were asked for", "Give 1 or more")
    sizes = [np.abs(row[np.abs(row) > _ALIKE]) for row in rows]
    found: dict[int, Flipped] = {}
    for place, own in enumerate(sizes):
        if own.size <= MET:
            found[place] = _counted(own, float(rows[place].sum()))
    drawn = [place for place in range(len(rows)) if place not in found]
    if drawn:
        stream = generator(seed, ["sign flips", *names])
        for place, number in zip(
            drawn, _drawn_extreme(rows[drawn], permutations, stream).tolist(), strict=True
        ):
            p = (number + 1) / (permutations + 1)
            low, high = binomial_interval(number, permutations)
            found[place] = Flipped(
                p, min(low, p), max(high, p), "monte-carlo", sizes[place].size
            )  # fmt: skip
    return [found[place] for place in range(len(rows))]


def _counted(sizes: Floats, observed: float) -> Flipped:
    # sizes: |differences| that are not 0; signs of |d| and of d run over the same sums
    n, near = sizes.size, TIE * float(sizes.sum())
    method: Signs = "enumeration" if n <= ENUMERATED else "meet-in-the-middle"
    bound = abs(observed) - near
    if bound <= 0:
        return Flipped(1.0, 1.0, 1.0, method, n)
    # every choice has its mirror image: those with a sum of at least the bound, twice
    if method == "enumeration":
        # the first sign is held at +; its mirror images are the sums with -
        sums = sizes[0] + signed_sums(sizes[1:])
        number = int((sums >= bound).sum() + (-sums >= bound).sum())
        p = 2 * number / 2**n
    else:
        left, right = signed_sums(sizes[: n // 2]), np.sort(signed_sums(sizes[n // 2 :]))
        short = int(np.searchsorted(right, bound - np.sort(left)[::-1]).sum())
        p = 2 * (left.size * right.size - short) / 2**n
    p = min(1.0, p)
    return Flipped(p, p, p, method, n)


def signed_sums(sizes: Floats) -> Floats:
    """The sum of numbers under every choice of their signs.

    Args:
        sizes: (n,).

    Returns:
        (2^n,).

    >>> sorted(signed_sums(np.array([1.0, 2.0])).tolist())
    [-3.0, -1.0, 1.0, 3.0]
    """
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.add.outer(sums, [-size, size]).ravel()
    return sums


def _drawn_extreme(rows: Floats, permutations: int, stream: np.random.Generator) -> Array:
    # (T,) how many drawn choices of signs are at least as extreme as the observed one
    near = TIE * np.abs(rows).sum(axis=1)
    bounds = np.abs(rows.sum(axis=1)) - near
    extreme = np.zeros(len(rows), dtype=np.int64)
    for start in range(0, permutations, _BLOCK):
        size = (min(_BLOCK, permutations - start), rows.shape[1])
        signs = 1.0 - 2.0 * stream.integers(0, 2, size=size)
        extreme += (np.abs(signs @ rows.T) >= bounds).sum(axis=0)
    return extreme


def _differences(first: ArrayLike, second: ArrayLike) -> Floats:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    asked = "Comparing two conditions on the same units"
    if one.ndim != 1 or one.shape != other.shape or not one.size:
        found = f"they have the shapes {one.shape} and {other.shape}"
        raise DataError(asked, found, "Give one number for each unit and condition")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise DataError(asked, "one holds what is no finite number", "Give numbers")
    return np.asarray(one - other)
