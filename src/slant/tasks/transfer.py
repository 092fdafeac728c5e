"""One task trained on, another tested: what is learnt from one data set is worth on another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from slant.errors import DataError, OptionError
from slant.tasks.assembly import (
    Assembly,
    balanced,
    clusters_of,
    fewer_trained,
    joined_rows,
    links_across,
    stacked,
    strata_numbers,
)
from slant.tasks.names import task_names
from slant.tasks.options import Options
from slant.tasks.protocols import DEV, TEST, TRAIN, Roles, grouped_folds
from slant.tasks.splitchecks import SMALLEST_FOLD, check_classes

SHARED = "alike a tested text"
"""Why a row of the task that is trained on stays out."""


def transfer_options(options: Options, tasks: Sequence[str], data: Path | None) -> Options:
    """The protocol with the task that is trained on by its full name.

    Args:
        options: the protocol; without `train_on` it comes back as it is.
        tasks: full names of those that are tested.
        data: `--data DIR`.

    Raises:
        UnknownName: there is no such task. OptionError: it names several, or one that is tested.
    """
    if not options.train_on:
        return options
    asked = f"Training on '{options.train_on}'"
    names, _ = task_names([options.train_on], data)
    if len(names) != 1:
        found = f"it stands for {len(names)} tasks"
        raise OptionError(asked, found, f"Give one, as {names[0]}")
    if names[0] in tasks:
        do = "Test other tasks, or leave it out for folds of the task itself"
        raise OptionError(asked, "it is tested too", do)
    return replace(options, train_on=names[0])


def refuse_transfer(options: Options, asked: str) -> None:
    """Refuse `train_on` where one task alone is worked on."""
    if options.train_on:
        found = f"train_on={options.train_on} was given, which is a choice of `slant run`"
        raise OptionError(asked, found, "Leave it out")


def transferred(
    task: str,
    tables: Sequence[pl.DataFrame],
    learnt: Sequence[pl.DataFrame],
    options: Options,
    seed: int,
) -> Assembly:
    """All rows of one task as test, those of another as train and dev.

    Rule: each task is joined, de-duplicated, clustered and balanced as if it stood alone. Before
    it is balanced, a row of the other task leaves if it is linked to a tested row: by an equal
    text, and by what the protocol's `groups` link (near-duplicates, articles, pairs). An eighth of
    its clusters is dev; of the others `train_share` and `train_rows` may take fewer.

    Args:
        task: that is tested, for errors.
        tables: its unified tables.
        learnt: those of the task `options.train_on`.
        options: the protocol.
        seed: as for `assembled`.

    Returns:
        The rows used, with clusters and one column `role_0`, and the rows left out; the reasons of
        rows of the other task begin with its name.

    Raises:
        DataError: of either task no row is left, or one class only, or a part is too small.
    """
    seed = options.seed_of_split(seed)
    joined, out = joined_rows(tables, options)
    tested, unbalanced = _own_rows(task, joined, options, seed)
    other, other_out = joined_rows(learnt, options)
    other, shared = _apart(other, tested, options)
    if other.is_empty() and not shared.is_empty():
        do = "Train on a task with other data"
        raise DataError(_asked(task, options), f"every text of it is {SHARED}", do)
    trained, other_unbalanced = _own_rows(options.train_on, other, options, seed)
    clusters = trained["cluster"].to_numpy() + len(joined)
    dev = grouped_folds(strata_numbers(trained, options), clusters, 8, seed) == 0
    roles = np.where(dev, DEV, TRAIN)[:, None].astype(np.int8)
    roles = fewer_trained(roles, clusters, options, seed)
    _check_sizes(_asked(task, options), len(tested), roles)
    rows = stacked(
        [
            tested.with_columns(pl.lit(TEST, pl.Int8).alias("role_0")),
            trained.with_columns(
                pl.Series("cluster", clusters), pl.Series("role_0", roles[:, 0], pl.Int8)
            ),
        ]
    )
    said = pl.concat_str(pl.lit(f"{options.train_on}: "), pl.col("reason")).alias("reason")
    left_out = [
        out,
        _reasoned(unbalanced, "balance"),
        other_out.with_columns(said),
        _reasoned(shared, f"{options.train_on}: {SHARED}"),
        _reasoned(other_unbalanced, f"{options.train_on}: balance"),
    ]
    return Assembly(rows, pl.concat(left_out))


def _own_rows(
    name: str, joined: pl.DataFrame, options: Options, seed: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of a task that stands alone, with clusters and balanced, and those not drawn."""
    check_classes(name, joined, options)
    clusters = clusters_of(joined, options)
    return balanced(joined.with_columns(pl.Series("cluster", clusters)), options.balance, seed)


def _apart(
    rows: pl.DataFrame, tested: pl.DataFrame, options: Options
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows that no tested row is linked to, and the others."""
    links = links_across(stacked([tested.drop("cluster"), rows]), options)
    shared = pl.Series(np.isin(links[len(tested) :], links[: len(tested)]))
    return rows.filter(~shared), rows.filter(shared)


def _check_sizes(asked: str, tested: int, roles: Roles) -> None:
    sizes = {"test": tested, "dev": (roles == DEV).sum(), "train": (roles == TRAIN).sum()}
    for part, size in sizes.items():
        if size < SMALLEST_FOLD:
            found = f"its {part} part has {size} rows, fewer than {SMALLEST_FOLD}"
            raise DataError(asked, found, "Add data")


def _reasoned(rows: pl.DataFrame, reason: str) -> pl.DataFrame:
    return rows.select("id", "dataset", "text", "label", pl.lit(reason).alias("reason"))


def _asked(task: str, options: Options) -> str:
    return f"Training on '{options.train_on}' to test '{task}'"
