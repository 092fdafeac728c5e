"""Two passes -> gold: what the inclusion rule keeps, and what a third person must decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from slant.annotate.inclusion import LOWEST, RESERVED, Dropped, Kept, Merged, Open, Rule, place
from slant.annotate.passes import Paired, check_codes, found_codes, paired_passes
from slant.errors import DataError, OptionError
from slant.metrics.matching import Pair, Shares, best_pairs, ious, oriented
from slant.metrics.overlaps import characters, joined, shared_characters
from slant.metrics.triggers import trigger_shares
from slant.types import Example, Mark


def merged_gold(
    first: Sequence[Example],
    second: Sequence[Example],
    codes: Sequence[str] | None = None,
    *,
    names: tuple[str, str] = ("a", "b"),
    rule: Rule | None = None,
) -> Merged:
    """The gold that two passes give by the inclusion rule of BAIT.

    Rule: a trigger that both marked is kept; one that one alone marked is kept with high confidence
    and else decided by a third person. Triggers are paired one to one inside an article and bias,
    as many as can be. A pair gets the boundaries of the more confident annotator. A bias that was
    ticked in a first pass and that nobody marked in that article is decided by a third person.

    Args:
        first, second: the annotators' passes, their answers as `gold`; the same articles.
        codes: the categories; None for those that occur.
        names: of the annotators; they differ.
        rule: what the paper leaves open; None for the defaults of `Rule`.

    Raises:
        DataError: other articles or texts, an unknown category, a confidence off the scale.

    Source: BAIT, section 4.3; pairing and boundaries are ours.

    >>> from slant.types import Answer, Item, Span
    >>> one = Answer(marks=(Mark("B01", (Span(0, 4),), confidence=3),))
    >>> other = Answer(marks=(Mark("B01", (Span(5, 9),), confidence=2),))
    >>> item = Item("x", "Lost. Lost.")
    >>> found = merged_gold([Example(item, one)], [Example(item, other)])
    >>> [k.why for k in found.kept], [(o.kind, o.who) for o in found.open]
    (['high confidence'], [('trigger', ('b',))])
    """
    rule = rule or Rule()
    if names[0] == names[1] or set(names) & RESERVED:
        found = f"the annotators are named '{names[0]}' and '{names[1]}'"
        raise OptionError("Merging two passes", found, "Give two names, none of keep, drop, edit")
    pairs = paired_passes(first, second, names)
    known = found_codes(first, second) if codes is None else tuple(codes)
    check_codes(pairs, known, names)
    _check_confidence(pairs, names, rule)
    merged = Merged(tuple(pair.item for pair in pairs), known, names, rule)
    for pair in pairs:
        for code in known:
            sides = [
                sorted((m for m in answer.marks if m.category == code), key=place)
                for answer in (pair.first, pair.second)
            ]
            if any(sides):
                _merge(merged, pair.item.id, sides[0], sides[1])
            else:
                _tick(merged, pair, code)
    return merged


def _merge(merged: Merged, article: str, first: list[Mark], second: list[Mark]) -> None:
    rule, sides = merged.rule, (first, second)
    pairs = _paired(first, second, rule)
    for i, j in pairs:
        _settle(merged, article, first[i], second[j])
    for side, taken in enumerate(({i for i, _ in pairs}, {j for _, j in pairs})):
        who, others = merged.names[side], sides[1 - side]
        for at, mark in enumerate(sides[side]):
            if at in taken:
                continue
            shared = any(_shared(mark, other) for other in others)
            if shared and rule.regrouped == "keep":
                why = f"{merged.names[1 - side]} marked it too, grouped otherwise"
                merged.kept.append(Kept(article, mark, (who,), why))
                continue
            if not shared and _confidence(mark, rule) >= rule.high:
                merged.kept.append(Kept(article, mark, (who,), "high confidence"))
                continue
            why = f"{merged.names[1 - side]} did not mark it"
            if shared:
                why = f"{merged.names[1 - side]} grouped the passage otherwise"
            merged.open.append(Open(article, "trigger", mark, {who: mark}, (who,), why))


def _settle(merged: Merged, article: str, one: Mark, other: Mark) -> None:
    rule, names = merged.rule, merged.names
    marks = dict(zip(names, (one, other), strict=True))
    sure = [_confidence(mark, rule) for mark in (one, other)]
    given = [mark.confidence for mark in (one, other) if mark.confidence is not None]
    highest = max(given, default=None)
    if set(one.spans) == set(other.spans) and set(one.quotes) == set(other.quotes):
        both = replace(one, confidence=highest, note=_notes(one, other))
        merged.kept.append(Kept(article, both, names, "both marked it"))
        return
    union = replace(
        one,
        spans=tuple(joined((*one.spans, *other.spans))),
        quotes=tuple(dict.fromkeys((*one.quotes, *other.quotes))),
        confidence=highest,
        note=_notes(one, other),
    )
    sizes = [_size(one), _size(other)]
    if sure[0] != sure[1]:
        chosen, why = int(sure[1] > sure[0]), "who is more confident"
    elif rule.tie == "shorter" and sizes[0] != sizes[1]:
        chosen, why = int(sizes[1] < sizes[0]), "whose spans are shorter"
    elif rule.tie == "union":
        merged.kept.append(Kept(article, union, names, "both marked it; the union of both"))
        return
    else:
        why = "both marked it, with other boundaries and equal confidence"
        merged.open.append(Open(article, "boundaries", union, marks, names, why))
        return
    kept, left = names[chosen], names[1 - chosen]
    mark = replace(marks[kept], confidence=highest, note=_notes(one, other))
    why = f"the boundaries of {kept}, {why}"
    merged.kept.append(Kept(article, mark, names, f"both marked it; {why}"))
    merged.dropped.append(Dropped(article, marks[left], left, f"the same trigger has {why}"))


def _tick(merged: Merged, pair: Paired, code: str) -> None:
    answers = zip(merged.names, (pair.first, pair.second), strict=True)
    who = tuple(name for name, answer in answers if code in answer.labels)
    if who:
        why = "ticked in the first pass, and nobody marked where"
        merged.open.append(Open(pair.item.id, "first pass", Mark(code), {}, who, why))


def _paired(first: list[Mark], second: list[Mark], rule: Rule) -> list[Pair]:
    shares = _matching if rule.both == "match" else _overlapping
    return oriented(
        first,
        second,
        _sortable,
        lambda rows, columns: best_pairs(shares(rows, columns, rule.least)),
    )


def _matching(rows: list[Mark], columns: list[Mark], least: float) -> Shares:
    spans = [[span for mark in side for span in mark.spans] for side in (rows, columns)]
    return trigger_shares(rows, columns, ious(spans[0], spans[1], least), least)["dice"]


def _overlapping(rows: list[Mark], columns: list[Mark], least: float) -> Shares:
    return {
        (i, j): (shared, _size(one) + _size(other))
        for i, one in enumerate(rows)
        for j, other in enumerate(columns)
        if (shared := _shared(one, other))
    }


def _sortable(mark: Mark) -> tuple[object, ...]:
    return place(mark), mark.quotes, mark.confidence or 0, mark.note, mark.id or ""


def _shared(one: Mark, other: Mark) -> int:
    quotes = sum(len(quote) for quote in set(one.quotes) & set(other.quotes))
    return shared_characters(joined(one.spans), joined(other.spans)) + quotes


def _size(mark: Mark) -> int:
    return characters(joined(mark.spans)) + sum(len(quote) for quote in set(mark.quotes))


def _notes(*marks: Mark) -> str:
    return "\n".join(dict.fromkeys(mark.note for mark in marks if mark.note))


def _confidence(mark: Mark, rule: Rule) -> float:
    if mark.confidence is not None:
        return mark.confidence
    return rule.high if rule.unrated == "high" else LOWEST - 1


def _check_confidence(pairs: Sequence[Paired], names: tuple[str, str], rule: Rule) -> None:
    for who, article, mark in _marks(pairs, names):
        if mark.confidence is not None and not LOWEST <= mark.confidence <= rule.high:
            trigger = f"the trigger {mark.id or mark.category} of article '{article}'"
            raise DataError(
                f"Reading the pass of {who}",
                f"{trigger} has the confidence {mark.confidence:g}, the scale goes from {LOWEST} "
                f"to {rule.high:g}",
                "Correct it, or name the highest rating with --high",
            )


def _marks(pairs: Sequence[Paired], names: tuple[str, str]) -> Iterator[tuple[str, str, Mark]]:
    for pair in pairs:
        for who, answer in zip(names, (pair.first, pair.second), strict=True):
            yield from ((who, pair.item.id, mark) for mark in answer.marks)
