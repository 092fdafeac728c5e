"""Small passes for the tests of gold sets."""

from __future__ import annotations

from slant.types import Answer, Example, Item, Mark, Span


def mark(code, *pairs, sure=None, quotes=(), note="", id=None):
    spans = tuple(Span(start, end) for start, end in pairs)
    return Mark(code, spans, tuple(quotes), sure, id, note)


def article(id, text, *marks, labels=()):
    return Example(Item(id, text), Answer(labels=frozenset(labels), marks=tuple(marks)))


TEXT = "Aa bb cc dd ee ff gg hh ii jj"
"""Ten words of two letters: word n is [3 n, 3 n + 2)."""


def word(first, last=None):
    return 3 * first, 3 * (first if last is None else last) + 2
