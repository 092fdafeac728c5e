"""From quotes to places: where an article holds the strings that an answer gives."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
    guides: dict[str, _Marked] = defaultdict(lambda: _Marked(len(text)))
    for mark in gold.marks if gold and gold_use != "never" else ():
        guides[mark.category].add(mark.spans)
    used: dict[str, _Marked] = defaultdict(lambda: _Marked(len(text)))
    offers: dict[tuple[str, str], _Offer] = {}
    marks, steps = [], []
    for mark in answer.marks:
        taken = used[mark.category]
        taken.add(mark.spans)
        resolved = []
        for quote in mark.quotes:
            key = mark.category, quote
            if key not in offers:
                offers[key] = _offered(text, quote, guides[mark.category], least, gold_use)
            one = Resolved(quote, offers[key].choice(taken), *offers[key].how)
            taken.add([one.span] if one.span else [])
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


class _Marked:
    """Spans of one bias in one text, and which of its characters lie in any of them."""

    __slots__ = ("characters", "spans")

    def __init__(self, size: int) -> None:
        self.spans: set[Span] = set()
        self.characters = bytearray(size)

    def add(self, spans: Iterable[Span]) -> None:
        for span in spans:
            start, end = max(span.start, 0), min(span.end, len(self.characters))
            if span not in self.spans and start < end:
                self.characters[start:end] = b"\1" * (end - start)
            self.spans.add(span)

    def meets(self, place: Span) -> bool:
        return self.characters.find(1, place.start, place.end) >= 0


@dataclass(slots=True)
class _Offer:
    """The places of one string for one bias, the best first, those before `at` taken.

    What is taken stays taken, so that a string said a thousand times is looked up once.
    """

    how: tuple[str, float | None]
    places: Sequence[Span]
    at: int = 0

    def choice(self, taken: _Marked) -> Span | None:
        fuzzy = self.how[0] == "fuzzy"
        while self.at < len(self.places):
            place = self.places[self.at]
            if not (taken.meets(place) if fuzzy else place in taken.spans):
                return place
            self.at += 1
        return self.places[0] if self.places else None


def _offered(text: str, quote: str, gold: _Marked, least: float, gold_use: GoldUse) -> _Offer:
    step, places = literal_places(text, quote)
    if places:
        if gold.spans and (gold_use == "literal" or step == "exact"):
            places.sort(key=lambda one: (not gold.meets(one), one not in gold.spans))
        return _Offer((step, 1.0), places)
    windows, similarity = best_windows(text, quote, least) if quote.strip() else ([], 0.0)
    return _Offer(("fuzzy", similarity) if windows else ("unlocated", None), windows)


def _placed(mark: Mark, resolved: Sequence[Resolved]) -> Mark:
    return replace(
        mark,
        spans=(*mark.spans, *(one.span for one in resolved if one.span)),
        quotes=tuple(one.quote for one in resolved if not one.span),
    )


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
