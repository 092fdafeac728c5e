"""From quotes to places: where an article holds the strings that an answer gives."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

from slant.errors import unknown_name
from slant.metrics.alignment import best_windows
from slant.types import Answer, Mark, Span

STEPS = ("exact", "case", "space", "fuzzy", "unlocated")
"""How a quote was found, the first that succeeds; the first three are the literal ones."""

GoldUse = Literal["literal", "exact", "never"]
"""For which steps gold may choose among several places."""

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of one quote.

    Fields:
        quote: as the answer has it.
        span: its place, None where it is unlocated.
        step: one of STEPS.
        similarity: in [least, 1] for a fuzzy step, 1 for a literal one, None where unlocated.
    """

    quote: str
    span: Span | None
    step: str
    similarity: float | None


def located(
    text: str,
    answer: Answer,
    gold: Answer | None,
    *,
    least: float = 0.80,
    gold_use: GoldUse = "literal",
) -> tuple[Answer, tuple[tuple[Resolved, ...], ...]]:
    """Find the place of every quote of an answer.

    Steps, the first that succeeds: the string as it is; ignoring case; each run of white space
    read as one space (case held to, then ignored); the most similar window, from `least` on.
    Among several places of a literal step: one that no earlier span of the same bias in this
    answer has, then one that overlaps gold of that bias (of these, one that is a span of gold),
    then the leftmost. Among several equally similar windows: one that shares no character with an
    earlier span of that bias, then the leftmost, then the shortest; gold is not looked at.

    Args:
        text: of the article.
        answer: its marks have quotes; spans that they have already are kept, as used.
        gold: of the article, or None for no use of it.
        least: similarity that a fuzzy window must reach, in (0, 1].
        gold_use: "literal" for the three literal steps, "exact" for the first alone, "never".

    Returns:
        The answer with a span for each quote found and only the others as quotes; and what became
        of each quote, one tuple a mark, both in order.

    Raises:
        UnknownName: `gold_use` is none of the three.
        OptionError: `least` is not in (0, 1].

    Source: BAIT paper, section 5 (Locating spans) and appendix G.

    >>> mark = Mark("B01", quotes=("Taxes rise", "Taxes  rise", "Taxes fell"))
    >>> found, steps = located("Taxes rise. Taxes rise.", Answer(marks=(mark,)), None)
    >>> found.marks[0].spans, found.marks[0].quotes
    ((Span(start=0, end=10), Span(start=12, end=22)), ('Taxes fell',))
    >>> [one.step for one in steps[0]]
    ['exact', 'space', 'unlocated']
    """
    if gold_use not in get_args(GoldUse):
        raise unknown_name("use of gold", gold_use, get_args(GoldUse))
    guides: dict[str, set[Span]] = defaultdict(set)
    for mark in gold.marks if gold and gold_use != "never" else ():
        guides[mark.category].update(mark.spans)
    used: dict[str, set[Span]] = defaultdict(set)
    marks, steps = [], []
    for mark in answer.marks:
        taken = used[mark.category]
        taken.update(mark.spans)
        resolved = []
        for quote in mark.quotes:
            one = _resolved(text, quote, taken, guides[mark.category], least, gold_use)
            if one.span:
                taken.add(one.span)
            resolved.append(one)
        marks.append(_placed(mark, resolved))
        steps.append(tuple(resolved))
    return replace(answer, marks=tuple(marks)), tuple(steps)


def literal_places(text: str, quote: str) -> tuple[str, list[Span]]:
    """All places of a quote by the first literal step that has any.

    Args:
        text: of the article.
        quote: what is looked for; nothing but white space stands nowhere.

    Returns:
        The step, and the places from left to right, which may overlap; "unlocated" and none.

    >>> literal_places("aaa", "aa")
    ('exact', [Span(start=0, end=2), Span(start=1, end=3)])
    >>> literal_places("Die Straße", "STRASSE")
    ('case', [Span(start=4, end=10)])
    """
    if not quote.strip():
        return "unlocated", []
    spaced = " ".join(quote.split())
    tries = (
        ("exact", quote, False, False),
        ("case", quote.casefold(), True, False),
        ("space", spaced, False, True),
        ("space", spaced.casefold(), True, True),
    )
    for step, wanted, fold, collapse in tries:
        places = list(_places(text, wanted, fold, collapse))
        if places:
            return step, places
    return "unlocated", []


def _resolved(
    text: str,
    quote: str,
    used: Collection[Span],
    gold: Collection[Span],
    least: float,
    gold_use: GoldUse,
) -> Resolved:
    step, places = literal_places(text, quote)
    if places:
        guides = gold if gold_use == "literal" or step == "exact" else ()
        best = min(
            places,
            key=lambda place: (
                place in used,
                not _overlaps(place, guides),
                place not in guides,
                place.start,
                place.end,
            ),
        )
        return Resolved(quote, best, step, 1.0)
    if not quote.strip():
        return Resolved(quote, None, "unlocated", None)
    windows, similarity = best_windows(text, quote, least)
    if not windows:
        return Resolved(quote, None, "unlocated", None)
    free = (window for window in windows if not _overlaps(window, used))
    return Resolved(quote, next(free, windows[0]), "fuzzy", similarity)


def _placed(mark: Mark, resolved: Sequence[Resolved]) -> Mark:
    return replace(
        mark,
        spans=(*mark.spans, *(one.span for one in resolved if one.span)),
        quotes=tuple(one.quote for one in resolved if not one.span),
    )


def _overlaps(place: Span, others: Collection[Span]) -> bool:
    return any(place.start < other.end and other.start < place.end for other in others)


def _places(text: str, wanted: str, fold: bool, collapse: bool) -> Iterator[Span]:
    reading, origin = _reading(text, fold, collapse)
    at = reading.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if origin is None:
            yield Span(at, end)
        elif (not at or origin[at] != origin[at - 1]) and origin[end] != origin[end - 1]:
            # Otherwise it would start or end inside a character: one half of a folded ß
            yield Span(origin[at], origin[end])
        at = reading.find(wanted, at + 1)


@lru_cache(maxsize=256)
def _reading(text: str, fold: bool, collapse: bool) -> tuple[str, tuple[int, ...] | None]:
    """The text as a step reads it, and where each of its characters, and its end, come from.

    Folding case makes one character two or three (ß, İ), collapsing makes several one. None where
    each character stands for itself.
    """
    reading, origin = (text, None) if not collapse else _collapsed(text)
    if not fold:
        return reading, origin
    folded = reading.casefold()
    if len(folded) == len(reading):
        return folded, origin
    sources = origin or range(len(reading) + 1)
    spread: list[int] = []
    for source, one in zip(sources, reading, strict=False):
        spread.extend([source] * len(one.casefold()))
    return folded, (*spread, len(text))


def _collapsed(text: str) -> tuple[str, tuple[int, ...]]:
    origin: list[int] = []
    end = 0
    for run in _SPACE.finditer(text):
        origin.extend(range(end, run.start() + 1))
        end = run.end()
    return _SPACE.sub(" ", text), (*origin, *range(end, len(text) + 1))
