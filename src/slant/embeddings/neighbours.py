"""The words nearest to a word, over all replicas of an embedding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from slant.embeddings.vectors import Case, Outside, Vectors, found
from slant.types import Floats

_BLOCK = 1 << 14
Near = list[tuple[str, float]]
"""Words and mean cosines in [-1, 1], largest first."""


def neighbours(
    replicas: Iterable[Vectors],
    word: str,
    *,
    top: int = 10,
    case: Case = "any",
    outside: Outside = "drop",
) -> Near | None:
    """The words with the largest cosine with a word, the mean over replicas.

    Args:
        replicas: of one embedding, or a single file; only words that all know are looked at.
        word: whose neighbours; whatever differs from it in capitals only is none of them.
        top: how many.
        case, outside: how the word itself is looked for; see `found`.

    Returns:
        At most `top`; None where a replica has no vector for the word.

    >>> v = Vectors("v", {"a": 0, "b": 1, "c": 2}, np.array([[1, 0], [1, 0], [0, 1]], np.float32))
    >>> neighbours([v], "a", top=1)
    [('b', 1.0)]
    """
    return neighbours_of(replicas, [word], top=top, case=case, outside=outside)[word]


def neighbours_of(
    replicas: Iterable[Vectors],
    words: Sequence[str],
    *,
    top: int = 10,
    case: Case = "any",
    outside: Outside = "drop",
) -> dict[str, Near | None]:
    """The neighbours of several words; each replica is read once and then let go.

    Args:
        replicas, top, case, outside: as in `neighbours`.
        words: each as `word` there.
    """
    every: list[dict[str, Floats]] = []
    vocabularies: list[tuple[str, ...]] = []
    for replica in replicas:
        own = found(replica, words, case=case, outside=outside)
        every.append(dict(zip(own.words, _cosines(replica.matrix, own.matrix), strict=True)))
        vocabularies.append(tuple(replica.rows))
    near: dict[str, Near | None] = {}
    for word in words:
        if not all(word in one for one in every):
            near[word] = None
            continue
        means = _mean_over_shared(vocabularies, [one[word] for one in every])
        order = sorted(
            (-value, other) for other, value in means.items() if other.lower() != word.lower()
        )
        near[word] = [(other, -value) for value, other in order[:top]]
    return near


def _mean_over_shared(
    vocabularies: Sequence[Sequence[str]], values: Sequence[Floats]
) -> dict[str, float]:
    """The mean over replicas of a value of each word that all of them have."""
    if all(one == vocabularies[0] for one in vocabularies):
        return dict(zip(vocabularies[0], np.mean(values, axis=0).tolist(), strict=True))
    tables = [
        dict(zip(words, of.tolist(), strict=True))
        for words, of in zip(vocabularies, values, strict=True)
    ]
    shared = set(tables[0]).intersection(*tables[1:])
    return {word: float(np.mean([one[word] for one in tables])) for word in shared}


def _cosines(matrix: NDArray[np.float32], rows: Floats) -> Floats:
    """(rows, words) with every word of the vocabulary; 0 with one that has no direction."""
    if not len(rows):
        return np.zeros((0, len(matrix)))
    parts = []
    for start in range(0, len(matrix), _BLOCK):
        parts.append(_unit(matrix[start : start + _BLOCK].astype(np.float64)) @ _unit(rows).T)
    cosines: Floats = np.concatenate(parts).T
    return cosines


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    directions: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return directions
