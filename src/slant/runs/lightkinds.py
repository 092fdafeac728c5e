"""Which kind of bias a biased sentence has: the light detector's models, one for each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from slant.analysis.analyses import KindFacts
from slant.analysis.linear import KindWeights
from slant.metrics.calibration import expected_calibration_error
from slant.metrics.scores import biased_f1, precision
from slant.runs.calibration import calibrated, fitted_temperature
from slant.runs.linearmodels import Recipe, event_estimate, fitted
from slant.systems.linear import fitted_terms
from slant.types import Array, Estimate, Floats

if TYPE_CHECKING:
    import polars as pl

MBIB_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "linguistic-bias": ("loaded", "framing", "epistemological", "presupposition"),
    "gender-bias": ("gender",),
    "racial-bias": ("racial",),
    "political-bias": ("political",),
}
"""MBIB tasks, and the kinds of marked words that mean the same; other kinds stand for themselves.
"""
PRECISION: Final = 0.5
"""Share of the calls that must be right for a threshold to be taken, and for a kind to be asked."""


def kinds_of(frame: pl.DataFrame) -> list[frozenset[str]]:
    """The kinds of the marked words of each sentence, none for a neutral one.

    Args:
        frame: as `load_sentences` gives it, whose column `kinds` has the kind of each span.
    """
    return [frozenset(row or ()) for row in frame["kinds"].to_list()]


def kind_spans(found: Sequence[frozenset[str]]) -> dict[str, tuple[str, ...]]:
    """The kinds that are told apart, and of which marked words each is.

    Args:
        found: of `kinds_of`.

    Returns:
        MBIB tasks first, in the order of `MBIB_KINDS`, then other kinds by name; none without a
        sentence.

    >>> kind_spans([frozenset({"age"}), frozenset({"framing", "gender"}), frozenset()])
    {'linguistic-bias': ('framing',), 'gender-bias': ('gender',), 'age': ('age',)}
    """
    there = frozenset(one for own in found for one in own)
    tasks = {
        task: tuple(one for one in spans if one in there) for task, spans in MBIB_KINDS.items()
    }
    used = frozenset(one for spans in MBIB_KINDS.values() for one in spans)
    return {
        **{task: spans for task, spans in tasks.items() if spans},
        **{one: (one,) for one in sorted(there - used)},
    }


def trained_kinds(
    texts: Sequence[str], found: Sequence[frozenset[str]], event: Array, fold: Array, recipe: Recipe
) -> tuple[KindWeights, tuple[KindFacts, ...]]:
    """A model for each kind, over the terms of all texts: is the sentence of it or not.

    Rule: a sentence is of a kind where one of its marked words is; all sentences are learnt from,
    the neutral ones and those of other kinds as examples of what is none. Cross-validation by event
    gives each sentence a probability of a model that saw no sentence of its event. Of these come
    the temperature (least log loss) and the threshold (`kind_threshold`). F1 and precision of the
    kind are measured with the temperature and the threshold that the other folds give, none of
    the kind where these give no threshold; intervals are the percentile bootstrap over events. A
    kind is good enough where there is a threshold, the interval of F1 lies above 2 p / (1 + p), the
    F1 of always saying yes, p being the share of the kind, and precision is at least one half.

    Args:
        texts: (n,).
        found: (n,) kinds of the marked words of each.
        event: (n,) integers; texts of one event never stand in two folds.
        fold: (n,) integers.
        recipe: of the light detector.

    Returns:
        The models of the good kinds, and what is known of all kinds.
    """
    spans = kind_spans(found)
    gold = {name: _gold(found, own) for name, own in spans.items()}
    raw = _held_out(texts, gold, fold, recipe)
    _, x = fitted_terms(recipe.name, texts, 1, 1)
    facts, models, temperatures = [], [], []
    for name, own in spans.items():
        one, temperature = _facts(name, own, gold[name], raw[name], event, fold, recipe)
        facts.append(one)
        if one.good:
            models.append(fitted(x, gold[name], recipe))
            temperatures.append(temperature)
    weights = KindWeights(
        coefficients=np.array([one.coef_[0] for one in models]).reshape(len(models), x.shape[1]),
        intercepts=np.array([one.intercept_[0] for one in models], np.float64),
        temperatures=np.array(temperatures, np.float64),
    )
    return weights, tuple(facts)


def kind_threshold(probability: Floats, gold: Array) -> float | None:
    """The threshold of a kind: the highest F1 of those at which enough calls are right.

    Rule: candidates are the middles between neighbouring probabilities, and the lowest of all. At
    those with a precision of at least one half F1 of the kind is compared; of equals the highest
    is taken, which calls the fewest. A kind is rare: without the first condition the highest F1 may
    be that of calls most of which are wrong.

    Args:
        probability: (n,) of the kind, of models that did not see the text.
        gold: (n,) 0 or 1.

    Returns:
        In (0, 1); None where no candidate has that precision.

    >>> p, gold = np.array([0.1, 0.2, 0.6, 0.8]), np.array([0, 0, 1, 0])
    >>> kind_threshold(p, gold)  # 1 of 2 right; from 0.7 on none, from 0.15 on 1 of 3
    0.4
    >>> kind_threshold(p, np.array([0, 1, 0, 0])) is None
    True
    """
    values = np.unique(probability)
    candidates = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2])
    order = np.argsort(probability, kind="stable")
    place = np.searchsorted(probability[order], candidates, side="left")
    below = np.concatenate([[0], np.cumsum(gold[order])])[place]
    tp, fp = gold.sum() - below, gold.size - place - (gold.sum() - below)
    counts = np.stack([tp, fp, below, place - below], axis=-1)
    right = precision(counts, undefined=0.0) >= PRECISION
    if not right.any():
        return None
    f1 = np.where(right, biased_f1(counts, undefined=0.0), -1.0)
    return float(candidates[np.flatnonzero(f1 == f1.max())[-1]])


def _gold(found: Sequence[frozenset[str]], spans: Sequence[str]) -> Array:
    return np.array([not own.isdisjoint(spans) for own in found], np.int64)


def _held_out(
    texts: Sequence[str], gold: Mapping[str, Array], fold: Array, recipe: Recipe
) -> dict[str, Floats]:
    """The probability of each kind by a model that saw no sentence of the text's fold; 0 where
    the other folds hold no sentence of the kind."""
    raw = {name: np.zeros(len(texts)) for name in gold}
    for number in np.unique(fold).tolist():
        kept, held = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        if not len(kept):
            continue
        terms, x = fitted_terms(recipe.name, [texts[at] for at in kept.tolist()], 1, 1)
        asked = terms.transform([texts[at] for at in held.tolist()])
        for name, own in gold.items():
            if 0 < own[kept].sum() < len(kept):
                model = fitted(x, own[kept], recipe)
                raw[name][held] = model.predict_proba(asked)[:, 1]
    return raw


def _facts(
    name: str, spans: tuple[str, ...], gold: Array, raw: Floats, event: Array, fold: Array,
    recipe: Recipe,
) -> tuple[KindFacts, float]:  # fmt: skip
    """What is known of a kind, and the temperature of its model."""
    number, of = int(gold.sum()), len(gold)
    temperature = fitted_temperature(raw, gold)
    p, said = np.empty(of), np.empty(of, np.int64)
    for held in (fold == one for one in np.unique(fold).tolist()):
        own = fitted_temperature(raw[~held], gold[~held])
        p[held] = calibrated(raw[held], own)
        least = kind_threshold(calibrated(raw[~held], own), gold[~held])
        said[held] = least is not None and p[held] >= least
    share = number / of
    always = 2 * share / (1 + share)
    f1, right = (
        event_estimate(gold, said, event, of, recipe, ["kind", name])
        for of in (partial(biased_f1, undefined=0.0), partial(precision, undefined=None))
    )
    threshold = kind_threshold(calibrated(raw, temperature), gold)
    above = isinstance(f1, Estimate) and f1.low is not None and f1.low > always
    enough = isinstance(right, Estimate) and right.value >= PRECISION
    ece = expected_calibration_error(gold, p, recipe.bins)
    return KindFacts(
        name=name,
        task=name if name in MBIB_KINDS else "",
        spans=spans,
        number=number,
        of=of,
        f1=f1,
        precision=right,
        always=always,
        threshold=threshold,
        calibration=f"temperature {temperature:.3f}; with temperatures of the other folds the "
        f"expected calibration error ({recipe.bins} bins) is {ece:.3f}",
        good=threshold is not None and above and enough,
    ), temperature
