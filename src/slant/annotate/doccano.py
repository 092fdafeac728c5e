"""doccano's JSONL: spans as [start, end, label], or as entities with relations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr

from slant.annotate.folders import article_of, check_unique
from slant.annotate.jsonl import json_lines
from slant.annotate.standoff import (
    Loss,
    Part,
    Place,
    Reading,
    check_same_text,
    checked_span,
    joined,
    losses,
)
from slant.types import Answer, Example, Item, Mark

_Key = StrictInt | StrictStr
RELATION = "same trigger"
_NOT_LEFT = {"id", "article", "text", "label", "labels", "entities", "relations"}


class Entity(BaseModel):
    """A span of the form with relations."""

    id: _Key
    label: StrictStr
    start_offset: StrictInt
    end_offset: StrictInt


class Relation(BaseModel):
    """A relation between two entities."""

    from_id: _Key
    to_id: _Key
    type: StrictStr | None = None


class Row(BaseModel):
    """An annotated text. What else stands in it, doccano's own columns, is left aside."""

    model_config = ConfigDict(extra="allow")
    id: _Key | None = None
    article: _Key | None = None
    text: StrictStr
    label: list[tuple[StrictInt, StrictInt, StrictStr] | StrictStr] | None = None
    labels: list[tuple[StrictInt, StrictInt, StrictStr] | StrictStr] | None = None
    entities: list[Entity] | None = None
    relations: list[Relation] = []


def read_doccano(path: Path, articles: Mapping[str, Item] | None) -> Reading:
    """The annotated articles of an export of doccano.

    Rule: offsets are code points. The id is the column `article`, else `id`. A label that is a
    string instead of a span is a document-level one. Entities of one category that a relation
    joins are one trigger.

    Args:
        path: the file, a JSON object a line.
        articles: by id; where given, each text must be the same.

    Raises:
        DataError: a line of another form, a span outside its text, no id or one twice.
    """
    examples: list[Example] = []
    places: list[tuple[str, Place]] = []
    left: Counter[str] = Counter()
    for place, row in json_lines(path, Row):
        given = row.article if row.article is not None else row.id
        if given is None:
            found = "has neither 'article' nor 'id'"
            raise place.fault(found, "Give every line the id of its article")
        item = Item(str(given), row.text)
        if articles is not None:
            item = article_of(item.id, articles, place)
            check_same_text(item, row.text, place)
        examples.append(Example(item, _answer(row, item.text, place, left)))
        places.append((item.id, place))
    check_unique(places)
    return Reading(examples, losses(left))


def _answer(row: Row, text: str, place: Place, left: Counter[str]) -> Answer:
    forms = [form for form in (row.label, row.labels, row.entities) if form is not None]
    if len(forms) != 1:
        found = f"has {len(forms)} of the columns label, labels and entities"
        raise place.fault(found, "Give one of them")
    for name in sorted(row.model_extra or {}):
        if name not in _NOT_LEFT and (row.model_extra or {})[name]:
            left[f"columns '{name}'"] += 1
    plain = row.label if row.label is not None else row.labels
    if plain is not None:
        named = frozenset(one for one in plain if isinstance(one, str))
        spans = [one for one in plain if not isinstance(one, str)]
        return Answer(
            named,
            tuple(
                Mark(label, (checked_span(text, start, end, place),)) for start, end, label in spans
            ),
        )
    parts: dict[str, Part] = {}
    for entity in row.entities or []:
        key = str(entity.id)
        here = Place(place.path, f"{place.at}, entity {key}")
        if key in parts:
            raise here.fault("stands there twice", "Give every entity an id of its own")
        span = checked_span(text, entity.start_offset, entity.end_offset, here)
        parts[key] = Part(key, Mark(entity.label, (span,), id=key), None, here)
    links = [(str(one.from_id), str(one.to_id)) for one in row.relations]
    for key in (key for link in links for key in link):
        if key not in parts:
            raise place.fault(f"has a relation of entity {key}, which it has not", "Correct it")
    marks, across = joined([*parts.values()], links)
    left.update(across)
    return Answer(marks=marks)


def write_doccano(examples: Sequence[Example]) -> tuple[str, list[Loss]]:
    """The articles with entities and relations, for a project with relations switched on.

    The id of an article is in the column `article`, since doccano numbers its rows itself.
    """
    lost: Counter[str] = Counter()
    rows = [_written(number, e, lost) for number, e in enumerate(examples, start=1)]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), losses(lost)


def _written(number: int, example: Example, lost: Counter[str]) -> dict[str, Any]:
    gold = example.gold
    lost["document-level labels"] += len(gold.labels)
    lost["reasons of answers"] += gold.reason is not None
    entities: list[dict[str, Any]] = []
    relations: list[dict[str, Any]] = []
    # doccano numbers entities itself, so that only numbers can come back as ids.
    numbers = Counter(mark.id for mark in gold.marks if mark.id and _is_number(mark.id))
    free = 1 + max((int(one) for one in numbers), default=0)
    for mark in gold.marks:
        kept = mark.id is not None and numbers[mark.id] == 1
        lost["ids of triggers"] += mark.id is not None and not (kept and mark.spans)
        lost["triggers without a span"] += not mark.spans
        lost["quotes that are not located"] += len(mark.quotes)
        lost["confidences"] += mark.confidence is not None
        lost["notes"] += bool(mark.note)
        first: int | None = None
        for span in mark.spans:
            own = int(mark.id) if kept and first is None and mark.id is not None else free
            free += own == free
            entities.append(
                {
                    "id": own,
                    "label": mark.category,
                    "start_offset": span.start,
                    "end_offset": span.end,
                }
            )
            if first is None:
                first = own
            else:
                relations.append(
                    {"id": len(relations) + 1, "from_id": first, "to_id": own, "type": RELATION}
                )
    return {
        "id": number,
        "article": example.item.id,
        "text": example.item.text,
        "entities": entities,
        "relations": relations,
    }


def _is_number(text: str) -> bool:
    return len(text) < 16 and text.isascii() and text.isdigit() and str(int(text)) == text
