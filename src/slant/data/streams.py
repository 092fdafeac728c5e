"""A corpus of any length -> batches of ids and texts, a few at a time in memory, read strictly."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from slant.data.documents import sound
from slant.data.given import PARQUET_FAULTS, check_file
from slant.data.jsonvalues import json_value
from slant.data.parquetsizes import check_parquet
from slant.errors import DataError, OptionError, unknown_name

LINES = frozenset({".txt", ".cor"})
"""Endings of files that hold a text a line and have no columns."""
_LONGEST_FIELD = 1 << 28
_READ_AT_ONCE = 1 << 15
_ROWS_AT_ONCE = 1 << 13


class Batch(NamedTuple):
    """Rows in the order of the file; a text is "" where the row has none."""

    ids: list[str]
    texts: list[str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of texts. `text` and `id` are its columns, empty where lines are texts or where rows
    are numbered from 1."""

    path: Path
    text: str
    id: str

    def batches(self, rows: int) -> Iterator[Batch]:
        """All rows, `rows` at a time.

        Raises:
            DataError: bytes that are not UTF-8, a row that is not as it must be.
        """
        ids: list[str] = []
        texts: list[str] = []
        for number, (own, text) in enumerate(self._rows(), start=1):
            ids.append(own if self.id else str(number))
            texts.append(text)
            if len(ids) == rows:
                yield Batch(ids, texts)
                ids, texts = [], []
        if ids:
            yield Batch(ids, texts)

    def _rows(self) -> Iterator[tuple[str, str]]:
        return _READERS[self.path.suffix.lower()](self.path, self.id, self.text)


