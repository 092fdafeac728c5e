"""WebAnno TSV 3.3 of INCEpTION, read. Source: INCEpTION's user guide, WebAnno TSV 3.3 file format.

Offsets in these files count UTF-16 code units, as Java writes them; spans have code points.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slant.annotate.codeunits import CodeUnits, code_units
from slant.annotate.confidence import confidence_value
from slant.annotate.folders import (
    annotation_text,
    article_id,
    article_of,
    check_unique,
)
from slant.annotate.standoff import (
    Part,
    Place,
    Reading,
    checked_span,
    joined,
    losses,
    text_differs,
)
from slant.annotate.webannolayers import Columns, columns_of, stacked, unescaped_text
from slant.annotate.webannorows import Row, Sentence, body_of, text_of
from slant.annotate.webannowriting import write_webanno
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark

__all__ = ["read_webanno", "write_webanno"]

_REFERENCE = re.compile(r"([0-9]+-[0-9]+(?:\.[0-9]+)?)(?:\[([0-9]+)_([0-9]+)\])?")


@dataclass(slots=True)
class _Annotation:
    """One annotation of the layer, from its first to its last unit."""

    place: Place
    start: int
    end: int
    values: Mapping[str, str | None]


def read_webanno(path: Path, articles: Mapping[str, Item] | None) -> Reading:
    """The annotated articles of a .tsv file, or of a folder of them.

    Rule: the layer is the one span layer with a feature bias, category, label or value. Features
    confidence, note and trigger (or group) of it are what they say; annotations of one category
    that share a trigger, or that a relation joins, are one. Between sentences the format holds no
    text: characters there are spaces, unless the articles are given. The line end that INCEpTION
    adds after the last sentence is not part of the text.

    Args:
        path: the file; or a folder of them, or of folders with one file each, as a project export
            has them.
        articles: by id, where the texts stand elsewhere; every sentence must be the same there.

    Raises:
        DataError: a line of another form, a token that is not what the text has there, several
            layers that could be meant.
    """
    files = _files(path) if path.is_dir() else {path: path.stem}
    examples: list[Example] = []
    left: Counter[str] = Counter()
    named: list[tuple[str, Place]] = []
    for file, stem in files.items():
        example, lost = _article(file, article_id(stem), articles)
        named.append((example.item.id, Place(file, "the name")))
        examples.append(example)
        left += lost
    check_unique(named)
    return Reading(examples, losses(left))


def _files(path: Path) -> dict[Path, str]:
    here = sorted(one for one in path.glob("*.tsv") if one.name[0] != ".")
    if here:
        return {one: one.stem for one in here}
    found: dict[Path, str] = {}
    for folder in sorted(one for one in path.iterdir() if one.is_dir()):
        files = sorted(folder.glob("*.tsv"))
        if len(files) > 1:
            what = f"'{folder.name}' has {len(files)} files, one of each annotator"
            raise DataError(f"Reading '{path}'", what, "Keep the files of one annotator")
        found.update(dict.fromkeys(files, folder.name.removesuffix(".txt")))
    if not found:
        raise DataError(f"Reading '{path}'", "it has no .tsv file", "Name another folder")
    return found


def _article(
    path: Path, identity: str, articles: Mapping[str, Item] | None
) -> tuple[Example, Counter[str]]:
    lines = [line.removesuffix("\r") for line in annotation_text(path).split("\n")]
    version = re.fullmatch(r"#FORMAT=WebAnno TSV 3\.[23]\s*", lines[0])
    if version is None:
        found = f"line 1 is {lines[0][:40]!r} and not '#FORMAT=WebAnno TSV 3.3'"
        raise DataError(f"Reading '{path}'", found, "Export it as WebAnno TSV 3.3")
    header = [line for line in lines[1:] if line.startswith("#T_")]
    columns = columns_of(header, Place(path, "the header"))
    sentences, rows = body_of(path, lines, columns.width)
    left: Counter[str] = Counter(columns.left)
    if articles is None:
        text, spaces = text_of(sentences)
        left["characters between sentences, read as spaces"] += spaces
        item = Item(identity, text)
    else:
        item = article_of(identity, articles, Place(path, "the name"))
    counting = code_units(item.text)
    _check_sentences(item.text, counting, sentences, Place(path, "the text"))
    for row in rows:
        _check_token(item.text, counting, row)
    answer, across = _answer(rows, columns, item.text, counting)
    return Example(item, answer), left + across


def _check_token(text: str, counting: CodeUnits, row: Row) -> None:
    start, end = (_point(text, counting, unit, row.place) for unit in (row.start, row.end))
    here = text[start:end]
    # INCEpTION writes tokens as they are, slant escapes those that hold tabs or line ends.
    if here not in {row.token, unescaped_text(row.token)}:
        raise text_differs(text, start, here, row.token, row.place)


def _check_sentences(
    text: str, counting: CodeUnits, sentences: Sequence[Sentence], place: Place
) -> None:
    """Refuse a text that has other sentences, or more than white space around them."""
    end = 0
    for sentence in sentences:
        at = _point(text, counting, sentence.start, sentence.place)
        _check_space(text, end, at, sentence.place)
        end = at + len(sentence.text)
        if text[at:end] != sentence.text:
            raise text_differs(text, at, text[at:end], sentence.text, sentence.place)
    _check_space(text, end, len(text), place)


def _check_space(text: str, start: int, end: int, place: Place) -> None:
    between = text[start:end]
    if between.strip():
        at = start + len(between) - len(between.lstrip())
        raise text_differs(text, at, text[at:end], "", place)


def _point(text: str, counting: CodeUnits, unit: int, place: Place) -> int:
    point = counting.point(unit)
    if point is None:
        length = counting.of(len(text))
        found = f"has the offset {unit}, inside a character or after all {length} UTF-16 code units"
        raise place.fault(found, "Give the text that was annotated, unchanged")
    return point


def _answer(
    rows: Sequence[Row], columns: Columns, text: str, counting: CodeUnits
) -> tuple[Answer, Counter[str]]:
    found: dict[str, _Annotation] = {}
    at_unit: dict[str, list[str]] = {}
    for row in rows:
        for key, values in stacked(row.cells, columns, row.unit, row.place):
            if key in found:
                found[key].end = max(found[key].end, row.end)
            else:
                found[key] = _Annotation(row.place, row.start, row.end, values)
            at_unit.setdefault(row.unit, []).append(key)
    parts = []
    for key, one in found.items():
        start, end = (_point(text, counting, unit, one.place) for unit in (one.start, one.end))
        span = checked_span(text, start, end, one.place)
        sure = one.values["confidence"]
        mark = Mark(
            category=one.values["category"] or "",
            spans=(span,),
            confidence=None if sure is None else confidence_value(sure, one.place),
            id=one.values["group"],
            note=one.values["note"] or "",
        )
        if not mark.category:
            raise one.place.fault("has an annotation without a category", "Give it one")
        parts.append(Part(key, mark, mark.id, one.place))
    marks, across = joined(parts, _links(rows, columns, at_unit))
    return Answer(marks=marks), across


def _links(
    rows: Sequence[Row], columns: Columns, at_unit: Mapping[str, Sequence[str]]
) -> list[tuple[str, str]]:
    links = []
    for row in rows:
        for column in columns.references:
            if row.cells[column] == "_":
                continue
            for said in row.cells[column].split("|"):
                found = _REFERENCE.fullmatch(said)
                if found is None:
                    raise row.place.fault(f"has the relation {said!r}", "Export the file again")
                source, target = (
                    _end(unit, number, at_unit, row.place)
                    for unit, number in ((found[1], found[2]), (row.unit, found[3]))
                )
                links.append((source, target))
    return links


def _end(unit: str, number: str | None, at_unit: Mapping[str, Sequence[str]], place: Place) -> str:
    here = at_unit.get(unit, ())
    wanted = [key for key in here if key == f"[{number}]"] if number not in {None, "0"} else here
    if len(wanted) != 1:
        found = f"has a relation with {unit}, where {len(wanted)} annotations could be meant"
        raise place.fault(found, "Export the file again")
    return wanted[0]
