"""Tasks that one system learns together: no task's train holds what another's test asks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from slant.data.hashes import user_store
from slant.data.writing import intact, sealed
from slant.tasks.assembly import links_across
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, code_fingerprint
from slant.tasks.protocols import DEV, TEST, TRAIN, UNUSED, Roles
from slant.types import Array


def apart(ready: Sequence[Prepared], options: Options) -> list[Prepared]:
    """The tasks with the rows taken out of train and dev that another task's test would leak from.

    LIAR is in two tasks of MBIB, RedditBias in four: an encoder trained on all of them would have
    read, under another head, texts that it is then tested on. In each fold a row leaves train and
    dev if it is linked to a row that another task tests in that fold: by an equal text, and by
    what the protocol's `groups` link (near-duplicates, articles, pairs). Test stays as it is.

    Args:
        ready: tasks, each at the same seeds.
        options: the protocol.

    Returns:
        The same tasks in their order; only `rows` differ, kept in the user's store.
    """
    made: dict[int, list[Prepared]] = {}
    for seed in dict.fromkeys(one.seed for one in ready):
        made[seed] = _seed_apart([one for one in ready if one.seed == seed], options)
    return [made[one.seed].pop(0) for one in ready]


def _seed_apart(ready: Sequence[Prepared], options: Options) -> list[Prepared]:
    facts = [code_fingerprint(), *(one.rows.parent.name for one in ready)]
    digest = hashlib.sha256("|".join(facts).encode()).hexdigest()[:24]
    folder = user_store().absolute() / "tasks" / digest
    paths = [folder / f"{number}.parquet" for number in range(len(ready))]
    if any(intact(path) is None for path in paths):
        tables = [pl.read_parquet(one.rows, glob=False) for one in ready]
        for path, table in zip(paths, disjoint(tables, options), strict=True):
            sealed(path, partial(table.write_parquet, compression="zstd"))
    return [replace(one, rows=path) for one, path in zip(ready, paths, strict=True)]


def disjoint(tables: Sequence[pl.DataFrame], options: Options) -> list[pl.DataFrame]:
    """Tables of `Assembly.rows` whose roles are made UNUSED as `apart` says.

    Args:
        tables: one per task, with the same `role_K` columns.
        options: the protocol.

    Returns:
        The tables in their order.
    """
    rows = pl.concat([table.drop("cluster") for table in tables], how="diagonal_relaxed")
    task = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    names = [name for name in rows.columns if name.startswith("role_")]
    roles = without_shared(rows.select(names).to_numpy(), task, links_across(rows, options))
    changed = []
    for number, table in enumerate(tables):
        own = roles[task == number]
        changed.append(
            table.with_columns(pl.Series(name, own[:, fold]) for fold, name in enumerate(names))
        )
    return changed


def without_shared(roles: Roles, task: Array, cluster: Array) -> Roles:
    """Roles without the training and development rows whose cluster another task tests.

    Args:
        roles: (n, folds) of the rows of all tasks.
        task: (n,) task of each row, from 0.
        cluster: (n,) cluster of each row over all tasks, from 0.

    Returns:
        (n, folds) int8.
    """
    kept = roles.copy()
    for fold in range(roles.shape[1]):
        tested = np.zeros((int(cluster.max(initial=0)) + 1, int(task.max(initial=0)) + 1), np.bool_)
        here = roles[:, fold] == TEST
        tested[cluster[here], task[here]] = True
        elsewhere = tested.sum(axis=1)[cluster] > tested[cluster, task]
        learnt = np.isin(roles[:, fold], (TRAIN, DEV))
        kept[learnt & elsewhere, fold] = UNUSED
    return kept
