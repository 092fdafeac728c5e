"""The tables beside a report of `slant analyze`, in parquet and csv."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from slant.analysis.analyses import DetectorFacts
from slant.analysis.rows import (
    EVENT_COLUMNS,
    GROUP_COLUMNS,
    PROFILE_COLUMNS,
    SENTENCE_COLUMNS,
    kind_columns,
    spreadsheet_row,
)
from slant.data.writing import replacing

if TYPE_CHECKING:
    import polars as pl

_WHOLE: Final = frozenset(
    ("sentence", "start", "end", "paragraph", "n", "articles", "texts", "sentences", "event",
     "outlets")
)  # fmt: skip
_REAL: Final = frozenset(
    ("probability", "low", "high", "value", "level", "similarity", "f1", "f1_low", "f1_high")
)
_KIND: Final = "kind:"


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table beside a report.

    Fields:
        name: of its files, without ending.
        columns: in their order.
        says: what a row is.
    """

    name: str
    columns: tuple[str, ...]
    says: str


SENTENCES: Final = TableFile("sentences", SENTENCE_COLUMNS, "a row for each sentence and detector")
PROFILES: Final = TableFile("profiles", PROFILE_COLUMNS, "a row for each article and measure")
GROUPS: Final = TableFile("groups", GROUP_COLUMNS, "a row for each group and measure")
EVENTS: Final = TableFile("events", EVENT_COLUMNS, "a row for each article of an event")


def sentence_table(detectors: Iterable[DetectorFacts]) -> TableFile:
    """The table of sentences with a column for each kind of bias that detectors tell."""
    return replace(SENTENCES, columns=(*SENTENCE_COLUMNS, *kind_columns(detectors)))


def table_frame(rows: Sequence[Mapping[str, Any]], table: TableFile) -> pl.DataFrame:
    """Rows as a frame: whole and real numbers by the names of their columns, else text."""
    import polars as pl

    schema = {
        name: pl.Int64
        if name in _WHOLE
        else pl.Float64
        if name in _REAL or name.startswith(_KIND)
        else pl.String
        for name in table.columns
    }
    return pl.DataFrame(list(rows), schema=schema, orient="row")


def write_shard(rows: Sequence[Mapping[str, Any]], table: TableFile, path: Path) -> None:
    """One shard of a table as parquet, atomically."""
    frame = table_frame(rows, table)
    with replacing(path) as temporary:
        frame.write_parquet(temporary, compression="zstd")


def join_tables(parts: Sequence[Path], table: TableFile, out: Path) -> list[Path]:
    """Shards of a table as one csv and one parquet, in constant memory.

    Rule: both hold the same rows, unrounded; in the csv a text that a spreadsheet would run as a
    formula has a ' before it.

    Args:
        parts: parquet files, at least one.
        table: what they are of.
        out: the folder to write to.

    Returns:
        The two files.
    """
    import polars as pl

    from slant.data.streams import merge_parquet

    paths = [out / f"{table.name}.csv", out / f"{table.name}.parquet"]
    with replacing(paths[1]) as temporary:
        merge_parquet(parts, temporary, table.columns, {})
    with replacing(paths[0]) as temporary:
        frames = (pl.read_parquet(part, glob=False) for part in parts)
        _write_csv((row for one in frames for row in one.iter_rows(named=True)), table, temporary)
    return paths


def _write_csv(rows: Iterable[Mapping[str, Any]], table: TableFile, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.columns)
        for row in rows:
            writer.writerow(spreadsheet_row(row).values())
