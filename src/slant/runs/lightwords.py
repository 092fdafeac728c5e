"""Whether the words that carry the light detector's probabilities are those that people marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from slant.analysis.detectors import LEVEL, LoadedDetector
from slant.explain.words import Words, rationale_words, text_words
from slant.metrics.rationale import plausibility
from slant.stats.resampling import generator
from slant.types import Array, Estimate, Floats, Span, Undefined

RESAMPLES: Final = 2_000
SEED: Final = 42


def words_auroc(
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    detectors: Sequence[LoadedDetector],
    groups: Array,
) -> Estimate | Undefined:
    """The mean AUROC of words' contributions against the words that people marked.

    Rule: of each text with marked and unmarked words, the chance that a marked word contributes
    more than an unmarked one, ties half; words that the detector does not know contribute 0. The
    interval is a percentile bootstrap over groups.

    Args:
        texts: (n,).
        spans: (n,) marked by people.
        detectors: (n,) who weighs each text; one that did not learn from it.
        groups: (n,) integers: texts that are drawn together.

    Returns:
        In [0, 1], 0.5 for words weighed by chance; undefined without such a text.
    """
    gold, scores = [], []
    for text, own, detector in zip(texts, spans, detectors, strict=True):
        words = text_words(text)
        gold.append(rationale_words(words, own))
        scores.append(contributed(detector, words))
    found = plausibility(gold, scores)
    values = found.by_sentence["auroc"]
    if not values.size:
        return Undefined("no text has both marked and unmarked words")
    _, group = np.unique(groups[found.shown], return_inverse=True)
    sums, sizes = np.bincount(group, values), np.bincount(group)
    stream = generator(SEED, ["words_auroc"])
    drawn = stream.integers(len(sums), size=(RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    method = f"percentile bootstrap over groups, {RESAMPLES:,} resamples"
    return Estimate(float(values.mean()), low, high, level=LEVEL, n=len(values), method=method)


def contributed(detector: LoadedDetector, words: Words) -> Floats:
    """(words,) what each word of a text adds to a detector's answer.

    Args:
        detector: that is asked; all words add nothing where its words cannot be weighed.
        words: of the text; a term of the detector counts for the word that it begins in.
    """
    scores = np.zeros(len(words))
    told = detector.contributions([words.text]) or [[]]
    for start, _, weight in told[0]:
        at = int(np.searchsorted(words.starts, start, side="right")) - 1
        if at >= 0 and start < words.ends[at]:
            scores[at] += weight
    return scores
