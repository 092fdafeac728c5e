"""An outside quantity for WEFAT: the share of women by occupation word."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from slant.errors import DataError

_DO = "Give the table of occupations as it was published, tab-separated with a header"


@dataclass(frozen=True, slots=True)
class Occupation:
    """What the labour statistics say of a word.

    Fields:
        women: per cent of the employed, in [0, 100], the mean of its rows weighted by `employed`.
        employed: of its rows together, in the table's unit (thousands).
        rows: how many rows have the word as any of their labels.
    """

    women: float
    employed: float
    rows: int


def read_occupations(path: Path) -> dict[str, Occupation]:
    """Read professionsBLS2015.tsv: occupations by the words that name them.

    A row gives the employed (`TotalEmployed`), the percentage of women (`Women`) and up to five
    words (`label1` to `label5`). A word has the rows that have it as any label: its percentage is
    sum of employed x women / sum of employed over them.

    Args:
        path: the tab-separated table.

    Returns:
        By word, in order of first appearance.
    Raises:
        DataError: no such file, a missing column, a row whose number is none, no row.
    Source: Caliskan, Bryson and Narayanan 2017 (U.S. Bureau of Labor Statistics 2015).
    """
    asked = f"Reading the occupations of {path.name}"
    rows: dict[str, list[tuple[float, float]]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            table = csv.DictReader(lines, delimiter="\t")
            columns = list(table.fieldnames or [])
            for name in ("TotalEmployed", "Women", "label1"):
                if name not in columns:
                    raise DataError(asked, f"there is no column '{name}'", _DO)
            labels = [name for name in columns if name.startswith("label")]
            for row in table:
                where = f"line {table.line_num}"
                employed = _number(row["TotalEmployed"], asked, f"{where}, TotalEmployed")
                women = _number(row["Women"], asked, f"{where}, Women")
                if women > 100 or employed == 0:
                    raise DataError(asked, f"{where} has {women} % women of {employed}", _DO)
                for word in dict.fromkeys((row[name] or "").strip() for name in labels):
                    if word:
                        rows.setdefault(word, []).append((employed, women))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(asked, f"it cannot be read ({error})", _DO) from error
    if not rows:
        raise DataError(asked, "it has no row with a word", _DO)
    return {word: _together(own) for word, own in rows.items()}


def _together(rows: list[tuple[float, float]]) -> Occupation:
    employed = sum(number for number, _ in rows)
    return Occupation(sum(n * women for n, women in rows) / employed, employed, len(rows))


def _number(text: str | None, asked: str, where: str) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = float("nan")
    if not isfinite(value) or value < 0:
        raise DataError(asked, f"{where} is {text!r}, which is no number from 0 up", _DO)
    return value
