"""Published files -> rows, strictly: what a file does not hold as documented is one clear error."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from slant.data.files import Source
from slant.errors import DataError
from slant.types import Preset

PANDAS_MISSING = frozenset(
    "|#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a"
    "|nan|null".split("|")
)
"""Cells that pandas reads as missing: the official scripts turn them into the word "nan"."""

_CHUNK = 1 << 20
_GAP = re.compile(r"[\s,]*")
_AGAIN = "Get the file again from the address that `slant data show` prints"


def read_bytes(path: Path) -> bytes:
    """The bytes of a file that must be there and not be empty."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"Reading '{path}'", "there is no such file", _AGAIN) from None
    except OSError as error:
        raise DataError(f"Reading '{path}'", f"it cannot be read ({error})", _AGAIN) from None
    if not data.strip():
        raise DataError(f"Reading '{path}'", "the file is empty", _AGAIN)
    return data


def read_text(path: Path, encoding: str = "utf-8", lossy: bool = False) -> str:
    """The text of a file.

    Args:
        path: the file.
        encoding: the encoding it is published in.
        lossy: undecodable bytes become U+FFFD (files published with damage); else an error.

    Returns:
        The decoded text; a byte order mark is dropped.
    """
    return _decoded(read_bytes(path), path, encoding, lossy)


def _decoded(data: bytes, path: Path, encoding: str, lossy: bool) -> str:
    try:
        return data.decode(encoding, "replace" if lossy else "strict").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"Reading '{path}' as {encoding}",
            f"byte {error.start} (0x{data[error.start]:02X}, line {row}) is not {encoding}",
            f"Save the file as {encoding}, or get it again as published",
        ) from None


def read_lines(path: Path, encoding: str = "utf-8", lossy: bool = False) -> list[str]:
    """The lines of a file, each with its end written as one line feed (the last may have none)."""
    return io.StringIO(read_text(path, encoding, lossy), newline=None).readlines()


def read_fields(
    path: Path, fields: dict[str, int], lossy: bool = False, header: bool = False
) -> pl.DataFrame:
    """Lines split at every tab, quotes being ordinary characters.

    Args:
        path: the file.
        fields: name of each wanted field -> its 0-based number; negative counts from the end.
        lossy: as in `read_text`.
        header: whether the first line is a header, which is skipped.

    Returns:
        One string column per field, one row per line.
    """
    lines = [line.split("\t") for line in read_lines(path, lossy=lossy)]
    least = max(n + 1 if n >= 0 else -n for n in fields.values())
    for row, line in enumerate(lines, start=1):
        if len(line) < least:
            raise DataError(
                f"Reading '{path}'",
                f"line {row} has {len(line)} tab-separated fields, {least} are needed",
                _AGAIN,
            )
    body = lines[1:] if header else lines
    columns = {name: [line[number] for line in body] for name, number in fields.items()}
    return pl.DataFrame(columns, schema=dict.fromkeys(fields, pl.String))


def read_csv(
    path: Path,
    columns: Sequence[str],
    *,
    encoding: str = "utf-8",
    lossy: bool = False,
    separator: str = ",",
    record: str | None = None,
) -> pl.DataFrame:
    """All columns of a csv file with a header as strings; an empty cell is "".

    Args:
        path: the file.
        columns: the columns that must be there.
        encoding, lossy: as in `read_text`.
        separator: the field separator.
        record: regular expression of how a record starts; a line inside a field that starts so
            was swallowed by a stray quote.

    Returns:
        One row per record, in order.
    """
    data = read_bytes(path)
    if encoding != "utf-8" or lossy or data.startswith(codecs.BOM_UTF8):
        data = _decoded(data, path, encoding, lossy).encode()
    elif not _is_utf8(data):
        _decoded(data, path, encoding, lossy)
    if data.count(b'"') % 2:
        raise _swallowed(path, data, separator, "a quote is opened and never closed")
    try:
        table = pl.read_csv(
            data,
            separator=separator,
            infer_schema=False,
            missing_utf8_is_empty_string=True,
        )
    except pl.exceptions.PolarsError as error:
        raise _swallowed(path, data, separator, str(error).splitlines()[0]) from None
    _check_columns(table, columns, path)
    if record is not None:
        inside = pl.any_horizontal(pl.all().str.contains(f"[\r\n](?:{record})"))
        rows = table.select(inside.fill_null(False).arg_true()).to_series()
        if len(rows):
            raise _quotes(path, int(rows[0]) + 1, "a field holds the start of further records")
    return table


def _is_utf8(data: bytes) -> bool:
    # In pieces: decoding a large file at once can take four times its size.
    if data.isascii():
        return True
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        for start in range(0, len(data), _CHUNK):
            decode(data[start : start + _CHUNK], start + _CHUNK >= len(data))
    except UnicodeDecodeError:
        return False
    return True


def _quotes(path: Path, row: int, found: str) -> DataError:
    do = 'Double every quote inside a quoted field (" becomes ""), or get the file again'
    return DataError(f"Reading '{path}'", f"at record {row} {found}: quotes swallow lines", do)


def _swallowed(path: Path, data: bytes, separator: str, fallback: str) -> DataError:
    # Slow and only on the way out: the strict reader of the standard library finds the record.
    reader = csv.reader(
        io.StringIO(data.decode("utf-8", "replace"), newline=""), delimiter=separator, strict=True
    )
    width = row = longest = at = 0
    try:
        for row, record in enumerate(reader):  # noqa: B007
            lines = max((field.count("\n") for field in record), default=0)
            if lines > longest:
                longest, at = lines, row
            width = width or len(record)
            if len(record) > width:
                found = f"there are {len(record)} fields, the header has {width}"
                return _quotes(path, row, found)
    except csv.Error as error:
        return _quotes(path, row + 1, str(error))
    if longest:
        return _quotes(path, at, f"one field runs over {longest + 1} lines")
    return DataError(f"Reading '{path}'", fallback, _AGAIN)


