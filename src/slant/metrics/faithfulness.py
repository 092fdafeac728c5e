"""How much of what a model tells apart goes through chosen heads: the arithmetic alone.

`gap` is what the model tells apart, in one of two readings of the paper's delta P, by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slant.types import Array, Floats

EPSILON = 1e-12


def class_gap(p: Floats, labels: Array, corrupt: Floats, counts: Array | None = None) -> Floats:
    """Delta P between classes: mean P(y = 1) of biased texts less that of unbiased ones.

    Args:
        p: (..., n) probabilities (or logits) of texts under some run.
        labels: (n,) 0/1, 1 = biased.
        corrupt: (n,) unused; both readings take the same arguments.
        counts: (m, n) how often each text is drawn, for m resamples; None for the texts as given.

    Returns:
        (...) gaps, or (..., m) with counts, in [-1, 1] for probabilities; NaN without both classes.

    Source: Chen et al., section 3.6 ("unbiased instances exceeds that for biased instances").

    >>> float(class_gap(np.array([0.9, 0.7, 0.3]), np.array([1, 1, 0]), np.zeros(3)))
    0.5
    """
    return _mean(p, counts, labels == 1) - _mean(p, counts, labels == 0)


def corruption_gap(
    p: Floats, labels: Array, corrupt: Floats, counts: Array | None = None
) -> Floats:
    """Delta P against corruption: mean of P(y = 1) under some run less that of the corrupted text.

    With all heads isolated, or none eliminated, it is that of the clean text; the other way round
    it is 0. Rescue is therefore minus the base at k = 0 and the base with all heads, whatever the
    model.

    Args:
        p: (..., n) probabilities (or logits) of texts under some run.
        labels: (n,) unused; both readings take the same arguments.
        corrupt: (n,) the same of the corrupted texts.
        counts: (m, n) how often each text is drawn, for m resamples; None for the texts as given.

    Returns:
        (...) gaps, or (..., m) with counts, in [-1, 1] for probabilities; NaN without texts.

    >>> float(corruption_gap(np.array([0.75, 0.5]), np.array([1, 1]), np.array([0.25, 0.5])))
    0.25
    """
    return _mean(p - corrupt, counts, np.ones(p.shape[-1], dtype=bool))


def _mean(values: Floats, counts: Array | None, part: NDArray[np.bool_]) -> Floats:
    weights = part.astype(float) if counts is None else counts * part
    with np.errstate(invalid="ignore"):
        found: Floats = values @ weights.T / weights.sum(-1)
    return found


Gap = Callable[[Floats, Array, Floats, Array | None], Floats]

GAPS: dict[str, Gap] = {"classes": class_gap, "corruption": corruption_gap}
"""The two readings of delta P."""


def retention(circuit: Floats, base: Floats) -> Floats:
    """Share of the base gap that the circuit alone has: circuit / (|base| + 1e-12).

    Args:
        circuit: (...) gap with the circuit's heads isolated.
        base: (...) gap of the clean texts.

    Returns:
        (...) 1 where the circuit has all of it, 0 none, below 0 the opposite.

    Source: Chen et al., section 3.6.

    >>> float(retention(np.float64(0.1), np.float64(-0.2)).round(6))
    0.5
    """
    share: Floats = circuit / (np.abs(base) + EPSILON)
    return share


def rescue(circuit: Floats, none: Floats) -> Floats:
    """Gap with the circuit isolated less the gap with it eliminated.

    Args:
        circuit: (...) gap with the circuit's heads isolated.
        none: (...) gap with them eliminated.

    Returns:
        (...) above 0 where the circuit has more than all other heads together.

    Source: Chen et al., section 3.6.
    """
    return circuit - none


def sufficiency(circuit: Floats, base: Floats, low: float, high: float) -> Floats:
    """Share of the base gap that the circuit alone has: circuit / base.

    Args:
        circuit: (...) gap with the circuit's heads isolated.
        base: (...) gap of the clean texts.
        low, high: the interval of the base gap.

    Returns:
        (...) 1 where the circuit has all of it; NaN, undefined, where the interval holds 0.
    """
    return _share(circuit, base, low, high)


def completeness(none: Floats, base: Floats, low: float, high: float) -> Floats:
    """Share of the base gap that is lost with the circuit eliminated: 1 - none / base.

    Args:
        none: (...) gap with the circuit's heads eliminated.
        base: (...) gap of the clean texts.
        low, high: the interval of the base gap.

    Returns:
        (...) 1 where nothing is left of it; NaN, undefined, where the interval holds 0.
    """
    return 1 - _share(none, base, low, high)


def _share(part: Floats, base: Floats, low: float, high: float) -> Floats:
    if not (low > 0 or high < 0):
        return np.full(np.shape(part), np.nan)
    return part / base


def rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's correlation of two lists of numbers, ties at their mean rank.

    Args:
        one, other: (n,) numbers.

    Returns:
        In [-1, 1]; NaN where one of them is constant.

    >>> rank_correlation(np.array([1.0, 2.0, 9.0]), np.array([2.0, 3.0, 4.0]))
    1.0
    """
    from scipy.stats import rankdata

    a, b = (rankdata(values) - (len(values) + 1) / 2 for values in (one, other))
    scale = np.sqrt((a @ a) * (b @ b))
    return float(np.clip(a @ b / scale, -1, 1)) if scale > 0 else float("nan")


class Reliability(NamedTuple):
    """How well a ranking repeats: the mean rank correlation between the halves of the texts, and
    what it comes to for all texts, `2 r / (1 + r)` of each split, in the mean (Spearman-Brown)."""

    half: float
    whole: float
    splits: int


def split_half_reliability(effects: Floats, absolute: bool, splits: int, seed: int) -> Reliability:
    """How well the ranking of heads by mean effect repeats between random halves of the texts.

    Args:
        effects: (heads, n) effect of each head on each text.
        absolute: whether heads are ranked by the size of their mean effect.
        splits: how many random halvings.
        seed: of the halvings.

    Returns:
        Correlations in [-1, 1]; NaN where a half has equal effects for all heads.
    """
    stream = np.random.default_rng(seed)
    n = effects.shape[1]
    found = []
    for _ in range(splits):
        order = stream.permutation(n)
        halves = [effects[:, part].mean(1) for part in (order[: n // 2], order[n // 2 :])]
        one, other = (np.abs(half) if absolute else half for half in halves)
        found.append(rank_correlation(one, other))
    half = np.array(found)
    with np.errstate(divide="ignore", invalid="ignore"):
        # A correlation of -1 would have the whole at minus infinity; it stays at -1.
        whole = np.where(half > -1 / 3, 2 * half / (1 + half), -1.0)
    whole = np.where(np.isnan(half), np.nan, whole)
    return Reliability(float(half.mean()), float(whole.mean()), splits)
