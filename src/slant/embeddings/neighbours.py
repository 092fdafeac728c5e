"""The words nearest to a word, over all replicas of an embedding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slant.embeddings.analogies import unit_rows
from slant.embeddings.vectors import Case, Outside, Vectors, found


def neighbours(
    replicas: Sequence[Vectors],
    word: str,
    *,
    top: int = 10,
    case: Case = "any",
    outside: Outside = "drop",
) -> list[tuple[str, float]] | None:
    """The words with the largest cosine with a word, the mean over replicas, largest first.

    Args:
        replicas: of one embedding, or a single file; only words that all know are looked at.
        word: whose neighbours; whatever differs from it in capitals only is none of them.
        top: how many.
        case, outside: how the word itself is looked for; see `found`.

    Returns:
        Words and mean cosines in [-1, 1]; None where a replica has no vector for the word.

    >>> v = Vectors("v", {"a": 0, "b": 1, "c": 2}, np.array([[1, 0], [1, 0], [0, 1]], np.float32))
    >>> neighbours([v], "a", top=1)
    [('b', 1.0)]
    """
    shared = [one for one in replicas[0].rows if all(one in other.rows for other in replicas[1:])]
    total = np.zeros(len(shared))
    for replica in replicas:
        at = found(replica, [word], case=case, outside=outside)
        if not at.words:
            return None
        rows = [replica.rows[one] for one in shared]
        own = at.matrix[0] / (np.linalg.norm(at.matrix[0]) or 1.0)
        total += (unit_rows(replica.matrix) @ own.astype(np.float32))[rows]
    cosines = total / len(replicas)
    near = [
        (shared[place], float(cosines[place]))
        for place in np.argsort(-cosines, kind="stable")[: top + len(_like(shared, word))]
        if shared[place].lower() != word.lower()
    ]
    return near[:top]


def _like(words: Sequence[str], word: str) -> list[str]:
    return [one for one in words if one.lower() == word.lower()]
