"""The permutation test of two samples of numbers: exact where it can be, else Monte Carlo.

The statistic is the difference of means under every split of all numbers into sets of the same
sizes. With equal sizes that is the difference of sums; with unequal sizes the difference of sums
would move with a constant added to all numbers, the difference of means does not. For numbers
less their common mean, both are proportional to the sum over the smaller set, so that the test
counts choices by their sum (`slant.stats.splitcounts`).

Two-sided p is the share of splits with |difference| at least the observed one's: exchanging X and
Y leaves it. Sums that rounding alone could tell apart count as equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, nextafter
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError, OptionError
from slant.stats.relabelling import relabelled, relabelled_sums
from slant.stats.resampling import generator
from slant.stats.shares import binomial_interval
from slant.stats.splitcounts import (
    enumerable,
    enumerated,
    lattice_shares,
    latticed,
    meetable,
    met,
)
from slant.types import Array, Floats

Alternative = Literal["two-sided", "greater", "less"]
Counting = Literal["enumeration", "meet-in-the-middle", "lattice", "monte-carlo"]

TIE = 1e-12
"""Two sums are equal where they differ by less than this share of the sum of all |numbers|."""

_FEASIBLE: dict[Counting, Callable[[int, int], bool]] = {
    "enumeration": enumerable,
    "meet-in-the-middle": meetable,
    "lattice": latticed,
}
_LAST: Counting = "monte-carlo"


@dataclass(frozen=True, slots=True)
class Permuted:
    """The outcome of a permutation test.

    Fields:
        p: in [0, 1]; the upper bound for a lattice count, (b + 1) / (m + 1) for Monte Carlo.
        low, high: p itself where it is exact, the bracket that holds it for a lattice count, the
            exact (Clopper-Pearson) 95 % interval of b / m for Monte Carlo.
        method: how splits were counted.
        smallest: the smallest p that sets of these sizes can reach by this method, if no numbers
            are equal: one split (two, two-sided with equal sizes) of all, 0 if strict, and with
            Monte Carlo not below 1 / (m + 1).
        splits: how many different splits there are.
        error: Monte Carlo's standard error of p, else None.
        ties: how many splits (of the drawn ones, with Monte Carlo) equal the observed one, which
            is itself one of them if not drawn; None for a lattice count.
        tolerance: sums over the smaller set that differ by no more count as equal.
    """

    p: float
    low: float
    high: float
    method: Counting
    smallest: float
    splits: int
    error: float | None
    ties: int | None
    tolerance: float


@dataclass(frozen=True, slots=True)
class _Sums:
    # centred numbers, of which `size` are chosen, and the thresholds of a choice's sum
    values: Floats
    size: int
    splits: int
    mirrored: bool
    weak: float
    strong: float
    tolerance: float
    two_sided: bool


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: Counting | Literal["auto"] = "auto",
    strict: bool = False,
    permutations: int = 1_000_000,
    seed: int,
    names: Sequence[str] = (),
    tolerance: float = TIE,
) -> Permuted:
    """Whether two samples could have changed labels: p of their difference of means.

    Args:
        x, y: (n,) and (m,) finite numbers, n and m at least 1. For several replicas: their mean.
        alternative: "greater" asks whether the mean of x is the larger one.
        method: "auto" takes the first that is feasible: enumeration (3 million splits), meet in
            the middle (22 a set), lattice (100 a set), Monte Carlo.
        strict: count splits that are strictly more extreme than the observed one (as the papers'
            programs do; p can be 0) instead of at least as extreme.
        permutations: how many are drawn for Monte Carlo, repeats possible.
        seed, names: of Monte Carlo's stream; see `resampling.generator`.
        tolerance: share of the sum of all |numbers| below which two sums are equal.

    Returns:
        See `Permuted`. p is 1 where the means are equal, unless strict.
    Raises:
        DataError: an empty sample, or what is no finite number.
        OptionError: a method that is not feasible for these sizes; no permutations.
    Source: Caliskan, Bryson and Narayanan 2017 (one-sided, strict); Phipson and Smyth 2010 for
        Monte Carlo.

    >>> permutation_test([3, 4], [1, 2], seed=0).p  # 2 of the 6 splits: {3, 4} and {1, 2} first
    0.3333333333333333
    >>> permutation_test([3, 4], [1, 2], alternative="greater", strict=True, seed=0).p
    0.0
    """
    sums = _prepared(x, y, alternative, tolerance)
    chosen = _chosen(method, sums)
    if chosen != "monte-carlo":
        return _counted(sums, chosen, strict)
    stream = generator(seed, ["permutation", *names])
    blocks = relabelled(sums.values, sums.size, permutations, stream)
    counts: Array = sum(_drawn_extreme([sums], block.sum(axis=0)[None]) for block in blocks)  # type: ignore[assignment]
    return _estimated(sums, counts[0].tolist(), permutations, strict)


def permuted_many(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: Counting | Literal["auto"] = "auto",
    strict: bool = False,
    permutations: int = 1_000_000,
    seed: int,
    names: Sequence[str] = (),
    tolerance: float = TIE,
) -> list[Permuted]:
    """The permutation tests of many pairs of samples that share their labels.

    Exact methods count each test alone. Monte Carlo draws the splits once for all, and sums every
    test over them by one matrix product; a test has the p that `permutation_test` gives it alone.

    Args:
        x, y: (T, n) and (T, m): row t holds the two samples of test t, column i the same unit.
        alternative, method, strict, permutations, seed, names, tolerance: as `permutation_test`.

    Returns:
        T outcomes, in order.
    Raises:
        DataError, OptionError: as `permutation_test`.

    >>> [test.p for test in permuted_many([[3, 4], [1, 4]], [[1, 2], [2, 3]], seed=0)]
    [0.3333333333333333, 1.0]
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    tests = [_prepared(*pair, alternative, tolerance) for pair in zip(first, second, strict=True)]
    if not tests:
        return []
    chosen = _chosen(method, tests[0])
    if chosen != "monte-carlo":
        return [_counted(test, chosen, strict) for test in tests]
    stream = generator(seed, ["permutation", *names])
    values = np.stack([test.values for test in tests])
    blocks = relabelled_sums(values, tests[0].size, permutations, stream)
    counts: Array = sum(_drawn_extreme(tests, block) for block in blocks)  # type: ignore[assignment]
    return [
        _estimated(test, row, permutations, strict)
        for test, row in zip(tests, counts.tolist(), strict=True)
    ]


