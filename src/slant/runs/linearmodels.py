"""Linear models of words: how they are fitted, kept and scored, whatever they tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from slant.analysis.analyses import DetectorFacts
from slant.analysis.detectors import LEVEL
from slant.analysis.linear import LinearDetector, Weights
from slant.metrics.scores import micro
from slant.metrics.tallies import binary_tally, cluster_counts
from slant.stats.intervals import bootstrap
from slant.systems.linear import fitted_regression
from slant.types import Array, Estimate, Kernel, Undefined


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model of words is trained, that of the light detector.

    Fields:
        name: for errors and streams of random numbers.
        c: inverse of the penalty.
        seed, resamples, bins: of the fits, the bootstrap, and the expected calibration error.
    """

    name: str
    c: float
    seed: int
    resamples: int
    bins: int


def fitted(x: Any, gold: Array, recipe: Recipe) -> Any:
    """A logistic regression of the recipe; see `slant.systems.linear.fitted_regression`."""
    return fitted_regression(recipe.name, x, gold, c=recipe.c, balanced=False, seed=recipe.seed)


def linear_weights(terms: Any, models: Sequence[Any], temperature: float = 1.0) -> Weights:
    """What is kept of models over the same terms.

    Args:
        terms: the fitted vectorizer.
        models: fitted regressions, the first of which answers; the others give its interval.
        temperature: of the answers; 1 leaves them as they are.
    """
    return Weights(
        terms=tuple(terms.get_feature_names_out().tolist()),
        idf=np.asarray(terms.idf_, np.float64),
        coefficients=np.array([model.coef_[0] for model in models]),
        intercepts=np.array([model.intercept_[0] for model in models]),
        temperature=temperature,
    )


def nameless(name: str, weights: Weights) -> LinearDetector:
    """A detector of which nothing was measured, for the time of a cross-validation."""
    return LinearDetector(
        DetectorFacts(name, "", "", Undefined("not asked for"), "", 0.5, ""), weights
    )


def event_estimate(
    gold: Array, said: Array, event: Array, of: Kernel, recipe: Recipe, names: Sequence[str]
) -> Estimate | Undefined:
    """A score of answers with the percentile bootstrap over events.

    Args:
        gold, said: (n,) 0 or 1.
        event: (n,) integers: texts that are drawn together.
        of: counts -> the score.
        recipe: its resamples and seed.
        names: of the stream of random numbers.
    """
    tally = binary_tally(
        gold, said, [str(at) for at in range(len(gold))], groups=np.zeros(len(gold), np.int64),
        clusters=event, group_names=("open",),
    )  # fmt: skip
    distinct, number, _ = cluster_counts(tally)
    return bootstrap(
        [(distinct, number)], partial(micro, of=of), combine="pool", level=LEVEL,
        resamples=recipe.resamples, seed=recipe.seed, names=[recipe.name, *names],
        method="percentile",
    )  # fmt: skip
