"""Intervals: a score with how far it could be off.

All bootstrap intervals resample clusters within folds (see `resampling`). They hold what the test
items could have been, and nothing else: not other training data, other seeds (unless several are
given) or other data sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import OptionError
from slant.stats.resampling import Combine, Draws, Stratum, rank_draws, score_draws
from slant.types import Estimate, Floats, Kernel, Undefined

Method = Literal["percentile", "basic", "bias-corrected"]


def interval(draws: Draws, level: float, method: Method) -> Estimate:
    """The interval that the draws of a score give.

    "percentile": the (1 - level) / 2 and (1 + level) / 2 quantiles of the draws, interpolated
    linearly. "basic": the same reflected at the value, 2 value - quantile; it may leave the
    score's range. "bias-corrected": the quantiles Phi(2 z + Phi^-1((1 -+ level) / 2)), where
    Phi(z) is the share of draws below the value (ties count half): F1 over few units is lower in
    resamples than in the data, and in a trial with five folds of nine units the percentile
    interval held the true F1 in 87 %, this one in 94 %.

    Undefined draws are left out and their number stands in `method`. There is no interval where
    they are more than the tails can hold (a share above 1 - level), or where there are fewer than
    two clusters to draw from.

    Args:
        draws: of `score_draws`, `rank_draws` or `mean_draws`.
        level: share of such intervals that should hold the true score, in (0, 1).
        method: which interval.

    Returns:
        `n` is the number of clusters.
    Source: Efron and Tibshirani 1993, chapters 13 and 14.

    >>> estimate = interval(Draws(0.5, np.linspace(0, 1, 101), 9, 1), 0.9, "percentile")
    >>> round(estimate.low, 6), round(estimate.high, 6)
    (0.05, 0.95)
    """
    _check_level(level)
    defined = draws.draws[~np.isnan(draws.draws)]
    undefined = draws.draws.size - defined.size
    told = (
        f"{method} bootstrap, {draws.draws.size} resamples of {draws.clusters} clusters "
        f"in {draws.strata} strata"
    )
    if undefined:
        told += f", {undefined} undefined left out"
    if draws.clusters < 2 or undefined > (1 - level) * draws.draws.size:
        why = "too few clusters" if draws.clusters < 2 else "too many undefined"
        return Estimate(
            draws.value, None, None, level=level, n=draws.clusters, method=f"{told}: {why}"
        )
    tails = [(1 - level) / 2, (1 + level) / 2]
    if method == "bias-corrected":
        tails = _corrected(defined, draws.value, tails)
    low, high = np.quantile(defined, tails)
    if method == "basic":
        low, high = 2 * draws.value - high, 2 * draws.value - low
    return Estimate(
        draws.value, float(low), float(high), level=level, n=draws.clusters, method=told
    )


def bootstrap(
    strata: Sequence[Stratum],
    kernel: Kernel,
    *,
    combine: Combine,
    level: float,
    resamples: int,
    seed: int,
    names: Sequence[str],
    method: Method,
) -> Estimate | Undefined:
    """A score with its bootstrap interval.

    Args:
        strata: per fold the distinct rows of cluster counts and their multiplicity, as
            `slant.metrics.tallies.cluster_counts` gives them.
        kernel: a score on (..., groups, 4).
        combine, resamples, seed, names: as in `slant.stats.resampling.score_draws`.
        level, method: as in `interval`.

    Returns:
        The score on the data, its interval; undefined where the data give no score.

    >>> rows = np.array([[[1, 0, 0, 0]], [[0, 0, 1, 0]]])  # 60 units right, 40 wrong
    >>> share = lambda counts: (counts[..., 0] / counts.sum(axis=-1))[..., 0]
    >>> rules = {"level": 0.95, "resamples": 2000, "seed": 1, "names": ["doc"]}
    >>> found = bootstrap([(rows, np.array([60, 40]))], share, combine="mean",
    ...     method="percentile", **rules)
    >>> found.value, found.low, found.high  # 0.6 - and + 1.96 sqrt(0.24 / 100) = 0.096
    (0.6, 0.5, 0.69)
    """
    return bootstrap_many(
        strata, {"score": kernel}, combine=combine, level=level, resamples=resamples, seed=seed,
        names=names, method=method,
    )["score"]  # fmt: skip


def bootstrap_many(
    strata: Sequence[Stratum],
    kernels: Mapping[str, Kernel],
    *,
    combine: Combine,
    level: float,
    resamples: int,
    seed: int,
    names: Sequence[str],
    method: Method,
) -> dict[str, Estimate | Undefined]:
    """Several scores with their intervals from the same draws; arguments as in `bootstrap`."""
    draws = score_draws(
        strata, kernels, combine=combine, resamples=resamples, seed=seed, names=names
    )
    return {
        name: d if isinstance(d, Undefined) else interval(d, level, method)
        for name, d in draws.items()
    }


def bootstrap_auroc(
    folds: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike]],
    kernel: Kernel,
    *,
    level: float,
    resamples: int,
    seed: int,
    names: Sequence[str],
    method: Method,
    shared: bool = False,
) -> Estimate | Undefined:
    """The mean AUROC over folds with its bootstrap interval.

    Args:
        folds: per fold (gold, probability, cluster codes), each (units,).
        kernel: `slant.metrics.ranking.auroc_kernel`.
        level, method: as in `interval`; resamples, seed, names, shared as in `rank_draws`.
    """
    draws = rank_draws(folds, kernel, resamples=resamples, seed=seed, names=names, shared=shared)
    return draws if isinstance(draws, Undefined) else interval(draws, level, method)


def wilson(successes: int, n: int, level: float) -> Estimate | Undefined:
    """A share with Wilson's interval, for units that are independent.

    (p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)

    Args:
        successes: how many of n, 0 to n.
        n: units.
        level: in (0, 1).

    Returns:
        In [0, 1]; undefined for n = 0.
    Source: Wilson 1927.

    >>> estimate = wilson(9, 10, 0.95)
    >>> round(estimate.low, 4), round(estimate.high, 4)
    (0.5958, 0.9821)
    """
    _check_level(level)
    if not 0 <= successes <= n:
        raise OptionError(
            "Computing Wilson's interval", f"{successes} of {n} is no share",
            "Give successes from 0 to n",
        )  # fmt: skip
    if n == 0:
        return Undefined("0 of 0: there is nothing to count")
    z, p = NormalDist().inv_cdf((1 + level) / 2), successes / n
    middle = p + z * z / (2 * n)
    half = z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    low, high = ((middle + sign * half) / (1 + z * z / n) for sign in (-1, 1))
    # at the ends the formula gives 0 and 1 but for the last bit
    return Estimate(
        p, 0.0 if successes == 0 else low, 1.0 if successes == n else high,
        level=level, n=n, method="Wilson",
    )  # fmt: skip


def _corrected(draws: Floats, value: float, tails: Sequence[float]) -> list[float]:
    normal, edge = NormalDist(), 0.5 / draws.size
    below = float((np.sum(draws < value) + np.sum(draws == value) / 2) / draws.size)
    z = normal.inv_cdf(min(max(below, edge), 1 - edge))
    return [normal.cdf(2 * z + normal.inv_cdf(tail)) for tail in tails]


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise OptionError("Computing an interval", f"the level is {level}", "Give one in (0, 1)")
