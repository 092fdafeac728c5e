"""Words that people marked -> where they stand in the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from slant.types import Span

Occurrences = Literal["every", "first"]
_STRAIGHT = str.maketrans(
    dict.fromkeys("‘’‚‛`´ʼ′＇", "'") | dict.fromkeys("“”„‟«»″＂", '"') | {"\u00a0": " "}
)


@dataclass(frozen=True, slots=True)
class Located:
    """Where the marked words of one text stand.

    Fields:
        spans: from left to right, none overlapping another.
        unlocated: words that stand nowhere in the text.
        inside: words that stand in it only as a part of longer words, and were left out.
    """

    spans: tuple[Span, ...]
    unlocated: tuple[str, ...]
    inside: tuple[str, ...]


def located_words(text: str, words: Iterable[str], occurrences: Occurrences = "every") -> Located:
    """Where marked words stand in a text.

    Rule: case and the kind of quotes and blanks are ignored; a word never begins or ends inside a
    longer one (a letter or digit beside a letter or digit); every occurrence counts, or the first
    alone. Overlapping occurrences are one span.

    Args:
        text: any text.
        words: as somebody wrote them; one may be several words with blanks.
        occurrences: "every" or "first".

    Returns:
        Half-open spans in code points of `text`, and the words that have none.

    Source: the words of BABE (Spinde et al. 2021), which have no offsets.

    >>> found = located_words("The regime’s “regime” regimented", ["Regime", "men", "rule"])
    >>> [(s.start, s.end) for s in found.spans], found.inside, found.unlocated
    ([(4, 10), (14, 20)], ('men',), ('rule',))
    """
    plain = _folded(text)
    spans: list[tuple[int, int]] = []
    unlocated: list[str] = []
    inside: list[str] = []
    for word in words:
        wanted = _folded(word.strip())
        places = _places(plain, wanted)
        free = [at for at in places if not _cuts(plain, at, at + len(wanted))]
        if not places:
            unlocated.append(word)
        elif not free:
            inside.append(word)
        chosen = free[:1] if occurrences == "first" else free
        spans += [(at, at + len(wanted)) for at in chosen]
    return Located(merged_spans(spans), tuple(unlocated), tuple(inside))


def with_rationales(table: pl.DataFrame, occurrences: Occurrences = "every") -> pl.DataFrame:
    """A unified table with its marked words located in its texts as they now are.

    Args:
        table: with `text` and `words` (list of strings).
        occurrences: as in `located_words`.

    Returns:
        The table with `rationale`, a list of [start, end) per row, and `unlocated`, the words
        that stand nowhere or only inside longer ones.
    """
    found = [
        located_words(text, words, occurrences)
        for text, words in table.select("text", "words").iter_rows()
    ]
    spans = [[[span.start, span.end] for span in one.spans] for one in found]
    lost = [[*one.unlocated, *one.inside] for one in found]
    return table.with_columns(
        pl.Series("rationale", spans, pl.List(pl.List(pl.Int64))),
        pl.Series("unlocated", lost, pl.List(pl.String)),
    )


def merged_spans(spans: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Ranges from left to right, those that overlap as one.

    >>> [(one.start, one.end) for one in merged_spans([(5, 9), (0, 3), (2, 4)])]
    [(0, 4), (5, 9)]
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted(set(spans)):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(Span(start, end) for start, end in merged)


def _folded(text: str) -> str:
    # Each character becomes exactly one, so that offsets stay those of the text.
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := one.lower()) == 1 else one for one in text)
    return lower.translate(_STRAIGHT)


def _places(text: str, word: str) -> list[int]:
    places: list[int] = []
    at = text.find(word) if word else -1
    while at >= 0:
        places.append(at)
        at = text.find(word, at + 1)
    return places


def _cuts(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] begins or ends inside a longer word."""
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    behind = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return before or behind
