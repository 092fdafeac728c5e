from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from made_tables import WORDS, table

from slant.errors import DataError
from slant.tasks.assembly import assembled, balanced, clusters_of, joined_rows
from slant.tasks.leaks import leaks_of
from slant.tasks.options import CLEAN, OFFICIAL
from slant.tasks.protocols import TEST


def many(dataset, n, seed, share=0.5):
    """n sentences of six random words and a number, so that none is near another."""
    rng = np.random.default_rng(seed)
    return table(
        dataset,
        [
            (
                f"{' '.join(rng.permutation(WORDS)[:6])} {rng.integers(10**12)}",
                int(rng.random() < share),
            )
            for _ in range(n)
        ],
    )


def reasons(left_out):
    return dict(left_out["reason"].value_counts().sort("reason").iter_rows())


def test_officially_the_first_data_set_wins_whatever_the_label_and_undecided_rows_go_after():
    first = table("075", [("Same text", 2), ("Only here", 1)])
    second = table("106", [("Same text", 1), ("only here", 0)])
    rows, left_out = joined_rows([first, second], OFFICIAL)
    # "Same text" of 106 is a later copy of an undecided row: both are lost; case tells texts apart
    assert rows["id"].to_list() == ["075-1", "106-1"]
    assert reasons(left_out) == {"duplicate": 1, "undecided": 1}


def test_in_clean_equal_texts_with_different_labels_are_all_left_out():
    first = table("075", [("Same text.", 0), ("Other", 1), ("Maybe", None)])
    second = table("106", [("same TEXT!", 1), ("other", 1), ("maybe", 1)])
    rows, left_out = joined_rows([first, second], CLEAN)
    # an undecided copy contradicts nobody: the decided "maybe" stays
    assert rows["id"].to_list() == ["075-1", "106-2"]
    assert reasons(left_out) == {"contradictory": 2, "duplicate": 1, "undecided": 1}


def test_balance_per_task_draws_what_pandas_draws():
    rows = many("072", 300, 1, share=0.3)
    kept, _ = balanced(rows, "task", 42)
    frame = pd.DataFrame({"id": rows["id"].to_list(), "label": rows["label"].to_list()})
    smaller = int(frame.label.value_counts().min())
    drawn = pd.concat(
        [frame[frame.label == label].sample(n=smaller, random_state=42) for label in (0, 1)]
    )
    assert kept["id"].to_list() == drawn["id"].to_list()


def test_balance_per_data_set_evens_the_labels_inside_each_and_leaves_one_class_sets_whole():
    joined = pl.concat(
        [many("072", 200, 1, 0.3), many("012", 100, 2, 0.8), many("110", 30, 3, 2.0)]
    )
    kept, rest = balanced(joined, "dataset", 42)
    counts = kept.group_by("dataset", "label").len().sort("dataset", "label").rows()
    by_set = {(name, label): n for name, label, n in counts}
    assert by_set["072", 0] == by_set["072", 1]
    assert by_set["012", 0] == by_set["012", 1]
    assert by_set["110", 1] == 30
    assert len(kept) + len(rest) == len(joined)
    assert kept["id"].to_list() == [i for i in joined["id"].to_list() if i in set(kept["id"])]


def test_articles_pairs_and_near_duplicates_are_one_cluster_by_chains():
    text = "The council of the town met on Monday to talk about the new bridge over the river"
    rows = table(
        "019",
        [
            (text, 0, "a1"),
            ("An entirely different sentence on farming subsidies in spring", 1, "a1"),
            (text + " again", 1, "a2"),
            ("Something else about a court ruling and its critics", 0, "a2"),
            ("A lonely sentence on the price of winter wheat", 1, None),
        ],
    )
    assert clusters_of(rows, CLEAN).tolist() == [0, 0, 0, 0, 1]
    assert clusters_of(rows, replace(CLEAN, groups="article")).tolist() == [0, 0, 1, 1, 2]
    assert clusters_of(rows, replace(CLEAN, groups="none")).tolist() == [0, 1, 2, 3, 4]


def test_equal_article_names_of_two_data_sets_are_two_articles():
    rows = pl.concat([table("019", [("One", 0, "7")]), table("025", [("Two", 1, "7")])])
    assert clusters_of(rows, replace(CLEAN, groups="article")).tolist() == [0, 1]


def test_a_clean_task_has_no_leak_and_an_official_one_shows_what_it_has():
    rng = np.random.default_rng(0)
    base = many("019", 200, 5)
    article = pl.Series([f"a{i // 4}" for i in range(200)])
    copies = base.head(40).with_columns(
        pl.col("text") + " indeed", id=pl.lit("019-copy") + pl.col("id"), article=pl.lit("copies")
    )
    whole = pl.concat([base.with_columns(article=article), copies])
    whole = whole.with_columns(label=pl.Series(rng.integers(0, 2, len(whole)), dtype=pl.Int8))
    clean = leaks_of(assembled("t", [whole], CLEAN, 42).rows)
    official = leaks_of(assembled("t", [whole], OFFICIAL, 42).rows)
    assert clean.none
    assert not official.none
    assert official.articles_across > 40
    assert official.near_across > 5


def test_every_used_row_is_tested_once_and_every_other_row_has_a_reason():
    tables = [many("072", 200, 1, 0.3), many("012", 100, 2, 0.6)]
    made = assembled("t", tables, CLEAN, 42)
    assert ((made.roles == TEST).sum(axis=1) == 1).all()
    ids = made.rows["id"].to_list() + made.left_out["id"].to_list()
    assert sorted(ids) == sorted(pl.concat(tables)["id"].to_list())
    assert made.left_out["reason"].null_count() == 0


def test_one_class_cannot_be_told_apart():
    with pytest.raises(DataError, match="all 30 rows \\(110\\) are biased: one class"):
        assembled("mbib/110", [many("110", 30, 3, 2.0)], CLEAN, 42)


def test_folds_smaller_than_five_rows_are_refused():
    with pytest.raises(DataError, match="folds smaller than 5"):
        assembled("t", [many("072", 12, 1)], CLEAN, 42)


def test_no_rows_at_all_are_refused():
    with pytest.raises(DataError, match="no row is left"):
        assembled("t", [table("072", [("a", None)])], CLEAN, 42)


def test_texts_that_are_all_alike_cannot_be_split():
    rows = table("072", [(f"The story of the region number {i}", i % 2) for i in range(200)])
    with pytest.raises(DataError, match="are 1 clusters of near-duplicates"):
        assembled("t", [rows], CLEAN, 42)
