"""BABE by itself: expert labels of news sentences, the words that the experts marked, and each
annotator's own answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from slant.data.cards import load_card
from slant.data.files import locate, locate_form
from slant.data.rationales import with_rationales
from slant.data.rows import AGAIN, check_labels, file_named, read_csv, read_xlsx
from slant.data.sources import Source
from slant.data.tables import dataset_table, record_table
from slant.data.texts import Cleaning, key
from slant.errors import DataError
from slant.types import Preset

DATASET = "babe"
RAW_FORM = "raw labels"
"""The form of the card that has each annotator's answer."""
RAW_FILE = "raw_labels_SG2.xlsx"
COLUMNS = ("text", "news_link", "outlet", "topic", "type", "label_bias", "biased_words")
LABELS = {"Non-biased": 0, "Biased": 1, "No agreement": 2}
SAME_TOPIC = {
    "gun-control": "gun control",
    "vaccines": "vaccine",
    "blm": "black lives matter",
}
_RAW = ("annotator_id", "text", "label_bias", "biased_words", "df_id")
# One label of the published file reads so.
_RAW_LABELS = {"Non-biased": 0, "Biased": 1, "Biased, unfair": 1}
_NOTHING = ("", "nan")
_BETWEEN = re.compile(r"[,;\r\n]+")


def babe_records(table: pl.DataFrame, path: Path, first: int, preset: Preset) -> pl.DataFrame:
    """The records of a table with the columns of final_labels_SG2, csv or workbook.

    Rule: Biased 1, Non-biased 0; "No agreement" is 2 in official, left out as "undecided" in clean.

    Args:
        table: strings, `COLUMNS`.
        path: the file it came from.
        first: number of its first row in an error.
        preset: "official" or "clean".

    Returns:
        Records (`tables.RECORDS`), with `outlet`, `topic`, `leaning` and `words` as published.

    Source: Spinde et al. 2021 (BABE); MBIB, process of 010.
    """
    check_labels(table["label_bias"], LABELS, path, first)
    label = pl.col("label_bias").replace_strict(LABELS, return_dtype=pl.Int8)
    open_ = (label == 2) & (preset == "clean")
    link = pl.col("news_link").str.strip_chars()
    return record_table(
        table.with_row_index("n").select(
            "text",
            "outlet",
            "topic",
            id=pl.col("n").cast(pl.String),
            label=pl.when(~open_).then(label),
            left_out=pl.when(open_).then(pl.lit("undecided")),
            source_label="label_bias",
            part=pl.lit(path.name),
            article=pl.when(link != "").then(link),
            official_id=pl.col("n").cast(pl.String),
            leaning="type",
            words="biased_words",
        )
    )


def read_babe_words(source: Source, preset: Preset) -> pl.DataFrame:
    """BABE (SG2) from its csv, with the experts' words as lists.

    Rule: labels as `babe_records` says. `topic` is one name where the file has two (`SAME_TOPIC`),
    `source_topic` as published; an empty leaning is null.

    Args:
        source: the card's form "final labels".
        preset: "official" or "clean".

    Returns:
        Records with `words` as list of strings, in the order of the file.

    Raises:
        DataError: a column, label or list that is not as published.

    Source: Spinde et al. 2021 (BABE).
    """
    path = file_named(source, "final_labels_SG2.csv")
    table = read_csv(path, COLUMNS, separator=";")
    records = babe_records(table, path, 1, preset)
    leaning = pl.col("leaning")
    return records.with_columns(
        pl.col("topic").replace(SAME_TOPIC),
        pl.when(leaning != "").then(leaning).alias("leaning"),
        pl.Series("words", list_cells(records["words"], path), pl.List(pl.String)),
        source_topic="topic",
    )


def list_cells(cells: Iterable[str], path: Path) -> list[list[str]]:
    """Python lists of strings that were written as text, `"['apt', 'so-called']"`, never evaluated.

    Args:
        cells: one text per row.
        path: the file they came from.

    Returns:
        The lists.

    Raises:
        DataError: a cell that is no list of strings, with its row (from 1).

    >>> list_cells(["['apt', \\"don't\\"]", "[]"], Path("a.csv"))
    [['apt', "don't"], []]
    """
    lists = []
    for row, cell in enumerate(cells, start=1):
        try:
            value = ast.literal_eval(cell)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            found = f"row {row} has the words {cell[:60]!r}, which is no list of strings"
            raise DataError(f"Reading '{path}'", found, "Write ['one', 'two'] or []")
        lists.append(value)
    return lists


@dataclass(frozen=True, slots=True)
class Annotations:
    """Each annotator's answer to each sentence.

    Fields:
        table: one row per annotator and sentence: `annotator`, `sentence` (the id of the record
            or of the unified table that was given, null where no sentence has this text), `text`,
            `label` (0 or 1), `words` (as typed, cut at commas, semicolons and line ends),
            `round` (which of the five labels of a sentence it is).
        labels: rows read.
        exact: rows whose text is that of a sentence, character for character.
        alike: rows matched by letters and digits alone, so that blanks and quotes may differ.
        unmatched: rows that have no sentence.
        repeated: rows of an annotator who had answered this sentence before; they have none.
    """

    table: pl.DataFrame
    labels: int
    exact: int
    alike: int
    unmatched: int
    repeated: int


