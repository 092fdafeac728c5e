"""Rows of csv, tsv, jsonl, parquet and JSON -> articles: which column is what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

from slant.analysis.article import Article
from slant.analysis.dates import Order, told_date
from slant.data.documents import sound
from slant.data.jsonvalues import json_value
from slant.data.rows import user_text
from slant.data.streams import read_rows
from slant.errors import DataError, unknown_name

TEXTS: Final = (
    "text", "content_original", "maintext", "article_text", "content", "body", "article",
    "sentence",
)  # fmt: skip
"""Columns that are taken as the text, the first that is there."""
FACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "uuid", "article_id"),
    "title": ("title", "headline"),
    "outlet": ("outlet", "source", "publisher", "sitename", "site"),
    "date": ("date", "published", "date_publish", "publish_date", "pub_date", "created"),
    "topic": ("topic", "category", "section"),
    "url": ("url", "link", "uri", "news_link"),
}
"""What is known of an article, and the columns that say it, the first that is there. Capital and
small letters count the same."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a table, or keys of JSON, say what; None: told by their names.

    Fields:
        text: of the text; see `TEXTS`.
        title, outlet, date, topic: of what is known of an article; see `FACTS`.
        order: of day, month and year in dates of three numbers.
    """

    text: str | None = None
    title: str | None = None
    outlet: str | None = None
    date: str | None = None
    topic: str | None = None
    order: Order | None = None

    def named(self) -> dict[str, str]:
        """The columns that were named, by what they say."""
        said = {name: getattr(self, name) for name in ("text", "title", "outlet", "date", "topic")}
        return {name: column for name, column in said.items() if column is not None}


TOLD: Final = Columns()
"""No column is named: all are told."""


def table_articles(path: Path, name: str, columns: Columns = TOLD) -> Iterator[Article]:
    """The articles of a table, one a row, one at a time.

    Args:
        path: csv, tsv, jsonl or parquet.
        name: how it is called in errors and origins.
        columns: those that were named; else the text is the first of `TEXTS` that is there, or the
            only column.

    Returns:
        Articles with their own id or none; a row without text has `why`.

    Raises:
        DataError: no rows, a broken row, a text that is none. UnknownName: no such column.
    """
    asked = f"Reading '{name}'"
    if not path.stat().st_size:
        raise DataError(asked, "it is empty", "Give a file with rows")
    try:
        yield from _articles(read_rows(path), name, columns)
    except DataError as error:
        # A table that came by address or in a pipe lies in a file whose name nobody knows.
        again = error.asked.replace(f"'{path}'", f"'{name}'")
        raise type(error)(again, error.found, error.do) from None


def json_articles(data: bytes, name: str, columns: Columns = TOLD) -> Iterator[Article]:
    """The articles of a JSON document: one object, or an array of them.

    Args:
        data: the document.
        name: how it is called in errors and origins.
        columns: the keys that were named; see `table_articles`.

    Raises:
        DataError: no JSON (with line and column), or no objects. UnknownName: no such key.
    """
    asked = f"Reading '{name}'"
    try:
        said = json_value(user_text(data, name).removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        found = f"line {error.lineno}, column {error.colno} is no JSON ({error.msg})"
        raise DataError(asked, found, "Give one object, or an array of objects") from None
    if isinstance(said, dict):
        text, facts = _columns(said, name, columns)
        yield _article(said, text, facts, asked, "", columns.order)
        return
    if not isinstance(said, list) or not said:
        found = "it is an empty array" if said == [] else f"it is no object but {_short(said)}"
        raise DataError(asked, found, "Give one object, or an array of objects")
    for number, row in enumerate(said, start=1):
        if not isinstance(row, dict):
            found = f"item {number} is no object but {_short(row)}"
            raise DataError(asked, found, "Give one object, or an array of objects")
    yield from _articles(said, name, columns)


def _articles(rows: Iterable[dict[str, Any]], name: str, columns: Columns) -> Iterator[Article]:
    asked = f"Reading '{name}'"
    stream = iter(rows)
    first = next(stream, None)
    if first is None:
        raise DataError(asked, "it has no rows", "Give a file with rows")
    text, facts = _columns(first, name, columns)
    for number, row in enumerate(chain([first], stream), start=1):
        yield _article(row, text, facts, asked, str(number), columns.order)


def _columns(row: Mapping[str, Any], name: str, columns: Columns) -> tuple[str, dict[str, str]]:
    """The column of the text, and that of each known fact."""
    lower = {key.lower(): key for key in reversed(list(row))}
    for one in columns.named().values():
        if one not in row:
            raise unknown_name(f"column of '{name}'", one, row)
    if columns.text is not None:
        column = columns.text
    else:
        found = [lower[one] for one in TEXTS if one in lower] or (
            list(row) if len(row) == 1 else []
        )
        if not found:
            shown = ", ".join(list(row)[:12]) or "no columns"
            raise DataError(
                f"Reading '{name}'",
                f"it has {shown}, of which none is called {' or '.join(TEXTS[:3])}",
                "Say which column is the text by --text",
            )
        column = found[0]
    facts = {
        fact: next((lower[one] for one in names if one in lower and lower[one] != column), "")
        for fact, names in FACTS.items()
    }
    return column, {**facts, **columns.named()}


def _article(
    row: Mapping[str, Any], column: str, facts: Mapping[str, str], asked: str, number: str,
    order: Order | None,
) -> Article:  # fmt: skip
    text = row.get(column)
    where = f"row {number}" if number else "it"
    if text is not None and not isinstance(text, str):
        found = f"the '{column}' of {where} is no text but {_short(text)}"
        raise DataError(asked, found, "Say which column is the text by --text")
    said = {fact: row.get(facts[fact]) if facts[fact] else None for fact in FACTS}
    return Article(
        _plain(said["id"]),
        sound(text or ""),
        title=_plain(said["title"]),
        outlet=_plain(said["outlet"]),
        date=sound(told_date(said["date"], order)),
        topic=_plain(said["topic"]),
        url=_plain(said["url"]),
        origin=where if number else "",
        why="" if (text or "").strip() else f"The column '{column}' holds no text.",
    )


def _plain(value: Any) -> str:
    """A fact as one line; what is no text or number, such as a list, is left out."""
    if isinstance(value, str):
        return sound(" ".join(value.split()))
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _short(value: Any) -> str:
    return json.dumps(value, default=str)[:40]
