"""How many rows of each data set a preset keeps, beside what the paper says and why they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from slant.data.cards import load_card
from slant.tasks.members import card_member, member_table
from slant.tasks.options import Options


@dataclass(frozen=True, slots=True)
class Counts:
    """The rows of one data set under a preset.

    Fields:
        dataset, name: which.
        state: complete, partial, altered or absent; `form` read.
        paper: rows in table 2 of the MBIB paper, by task.
        records: rows that the reader gives.
        unbiased, biased: rows with a label.
        left_out: rows without one, by reason.
        why: reasons for the differences from the paper.
    """

    dataset: str
    name: str
    state: str
    form: str
    paper: dict[str, int]
    records: int
    unbiased: int
    biased: int
    left_out: dict[str, int]
    why: tuple[str, ...]


def row_counts(numbers: Sequence[str], options: Options, data: Path | None) -> list[Counts]:
    """The counts of several data sets, before texts are de-duplicated and balanced in a task.

    Args:
        numbers: MBIB numbers.
        options: `labels` and `cleaning` decide what is read.
        data: `--data DIR`.
    """
    return [_of_one(number, options, data) for number in numbers]


def _of_one(number: str, options: Options, data: Path | None) -> Counts:
    card = load_card(number)
    member = card_member(number, None, options, data)
    paper = dict(card.rows_paper)
    if member.source is None:
        why = tuple(card.why_rows_differ)
        return Counts(number, card.short, "absent", "", paper, 0, 0, 0, {}, why)
    table = member_table(member, options, {})
    decided = table.filter(pl.col("label").is_in([0, 1]))
    rest = table.filter(pl.col("label").is_null() | ~pl.col("label").is_in([0, 1]))
    reasons = rest.select(pl.coalesce("left_out", pl.lit("undecided")).alias("why"))["why"]
    return Counts(
        number,
        card.short,
        member.source.state,
        member.source.form,
        paper,
        len(table),
        int((decided["label"] == 0).sum()),
        int((decided["label"] == 1).sum()),
        dict(sorted(reasons.value_counts().iter_rows())),
        tuple(card.why_rows_differ),
    )
