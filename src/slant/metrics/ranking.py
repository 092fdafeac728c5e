"""Scores of an order: whether what is biased stands above what is not."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError
from slant.types import Array, Floats, Undefined


def auroc(gold: ArrayLike, probability: ArrayLike) -> float | Undefined:
    """The chance that a biased unit has a higher probability than one without bias.

    Ties count one half (mid-ranks).

    Args:
        gold: (units,) 0 or 1.
        probability: (units,) any real number that grows with bias.

    Returns:
        In [0, 1]; 1 = every biased unit above every other, 0.5 = no order, 0 = upside down.
        Undefined where gold has one class.

    >>> float(auroc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))  # pairs won: 3.5 of 4
    0.875
    """
    truth, values = np.asarray(gold), np.asarray(probability, dtype=np.float64)
    if not np.isfinite(values).all():
        raise DataError(
            "Ranking probabilities", f"{int((~np.isfinite(values)).sum())} are not numbers",
            "Leave out the units without a probability and say how many they are",
        )  # fmt: skip
    levels, place = np.unique(values, return_inverse=True)
    sides = [np.bincount(place[truth == y], minlength=levels.size) for y in (1, 0)]
    value = float(auroc_kernel(np.stack(sides, axis=-1)))
    if not np.isnan(value):
        return value
    return Undefined(f"AUROC needs both classes, and gold has {int(sides[0].sum())} biased units "
                     f"of {truth.size}")  # fmt: skip


def auroc_kernel(histogram: Array) -> Floats:
    """AUROC from how many units of each class stand at each distinct probability.

    Args:
        histogram: (..., values, 2): biased and not biased units per value, values ascending.

    Returns:
        (...) in [0, 1]; NaN where a class is empty.
    """
    cells = np.asarray(histogram, dtype=np.float64)
    biased, unbiased = cells[..., 0], cells[..., 1]
    below = np.cumsum(unbiased, axis=-1) - unbiased / 2
    won = (biased * below).sum(axis=-1)
    pairs = biased.sum(axis=-1) * unbiased.sum(axis=-1)
    share: Floats = np.divide(won, pairs, out=np.full(np.shape(pairs), np.nan), where=pairs > 0)
    return share
