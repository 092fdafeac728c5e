from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from slant.errors import DataError
from slant.metrics.tallies import (
    binary_tally,
    by_group,
    cluster_counts,
    joint_cluster_counts,
    pooled,
)
from slant.types import Tally


def made_tally(seed: int, units: int = 200, groups: int = 3, clusters: int = 60) -> Tally:
    stream = np.random.default_rng(seed)
    return binary_tally(
        stream.integers(0, 2, units),
        stream.integers(0, 2, units),
        [f"u{i}" for i in range(units)],
        groups=stream.integers(0, groups, units),
        clusters=stream.integers(0, clusters, units),
        group_names=tuple("abcdef"[:groups]),
    )


def test_the_four_cells_are_tp_fp_fn_tn() -> None:
    tally = binary_tally(
        [1, 0, 1, 0],
        [1, 1, 0, 0],
        list("abcd"),
        groups=["x"] * 4,
        clusters=range(4),
        group_names=("x",),
    )
    assert tally.counts[:, 0].tolist() == np.eye(4, dtype=int).tolist()


def test_a_fault_is_a_false_negative_on_biased_and_a_false_positive_on_unbiased_gold() -> None:
    tally = binary_tally(
        [1, 0], [None, None], list("ab"), groups=["x"] * 2, clusters=[0, 1], group_names=("x",)
    )
    assert pooled(tally).tolist() == [0, 1, 1, 0]


def test_counts_agree_with_a_cross_table_of_pandas() -> None:
    stream = np.random.default_rng(5)
    frame = pd.DataFrame(stream.integers(0, 2, (500, 2)), columns=["gold", "said"])
    tally = binary_tally(
        frame["gold"].to_numpy(),
        frame["said"].to_numpy(),
        [str(i) for i in range(500)],
        groups=["x"] * 500,
        clusters=range(500),
        group_names=("x",),
    )
    table = pd.crosstab(frame["gold"], frame["said"])
    assert pooled(tally).tolist() == [
        table.loc[1, 1],
        table.loc[0, 1],
        table.loc[1, 0],
        table.loc[0, 0],
    ]


def test_groups_add_up_to_the_pooled_counts() -> None:
    tally = made_tally(0)
    assert (by_group(tally).sum(axis=0) == pooled(tally)).all()
    assert by_group(tally).shape == (3, 4)


