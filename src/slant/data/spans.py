"""Ranges of characters held against marked spans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slant.types import Array, Span


def marked(starts: Array, ends: Array, spans: Sequence[Span]) -> Array:
    """Which ranges share a character with a span.

    Args:
        starts, ends: (n,) half-open ranges: of words, or of tokens.
        spans: of the rationale.

    Returns:
        (n,) 0 or 1. An empty range is never marked.

    >>> marked(np.array([0, 2, 10]), np.array([1, 9, 15]), [Span(2, 9)]).tolist()  # a bizarre claim
    [0, 1, 0]
    """
    mask = np.zeros(len(starts), np.int64)
    for span in spans:
        mask |= ((starts < span.end) & (ends > span.start) & (ends > starts)).astype(np.int64)
    return mask
