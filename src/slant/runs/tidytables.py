"""Results as long tables: what columns there are and of what type, to polars and to pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal

from slant.errors import MissingExtra

if TYPE_CHECKING:
    import polars as pl

Row = dict[str, Any]
Kind = Literal["text", "whole", "real", "yes/no"]
ESTIMATED: Final[dict[str, Kind]] = {
    "measure": "text",
    "estimate": "real",
    "low": "real",
    "high": "real",
    "level": "real",
    "n": "whole",
    "why": "text",
}
"""The columns of a number with its interval: what is measured, the value and the ends, the level,
of how many texts, and why there is no value."""


@dataclass(frozen=True, slots=True)
class Tidy:
    """A long table: one observation a row.

    Fields:
        says: what a row is.
        columns: their names and types, in their order.
    """

    says: str
    columns: Mapping[str, Kind]


def tidy_frame(rows: Iterable[Mapping[str, Any]], table: Tidy) -> pl.DataFrame:
    """Rows as a polars table: all columns, in their order and types, whatever rows hold.

    Args:
        rows: each with some of the columns; what is absent is null.
        table: what they are.
    """
    import polars as pl

    types = {"text": pl.String, "whole": pl.Int64, "real": pl.Float64, "yes/no": pl.Boolean}
    made: dict[str, list[Any]] = {name: [] for name in table.columns}
    for row in rows:
        for name, values in made.items():
            values.append(row.get(name))
    return pl.DataFrame(
        {name: pl.Series(name, values, types[table.columns[name]], strict=False)
         for name, values in made.items()}
    )  # fmt: skip


def pandas_frame(frame: pl.DataFrame) -> Any:
    """A polars table as a pandas one, with the same columns; pyarrow is not needed.

    Rule: whole numbers and truth values are of pandas' nullable types where one is absent; an
    absent real number is NaN, an absent text None.

    Raises:
        MissingExtra: pandas is not installed.
    """
    if not find_spec("pandas"):
        found = "the package pandas is not installed"
        do = "Run pip install pandas, or take to_polars()"
        raise MissingExtra("Making a table of pandas", found, do)
    import polars as pl

    pandas: Any = import_module("pandas")
    nullable = {pl.Int64: "Int64", pl.Int8: "Int64", pl.Boolean: "boolean"}
    made = {}
    for name in frame.columns:
        column = frame[name]
        kind = next((own for one, own in nullable.items() if column.dtype == one), None)
        if kind and not column.null_count():
            kind = {"Int64": "int64", "boolean": "bool"}[kind]
        if column.dtype == pl.Float64:
            kind = "float64"
        made[name] = pandas.Series(column.to_list(), dtype=kind or "object")
    return pandas.DataFrame(made, columns=frame.columns)


def estimated(found: Mapping[str, Any] | None) -> Row:
    """The columns estimate, low, high and why of an estimate as our files have it.

    >>> estimated({"value": 0.5, "low": 0.4, "high": 0.6})
    {'estimate': 0.5, 'low': 0.4, 'high': 0.6, 'why': None}
    """
    found = found or {}
    return {
        "estimate": found.get("value"),
        "low": found.get("low"),
        "high": found.get("high"),
        "why": found.get("why"),
    }


def estimates_in(
    content: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Every estimate within nested mappings, with the keys that lead to it, in their order.

    >>> [path for path, _ in estimates_in({"a": {"f1": {"value": 1.0, "low": None}}, "n": 3})]
    [('a', 'f1')]
    """
    for key, one in content.items():
        if isinstance(one, Mapping):
            here = (*path, str(key))
            if "value" in one:
                yield here, one
            else:
                yield from estimates_in(one, here)
