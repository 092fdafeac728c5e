"""Partial overlap of characters: the metrics of the propaganda corpus (PTC)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slant.metrics.overlaps import joined, overlap
from slant.types import Span


@dataclass(frozen=True, slots=True)
class PartialOverlap:
    """Precision, recall and F1 with credit for the share of a span that is covered.

    Fields:
        precision: credit of the predicted spans / their number; 0 where there is none.
        recall: credit of the gold spans / their number; 0 where there is none.
        f1: harmonic mean; 0 where precision or recall is; 1 where neither side has a span.
        predicted_credit, gold_credit: sums of shared characters / characters of the span.
        predicted_spans, gold_spans: after joining those that share a character.
    """

    precision: float
    recall: float
    f1: float
    predicted_credit: float
    gold_credit: float
    predicted_spans: int
    gold_spans: int


def ptc_si(
    gold: Mapping[str, Sequence[Span]], predicted: Mapping[str, Sequence[Span]]
) -> PartialOverlap:
    """Span identification: which characters are propaganda, by partial overlap.

    Rule: inside an article, spans of one side that share a character are joined. Then over all
    pairs of a predicted span s and a gold span t of one article, with |s & t| shared characters:
    P = sum |s & t| / |s| over the number of predicted spans, R = sum |s & t| / |t| over the number
    of gold spans. Every article counts, also one without predictions, whose gold spans are missed.

    Args:
        gold, predicted: article id -> spans, in any order.

    Returns:
        In [0, 1]; exchanging the sides exchanges precision and recall.

    Source: Da San Martino et al. 2020 (SemEval-2020 task 11), task SI. The joining, and what 0/0 is
        worth, are those of the official scorer.

    >>> found = ptc_si({"a": [Span(0, 10), Span(20, 30)]}, {"a": [Span(5, 25)]})
    >>> found.precision, found.recall  # (5 + 5) / 20 of 1 span, 5/10 + 5/10 of 2 spans
    (0.5, 0.5)
    """
    ids = sorted(gold.keys() | predicted.keys())
    return _scored([_credits(gold.get(one, ()), predicted.get(one, ())) for one in ids])


def ptc_flc(
    gold: Mapping[str, Mapping[str, Sequence[Span]]],
    predicted: Mapping[str, Mapping[str, Sequence[Span]]],
) -> tuple[PartialOverlap, dict[str, PartialOverlap]]:
    """Fragment classification: the same for spans with a technique, pairs being of one technique.

    Args:
        gold, predicted: article id -> technique -> spans.

    Returns:
        Over all techniques together, and for each that either side has. The recall of a technique
        has its own credit above the line; the official scorer prints there the credit of the
        predicted spans, `predicted_credit / gold_spans`.

    Source: Da San Martino et al. 2019 (the propaganda corpus), task FLC.
    """
    credits: dict[str, list[_Credits]] = {}
    for one in sorted(gold.keys() | predicted.keys()):
        truth, said = gold.get(one, {}), predicted.get(one, {})
        for technique in sorted(truth.keys() | said.keys()):
            found = _credits(truth.get(technique, ()), said.get(technique, ()))
            credits.setdefault(technique, []).append(found)
    every = [one for each in credits.values() for one in each]
    return _scored(every), {name: _scored(credits[name]) for name in sorted(credits)}


_Credits = tuple[float, int, float, int]


def _credits(gold: Sequence[Span], predicted: Sequence[Span]) -> _Credits:
    """Credit and number of predicted spans, credit and number of gold spans, of one article."""
    truth, said = joined(gold), joined(predicted)
    covered, found = [0] * len(said), [0] * len(truth)
    begin = 0
    for i, span in enumerate(said):
        while begin < len(truth) and truth[begin].end <= span.start:
            begin += 1
        for j in range(begin, len(truth)):
            if truth[j].start >= span.end:
                break
            shared = overlap(span, truth[j])
            covered[i] += shared
            found[j] += shared
    return _credit(said, covered), len(said), _credit(truth, found), len(truth)


def _credit(spans: Sequence[Span], shared: Sequence[int]) -> float:
    # Characters are added up before they are divided: a span that is covered whole has exactly 1.
    return sum(n / (span.end - span.start) for n, span in zip(shared, spans, strict=True))


def _scored(credits: Sequence[_Credits]) -> PartialOverlap:
    above, said, below, truth = (
        (sum(column) for column in zip(*credits, strict=True)) if credits else (0.0, 0, 0.0, 0)
    )
    precision = above / said if said else 0.0
    recall = below / truth if truth else 0.0
    if not said and not truth:
        f1 = 1.0
    elif precision and recall:
        f1 = 2 * precision * recall / (precision + recall)
    else:
        f1 = 0.0
    return PartialOverlap(precision, recall, f1, above, below, said, truth)
