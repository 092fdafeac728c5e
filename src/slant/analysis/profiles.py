"""The profile of an article: shares of its sentences with intervals, and its extreme passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from slant.analysis.analyses import DetectorFacts, Grade, Measure, Passage, Sentence
from slant.analysis.detectors import LEVEL, VERDICTS, verdict
from slant.analysis.widening import widened
from slant.stats.intervals import wilson
from slant.stats.resampling import generator
from slant.types import Estimate, Undefined

RESAMPLES: Final = 1_000
SEED: Final = 42
WINDOW: Final = 3
"""Sentences of a passage."""
SHOWN: Final = 3
"""Passages that are given at either end, at most."""


def profile(
    sentences: Sequence[Sentence],
    detectors: Sequence[DetectorFacts],
    categories: Sequence[str],
    biases: Sequence[str],
    asked: bool = False,
) -> tuple[Measure, ...]:
    """Shares of an article's sentences with 95 % intervals.

    Keys, in this order: "quoted" (sentences at least half of whose words are quoted, of all);
    then, of the sentences that are not quoted, for each detector "probability:NAME" (the mean of
    the probabilities) and "biased:NAME", "not biased:NAME", "no verdict:NAME", which add up to 1,
    and for each kind of bias that it tells "kind:KIND" (called biased, and its probability of the
    kind reaches the threshold of the kind; one sentence may have several kinds or none);
    "cues:CATEGORY" and "trigger cue:CODE" (with at least one cue outside quotation marks); and
    "trigger:CODE" (with a trigger that a model found), where one was asked.

    Shares have Wilson's interval, means a percentile bootstrap over sentences that is made no
    narrower than Wilson's for a share of that size (`widening.widened`). Both take the
    sentences for a sample of those that could have been written, independent of one another; they
    hold neither the detector's errors nor the labels' doubt.

    Args:
        sentences: of one article.
        detectors: that were asked.
        categories: of the lexicon.
        biases: codes of the schema.
        asked: whether a model was asked for triggers.

    Returns:
        Nothing for an article without a sentence.

    >>> [(m.key, m.estimate.value) for m in profile([Sentence(0, 4)], [], ["loaded"], [])]
    [('quoted', 0.0), ('cues:loaded', 0.0)]
    """
    if not sentences:
        return ()
    own = [one for one in sentences if one.voice != "quoted"]
    found = [_share("quoted", len(sentences) - len(own), len(sentences))]
    for detector in detectors:
        name = detector.name
        told = [one.probabilities[name].value for one in own if name in one.probabilities]
        found.append(_mean(f"probability:{name}", told))
        verdicts = [verdict(one, detector) for one in own]
        found += [_share(f"{one}:{name}", verdicts.count(one), len(own)) for one in VERDICTS]
        for told_kind in detector.good_kinds:
            number = sum(told_kind.holds(one.kinds.get(told_kind.name)) for one in own)
            found.append(_share(f"kind:{told_kind.name}", number, len(own)))
    cued = [{cue.category for cue in one.cues if not cue.quoted} for one in own]
    for category in categories:
        found.append(_share(f"cues:{category}", sum(category in c for c in cued), len(own)))
    grades: dict[str, Grade] = {"trigger cue": "cue found", "trigger": "trigger found"}
    marks = [{(cue.grade, cue.bias) for cue in one.triggers if not cue.quoted} for one in own]
    for kind, grade in grades.items():
        for code in biases if asked or kind == "trigger cue" else ():
            number = sum((grade, code) in one for one in marks)
            found.append(_share(f"{kind}:{code}", number, len(own)))
    return tuple(found)


def measure_says(key: str) -> str:
    """What the measure of a key is a share or mean of.

    >>> measure_says("cues:loaded")
    'sentences that are not quoted with a cue of the category loaded'
    """
    kind, _, name = key.partition(":")
    voice = "sentences that are not quoted"
    return {
        "quoted": "sentences at least half of whose words are quoted",
        "probability": f"mean probability of {voice} by {name}",
        "biased": f"{voice} that {name} calls biased",
        "not biased": f"{voice} that {name} calls not biased",
        "no verdict": f"{voice} for which {name} gives no verdict",
        "kind": f"{voice} that are called biased and of the kind {name}",
        "cues": f"{voice} with a cue of the category {name}",
        "trigger cue": f"{voice} with a surface cue of {name}",
        "trigger": f"{voice} with a trigger of {name} found by the model",
    }[kind]


def _share(key: str, number: int, of: int) -> Measure:
    nothing = Undefined("there is no sentence that is not quoted")
    return Measure(key, measure_says(key), wilson(number, of, LEVEL) if of else nothing)


def _mean(key: str, values: Sequence[float]) -> Measure:
    """The mean of probabilities with its interval over sentences."""
    says, size = measure_says(key), len(values)
    if not size:
        return Measure(key, says, Undefined("no sentence that is not quoted has a probability"))
    own = np.array(values)
    if size < 2:
        alone = Estimate(float(own[0]), None, None, level=LEVEL, n=1, method="one sentence")
        return Measure(key, says, alone)
    stream = generator(SEED, ["profile", "mean"])
    draws = np.empty(RESAMPLES)
    step = max(1, 1_000_000 // size)
    for first in range(0, RESAMPLES, step):
        number = min(step, RESAMPLES - first)
        draws[first : first + number] = own[stream.integers(size, size=(number, size))].mean(axis=1)
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    low, high = widened(low, high, float(own.sum()), size)
    method = (
        f"percentile bootstrap over sentences, {RESAMPLES:,} resamples, no narrower than Wilson's"
    )
    mean = Estimate(float(own.mean()), low, high, level=LEVEL, n=size, method=method)
    return Measure(key, says, mean)


def passages(sentences: Sequence[Sentence]) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """The most and the least loaded passages of an article.

    Rule: a passage is three consecutive sentences (all of them in a shorter text); its loading is
    the mean of the probabilities of those that have one and are not quoted, detectors averaged
    first. From the highest on, passages are taken that share no sentence with one taken before,
    three at most and no more than a third of all that fit, at least one; the same from the lowest
    on among what is left. Where there is but one passage, it is the most loaded and there is no
    least one.

    Returns:
        The most loaded, highest first, and the least loaded, lowest first.
    """
    loading = np.array([_loading(one) for one in sentences])
    size = min(WINDOW, len(sentences))
    candidates = []
    for first in range(len(sentences) - size + 1 if size else 0):
        part = loading[first : first + size]
        if not np.isnan(part).all():
            candidates.append((float(np.nanmean(part)), first))
    number = max(1, min(SHOWN, len(sentences) // (3 * WINDOW)))
    taken: set[int] = set()
    ends = []
    for sign in (-1, 1):
        chosen: list[Passage] = []
        for value, first in sorted(candidates, key=lambda one: (sign * one[0], one[1])):
            if len(chosen) == number:
                break
            if taken.isdisjoint(range(first, first + size)):
                taken.update(range(first, first + size))
                last = first + size - 1
                chosen.append(
                    Passage(sentences[first].start, sentences[last].end, first, last, value)
                )
        ends.append(tuple(chosen))
    return ends[0], ends[1]


def _loading(sentence: Sentence) -> float:
    told = [one.value for one in sentence.probabilities.values()]
    return float(np.mean(told)) if told and sentence.voice != "quoted" else np.nan
