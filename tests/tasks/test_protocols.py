from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, train_test_split

from slant.tasks.protocols import (
    DEV,
    TEST,
    TRAIN,
    UNUSED,
    dev_from_train,
    fold_of,
    grouped_folds,
    held_out_quarter,
    limited,
    stratified_folds,
    thinned,
)
from slant.types import NO, YES, Example, Item


def spread(strata, fold, folds):
    """Largest difference of a stratum's count between two folds."""
    strata = np.asarray(strata)
    counts = np.array(
        [[np.sum((strata == s) & (fold == f)) for f in range(folds)] for s in np.unique(strata)]
    )
    return int((counts.max(axis=1) - counts.min(axis=1)).max())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30)), min_size=5, max_size=80),
    st.integers(2, 5),
    st.integers(0, 3),
)
def test_no_cluster_is_in_two_folds(rows, folds, seed):
    strata = [s for s, _ in rows]
    clusters = np.array([c for _, c in rows])
    fold = grouped_folds(strata, clusters, folds, seed)
    assert fold.min() >= 0
    assert fold.max() < folds
    for cluster in np.unique(clusters):
        assert len(set(fold[clusters == cluster])) == 1


def test_single_rows_are_spread_within_one_row_per_stratum():
    # 103 a and 52 b over 5 folds: 20 or 21 a and 10 or 11 b in each
    strata = ["a"] * 103 + ["b"] * 52
    fold = grouped_folds(strata, np.arange(155), 5, 42)
    assert spread(strata, fold, 5) == 1
    assert sorted(np.bincount(fold).tolist()) == [31, 31, 31, 31, 31]


@pytest.mark.parametrize("seed", range(5))
def test_clusters_are_spread_at_least_as_evenly_as_scikit_learn_spreads_them(seed):
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(400), rng.geometric(0.4, 400))
    strata = rng.choice(list("abcd"), len(clusters), p=[0.5, 0.3, 0.15, 0.05]).tolist()
    ours = grouped_folds(strata, clusters, 5, seed)
    theirs = np.empty(len(clusters), int)
    splitter = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
    for number, (_, test) in enumerate(splitter.split(clusters, strata, clusters)):
        theirs[test] = number
    assert spread(strata, ours, 5) <= spread(strata, theirs, 5)


def test_a_seed_fixes_the_folds_and_another_changes_them():
    strata = ["a", "b"] * 50
    clusters = np.arange(100) // 2
    first = grouped_folds(strata, clusters, 5, 1)
    assert (first == grouped_folds(strata, clusters, 5, 1)).all()
    assert (first != grouped_folds(strata, clusters, 5, 2)).any()


def test_the_official_split_is_the_one_that_the_official_script_makes():
    rng = np.random.default_rng(3)
    datasets = rng.choice(["072", "012"], 200, p=[0.8, 0.2]).tolist()
    roles = held_out_quarter(stratified_folds(datasets, 5, 42), 5, 42)
    splitter = StratifiedKFold(n_splits=5, shuffle=True, random_state=42)
    for number, (train, held_out) in enumerate(splitter.split(np.arange(200), datasets)):
        dev, test = train_test_split(
            held_out, test_size=0.75, train_size=0.25, random_state=42, shuffle=True
        )
        assert set(np.flatnonzero(roles[:, number] == TRAIN)) == set(train)
        assert set(np.flatnonzero(roles[:, number] == DEV)) == set(dev)
        assert set(np.flatnonzero(roles[:, number] == TEST)) == set(test)


def test_the_clean_split_tests_every_row_once_and_keeps_clusters_out_of_dev_and_train():
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(150), rng.integers(1, 5, 150))
    strata = rng.choice(["x", "y"], len(clusters)).tolist()
    fold = grouped_folds(strata, clusters, 5, 7)
    roles = dev_from_train(fold, strata, clusters, 5, 7)
    assert ((roles == TEST).sum(axis=1) == 1).all()
    for number in range(5):
        parts = [set(clusters[roles[:, number] == role]) for role in (TRAIN, DEV, TEST)]
        assert not parts[0] & parts[1]
        assert not parts[0] & parts[2]
        assert not parts[1] & parts[2]
        share = len(parts[1]) / (len(parts[0]) + len(parts[1]))
        assert 0.1 < share < 0.15


def test_smaller_training_shares_are_nested_and_leave_dev_and_test_alone():
    clusters = np.arange(1000) // 2
    fold = grouped_folds(["a"] * 1000, clusters, 5, 0)
    roles = dev_from_train(fold, ["a"] * 1000, clusters, 5, 0)
    half, quarter = (thinned(roles, clusters, share, 0) for share in (0.5, 0.25))
    assert ((half == TRAIN) | (quarter != TRAIN)).all()
    assert 0.4 < (half == TRAIN).sum() / (roles == TRAIN).sum() < 0.6
    assert ((half == DEV) == (roles == DEV)).all()
    assert ((half == TEST) == (roles == TEST)).all()
    assert (half[roles == TRAIN] != DEV).all()
    assert (half == UNUSED).any()


def test_a_limited_train_holds_whole_clusters_of_the_same_draw():
    clusters = np.arange(1000) // 2
    fold = grouped_folds(["a"] * 1000, clusters, 5, 0)
    roles = dev_from_train(fold, ["a"] * 1000, clusters, 5, 0)
    small, large = (limited(roles, clusters, rows, 0) for rows in (101, 300))
    # Clusters have two rows, so 101 rows hold fifty of them.
    assert ((small == TRAIN).sum(axis=0) == 100).all()
    assert ((large == TRAIN).sum(axis=0) == 300).all()
    assert ((small != TRAIN) | (large == TRAIN)).all()
    assert ((small == roles) | ((roles == TRAIN) & (small == UNUSED))).all()
    assert (limited(roles, clusters, 10**6, 0) == roles).all()
    for number in range(5):
        train = small[:, number] == TRAIN
        assert not set(clusters[train]) & set(clusters[~train & (roles[:, number] == TRAIN)])


def test_the_test_part_of_a_fold_has_no_gold():
    examples = [Example(Item(str(i), "t"), YES if i % 2 else NO) for i in range(4)]
    fold = fold_of(examples, np.array([TRAIN, DEV, TEST, UNUSED]))
    assert [example.item.id for example in fold.train] == ["0"]
    assert [example.item.id for example in fold.dev] == ["1"]
    assert fold.test == [Item("2", "t")]
