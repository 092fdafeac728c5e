"""What became of each span: of one article's predictions, and of its gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slant.errors import unknown_name
from slant.metrics.matching import Pair, best_pairs, check_share, ious, matched_spans, oriented
from slant.metrics.overlaps import meeting, overlap
from slant.metrics.triggers import OVERLAPS, span_number, trigger_shares
from slant.types import Answer, Mark, Span

PREDICTED_FATES = ("matched", "same-bias", "other-bias", "unmarked", "unlocated")
GOLD_FATES = ("found", "missed", "unlocated")
"""Of located spans; what `TriggerFate.unlocated` holds is unlocated on either side."""


@dataclass(frozen=True, slots=True)
class SpanFate:
    """What became of one located span.

    Fields:
        start, end: as in `Span`.
        fate: of a prediction: "matched" with a gold span of its bias; "same-bias", it shares a
            character with such a span and is not matched; "other-bias", it does with spans of
            other biases alone; "unmarked", with none. Of gold: "found" or "missed".
        biases: the codes on the other side that it shares a character with, sorted.
        iou: with the span that it is matched with, else 0.
    """

    start: int
    end: int
    fate: str
    biases: tuple[str, ...]
    iou: float


@dataclass(frozen=True, slots=True)
class TriggerFate:
    """What became of one trigger.

    Fields:
        bias: its code.
        matched: whether it is paired with a trigger of the other side.
        spans: of its located spans, in their order.
        unlocated: its strings that stand nowhere in the text.
    """

    bias: str
    matched: bool
    spans: tuple[SpanFate, ...]
    unlocated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArticleFates:
    """What became of the triggers of one article, each side in the order of its answer."""

    predicted: tuple[TriggerFate, ...]
    gold: tuple[TriggerFate, ...]


def span_fates(
    gold: Answer,
    predicted: Answer,
    *,
    span_threshold: float,
    trigger_threshold: float = 0.5,
    trigger_overlap: str = "dice",
) -> ArticleFates:
    """The fate of every span and trigger of one article, by the rules of `trigger_tallies`.

    So many spans are "matched" and so many "found" as the article has hits at the level of spans,
    and so many triggers on each side `matched` as it has hits at the level of triggers.

    Args:
        gold, predicted: answers with located spans.
        span_threshold, trigger_threshold: as in `trigger_tallies`.
        trigger_overlap: one of "dice", "jaccard", "max".

    Returns:
        One `TriggerFate` for each mark of each answer.

    >>> repeated = Mark("B01", (Span(0, 10), Span(20, 30)))
    >>> gold = Answer(marks=(repeated, Mark("B02", (Span(40, 60),))))
    >>> spans = (Span(0, 9), Span(28, 50), Span(58, 70), Span(80, 90))
    >>> fates = span_fates(gold, Answer(marks=(Mark("B01", spans),)), span_threshold=0.5)
    >>> [one.fate for one in fates.predicted[0].spans], [one.fate for one in fates.gold[0].spans]
    (['matched', 'same-bias', 'other-bias', 'unmarked'], ['found', 'missed'])
    """
    if trigger_overlap not in OVERLAPS:
        raise unknown_name("overlap of triggers", trigger_overlap, OVERLAPS)
    check_share(span_threshold, "IoU of spans")
    check_share(trigger_threshold, "overlap of triggers")
    said, truth = predicted.marks, gold.marks
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    triggers: list[Pair] = []
    for bias in sorted({mark.category for mark in said} & {mark.category for mark in truth}):
        mine = [n for n, mark in enumerate(said) if mark.category == bias and span_number(mark)]
        theirs = [n for n, mark in enumerate(truth) if mark.category == bias and span_number(mark)]
        places, others = _places(said, mine), _places(truth, theirs)
        pairs = matched_spans(
            [said[n].spans[k] for n, k in places],
            [truth[n].spans[k] for n, k in others],
            span_threshold,
        )
        spans |= {places[i]: others[j] for i, j in pairs}
        paired = _paired(
            [said[n] for n in mine],
            [truth[n] for n in theirs],
            (span_threshold, trigger_threshold),
            trigger_overlap,
        )
        triggers += [(mine[i], theirs[j]) for i, j in paired]
    back = {gold_place: place for place, gold_place in spans.items()}
    return ArticleFates(
        _side(said, truth, spans, {i for i, _ in triggers}, True),
        _side(truth, said, back, {j for _, j in triggers}, False),
    )


def _places(marks: Sequence[Mark], chosen: Sequence[int]) -> list[tuple[int, int]]:
    return [(n, k) for n in chosen for k in range(len(marks[n].spans))]


def _paired(
    said: list[Mark], truth: list[Mark], thresholds: tuple[float, float], trigger_overlap: str
) -> list[Pair]:
    """Pairs of triggers of one bias."""

    def pairs(rows: list[Mark], columns: list[Mark]) -> list[Pair]:
        one, other = ([span for mark in side for span in mark.spans] for side in (rows, columns))
        shares = ious(one, other, thresholds[0])
        return best_pairs(trigger_shares(rows, columns, shares, thresholds[1])[trigger_overlap])

    return oriented(said, truth, _shape, pairs)


def _shape(mark: Mark) -> tuple[object, ...]:
    return sorted((span.start, span.end) for span in mark.spans), len(mark.quotes)


def _side(
    marks: Sequence[Mark],
    others: Sequence[Mark],
    matched: dict[tuple[int, int], tuple[int, int]],
    triggers: set[int],
    predicted: bool,
) -> tuple[TriggerFate, ...]:
    """The fates of one side's marks, `matched` leading from its spans to those of the other."""
    marked: dict[str, list[Span]] = {}
    for mark in others:
        marked.setdefault(mark.category, []).extend(mark.spans)
    tests = [(bias, meeting(marked[bias])) for bias in sorted(marked)]
    fates: list[TriggerFate] = []
    for n, mark in enumerate(marks):
        spans: list[SpanFate] = []
        for k, span in enumerate(mark.spans):
            start, end = span.start, span.end
            biases = tuple(bias for bias, meets in tests if meets(start, end))
            iou = 0.0
            if (n, k) in matched:
                mate, place = matched[n, k]
                iou = _iou(span, others[mate].spans[place])
            fate = _predicted_fate(mark.category, biases, iou) if predicted else _gold_fate(iou)
            spans.append(SpanFate(start, end, fate, biases, iou))
        fates.append(TriggerFate(mark.category, n in triggers, tuple(spans), mark.quotes))
    return tuple(fates)


def _predicted_fate(bias: str, biases: tuple[str, ...], iou: float) -> str:
    if iou:
        return "matched"
    if bias in biases:
        return "same-bias"
    return "other-bias" if biases else "unmarked"


def _gold_fate(iou: float) -> str:
    return "found" if iou else "missed"


def _iou(one: Span, other: Span) -> float:
    shared = overlap(one, other)
    return shared / (one.end - one.start + other.end - other.start - shared)
