"""The tab files of PTC and SemEval: an article a .txt file, a span a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from slant.annotate.folders import (
    annotation_text,
    article_id,
    article_of,
    article_text,
    check_unique,
    file_stems,
    lines_of,
    read_articles,
)
from slant.annotate.recognition import LABEL_FILES
from slant.annotate.standoff import Loss, Place, Reading, checked_span, losses
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark

SPAN_CATEGORY = "propaganda"
"""The one category of files that have spans without techniques (task SI)."""
_ENDING = re.compile(r"(?:\.task[^.]*)?\.labels(?:\.tsv)?$")
_ID, _OFFSET = re.compile(r"\S(?:[^\t]*\S)?"), re.compile(r"[0-9]{1,18}")


def read_ptc(path: Path, articles: Mapping[str, Item] | None) -> Reading:
    """The annotated articles of a folder of label files, or of one tab file for all articles.

    Rule: a line is id, start, end, or id, technique, start, end; in code points, end exclusive.
    Every line is a trigger of its own. A line without technique has the category `propaganda`. Of
    a folder the articles that have a label file are read; one tab file is about all articles.

    Args:
        path: a folder with *.labels or *.labels.tsv files, itself or in a folder `labels`; or one
            such file.
        articles: by id; else the .txt files in the folder, or in its folder `articles`.

    Raises:
        DataError: a line of another form, with its number; an article that is not there.
    """
    if articles is None:
        articles = _articles_of(path)
    files = _label_files(path)
    marks: dict[str, list[Mark]] = {}
    named: list[tuple[str, Place]] = []
    for file in files:
        if path.is_dir():
            place = Place(file, "the name")
            own = article_of(article_id(_ENDING.sub("", file.name)), articles, place).id
            named.append((own, place))
            marks[own] = []
            rows = _rows(file, article_text(file).removeprefix("\ufeff"), articles)
        else:
            own = None
            marks = {identity: [] for identity in articles}
            rows = _rows(file, annotation_text(file), articles)
        for identity, mark, place in rows:
            if own is not None and identity != own:
                found = f"is about the article '{identity}' in the file of '{own}'"
                raise place.fault(found, "Give every article a file of its own")
            marks[identity].append(mark)
    check_unique(named)
    return Reading(
        [Example(articles[one], Answer(marks=tuple(found))) for one, found in marks.items()], []
    )


def _articles_of(path: Path) -> Mapping[str, Item]:
    for folder in (path, path / "articles"):
        if folder.is_dir() and any(folder.glob("*.txt")):
            return {item.id: item for item in read_articles(folder)}
    found = "it has no articles, only spans"
    raise DataError(f"Reading '{path}'", found, "Give the folder of articles too, by --articles")


def _label_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    for folder in (path, path / "labels"):
        if folder.is_dir():
            files = [one for one in folder.iterdir() if one.name.endswith(LABEL_FILES)]
            if files:
                return sorted(one for one in files if one.name[0] != ".")
    found = f"no file in it ends in {' or '.join(LABEL_FILES)}"
    raise DataError(f"Reading '{path}'", found, "Name the folder of the label files")


def _rows(path: Path, content: str, articles: Mapping[str, Item]) -> list[tuple[str, Mark, Place]]:
    found = []
    for number, line in lines_of(content):
        place = Place(path, f"line {number}")
        fields = line.split("\t")
        offsets = [one.strip() for one in fields[-2:]]
        whole = len(fields) in {3, 4} and all(_OFFSET.fullmatch(one) for one in offsets)
        if not whole or not _ID.fullmatch(fields[0]) or not fields[-3].strip():
            raise place.fault(
                f"is not id, start, end nor id, technique, start, end: {line[:60]!r}",
                "Put tabs between the fields, and whole numbers where offsets stand",
            )
        item = article_of(article_id(fields[0]), articles, place)
        span = checked_span(item.text, int(offsets[0]), int(offsets[1]), place)
        category = SPAN_CATEGORY if len(fields) == 3 else fields[1]
        found.append((item.id, Mark(category, (span,)), place))
    return found


def write_ptc(examples: Sequence[Example], path: Path) -> tuple[str | dict[str, str], list[Loss]]:
    """The label files of annotated articles with their texts, or one tab file of all spans.

    Args:
        examples: the articles.
        path: one that ends in .tsv, .labels or .txt is one file for all articles, without their
            texts; any other is a folder with `articles` and `labels`.
    """
    lost: Counter[str] = Counter()
    one_file = path.suffix in {".tsv", ".labels", ".txt"}
    rows = {example.item.id: _written(example, lost) for example in examples}
    if one_file:
        lost["texts of articles (keep them, and give them by --articles)"] += len(examples)
        empty = sum(not found for found in rows.values())
        lost["articles without a span, whose names only their texts keep"] += empty
        return "".join(rows.values()), losses(lost)
    stems = file_stems(rows, numbered=True)
    files = {f"articles/{stems[e.item.id]}.txt": e.item.text for e in examples}
    labels = {f"labels/{stems[one]}.labels.tsv": found for one, found in rows.items()}
    return files | labels, losses(lost)


def _written(example: Example, lost: Counter[str]) -> str:
    identity, gold = example.item.id, example.gold
    asked = f"Writing the article '{identity[:60]}' as a tab file"
    if not _ID.fullmatch(identity) or "\n" in identity or "\r" in identity:
        raise DataError(asked, "its id cannot stand in a tab file", "Give it another id")
    if article_id(identity) != identity:
        raise DataError(
            asked, f"its id reads as that of the article '{article_id(identity)}'",
            "Give it another id",
        )  # fmt: skip
    lost["document-level labels"] += len(gold.labels)
    lost["reasons of answers"] += gold.reason is not None
    lines = []
    for mark in gold.marks:
        if any(sign in mark.category for sign in "\t\n\r") or not mark.category.strip():
            found = f"the category {mark.category!r} cannot stand in a tab file"
            raise DataError(asked, found, "Rename the category")
        lost["triggers of several spans, each of which becomes one"] += len(mark.spans) > 1
        lost["triggers without a span"] += not mark.spans
        lost["quotes that are not located"] += len(mark.quotes)
        lost["confidences"] += mark.confidence is not None
        lost["ids of triggers"] += mark.id is not None
        lost["notes"] += bool(mark.note)
        lines += [f"{identity}\t{mark.category}\t{span.start}\t{span.end}\n" for span in mark.spans]
    return "".join(lines)
