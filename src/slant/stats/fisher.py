"""Fisher's combination of p-values, and how often it errs when they are not independent."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError, OptionError
from slant.stats.relabelling import relabelled
from slant.stats.resampling import generator
from slant.stats.shares import binomial_interval
from slant.types import Estimate, Floats

_SPLITS = 13_000
_CHUNK = 25


def fisher_combination(p: ArrayLike) -> float:
    """One p-value out of several *independent* ones: P(chi2 with 2k degrees >= -2 sum log p).

    Replicas of an embedding see the same corpus, so that their p-values are not independent and
    the combination finds too much: `fisher_false_positives` measures by how much. The permutation
    test of the association averaged over replicas is valid.

    Args:
        p: (k,) in [0, 1], k at least 1.

    Returns:
        In [0, 1]; 0 where a p is 0.
    Raises:
        OptionError: no p-value, or what is none.
    Source: Fisher 1934, section 21.1; Knoche et al. 2019, section 3.3.4.

    >>> round(fisher_combination([0.1, 0.1]), 6)  # 0.01 (1 - log 0.01)
    0.056052
    """
    from scipy.stats import chi2

    values = np.asarray(p, dtype=np.float64)
    if not values.size or not ((values >= 0) & (values <= 1)).all():
        raise OptionError(
            f"Combining {values.size} p-values", "one is none, or there is none",
            "Give values from 0 to 1",
        )  # fmt: skip
    if (values == 0).any():
        return 0.0
    return float(chi2.sf(-2 * np.log(values).sum(), 2 * values.size))


def replica_correlation(hx: ArrayLike, hy: ArrayLike) -> float:
    """How alike replicas are: the mean correlation of two replicas' associations within the sets.

    Args:
        hx, hy: (R, n) and (R, m) the associations of X and Y in each replica, R at least 2.

    Returns:
        In [-1, 1]: over pairs of replicas the mean Pearson correlation of h less its set's mean,
        so that the difference of the sets does not count as likeness. 0 where a replica is flat.
    Raises:
        DataError: fewer than two replicas.

    >>> replica_correlation([[1.0, 2.0], [2.0, 4.0]], [[0.0, 1.0], [5.0, 7.0]])
    1.0
    """
    parts = [np.asarray(h, dtype=np.float64) for h in (hx, hy)]
    if any(part.ndim != 2 or len(part) < 2 for part in parts):
        raise DataError("Correlating replicas", "there are fewer than two", "Give two or more")
    within = np.concatenate([part - part.mean(axis=1, keepdims=True) for part in parts], axis=1)
    length = np.linalg.norm(within, axis=1, keepdims=True)
    unit = np.divide(within, length, out=np.zeros_like(within), where=length > 0)
    alike = unit @ unit.T
    return float(np.clip(alike[np.triu_indices(len(unit), 1)].mean(), -1.0, 1.0))


def fisher_false_positives(
    replicas: int,
    correlation: float,
    sizes: tuple[int, int] = (8, 8),
    *,
    level: float = 0.05,
    simulations: int = 2_000,
    seed: int,
) -> Estimate:
    """How often Fisher's combination over replicas calls nothing something, by simulation.

    Per simulation, associations without any difference of X and Y: normal numbers that any two
    replicas share with the given correlation. Each replica gets its two-sided permutation p (all
    splits up to 13,000, else 13,000 random ones with (b + 1) / (m + 1)); the k p-values are
    combined, and the share of combinations below `level` is counted.

    Args:
        replicas: how many p-values are combined, 1 or more.
        correlation: of two replicas, in [0, 1].
        sizes: words of X and of Y.
        level: the nominal error.
        simulations: how many.
        seed: of the stream.

    Returns:
        The share in [0, 1] with its 95 % Clopper-Pearson interval. A valid test has at most
        `level`; discrete p-values can make it less.
    Raises:
        OptionError: numbers outside these ranges.
    Source: Fisher 1934, section 21.1.
    """
    from scipy.stats import chi2

    if replicas < 1 or not 0 <= correlation <= 1 or min(sizes) < 1 or simulations < 1:
        raise OptionError(
            "Simulating Fisher's combination",
            f"it has {replicas} replicas, correlation {correlation} and the sizes {sizes}",
            "Give 1 or more of each and a correlation from 0 to 1",
        )  # fmt: skip
    stream = generator(seed, ["fisher", str(replicas), str(sizes)])
    contrast, drawn = _contrast(sizes, stream)
    combined = np.empty(simulations)
    total = sum(sizes)
    for start in range(0, simulations, _CHUNK):
        number = min(_CHUNK, simulations - start)
        shared = stream.standard_normal((number, 1, total))
        own = stream.standard_normal((number, replicas, total))
        h = correlation**0.5 * shared + (1 - correlation) ** 0.5 * own
        apart = np.abs(h.reshape(-1, total) @ contrast.T)
        extreme = (apart >= apart[:, :1] - 1e-12 * total).sum(axis=1)
        # with random splits the observed one, the first column, is the added one of (b + 1)
        p = (extreme / apart.shape[1]).reshape(number, replicas)
        combined[start : start + number] = chi2.sf(-2 * np.log(p).sum(axis=1), 2 * replicas)
    wrong = int(np.count_nonzero(combined < level))
    low, high = binomial_interval(wrong, simulations)
    how = (
        f"share of {simulations} null simulations, {replicas} replicas correlated at "
        f"{correlation:.2f}, {'random' if drawn else 'all'} splits; Clopper-Pearson interval"
    )
    return Estimate(wrong / simulations, low, high, 0.95, simulations, how)


def _contrast(sizes: tuple[int, int], stream: np.random.Generator) -> tuple[Floats, bool]:
    # (splits, n + m): 1/n for the words that a split puts into X, -1/m for the others; the first
    # split is the observed one
    from itertools import combinations

    n, total = sizes[0], sum(sizes)
    drawn = comb(total, n) > _SPLITS
    if drawn:
        rest = np.concatenate(
            [block.T for block in relabelled(np.arange(total), n, _SPLITS, stream)]
        )
        chosen = np.concatenate([np.arange(n)[None], rest])
    else:
        chosen = np.array(list(combinations(range(total), n)))
    inside = np.zeros((len(chosen), total), dtype=bool)
    np.put_along_axis(inside, chosen, True, axis=1)
    return np.where(inside, 1 / n, -1 / sizes[1]), drawn
