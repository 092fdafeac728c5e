"""The scores of one system with one number of examples: over the corpus, by article, by bias.

Counts of every run are pooled over the articles before F1, and the scores of the runs averaged. An
interval says what other articles could have given: articles are drawn again, the same ones for
every system, run and score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from slant.metrics.scores import biased_f1
from slant.metrics.tallies import FN, FP, TN, TP
from slant.runs.taskscores import run_estimate, shown_estimate
from slant.stats.paired import mean_interval
from slant.types import Array, Floats, Kernel

Kernels = Mapping[str, tuple[str, Kernel]]
"""Every F1 by name: the counts it is of, and the kernel."""

SUBSET: Final = "subset_accuracy"
BIAS_F1S: Final = {
    "detection_f1": "detection_micro_f1",
    "characters_f1": "characters_f1",
    "spans_f1": "spans_f1",
    "triggers_f1": "triggers_f1",
}
"""What is told of each bias -> the score of all biases that it is a part of."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What the runs of one system with one number of examples add up to.

    Fields:
        runs: their names.
        codes: of the biases.
        counts: by level of `slant.metrics.triggers.trigger_tallies`, (runs, articles, biases, 4).
    """

    runs: tuple[str, ...]
    codes: tuple[str, ...]
    counts: Mapping[str, Array]

    def chosen(self, runs: Sequence[str]) -> Counted:
        """The same of some of the runs."""
        places = [self.runs.index(name) for name in runs]
        return Counted(tuple(runs), self.codes, {k: c[places] for k, c in self.counts.items()})

    def without(self, codes: Sequence[str]) -> Counted:
        """The same without some biases."""
        kept = [n for n, code in enumerate(self.codes) if code not in codes]
        own = {level: counts[:, :, kept] for level, counts in self.counts.items()}
        return Counted(self.runs, tuple(self.codes[n] for n in kept), own)


@dataclass(frozen=True, slots=True)
class Resampled:
    """The counts of runs added up over articles, on the data and on each resample of them.

    Fields:
        codes: of the biases.
        articles: that were drawn from.
        counts: by level, (1 + resamples, runs, biases, 4), the data first.
        exact: (1 + resamples, runs) the share of articles whose set of biases is right.
    """

    codes: tuple[str, ...]
    articles: int
    counts: Mapping[str, Array]
    exact: Floats


def resampled(counted: Counted, weights: Floats) -> Resampled:
    """The counts of runs on resamples of articles.

    Args:
        counted: of the runs.
        weights: (1 + resamples, articles) how often each article counts, first once each.
    """
    counts = {
        # whole numbers, exact in float64
        level: np.tensordot(weights, own.astype(np.float64), axes=(1, 1)).astype(np.int64)
        for level, own in counted.counts.items()
    }
    return Resampled(counted.codes, weights.shape[1], counts, _exact_shares(counted, weights))


def resampled_without(
    found: Resampled, counted: Counted, weights: Floats, codes: Sequence[str]
) -> Resampled:
    """The same without some biases, also in what makes an article right."""
    kept = [n for n, code in enumerate(found.codes) if code not in codes]
    counts = {level: own[:, :, kept] for level, own in found.counts.items()}
    exact = _exact_shares(counted.without(codes), weights)
    return Resampled(tuple(found.codes[n] for n in kept), found.articles, counts, exact)


def corpus_scores(found: Resampled, level: float, kernels: Kernels) -> dict[str, dict[str, Any]]:
    """Every score over the corpus: its mean over runs, interval, and deviation over runs.

    Args:
        found: of `resampled`.
        level: of the intervals.
        kernels: of `slant.metrics.triggerscores.score_kernels`.

    Returns:
        By name: value, low, high, sd (None for one run), and why where there is none.
    """
    drawn = {name: kernel(found.counts[kind]) for name, (kind, kernel) in kernels.items()}
    drawn[SUBSET] = found.exact
    return {name: run_estimate(draws, found.articles, level) for name, draws in drawn.items()}


def run_scores(found: Resampled, kernels: Kernels) -> list[dict[str, float | None]]:
    """The scores over the corpus of each run, in order; None where one is 0/0."""
    own = {name: kernel(found.counts[kind][0]) for name, (kind, kernel) in kernels.items()}
    own[SUBSET] = found.exact[0]
    return [
        {name: None if np.isnan(of[run]) else float(of[run]) for name, of in own.items()}
        for run in range(found.exact.shape[1])
    ]


def scores_by_article(counted: Counted, kernels: Kernels) -> dict[str, Floats]:
    """Every score on each article alone, 1 where gold and prediction are empty there.

    Returns:
        By name, (runs, articles) in [0, 1].
    """
    found: dict[str, Floats] = {}
    for name, (kind, kernel) in kernels.items():
        counts = counted.counts[kind]
        empty = counts[..., :TN].sum(axis=(-1, -2)) == 0
        found[name] = np.where(empty, 1.0, kernel(counts))
    return {**found, SUBSET: _exact(counted.counts["detection"])}


def article_means(counted: Counted, level: float, kernels: Kernels) -> dict[str, dict[str, Any]]:
    """The mean over articles of each score by article (mean over runs), with its t interval."""
    return {
        name: shown_estimate(mean_interval(values.mean(axis=0), level=level))
        for name, values in scores_by_article(counted, kernels).items()
    }


def bias_rows(found: Resampled, level: float, kernels: Kernels) -> dict[str, dict[str, Any]]:
    """What scores.json says of each bias: F1 at four levels, and how often it is predicted.

    Args:
        found, level, kernels: as in `corpus_scores`.

    Returns:
        By code: detection_f1, characters_f1, spans_f1, triggers_f1, each an estimate; articles and
        spans in gold, predicted (mean over runs) and matched; `excess_articles`, predicted less
        gold, an estimate.
    """
    drawn = {
        name: biased_f1(found.counts[kernels[score][0]], None) for name, score in BIAS_F1S.items()
    }
    detection, spans = found.counts["detection"], found.counts["spans"]
    drawn["excess_articles"] = (detection[..., FP] - detection[..., FN]).astype(np.float64)
    rows: dict[str, dict[str, Any]] = {}
    for place, code in enumerate(found.codes):
        own, of_spans = detection[0, :, place], spans[0, :, place]
        rows[code] = {
            **{
                name: run_estimate(draws[..., place], found.articles, level)
                for name, draws in drawn.items()
            },
            "gold_articles": int(own[0, TP] + own[0, FN]),
            "predicted_articles": float((own[:, TP] + own[:, FP]).mean()),
            "gold_spans": int(of_spans[0, TP] + of_spans[0, FN]),
            "predicted_spans": float((of_spans[:, TP] + of_spans[:, FP]).mean()),
            "matched_spans": float(of_spans[:, TP].mean()),
        }
    return rows


def _exact_shares(counted: Counted, weights: Floats) -> Floats:
    shares: Floats = _exact(counted.counts["detection"]) @ weights.T / weights.sum(axis=1)
    return shares.T


def _exact(detection: Array) -> Floats:
    # (..., biases, 4) -> (...): 1 where the set of biases is the gold one
    wrong = detection[..., FP].sum(axis=-1) + detection[..., FN].sum(axis=-1)
    return np.asarray(wrong == 0, dtype=np.float64)
