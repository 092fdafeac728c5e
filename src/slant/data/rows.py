"""Published files -> rows, strictly: what a file does not hold as documented is one clear error."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from slant.data.archives import check_packed
from slant.data.cards import public_name
from slant.data.sources import Source
from slant.errors import DataError
from slant.types import Preset

_NUMBERS_MISSING = ("#N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN")
PANDAS_MISSING = frozenset(
    ("", "#N/A N/A", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null")
).union(_NUMBERS_MISSING)
"""Cells that pandas reads as missing: the official scripts turn them into the word "nan"."""

_CHUNK = 1 << 20
AGAIN = "Get the file again from the address that `slant data show` prints"


def read_bytes(path: Path) -> bytes:
    """The bytes of a file that must be there and not be empty."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"Reading '{path}'", "there is no such file", AGAIN) from None
    except OSError as error:
        raise DataError(f"Reading '{path}'", f"it cannot be read ({error})", AGAIN) from None
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise DataError(f"Reading '{path}'", "the file is empty", AGAIN)
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
    return decoded(read_bytes(path), path, encoding, lossy)


def decoded(data: bytes, path: Path, encoding: str, lossy: bool) -> str:
    """The bytes of a file as text; the error names the byte and the line."""
    try:
        return data.decode(encoding, "replace" if lossy else "strict").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"Reading '{path}' as {encoding}",
            f"byte {error.start} (0x{data[error.start]:02X}, line {row}) is not {encoding}",
            f"Save the file as {encoding}, or get it again as published",
        ) from None


