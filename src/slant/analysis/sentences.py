"""The sentences of an article with their paragraphs, and whose words they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from slant.analysis.analyses import Sentence, Voice
from slant.analysis.article import Article
from slant.analysis.quotations import quotation_spans
from slant.data.sentences import sentence_spans
from slant.data.words import word_ranges
from slant.types import Array, Span

LONGEST: Final = 1000
"""Characters of a sentence; what is longer is no sentence but a table or a text without stops."""

_BREAK: Final = re.compile(r"(?:\r\n|[\r\n])")


def article_sentences(article: Article) -> tuple[Sentence, ...]:
    """The sentences of an article, with paragraph, title, quoted speech and voice.

    Rule: sentences as `slant.data.sentences`; one of more than 1,000 characters is divided at
    white space into pieces of at most that. A paragraph is a line with text in it. Sentences in
    the title are those in the first line, where it is the article's title or that line is followed
    by a blank one, as in the propaganda corpus. The voice of a sentence is "outlet" where none of
    its words is quoted, "quoted" where at least half are, else "mixed".

    Args:
        article: any; without text it has no sentence.

    Returns:
        From left to right, none empty or overlapping; text[start:end] is the sentence.

    >>> text = 'Rain\\n\\nIt fell. "It fell on all of us, for days," Elm said.'
    >>> [(s.start, s.end, s.paragraph, s.title, s.voice) for s in
    ...     article_sentences(Article("a", text))]
    [(0, 4, 0, True, 'outlet'), (6, 14, 1, False, 'outlet'), (15, 58, 1, False, 'quoted')]
    """
    text = article.text
    spans = [piece for span in sentence_spans(text) for piece in _pieces(text, span)]
    if not spans:
        return ()
    starts = np.array([span.start for span in spans], np.int64)
    ends = np.array([span.end for span in spans], np.int64)
    quotations = quotation_spans(text)
    paragraphs = _paragraphs(text, starts)
    title_end = _title_end(article)
    voices = _voices(text, starts, ends, quotations)
    quoted = _within(spans, quotations)
    return tuple(
        Sentence(
            start=span.start,
            end=span.end,
            paragraph=paragraph,
            title=span.end <= title_end,
            quoted=own,
            voice=voice,
        )
        for span, paragraph, own, voice in zip(spans, paragraphs, quoted, voices, strict=True)
    )


def divided(text: str) -> int:
    """How many sentences of a text are longer than `LONGEST` and so read in pieces."""
    return sum(span.end - span.start > LONGEST for span in sentence_spans(text))


def _pieces(text: str, span: Span) -> list[Span]:
    pieces = []
    start, end = span.start, span.end
    while end - start > LONGEST:
        cut = start + LONGEST
        at = cut
        while at > start and not text[at].isspace():
            at -= 1
        at = at if at > start else cut
        pieces.append(Span(start, start + len(text[start:at].rstrip())))
        start = at
        while start < end and text[start].isspace():
            start += 1
    return [*pieces, Span(start, end)]


def _paragraphs(text: str, starts: Array) -> list[int]:
    breaks = np.array([found.end() for found in _BREAK.finditer(text)], np.int64)
    lines = np.searchsorted(breaks, starts, side="right")
    _, numbers = np.unique(lines, return_inverse=True)
    return [int(one) for one in numbers.tolist()]


def _title_end(article: Article) -> int:
    """Where the title ends in the text; 0 where it does not stand there."""
    lead = len(article.text) - len(article.text.lstrip())
    first = _BREAK.search(article.text, lead)
    if first is None:
        return 0
    line = article.text[lead : first.start()]
    same = " ".join(line.split()).casefold() == " ".join(article.title.split()).casefold()
    blank = bool(_BREAK.match(article.text, first.end())) and len(line) <= 200
    alone = blank and line.rstrip()[-1:] not in ".,;:"
    return first.start() if same or (alone and not article.title) else 0


def _voices(text: str, starts: Array, ends: Array, quotations: Sequence[Span]) -> list[Voice]:
    words = word_ranges(text)[:, 0]
    opens = np.array([one.start for one in quotations], np.int64)
    closes = np.array([one.end for one in quotations], np.int64)
    inside = np.searchsorted(opens, words, side="right") > np.searchsorted(
        closes, words, side="right"
    )
    running = np.concatenate([[0], np.cumsum(inside)])
    low, high = np.searchsorted(words, starts), np.searchsorted(words, ends)
    said, of = running[high] - running[low], high - low
    return [
        "outlet" if part == 0 else "quoted" if 2 * part >= whole else "mixed"
        for part, whole in zip(said.tolist(), of.tolist(), strict=True)
    ]


def _within(spans: Sequence[Span], quotations: Sequence[Span]) -> list[tuple[Span, ...]]:
    found: list[tuple[Span, ...]] = []
    place = 0
    for span in spans:
        while place < len(quotations) and quotations[place].end <= span.start:
            place += 1
        own, at = [], place
        while at < len(quotations) and quotations[at].start < span.end:
            one = quotations[at]
            own.append(Span(max(one.start, span.start), min(one.end, span.end)))
            at += 1
        found.append(tuple(own))
    return found
