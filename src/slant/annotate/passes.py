"""Two annotators' passes over the same articles, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slant.errors import DataError
from slant.types import Answer, Example, Item

SHOWN = 5
AROUND = 12


@dataclass(frozen=True, slots=True)
class Paired:
    """One article with what each of two annotators said of it."""

    item: Item
    first: Answer
    second: Answer


def paired_passes(
    first: Sequence[Example],
    second: Sequence[Example],
    names: tuple[str, str] = ("a", "b"),
) -> list[Paired]:
    """The articles of two passes, in the order of the first.

    Args:
        first, second: each annotator's articles; their answer is `gold`.
        names: of the annotators, for errors.

    Raises:
        DataError: an article stands twice in a pass or in one of them only, or its two texts
            differ: the first difference is shown.

    >>> one = [Example(Item("x", "A day."), Answer())]
    >>> other = [Example(Item("x", "A  day."), Answer())]
    >>> paired_passes(one, other)
    Traceback (most recent call last):
    slant.errors.DataError: Comparing the passes of a and b: the texts of article 'x' differ from
    character 2 on: 'A day.' and 'A  day.'. Annotate the same text, or read both passes with the
    articles that were annotated.
    """
    asked = f"Comparing the passes of {names[0]} and {names[1]}"
    left, right = (_by_id(p, asked, who) for p, who in zip((first, second), names, strict=True))
    for one, other, who in ((left, right, names[0]), (right, left, names[1])):
        alone = sorted(set(one) - set(other))
        if alone:
            more = f" and {len(alone) - SHOWN} more" if len(alone) > SHOWN else ""
            articles = "articles" if len(alone) > 1 else "article"
            found = f"{who} alone has the {articles} {', '.join(alone[:SHOWN])}{more}"
            raise DataError(asked, found, "Give two passes over the same articles")
    if not left:
        raise DataError(asked, "they have no article", "Give passes with articles")
    return [
        Paired(example.item, example.gold, _same(example, right[name], asked).gold)
        for name, example in left.items()
    ]


def said(answer: Answer) -> frozenset[str]:
    """The categories that an answer says are in the article: in its first pass or by a trigger."""
    return answer.labels | {mark.category for mark in answer.marks}


def found_codes(*passes: Sequence[Example]) -> tuple[str, ...]:
    """The categories that occur in annotated articles, sorted.

    >>> found_codes([Example(Item("x", ""), Answer(labels=frozenset({"B02", "B01"})))])
    ('B01', 'B02')
    """
    found: set[str] = set()
    for examples in passes:
        for example in examples:
            found |= said(example.gold)
    return tuple(sorted(found))


def check_codes(pairs: Sequence[Paired], codes: Sequence[str], names: tuple[str, str]) -> None:
    """Refuse categories that the schema does not have.

    Args:
        pairs: of `paired_passes`.
        codes: of the schema.
        names: of the annotators.
    """
    for pair in pairs:
        for who, answer in zip(names, (pair.first, pair.second), strict=True):
            foreign = sorted(said(answer) - set(codes))
            if foreign:
                known = ", ".join(codes) or "none"
                raise DataError(
                    f"Reading the pass of {who}",
                    f"article '{pair.item.id}' has the category '{foreign[0]}', the schema has "
                    f"{known}",
                    "Correct the annotation, or name its schema with --schema",
                )


def _by_id(examples: Sequence[Example], asked: str, who: str) -> dict[str, Example]:
    found: dict[str, Example] = {}
    for example in examples:
        if example.item.id in found:
            twice = f"the article '{example.item.id}' stands twice in the pass of {who}"
            raise DataError(asked, twice, "Give every article once")
        found[example.item.id] = example
    return found


def _same(example: Example, other: Example, asked: str) -> Example:
    one, two = example.item.text, other.item.text
    if one == two:
        return other
    sides = zip(one, two, strict=False)
    at = next((n for n, (a, b) in enumerate(sides) if a != b), min(len(one), len(two)))
    shown = [repr(text[max(0, at - AROUND) : at + AROUND]) for text in (one, two)]
    raise DataError(
        asked,
        f"the texts of article '{example.item.id}' differ from character {at} on: {shown[0]} and "
        f"{shown[1]}",
        "Annotate the same text, or read both passes with the articles that were annotated",
    )
