"""What would let a system win without understanding: the leak report of a prepared task."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from slant.data.near import similar_pairs
from slant.data.texts import damaged, key
from slant.tasks.protocols import DEV, TEST
from slant.types import Array

NEAR = 0.6
"""Similarity from which the report calls two texts near-duplicates, whatever the protocol."""
SEED = 7
"""Of the report's own sketches: a pair that the protocol's missed is found by these."""


@dataclass(frozen=True, slots=True)
class Leaks:
    """Counts over the rows that a task uses.

    Fields:
        rows: rows used.
        duplicates: rows whose text, but for case, punctuation and blanks, stood before.
        near: pairs of rows at least 0.6 alike (5-byte shingles), equal ones included.
        near_across: such pairs with the two rows in different test folds.
        articles_across: articles with sentences in more than one test fold.
        pairs_across: minimal pairs with members in more than one test fold.
        two_datasets: texts (as in `duplicates`) that stand in two data sets.
        contradictory: texts (as in `duplicates`) with both labels.
        blank: rows without a letter or digit.
        damaged: rows with characters lost in an earlier conversion.
    """

    rows: int
    duplicates: int
    near: int
    near_across: int
    articles_across: int
    pairs_across: int
    two_datasets: int
    contradictory: int
    blank: int
    damaged: int

    @property
    def none(self) -> bool:
        """Whether nothing leaks."""
        counts: dict[str, Any] = asdict(self)
        return not any(counts[name] for name in counts if name not in ("rows", "near"))


def leaks_of(rows: pl.DataFrame) -> Leaks:
    """The leak report of a prepared task.

    Args:
        rows: of an `Assembly`: unified table with `role_K` columns.

    Returns:
        The counts; near-duplicates are searched anew and with other sketches, so that the report
        does not believe the protocol's own clusters.
    """
    folds = fold_numbers(rows)
    keyed = rows.select(
        "dataset", "label", "text", key(pl.col("text")).alias("same"), fold=pl.Series(folds)
    )
    by_text = keyed.group_by("same").agg(
        pl.col("dataset").n_unique().alias("datasets"), pl.col("label").n_unique().alias("labels")
    )
    first, second = similar_pairs(keyed["same"], NEAR, SEED)
    return Leaks(
        rows=len(rows),
        duplicates=len(rows) - len(by_text),
        near=len(first),
        near_across=int((folds[first] != folds[second]).sum()),
        articles_across=_spread(rows, "article", folds),
        pairs_across=_spread(rows, "pair", folds),
        two_datasets=int((by_text["datasets"] > 1).sum()),
        contradictory=int((by_text["labels"] > 1).sum()),
        blank=int((keyed["same"] == "").sum()),
        damaged=int(keyed.select(damaged(pl.col("text")).sum()).item()),
    )


def fold_numbers(rows: pl.DataFrame) -> Array:
    """(n,) the held-out fold of each row, its development quarter included; one that is in none
    gets the number of folds. Of a holdout the part of each row."""
    roles = rows.select(pl.col("^role_.*$")).to_numpy()
    if roles.shape[1] == 1:
        part: Array = roles[:, 0].astype(np.int64)
        return part
    held_out = np.isin(roles, (DEV, TEST))
    # With development data drawn from the training folds, only the tested fold is held out.
    if (held_out.sum(axis=1) > 1).any():
        held_out = roles == TEST
    numbers: Array = np.where(held_out.any(axis=1), held_out.argmax(axis=1), roles.shape[1])
    return numbers


def _spread(rows: pl.DataFrame, column: str, folds: Array) -> int:
    """How many values of a column have rows in more than one fold."""
    if column not in rows.columns:
        return 0
    known = rows.select("dataset", column, fold=pl.Series(folds)).drop_nulls(column)
    counts = known.group_by("dataset", column).agg(pl.col("fold").n_unique())
    return int((counts["fold"] > 1).sum())
