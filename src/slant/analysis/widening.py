"""Intervals of shares and means of few units, made as wide as their number asks for."""

from __future__ import annotations

from math import ceil, floor

from slant.analysis.detectors import LEVEL
from slant.stats.intervals import wilson
from slant.types import Undefined


def widened(low: float, high: float, found: float, of: int) -> tuple[float, float]:
    """A bootstrap's interval made no narrower than Wilson's over the same units.

    Rule: the lower of the two lower ends and the higher of the two upper ones. Resamples hold only
    what was seen, so that of 0 of n they say nothing but 0; Wilson's interval holds what so many
    units could have been. A sum of probabilities stands for as many units, rounded down for the
    lower end and up for the upper one: no mean of numbers from 0 to 1 spreads more than a share.

    Args:
        low, high: of the bootstrap.
        found: units that have it, or the sum of their probabilities.
        of: units, at least one.

    Returns:
        Low and high in [0, 1].

    >>> [round(one, 4) for one in widened(0.0, 0.0, 0, 131)]  # 1.96^2 / (131 + 1.96^2)
    [0.0, 0.0285]
    """
    least, most = wilson(floor(found), of, LEVEL), wilson(min(ceil(found), of), of, LEVEL)
    if isinstance(least, Undefined) or isinstance(most, Undefined):
        return low, high
    assert least.low is not None
    assert most.high is not None
    return min(low, least.low), max(high, most.high)