def _check_columns(table: pl.DataFrame, columns: Sequence[str], path: Path) -> None:
    for column in columns:
        if column not in table.columns:
            have = ", ".join(table.columns[:12]) + (", ..." if table.width > 12 else "")
            raise DataError(
                f"Reading '{path}'",
                f"there is no column '{column}' (found: {have})",
                "Rename the column, or give the file as published",
            )
    if not table.height:
        raise DataError(f"Reading '{path}'", "it has a header and no rows", _AGAIN)


def read_xlsx(path: Path, columns: Sequence[str]) -> pl.DataFrame:
    """The first sheet of a workbook as strings, its first row being the header; empty is ""."""
    import fastexcel

    data = read_bytes(path)
    try:
        sheet = fastexcel.read_excel(data).load_sheet(0, dtypes="string")
        table = pl.DataFrame(sheet)
    except fastexcel.FastExcelError as error:
        cause = str(error).splitlines()[0]
        raise DataError(
            f"Reading '{path}'", f"the workbook is cut or no xlsx file ({cause})", _AGAIN
        ) from None
    _check_columns(table, columns, path)
    return table.with_columns(pl.all().cast(pl.String).fill_null(""))


def read_json(path: Path) -> Any:
    """The value in a JSON file."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise _broken_json(path, error) from None


def _broken_json(path: Path, error: json.JSONDecodeError, line: int = 0) -> DataError:
    found = f"line {line + error.lineno}, column {error.colno} is no JSON ({error.msg})"
    return DataError(f"Reading '{path}'", found, _AGAIN)


def read_json_items(path: Path) -> Iterator[Any]:
    """The items of one JSON array, one after the other, holding a few at a time."""
    decoder = json.JSONDecoder()
    decode = codecs.getincrementaldecoder("utf-8-sig")()
    buffer, position, line, opened, last = "", 0, 0, False, False
    with path.open("rb") as file:
        while not last:
            data = file.read(_CHUNK)
            last = not data
            line += buffer.count("\n", 0, position)
            try:
                buffer, position = buffer[position:] + decode.decode(data, last), 0
            except UnicodeDecodeError:
                _decoded(path.read_bytes(), path, "utf-8", lossy=False)
            while (start := _next_token(buffer, position)) < len(buffer):
                if not opened:
                    if buffer[start] != "[":
                        found = f"it starts with '{buffer[start]}', an array starts with '['"
                        raise DataError(f"Reading '{path}'", found, _AGAIN)
                    opened, position = True, start + 1
                    continue
                if buffer[start] == "]":
                    return
                try:
                    item, position = decoder.raw_decode(buffer, start)
                except json.JSONDecodeError as error:
                    if last:
                        raise _broken_json(path, error, line) from None
                    break
                yield item
    raise DataError(f"Reading '{path}'", "the array is never closed: the file is cut", _AGAIN)


def _next_token(buffer: str, position: int) -> int:
    found = _GAP.match(buffer, position)
    return found.end() if found else position


def read_xml(path: Path) -> ElementTree.Element:
    """The root element of an XML file."""
    try:
        return ElementTree.fromstring(read_text(path))
    except ElementTree.ParseError as error:
        line, column = error.position
        found = f"line {line}, column {column} is no XML ({error})"
        raise DataError(f"Reading '{path}'", found, _AGAIN) from None


def check_labels(labels: pl.Series, known: Iterable[str], path: Path, first: int = 1) -> None:
    """Stops at the first label that is not among the known ones.

    Args:
        labels: the published labels, one per row.
        known: those the rule covers.
        path: the file they came from.
        first: number of the first row in the message.
    """
    names = sorted(known)
    rows = (~labels.is_in(names)).fill_null(True).arg_true()
    if len(rows):
        row = int(rows[0])
        raise DataError(
            f"Reading '{path}'",
            f"row {row + first} has the label '{labels[row]}'",
            f"Known labels are {', '.join(repr(name) for name in names)}; correct the row",
        )


def sound(text: str) -> str:
    """The text with lone surrogates, which JSON may hold and UTF-8 may not, as U+FFFD.

    >>> sound("a\\ud83d")
    'a�'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def file_named(source: Source, name: str) -> Path:
    """The file of this name among those of a source."""
    for path in source.files:
        if path.name == name:
            return path
    raise _no_file(source, name)


def files_ending(source: Source, *ends: str) -> list[Path]:
    """The files of a source whose names end so, hidden ones left aside; at least one."""
    found = [p for p in source.files if p.name.endswith(ends) and not p.name.startswith(".")]
    if not found:
        raise _no_file(source, " or ".join(f"*{end}" for end in ends))
    return found


def _no_file(source: Source, name: str) -> DataError:
    have = ", ".join(path.name for path in source.files[:6]) or "none"
    asked = f"Reading mbib/{source.dataset} in '{source.folder}'"
    return DataError(asked, f"there is no file '{name}' (found: {have})", _AGAIN)


def refuse_official(source: Source, preset: Preset) -> None:
    """Stops where the official rules do not cover the form that was found."""
    if preset == "official":
        raise DataError(
            f"Reading mbib/{source.dataset} by the official rules",
            f"'{source.folder}' holds the form '{source.form}', which they do not cover",
            "Give the raw form, or use the preset clean",
        )