def test_a_group_without_units_has_a_row_of_zeros() -> None:
    tally = binary_tally([1], [1], ["a"], groups=["y"], clusters=[0], group_names=("x", "y"))
    assert by_group(tally).tolist() == [[0, 0, 0, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize("clusters", [1, 7, 60, 10_000])
@pytest.mark.parametrize("groups", [1, 3])
def test_cluster_rows_are_what_pandas_sums_per_cluster(clusters: int, groups: int) -> None:
    tally = made_tally(clusters, groups=groups, clusters=clusters)
    distinct, multiplicity, index = cluster_counts(tally)
    columns = {
        (g, k): tally.counts[:, 0, k] * (tally.groups == g) for g in range(groups) for k in range(4)
    }
    expected = pd.DataFrame(columns).groupby(tally.clusters).sum().to_numpy()
    assert (distinct.reshape(len(distinct), -1)[index] == expected).all()
    assert len(np.unique(distinct.reshape(len(distinct), -1), axis=0)) == len(distinct)
    assert (np.bincount(index) == multiplicity).all()


def test_two_million_single_units_of_one_group_collapse_to_four_rows() -> None:
    stream = np.random.default_rng(1)
    cells = stream.integers(0, 4, 2_000_000)
    counts = np.zeros((cells.size, 1, 4), dtype=np.int64)
    counts[np.arange(cells.size), 0, cells] = 1
    tally = Tally(counts, ["u"] * cells.size, np.zeros_like(cells), np.arange(cells.size))
    distinct, multiplicity, _ = cluster_counts(tally)
    assert distinct[:, 0].tolist() == np.eye(4, dtype=int)[::-1].tolist()
    assert multiplicity[::-1].tolist() == np.bincount(cells).tolist()


def test_counts_above_one_and_rows_of_zeros_are_kept_apart() -> None:
    counts = np.array([[[900, 0, 3, 0]], [[0, 0, 0, 0]], [[900, 0, 3, 0]], [[0, 0, 0, 0]]])
    tally = Tally(counts, list("abcd"), np.zeros(4, np.int64), np.arange(4))
    distinct, multiplicity, index = cluster_counts(tally)
    assert distinct[:, 0].tolist() == [[0, 0, 0, 0], [900, 0, 3, 0]]
    assert (multiplicity.tolist(), index.tolist()) == ([2, 2], [1, 0, 1, 0])


def test_clusters_of_nothing_are_one_row_of_zeros() -> None:
    tally = Tally(
        np.zeros((4, 1, 4), np.int64), list("abcd"), np.zeros(4, np.int64), np.array([0, 0, 1, 1])
    )
    distinct, multiplicity, _ = cluster_counts(tally)
    assert (distinct.tolist(), multiplicity.tolist()) == ([[[0, 0, 0, 0]]], [2])


def test_the_order_of_units_does_not_change_the_distinct_rows() -> None:
    tally = made_tally(3)
    order = np.random.default_rng(0).permutation(200)
    shuffled = Tally(
        tally.counts[order],
        [tally.units[i] for i in order],
        tally.groups[order],
        tally.clusters[order],
        group_names=tally.group_names,
    )
    for one, two in zip(cluster_counts(tally), cluster_counts(shuffled), strict=True):
        assert (one == two).all()


def test_an_empty_tally_has_no_rows() -> None:
    tally = binary_tally([], [], [], groups=[], clusters=[], group_names=("x",))
    distinct, multiplicity, index = cluster_counts(tally)
    assert (distinct.shape, multiplicity.size, index.size) == ((0, 1, 4), 0, 0)
    assert pooled(tally).tolist() == [0, 0, 0, 0]


def test_names_of_clusters_are_matched_across_tallies_in_any_order() -> None:
    # cluster p: right in the first, wrong in the second; q only in the second
    first = binary_tally([1], [1], ["a"], groups=["x"], clusters=["p"], group_names=("x",))
    second = binary_tally(
        [0, 1], [1, 0], ["b", "a"], groups=["x", "x"], clusters=["q", "p"], group_names=("x",)
    )
    distinct, multiplicity, _ = joint_cluster_counts([first, second])
    assert distinct[:, :, 0].tolist() == [
        [[0, 0, 0, 0], [0, 1, 0, 0]],
        [[1, 0, 0, 0], [0, 0, 1, 0]],
    ]
    assert multiplicity.tolist() == [1, 1]


def test_joint_rows_hold_each_tally_unchanged() -> None:
    one, two = made_tally(1), made_tally(2)
    distinct, multiplicity, _ = joint_cluster_counts([one, two])
    total = np.tensordot(multiplicity, distinct, axes=1)
    assert (total[0] == by_group(one)).all()
    assert (total[1] == by_group(two)).all()


def test_a_label_that_is_no_label_names_its_unit() -> None:
    with pytest.raises(DataError, match=r"unit 'b'.*predicted label is 3"):
        binary_tally(
            [1, 0], [1, 3], list("ab"), groups=["x"] * 2, clusters=[0, 1], group_names=("x",)
        )


def test_gold_must_not_be_missing() -> None:
    with pytest.raises(DataError, match=r"unit 'b'.*gold label is None"):
        binary_tally(
            [1, None], [1, 1], list("ab"), groups=["x"] * 2, clusters=[0, 1], group_names=("x",)
        )


def test_lists_of_unequal_length_are_refused() -> None:
    with pytest.raises(DataError, match="predicted has 1 values"):
        binary_tally([1, 0], [1], list("ab"), groups=["x"] * 2, clusters=[0, 1], group_names=("x",))


@pytest.mark.parametrize("groups", [["z"], [1], [-1]])
def test_an_unknown_group_is_refused(groups: list[str] | list[int]) -> None:
    with pytest.raises(DataError, match="group"):
        binary_tally([1], [1], ["a"], groups=groups, clusters=[0], group_names=("x",))


def test_tallies_over_other_groups_are_not_joined() -> None:
    with pytest.raises(DataError, match="different lists of groups"):
        joint_cluster_counts([made_tally(1, groups=2), made_tally(1, groups=3)])