def user_text(data: bytes, path: Path | str) -> str:
    """The bytes of a user's file as text, a byte order mark kept; the error names byte and line."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"Reading '{path}' as UTF-8",
            f"byte {error.start} (0x{data[error.start]:02X}, line {line}) is not UTF-8",
            "Save the file as UTF-8",
        ) from None


def read_lines(path: Path, encoding: str = "utf-8", lossy: bool = False) -> list[str]:
    """The lines of a file, each with its end written as one line feed (the last may have none)."""
    return io.StringIO(read_text(path, encoding, lossy), newline=None).readlines()


def read_csv(
    path: Path,
    columns: Sequence[str],
    *,
    optional: Sequence[str] = (),
    encoding: str = "utf-8",
    lossy: bool = False,
    record: str | None = None,
    separator: str = ",",
) -> pl.DataFrame:
    """The wanted columns of a comma-separated file with a header, as strings; an empty cell is "".

    Args:
        path: the file.
        columns: the columns that must be there.
        optional: the columns that are read if there.
        encoding, lossy: as in `read_text`.
        record: regular expression of how a record starts; a line inside a field that starts so
            was swallowed by a stray quote.
        separator: what stands between fields, where that is no comma.

    Returns:
        One row per record, in order, columns in the order of the file.
    """
    data = read_bytes(path)
    if encoding != "utf-8" or lossy or data.startswith(codecs.BOM_UTF8):
        data = decoded(data, path, encoding, lossy).encode()
    elif not _is_utf8(data):
        decoded(data, path, encoding, lossy)
    end = data.find(b"\n")
    first = data[: end if end >= 0 else len(data)].decode()
    try:
        header = next(csv.reader([first], delimiter=separator))
    except csv.Error as error:
        do = "Write the file with commas and with line ends \\n or \\r\\n"
        raise DataError(f"Reading '{path}'", f"its first line is no header ({error})", do) from None
    check_columns(header, [*columns, *(one for one in optional if one in header)], path)
    wanted = [n for n, name in enumerate(header) if name in {*columns, *optional}]
    # An odd quote may still stand inside an unquoted field, so the slow reader decides.
    quotes = np.count_nonzero(np.frombuffer(data, np.uint8) == ord('"'))
    table = None if quotes % 2 else _fast_csv(data, wanted, len(header), separator)
    if table is None:
        table = _strict_csv(path, data, wanted, len(header), separator)
    table.columns = [header[n] for n in wanted]
    if not table.height:
        raise DataError(f"Reading '{path}'", "it has a header and no rows", AGAIN)
    if record is not None:
        inside = pl.any_horizontal(pl.all().str.contains(f"[\r\n](?:{record})"))
        rows = table.select(inside.arg_true()).to_series()
        if len(rows):
            raise _quotes(path, int(rows[0]) + 1, "a field holds the start of further records")
    return table


def _fast_csv(data: bytes, wanted: list[int], width: int, separator: str) -> pl.DataFrame | None:
    # Reading every column notices a record with too many fields, but a wide file takes gigabytes.
    try:
        narrow = None if width <= 12 else wanted
        table = pl.read_csv(data, columns=narrow, infer_schema=False, separator=separator)
    except pl.exceptions.PolarsError:
        return None
    # A line of nothing but commas is a record too; the bytes are searched only where that matters.
    blank = table.select(pl.all_horizontal(pl.all().is_null())).to_series()
    if blank.any() and (b"\n\n" in data or b"\n\r\n" in data):
        table = table.filter(~blank)
    if narrow is None:
        table = table.select(table.columns[n] for n in wanted)
    return table.fill_null("")


def _strict_csv(
    path: Path, data: bytes, wanted: list[int], width: int, separator: str
) -> pl.DataFrame:
    content = io.StringIO(data.decode(), newline="")
    reader = csv.reader(content, delimiter=separator, strict=True)
    rows: list[list[str]] = []
    number = 0
    try:
        for number, row in enumerate(reader):
            if len(row) > width:
                found = f"there are {len(row)} fields, the header has {width}"
                raise _quotes(path, number, found)
            if row and number:
                rows.append([row[n] if n < len(row) else "" for n in wanted])
    except csv.Error as error:
        raise _quotes(path, number + 1, str(error)) from None
    return pl.DataFrame(rows, [f"{n}" for n in wanted], orient="row")


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


def check_columns(found: Sequence[str], wanted: Sequence[str], path: Path) -> None:
    """Stops at the first wanted column that is not among those found."""
    for column in wanted:
        if found.count(column) > 1:
            raise DataError(
                f"Reading '{path}'",
                f"the column '{column}' is there {found.count(column)} times",
                "Keep one of them, or give the file as published",
            )
        if column not in found:
            have = ", ".join(found[:12]) + (", ..." if len(found) > 12 else "")
            raise DataError(
                f"Reading '{path}'",
                f"there is no column '{column}' (found: {have})",
                "Rename the column, or give the file as published",
            )


def read_xlsx(path: Path, columns: Sequence[str]) -> pl.DataFrame:
    """The first sheet of a workbook as strings, its first row being the header; empty is ""."""
    import fastexcel

    data = read_bytes(path)
    check_packed(data, f"Reading '{path}'")
    try:
        sheet = fastexcel.read_excel(data).load_sheet(0, dtypes="string")
        table = pl.DataFrame(sheet)
    except fastexcel.FastExcelError as error:
        cause = str(error).splitlines()[0]
        raise DataError(
            f"Reading '{path}'", f"the workbook is cut or no xlsx file ({cause})", AGAIN
        ) from None
    check_columns(table.columns, columns, path)
    return table.with_columns(pl.all().cast(pl.String).fill_null(""))


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


def published_text(column: str, preset: Preset) -> pl.Expr:
    """The column `text`; official: a cell that pandas reads as missing is the word "nan"."""
    text = pl.col(column)
    missing = text.is_in(sorted(PANDAS_MISSING)) & (preset == "official")
    return pl.when(missing).then(pl.lit("nan")).otherwise(text).alias("text")


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
    asked = f"Reading {public_name(source.dataset)} in '{source.folder}'"
    return DataError(asked, f"there is no file '{name}' (found: {have})", AGAIN)


def refuse_official(source: Source, preset: Preset) -> None:
    """Stops where the official rules do not cover the form that was found."""
    if preset == "official":
        raise DataError(
            f"Reading mbib/{source.dataset} by the official rules",
            f"'{source.folder}' holds the form '{source.form}', which they do not cover",
            "Give the raw form, or use the preset clean",
        )
