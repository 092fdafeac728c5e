"""Tests of two systems on the same items.

A pair's counts are one table per fold: axis 1 holds system A and system B (and, after it, blocks
where there are several seeds), so that every draw has the same clusters for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from slant.errors import DataError, OptionError
from slant.stats.intervals import Method, interval
from slant.stats.resampling import (
    Combine,
    Draws,
    Stratum,
    combined,
    generator,
    resampled_counts,
)
from slant.types import Array, Estimate, Floats, Kernel, Test, Undefined

TIE = 1e-12
"""Two differences of scores nearer than this are the same: sums in another order differ by less."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Difference:
    """How two systems compare on one task.

    Fields:
        a, b: their scores.
        estimate: a - b with its paired bootstrap interval.
        test: whether a - b could be zero.
    """

    a: float
    b: float
    estimate: Estimate
    test: Test


def paired_bootstrap(
    strata: Sequence[Stratum],
    kernel: Kernel,
    *,
    combine: Combine,
    level: float,
    resamples: int,
    seed: int,
    names: Sequence[str],
    method: Method,
) -> Difference | Undefined:
    """The difference of two systems' scores, A - B, over the same resampled clusters.

    p = min(1, 2 (1 + min(draws <= 0, draws >= 0)) / (m + 1)) over the m draws that are defined,
    two-sided: it is below 1 - level where the percentile interval leaves 0 out. A draw nearer to
    0 than `TIE` counts on both sides, so that a system against itself has p = 1.

    Args:
        strata: per fold the joint distinct rows (D, 2, [blocks,] groups, 4) and multiplicity, as
            `slant.metrics.tallies.joint_cluster_counts([a, b])` gives them.
        kernel: a score on (..., groups, 4).
        combine: as in `slant.stats.resampling.score_draws`.
        level, method: as in `slant.stats.intervals.interval`.
        resamples, seed, names: as in `slant.stats.resampling.score_draws`.

    Returns:
        Scores, difference with its interval, and test; undefined where a score is.
    Source: Efron and Tibshirani 1993, chapters 13 and 15.
    """
    _check_number(resamples)
    tables = _pairs(strata)
    if not tables:
        return Undefined("there is no fold")
    a, b = _both(_totals(tables), kernel, combine)
    if np.isnan(a[0]) or np.isnan(b[0]):
        return Undefined(f"the score of system {'A' if np.isnan(a[0]) else 'B'} is undefined (0/0)")
    stream = generator(seed, names)
    drawn = [resampled_counts(rows, number, resamples, stream) for rows, number in tables]
    above, below = _both(drawn, kernel, combine)
    clusters = int(sum(number.sum() for _, number in tables))
    draws = Draws(float(a[0] - b[0]), above - below, clusters, len(tables))
    estimate = interval(draws, level, method)
    defined = draws.draws[~np.isnan(draws.draws)]
    tail = min(int((defined <= TIE).sum()), int((defined >= -TIE).sum()))
    p = min(1.0, 2 * (1 + tail) / (defined.size + 1))
    test = Test("paired bootstrap", draws.value, p, clusters, estimate.method)
    return Difference(float(a[0]), float(b[0]), estimate, test)


def randomisation_test(
    strata: Sequence[Stratum],
    kernel: Kernel,
    *,
    combine: Combine,
    permutations: int,
    seed: int,
    names: Sequence[str],
) -> Test | Undefined:
    """Whether two systems could have changed places on any cluster: approximate randomisation.

    Under the null hypothesis A's and B's outputs on a cluster are exchangeable. Each permutation
    exchanges them on every cluster with chance one half; for a distinct row that m clusters
    have, the number exchanged is binomial(m, 1/2). p = (b + 1) / (permutations + 1), where b
    counts |difference| >= |observed|, two-sided; one that is smaller by less than `TIE` counts,
    and so does a permutation without a score.

    Args:
        strata, kernel, combine: as in `paired_bootstrap`.
        permutations: how many.
        seed, names: as in `slant.stats.resampling.generator`.

    Returns:
        `statistic` is A - B, `n` the number of clusters; undefined where a score is.
    Source: Noreen 1989; Yeh 2000.
    """
    _check_number(permutations)
    tables = _pairs(strata)
    if not tables:
        return Undefined("there is no fold")
    observed = _totals(tables)
    a, b = _both(observed, kernel, combine)
    if np.isnan(a[0]) or np.isnan(b[0]):
        return Undefined(f"the score of system {'A' if np.isnan(a[0]) else 'B'} is undefined (0/0)")
    stream = generator(seed, names)
    swapped = [
        total + _exchanged(rows, number, permutations, stream)
        for total, (rows, number) in zip(observed, tables, strict=True)
    ]
    above, below = _both(swapped, kernel, combine)
    difference, value = np.abs(above - below), float(a[0] - b[0])
    extreme = int((np.isnan(difference) | (difference >= abs(value) - TIE)).sum())
    clusters = int(sum(number.sum() for _, number in tables))
    told = (
        f"approximate randomisation, {permutations} permutations of {clusters} clusters "
        f"in {len(tables)} strata"
    )
    return Test("randomisation", value, (extreme + 1) / (permutations + 1), clusters, told)


