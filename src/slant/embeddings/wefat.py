"""WEFAT: what single words are associated with, and whether that follows an outside quantity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from slant.embeddings.association import (
    Measure,
    associations,
    effect_sizes,
    unit,
    vectors_of,
)
from slant.stats.permutations import Alternative, Counting, Permuted, permuted_many
from slant.types import Floats, Undefined


@dataclass(frozen=True, slots=True)
class WordAssociation:
    """What one word is associated with.

    Fields:
        value: its association in standard deviations, the mean over replicas.
        h: its association as in WEAT or WEATvec, the mean over replicas.
        permuted: the permutation test of A and B on its similarities, averaged over replicas.
    """

    value: float | Undefined
    h: float
    permuted: Permuted


def wefat_values(w: ArrayLike, a: ArrayLike, b: ArrayLike, measure: Measure) -> Floats:
    """How far each word leans to A (above 0) or to B, in standard deviations of its similarities.

    (mean over A of s(w, a) - mean over B of s(w, b)) / standard deviation of s(w, .) over A and B
    together, with n - 1. s is the cosine for "cosine" (Caliskan's), and for "projection" the dot
    product, whose difference of means is that of WEATvec up to a factor that the deviation
    cancels: there the length of w does not matter, that of a and b does.

    Args:
        w, a, b: (..., n, d), (..., p, d), (..., q, d), as in `association.associations`.
        measure: "cosine" or "projection".

    Returns:
        (..., n), NaN where a word is equally similar to all of A and B.
    Raises:
        DataError: as `association.associations`.
    Source: Caliskan, Bryson and Narayanan 2017; Knoche et al. 2019, section 3.3.1.

    >>> wefat_values([[1.0, 0.0]], [[1.0, 0.0]], [[0.0, 1.0]], "cosine").round(4).tolist()
    [1.4142]
    """
    return effect_sizes(similarities(w, a, measure), similarities(w, b, measure))


def similarities(w: ArrayLike, a: ArrayLike, measure: Measure) -> Floats:
    """How similar each word of W is to each attribute word: cosines, or dot products.

    Args:
        w, a: (..., n, d) and (..., p, d).
        measure: "cosine", or "projection" for dot products.

    Returns:
        (..., n, p); cosines in [-1, 1].
    Raises:
        DataError: as `association.associations`.

    >>> similarities([[2.0, 0.0]], [[3.0, 0.0], [0.0, 1.0]], "cosine").tolist()
    [[1.0, 0.0]]
    """
    rows = vectors_of(w, "W", zero=measure == "projection")
    columns = vectors_of(a, "the attributes", zero=False)
    if measure == "cosine":
        rows, columns = unit(rows), unit(columns)
    return rows @ np.swapaxes(columns, -1, -2)


def word_associations(
    w: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    measure: Measure,
    *,
    alternative: Alternative = "two-sided",
    method: Counting | Literal["auto"] = "auto",
    strict: bool = False,
    permutations: int = 1_000_000,
    seed: int,
    names: Sequence[str] = (),
) -> list[WordAssociation]:
    """WEFAT of every word of W, with the p-value of permuting A and B.

    Under the null hypothesis a word's similarities to A and to B could have changed labels. With
    Monte Carlo all words are relabelled together.

    Args:
        w, a, b: (n, d), (p, d), (q, d), or (R, n, d) and so on for R replicas.
        measure: as in `wefat_values`.
        alternative, method, strict, permutations, seed, names: as in
            `slant.stats.permutations.permutation_test`.

    Returns:
        One for each word, in order. `value` is undefined where a replica's is, and with one word
        in A and one in B (it would be 1.41 or -1.41 whatever the vectors).
    Raises:
        DataError, OptionError: as the functions named here.
    Source: Caliskan, Bryson and Narayanan 2017.

    >>> [word] = word_associations([[1, 0]], [[1, 0], [2, 1]], [[0, 1], [1, 2]], "cosine", seed=0)
    >>> word.permuted.p, word.value > 0
    (0.3333333333333333, True)
    """
    replicas = tuple(range(np.ndim(w) - 2))
    values = wefat_values(w, a, b, measure).mean(axis=replicas)
    h = associations(w, a, b, measure).mean(axis=replicas)
    tests = permuted_many(
        similarities(w, a, measure).mean(axis=replicas),
        similarities(w, b, measure).mean(axis=replicas),
        alternative=alternative, method=method, strict=strict, permutations=permutations,
        seed=seed, names=["wefat", *names],
    )  # fmt: skip
    if np.shape(a)[-2] + np.shape(b)[-2] == 2:
        values = np.full(values.shape, np.nan)
        none = Undefined("one word in A and one in B: 1.41 or -1.41 whatever the vectors")
    else:
        none = Undefined("the word is equally similar to every attribute word")
    return [
        WordAssociation(none if np.isnan(value) else float(value), float(lean), test)
        for value, lean, test in zip(values, h, tests, strict=True)
    ]
