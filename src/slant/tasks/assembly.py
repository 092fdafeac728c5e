"""Data sets to one task: joined, de-duplicated, clustered, balanced, split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from slant.data.near import linked, similar_pairs
from slant.data.texts import key
from slant.tasks.holdout import held_out
from slant.tasks.options import Options
from slant.tasks.protocols import (
    Roles,
    dev_from_train,
    grouped_folds,
    held_out_quarter,
    limited,
    stratified_folds,
    thinned,
)
from slant.tasks.splitchecks import check_classes, check_folds, check_parts
from slant.types import Array


@dataclass(frozen=True, slots=True)
class Assembly:
    """A task ready to run.

    Fields:
        rows: the unified table of the rows used, with `cluster` (int64) and one int8 column
            `role_K` per fold (see `protocols`).
        left_out: id, dataset, text, label, reason of every row not used.
    """

    rows: pl.DataFrame
    left_out: pl.DataFrame

    @property
    def roles(self) -> Roles:
        """(n, folds) int8."""
        return self.rows.select(pl.col("^role_.*$")).to_numpy()


def assembled(name: str, tables: Sequence[pl.DataFrame], options: Options, seed: int) -> Assembly:
    """One task from the unified tables of its data sets, in their order.

    Args:
        name: of the task, for errors.
        tables: unified tables (docs/handbook.md, "Unified table").
        options: the protocol.
        seed: of the run; of the balancing draw and of the split, where `split_seed` says no other.

    Returns:
        The rows used, with clusters and roles, and the rows left out with the reason.

    Raises:
        DataError: no rows, one class only, or folds of fewer than five rows.

    Source: MBIB paper, sections 3.4 and 5.1; the official repository for the `official` choices.
    """
    seed = options.seed_of_split(seed)
    joined, left_out = joined_rows(tables, options)
    check_classes(name, joined, options)
    clusters = clusters_of(joined, options)
    joined = joined.with_columns(pl.Series("cluster", clusters))
    rows, unbalanced = balanced(joined, options.balance, seed)
    left_out = pl.concat([left_out, _reasoned(unbalanced, "balance")])
    check_folds(name, rows, options)
    roles = roles_of(rows, options, seed)
    check_parts(name, rows, roles, options)
    columns = [pl.Series(f"role_{fold}", roles[:, fold]) for fold in range(options.splits)]
    return Assembly(rows.with_columns(columns), left_out)


def joined_rows(
    tables: Sequence[pl.DataFrame], options: Options
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of all tables that stay after undecided, repeated and contradictory ones went.

    Args:
        tables: unified tables, in the order in which the first of equal texts wins.
        options: `duplicates`, `contradictions`, `preset`.

    Returns:
        The rows that stay, and those left out with their reason.
    """
    tables, small = _large_enough(tables, options.smallest)
    rows = stacked(tables)
    same = pl.col("text") if options.duplicates == "text" else key(pl.col("text"))
    rows = rows.with_columns(same.alias("same"))
    decided = pl.col("label").is_in([0, 1]).fill_null(False)
    first = pl.col("same").is_first_distinct()
    if options.contradictions == "drop":
        rows, undecided = _parted(rows, decided)
        rows, blank = _parted(rows, pl.col("same") != "")
        label = pl.col("label")
        rows, contradictory = _parted(rows, label.min().over("same") == label.max().over("same"))
        rows, repeated = _parted(rows, first)
    else:
        # The official order: later copies go first, whatever their label, undecided rows then.
        contradictory = blank = rows.clear()
        rows, repeated = _parted(rows, first)
        rows, undecided = _parted(rows, decided)
    left_out = pl.concat(
        [
            *(_reasoned(table, "data set too small") for table in small),
            _reasoned(undecided, "undecided"),
            _reasoned(blank, "blank"),
            _reasoned(contradictory, "contradictory"),
            _reasoned(repeated, "duplicate"),
        ]
    )
    return rows.drop("same"), left_out


