"""What all formats of annotation share: spans held against their text, parts joined to triggers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from slant.errors import DataError
from slant.types import Example, Item, Mark, Span

SHOWN = 30
"""Characters of a text that an error shows."""
_SPACES = re.compile("  +")


@dataclass(frozen=True, slots=True)
class Loss:
    """What a format cannot hold, or a reader left aside, and how often it occurred."""

    what: str
    count: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file held, and what stood in it that an annotated article has no room for."""

    examples: list[Example]
    losses: list[Loss]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in which file something stands: "line 3", "task 12, region x"."""

    path: Path
    at: str

    def fault(self, found: str, do: str) -> DataError:
        """The error for what stands here."""
        return DataError(f"Reading '{self.path}'", f"{self.at} {found}", do)


@dataclass(frozen=True, slots=True)
class Part:
    """One annotation as a tool holds it, before those of one trigger are joined.

    Fields:
        key: what the file names it by; one of its own within the article.
        mark: its category, spans and the rest.
        group: the id of its trigger where the file says so; parts of one category that share it
            are joined.
        place: where it stands.
    """

    key: str
    mark: Mark
    group: str | None
    place: Place


def losses(counts: Mapping[str, int]) -> list[Loss]:
    """The counts that are not zero, in order."""
    return [Loss(what, count) for what, count in counts.items() if count]


def checked_span(
    text: str, start: int, end: int, place: Place, held: str | None = None, *, unit: str = ""
) -> Span:
    """A span that lies inside its text and holds what the file says that it holds.

    Args:
        text: of the article.
        start, end: code points, end exclusive.
        place: where the span stands.
        held: the marked words as the file has them; None: it has none.
        unit: what the offsets count, for the error.

    Raises:
        DataError: empty or outside the text; or other words stand there, with the first difference.
    """
    if not 0 <= start < end <= len(text):
        raise place.fault(
            f"has the span {start}-{end}, and the article has {len(text)} {unit or 'characters'}",
            "A span needs 0 <= start < end <= length of the text; give the text that was annotated",
        )
    if held is not None and text[start:end] != held:
        raise text_differs(text, start, text[start:end], held, place)
    return Span(start, end)


def text_differs(text: str, start: int, found: str, expected: str, place: Place) -> DataError:
    """The error for words that are not those of the article, with the first difference.

    Args:
        text: of the article, for hints.
        start: where `found` starts in it.
        found: what stands in the article.
        expected: what the annotation file has.
        place: where the annotation stands.
    """
    at = first_difference(found, expected)
    shown = (
        f"{what} {shortened(one[max(at - SHOWN // 2, 0) :])}"
        for what, one in (("expected", expected), ("found", found))
    )
    hint = "Give the text that was annotated, unchanged"
    if text.startswith("\ufeff"):
        hint += "; it starts with a byte order mark, which counts as a character"
    if "\r\n" in text:
        hint += "; its line ends are CRLF, which count as two characters"
    return place.fault(
        f"marks other words than the article has at offset {start + at}: {', '.join(shown)}", hint
    )


def first_difference(one: str, other: str) -> int:
    """The first offset at which two texts differ; their length where they do not.

    >>> first_difference("abcd", "abXd"), first_difference("ab", "abc"), first_difference("a", "a")
    (2, 2, 1)
    """
    length = min(len(one), len(other))
    return next((n for n in range(length) if one[n] != other[n]), length)


def shortened(text: str) -> str:
    """The beginning of a text, quoted, with its invisible characters and double spaces shown.

    >>> print(shortened("a\\tb"), shortened("a  b"))
    'a\\tb' 'a\\x20\\x20b'
    """
    quoted = repr(text[:SHOWN]) if text[:SHOWN].isprintable() else ascii(text[:SHOWN])
    # An error is one line, in which a run of spaces would become one space.
    return _SPACES.sub(lambda run: "\\x20" * len(run[0]), quoted)


def check_same_text(item: Item, text: str, place: Place) -> None:
    """Refuse a text that is not the one of the article, with the first difference."""
    if item.text == text:
        return
    at = first_difference(item.text, text)
    start = max(at - SHOWN // 2, 0)
    raise place.fault(
        f"has another text than the article '{item.id}': the first difference is at offset {at}, "
        f"expected {shortened(text[start:])}, found {shortened(item.text[start:])}",
        "Give the articles that were annotated, unchanged",
    )


def joined(
    parts: Sequence[Part], links: Iterable[tuple[str, str]]
) -> tuple[tuple[Mark, ...], Counter[str]]:
    """The triggers of an article: parts that a link or a group joins, within one category.

    A joined trigger has the spans of its parts in order of the file and the id of its first part;
    its notes, where several parts have one, stand on a line each.

    Args:
        parts: of one article.
        links: pairs of keys.

    Returns:
        The marks in order of their first part; how many links lie between two categories and so
        join nothing.

    Raises:
        DataError: parts of one trigger have different confidences.
    """
    root = {part.key: part.key for part in parts}

    def top(key: str) -> str:
        while root[key] != key:
            key = root[key]
        return key

    order = {part.key: n for n, part in enumerate(parts)}
    category = {part.key: part.mark.category for part in parts}
    across: Counter[str] = Counter()
    first: dict[tuple[str, str], str] = {}
    pairs = [*links]
    for part in parts:
        if part.group is not None:
            pairs.append((first.setdefault((part.mark.category, part.group), part.key), part.key))
    for one, other in pairs:
        if category[one] != category[other]:
            across["relations between two categories"] += 1
            continue
        low, high = sorted((top(one), top(other)), key=order.__getitem__)
        root[high] = low
    members: dict[str, list[Part]] = {}
    for part in parts:
        members.setdefault(top(part.key), []).append(part)
    return tuple(_one_mark(group) for group in members.values()), across


def _one_mark(parts: Sequence[Part]) -> Mark:
    head = parts[0].mark
    if len(parts) == 1:
        return head
    sure = dict.fromkeys(p.mark.confidence for p in parts if p.mark.confidence is not None)
    if len(sure) > 1:
        raise parts[1].place.fault(
            f"belongs to a trigger whose parts have the confidences {', '.join(map(str, sure))}",
            "Give all parts of a trigger one confidence",
        )
    return replace(
        head,
        spans=tuple(span for part in parts for span in part.mark.spans),
        quotes=tuple(quote for part in parts for quote in part.mark.quotes),
        confidence=next(iter(sure), None),
        note="\n".join(dict.fromkeys(part.mark.note for part in parts if part.mark.note)),
    )
