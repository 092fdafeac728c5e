"""How the level of an interval is told."""

from __future__ import annotations


def level_percent(level: float) -> str:
    """The share of such intervals that should hold the true value, never rounded to all.

    >>> level_percent(0.95), level_percent(0.995)
    ('95%', '99.5%')
    """
    return f"{level * 100:g}%"
