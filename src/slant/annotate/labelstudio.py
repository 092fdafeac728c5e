"""Label Studio's JSON and JSON-MIN, read. Source: labelstud.io, task format and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr

from slant.annotate.codeunits import code_units
from slant.annotate.confidence import confidence_value
from slant.annotate.folders import annotation_text, article_of, check_unique
from slant.annotate.jsonl import checked, load
from slant.annotate.labelstudiowriting import BIASES, CONFIDENCE, write_labelstudio
from slant.annotate.standoff import (
    Part,
    Place,
    Reading,
    check_same_text,
    checked_span,
    joined,
    losses,
)
from slant.types import Answer, Example, Item, Mark, Span

__all__ = ["read_labelstudio", "write_labelstudio"]

_Key = StrictInt | StrictStr
_SETTINGS = ConfigDict(extra="ignore")


class Meta(BaseModel):
    """What an annotator wrote to a region; `trigger` is written by slant."""

    model_config = _SETTINGS
    text: list[StrictStr] | StrictStr = []
    trigger: StrictStr | None = None


class Value(BaseModel):
    """The value of a result, whichever control it is of."""

    model_config = _SETTINGS
    start: StrictInt | None = None
    end: StrictInt | None = None
    text: StrictStr | list[StrictStr] | None = None
    labels: list[StrictStr] | None = None
    choices: list[StrictStr] | None = None
    rating: StrictInt | float | None = None
    number: StrictInt | float | None = None


class Result(BaseModel):
    """One result: a region, a relation, or what a control says of a region or the task."""

    model_config = _SETTINGS
    id: StrictStr | None = None
    type: StrictStr
    from_name: StrictStr = ""
    value: Value = Value()
    meta: Meta = Meta()
    from_id: StrictStr | None = None
    to_id: StrictStr | None = None


class Annotation(BaseModel):
    """What one annotator made of a task."""

    model_config = _SETTINGS
    result: list[Result]
    completed_by: Any = None
    was_cancelled: bool = False
    ground_truth: bool | None = False


class Task(BaseModel):
    """A task of the whole export."""

    model_config = _SETTINGS
    id: _Key | None = None
    data: dict[str, Any]
    annotations: list[Annotation]


def read_labelstudio(path: Path, articles: Mapping[str, Item] | None) -> Reading:
    """The annotated articles of an export of Label Studio, JSON or JSON-MIN.

    Rule: the text is `data.text`, the id `data.article`, else `data.id`, else that of the task.
    Offsets are code points; older versions counted UTF-16, and are read so where the marked texts
    say that they did. Regions of one category that a relation joins are one trigger. A rating,
    number or choice of a region named `confidence` is its confidence, its meta text its note.
    Choices of the whole task named `biases` are document-level labels. Of several annotations the
    one marked as ground truth is gold.

    Args:
        path: the file.
        articles: by id; where given, each text must be the same.

    Raises:
        DataError: a task without an annotation, or with several and no ground truth; a span over
            other words than it says; a value of another form.
    """
    place = Place(path, "the file")
    content = load(annotation_text(path), place)
    tasks = content if isinstance(content, list) else [content]
    examples: list[Example] = []
    places: list[tuple[str, Place]] = []
    left: Counter[str] = Counter()
    for number, value in enumerate(tasks, start=1):
        here = Place(path, f"task {number}")
        task = checked(value if not _is_min(value) else _whole(value), Task, here)
        item = _article(task, articles, here)
        places.append((item.id, here))
        examples.append(_example(task, item, here, left))
    check_unique(places)
    return Reading(examples, losses(left))


def _is_min(value: Any) -> bool:
    return isinstance(value, dict) and "data" not in value and "text" in value


def _whole(value: Mapping[str, Any]) -> dict[str, Any]:
    """A task of the short export as one of the whole export: its lists of regions as results."""
    regions = [
        {"id": f"{name}-{n}", "type": "labels", "from_name": name, "value": region}
        for name, held in value.items()
        if isinstance(held, list)
        for n, region in enumerate(held, start=1)
        if isinstance(region, dict) and "labels" in region
    ]
    whole = [{"type": "choices", "from_name": BIASES, "value": {"choices": named}}
             for named in _choices(value.get(BIASES))]  # fmt: skip
    return {
        "id": value.get("id"),
        "data": value,
        "annotations": [{"result": regions + whole, "completed_by": value.get("annotator")}],
    }


def _choices(value: Any) -> list[list[str]]:
    # One choice is exported as a string, several as {"choices": [...]}.
    if isinstance(value, str):
        return [[value]]
    return [value["choices"]] if isinstance(value, dict) and "choices" in value else []


def _article(task: Task, articles: Mapping[str, Item] | None, place: Place) -> Item:
    text = task.data.get("text")
    if not isinstance(text, str):
        have = ", ".join(sorted(task.data)[:8])
        raise place.fault(f"has no text in data.text (found: {have})", "Name the text so")
    given = next(
        (
            one
            for one in (task.data.get("article"), task.data.get("id"), task.id)
            if one is not None
        ),
        None,
    )
    if given is None:
        raise place.fault("has no id", "Give data.article, or the id of the task")
    if articles is None:
        return Item(str(given), text)
    item = article_of(str(given), articles, place)
    check_same_text(item, text, place)
    return item


def _example(task: Task, item: Item, place: Place, left: Counter[str]) -> Example:
    made = [one for one in task.annotations if not one.was_cancelled]
    gold = made if len(made) == 1 else [one for one in made if one.ground_truth]
    if len(gold) != 1:
        found = f"has {len(made)} annotations, {len(gold)} of them marked as ground truth"
        do = "Mark one as ground truth, or export the work of one annotator"
        if not made:
            found, do = "has no annotation", "Annotate it, or leave it out of the export"
        raise place.fault(found, do)
    if len(made) == 1:
        return Example(item, _answer(gold[0], item.text, place, left))
    answers: dict[str, Answer] = {}
    for number, one in enumerate(made, start=1):
        who = _name(one.completed_by, number)
        who = who if who not in answers else f"{who}-{number}"
        answers[who] = _answer(one, item.text, place, left if one is gold[0] else Counter())
    return Example(item, answers[[*answers][made.index(gold[0])]], annotators=answers)


def _name(completed_by: Any, number: int) -> str:
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return str(completed_by) if completed_by is not None else f"annotation-{number}"


def _answer(one: Annotation, text: str, place: Place, left: Counter[str]) -> Answer:
    regions = [result for result in one.result if result.value.labels is not None]
    units = _counts_units(regions, text)
    parts: dict[str, Part] = {}
    for region in regions:
        key = region.id or f"region-{len(parts) + 1}"
        here = Place(place.path, f"{place.at}, region {key}")
        labels = region.value.labels or []
        if len(labels) != 1:
            found = f"has {len(labels)} labels"
            raise here.fault(found, "Give every region one label; two biases are two regions")
        if key in parts:
            raise here.fault("stands there twice", "Give every region an id of its own")
        span = _span(region.value, text, units, here)
        held = region.meta.text
        note = held if isinstance(held, str) else "\n".join(held)
        mark = Mark(labels[0], (span,), id=region.meta.trigger or key, note=note)
        parts[key] = Part(key, mark, region.meta.trigger, here)
    labels_said: set[str] = set()
    links: list[tuple[str, str]] = []
    for result in one.result:
        if result.type == "relation":
            links.append(_link(result, parts, place))
        elif result.value.labels is None:
            labels_said |= _control(result, parts, place, left)
    marks, across = joined([*parts.values()], links)
    left.update(across)
    return Answer(frozenset(labels_said), marks)


def _counts_units(regions: Sequence[Result], text: str) -> bool:
    """Whether the marked texts fit UTF-16 offsets and no code points."""
    points = code_units(text)
    if not points.astral:
        return False
    held = [r.value for r in regions if isinstance(r.value.text, str)]
    if all(_fits(text, v.start, v.end, v.text) for v in held):
        return False
    moved = [(points.point(v.start or 0), points.point(v.end or 0), v.text) for v in held]
    return all(_fits(text, start, end, words) for start, end, words in moved)


def _fits(text: str, start: int | None, end: int | None, words: Any) -> bool:
    return start is not None and end is not None and _as_shown(text[start:end]) == _as_shown(words)


def _as_shown(words: str) -> str:
    # The editor shows a carriage return as a line feed, and once wrote a line feed as \n.
    return words.replace("\r", "\n").replace("\\n", "\n")


def _span(value: Value, text: str, units: bool, place: Place) -> Span:
    start, end = value.start, value.end
    if units:
        points = code_units(text)
        start, end = points.point(start or 0), points.point(end or 0)
    if start is None or end is None:
        found = f"has the offsets {value.start}-{value.end}, which are none of the text"
        raise place.fault(found, "Export a project that labels text")
    words = value.text if isinstance(value.text, str) else None
    if words is not None and _fits(text, start, end, words):
        words = None
    return checked_span(text, start, end, place, words)


def _link(result: Result, parts: Mapping[str, Part], place: Place) -> tuple[str, str]:
    for key in (result.from_id, result.to_id):
        if key not in parts:
            raise place.fault(f"has a relation of region {key}, which it has not", "Correct it")
    return str(result.from_id), str(result.to_id)


def _control(
    result: Result, parts: dict[str, Part], place: Place, left: Counter[str]
) -> frozenset[str]:
    value, part = result.value, parts.get(result.id or "")
    if part is None and result.type == "choices" and result.from_name == BIASES:
        return frozenset(value.choices or [])
    said: Any = value.rating if value.rating is not None else value.number
    if said is None and value.choices:
        said = value.choices[0]
    if part is None or result.from_name != CONFIDENCE or said is None:
        left[f"results of '{result.from_name}' ({result.type})"] += 1
        return frozenset()
    sure = confidence_value(str(said), part.place)
    if part.mark.confidence not in {None, sure}:
        found = f"has the confidences {part.mark.confidence} and {sure}"
        raise part.place.fault(found, "Keep one")
    parts[part.key] = replace(part, mark=replace(part.mark, confidence=sure))
    return frozenset()
