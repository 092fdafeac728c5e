"""What a split of a task must have: both classes, and parts that are large enough."""

from __future__ import annotations

import polars as pl

from slant.errors import DataError
from slant.tasks.options import Options
from slant.tasks.protocols import DEV, TEST, Roles

SMALLEST_FOLD = 5


def check_classes(name: str, rows: pl.DataFrame, options: Options) -> None:
    """Refuse rows that have one label only, or none at all.

    Args:
        name: of the task.
        rows: with `label` and `dataset`.
        options: the protocol.

    Raises:
        DataError: naming the task.
    """
    asked = f"Preparing the task '{name}' (preset {options.preset})"
    if rows.is_empty():
        raise DataError(asked, "no row is left", "See `slant data check` for what is missing")
    labels = rows["label"].unique().to_list()
    if len(labels) == 1:
        word = "biased" if labels[0] == 1 else "unbiased"
        sets = ", ".join(sorted(rows["dataset"].unique().to_list()))
        raise DataError(
            asked,
            f"all {len(rows)} rows ({sets}) are {word}: one class cannot be told apart",
            "Add a data set that has the other class (`slant data check`, `slant data add`)",
        )


def check_folds(name: str, rows: pl.DataFrame, options: Options) -> None:
    """Refuse, before anything is split, rows that cannot give parts of `SMALLEST_FOLD` rows.

    Args:
        name: of the task.
        rows: with `label` and `cluster`.
        options: the protocol.

    Raises:
        DataError: naming the task.
    """
    holdout = options.split == "holdout"
    parts = 3 if holdout else options.folds
    asked = _splitting(name, options)
    biased = int((rows["label"] == 1).sum())
    share = min(options.test_share, options.dev_share) if holdout else 1 / options.folds
    smallest = min(int(len(rows) * share + 1e-9), biased, len(rows) - biased)
    if smallest < SMALLEST_FOLD:
        change = "choose larger shares" if holdout else "lower the number with --set folds=N"
        raise DataError(
            asked,
            f"{len(rows)} rows ({biased} biased) give {'parts' if holdout else 'folds'} smaller "
            f"than {SMALLEST_FOLD}",
            f"Add data, or {change}",
        )
    clusters = rows["cluster"].n_unique()
    if clusters < parts:
        raise DataError(
            asked,
            f"its {len(rows)} rows are {clusters} clusters of near-duplicates, articles and pairs "
            f"(groups={options.groups}, near={options.near}), which no fold may split",
            "Add other texts, or choose with --set groups=... or --set near=...",
        )


def check_parts(name: str, rows: pl.DataFrame, roles: Roles, options: Options) -> None:
    """Refuse a split with a part below `SMALLEST_FOLD` rows because clusters are too large for it.

    Args:
        name: of the task.
        rows: that were split, with `cluster`.
        roles: (n, folds) of `roles_of`.
        options: the protocol.

    Raises:
        DataError: naming the task.
    """
    holdout = options.split == "holdout"
    parts = (TEST, DEV) if holdout else (TEST,)
    smallest = min(int(found) for part in parts for found in (roles == part).sum(axis=0))
    if smallest >= SMALLEST_FOLD:
        return
    sizes = rows["cluster"].value_counts()["count"].to_list()
    change = "choose larger shares" if holdout else "lower the number with --set folds=N"
    raise DataError(
        _splitting(name, options),
        f"{len(rows)} rows in {len(sizes)} clusters of up to {max(sizes)} rows, which no part may "
        f"divide (groups={options.groups}), give {'parts' if holdout else 'folds'} smaller than "
        f"{SMALLEST_FOLD}",
        f"Add data, {change}, or name other groups by --set groups",
    )


def _splitting(name: str, options: Options) -> str:
    into = "train, dev and test" if options.split == "holdout" else f"{options.folds} folds"
    return f"Splitting the task '{name}' into {into}"
