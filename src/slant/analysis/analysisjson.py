"""An analysis as values of JSON: what `analyses.jsonl` holds, one article a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from slant.analysis.analyses import FORMAT, Analysis, DetectorFacts, Measure, Sentence
from slant.types import Estimate, Span, Undefined


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """The whole analysis as values of JSON; docs/analyze-evidence.md names every key.

    Places are [start, end) in code points of `article.text`. An estimate is {value, low, high,
    level, n, method}, low and high null where there is no interval; what is undefined is
    {value: null, why}; a probability is {value, low, high}. Numbers are not rounded.
    """
    article = analysis.article
    return {
        "format": FORMAT,
        "article": {one.name: getattr(article, one.name) for one in fields(article)},
        "detectors": [detector_json(one) for one in analysis.detectors],
        "biases": [asdict(one) for one in analysis.biases],
        "profile": [_measure(one) for one in analysis.profile],
        "most": [asdict(one) for one in analysis.most],
        "least": [asdict(one) for one in analysis.least],
        "left_out": list(analysis.left_out),
        "sentences": [_sentence(one) for one in analysis.sentences],
    }


def detector_json(facts: DetectorFacts) -> dict[str, Any]:
    """What is known of a detector and of the kinds that it tells apart, as values of JSON."""
    kinds = [
        {**asdict(one), "f1": estimate_json(one.f1), "precision": estimate_json(one.precision)}
        for one in facts.kinds
    ]
    return {**asdict(facts), "f1": estimate_json(facts.f1), "kinds": kinds}


def estimate_json(estimate: Estimate | Undefined) -> dict[str, Any]:
    """A number with its interval, or why there is none.

    >>> estimate_json(Undefined("no sentence"))
    {'value': None, 'why': 'no sentence'}
    """
    if isinstance(estimate, Undefined):
        return {"value": None, "why": estimate.why}
    return asdict(estimate)


def _spans(spans: Iterable[Span]) -> list[list[int]]:
    return [[one.start, one.end] for one in spans]


def _measure(measure: Measure) -> dict[str, Any]:
    return {"key": measure.key, "says": measure.says, **estimate_json(measure.estimate)}


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "paragraph": sentence.paragraph,
        "title": sentence.title,
        "voice": sentence.voice,
        "quoted": _spans(sentence.quoted),
        "probabilities": {
            name: {"value": one.value, "low": one.low, "high": one.high}
            for name, one in sentence.probabilities.items()
        },
        "abstained": dict(sentence.abstained),
        "kinds": dict(sentence.kinds),
        "words": [asdict(one) for one in sentence.words],
        "cues": [asdict(one) for one in sentence.cues],
        "triggers": [{**asdict(one), "spans": _spans(one.spans)} for one in sentence.triggers],
    }
