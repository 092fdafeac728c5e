from __future__ import annotations

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

sys.path.append(str(Path(__file__).parents[1] / "systems"))
from tiny import save_tiny

import slant
from slant.errors import DataError
from slant.tasks.leaks import leaks_of
from slant.tasks.members import described
from slant.tasks.names import members_of
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


def test_an_example_of_babe_has_each_annotators_answer_and_their_majority_is_the_label(real_data):
    rows, _ = rows_of(real_data)
    examples = examples_of(rows)
    sizes = [len(one.annotators) for one in examples]
    assert min(sizes) >= 2
    assert sum(size == 5 for size in sizes) > 0.99 * len(sizes)
    unlike = [
        one.item.id
        for one in examples
        if (sum(a.biased for a in one.annotators.values()) * 2 > len(one.annotators))
        != one.gold.biased
    ]
    # docs/benchmarks/babe.md: the two whose other answers stand under another text.
    assert set(unlike) <= {"babe-1238", "babe-2068"}


def test_without_the_workbook_texts_labels_folds_and_fingerprint_are_the_same(real_data, tmp_path):
    asked = chosen_options("clean", {}, ["babe"])
    (tmp_path / "babe").mkdir()
    shutil.copy(real_data / "babe" / "final_labels_SG2.csv", tmp_path / "babe")
    ready = [prepared("babe", asked, 42, home, {}) for home in (real_data, tmp_path)]
    assert ready[0].data == ready[1].data
    assert ready[0].rows != ready[1].rows
    rows, bare = (pl.read_parquet(one.rows) for one in ready)
    assert rows.drop("annotators").equals(bare)
    assert pl.read_parquet(ready[0].left_out).equals(pl.read_parquet(ready[1].left_out))
    # A workbook that is not as published is other data, and says so.
    shutil.copy(real_data / "babe" / "raw_labels_SG2.xlsx", tmp_path / "babe")
    changed = tmp_path / "babe" / "raw_labels_SG2.xlsx"
    changed.write_bytes(changed.read_bytes() + b"\0")
    altered = members_of("babe", asked, tmp_path)[0]
    assert altered.fingerprint not in {one.fingerprint for m in ready for one in m.members}
    assert "raw_labels_SG2.xlsx has" in " ".join(described([altered])[0]["notes"])


def test_shares_of_annotators_are_learnt_on_babe_and_asked_for_where_they_are_absent(
    real_data, tmp_path
):
    if not find_spec("torch"):
        pytest.skip("the extra encoders is not installed")
    asked = {
        "options": {"train_rows": "40"}, "jobs": 1,
        "params": {"targets": "shares", "epochs": 1, "lr": 3e-3, "max_length": 32},
    }  # fmt: skip
    system = f"encoder:{save_tiny(tmp_path / 'tiny', 'bert')}"
    done = slant.run("babe", system, tmp_path / "shares", data=real_data, **asked)
    same = slant.run(
        "babe", system, tmp_path / "majority", data=real_data,
        **{**asked, "params": {**asked["params"], "targets": "majority"}},
    )  # fmt: skip
    found = [pl.read_parquet(run.folder / "cells/babe/42-0.parquet") for run in (done, same)]
    assert found[0]["id"].equals(found[1]["id"])
    assert not found[0]["probability"].equals(found[1]["probability"])
    (tmp_path / "babe").mkdir()
    shutil.copy(real_data / "babe" / "final_labels_SG2.csv", tmp_path / "babe")
    with pytest.raises(DataError, match=r"no annotators' labels.*raw_labels_SG2\.xlsx"):
        slant.run("babe", system, tmp_path / "bare", data=tmp_path, **asked)


def test_a_run_on_babe_is_scored_on_the_holdout(real_data, tmp_path):
    done = slant.run("babe", "majority", tmp_path / "run", data=real_data)
    scores = json.loads((done.folder / "scores.json").read_text())
    assert scores["tasks"]["babe"]["n"] == 542
    assert len(scores["tasks"]["babe"]["scores"]["micro_class_f1"]["folds"]) == 1
    assert done.signature.startswith("babe|task:babe|preset:clean|")
    assert len(list((done.folder / "cells").rglob("*.parquet"))) == 1
