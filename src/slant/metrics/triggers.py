"""Counts of bias triggers at four levels: biases of an article, characters, spans, triggers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slant.errors import DataError, unknown_name
from slant.metrics.matching import Pair, Shares, best_pairs, check_share, ious
from slant.metrics.overlaps import characters, joined, shared_characters
from slant.metrics.tallies import FN, FP, TN, TP, cluster_codes
from slant.types import Answer, Mark, Span, Tally

LEVELS = ("detection", "characters", "spans", "triggers")
OVERLAPS = ("dice", "jaccard", "max")
"""How alike two triggers are, of m matched spans out of p and g: 2m / (p + g), m / (p + g - m),
m / max(p, g)."""
TALLIES = (*LEVELS[:3], *(f"triggers_{overlap}" for overlap in OVERLAPS))


def trigger_tallies(
    gold: Sequence[Answer],
    predicted: Sequence[Answer],
    units: Sequence[str],
    categories: Sequence[str],
    *,
    span_threshold: float,
    trigger_threshold: float,
) -> dict[str, Tally]:
    """Hits, false alarms and misses per article and bias, at every level.

    Rules, all inside one article and one bias:
        detection: the bias is in the labels or has a trigger. Agreed absence counts as tn, which
            no other level has.
        characters: those of all spans as a set, each character once however many spans hold it.
        spans: each span of each trigger counts, equal ones separately; they are paired one to one
            (`matched_spans`) at an IoU of `span_threshold` or more.
        triggers: paired one to one, as many as possible, where their overlap (`OVERLAPS`) is
            `trigger_threshold` or more; m is the largest number of pairs of a span of the one and
            a span of the other.
    An unlocated string (a quote) matches nothing, not even an equal one on the other side: as
    characters it counts its own length, none of them shared; it is one span that is never paired
    and one of the spans of its trigger. A trigger without any span counts for detection alone.
    Exchanging gold and predictions exchanges fp and fn.

    Args:
        gold, predicted: (articles,) answers with located spans; an unusable prediction is an empty
            answer.
        units: (articles,) the ids, also what the bootstrap resamples.
        categories: the codes of all biases.
        span_threshold, trigger_threshold: in (0, 1]; the paper's are both 0.5.

    Returns:
        By the names in `TALLIES`; counts of shape (articles, categories, 4).

    Raises:
        DataError: a span holds no character, or the lengths differ.
        UnknownName: a bias is not in `categories`.

    Source: BAIT, section 5.2. The equation of trigger overlap is not in the text that we have;
    "dice" is a reconstruction.

    >>> gold = Answer(marks=(Mark("B01", (Span(0, 10), Span(40, 50), Span(80, 90))),))
    >>> said = Answer(marks=(Mark("B01", (Span(0, 10),), ("not in it",)),))
    >>> tallies = trigger_tallies(
    ...     [gold], [said], ["a"], ["B01"], span_threshold=0.5, trigger_threshold=0.4
    ... )
    >>> {name: tally.counts[0, 0, :3].tolist() for name, tally in tallies.items()}
    {'detection': [1, 0, 0], 'characters': [10, 9, 20], 'spans': [1, 1, 2],
    'triggers_dice': [1, 0, 0], 'triggers_jaccard': [0, 1, 1], 'triggers_max': [0, 1, 1]}
    """
    check_share(span_threshold, "IoU of spans")
    check_share(trigger_threshold, "overlap of triggers")
    if not len(gold) == len(predicted) == len(units):
        found = f"there are {len(gold)} gold answers and {len(predicted)} predictions"
        raise DataError(
            f"Counting triggers in {len(units)} articles", found, "Give one of each for an article"
        )
    place = {category: n for n, category in enumerate(categories)}
    counts = np.zeros((len(TALLIES), len(units), len(place), 4), np.int64)
    counts[0, :, :, TN] = 1
    for n, unit in enumerate(units):
        truth, said = biases_of(gold[n]), biases_of(predicted[n])
        for bias in truth.keys() | said.keys():
            if bias not in place:
                raise unknown_name(f"bias of article '{unit}'", bias, place)
            cells = counts[:, n, place[bias]]
            cells[0, TN] = 0
            cells[0, FN if bias not in said else TP if bias in truth else FP] = 1
            levels = _located_counts(
                truth.get(bias, []), said.get(bias, []), unit, span_threshold, trigger_threshold
            )
            cells[1:, :TN] = levels
    clusters = cluster_codes(units)
    groups = np.zeros(len(units), np.int64)
    return {
        name: Tally(counts[level], units, groups, clusters, tuple(categories))
        for level, name in enumerate(TALLIES)
    }


def biases_of(answer: Answer) -> dict[str, list[Mark]]:
    """The triggers of each bias that an answer says is there, by label or by trigger.

    A bias with a label alone has an empty list; triggers without any span are in none.

    >>> biases_of(Answer(frozenset({"B01"}), (Mark("B02", quotes=("x",)),)))
    {'B01': [], 'B02': [Mark(category='B02', spans=(), quotes=('x',), ...)]}
    """
    found: dict[str, list[Mark]] = {bias: [] for bias in sorted(answer.labels)}
    for mark in answer.marks:
        marks = found.setdefault(mark.category, [])
        if mark.spans or mark.quotes:
            marks.append(mark)
    return found


def trigger_shares(
    first: Sequence[Mark], second: Sequence[Mark], shares: Shares, threshold: float
) -> dict[str, Shares]:
    """The pairs of triggers that overlap enough to be paired.

    Args:
        first, second: triggers of one article and bias.
        shares: `ious` of their spans, each side's spans in a row, trigger after trigger.
        threshold: in (0, 1]; reached or passed.

    Returns:
        By the names in `OVERLAPS`: (index in first, index in second) -> overlap as numerator and
        denominator.
    """
    owner, other_owner = _owners(first), _owners(second)
    between: dict[Pair, Shares] = {}
    for (i, j), share in shares.items():
        between.setdefault((owner[i], other_owner[j]), {})[i, j] = share
    found: dict[str, Shares] = {name: {} for name in OVERLAPS}
    for (i, j), pairs in between.items():
        matched = len(best_pairs(pairs))
        size, other_size = span_number(first[i]), span_number(second[j])
        for name, share in (
            ("dice", (2 * matched, size + other_size)),
            ("jaccard", (matched, size + other_size - matched)),
            ("max", (matched, max(size, other_size))),
        ):
            if share[0] / share[1] >= threshold:
                found[name][i, j] = share
    return found


def span_number(mark: Mark) -> int:
    """How many spans a trigger has, unlocated strings among them."""
    return len(mark.spans) + len(mark.quotes)


def _located_counts(
    gold: Sequence[Mark],
    said: Sequence[Mark],
    unit: str,
    span_threshold: float,
    trigger_threshold: float,
) -> list[tuple[int, int, int]]:
    """tp, fp and fn of all levels but detection, for one article and bias."""
    if not gold and not said:
        return [(0, 0, 0)] * (len(TALLIES) - 1)
    spans, other = _spans(gold, unit), _spans(said, unit)
    runs, other_runs = joined(spans), joined(other)
    shared = shared_characters(runs, other_runs)
    lost = sum(len(quote) for mark in gold for quote in mark.quotes)
    other_lost = sum(len(quote) for mark in said for quote in mark.quotes)
    size, other_size = sum(map(span_number, gold)), sum(map(span_number, said))
    shares = ious(spans, other, span_threshold)
    paired = len(best_pairs(shares))
    counts = [
        (shared, characters(other_runs) + other_lost - shared, characters(runs) + lost - shared),
        (paired, other_size - paired, size - paired),
    ]
    for pairs in trigger_shares(gold, said, shares, trigger_threshold).values():
        hits = len(best_pairs(pairs))
        counts.append((hits, len(said) - hits, len(gold) - hits))
    return counts


def _spans(marks: Sequence[Mark], unit: str) -> list[Span]:
    spans = [span for mark in marks for span in mark.spans]
    for span in spans:
        if not 0 <= span.start < span.end:
            found = f"it has a span from {span.start} to {span.end}"
            raise DataError(
                f"Counting triggers in article '{unit}'",
                found,
                "Give each span a character or more",
            )
    return spans


def _owners(marks: Sequence[Mark]) -> list[int]:
    return [n for n, mark in enumerate(marks) for _ in mark.spans]
