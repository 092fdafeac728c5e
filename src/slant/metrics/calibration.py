"""Whether a probability of bias means what it says: reliability, its error, and Brier's score.

A unit without a probability is left out by the caller, who says how many they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError, OptionError
from slant.types import Array, Floats, Undefined


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin of a reliability diagram; the two means are None where no unit fell into it.

    Fields:
        low, high: its edges; it holds low <= probability < high (the last one also high = 1).
        n: units in it.
        mean_probability: what the system said, on average, in [0, 1].
        share_biased: how many of them gold calls biased, in [0, 1].
    """

    low: float
    high: float
    n: int
    mean_probability: float | None
    share_biased: float | None


def reliability(gold: ArrayLike, probability: ArrayLike, bins: int) -> list[Bin]:
    """What a system said against what was so, in bins of equal width over [0, 1].

    Args:
        gold: (units,) 0 or 1.
        probability: (units,) of "biased", in [0, 1].
        bins: how many; papers take 10 or 15.

    Returns:
        One `Bin` per bin, ascending, empty ones included.

    >>> [(b.n, b.mean_probability, b.share_biased) for b in reliability([0, 1], [0.6, 1.0], 2)]
    [(0, None, None), (2, 0.8, 0.5)]
    """
    truth, said = _checked(gold, probability)
    if bins < 1:
        raise OptionError("Binning probabilities", f"{bins} bins were asked for", "Give 1 or more")
    # k / bins is the nearest float to each edge, so that 0.3 falls into [0.3, 0.4)
    edges = np.arange(bins + 1) / bins
    place = np.minimum(np.searchsorted(edges, said, side="right") - 1, bins - 1)
    number = np.bincount(place, minlength=bins)
    sums = [np.bincount(place, values, minlength=bins) for values in (said, truth)]
    return [
        Bin(
            low=float(edges[i]),
            high=float(edges[i + 1]),
            n=int(number[i]),
            mean_probability=float(sums[0][i] / number[i]) if number[i] else None,
            share_biased=float(sums[1][i] / number[i]) if number[i] else None,
        )
        for i in range(bins)
    ]


def expected_calibration_error(
    gold: ArrayLike, probability: ArrayLike, bins: int
) -> float | Undefined:
    """How far a stated probability of bias is from the share that is biased, on average.

    sum over bins of n_bin / n * |mean probability - share biased|, bins of equal width as in
    `reliability`, on the probability of "biased" (not on the confidence in the answer).

    Args:
        gold, probability, bins: as in `reliability`.

    Returns:
        In [0, 1]; 0 = every bin is right on average. Undefined without units.
    Source: Naeini et al. 2015, section 3.

    >>> round(expected_calibration_error([0, 1], [0.6, 1.0], 2), 12)  # |0.8 - 0.5|
    0.3
    """
    rows = reliability(gold, probability, bins)
    n = sum(row.n for row in rows)
    if n == 0:
        return Undefined("there is no unit with a probability")
    gaps = (
        row.n * abs(row.mean_probability - row.share_biased)
        for row in rows
        if row.mean_probability is not None and row.share_biased is not None
    )
    return sum(gaps) / n


def brier(gold: ArrayLike, probability: ArrayLike) -> float | Undefined:
    """The mean square of probability minus label.

    Args:
        gold: (units,) 0 or 1.
        probability: (units,) of "biased", in [0, 1].

    Returns:
        In [0, 1]; 0 = sure and right everywhere, 0.25 = always 0.5, 1 = sure and wrong.
        Undefined without units.
    Source: Brier 1950, in the form for two classes that sums over one of them.

    >>> brier([0, 1], [0.5, 1.0])  # (0.25 + 0) / 2
    0.125
    """
    truth, said = _checked(gold, probability)
    if truth.size == 0:
        return Undefined("there is no unit with a probability")
    return float(np.mean((said - truth) ** 2))


def _checked(gold: ArrayLike, probability: ArrayLike) -> tuple[Array, Floats]:
    truth, said = np.asarray(gold), np.asarray(probability, dtype=np.float64)
    if truth.shape != said.shape:
        raise DataError(
            f"Calibrating {said.size} probabilities",
            f"there are {truth.size} gold labels",
            "Give one label per probability",
        )
    # a NaN fails both comparisons
    wrong = np.flatnonzero(~((said >= 0) & (said <= 1)))
    if wrong.size:
        raise DataError(
            f"Calibrating {said.size} probabilities",
            f"number {int(wrong[0]) + 1} is {float(said[wrong[0]])}",
            "Give values from 0 to 1",
        )
    return truth.astype(np.int64), said
