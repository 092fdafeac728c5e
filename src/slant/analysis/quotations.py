"""Quoted speech in a text: what stands between quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from slant.metrics.overlaps import joined
from slant.types import Span

REACH: Final = 5
"""Lines that a quotation may go on for without a mark of its own."""

_DOUBLE: Final = re.compile(r"``|''|[\"“”„‟«»]|\r\n|[\r\n]")
_SINGLE: Final = re.compile(r"['‘’‚‹›]|[\r\n]")
_MEASURE: Final = re.compile(r"\d['’]\s?\d{1,2}$")
_ELISION: Final = re.compile(r"(?:\d\ds?|tis|twas|em|til|till|cause|n|round|bout|nuff)\b", re.I)
_BEFORE: Final = frozenset("([{-–—/=>‘'\"“")
_BEHIND: Final = frozenset(".,;:!?)]}…’'\"”")


def quotation_spans(text: str) -> list[Span]:
    """Where quoted speech stands, with its quotation marks.

    Rule: marks are straight and curly quotes, guillemets, and `` with '' of tokenised text. A
    straight mark opens before a word and behind white space, a bracket or a dash, and closes where
    one is open. A quotation that is not closed at the end of its line goes on where the next line
    begins with a mark (as newspapers print several paragraphs), or where a closing mark follows
    within five lines before any other; else a curly one ends with its line and a straight one is
    none. Single marks open and close in one line; an apostrophe, an elision ('90s, 'em) and a
    possessive (workers' rights), where a later mark can close, are none. Of quotations within
    quotations the outermost is given. Two marks with nothing between them hold no quotation.

    Args:
        text: of an article.

    Returns:
        Spans from left to right, none overlapping.

    >>> text = "He didn't say “the workers’ ‘last’ hope”, nor \\"no\\"."
    >>> [text[one.start : one.end] for one in quotation_spans(text)]
    ['“the workers’ ‘last’ hope”', '"no"']
    """
    outer = [one for one in _doubles(text) if text[one.start : one.end].strip("\"“”„‟«»`' ")]
    return joined([*outer, *_singles(text, outer)])


@dataclass(slots=True)
class _Open:
    """A quotation that is open: where, by which mark, and how it has gone on since."""

    start: int
    mark: str
    depth: int = 1
    line_end: int = -1
    lines: int = 0
    goes_on: bool = False

    @property
    def angled(self) -> bool:
        return self.mark in "«»"

    def spans(self) -> list[Span]:
        """What it quotes where no mark closes it."""
        if self.mark == '"' and not self.goes_on:
            return []
        return [Span(self.start, self.line_end)]


def _doubles(text: str) -> Iterator[Span]:
    now: _Open | None = None
    for found in _DOUBLE.finditer(text):
        mark, at, end = found.group(), found.start(), found.end()
        if mark[0] in "\r\n":
            if now is not None and _too_far(now, text, at, end):
                yield from now.spans()
                now = None
            continue
        before, behind = text[at - 1 : at] if at else "", text[end : end + 1]
        if mark == '"' and _MEASURE.search(text[max(0, at - 6) : at]):
            continue
        if now is None:
            now = _Open(at, mark) if _may_open(mark, before, behind) else None
        elif now.angled != (mark in "«»"):
            continue
        elif now.line_end >= 0 and behind.strip() and not text[_line_start(text, at) : at].strip():
            now.line_end, now.lines, now.goes_on = -1, 0, True
        elif _closes(mark, now.mark, before, behind):
            now.depth -= 1
            if now.depth == 0:
                yield Span(now.start, end)
                now = None
        elif now.line_end >= 0 or mark == '"':
            yield from now.spans() if now.line_end >= 0 else []
            now = _Open(at, mark)
        else:
            now.depth += 1
    if now is not None:
        now.line_end = len(text) if now.line_end < 0 else now.line_end
        yield from now.spans()


def _too_far(now: _Open, text: str, at: int, end: int) -> bool:
    """Note the end of a line in an open quotation; whether it has gone on for too many."""
    now.line_end = at if now.line_end < 0 else now.line_end
    # A blank line between two paragraphs is no line of its own.
    now.lines += bool(text[end : end + 1].strip())
    return now.lines > REACH


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", max(0, at - 80), at), text.rfind("\r", max(0, at - 80), at)) + 1


def _may_open(mark: str, before: str, behind: str) -> bool:
    free = not before.strip() or before in _BEFORE
    if mark in ("``", "“", "„", "‟", "«"):
        return bool(behind)
    if mark == '"':
        # Tokenised text has white space on both sides.
        return free and behind not in ("", "\n", "\r")
    return free and bool(behind.strip()) and behind not in _BEHIND


def _closes(mark: str, opener: str, before: str, behind: str) -> bool:
    if mark in ("”", "''"):
        return True
    inside = bool(before.strip()) and before not in "([{"
    ends = not behind.strip() or behind in _BEHIND
    if mark == '"':
        return inside or not behind.strip()
    if mark in "«»":
        return mark == "»" if opener == "«" else mark == "«"
    return opener in ("„", "”") or (inside and ends)


def _singles(text: str, outer: list[Span]) -> Iterator[Span]:
    start, opener, close, owned = -1, "", -1, False
    place = 0
    for found in _SINGLE.finditer(text):
        at, mark = found.start(), found.group()
        while place < len(outer) and outer[place].end <= at:
            place += 1
        inside = place < len(outer) and outer[place].start <= at
        if mark in "\r\n":
            if close > 0:
                yield Span(start, close)
            start, close = -1, -1
            continue
        if inside:
            continue
        before, behind = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
        if start >= 0 and _single_closes(mark, opener, before, behind):
            # The workers' hope: only the last such mark of a line can be the closing one.
            owned = (
                mark not in "›‹" and before in "sS" and text[at + 1 : at + 3].strip()[:1].islower()
            )
            close = at + 1
            if not owned:
                yield Span(start, close)
                start, close = -1, -1
        elif _single_opens(mark, before, behind, text[at + 1 : at + 7]):
            if close > 0:
                yield Span(start, close)
            start, opener, close = at, mark, -1
    if close > 0:
        yield Span(start, close)


def _single_opens(mark: str, before: str, behind: str, word: str) -> bool:
    if mark == "’" or (before and (before.isalnum() or before in ")]}.,;:!?’'")):
        return False
    if mark == "‹":
        return bool(behind.strip())
    return (behind.isalnum() or behind in '“"«') and behind != "" and not _ELISION.match(word)


def _single_closes(mark: str, opener: str, before: str, behind: str) -> bool:
    if opener in "‹›":
        return mark in "‹›" and mark != opener
    if mark in "‹›‚" or (mark == "‘" and opener != "‚"):
        return False
    if opener == "‘" and mark == "'":
        return False
    return bool(before.strip()) and not behind.isalnum()
