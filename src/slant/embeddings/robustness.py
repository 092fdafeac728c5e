"""How steady an effect size is: without single words, over halves of the sets, and among the effect
sizes of shuffled corpora.

Both associations are linear in a direction g = mean of a less mean of b: h(w) = w.g, with all
vectors at length 1 for the cosine and as stored for the projection. The length of g changes neither
effect sizes nor correlations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from slant.embeddings.association import Deviation, Measure, effect_sizes, unit
from slant.embeddings.directions import Score, without_direction, without_words
from slant.stats.resampling import generator
from slant.types import Floats, Undefined

Name = Literal["x", "y", "a", "b"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The effect size without one word.

    Fields:
        set: the set that the word is left out of.
        row: which word of it, from 0.
        d: the effect size of the rest.
    """

    set: Name
    row: int
    d: Score


def leave_one_word_out(
    x: Floats,
    y: Floats,
    a: Floats,
    b: Floats,
    *,
    measure: Measure = "cosine",
    deviation: Deviation = "sample",
    covariance: Floats | None = None,
) -> list[LeftOut] | Undefined:
    """The effect size without each single word: what hangs on one word shows.

    Args:
        x, y: (n, d), (m, d) targets.
        a, b: (p, d), (q, d) attributes.
        measure: of association.
        deviation: what d is divided by, as in `effect_size`.
        covariance: (d, d) that of `vocabulary_covariance`, to divide by the deviation over the
            whole vocabulary in place of `deviation`.

    Returns:
        One for each word of x, y, a and b, in that order. Its d is Undefined where the set has no
        other word or the words that remain do not differ; all of it is where a set is empty or,
        with the cosine, a vector is zero.

    >>> x = y = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> for out in leave_one_word_out(x, y, x[:1], x[1:])[:2]:  # h = 1, -1 | 1, -1
    ...     print(out.set, out.row, round(out.d, 4))
    x 0 -0.866
    x 1 0.866
    """
    ready = _ready(x, y, a, b, measure)
    if isinstance(ready, Undefined):
        return ready
    x, y, a, b = ready
    whole = a.mean(0) - b.mean(0)
    hx, hy = x @ whole, y @ whole
    axes_a = _means_without_one(a) - b.mean(0)
    axes_b = a.mean(0) - _means_without_one(b)
    rest: dict[Name, tuple[Floats, Floats, Floats]] = {
        "x": (_without_one(hx), hy, whole[None]),
        "y": (hx, _without_one(hy), whole[None]),
        "a": (axes_a @ x.T, axes_a @ y.T, axes_a),
        "b": (axes_b @ x.T, axes_b @ y.T, axes_b),
    }
    return [
        LeftOut(name, row, value)
        for (name, (first, second, axes)), n in zip(
            rest.items(), (len(x), len(y), len(a), len(b)), strict=True
        )
        for row, value in enumerate(_effects(name, n, first, second, axes, deviation, covariance))
    ]


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """How reliably two halves of a set put words into the same order.

    Fields:
        attributes: of h of the target words, by halves of a and b.
        targets: of the nearness of the attribute words to x rather than y, by halves of x and y.
        draws: how many random halvings of each.
    """

    attributes: Score
    targets: Score
    draws: int


def split_half(
    x: Floats,
    y: Floats,
    a: Floats,
    b: Floats,
    *,
    measure: Measure = "cosine",
    draws: int = 1000,
    seed: int,
) -> SplitHalf:
    """Split-half reliability of the associations behind an effect size.

    a and b are halved at random (of an odd number the second half has one more), h of every word of
    x and y is computed with each half, and the two are correlated over the words. r being the mean
    of Pearson's correlation over the draws, the reliability of the whole sets is 2 r / (1 + r)
    (Spearman and Brown). The same is done with x and y halved, over the words of a and b.

    Args:
        x, y: (n, d), (m, d) targets.
        a, b: (p, d), (q, d) attributes.
        measure: of association.
        draws: random halvings.
        seed: of the drawing; the same halves are drawn for sets of the same sizes.

    Returns:
        At most 1: the halves agree; around 0: chance. Undefined where a set to be halved has one
        word, there are fewer than three words to correlate over, or they never differ.
    Source: Spearman 1910, Brown 1910; for word vectors Du, Fang and Nguyen 2021.
    """
    ready = _ready(x, y, a, b, measure)
    if isinstance(ready, Undefined):
        return SplitHalf(ready, ready, draws)
    x, y, a, b = ready
    targets, attributes = np.concatenate([x, y]), np.concatenate([a, b])
    near = targets @ attributes.T
    rng = generator(seed, ["split-half"])
    by_attributes = _reliability(near[:, : len(a)], near[:, len(a) :], draws, rng)
    by_targets = _reliability(near.T[:, : len(x)], near.T[:, len(x) :], draws, rng)
    return SplitHalf(by_attributes, by_targets, draws)


