"""The interval of a share that was counted."""

from __future__ import annotations


def binomial_interval(number: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """The exact interval of a chance that showed `number` times in `of` draws.

    Args:
        number, of: 0 <= number <= of, of at least 1.
        level: its least coverage.

    Returns:
        (low, high) in [0, 1]; 0 or 1 at the end that all draws agree on.
    Source: Clopper and Pearson 1934.

    >>> low, high = binomial_interval(0, 10)
    >>> low, round(high, 4)  # 1 - 0.025 ** (1 / 10)
    (0.0, 0.3085)
    """
    from scipy.stats import beta

    tail = (1 - level) / 2
    low = float(beta.ppf(tail, number, of - number + 1)) if number else 0.0
    high = float(beta.ppf(1 - tail, number + 1, of - number)) if number < of else 1.0
    return low, high