def read_annotations(path: Path, sentences: pl.DataFrame) -> Annotations:
    """The answers of raw_labels_SG2.xlsx, each matched with its sentence.

    Rule: a text is first sought as it is, then by letters and digits alone (`texts.key`); of
    sentences that share these, the first. "Biased, unfair" counts as Biased. Where one annotator
    has two rows for a sentence, the first counts.

    Args:
        path: the workbook.
        sentences: `id` and `text`, the texts *as published* (before any cleaning).

    Returns:
        The answers, and how many were matched how.

    Raises:
        DataError: a column or label that is not as published, or no text that fits.

    Source: Spinde et al. 2021 (BABE); raw_labels_SG2.xlsx.
    """
    table = read_xlsx(path, _RAW)
    check_labels(table["label_bias"], _RAW_LABELS, path, first=2)
    known = sentences.select("id", "text", key(pl.col("text")).alias("key"))
    by_text = known.unique("text", keep="first", maintain_order=True).select("text", "id")
    by_key = known.unique("key", keep="first", maintain_order=True).select("key", alike="id")
    rows = (
        table.select(*_RAW, key(pl.col("text")).alias("key"))
        .join(by_text, on="text", how="left", maintain_order="left")
        .join(by_key, on="key", how="left", maintain_order="left")
    )
    exact = rows["id"].is_not_null()
    rows = rows.with_columns(sentence=pl.coalesce("id", "alike"))
    matched = rows["sentence"].is_not_null()
    if not matched.any():
        raise DataError(f"Reading '{path}'", "none of its texts is a sentence of BABE", AGAIN)
    again = ~pl.struct("sentence", "annotator_id").is_first_distinct()
    repeated = rows.select(again & pl.col("sentence").is_not_null()).to_series()
    answers = rows.select(
        pl.col("annotator_id").alias("annotator"),
        pl.when(~pl.Series(repeated)).then("sentence").alias("sentence"),
        "text",
        pl.col("label_bias").replace_strict(_RAW_LABELS, return_dtype=pl.Int8).alias("label"),
        pl.Series("words", [typed_words(cell) for cell in rows["biased_words"]]).cast(
            pl.List(pl.String)
        ),
        pl.col("df_id").alias("round"),
    )
    return Annotations(
        table=answers,
        labels=len(rows),
        exact=int(exact.sum()),
        alike=int((matched & ~exact).sum()),
        unmatched=int((~matched).sum()),
        repeated=int(repeated.sum()),
    )


def load_annotations(homes: Sequence[Path]) -> Annotations:
    """The answers of BABE's annotators, matched with the ids of its unified table ("babe-17").

    Args:
        homes: of `files.data_homes`.

    Raises:
        DataError: a file is absent, or not as published.
    """
    final = locate(DATASET, homes, "clean")
    raw = locate_form(DATASET, RAW_FORM, homes)
    if final is None or raw is None:
        name = "final_labels_SG2.csv" if final is None else RAW_FILE
        do = load_card(DATASET).how_to_get
        raise DataError("Reading what each annotator of BABE answered", f"{name} is not here", do)
    return _answers(raw, read_babe_words(final, "clean"))


def babe_table(
    final: Source, raw: Source | None, preset: Preset, cleaning: Cleaning
) -> pl.DataFrame:
    """The unified table of BABE, its words located, with each annotator's label where these are.

    Args:
        final: the card's form "final labels".
        raw: its form "raw labels"; None where it is absent.
        preset, cleaning: as in `tables.dataset_table`.

    Returns:
        The table with `rationale` and `unlocated`, and, where there is `raw`, `annotators`: per
        row a list of {annotator, label}, in the order of the workbook, empty where nobody's is.

    Raises:
        DataError: a file is not as published.
    """
    records = read_babe_words(final, preset)
    table = with_rationales(dataset_table(records, DATASET, preset, cleaning))
    if raw is None:
        return table
    answers = _answers(raw, records).table.drop_nulls("sentence")
    each = answers.group_by(pl.col("sentence").alias("id"), maintain_order=True).agg(
        pl.struct("annotator", "label").alias("annotators")
    )
    joined = table.join(each, on="id", how="left", maintain_order="left")
    return joined.with_columns(pl.col("annotators").fill_null([]))


def _answers(raw: Source, records: pl.DataFrame) -> Annotations:
    sentences = records.select(pl.format(f"{DATASET}-{{}}", "id").alias("id"), "text")
    return read_annotations(file_named(raw, RAW_FILE), sentences)


def typed_words(cell: str) -> list[str]:
    """What an annotator typed, cut where one entry ends: at commas, semicolons and line ends.

    An entry may be several words; whether they stand together in the text is for who locates them.

    >>> typed_words('hollow,insensitive\\n "experts"'), typed_words("nan")
    (['hollow', 'insensitive', '"experts"'], [])
    """
    if cell.strip() in _NOTHING:
        return []
    return [entry for part in _BETWEEN.split(cell) if (entry := part.strip())]
