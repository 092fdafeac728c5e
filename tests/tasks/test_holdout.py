from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.errors import DataError, OptionError
from slant.runs.signature import signature
from slant.tasks.assembly import assembled
from slant.tasks.holdout import grouped_shares, held_out
from slant.tasks.options import CLEAN, OFFICIAL, chosen_options
from slant.tasks.protocols import DEV, TEST, TRAIN

SHARES = [0.15, 0.15, 0.7]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30)), min_size=5, max_size=80),
    st.integers(0, 3),
)
def test_no_cluster_is_in_two_parts(rows, seed):
    clusters = np.array([c for _, c in rows])
    part = grouped_shares([s for s, _ in rows], clusters, SHARES, seed)
    assert set(part.tolist()) <= {0, 1, 2}
    for cluster in np.unique(clusters):
        assert len(set(part[clusters == cluster])) == 1


def test_single_rows_have_their_shares_in_every_stratum():
    # 200 a: 30, 30, 140; 100 b: 15, 15, 70
    strata = np.array(["a"] * 200 + ["b"] * 100)
    part = grouped_shares(strata, np.arange(300), SHARES, 42)
    assert np.bincount(part[strata == "a"]).tolist() == [30, 30, 140]
    assert np.bincount(part[strata == "b"]).tolist() == [15, 15, 70]


def test_single_rows_make_up_for_what_clusters_brought():
    # one cluster of 40 goes to the largest part, 60 single rows fill 15, 15 and the rest of 70
    clusters = np.concatenate([np.zeros(40, int), np.arange(1, 61)])
    part = grouped_shares(["a"] * 100, clusters, SHARES, 1)
    assert np.bincount(part).tolist() == [15, 15, 70]


def test_a_seed_fixes_the_split_and_another_changes_it():
    strata, clusters = ["a", "b"] * 100, np.arange(200) // 2
    first = held_out(strata, clusters, 0.15, 0.15, 1)
    assert (first == held_out(strata, clusters, 0.15, 0.15, 1)).all()
    assert (first != held_out(strata, clusters, 0.15, 0.15, 2)).any()
    assert np.bincount(first[:, 0]).tolist() == [140, 30, 30]


def made(n=400, articles=150):
    rng = np.random.default_rng(5)
    words = np.array(["north", "river", "mayor", "school", "budget", "strike", "farm", "market"])
    texts = [f"{' '.join(rng.permutation(words)[:6])} {rng.integers(10**12)}" for _ in range(n)]
    return pl.DataFrame(
        {
            "id": [f"babe-{k}" for k in range(n)],
            "dataset": "babe",
            "text": texts,
            "label": pl.Series([k % 2 for k in range(n)], dtype=pl.Int8),
            "source_label": "x",
            "article": [f"link{k}" for k in rng.integers(articles, size=n)],
        }
    )


def test_babe_is_a_holdout_in_which_no_article_is_divided():
    rows = assembled("babe", [made()], chosen_options("clean", {}, ["babe"]), 42).rows
    roles = rows["role_0"].to_numpy()
    assert [name for name in rows.columns if name.startswith("role_")] == ["role_0"]
    assert rows.group_by("article").agg(pl.col("role_0").n_unique())["role_0"].max() == 1
    for role, share in ((TRAIN, 0.7), (DEV, 0.15), (TEST, 0.15)):
        assert (roles == role).mean() == pytest.approx(share, abs=0.03)
        assert rows.filter(pl.col("role_0") == role)["label"].mean() == pytest.approx(0.5, abs=0.06)


def test_articles_may_be_divided_on_request_and_folds_be_asked_for():
    asked = chosen_options("clean", {"groups": "near"}, ["babe"])
    rows = assembled("babe", [made()], asked, 42).rows
    assert rows.group_by("article").agg(pl.col("role_0").n_unique())["role_0"].max() > 1
    folds = assembled("babe", [made()], chosen_options("clean", {"split": "folds"}, ["babe"]), 42)
    assert folds.roles.shape[1] == 5


def test_a_fixed_seed_of_the_split_gives_every_seed_of_training_the_same_rows():
    asked = chosen_options("clean", {"split_seed": "7"}, ["babe"])
    one, other = (assembled("babe", [made()], asked, seed).rows for seed in (1, 2))
    assert one.equals(other)
    own = chosen_options("clean", {}, ["babe"])
    one, other = (assembled("babe", [made()], own, seed).rows for seed in (1, 2))
    assert not one.equals(other)


def test_the_signature_says_the_holdout_and_that_of_every_other_run_is_as_it_was():
    line = signature(["babe"], chosen_options("clean", {}, ["babe"]), "3f2a91c0", [42], "x@1")
    assert line.startswith("babe|task:babe|preset:clean|data:3f2a91c0|")
    assert "|split:holdout|test-share:0.15|dev-share:0.15|" in line
    assert "folds" not in line
    fixed = chosen_options("clean", {"split_seed": "7"}, ["babe"])
    assert "|split-seed:7|" in signature(["babe"], fixed, "3f2a91c0", [42], "x@1")
    for preset in (CLEAN, OFFICIAL):
        before = signature(["mbib/072"], preset, "3f2a91c0", [42], "x@1")
        assert not {"split", "share", "split-seed"} & {
            part.split(":")[0] for part in before.split("|")
        }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": "half"}, "Use folds or holdout"),
        ({"split_seed": "seven"}, "neither run nor a whole number"),
        ({"split_seed": str(2**32)}, "neither run nor a whole number"),
        ({"test_share": "0"}, "outside"),
        ({"test_share": "0.6", "dev_share": "0.4"}, "leave no train"),
    ],
)
def test_a_split_that_cannot_be_is_refused(changes, message):
    with pytest.raises(OptionError, match=message):
        chosen_options("clean", changes, ["babe"])


def test_too_few_rows_for_a_holdout_are_one_line():
    asked = chosen_options("clean", {"smallest": "2"}, ["babe"])
    with pytest.raises(
        DataError, match=r"into train, dev and test: 20 rows .* parts smaller than 5"
    ):
        assembled("babe", [made(20)], asked, 42)