def open_corpus(path: Path, text: str | None, id_: str | None) -> Corpus:
    """A corpus, its columns found.

    Args:
        path: txt or cor (a text per line), csv, tsv, jsonl or parquet.
        text: column of the text; None: "text", or the only column.
        id_: column of the id; None: "id" where there is one, else rows are numbered from 1.

    Returns:
        The corpus; no row is read yet.

    Raises:
        DataError: no file, an empty one, an unknown ending. UnknownName: no such column, with the
            nearest. OptionError: columns were named of a file without columns.
    """
    asked = f"Reading '{path}'"
    check_file(path, list(_READERS))
    if not path.stat().st_size:
        raise DataError(asked, "it is empty", "Give a file with rows")
    if path.suffix.lower() in LINES:
        if text or id_:
            found = "a text file has no columns"
            raise OptionError(asked, found, "Leave --text and --id out, or give a csv")
        return Corpus(path, "", "")
    columns = _columns(path)
    if not columns:
        raise DataError(asked, "its first row has no column", "Give a file with a column of texts")
    for name in (text, id_):
        if name and name not in columns:
            raise unknown_name(f"column of '{path.name}'", name, columns)
    if not text and "text" not in columns and len(columns) > 1:
        found = f"it has the columns {', '.join(columns[:12])}, none of which is 'text'"
        raise DataError(asked, found, "Say which column is the text by --text")
    return Corpus(
        path,
        text or ("text" if "text" in columns else columns[0]),
        id_ or ("id" if "id" in columns else ""),
    )


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a csv, tsv, jsonl or parquet file, one at a time, as their columns hold them.

    Raises:
        DataError: bytes that are not UTF-8, a row that is not as it must be.
    """
    kind = path.suffix.lower()
    if kind == ".parquet":
        _schema(path)
        try:
            height = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
            for start in range(0, height, _ROWS_AT_ONCE):
                frame = pl.scan_parquet(path, glob=False, low_memory=True)
                part = frame.slice(start, _ROWS_AT_ONCE).collect()
                # Few rows at a time as Python objects: each text is then a copy of its own.
                yield from part.iter_rows(named=True, buffer_size=16)
        except PARQUET_FAULTS as error:
            raise _cut(path, error) from None
    elif kind == ".jsonl":
        yield from _objects(path)
    else:
        _columns(path)
        rows = _separated(path)
        names = next(rows, [])
        for row in rows:
            yield dict(zip(names, row, strict=True))


def _columns(path: Path) -> list[str]:
    kind = path.suffix.lower()
    if kind == ".parquet":
        return list(_schema(path))
    if kind == ".jsonl":
        return list(next(_objects(path), {}))
    names = next(_separated(path), [])
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        found = f"the column '{doubled[0]}' is there {names.count(doubled[0])} times"
        raise DataError(f"Reading '{path}'", found, "Give every column a name of its own")
    return names


def _lines(path: Path) -> Iterator[str]:
    """Lines with their ends; the error names the byte and the line."""
    place = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            data = raw
            if number == 1 and data.startswith(codecs.BOM_UTF8):
                data = data[3:]
                place = 3
            try:
                yield data.decode("utf-8")
            except UnicodeDecodeError as error:
                found = f"byte {place + error.start} (0x{data[error.start]:02X}, line {number})"
                raise DataError(
                    f"Reading '{path}' as UTF-8", f"{found} is not UTF-8", "Save the file as UTF-8"
                ) from None
            place += len(data)


def _texts(path: Path, id_: str, text: str) -> Iterator[tuple[str, str]]:
    for line in _lines(path):
        yield "", line.rstrip("\r\n")


def _separated(path: Path) -> Iterator[list[str]]:
    asked = f"Reading '{path}'"
    mark = "\t" if path.suffix.lower() == ".tsv" else ","
    reader = csv.reader(_lines(path), delimiter=mark, strict=True)
    before = csv.field_size_limit(_LONGEST_FIELD)
    width = 0
    rows = 0
    try:
        for row in reader:
            width = width or len(row)
            if row and len(row) != width:
                found = f"row {rows} (line {reader.line_num}) has {len(row)} fields"
                do = "Put texts with separators or line ends into quotes"
                raise DataError(asked, f"{found}, the header has {width}", do)
            if row:
                yield row
                rows += 1
    except csv.Error as error:
        found = f"row {rows} (to line {reader.line_num}) is broken ({error})"
        raise DataError(asked, found, "Close or double the quotes of this row") from None
    finally:
        csv.field_size_limit(before)


def _fields(path: Path, id_: str, text: str) -> Iterator[tuple[str, str]]:
    rows = _separated(path)
    names = next(rows)
    own, wanted = names.index(id_) if id_ else None, names.index(text)
    for row in rows:
        yield "" if own is None else row[own], row[wanted]


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    asked = f"Reading '{path}'"
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = json_value(line)
        except ValueError as error:
            found = f"line {number} is no JSON ({error})"
            raise DataError(asked, found, "Give one JSON object a line") from None
        if not isinstance(row, dict):
            found = f"line {number} holds no JSON object"
            raise DataError(asked, found, "Give one JSON object a line")
        yield row


def _values(path: Path, id_: str, text: str) -> Iterator[tuple[str, str]]:
    for number, row in enumerate(_objects(path), start=1):
        value = row.get(text)
        if value is not None and not isinstance(value, str):
            found = f"the '{text}' of object {number} is no text but {json.dumps(value)[:40]}"
            raise DataError(f"Reading '{path}'", found, "Give texts, or another --text")
        own = row.get(id_) if id_ else ""
        yield own if isinstance(own, str) else json.dumps(own), sound(value or "")


def _schema(path: Path) -> pl.Schema:
    with path.open("rb") as file:
        check_parquet(file, f"Reading '{path}'")
    try:
        return pl.scan_parquet(path, glob=False).collect_schema()
    except PARQUET_FAULTS as error:
        raise _cut(path, error) from None


def _cut(path: Path, error: BaseException) -> DataError:
    found = f"it is no parquet file, or cut ({str(error).splitlines()[0][:120]})"
    return DataError(f"Reading '{path}'", found, "Write the file again")


def _cells(path: Path, id_: str, text: str) -> Iterator[tuple[str, str]]:
    kind = _schema(path)[text]
    if kind not in (pl.String, pl.Categorical) and not isinstance(kind, pl.Enum):
        found = f"the column '{text}' holds {kind}, not texts"
        raise DataError(f"Reading '{path}'", found, "Say which column is the text by --text")
    own = pl.col(id_).cast(pl.String) if id_ else pl.lit("")
    frame = pl.scan_parquet(path, glob=False, low_memory=True).select(
        own.fill_null("").alias("0"), pl.col(text).cast(pl.String).fill_null("").alias("1")
    )
    try:
        height = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
        # Slices, since a stream of batches holds whole row groups, and several of them.
        for start in range(0, height, _READ_AT_ONCE):
            yield from frame.slice(start, _READ_AT_ONCE).collect().iter_rows()
    except PARQUET_FAULTS as error:
        raise _cut(path, error) from None


_READERS: dict[str, Callable[[Path, str, str], Iterator[tuple[str, str]]]] = {
    ".txt": _texts,
    ".cor": _texts,
    ".csv": _fields,
    ".tsv": _fields,
    ".jsonl": _values,
    ".parquet": _cells,
}


def merge_parquet(
    parts: Sequence[Path], out: Path, columns: Sequence[str], constant: dict[str, str], **known: str
) -> None:
    """Many parquet files of one schema as one, row group after row group, in constant memory.

    Args:
        parts: in the order of their rows, at least one.
        out: the file to write.
        columns: those that are kept.
        constant: further columns with one value.
        known: what the file's metadata says.
    """
    frame = pl.scan_parquet(list(parts), glob=False).select(*columns)
    frame.with_columns(pl.lit(value).alias(name) for name, value in constant.items()).sink_parquet(
        out, compression="zstd", row_group_size=_MERGED_ROWS, metadata=dict(known)
    )


_MERGED_ROWS = 50_000
