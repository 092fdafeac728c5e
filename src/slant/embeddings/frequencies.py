"""Effect sizes at equal frequency: rare and frequent words lie apart, whatever they mean."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike

from slant.embeddings.association import Deviation, effect_size
from slant.embeddings.directions import Score
from slant.types import Floats, Undefined


@dataclass(frozen=True, slots=True)
class Matched:
    """Two target sets cut to words of like frequency.

    Fields:
        pairs: (row of x, row of y) of the words that remain, in the order of x.
        before, after: mean natural logarithm of the frequency of x less that of y, over the words
            of known frequency, and over those that remain.
        d: the effect size on the words that remain.
    """

    pairs: tuple[tuple[int, int], ...]
    before: Score
    after: Score
    d: Score


def frequency_matched(
    hx: Floats,
    hy: Floats,
    counts_x: ArrayLike,
    counts_y: ArrayLike,
    *,
    ratio: float = 2.0,
    deviation: Deviation = "sample",
    spread: float | None = None,
) -> Matched:
    """The effect size on target words that are about as frequent in x as in y.

    Words of x are paired with words of y: as many pairs as there can be whose frequencies are at
    most `ratio` times each other, and among those the ones with the least sum of |log frequency of
    one - log frequency of the other|. A word of unknown frequency (0) is not paired.

    Args:
        hx, hy: (n,), (m,) associations of the words.
        counts_x, counts_y: (n,), (m,) how often each occurs in the corpus; 0: unknown.
        ratio: the most that the frequencies of a pair may differ by, from 1 (equal).
        deviation, spread: what d is divided by, as in `effect_size`.

    Returns:
        The pairs and d of their words. Undefined d: fewer than two pairs, or no word differs.

    >>> hx, hy = np.array([0.3, 0.9, 0.1]), np.array([0.2, -0.4])
    >>> frequency_matched(hx, hy, [100, 5000, 40], [50, 130]).pairs  # 5,000 has no partner
    ((0, 1), (2, 0))
    """
    from scipy.optimize import linear_sum_assignment

    every_x, every_y = np.asarray(counts_x, np.float64), np.asarray(counts_y, np.float64)
    known_x, known_y = np.flatnonzero(every_x > 0), np.flatnonzero(every_y > 0)
    if not known_x.size or not known_y.size:
        unknown = Undefined(f"no word of {'y' if known_x.size else 'x'} has a known frequency")
        return Matched((), unknown, unknown, unknown)
    log_x, log_y = np.log(every_x[known_x]), np.log(every_y[known_y])
    gaps = np.abs(log_x[:, None] - log_y)
    near = gaps <= log(ratio) + 1e-12
    # one pair that may not be costs more than all that may: so there are as many as there can be
    cost = np.where(near, gaps, 1 + log(ratio) * min(gaps.shape))
    rows, columns = linear_sum_assignment(cost)
    rows, columns = rows[near[rows, columns]], columns[near[rows, columns]]
    before = float(log_x.mean() - log_y.mean())
    if not rows.size:
        none = Undefined(f"no word of x is within {ratio:g} times the frequency of one of y")
        return Matched((), before, none, none)
    after = float(log_x[rows].mean() - log_y[columns].mean())
    rows, columns = known_x[rows], known_y[columns]
    d: Score = Undefined("one pair of like frequency remains")
    if rows.size > 1:
        d = effect_size(hx[rows], hy[columns], deviation=deviation, spread=spread)
    pairs = tuple(zip(rows.tolist(), columns.tolist(), strict=True))
    return Matched(pairs, before, after, d)
