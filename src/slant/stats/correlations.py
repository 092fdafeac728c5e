"""The weighted correlation of two quantities, with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError
from slant.stats.resampling import generator
from slant.types import Estimate, Floats, Undefined

_BLOCK = 1 << 20


def weighted_correlation(
    x: ArrayLike,
    y: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int,
    names: Sequence[str] = (),
) -> Estimate | Undefined:
    """How linearly two quantities of the same units go together: weighted Pearson's r.

    r = cov_w(x, y) / sqrt(cov_w(x, x) cov_w(y, y)), every mean weighted. The interval is the
    percentile bootstrap over units, which keep their weights; Fisher's z would take n units of
    equal weight for granted.

    Args:
        x, y: (n,) finite numbers.
        weights: (n,) 0 or more, not all 0; equal ones if None.
        level: of the interval.
        resamples: how many samples of n units are drawn.
        seed, names: of the stream; see `resampling.generator`.

    Returns:
        r in [-1, 1] with its interval; undefined with fewer than 3 units of positive weight, or
        where x or y is the same for all of them. Resamples without spread are left out.
    Raises:
        DataError: lengths that differ, a negative weight, what is no finite number.
    Source: Caliskan, Bryson and Narayanan 2017 (correlation with an outside quantity).

    >>> weighted_correlation([1, 2, 3, 9], [2, 4, 6, 0], [1, 1, 1, 0], seed=0).value
    1.0
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    given = np.ones(first.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    asked = "Correlating two quantities"
    if not first.shape == second.shape == given.shape or first.ndim != 1:
        raise DataError(
            asked, f"their shapes are {first.shape}, {second.shape}, {given.shape} (weights)",
            "Give one number and weight for each unit",
        )  # fmt: skip
    if not np.isfinite([first, second, given]).all() or (given < 0).any():
        raise DataError(asked, "a number is not finite or a weight negative", "Leave this unit out")
    kept = given > 0
    first, second, given = first[kept], second[kept], given[kept]
    if first.size < 3:
        return Undefined(f"{first.size} units have a weight above 0: a correlation needs 3")
    value = float(_correlations(first, second, given[None])[0])
    if np.isnan(value):
        return Undefined("one of the quantities is the same for all units")
    stream = generator(seed, ["correlation", *names])
    draws = np.empty(resamples)
    step = max(1, _BLOCK // first.size)
    equal = np.full(first.size, 1 / first.size)
    for start in range(0, resamples, step):
        number = min(step, resamples - start)
        often = stream.multinomial(first.size, equal, size=number)
        draws[start : start + number] = _correlations(first, second, often * given)
    draws = draws[~np.isnan(draws)]
    tail = (1 - level) / 2
    low, high = (float(end) for end in np.quantile(draws, [tail, 1 - tail]))
    how = f"percentile bootstrap over {first.size} units, {draws.size} resamples"
    return Estimate(value, low, high, level, first.size, how)


def _correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    # (r, n) weights -> (r,), NaN where a quantity has no spread
    share = weights / weights.sum(axis=1, keepdims=True)
    x, y = x - x.mean(), y - y.mean()
    mean_x, mean_y = share @ x, share @ y
    across = share @ (x * y) - mean_x * mean_y
    var_x, var_y = share @ x**2 - mean_x**2, share @ y**2 - mean_y**2
    flat = (var_x <= 1e-12 * np.max(x**2)) | (var_y <= 1e-12 * np.max(y**2))
    below = np.sqrt(np.maximum(var_x * var_y, 0.0))
    r = np.divide(across, below, out=np.full(len(share), np.nan), where=~flat)
    bounded: Floats = np.clip(r, -1.0, 1.0)
    return bounded
