"""How much words lean to one attribute set rather than another, and the effect size of two sets.

h(w) is positive where w lies nearer to A than to B, under both measures:

- "cosine" (WEAT): mean over A of cos(w, a) - mean over B of cos(w, b), in [-2, 2];
- "projection" (WEATvec): w . (mean A - mean B) / |mean A - mean B|, in the vectors' unit of length.
  The paper prints mean B - mean A here, which has the opposite sign; the signs of its table are
  those of A - B.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slant.errors import DataError
from slant.types import Floats, Undefined

Measure = Literal["cosine", "projection"]
Deviation = Literal["sample", "population"]

FLAT = 1e-12
"""A spread below this share of the largest number is rounding: there is none."""

_BLOCK = 1 << 14


def has_direction(vectors: ArrayLike) -> NDArray[np.bool_]:
    """Whether each vector has a direction: finite numbers, not all of them zero.

    Args:
        vectors: (..., n, d).

    Returns:
        (..., n). A vector without one (an unknown word without n-grams) has no cosine.

    >>> has_direction([[1.0, 2.0], [0.0, 0.0]]).tolist()
    [True, False]
    """
    matrix = np.asarray(vectors, dtype=np.float64)
    known: NDArray[np.bool_] = np.isfinite(matrix).all(axis=-1) & (matrix != 0).any(axis=-1)
    return known


def associations(w: ArrayLike, a: ArrayLike, b: ArrayLike, measure: Measure) -> Floats:
    """How much each word of W leans to A (above 0) or to B (below 0): h of WEAT or WEATvec.

    Formulas stand at the head of this module. A mean of cosines is the cosine's numerator with
    the mean of the unit vectors, so that the cost is one product of W with one vector.

    Args:
        w: (..., n, d) the words' vectors; leading axes (replicas) as those of A and B.
        a, b: (..., p, d) and (..., q, d) the attribute words' vectors.
        measure: "cosine" or "projection".

    Returns:
        (..., n). With "cosine" in [-2, 2], and 0 throughout where A and B have the same mean.
    Raises:
        DataError: an empty set; a vector without a direction (see `has_direction`; a zero vector
            of W has a projection, 0); "projection" where A and B have the same mean.
    Source: Caliskan, Bryson and Narayanan 2017; Knoche et al. 2019, sections 3.3.1 and 3.3.2.

    >>> associations([[2.0, 0.0], [0.0, 3.0]], [[5.0, 0.0]], [[0.0, 1.0]], "cosine").tolist()
    [1.0, -1.0]
    """
    rows = vectors_of(w, "W", zero=measure == "projection")
    direction = attribute_direction(a, b, measure)
    if measure == "cosine":
        rows = unit(rows)
    h: Floats = np.einsum("...nd,...d->...n", rows, direction)
    return h


def attribute_direction(a: ArrayLike, b: ArrayLike, measure: Measure) -> Floats:
    """The vector whose dot product with a word's (unit) vector is the word's association.

    "cosine": the mean of A's unit vectors less that of B's. "projection": the mean of A less that
    of B, divided by the length of this difference.

    Args:
        a, b: (..., p, d) and (..., q, d).
        measure: as in `associations`.

    Returns:
        (..., d).
    Raises:
        DataError: as `associations`.

    >>> attribute_direction([[3.0, 0.0]], [[1.0, 0.0]], "projection").tolist()
    [1.0, 0.0]
    """
    first, second = vectors_of(a, "A"), vectors_of(b, "B")
    if measure == "cosine":
        first, second = unit(first), unit(second)
    ahead, behind = first.mean(axis=-2), second.mean(axis=-2)
    direction = ahead - behind
    length = np.linalg.norm(direction, axis=-1, keepdims=True)
    scale = np.linalg.norm(ahead, axis=-1) + np.linalg.norm(behind, axis=-1)
    same = length <= FLAT * scale[..., None]
    if measure == "cosine":
        return np.where(same, 0.0, direction)
    if same.any():
        raise DataError(
            "Projecting words on the line from B to A", "A and B have the same mean vector",
            "Give attribute sets that differ",
        )  # fmt: skip
    line: Floats = direction / length
    return line


def effect_size(
    hx: ArrayLike,
    hy: ArrayLike,
    *,
    deviation: Deviation = "sample",
    spread: float | None = None,
) -> float | Undefined:
    """How far the mean associations of X and Y lie apart, in standard deviations: d.

    d = (mean h over X - mean h over Y) / deviation of h over X and Y together.

    Args:
        hx, hy: (n,) and (m,) the associations of the words of X and of Y.
        deviation: "sample" divides the squares by n + m - 1 (Caliskan's), "population" by n + m.
        spread: the denominator itself, in place of `deviation`: the standard deviation over the
            whole vocabulary from `vocabulary_spread`, as the code behind Knoche et al. has it.

    Returns:
        Above 0 where X leans to A. With equal sizes at most 2 in size with "population",
        2 sqrt((2n - 1) / 2n) with "sample"; without bound with `spread`.
        Undefined: a set is empty; no word differs from another; one word a set without `spread`
        (d would be 1.41 or -1.41 whatever the vectors).
    Source: Caliskan, Bryson and Narayanan 2017; Knoche et al. 2019, section 3.3.1.

    >>> effect_size([3.0, 1.0], [1.0, -1.0], deviation="population")  # (2 - 0) / sqrt(2)
    1.414213562373095
    """
    x, y = np.asarray(hx, dtype=np.float64), np.asarray(hy, dtype=np.float64)
    for name, values in (("X", x), ("Y", y)):
        if not values.size:
            return Undefined(f"{name} has no word")
    if spread is None and x.size + y.size == 2:
        return Undefined("one word a set: d is 1.41 or -1.41 whatever the vectors")
    value = float(effect_sizes(x, y, deviation=deviation, spread=spread))
    if np.isnan(value):
        where = "the vocabulary" if spread is not None else "X and Y"
        return Undefined(f"the words of {where} all have the same association: there is no spread")
    return value


def effect_sizes(
    hx: ArrayLike,
    hy: ArrayLike,
    *,
    deviation: Deviation = "sample",
    spread: ArrayLike | None = None,
) -> Floats:
    """Effect sizes of many replicas or resamples at once: `effect_size` over leading axes.

    Args:
        hx, hy: (..., n) and (..., m), n and m at least 1.
        deviation: as in `effect_size`.
        spread: (...) denominators in place of `deviation`.

    Returns:
        (...), NaN where there is no spread.

    >>> effect_sizes([[3.0, 1.0], [0.0, 0.0]], [[1.0, -1.0], [0.0, 0.0]]).round(4).tolist()
    [1.2247, nan]
    """
    x, y = np.asarray(hx, dtype=np.float64), np.asarray(hy, dtype=np.float64)
    both = np.concatenate([x, y], axis=-1)
    if spread is None:
        below = np.std(both, axis=-1, ddof=1 if deviation == "sample" else 0)
        none = below <= FLAT * np.abs(both).max(axis=-1)
    else:
        below = np.asarray(spread, dtype=np.float64)
        none = ~(below > 0)
    apart = x.mean(axis=-1) - y.mean(axis=-1)
    shape = np.broadcast_shapes(apart.shape, below.shape)
    d: Floats = np.divide(apart, below, out=np.full(shape, np.nan), where=~none)
    return d


def vocabulary_spread(matrix: ArrayLike, a: ArrayLike, b: ArrayLike, measure: Measure) -> float:
    """The standard deviation, with n, of the associations of every word of a vocabulary.

    The denominator that makes d of a few alike words pass 2: it is not over X and Y.

    Args:
        matrix: (words, d) of one replica; worked off in blocks, so that millions of words cost
            little memory beyond the matrix.
        a, b: (p, d) and (q, d).
        measure: as in `associations`.

    Returns:
        0 or more, in the unit of h. With "cosine", words without a direction are left out.
    Raises:
        DataError: as `associations`; no word with a direction.
    Source: the code of Knoche et al. 2019 (its text does not say over which words).

    >>> vocabulary_spread([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]], [[0.0, 1.0]], "cosine")
    1.0
    """
    table = np.asarray(matrix)
    direction = attribute_direction(a, b, measure)
    parts = []
    for start in range(0, len(table), _BLOCK):
        rows = np.asarray(table[start : start + _BLOCK], dtype=np.float64)
        rows = rows[has_direction(rows)] if measure == "cosine" else rows
        parts.append((unit(rows) if measure == "cosine" else rows) @ direction)
    every = np.concatenate(parts) if parts else np.empty(0)
    if not every.size:
        raise DataError(
            "Measuring the spread over a vocabulary", "it has no word with a direction",
            "Give vectors of at least one word",
        )  # fmt: skip
    return float(np.std(every))


def vectors_of(vectors: ArrayLike, name: str, zero: bool = False) -> Floats:
    """The vectors of a word set as floats, or the error that says which word has none.

    Args:
        vectors: (..., n, d).
        name: of the set, for the error.
        zero: whether vectors of zeros are allowed.

    Returns:
        (..., n, d) float64.
    Raises:
        DataError: no vector, no numbers, or zeros where they are not allowed.

    >>> vectors_of([[0, 1]], "X").tolist()
    [[0.0, 1.0]]
    """
    matrix = np.asarray(vectors, dtype=np.float64)
    asked = f"Measuring associations with {name}"
    if matrix.ndim < 2 or not matrix.shape[-2]:
        raise DataError(asked, "it has no vector", "Give a set of which a word is known")
    wrong = ~np.isfinite(matrix).all(axis=-1) if zero else ~has_direction(matrix)
    if wrong.any():
        place = int(np.argwhere(wrong)[0][-1])
        raise DataError(
            asked, f"word {place + 1} of {matrix.shape[-2]} has a vector of zeros or no numbers",
            "Leave this word out",
        )  # fmt: skip
    return matrix


def unit(matrix: Floats) -> Floats:
    """The vectors' directions: (..., d) of length 1, from vectors that have a direction.

    >>> unit(np.array([[3.0, 4.0]])).tolist()
    [[0.6, 0.8]]
    """
    # scaled first, so that the squares of very long or short vectors stay finite
    scaled = matrix / np.abs(matrix).max(axis=-1, keepdims=True)
    directions: Floats = scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)
    return directions