def stacked(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The rows of all tables, without words that one has as text where another has lists."""
    kinds = {table.schema.get("words", pl.Null()) for table in tables} - {pl.Null()}
    unlike = "words" if len(kinds) > 1 else ""
    alike = [t.drop(unlike) if t.schema.get(unlike) == pl.String() else t for t in tables]
    return pl.concat(alike, how="diagonal_relaxed")


def _parted(rows: pl.DataFrame, rule: pl.Expr) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows for which the rule holds, and the others."""
    holds = rows.select(rule).to_series()
    return (rows, rows.clear()) if holds.all() else (rows.filter(holds), rows.filter(~holds))


def _large_enough(
    tables: Sequence[pl.DataFrame], smallest: int
) -> tuple[list[pl.DataFrame], list[pl.DataFrame]]:
    """Tables with enough decided rows, and the others; all of them where none has."""
    large = [bool(table["label"].is_in([0, 1]).sum() >= smallest) for table in tables]
    if not any(large):
        return list(tables), []
    pairs = list(zip(tables, large, strict=True))
    return [table for table, ok in pairs if ok], [table for table, ok in pairs if not ok]


def _reasoned(rows: pl.DataFrame, reason: str) -> pl.DataFrame:
    """Rows left out, by the reason of their data set where it gave one."""
    why = pl.lit(reason)
    if "left_out" in rows.columns and reason == "undecided":
        why = pl.coalesce(pl.col("left_out"), why)
    return rows.select("id", "dataset", "text", "label", why.alias("reason"))


def clusters_of(rows: pl.DataFrame, options: Options) -> Array:
    """The cluster of each row: what may not be split over folds.

    Args:
        rows: unified table.
        options: `groups` and `near`.

    Returns:
        (n,) int64, numbered by first appearance.
    """
    first: list[Array] = []
    second: list[Array] = []
    groups = options.groups.split("+")
    for column in ("article", "pair", "outlet"):
        if column in groups and column in rows.columns:
            left, right = _chained(rows, column)
            first.append(left)
            second.append(right)
    if "near" in groups:
        keys = rows.select(key(pl.col("text"))).to_series()
        left, right = similar_pairs(keys, options.near)
        first.append(left)
        second.append(right)
    none = np.empty(0, np.int64)
    return linked(len(rows), np.concatenate([none, *first]), np.concatenate([none, *second]))


def links_across(rows: pl.DataFrame, options: Options) -> Array:
    """Clusters over the rows of several tasks: those of the protocol, with equal texts in one.

    Args:
        rows: unified tables of all tasks, joined.
        options: `groups` and `near`.

    Returns:
        (n,) int64, numbered by first appearance.
    """
    keyed = rows.select(key(pl.col("text")).alias("same")).with_row_index("row")
    same = keyed.with_columns(pl.col("row").shift(1).over("same").alias("before")).drop_nulls()
    clusters = clusters_of(rows, options)
    _, first, inverse = np.unique(clusters, return_index=True, return_inverse=True)
    one = np.concatenate([first[inverse], same["before"].to_numpy().astype(np.int64)])
    other = np.concatenate([np.arange(len(rows)), same["row"].to_numpy().astype(np.int64)])
    return linked(len(rows), one, other)


def _chained(rows: pl.DataFrame, column: str) -> tuple[Array, Array]:
    """Each row with the previous row that has the same value in the same data set."""
    links = (
        rows.select("dataset", column)
        .with_row_index("row")
        .filter(pl.col(column).is_not_null())
        .with_columns(pl.col("row").shift(1).over("dataset", column).alias("before"))
        .drop_nulls("before")
    )
    return links["before"].to_numpy().astype(np.int64), links["row"].to_numpy().astype(np.int64)


def balanced(rows: pl.DataFrame, by: str, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Equal numbers of both labels, drawn without replacement.

    `task` draws as pandas' `sample(random_state=seed)` does for each label of the whole table and
    puts the unbiased rows first, as the official script; `dataset` draws inside each data set and
    keeps the order of the table. Data sets with one label stay whole under `dataset`.

    Args:
        rows: table with `dataset` and `label`.
        by: task, dataset or none.
        seed: of the draw.

    Returns:
        Rows drawn, rows left out.
    """
    label = rows["label"].to_numpy()
    if by == "none":
        return rows, rows.clear()
    if by == "task":
        smaller = min(int((label == value).sum()) for value in (0, 1))
        taken = np.concatenate(
            [
                places[np.random.RandomState(seed).choice(len(places), smaller, replace=False)]
                for places in (np.flatnonzero(label == value) for value in (0, 1))
            ]
        )
    else:
        dataset = rows["dataset"]
        kept: list[Array] = []
        for number, one in enumerate(dataset.unique().sort()):
            rng = np.random.default_rng([seed, 3, number])
            here = (dataset == one).to_numpy()
            sides = [np.flatnonzero(here & (label == value)) for value in (0, 1)]
            smaller = min(len(side) for side in sides) or max(len(side) for side in sides)
            kept += [rng.permutation(side)[:smaller] for side in sides]
        taken = np.sort(np.concatenate(kept))
    rest = np.ones(len(rows), np.bool_)
    rest[taken] = False
    return rows[taken], rows.filter(pl.Series(rest))


def roles_of(rows: pl.DataFrame, options: Options, seed: int) -> Roles:
    """(n, folds) int8 roles of the rows under a protocol."""
    clusters, numbers = rows["cluster"].to_numpy(), strata_numbers(rows, options)
    if options.split == "holdout":
        share = options.test_share, options.dev_share
        return fewer_trained(held_out(numbers, clusters, *share, seed), clusters, options, seed)
    if options.groups == "none":
        fold = stratified_folds(numbers, options.folds, seed)
    else:
        fold = grouped_folds(numbers, clusters, options.folds, seed)
    if options.dev == "quarter":
        roles = held_out_quarter(fold, options.folds, seed)
    else:
        roles = dev_from_train(fold, numbers, clusters, options.folds, seed)
    return fewer_trained(roles, clusters, options, seed)


def strata_numbers(rows: pl.DataFrame, options: Options) -> Array:
    """(n,) int64 the stratum of each row, numbered in the order of their names."""
    parts = options.strata.split("+")
    names = pl.concat_str([pl.col(part).cast(pl.Utf8) for part in parts], separator="|")
    strata = rows.select(names).to_series()
    # Numbers, because what follows sorts them several times.
    order = strata.unique().sort()
    numbers = strata.replace_strict(order, range(len(order)), return_dtype=pl.Int64)
    return np.asarray(numbers.to_numpy(), np.int64)


def fewer_trained(roles: Roles, clusters: Array, options: Options, seed: int) -> Roles:
    """Roles with no more training rows than `train_share` and `train_rows` allow."""
    if options.train_share < 1:
        roles = thinned(roles, clusters, options.train_share, seed)
    return limited(roles, clusters, options.train_rows, seed) if options.train_rows else roles
