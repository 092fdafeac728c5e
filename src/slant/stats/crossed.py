"""The crossed bootstrap: how far an effect over four word sets and several replicas could be off.

Each resample draws words of X, of Y, of A, of B and replicas, each from its own with replacement.
Similarities of every word with every attribute are worked out once: a resample only weighs them
anew, so that thousands are a few matrix products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from slant.errors import DataError
from slant.stats.resampling import Draws, generator
from slant.types import Array, Floats, Undefined

Deviation = Literal["sample", "population", "vocabulary"]
"""What the difference of means is divided by: the standard deviation over X and Y with n-1, with n,
or over the whole vocabulary with n."""

Replicas = Literal["seeds", "documents"]
"""What tells replicas apart: their seeds only, or the documents they were trained on, too."""

_BLOCK = 1 << 22
"""How many similarities are weighed at a time: 32 MB."""


@dataclass(frozen=True, slots=True)
class Similarities:
    """Of every target word with every attribute word, in each replica of one corpus.

    Fields:
        values: (replicas, n + m, p + q): words of X, then of Y, against words of A, then of B.
        sizes: n, m, p, q.
        covariance: (replicas, p + q, p + q) of these similarities over all words of the
            vocabulary, with n; only where the deviation is the vocabulary's.
        replicas: what tells them apart.
    """

    values: Floats
    sizes: tuple[int, int, int, int]
    covariance: Floats | None = None
    replicas: Replicas = "seeds"


def effect(similar: Similarities, deviation: Deviation) -> float | Undefined:
    """The effect size d, mean over replicas.

    d = (mean over X of h - mean over Y of h) / deviation of h, where h(w) is the mean similarity
    of w with A less that with B.

    Args:
        similar: of one corpus.
        deviation: what is divided by.

    Returns:
        Undefined where h does not vary in a replica.
    Source: Caliskan, Bryson and Narayanan 2017.

    >>> values = np.array([[[1.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.0, 1.0]]])
    >>> d = effect(Similarities(values, (2, 2, 1, 1)), "population")
    >>> round(d, 4)  # h = 1, 0.5, -0.5, -1: 1.5 / sqrt(2.5 / 4)
    1.8974
    """
    values = effects(similar, deviation)
    if np.isnan(values).any():
        return Undefined("the association is the same for all words of X and Y")
    return float(values.mean())


def effects(similar: Similarities, deviation: Deviation) -> Floats:
    """The effect size d of each replica.

    Args:
        similar: of one corpus.
        deviation: what is divided by.

    Returns:
        (replicas,) d as in `effect`; NaN where h does not vary.
    """
    _check(similar, deviation)
    ones = [np.ones((1, size), dtype=np.int64) for size in similar.sizes]
    values: Floats = _effects(similar, deviation, ones)[0]
    return values


def crossed_draws(
    similar: Sequence[Similarities],
    deviation: Deviation,
    *,
    resamples: int,
    seed: int,
    names: Sequence[str],
) -> list[Draws | Undefined]:
    """The effect size of each corpus on the same resamples of words.

    Words of a set are drawn as often as there are, with replacement, alike for every corpus; a set
    of one word stays as it is. Replicas of each corpus are drawn apart. Those that differ in their
    seeds only are all draws of one noise, and the estimate is their mean: as many are drawn as
    there are. Those trained on documents drawn with replacement each stand for another corpus that
    could have been: one is drawn, since the mean of many would hide how far corpora differ.

    Args:
        similar: of one or more corpora, of the same words.
        deviation: what is divided by.
        resamples: how many.
        seed, names: of the stream; see `resampling.generator`.

    Returns:
        For each corpus its draws, to be given to `intervals.interval`; `clusters` is the smaller
        of X's and Y's number of words, so that one word gives no interval.
    Source: Owen 2007 (the pigeonhole bootstrap).
    """
    sizes = similar[0].sizes
    if any(one.sizes != sizes for one in similar):
        sets = f"their sets have {', '.join(str(one.sizes) for one in similar)} words"
        raise DataError("Resampling word sets", sets, "Give the same words for every corpus")
    stream = generator(seed, names)
    words = [_drawn(size, resamples, stream) for size in sizes]
    found: list[Draws | Undefined] = []
    for one in similar:
        value = effect(one, deviation)
        number = len(one.values)
        if one.replicas == "documents":
            picked = np.eye(number, dtype=np.int64)[stream.integers(number, size=resamples)]
        else:
            picked = _drawn(number, resamples, stream)
        if isinstance(value, Undefined):
            found.append(value)
            continue
        each = _effects(one, deviation, words)
        # An undefined replica that was not drawn does no harm.
        weighed = np.where(picked > 0, picked * each, 0.0).sum(axis=1) / picked.sum(axis=1)
        found.append(Draws(value, weighed, min(sizes[:2]), 1))
    return found


def standardised(similar: Similarities, deviation: Deviation) -> Floats:
    """What each word adds to d: h over the deviation, mean over replicas.

    d is the mean of this over X less the mean over Y; and since no deviation depends on which
    words are X, that holds for every relabelling of the words, too.

    Args:
        similar: of one corpus.
        deviation: what is divided by.

    Returns:
        (n + m,) X first; NaN where h does not vary in a replica.
    """
    _check(similar, deviation)
    p = similar.sizes[2]
    h = similar.values[..., :p].mean(axis=-1) - similar.values[..., p:].mean(axis=-1)
    spread = np.full(len(h), np.nan)
    if similar.covariance is None:
        spread[:] = h.std(axis=1, ddof=int(deviation == "sample"))
    else:
        weights = _attribute_weights([np.ones((1, size)) for size in similar.sizes[2:]])[0]
        spread[:] = np.sqrt(np.maximum(weights @ similar.covariance @ weights, 0.0))
    spread[spread <= _noise(similar.values)] = np.nan
    mean: Floats = (h / spread[:, None]).mean(axis=0)
    return mean


def _check(similar: Similarities, deviation: Deviation) -> None:
    n, m, p, q = similar.sizes
    if similar.values.ndim != 3 or similar.values.shape[1:] != (n + m, p + q) or 0 in similar.sizes:
        found = f"they have the shape {similar.values.shape} for sets of {n}, {m}, {p} and {q}"
        raise DataError("Reading similarities", found, "Give (replicas, n + m, p + q)")
    if (deviation == "vocabulary") != (similar.covariance is not None):
        found = f"the deviation is '{deviation}'"
        do = "Give the covariance over the vocabulary with 'vocabulary', and only then"
        raise DataError("Reading similarities", found, do)


def _noise(values: Floats) -> float:
    # What rounding alone makes of a deviation that is 0.
    return 64 * np.finfo(np.float64).eps * float(np.abs(values).max(initial=0.0))


def _drawn(size: int, resamples: int, stream: np.random.Generator) -> Array:
    """(resamples, size) how often each was drawn."""
    return stream.multinomial(size, np.full(size, 1 / size), size=resamples)


def _attribute_weights(counts: Sequence[Floats | Array]) -> Floats:
    # (resamples, p + q): 1/p for each draw of A, -1/q of B
    a, b = counts
    return np.concatenate([a / a.shape[1], -b / b.shape[1]], axis=1)


def _effects(similar: Similarities, deviation: Deviation, counts: Sequence[Array]) -> Floats:
    """(resamples, replicas), NaN where h does not vary."""
    n, m, p, q = similar.sizes
    resamples = len(counts[0])
    found = np.empty((resamples, len(similar.values)))
    noise = _noise(similar.values)
    step = max(1, _BLOCK // (n + m + p + q))
    for start in range(0, resamples, step):
        x, y, a, b = (one[start : start + step] for one in counts)
        weights = _attribute_weights([a, b])
        both = np.concatenate([x, y], axis=1)
        for number, values in enumerate(similar.values):
            h = weights @ values.T  # (resamples, n + m)
            above = (x * h[:, :n]).sum(axis=1) / n - (y * h[:, n:]).sum(axis=1) / m
            if similar.covariance is None:
                centred = h - (both * h).sum(axis=1, keepdims=True) / (n + m)
                squares = (both * centred**2).sum(axis=1)
                spread = np.sqrt(squares / (n + m - int(deviation == "sample")))
            else:
                square = ((weights @ similar.covariance[number]) * weights).sum(axis=1)
                spread = np.sqrt(np.maximum(square, 0.0))
            found[start : start + step, number] = np.divide(
                above, spread, out=np.full(len(above), np.nan), where=spread > noise
            )
    return found
