"""Sheets that people fill in with a spreadsheet program, and read back however it saved them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from slant.data.formulas import disarmed, rearmed
from slant.data.rows import read_text
from slant.errors import DataError

_LONGEST_CELL = 1 << 24


def sheet_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """A CSV file that spreadsheet programs open well: with a byte order mark, rows ended by CRLF.

    A cell that a program would compute gets an apostrophe before it (`formulas.disarmed`).

    >>> sheet_bytes(["id"], [{"id": "=1"}]).decode()
    "\\ufeffid\\r\\n'=1\\r\\n"
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([[disarmed(row.get(name, "")) for name in columns] for row in rows])
    return out.getvalue().encode("utf-8-sig", "replace")


def read_sheet(path: Path, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """The rows of a sheet with their numbers as a spreadsheet program shows them (the header is 1).

    Rule: fields may be parted by commas, semicolons or tabs; blank rows are left out; cells are
    stripped, and lose the apostrophe that `sheet_bytes` gave them.

    Args:
        path: a CSV file in UTF-8.
        columns: those that must be there.

    Raises:
        DataError: no file, not UTF-8, a column that is absent or there twice, a row with too many
            fields.
    """
    asked = f"Reading '{path}'"
    if path.is_dir():
        raise DataError(asked, "it is a folder", "Give the sheet, a .csv file")
    text = read_text(path)
    first = text.split("\n", 1)[0]
    mark = max(",;\t", key=first.count)
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True))
    except csv.Error as error:
        raise DataError(asked, f"it is no sheet ({error})", "Save it as CSV in UTF-8") from None
    finally:
        csv.field_size_limit(before)
    header = [name.strip() for name in rows[0]]
    for name in columns:
        if name not in header:
            found = f"it has no column '{name}', its columns are {', '.join(header)[:200]}"
            raise DataError(asked, found, "Fill in the sheet without changing its columns")
    doubled = sorted({name for name in header if name and header.count(name) > 1})
    if doubled:
        found = f"the column '{doubled[0]}' is there {header.count(doubled[0])} times"
        raise DataError(asked, found, "Keep one of them")
    found_rows = []
    for number, row in enumerate(rows[1:], 2):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if any(cells[len(header) :]):
            found = f"row {number} has {len(cells)} fields, the header has {len(header)}"
            raise DataError(asked, found, "Put cells with separators into quotes")
        padded = cells + [""] * (len(header) - len(cells))
        named = {name: rearmed(cell) for name, cell in zip(header, padded, strict=False)}
        found_rows.append((number, named))
    return found_rows
