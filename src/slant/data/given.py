"""A user's table as rows of strings, read strictly, every fault named with its row."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from slant.data.documents import sound
from slant.data.jsonvalues import json_value
from slant.data.parquetsizes import check_parquet
from slant.data.rows import user_text
from slant.errors import DataError, OptionError, unknown_name

BIASED = frozenset({"1", "1.0", "true", "yes", "biased"})
UNBIASED = frozenset(
    {"0", "0.0", "false", "no", "non-biased", "unbiased", "not biased", "non biased"}
)
SHOWN = 5
"""Rows that an error names before it says how many more there are."""
PARQUET_FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What polars raises for a broken parquet file: a panic is no Exception of Python's."""
_LONGEST_FIELD = 1 << 28


@dataclass(frozen=True, slots=True)
class Given:
    """The columns of a file; `first` is the line or row number of the first record."""

    path: Path
    columns: Mapping[str, Sequence[str]]
    first: int
    unit: str

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def column(self, name: str) -> Sequence[str]:
        """A column by its name; an unknown one is answered with the nearest."""
        if name not in self.columns:
            raise unknown_name(f"column of '{self.path.name}'", name, self.columns)
        return self.columns[name]

    def filled(self, name: str, what: str) -> Sequence[str]:
        """A column in which no value may be blank."""
        values = self.column(name)
        blank = [n for n, value in enumerate(values) if not value.strip()]
        if blank:
            found = f"{self.rows(blank)} no {what} in the column '{name}'"
            raise DataError(f"Reading '{self.path}'", found, "Fill or remove these rows")
        return values

    def some(self, name: str, what: str, option: str) -> list[str | None]:
        """A column in which blank values are None, and not every value is."""
        values = [value.strip() or None for value in self.column(name)]
        if not any(values):
            found = f"no row has {what} in the column '{name}'"
            raise DataError(f"Reading '{self.path}'", found, f"Name another column by {option}")
        return values

    def unique(self, name: str) -> Sequence[str]:
        """A column in which every value is there once."""
        seen: dict[str, int] = {}
        for n, value in enumerate(self.filled(name, "id")):
            if value in seen:
                found = (
                    f"the id '{value}' stands in {self.unit} {seen[value] + self.first} and in "
                    f"{self.unit} {n + self.first}"
                )
                raise DataError(f"Reading '{self.path}'", found, "Give every row an id of its own")
            seen[value] = n
        return list(seen)

    def rows(self, numbers: Sequence[int]) -> str:
        """Row numbers as the subject of a sentence, ending in have or has."""
        named = ", ".join(str(n + self.first) for n in numbers[:SHOWN])
        more = f" and {len(numbers) - SHOWN:,} more" if len(numbers) > SHOWN else ""
        return (
            f"{self.unit} {named} has" if len(numbers) == 1 else f"{self.unit}s {named}{more} have"
        )


def check_file(path: Path, endings: Sequence[str]) -> None:
    """Refuse a file of a user that has an unknown ending or is not there.

    Args:
        path: as given.
        endings: those that can be read, with their dots, in lower case.
    """
    asked = f"Reading '{path}'"
    if not path.exists():
        raise DataError(asked, "there is no such file", "Name a file that is there")
    if path.suffix.lower() not in endings:
        found = f"the ending '{path.suffix}' is not known"
        raise DataError(asked, found, f"Give a file that ends in {', '.join(endings)}")
    if not path.is_file():
        raise DataError(asked, "it is no file", "Name a file")


def read_given(path: Path) -> Given:
    """The rows of a csv, tsv, jsonl or parquet file as strings.

    Raises:
        DataError: no file, an empty one, bytes that are not UTF-8 (with byte and line), rows
            with more or fewer fields than the header, lines that are no JSON object.
    """
    readers: dict[str, Callable[[Path, bytes], Given]] = {
        ".csv": lambda p, data: _separated(p, data, ","),
        ".tsv": lambda p, data: _separated(p, data, "\t"),
        ".jsonl": _json_lines,
        ".parquet": _parquet,
    }
    asked = f"Reading '{path}'"
    check_file(path, list(readers))
    data = path.read_bytes()
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise DataError(asked, "it is empty", "Give a file with rows")
    given = readers[path.suffix.lower()](path, data)
    if not given.columns:
        raise DataError(asked, "it has no columns", "Give a file with rows")
    if not len(given):
        raise DataError(asked, "it has columns but no rows", "Give a file with rows")
    return given


