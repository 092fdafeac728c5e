"""slant's own format: a JSON object a line, one line an article."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from slant.annotate.folders import annotation_text, article_of, check_unique
from slant.annotate.standoff import Loss, Place, Reading, check_same_text, checked_span, losses
from slant.data.jsonvalues import HALF_A_PAIR, has_half_a_pair, json_value
from slant.types import Answer, Example, Item, Mark

_STRICT = ConfigDict(extra="forbid", strict=True)
_Model = TypeVar("_Model", bound=BaseModel)


class SpanLine(BaseModel):
    """A passage: code points, end exclusive, and the words that stand there."""

    model_config = _STRICT
    start: int
    end: int
    text: str | None = None


class TriggerLine(BaseModel):
    """One trigger with its located spans and the quotes that are not located."""

    model_config = _STRICT
    id: str | None = None
    bias: str = Field(min_length=1)
    spans: list[SpanLine] = []
    quotes: list[str] = []
    confidence: float | None = Field(default=None, allow_inf_nan=False)
    note: str = ""


class ArticleLine(BaseModel):
    """An annotated article. Its text may be left out where the articles are given."""

    model_config = _STRICT
    id: str = Field(min_length=1)
    text: str | None = None
    labels: list[str] = []
    triggers: list[TriggerLine]


def read_jsonl(path: Path, articles: Mapping[str, Item] | None) -> Reading:
    """The annotated articles of a file in slant's own format.

    Args:
        path: the file.
        articles: by id; needed for lines without a text, held against those that have one.

    Raises:
        DataError: a line that is no JSON or not of this form, a span outside its text or over other
            words than it says, an id twice; each with its line.
    """
    examples: list[Example] = []
    places: list[tuple[str, Place]] = []
    for place, line in json_lines(path, ArticleLine):
        item = _article(line, articles, place)
        answer = _answer(line, item.text, place)
        places.append((item.id, place))
        examples.append(Example(item, answer))
    check_unique(places)
    return Reading(examples, [])


def json_lines(path: Path, model: type[_Model]) -> list[tuple[Place, _Model]]:
    """The lines of a file of JSON objects, each checked against a model.

    Raises:
        DataError: a line that is no JSON, blank, or not of the form, with its number.
    """
    lines = annotation_text(path).split("\n")
    while not lines[-1].strip():
        lines.pop()
    return [
        (place, checked(load(line, place), model, place))
        for place, line in ((Place(path, f"line {n}"), line) for n, line in enumerate(lines, 1))
    ]


def load(line: str, place: Place) -> Any:
    """The value of a JSON text that must be one, without half a surrogate pair in it."""
    try:
        value = json_value(line)
    except ValueError as error:
        raise place.fault(f"is no JSON ({error})", "Give one JSON object a line") from None
    if has_half_a_pair(value):
        raise place.fault(f"holds {HALF_A_PAIR}", "Write the characters whole")
    return value


def checked(value: Any, model: type[_Model], place: Place) -> _Model:
    """A value as the model has it; the error names the key that does not fit."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"])) or "the line"
        raise place.fault(
            f"does not fit at '{key}' ({first['msg'].lower()})",
            "Give the keys that docs/annotation-formats.md lists",
        ) from None


def write_jsonl(examples: Sequence[Example]) -> tuple[str, list[Loss]]:
    """The annotated articles in slant's own format, and what it cannot hold.

    >>> example = Example(Item("a", "So it is."), Answer(marks=(Mark("B01", id="T1"),)))
    >>> write_jsonl([example])[0]
    '{"id": "a", "text": "So it is.", "triggers": [{"id": "T1", "bias": "B01", "spans": []}]}\\n'
    """
    counts: Counter[str] = Counter()
    for example in examples:
        counts["reasons of answers"] += example.gold.reason is not None
    return "".join(map(example_line, examples)), losses(counts)


def example_line(example: Example) -> str:
    """The line of an annotated article, with its line end."""
    return json.dumps(example_json(example), ensure_ascii=False, allow_nan=False) + "\n"


def example_json(example: Example) -> dict[str, Any]:
    """An annotated article as the JSON of slant's own format; what is empty is left out."""
    item, gold = example.item, example.gold
    row: dict[str, Any] = {"id": item.id, "text": item.text}
    if gold.labels:
        row["labels"] = sorted(gold.labels)
    return row | {"triggers": [trigger_json(mark, item.text) for mark in gold.marks]}


def trigger_json(mark: Mark, text: str) -> dict[str, Any]:
    """A trigger as the JSON of slant's own format."""
    row: dict[str, Any] = {} if mark.id is None else {"id": mark.id}
    row |= {
        "bias": mark.category,
        "spans": [
            {"start": span.start, "end": span.end, "text": text[span.start : span.end]}
            for span in mark.spans
        ],
    }
    if mark.quotes:
        row["quotes"] = list(mark.quotes)
    if mark.confidence is not None:
        row["confidence"] = plain_number(mark.confidence)
    if mark.note:
        row["note"] = mark.note
    return row


def plain_number(value: float) -> int | float:
    """A number without a needless ".0".

    >>> plain_number(3.0), plain_number(2.5)
    (3, 2.5)
    """
    return int(value) if float(value).is_integer() else value


def _article(line: ArticleLine, articles: Mapping[str, Item] | None, place: Place) -> Item:
    if articles is None:
        if line.text is None:
            found = f"has no text for the article '{line.id}'"
            raise place.fault(found, "Give the folder or file of the articles too")
        return Item(line.id, line.text)
    item = article_of(line.id, articles, place)
    if line.text is not None:
        check_same_text(item, line.text, place)
    return item


def _answer(line: ArticleLine, text: str, place: Place) -> Answer:
    # An id may name two biases of one passage, as it does where a tool groups by it.
    named = [(one.bias, one.id) for one in line.triggers if one.id is not None]
    if len(set(named)) < len(named):
        bias, twice = next(one for one in named if named.count(one) > 1)
        found = f"has two triggers of {bias} with the id '{twice}'"
        raise place.fault(found, "Give each one of its own")
    return Answer(
        labels=frozenset(line.labels),
        marks=tuple(_mark(trigger, text, place, n) for n, trigger in enumerate(line.triggers, 1)),
    )


def _mark(trigger: TriggerLine, text: str, place: Place, number: int) -> Mark:
    name = trigger.id if trigger.id is not None else f"number {number}"
    here = Place(place.path, f"{place.at}, trigger {name}")
    if not trigger.spans and not trigger.quotes:
        raise here.fault("has neither a span nor a quote", "Give it one, or remove it")
    return Mark(
        category=trigger.bias,
        spans=tuple(checked_span(text, s.start, s.end, here, s.text) for s in trigger.spans),
        quotes=tuple(trigger.quotes),
        confidence=trigger.confidence,
        id=trigger.id,
        note=trigger.note,
    )