@dataclass(frozen=True, slots=True)
class Placed:
    """An observed effect size among those of corpora in which there is nothing to be found.

    Fields:
        p: of the observed one.
        smallest: the least p that so many null ones can give.
        mean, deviation: of the null ones, with m - 1; where the mean is off 0, something else than
            meaning (frequency, say) makes an effect.
        count: m, how many null ones.
    """

    p: float
    smallest: float
    mean: float
    deviation: Score
    count: int


def placed_in_null(
    observed: float,
    null: Floats,
    *,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
) -> Placed | Undefined:
    """Where an effect size stands among those of shuffled corpora: p = (1 + b) / (m + 1).

    b counts the null ones that are at least as extreme: as great, as small, or, two-sided, as far
    from the mean of all m + 1 values. (As far from 0 would be no test where the null ones do not
    lie around 0.) Valid whatever their distribution.

    Args:
        observed: the effect size of the corpus.
        null: (m,) those of m shuffled ones.
        alternative: which side counts.

    Returns:
        Undefined where there is no null one.

    >>> placed_in_null(0.9, np.array([0.1, -0.2, 0.3]))  # doctest: +ELLIPSIS
    Placed(p=0.25, smallest=0.25, mean=0.066..., deviation=0.251..., count=3)
    """
    m = len(null)
    if not m:
        return Undefined("there is no shuffled corpus to compare with")
    values = np.append(null, observed)
    if alternative == "two-sided":
        values = np.abs(values - values.mean())
    elif alternative == "less":
        values = -values
    extreme = int(np.sum(values[:-1] >= values[-1] - 1e-12))
    deviation = float(null.std(ddof=1)) if m > 1 else Undefined("there is one shuffled corpus")
    return Placed((1 + extreme) / (m + 1), 1 / (m + 1), float(null.mean()), deviation, m)


def _ready(
    x: Floats, y: Floats, a: Floats, b: Floats, measure: Measure
) -> tuple[Floats, Floats, Floats, Floats] | Undefined:
    """The four sets with the lengths that the association gives them."""
    lacking = without_words(x=x, y=y, a=a, b=b)
    if measure == "cosine" and not lacking:
        lacking = without_direction(x=x, y=y, a=a, b=b)
        if not lacking:
            return unit(x), unit(y), unit(a), unit(b)
    return lacking or (x, y, a, b)


def _effects(
    name: Name,
    n: int,
    hx: Floats,
    hy: Floats,
    axes: Floats,
    deviation: Deviation,
    covariance: Floats | None,
) -> list[Score]:
    """d for each of the n words left out of one set; hx, hy and axes have a row for each or one."""
    if n < 2:
        return [Undefined(f"{name} has no other word")] * n
    if covariance is None and hx.shape[-1] + hy.shape[-1] == 2:
        return [Undefined("one word a set remains: d is the same whatever the vectors")] * n
    spread = None
    if covariance is not None:
        squares = np.einsum("ki,ij,kj->k", axes, covariance, axes)
        spread = np.broadcast_to(np.sqrt(np.maximum(0, squares)), n)
    d = effect_sizes(
        np.broadcast_to(hx, (n, hx.shape[-1])),
        np.broadcast_to(hy, (n, hy.shape[-1])),
        deviation=deviation,
        spread=spread,
    )
    flat = Undefined("the words that remain all have the same association")
    return [flat if np.isnan(value) else float(value) for value in d]


def _without_one(values: Floats) -> Floats:
    """(n,) -> (n, n - 1), row i without value i."""
    n = len(values)
    return np.broadcast_to(values, (n, n))[~np.eye(n, dtype=bool)].reshape(n, n - 1)


def _means_without_one(rows: Floats) -> Floats:
    """(n, d) row i being the mean of all others; of one row, zeros."""
    means: Floats = (rows.sum(0) - rows) / max(len(rows) - 1, 1)
    return means


def _reliability(first: Floats, second: Floats, draws: int, rng: np.random.Generator) -> Score:
    """Spearman-Brown of two halves of the columns of both, correlated over the rows."""
    if min(first.shape[1], second.shape[1]) < 2:
        return Undefined("a set of one word has no halves")
    if len(first) < 3:
        return Undefined("fewer than three words to correlate over")
    halves = np.zeros((2, draws, len(first)))
    for columns, sign in ((first, 1), (second, -1)):
        chosen = _halves(columns.shape[1], draws, rng)
        for half, part in enumerate((chosen, ~chosen)):
            halves[half] += sign * (part @ columns.T) / part.sum(1, keepdims=True)
    halves -= halves.mean(2, keepdims=True)
    sizes = np.linalg.norm(halves, axis=2)
    defined = (sizes > 1e-12).all(0)
    if not defined.any():
        return Undefined("the associations are the same for all words")
    r = (halves[0] * halves[1]).sum(1)[defined] / sizes.prod(0)[defined]
    mean = float(r.mean())
    if mean <= -1 + 1e-12:
        return Undefined("the halves are exactly opposed")
    return 2 * mean / (1 + mean)


def _halves(n: int, draws: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    chosen = np.zeros((draws, n), dtype=bool)
    order = rng.random((draws, n)).argsort(1)[:, : n // 2]
    np.put_along_axis(chosen, order, True, axis=1)
    return chosen