def mcnemar(only_a: int, only_b: int) -> Test:
    """Whether two systems are right equally often, for units that are independent.

    Exact and two-sided: 2 P(X <= min), at most 1, with X binomial(only_a + only_b, 1/2).

    Args:
        only_a: units on which A alone is right.
        only_b: units on which B alone is right.

    Returns:
        `statistic` is only_a - only_b; p = 1 where no unit tells them apart. In clustered data
        (sentences of one article) it finds too much: take `randomisation_test`.
    Source: McNemar 1947, in its exact form.

    >>> mcnemar(1, 5).p  # 2 (1 + 6) / 2**6
    0.21875
    """
    from scipy.stats import binom

    if min(only_a, only_b) < 0:
        raise OptionError(
            "McNemar's test", f"a count is {min(only_a, only_b)}", "Give counts of 0 or more"
        )
    n = only_a + only_b
    p = min(1.0, 2 * float(binom.cdf(min(only_a, only_b), n, 0.5)))
    return Test("McNemar", float(only_a - only_b), p, n, "exact, on discordant units")


def _pairs(strata: Sequence[Stratum]) -> list[tuple[Array, Array]]:
    # (D, 2, blocks, groups, 4); both systems must have been asked the same
    pairs = []
    for distinct, number in strata:
        table = np.asarray(distinct)
        if table.ndim not in (4, 5) or table.shape[1] != 2 or table.shape[-1] != 4:
            raise DataError(
                "Comparing two systems", f"a table has the shape {table.shape}",
                "Give (rows, 2, groups, 4) or (rows, 2, blocks, groups, 4)",
            )  # fmt: skip
        table = table if table.ndim == 5 else table[:, :, None]
        biased, unbiased = table[..., 0] + table[..., 2], table[..., 1] + table[..., 3]
        if (biased[:, 0] != biased[:, 1]).any() or (unbiased[:, 0] != unbiased[:, 1]).any():
            raise DataError(
                "Comparing two systems", "their test items or gold labels differ",
                "Compare runs of one task, preset, data and seed",
            )  # fmt: skip
        pairs.append((table, np.asarray(number)))
    return pairs


def _totals(tables: Sequence[tuple[Array, Array]]) -> list[Array]:
    return [np.tensordot(number, rows, axes=1)[None] for rows, number in tables]


def _both(counts: Sequence[Array], kernel: Kernel, combine: Combine) -> tuple[Floats, Floats]:
    a, b = (combined([table[:, s] for table in counts], kernel, combine) for s in (0, 1))
    return a, b


def _exchanged(
    rows: Array, multiplicity: Array, permutations: int, stream: np.random.Generator
) -> Array:
    # what the exchange adds to the counts of A and B: (permutations, 2, blocks, groups, 4)
    change = (rows[:, 1] - rows[:, 0]).reshape(-1, prod(rows.shape[2:]))
    tell = change.any(axis=1)
    change, number = change[tell].astype(np.float64), multiplicity[tell]
    moved = np.zeros((permutations, change.shape[1]), dtype=np.int64)
    step = max(1, _BLOCK // max(1, number.size))
    for start in range(0, permutations, step):
        stop = min(start + step, permutations)
        flips = stream.binomial(number, 0.5, size=(stop - start, number.size))
        moved[start:stop] = flips.astype(np.float64) @ change
    moved = moved.reshape(permutations, *rows.shape[2:])
    return np.stack([moved, -moved], axis=1)


def _check_number(number: int) -> None:
    if number < 1:
        raise OptionError(
            "Comparing two systems", f"{number} draws were asked for", "Give 1 or more"
        )
