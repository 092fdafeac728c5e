"""What an analysis marks, held against the spans that people marked: a transfer, not a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, get_args

import numpy as np

from slant.analysis.analyses import Analysis
from slant.analysis.detectors import LEVEL, verdict
from slant.errors import DataError, unknown_name
from slant.metrics.overlaps import characters, joined, shared_characters
from slant.metrics.scores import biased_f1, micro, precision, recall
from slant.stats.intervals import bootstrap_many
from slant.types import Array, Estimate, Span, Undefined

Marked = Literal["sentences", "words", "lexicon", "triggers", "everything"]
RESAMPLES: Final = 2_000
SEED: Final = 42


@dataclass(frozen=True, slots=True)
class SpanComparison:
    """Characters that both marked.

    Fields:
        marked: what was taken for marked.
        articles: how many.
        precision, recall, f1: over the characters of all articles together, intervals by
            bootstrap over articles.
        share: characters marked, of all.
    """

    marked: str
    articles: int
    precision: Estimate | Undefined
    recall: Estimate | Undefined
    f1: Estimate | Undefined
    share: float


def compare_with_spans(
    analyses: Sequence[Analysis], gold: Mapping[str, Sequence[Span]], marked: Marked
) -> SpanComparison:
    """Precision, recall and F1 of the characters that an analysis marks.

    Rule: "sentences" are those that a detector calls biased, "words" those of them that push their
    sentence towards biased, "lexicon" the lexical cues, "triggers" the cues and triggers of
    biases, "everything" the whole text: what marking without looking gives. The detectors learnt
    another notion of bias from other texts, so that this says how far the marks carry over.

    Args:
        analyses: of articles that were looked at.
        gold: article id -> spans that people marked; each article must be there.
        marked: what is held against them.

    Returns:
        Over all characters of all articles; none defined without articles.

    Raises:
        UnknownName: of `marked`. DataError: an article without gold, or a span outside its text.
    """
    if marked not in get_args(Marked):
        raise unknown_name("kind of marks", marked, get_args(Marked))
    if not analyses:
        nothing = Undefined("there is no article")
        return SpanComparison(marked, 0, nothing, nothing, nothing, 0.0)
    counts = np.array([_counts(one, gold, marked) for one in analyses], np.int64)
    kernels = {
        name: partial(micro, of=partial(kernel, undefined=0.0))
        for name, kernel in (("precision", precision), ("recall", recall), ("f1", biased_f1))
    }
    found = bootstrap_many(
        [(counts[:, None], np.ones(len(counts), np.int64))], kernels, combine="pool", level=LEVEL,
        resamples=RESAMPLES, seed=SEED, names=["compare_with_spans", marked], method="percentile",
    )  # fmt: skip
    share = float(counts[:, :2].sum() / max(1, counts.sum()))
    return SpanComparison(
        marked, len(counts), found["precision"], found["recall"], found["f1"], share
    )


def marked_spans(analysis: Analysis, marked: Marked) -> list[Span]:
    """What an analysis marks, from left to right; see `compare_with_spans`."""
    spans: list[Span] = []
    if marked == "everything":
        spans.append(Span(0, len(analysis.article.text)))
    for one in analysis.sentences:
        biased = {d.name for d in analysis.detectors if verdict(one, d) == "biased"}
        if marked == "sentences" and biased:
            spans.append(Span(one.start, one.end))
        elif marked == "words":
            spans += [
                Span(w.start, w.end) for w in one.words if w.detector in biased and w.weight > 0
            ]
        elif marked == "lexicon":
            spans += [Span(c.start, c.end) for c in one.cues]
        elif marked == "triggers":
            spans += [span for cue in one.triggers for span in cue.spans]
    return joined(spans)


def _counts(analysis: Analysis, gold: Mapping[str, Sequence[Span]], marked: Marked) -> Array:
    """(4,) characters marked by both, by us alone, by people alone, by nobody."""
    article = analysis.article
    asked = f"Comparing the marks of article '{article.id}'"
    if article.id not in gold:
        raise DataError(asked, "no spans are given for it", "Give an empty list where it has none")
    truth, size = joined(gold[article.id]), len(article.text)
    if any(not 0 <= one.start <= one.end <= size for one in truth):
        raise DataError(asked, f"a span leaves its {size} characters", "Give the text it counts in")
    ours = marked_spans(analysis, marked)
    both = shared_characters(ours, truth)
    mine, theirs = characters(ours) - both, characters(truth) - both
    return np.array([both, mine, theirs, size - both - mine - theirs], np.int64)