def _prepared(x: ArrayLike, y: ArrayLike, alternative: Alternative, tolerance: float) -> _Sums:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    asked = "Permuting two samples"
    for name, sample in (("first", first), ("second", second)):
        if sample.ndim != 1 or not sample.size:
            raise DataError(
                asked, f"the {name} has the shape {sample.shape}", "Give one or more numbers"
            )
        if not np.isfinite(sample).all():
            raise DataError(asked, f"the {name} holds what is no finite number", "Give numbers")
    if alternative not in get_args(Alternative):
        raise OptionError(
            asked, f"the alternative is '{alternative}'", "Give two-sided, greater or less"
        )
    swapped = first.size > second.size
    pooled = np.concatenate([second, first] if swapped else [first, second])
    size = min(first.size, second.size)
    sign = -1.0 if swapped != (alternative == "less") else 1.0
    values = sign * (pooled - pooled.mean())
    near = tolerance * float(np.abs(pooled).sum())
    observed = float(values[:size].sum())
    two_sided = alternative == "two-sided"
    bound = abs(observed) if two_sided else observed
    return _Sums(
        values, size, comb(pooled.size, size), 2 * size == pooled.size,
        bound - near, nextafter(bound + near, np.inf), near, two_sided,
    )  # fmt: skip


def _chosen(method: Counting | Literal["auto"], sums: _Sums) -> Counting:
    total = sums.values.size
    if method == "auto":
        return next((name for name in _FEASIBLE if _FEASIBLE[name](total, sums.size)), _LAST)
    asked = f"Permuting {sums.size} and {total - sums.size} numbers by '{method}'"
    if method not in get_args(Counting):
        raise OptionError(
            asked, "there is no such method", f"Give {', '.join(_FEASIBLE)}, monte-carlo"
        )
    if method != "monte-carlo" and not _FEASIBLE[method](total, sums.size):
        raise OptionError(asked, f"there are {sums.splits:,} splits, too many", "Give auto")
    return method


def _counted(sums: _Sums, method: Counting, strict: bool) -> Permuted:
    if method == "lattice":
        return _bracketed(sums, strict)
    count = enumerated if method == "enumeration" else met
    weak, strong = _extreme(sums, lambda t: count(sums.values, sums.size, t))
    number = strong if strict else weak
    p = number / sums.splits
    return Permuted(
        p, p, p, method, _smallest(sums, strict), sums.splits, None, weak - strong, sums.tolerance
    )


def _extreme(sums: _Sums, count: Callable[[list[float]], list[int]]) -> tuple[int, int]:
    # splits at least as extreme as the observed one, and strictly more extreme ones
    thresholds = [sums.weak, sums.strong]
    if not sums.two_sided:
        weak, strong = count(thresholds)
        return weak, strong
    if sums.mirrored:
        # the complement of a choice has its sum with the other sign
        weak, strong = (2 * number for number in count(thresholds))
    else:
        below = [nextafter(-t, np.inf) for t in thresholds]
        upper, above, not_lower, not_below = count([*thresholds, *below])
        weak = upper + sums.splits - not_lower
        strong = above + sums.splits - not_below
    return (sums.splits if sums.weak <= 0 else weak), strong


def _bracketed(sums: _Sums, strict: bool) -> Permuted:
    t = sums.strong if strict else sums.weak
    ((low, high),) = lattice_shares(sums.values, sums.size, [t])
    if sums.two_sided:
        if sums.mirrored:
            low, high = 2 * low, 2 * high
        else:
            ((other_low, other_high),) = lattice_shares(-sums.values, sums.size, [t])
            low, high = low + other_low, high + other_high
        if t <= 0:
            low = high = 1.0
    smallest = _smallest(sums, strict)
    low, high = min(1.0, max(low, smallest)), min(1.0, max(high, smallest))
    return Permuted(high, low, high, "lattice", smallest, sums.splits, None, None, sums.tolerance)


def _drawn_extreme(tests: Sequence[_Sums], drawn: Floats) -> Array:
    # (T, block) sums -> (T, 2) how many are at least as extreme, and strictly more extreme
    size = np.abs(drawn) if tests[0].two_sided else drawn
    bounds = np.array([[test.weak, test.strong] for test in tests])
    counts: Array = np.count_nonzero(size[:, None] >= bounds[..., None], axis=-1)
    return counts


def _estimated(sums: _Sums, counts: Sequence[int], m: int, strict: bool) -> Permuted:
    weak, strong = counts
    number = strong if strict else weak
    p = (number + 1) / (m + 1)
    low, high = binomial_interval(number, m)
    smallest = max(_smallest(sums, strict), 1 / (m + 1))
    error = (p * (1 - p) / m) ** 0.5
    return Permuted(
        p, min(low, p), max(high, p), "monte-carlo", smallest, sums.splits, error, weak - strong,
        sums.tolerance,
    )  # fmt: skip


def _smallest(sums: _Sums, strict: bool) -> float:
    if strict:
        return 0.0
    return (2 if sums.two_sided and sums.mirrored else 1) / sums.splits
