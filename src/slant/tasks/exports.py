"""What `slant data export` writes: one data set or one joined, balanced task as csv."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from slant.data.tables import export_csv
from slant.errors import DataError
from slant.tasks.members import member_table
from slant.tasks.names import members_of, task_names
from slant.tasks.options import Options
from slant.tasks.prepare import prepared
from slant.tasks.protocols import DEV, TEST, TRAIN, UNUSED

ROLE_WORDS = {TRAIN: "train", DEV: "dev", TEST: "test", UNUSED: ""}


def exported(
    name: str, options: Options, seed: int, data: Path | None, with_folds: bool = False
) -> str:
    """A data set or task as csv text, UTF-8, comma, line feed.

    Args:
        name: "mbib/072" gives the data set by itself, every decided row; "mbib/racial-bias" the
            joined and balanced task.
        options: the protocol; under `official` columns and rows are the official files'.
        seed: of the balance, and of the folds.
        data: `--data DIR`.
        with_folds: the rows as `slant run` uses them at this seed, with its ids, and behind them
            `fold_0`, `fold_1`, ...: train, dev, test, or empty where that fold does not use a row.

    Returns:
        `id,text,label,...`; tasks have `dataset_id` behind.

    Raises:
        DataError: absent, or several tasks named.
    """
    names, _ = task_names([name], data)
    if len(names) != 1:
        raise DataError(
            f"Exporting '{name}'", f"it stands for {len(names)} tasks", "Export one at a time"
        )
    task = names[0]
    if with_folds:
        rows = pl.read_parquet(prepared(task, options, seed, data, {}).rows, glob=False)
        words = pl.col(r"^role_\d+$").replace_strict(ROLE_WORDS, return_dtype=pl.String)
        return rows.select(
            "id", "text", "label", pl.col("dataset").alias("dataset_id"),
            words.name.map(lambda name: name.replace("role", "fold")),
        ).write_csv()  # fmt: skip
    members = members_of(task, options, data)
    if len(members) == 1 and members[0].dataset == task.partition("/")[2]:
        if not members[0].here:
            raise DataError(f"Exporting '{task}'", members[0].why, "See `slant data check`")
        table = member_table(members[0], options, {})
        if members[0].kind == "added":
            table = table.with_columns(official_id=pl.coalesce("official_id", "id"))
        return export_csv(table, members[0].dataset, options.labels_preset)
    rows = pl.read_parquet(prepared(task, options, seed, data, {}).rows, glob=False)
    number = pl.col("id")
    if options.labels == "official":
        official = pl.concat_str(pl.col("dataset"), pl.lit("-"), pl.col("official_id"))
        number = pl.coalesce(official, pl.col("id"))
    return rows.select(
        number.alias("id"), "text", "label", pl.col("dataset").alias("dataset_id")
    ).write_csv()
