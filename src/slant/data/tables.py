"""Records with cleaned texts: the unified table, its checks, and its export."""

from __future__ import annotations

import polars as pl

from slant.data.cards import public_name
from slant.data.texts import Cleaning, clean_text, damaged, official_text
from slant.errors import DataError
from slant.types import Preset

RECORDS: dict[str, pl.DataType] = {
    "id": pl.String(),
    "text": pl.String(),
    "label": pl.Int8(),
    "left_out": pl.String(),
    "source_label": pl.String(),
    "part": pl.String(),
    "article": pl.String(),
    "pair": pl.String(),
    "official_id": pl.String(),
}
"""Columns of the records that a reader returns; further ones may follow."""

UNIFIED: dict[str, pl.DataType] = {"id": pl.String(), "dataset": pl.String()} | RECORDS
"""Columns of the unified table, in order; further ones may follow."""

OFFICIAL_COLUMNS: dict[str, str] = {
    "009": "id text label pos bias_type quote aim",
    "010": "text label id",
    "012": "index tweetID text label rumour id",
    "019": "id text label average_subjectivity majority_subjectivity average_hidden_assumptions"
    " majority_hidden_assumptions average_bias_west majority_bias_west average_bias_russia"
    " majority_bias_russia",
    "038": "id text label category",
    "040": "text label label_float id",
    "049": "text label usVSthem_scale id",
    "066": "id text label category",
    "072": "id text label label_multiclass",
    "075": "id text label category",
    "076": "id text label category",
    "092": "text label category id",
    "105": "id text label category source op_gender relevance",
    "107": "id text label toxicity",
    "110": "text label category polarity id",
}
"""Columns of the official processed csv, in order, without its nameless index; the datasets that
are not named here have `id text label`."""


def record_table(frame: pl.DataFrame) -> pl.DataFrame:
    """Records with every column of the contract, in order, missing ones null, others behind.

    Args:
        frame: at least `id`, `text`, `label`.

    Returns:
        One row per record.

    >>> record_table(pl.DataFrame({"id": [1], "text": ["a"], "label": [0]})).columns[:3]
    ['id', 'text', 'label']
    """
    if not frame.width:
        # Without rows nobody knew the columns; literals alone would make one row of them.
        return pl.DataFrame(schema=RECORDS)
    columns = [
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(kind).alias(name)
        for name, kind in RECORDS.items()
    ]
    return frame.select(*columns, pl.exclude(*RECORDS))


def dataset_table(
    records: pl.DataFrame, dataset: str, preset: Preset, cleaning: Cleaning
) -> pl.DataFrame:
    """The unified table of one data set: its records with cleaned texts and global ids.

    Rule: `id` is "DATASET-" and the record's id. In the clean preset a text with nothing left
    after cleaning is left out as "blank", one with lost characters as "damaged".

    Args:
        records: what the reader returned for the same preset.
        dataset: MBIB number, e.g. "072".
        preset: whose rules the records follow.
        cleaning: "official" or "minimal".

    Returns:
        Columns `UNIFIED`, then what else the records had; one row per record, same order. label
        is 0, 1 or, official, 2 (undecided); null exactly where `left_out` says why.

    Source: docs/handbook.md, unified table.
    """
    _check(records, dataset, preset)
    clean = official_text if cleaning == "official" else clean_text
    table = records.with_columns(clean(pl.col("text")))
    if preset == "clean":
        reason = pl.coalesce(
            "left_out",
            pl.when(pl.col("text").str.strip_chars() == "").then(pl.lit("blank")),
            pl.when(damaged(pl.col("text"))).then(pl.lit("damaged")),
        )
        table = table.with_columns(left_out=reason).with_columns(
            label=pl.when(pl.col("left_out").is_null()).then("label")
        )
    return table.select(
        (pl.lit(f"{dataset}-") + pl.col("id")).alias("id"),
        pl.lit(dataset).alias("dataset"),
        pl.exclude("id"),
    )


def _check(records: pl.DataFrame, dataset: str, preset: Preset) -> None:
    asked = f"Building the table of {public_name(dataset)}"
    do = "Correct the file or the reader of this data set"
    for name, kind in RECORDS.items():
        have = records.schema.get(name)
        if have != kind:
            raise DataError(asked, f"column '{name}' is {have or 'missing'}, not {kind}", do)
    if not records.height:
        raise DataError(asked, "there is no record", "Give files that hold some")
    label, left_out = pl.col("label"), pl.col("left_out")
    allowed = label.is_in([0, 1, 2]) if preset == "official" else label.is_in([0, 1])
    undecided = label.is_null() & left_out.is_not_null()
    decided = allowed.fill_null(False) & left_out.is_null()
    faults = {
        "has no text": pl.col("text").is_null(),
        "has an id that another record has too": pl.col("id").is_duplicated(),
        "has a label outside the preset": ~(decided | undecided) if preset == "clean" else ~decided,
    }
    some = records.select(rule.any().alias(found) for found, rule in faults.items()).row(0)
    for (found, rule), any_ in zip(faults.items(), some, strict=True):
        if any_:
            row = records.filter(rule).row(0, named=True)
            value = f" (label {row['label']}, source label {row['source_label']!r})"
            raise DataError(asked, f"record '{row['id']}' {found}{value}", do)


def export_csv(table: pl.DataFrame, dataset: str, preset: Preset) -> str:
    """One data set as csv: UTF-8, comma, line feeds, quotes only where needed.

    Rule: official - the columns of the official processed file without its nameless index, `id`
    being the official one; clean - `id,text,label,dataset,source_label,part`, records left out
    being absent.

    Args:
        table: from `dataset_table`.
        dataset: MBIB number.
        preset: that of the table.

    Returns:
        The csv text with a header.
    """
    if preset == "clean":
        columns = ["id", "text", "label", "dataset", "source_label", "part"]
        return table.filter(pl.col("label").is_not_null()).select(columns).write_csv()
    columns = OFFICIAL_COLUMNS.get(dataset, "id text label").split()
    rows = table.with_columns(id=pl.col("official_id")).select(columns)
    # Python's shortest form of a float is what pandas writes; an empty text goes unquoted.
    floats = [name for name, kind in rows.schema.items() if kind.is_float()]
    rows = rows.with_columns(
        pl.Series(name, [None if x is None else repr(x) for x in rows[name]], pl.String)
        for name in floats
    )
    cells = pl.col(pl.String)
    return rows.with_columns(pl.when(cells != "").then(cells)).write_csv()
