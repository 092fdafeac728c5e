"""Annotations from one format to another, with an account of what was lost on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slant.annotate.formats import known_format, read_reported, write_annotated
from slant.annotate.recognition import recognised
from slant.errors import DataError, OptionError


def convert_annotations(
    source: Path,
    out: Path,
    to: str,
    *,
    format: str | None = None,
    articles: Path | None = None,
    codes: Sequence[str] | None = None,
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Read annotated articles and write them in another format.

    Args:
        source: the file or folder.
        out: the file or folder to write.
        to: the format to write, one of `formats.FORMATS`.
        format: of the source; None: told from the content.
        articles: folder or file of the articles where they stand apart.
        codes, names: as in `formats.read_annotated`.

    Returns:
        `from`, `to`, `articles`, `triggers`, `spans`; `left_aside`, what stood in the source that
        an annotated article has no room for, and `lost`, what the new format cannot hold: each a
        list of `what` and `count`.
    """
    known_format(to)
    if not source.exists():
        found = "there is no such file or folder"
        raise DataError(f"Reading '{source}'", found, "Name one that is there")
    if out.resolve() in {source.resolve(), *source.resolve().parents}:
        found = "it is the source, or a folder that holds it"
        raise OptionError(f"Writing '{out}'", found, "Name another path")
    kind = format if format is not None else recognised(source)
    reading = read_reported(source, articles=articles, format=kind, codes=codes, names=names)
    lost = write_annotated(reading.examples, out, format=to)
    marks = [mark for example in reading.examples for mark in example.gold.marks]
    return {
        "from": kind,
        "to": to,
        "articles": len(reading.examples),
        "triggers": len(marks),
        "spans": sum(len(mark.spans) for mark in marks),
        "left_aside": [{"what": one.what, "count": one.count} for one in reading.losses],
        "lost": [{"what": one.what, "count": one.count} for one in lost],
    }
