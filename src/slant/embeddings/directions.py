"""Directions of word vectors, and the cases in which there is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from slant.embeddings.association import Measure, has_direction, unit
from slant.types import Floats, Undefined

Score = float | Undefined
"""A measure's value, or why it has none."""


def without_words(**sets: Floats) -> Undefined | None:
    """Which of some word sets is empty, if one is.

    Args:
        sets: (n, d) each; the name is said, with blanks for underscores.
    """
    for name, vectors in sets.items():
        if not len(vectors):
            return Undefined(f"{name.replace('_', ' ')} has no word")
    return None


def without_direction(**vectors: Floats) -> Undefined | None:
    """Which of some arrays holds a zero vector, if one does: it has no cosine with any other.

    Args:
        vectors: (..., d) each; the name is said, with blanks for underscores.
    """
    for name, rows in vectors.items():
        if not np.linalg.norm(rows, axis=-1).all():
            return Undefined(f"{name.replace('_', ' ')} has a zero vector, which has no direction")
    return None


def vocabulary_covariance(
    matrix: NDArray[np.float32] | Floats, measure: Measure, *, block: int = 1 << 14
) -> Floats:
    """How all words of a vocabulary spread: with it, the deviation of h over the vocabulary is
    the square root of g.C.g for any attributes, at no cost.

    Args:
        matrix: (words, d) as stored, of one replica. With the cosine, words without a direction
            are left out.
        measure: of association.
        block: how many words are taken at a time.

    Returns:
        (d, d), divided by the number of words; zeros where there is none.

    >>> vocabulary_covariance(np.array([[1.0, 0.0], [3.0, 0.0]]), "projection").tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    words, width = 0, matrix.shape[1]
    total, products = np.zeros(width), np.zeros((width, width))
    for start in range(0, len(matrix), block):
        rows = np.asarray(matrix[start : start + block], dtype=np.float64)
        if measure == "cosine":
            rows = unit(rows[has_direction(rows)])
        words += len(rows)
        total += rows.sum(0)
        products += rows.T @ rows
    mean = total / max(words, 1)
    spread: Floats = products / max(words, 1) - np.outer(mean, mean)
    return spread
