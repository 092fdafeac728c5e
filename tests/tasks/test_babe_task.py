from __future__ import annotations

import json

import polars as pl

import slant
from slant.tasks.leaks import leaks_of
from slant.tasks.options import chosen_options
from slant.tasks.prepare import examples_of, prepared
from slant.tasks.protocols import DEV, TEST, TRAIN


def rows_of(real_data, changes=None):
    asked = chosen_options("clean", changes or {}, ["babe"])
    ready = prepared("babe", asked, 42, real_data, {})
    return pl.read_parquet(ready.rows), pl.read_parquet(ready.left_out)


def test_babe_is_balanced_split_70_15_15_and_no_article_or_near_text_crosses(real_data):
    rows, left_out = rows_of(real_data)
    counts = dict(left_out["reason"].value_counts().iter_rows())
    assert counts == {"undecided": 1, "duplicate": 4, "contradictory": 2, "balance": 57}
    by_role = rows.group_by("role_0", "label").len().sort("role_0", "label").rows()
    assert by_role == [
        (TRAIN, 0, 1263), (TRAIN, 1, 1263), (DEV, 0, 271), (DEV, 1, 271), (TEST, 0, 271),
        (TEST, 1, 271),
    ]  # fmt: skip
    assert leaks_of(rows).none


def test_without_article_groups_sentences_of_one_article_stand_on_both_sides(real_data):
    rows, _ = rows_of(real_data, {"groups": "near"})
    assert leaks_of(rows).articles_across > 400


def test_an_example_of_babe_has_the_marked_words_as_its_reason(real_data):
    rows, _ = rows_of(real_data)
    one = next(e for e in examples_of(rows) if e.item.id == "babe-1")
    (mark,) = one.gold.marks
    marked = [one.item.text[span.start : span.end] for span in mark.spans]
    assert marked == ["characteristically", "bizarre"]
    assert one.gold.biased


def test_a_run_on_babe_is_scored_on_the_holdout(real_data, tmp_path):
    done = slant.run("babe", "majority", tmp_path / "run", data=real_data)
    scores = json.loads((done.folder / "scores.json").read_text())
    assert scores["tasks"]["babe"]["n"] == 542
    assert len(scores["tasks"]["babe"]["scores"]["micro_class_f1"]["folds"]) == 1
    assert done.signature.startswith("babe|task:babe|preset:clean|")
    assert len(list((done.folder / "cells").rglob("*.parquet"))) == 1
