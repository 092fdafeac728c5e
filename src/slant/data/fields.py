"""Tab-separated lines without quoting -> fields."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from slant.data.rows import AGAIN, read_text
from slant.errors import DataError


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
    text = read_text(path, lossy=lossy)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    least = max(n + 1 if n >= 0 else -n for n in fields.values())
    if min(fields.values()) >= 0 and (table := _fast_fields(text, least)) is not None:
        named = {name: table.to_series(number) for name, number in fields.items()}
        return pl.DataFrame(named)[int(header) :]
    lines = pl.Series([text]).str.split("\n", inclusive=True).explode()
    short = (lines.str.count_matches("\t", literal=True) + 1 < least).arg_true()
    if len(short):
        row = int(short[0])
        count = lines[row].count("\t") + 1
        raise DataError(
            f"Reading '{path}'",
            f"line {row + 1} has {count} tab-separated fields, {least} are needed",
            AGAIN,
        )
    # What lies behind the last wanted field is not worth cutting.
    if min(fields.values()) >= 0:
        cells = lines.str.splitn("\t", least + 1).struct
        columns = {name: cells.field(f"field_{number}") for name, number in fields.items()}
    else:
        lists = lines.str.split("\t").list
        columns = {name: lists.get(number) for name, number in fields.items()}
    return pl.DataFrame(columns)[int(header) :]


def _fast_fields(text: str, least: int) -> pl.DataFrame | None:
    # One field more than is wanted, so that no wanted one holds its line's end. Whatever is not a
    # line of that many fields is left to the slow way, which names it. A mark of byte order that is
    # still in the text is text, and polars would drop it.
    if text.startswith("\ufeff"):
        return None
    try:
        table = pl.read_csv(
            text.encode(), separator="\t", quote_char=None, has_header=False, infer_schema=False,
            columns=list(range(least + 1)), truncate_ragged_lines=True,
        )  # fmt: skip
    except (pl.exceptions.PolarsError, UnicodeEncodeError):
        return None
    if table.height != text.count("\n") + (not text.endswith("\n")):
        return None
    unsure = table.to_series(least).is_null().arg_true()
    if len(unsure):
        lines = text.split("\n")
        if any(lines[row].count("\t") < least for row in unsure):
            return None
    return table.fill_null("")
