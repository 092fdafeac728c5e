"""What a run's cells say beside the gold: one table of outcomes per task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from slant.errors import RunError
from slant.metrics.tallies import binary_tally, cluster_counts, joint_cluster_counts
from slant.runs.store import cell_frame, cell_path, read_cell
from slant.systems import make_system
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, examples_of
from slant.tasks.protocols import TEST, fold_of
from slant.types import Array, Tally

COLUMNS = ("id", "dataset", "text", "label", "source_label", "cluster")


def outcomes(folder: Path, ready: Sequence[Prepared], folds: int) -> pl.DataFrame:
    """The test items of one task with gold and prediction, all seeds and folds.

    Args:
        folder: the run directory.
        ready: the task prepared, once per seed.
        folds: number of folds.

    Returns:
        One row per test item, seed and fold: id, dataset, text, label, source_label, cluster,
        seed, fold, predicted (0, 1 or null for a fault), probability, fault.

    Raises:
        RunError: a cell is missing or damaged.
    """
    parts = []
    for one in ready:
        rows = pl.read_parquet(one.rows, glob=False)
        for fold in range(folds):
            test = rows.filter(pl.col(f"role_{fold}") == TEST).select(COLUMNS)
            path = cell_path(folder, one.task, one.seed, fold)
            cell = read_cell(path, test["id"].to_list())
            if cell is None:
                raise RunError(
                    f"Scoring the run '{folder}'",
                    f"the cell '{path.relative_to(folder)}' is missing or damaged",
                    "Run the `command` of its run.json again: only what is missing is made",
                )
            parts.append(_beside(test, cell, one.seed, fold))
    return pl.concat(parts)


def control_outcomes(
    controls: Sequence[str], ready: Sequence[Prepared], folds: int
) -> dict[str, pl.DataFrame]:
    """The same table for each control, predicted here since it costs nothing."""
    parts: dict[str, list[pl.DataFrame]] = {name: [] for name in controls}
    for one in ready:
        rows = pl.read_parquet(one.rows, glob=False)
        examples = examples_of(rows)
        for number in range(folds):
            roles = rows[f"role_{number}"].to_numpy()
            fold = fold_of(examples, roles)
            test = rows.filter(pl.Series(roles == TEST)).select(COLUMNS)
            for name in controls:
                predictions = next(iter(make_system(name, {})[1]([fold], one.seed)))
                parts[name].append(_beside(test, cell_frame(predictions), one.seed, number))
    return {name: pl.concat(tables) for name, tables in parts.items()}


def _beside(test: pl.DataFrame, cell: pl.DataFrame, seed: int, fold: int) -> pl.DataFrame:
    return test.with_columns(
        cell["biased"].cast(pl.Int8).alias("predicted"),
        cell["probability"],
        cell["fault"],
        seed=pl.lit(seed, pl.Int64),
        fold=pl.lit(fold, pl.Int64),
    )


def fold_tallies(table: pl.DataFrame, group_names: tuple[str, ...]) -> list[Tally]:
    """One tally per seed and fold, in that order.

    Args:
        table: of `outcomes`.
        group_names: the data sets of the task.
    """
    tallies = []
    for _, part in table.group_by(["seed", "fold"], maintain_order=True):
        predicted: Any = (
            part["predicted"].to_list()
            if part["predicted"].null_count()
            else (part["predicted"].to_numpy())
        )
        tallies.append(
            binary_tally(
                part["label"].to_numpy(),
                predicted,
                part["id"].to_list(),
                groups=part["dataset"].to_list(),
                clusters=part["cluster"].to_numpy(),
                group_names=group_names,
            )
        )
    return tallies


def strata_of(tallies: Sequence[Tally], seeds: int) -> list[tuple[Array, Array]]:
    """What the bootstrap draws from: a stratum per fold of one seed, or one stratum in which a
    cluster stands with its counts in every fold of every seed, since seeds share their texts."""
    if seeds == 1:
        return [cluster_counts(tally)[:2] for tally in tallies]
    return [joint_cluster_counts(tallies)[:2]]


def paired_strata(a: Sequence[Tally], b: Sequence[Tally], seeds: int) -> list[tuple[Array, Array]]:
    """`strata_of` for two systems on the same items: (D, 2, blocks, groups, 4) and multiplicity."""
    if seeds == 1:
        pairs = (joint_cluster_counts([left, right]) for left, right in zip(a, b, strict=True))
        return [(rows[:, :, None], number) for rows, number, _ in pairs]
    rows, number, _ = joint_cluster_counts([*a, *b])
    size = len(a)
    return [(rows.reshape(len(rows), 2, size, *rows.shape[2:]), number)]


def two_class_groups(table: pl.DataFrame, group_names: Sequence[str]) -> list[bool]:
    """Which data sets have both labels among their test items."""
    kinds = dict(table.group_by("dataset").agg(pl.col("label").n_unique()).iter_rows())
    return [kinds.get(name, 0) == 2 for name in group_names]


def most_confident_errors(table: pl.DataFrame, number: int) -> list[dict[str, Any]]:
    """The errors whose answer had the highest probability (without one: in order of id).

    Args:
        table: of `outcomes`.
        number: how many at most.
    """
    wrong = table.filter(
        pl.col("predicted").is_not_null() & (pl.col("predicted") != pl.col("label"))
    )
    biased = pl.col("probability")
    given = pl.when(pl.col("predicted") == 1).then(biased).otherwise(1 - biased)
    ranked = wrong.with_columns(given.fill_null(0.0).alias("sure"))
    top = ranked.sort(["sure", "id"], descending=[True, False]).unique("id", maintain_order=True)
    names = {"label": "gold"}
    columns = ["id", "dataset", "text", "label", "predicted", "probability", "source_label"]
    return top.head(number).select(columns).rename(names).to_dicts()


def confusion(tallies: Sequence[Tally]) -> dict[str, int]:
    """tp, fp, fn, tn over all folds and seeds."""
    total = np.sum([tally.counts.sum(axis=(0, 1)) for tally in tallies], axis=0)
    return dict(zip(("tp", "fp", "fn", "tn"), (int(count) for count in total), strict=True))


def undefined_value(options: Options) -> float | None:
    """What 0/0 is worth under a protocol."""
    return 0.0 if options.undefined == "zero" else None
