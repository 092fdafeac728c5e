"""A quantity from outside the texts, by word: the share of women in an occupation, say."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from slant.errors import DataError, unknown_name

WORD_COLUMNS = re.compile(r"word|label\d*", re.IGNORECASE)
VALUE, WEIGHT = "value", "weight"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number for each of some words.

    Fields:
        name: of the column.
        values: word -> the mean over the rows that name it, each weighing what `weight` says.
        rows: word -> how many rows name it.
        weight: the column of weights; None: all rows weigh alike.
        weights: word -> the sum of the weights of its rows.
    """

    name: str
    values: dict[str, float]
    rows: dict[str, int]
    weight: str | None
    weights: dict[str, float]


def read_quantity(given: str) -> Quantity:
    """The quantity in a table.

    Args:
        given: FILE, FILE:COLUMN or FILE:COLUMN:WEIGHT. The file is tab- (.tsv) or comma-separated,
            with a header; words stand in columns named word, or label1, label2, ...: a row holds
            for each of its words. Without COLUMN it is "value", and the weight "weight", if there
            is such a column.

    Raises:
        DataError: no such file, no column of words, a number that is none or a weight below 0 (its
            line is named). UnknownName: no such column.
    """
    path, column, weight = _parts(given)
    asked = f"Reading the outside quantity '{path}'"
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise DataError(asked, "there is no such file", "Check the path") from None
    except (OSError, UnicodeDecodeError) as why:
        raise DataError(asked, f"it cannot be read ({why})", "Check the file") from None
    reader = csv.DictReader(text.splitlines(), delimiter="\t" if path.suffix == ".tsv" else ",")
    try:
        header = [name for name in reader.fieldnames or [] if name]
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as why:
        found = f"line {reader.line_num + 1} is broken ({why})"
        raise DataError(asked, found, "Give a table of words and numbers") from None
    words = [name for name in header if WORD_COLUMNS.fullmatch(name)]
    if not words:
        found = f"none of its columns {', '.join(header) or '(there are none)'} holds words"
        raise DataError(asked, found, "Name the column of words 'word'")
    if weight is None and column == VALUE and WEIGHT in header:
        weight = WEIGHT
    for name in (column, *([weight] if weight else [])):
        if name not in header:
            raise unknown_name("column", name, [one for one in header if one not in words])
    sums: dict[str, tuple[float, float, int]] = {}
    for line, row in rows:
        value = _number(row[column], asked, line, column)
        share = _number(row[weight], asked, line, weight) if weight else 1.0
        if share < 0:
            raise DataError(asked, f"line {line} has the weight {share}", "Give 0 or more")
        for word in dict.fromkeys(row[name] for name in words if row[name]):
            total, over, number = sums.get(word, (0.0, 0.0, 0))
            sums[word] = (total + value * share, over + share, number + 1)
    known = {word: one for word, one in sums.items() if one[1] > 0}
    if not known:
        raise DataError(asked, "no row has a word and a weight", "Give rows with words")
    return Quantity(
        column,
        {word: total / over for word, (total, over, _) in known.items()},
        {word: number for word, (_, _, number) in known.items()},
        weight,
        {word: over for word, (_, over, _) in known.items()},
    )


def _parts(given: str) -> tuple[Path, str, str | None]:
    if Path(given).is_file():
        return Path(given), VALUE, None
    parts = given.rsplit(":", 2)
    if len(parts) == 3 and not Path(f"{parts[0]}:{parts[1]}").is_file():
        return Path(parts[0]), parts[1], parts[2]
    file, sign, column = given.rpartition(":")
    return (Path(file), column, None) if sign else (Path(given), VALUE, None)


def _number(text: str | None, asked: str, line: int, column: str) -> float:
    try:
        value = float((text or "").replace(",", ""))
        if not isfinite(value):
            raise ValueError
        return value
    except ValueError:
        found = f"line {line} has '{text}' in the column {column}"
        raise DataError(asked, found, "Give a number") from None
