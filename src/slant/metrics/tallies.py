"""Counts: from gold and predicted labels to a `Tally`, and what a `Tally` adds up to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.errors import DataError
from slant.types import Array, Tally

TP, FP, FN, TN = range(4)
"""Places on the last axis of all counts."""

_TABLE = 1 << 22
"""Codes below this are renumbered by a look-up table instead of a sort."""


def binary_tally(
    gold: Sequence[int] | NDArray[Any],
    predicted: Sequence[int | None] | NDArray[Any],
    units: Sequence[str],
    *,
    groups: Sequence[str] | NDArray[np.integer[Any]],
    clusters: Sequence[str] | NDArray[np.integer[Any]],
    group_names: tuple[str, ...],
) -> Tally:
    """The counts of a binary task, one row per unit.

    A missing prediction (None: the system gave a fault instead of an answer) counts as wrong: a
    false negative where gold is 1, a false positive where gold is 0. So no system gains by
    refusing what is hard.

    Args:
        gold: (units,) 0 or 1, 1 = biased.
        predicted: (units,) 0, 1 or None.
        units: (units,) the ids, named in errors.
        groups: (units,) the data set of each unit, by name or as an index into `group_names`.
        clusters: (units,) what the bootstrap resamples as one, by name or as integers, which are
            kept as they are. A name has the same code in every tally (a 64-bit hash), so that
            clusters of two systems or seeds can be matched.
        group_names: all data sets of the task, also those without a unit here.

    Returns:
        Counts of shape (units, 1, 4); every row holds a single 1. No units give no rows.

    >>> labels = {"gold": [1, 0, 1], "predicted": [1, 1, None], "units": ["a", "b", "c"]}
    >>> tally = binary_tally(**labels, groups="xxx", clusters="aab", group_names=("x",))
    >>> pooled(tally).tolist()
    [1, 1, 1, 0]
    """
    n = len(units)
    for name, values in (
        ("gold", gold), ("predicted", predicted), ("groups", groups), ("clusters", clusters)
    ):  # fmt: skip
        if len(values) != n:
            raise DataError(
                f"Counting {n} units",
                f"{name} has {len(values)} values",
                "Give one value per unit",
            )
    truth = _labels(gold, units, "gold", missing=False)
    answer = _labels(predicted, units, "predicted", missing=True)
    said = np.where(answer == 2, 1 - truth, answer)
    counts = np.zeros((n, 1, 4), dtype=np.int64)
    # (1, 1) tp = 0, (0, 1) fp = 1, (1, 0) fn = 2, (0, 0) tn = 3
    counts[np.arange(n), 0, (1 - truth) + 2 * (1 - said)] = 1
    return Tally(
        counts=counts,
        units=units,
        groups=_group_index(groups, group_names),
        clusters=cluster_codes(clusters),
        group_names=group_names,
    )


def pooled(tally: Tally) -> Array:
    """The counts of all units and categories added up.

    Returns:
        (4,) tp fp fn tn; zeros for an empty tally.
    """
    total: Array = tally.counts.sum(axis=(0, 1))
    return total


def by_group(tally: Tally) -> Array:
    """The counts added up within each group, categories added.

    Returns:
        (groups, 4) in the order of `group_names`; a row of zeros for a group without units.

    >>> labels = {"gold": [1, 0], "predicted": [1, 1], "units": ["a", "b"]}
    >>> tally = binary_tally(**labels, groups="xy", clusters=[0, 1], group_names=("x", "y", "z"))
    >>> by_group(tally).tolist()
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    """
    rows = _units(tally)
    size = len(tally.group_names)
    # float64 sums of integers are exact far beyond any number of units
    columns = [np.bincount(tally.groups, rows[:, k], minlength=size) for k in range(4)]
    return np.stack(columns, axis=-1).astype(np.int64)


def cluster_counts(tally: Tally) -> tuple[Array, Array, Array]:
    """The counts per resampling cluster, with equal clusters written once.

    Clusters with equal counts are exchangeable in a bootstrap, so that it needs only each
    distinct row and how often it occurs: four rows for a pooled binary score, whatever the
    number of units.

    Returns:
        distinct: (D, groups, 4), in lexicographic order, whatever the order of the units.
        multiplicity: (D,) how many clusters have that row.
        index: (clusters,) the row of each cluster, clusters in ascending order of their code.

    >>> labels = {"gold": [1, 1, 1], "predicted": [1, 1, 0], "units": ["a", "b", "c"]}
    >>> tally = binary_tally(**labels, groups="xxx", clusters=[7, 8, 9], group_names=("x",))
    >>> distinct, multiplicity, index = cluster_counts(tally)
    >>> distinct.tolist(), multiplicity.tolist(), index.tolist()
    ([[[0, 0, 1, 0]], [[1, 0, 0, 0]]], [1, 2], [1, 1, 0])
    """
    distinct, multiplicity, index = joint_cluster_counts([tally])
    return distinct[:, 0], multiplicity, index


def joint_cluster_counts(tallies: Sequence[Tally]) -> tuple[Array, Array, Array]:
    """The counts per cluster in several tallies at once, with equal clusters written once.

    For two systems on the same units (a paired test draws the same clusters for both), or for
    several seeds whose folds share units. Clusters are matched by their code; one that a tally
    does not have counts zeros there.

    Args:
        tallies: B tallies with the same group names.

    Returns:
        distinct: (D, B, groups, 4); multiplicity: (D,); index: (clusters,) as in
        `cluster_counts`.
    """
    names = {tally.group_names for tally in tallies}
    if len(names) != 1:
        raise DataError(
            f"Joining {len(tallies)} tallies",
            f"they have {len(names)} different lists of groups",
            "Count them over the same groups",
        )
    blocks, groups = len(tallies), len(tallies[0].group_names)
    rows = np.concatenate([_units(tally) for tally in tallies])
    cell = np.concatenate([tally.groups + b * groups for b, tally in enumerate(tallies)])
    cluster, size = _numbered(np.concatenate([tally.clusters for tally in tallies]))
    if size == len(rows):
        kind, kinds = _read((cell, *rows.T), size)
        index = np.empty_like(kind)
        index[cluster] = kind
    else:
        index, kinds = _read(_cluster_columns(rows, cell, cluster, size), size)
    distinct = np.zeros((kinds, blocks * groups, 4), dtype=np.int64)
    # one cluster stands for all of its kind; only its units are added up
    chosen = np.zeros(kinds, dtype=np.int64)
    chosen[index] = np.arange(size)
    stands = np.zeros(size, dtype=bool)
    stands[chosen] = True
    mine = np.flatnonzero(stands[cluster])
    np.add.at(distinct, (index[cluster[mine]], cell[mine]), rows[mine])
    order = np.lexsort(distinct.reshape(kinds, blocks * groups * 4).T[::-1])
    index = np.argsort(order)[index]
    multiplicity = np.bincount(index, minlength=kinds)
    return distinct[order].reshape(kinds, blocks, groups, 4), multiplicity, index


def cluster_codes(values: Any) -> Array:
    """The code of each resampling unit: integers as they are; a name by a 64-bit hash, the same in
    every process, so that the units of two tallies can be matched.

    Args:
        values: (n,) integers or names.
    """
    array = np.asarray(values) if not isinstance(values, str) else np.array(list(values))
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    # blake2b, because hash() of a str differs from process to process
    hashes = (blake2b(str(v).encode(), digest_size=8).digest() for v in values)
    codes = (int.from_bytes(digest, "little", signed=True) for digest in hashes)
    return np.fromiter(codes, dtype=np.int64, count=len(values))


def _units(tally: Tally) -> Array:
    # (units, 4), categories added; without a copy where there is one category
    return tally.counts[:, 0] if tally.counts.shape[1] == 1 else tally.counts.sum(axis=1)


def _cluster_columns(rows: Array, cell: Array, cluster: Array, size: int) -> Iterator[Array]:
    # the columns of the (clusters, cells * 4) table that are not all zero, one at a time
    for c in np.flatnonzero(np.bincount(cell)):
        here = np.flatnonzero(cell == c)
        members = cluster[here]
        for values in rows[here].T:
            some = np.flatnonzero(values)
            if some.size == 0:
                continue
            plain = int(values.max()) == 1
            weights = None if plain else values[some]
            yield np.bincount(members[some], weights, size).astype(np.int64, copy=False)


def _read(columns: Iterable[Array], size: int) -> tuple[Array, int]:
    # Number equal rows alike: a row is read column by column into one integer in a mixed radix;
    # whenever the integers grow, they are renumbered. np.unique(axis=0) takes 15 s for 2 M rows.
    code, bound = np.zeros(size, dtype=np.int64), 1
    for column in columns:
        if bound > _TABLE // 16:
            code, bound = _numbered(code)
        radix = int(column.max(initial=0)) + 1
        code, bound = code * radix + column, bound * radix
    return _numbered(code)


def _numbered(codes: Array) -> tuple[Array, int]:
    # 0 .. size - 1 in ascending order of the codes, and the size
    if codes.size == 0:
        return codes.astype(np.int64), 0
    low, high = int(codes.min()), int(codes.max())
    if high - low < max(_TABLE, 2 * codes.size):
        seen = np.zeros(high - low + 1, dtype=bool)
        seen[codes - low] = True
        rank = np.cumsum(seen) - 1
        return rank[codes - low], int(rank[-1]) + 1
    values, inverse = np.unique(codes, return_inverse=True)
    return inverse.astype(np.int64), values.size


def _labels(values: Any, units: Sequence[str], name: str, missing: bool) -> Array:
    # 0, 1, and 2 for a missing one
    array = np.asarray(values)
    if array.dtype == object:
        array = np.array([2 if v is None else v for v in values], dtype=object)
        absent = np.array([v is None for v in values], dtype=bool)
    else:
        absent = np.zeros(array.shape, dtype=bool)
    good = (array == 0) | (array == 1) | (absent if missing else False)
    good = np.asarray(good, dtype=bool)
    if not good.all():
        i = int(np.flatnonzero(~good)[0])
        allowed = "0, 1 or nothing" if missing else "0 or 1"
        raise DataError(
            f"Counting unit '{units[i]}'", f"its {name} label is {values[i]!r}", f"Give {allowed}"
        )
    return array.astype(np.int64)


def _group_index(groups: Any, names: tuple[str, ...]) -> Array:
    array = np.asarray(list(groups) if isinstance(groups, str) else groups)
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind in "iu":
        if int(array.min()) < 0 or int(array.max()) >= len(names):
            wrong = array[(array < 0) | (array >= len(names))][0]
            raise DataError(
                f"Counting in {len(names)} groups", f"a group has the index {wrong}",
                f"Give an index from 0 to {len(names) - 1}",
            )  # fmt: skip
        return array.astype(np.int64)
    place = {name: i for i, name in enumerate(names)}
    unknown = sorted({str(g) for g in groups} - set(place))
    if unknown:
        raise DataError(
            f"Counting in the groups {', '.join(names)}", f"a unit is of '{unknown[0]}'",
            "Name every group of the task",
        )  # fmt: skip
    return np.fromiter((place[str(g)] for g in groups), dtype=np.int64, count=len(groups))