def given_labels(
    given: Given,
    name: str,
    positive: Sequence[str] = (),
    negative: Sequence[str] = (),
    words: tuple[frozenset[str], frozenset[str]] = (BIASED, UNBIASED),
) -> list[int]:
    """Each row's label as 1 (biased) or 0.

    Args:
        given: the file.
        name: its column of labels.
        positive: the values that mean 1; none: see `words`.
        negative: those that mean 0, every other value being refused; none: of two values in all
            the one that is not positive.
        words: what means 1 and 0 where no `positive` says it, in lower case.

    Raises:
        DataError: a value that means neither, with its row.
        OptionError: values that cannot be meant.
    """
    values = [value.strip() for value in given.filled(name, "label")]
    if not positive and not negative:
        for n, value in enumerate(values):
            if value.lower() not in words[0] | words[1]:
                usual = "0 or 1, true or false, yes or no, biased or non-biased"
                known = usual if words[0] >= BIASED else _few(sorted(words[0] | words[1]))
                raise DataError(
                    f"Reading '{given.path}'",
                    f"{given.unit} {n + given.first} has the label '{value}' in the column "
                    f"'{name}', and labels must be {known}",
                    "Say which labels mean biased by --positive",
                )
        return [int(value.lower() in words[0]) for value in values]
    labels = list(dict.fromkeys(values))
    _check_sides(labels, name, positive, negative)
    others = [value for value in labels if value not in positive]
    negative = negative or (others if len(labels) == 2 else [])
    for n, value in enumerate(values):
        if value not in positive and value not in negative:
            raise DataError(
                f"Reading '{given.path}'",
                f"{given.unit} {n + given.first} has the label '{value}' in the column '{name}', "
                f"which is named neither as biased nor as not; the labels are {_few(labels)}",
                "Name those that mean not biased by --negative, or remove the rows of others",
            )
    return [int(value in positive) for value in values]


def _check_sides(
    known: Sequence[str], name: str, positive: Sequence[str], negative: Sequence[str]
) -> None:
    if not positive:
        found = "no label is named as biased"
        raise OptionError(f"Reading --negative {negative[0]}", found, "Give --positive as well")
    for value in positive:
        asked = f"Taking '{value}' of the column '{name}' as biased"
        if value not in known:
            found = f"no row has this label, those are: {_few(sorted(known))}"
            raise OptionError(asked, found, "Give --positive a label that occurs")
        if value in negative:
            found = "it is named as not biased, too"
            raise OptionError(asked, found, "Give it to --positive or to --negative")


def _few(values: Sequence[str]) -> str:
    more = f" and {len(values) - 10:,} more" if len(values) > 10 else ""
    return ", ".join(values[:10]) + more


def _separated(path: Path, data: bytes, mark: str) -> Given:
    asked = f"Reading '{path}'"
    reader = csv.reader(
        io.StringIO(user_text(data, path).removeprefix("\ufeff"), newline=""),
        delimiter=mark,
        strict=True,
    )
    before = csv.field_size_limit(_LONGEST_FIELD)
    rows: list[list[str]] = []
    try:
        names = next(reader)
        _check_names(names, asked)
        for row in reader:
            if row and len(row) != len(names):
                found = f"row {len(rows) + 1} (line {reader.line_num}) has {len(row)} fields"
                do = "Put texts with separators or line ends into quotes"
                raise DataError(asked, f"{found}, the header has {len(names)}", do)
            if row:
                rows.append(row)
    except csv.Error as error:
        found = f"row {len(rows) + 1} (to line {reader.line_num}) is broken ({error})"
        raise DataError(asked, found, "Close or double the quotes of this row") from None
    finally:
        csv.field_size_limit(before)
    columns = {name: [row[n] for row in rows] for n, name in enumerate(names)}
    return Given(path, columns, 1, "row")


def _check_names(names: Sequence[str], asked: str) -> None:
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        found = f"the column '{min(doubled)}' is there {names.count(min(doubled))} times"
        raise DataError(asked, found, "Give every column a name of its own")


def _json_lines(path: Path, data: bytes) -> Given:
    rows: list[dict[str, Any]] = []
    names: dict[str, None] = {}
    lines = user_text(data, path).removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            if any(rest.strip() for rest in lines[number:]):
                found = f"line {number} is blank"
                raise DataError(f"Reading '{path}'", found, "Remove the blank line")
            break
        try:
            row = json_value(line)
        except ValueError as error:
            found = f"line {number} is no JSON ({error})"
            raise DataError(f"Reading '{path}'", found, "Give one JSON object a line") from None
        if not isinstance(row, dict):
            found = f"line {number} holds no JSON object"
            raise DataError(f"Reading '{path}'", found, "Give one JSON object a line")
        rows.append(row)
        names.update(dict.fromkeys(row))
    return Given(path, {n: [_string(row.get(n)) for row in rows] for n in names}, 1, "line")


def _parquet(path: Path, data: bytes) -> Given:
    check_parquet(io.BytesIO(data), f"Reading '{path}'")
    try:
        table = pl.read_parquet(io.BytesIO(data))
    except PARQUET_FAULTS as error:
        found = f"it is no parquet file, or cut ({str(error).splitlines()[0]})"
        raise DataError(f"Reading '{path}'", found, "Write the file again") from None
    return Given(path, {s.name: [_string(v) for v in s.to_list()] for s in table}, 1, "row")


def _string(value: Any) -> str:
    if value is None:
        return ""
    return sound(value) if isinstance(value, str) else json.dumps(value, default=str)
