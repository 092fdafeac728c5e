"""The door of all annotation formats: read, write, and say what was lost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from slant.annotate.folders import articles_by_id, read_articles
from slant.annotate.recognition import recognised
from slant.annotate.standoff import Loss, Reading, losses
from slant.data.writing import clear_abandoned, replacing
from slant.errors import DataError, OptionError, unknown_name
from slant.types import Answer, Example

__all__ = ["FORMATS", "Loss", "Reading", "read_annotated", "read_articles", "write_annotated"]

FORMATS = ("jsonl", "brat", "ptc", "label-studio", "doccano", "webanno")


def read_annotated(
    path: Path,
    *,
    articles: Path | None = None,
    format: str | None = None,
    codes: Sequence[str] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[Example]:
    """The annotated articles of a file or folder in any format.

    Args:
        path: the file or folder.
        articles: folder or file of the articles, where the annotations stand apart from them; where
            both have the text, it must be the same.
        format: one of `FORMATS`; None: told from the content.
        codes: the categories that may occur; None: any.
        names: name -> code, where categories may also be called by a name.

    Returns:
        The articles in order of the file, those of a folder in order of their ids.

    Raises:
        DataError: what the file holds does not fit its format or the text, with file and line.
        OptionError: the content fits no format, or several.
    """
    return read_reported(path, articles=articles, format=format, codes=codes, names=names).examples


def read_reported(
    path: Path,
    *,
    articles: Path | None = None,
    format: str | None = None,
    codes: Sequence[str] | None = None,
    names: Mapping[str, str] | None = None,
) -> Reading:
    """The same as `read_annotated`, with what stood in the file that articles have no room for."""
    if not path.exists():
        found = "there is no such file or folder"
        raise DataError(f"Reading '{path}'", found, "Name one that is there")
    kind = known_format(format) if format is not None else recognised(path)
    module = import_module(f"slant.annotate.{_module(kind)}")
    known = articles_by_id(articles)
    reading: Reading = getattr(module, f"read_{_module(kind)}")(path, known)
    rest = len(known or {}) - len(reading.examples) if known else 0
    return Reading(
        _with_codes(reading.examples, path, codes, names or {}),
        [*reading.losses, *losses({"articles without annotations": rest})],
    )


def write_annotated(examples: Sequence[Example], path: Path, *, format: str) -> list[Loss]:
    """Write the gold of annotated articles, whole or not at all.

    Args:
        examples: the articles; what their annotators said is not written.
        path: the file; for brat and webanno the folder; for ptc a folder, or a .tsv or .labels file
            of spans without the texts.
        format: one of `FORMATS`.

    Returns:
        What the format cannot hold, none where a round trip gives everything back. A trigger
        without an id may come back with one.

    Raises:
        DataError: no article, an id that cannot name a file, a category that the format cannot
            write.
        OptionError: an unknown format; a folder that holds other files.
    """
    kind = known_format(format)
    if not examples:
        raise DataError(f"Writing '{path}'", "there is no article", "Give at least one")
    module = import_module(f"slant.annotate.{_module(kind)}")
    write = getattr(module, f"write_{_module(kind)}")
    content, lost = write(examples, path) if kind == "ptc" else write(examples)
    write_content(path, content)
    return list(lost)


def known_format(name: str) -> str:
    """The name of a format, checked."""
    if name not in FORMATS:
        raise unknown_name("annotation format", name, FORMATS)
    return name


def _module(kind: str) -> str:
    return kind.replace("-", "")


def write_content(path: Path, content: str | Mapping[str, str]) -> None:
    """Write a file, or the files of a folder that holds no others.

    Args:
        path: the file, or the folder.
        content: the text, or those of the files by their paths in the folder.

    Raises:
        OptionError: a file where the folder is to be, or other files in it. DataError: a text that
            UTF-8 cannot hold. WorkFailed: the place takes no file.
    """
    if isinstance(content, str):
        with replacing(path) as temporary:
            temporary.write_bytes(_bytes(content, path))
        return
    if path.exists() and not path.is_dir():
        found = "it is a file, and this format is a folder of files"
        raise OptionError(f"Writing '{path}'", found, "Name a folder")
    for folder in (path, *(one for one in path.rglob("*") if one.is_dir())):
        clear_abandoned(folder)
    # Files of another set beside the new ones would be read as part of it.
    there = {os.path.relpath(one, path) for one in path.rglob("*") if one.is_file()}
    foreign = sorted(there - {str(Path(name)) for name in content})
    if foreign:
        found = f"the folder holds other files ({', '.join(foreign[:3])})"
        raise OptionError(f"Writing '{path}'", found, "Name a new folder, or empty this one")
    encoded = {name: _bytes(text, path / name) for name, text in content.items()}
    for name, data in encoded.items():
        with replacing(path / name) as temporary:
            temporary.write_bytes(data)


def _bytes(content: str, path: Path) -> bytes:
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        found = f"character {error.start} is half of a surrogate pair, which UTF-8 cannot hold"
        raise DataError(f"Writing '{path}'", found, "Write the characters whole") from None


def _with_codes(
    examples: list[Example],
    path: Path,
    codes: Sequence[str] | None,
    names: Mapping[str, str],
) -> list[Example]:
    if codes is None and not names:
        return examples
    known = None if codes is None else frozenset(codes)

    def code(category: str, item: str) -> str:
        found = (
            names.get(category, category) if known is None or category not in known else category
        )
        if known is not None and found not in known:
            raise DataError(
                f"Reading '{path}'",
                f"the article '{item}' has the category '{category}', which the schema has not",
                f"Known are {', '.join(codes or ())}; give the schema of these annotations",
            )
        return found

    def mapped(answer: Answer, item: str) -> Answer:
        return replace(
            answer,
            labels=frozenset(code(one, item) for one in sorted(answer.labels)),
            marks=tuple(replace(m, category=code(m.category, item)) for m in answer.marks),
        )

    return [
        replace(
            one,
            gold=mapped(one.gold, one.item.id),
            annotators={who: mapped(a, one.item.id) for who, a in one.annotators.items()},
        )
        for one in examples
    ]
