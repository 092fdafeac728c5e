"""`--train-on`: a system that learnt one task, scored on another."""

from __future__ import annotations

import json

import polars as pl
import pytest
from made_news import write_news
from sklearn.metrics import f1_score

from slant.data.added import add_dataset
from slant.data.hashes import user_store
from slant.errors import DataError, OptionError, RunError
from slant.runs.comparing import compare
from slant.runs.run import run
from slant.runs.scoring import score
from slant.systems import make_system
from slant.tasks.prepare import examples_of
from slant.tasks.protocols import DEV, TEST, TRAIN
from slant.types import Fold


@pytest.fixture
def two_tasks(tmp_path, own_store):
    """`added/first`, 300 sentences, and `added/second`, 120 others."""
    for name, number, seed in (("first", 300, 1), ("second", 120, 2)):
        add_dataset(
            name, write_news(tmp_path / f"{name}.csv", number, seed), text="sentence",
            label="biased", tasks=["fake-news"], store=user_store(), group="article",
            id_column="number",
        )  # fmt: skip
    return "added/first", "added/second"


def transfer(source, tested, out, system="tfidf-lr", **more):
    run(tested, system, out, options={"train_on": source}, jobs=1, **more)
    return json.loads((out / "scores.json").read_text())


def rows_used(out):
    """The prepared table that the cell of a run was made from, found by its test ids."""
    cell = pl.read_parquet(next((out / "cells").rglob("*.parquet")))
    for path in user_store().glob("tasks/*/rows.parquet"):
        rows = pl.read_parquet(path)
        if rows.filter(pl.col("role_0") == TEST)["id"].to_list() == cell["id"].to_list():
            return rows, cell
    raise AssertionError("no table has the cell's ids")


def test_a_system_sees_the_other_task_alone_and_is_scored_on_all_of_this(two_tasks, tmp_path):
    first, second = two_tasks
    found = transfer(first, second, tmp_path / "run")
    rows, cell = rows_used(tmp_path / "run")
    part = {role: rows.filter(pl.col("role_0") == role) for role in (TRAIN, DEV, TEST)}
    assert set(part[TRAIN]["dataset"]) == {"first"}
    assert set(part[TEST]["dataset"]) == {"second"}
    # The same system called by hand on the same texts gives the cell.
    train, dev, test = (examples_of(part[role]) for role in (TRAIN, DEV, TEST))
    fold = Fold(train, dev, [one.item for one in test])
    by_hand = next(iter(make_system("tfidf-lr", {})[1]([fold], 42)))
    assert cell["probability"].to_list() == [one.probability for one in by_hand]
    own = found["tasks"][second]
    expected = f1_score(part[TEST]["label"], cell["biased"].cast(pl.Int8), average="macro")
    assert own["scores"]["micro_class_f1"]["value"] == pytest.approx(expected, abs=1e-12)
    assert own["scores"]["micro_class_f1"]["low"] < expected
    assert own["datasets"] == ["second"]
    assert own["n"] == part[TEST].height
    assert found["counts"]["train"] == {second: part[TRAIN].height}
    assert f"train-on:{first}" in found["signature"].split("|")
    assert {one["dataset"] for one in found["data"]} == {"first", "second"}


def test_controls_learn_from_the_other_task_too(two_tasks, tmp_path):
    first, second = two_tasks
    found = transfer(first, second, tmp_path / "run")
    # `second` was never seen, so that its name tells no more than the most frequent label
    controls = found["controls"]
    alike = [controls[name][second]["micro_class_f1"] for name in ("source-only", "majority")]
    assert alike[0] == alike[1]


def test_a_transfer_resumes_and_is_scored_again_to_the_same_bytes(two_tasks, tmp_path):
    out = tmp_path / "run"
    transfer(*two_tasks, out)
    before = (out / "scores.json").read_bytes()
    cell = next((out / "cells").rglob("*.parquet"))
    stamp = cell.stat().st_mtime_ns
    transfer(*two_tasks, out)
    assert cell.stat().st_mtime_ns == stamp
    (out / "scores.json").unlink()
    score(out)
    assert (out / "scores.json").read_bytes() == before


def test_a_directory_of_a_transfer_takes_no_other_run(two_tasks, tmp_path):
    first, second = two_tasks
    transfer(first, second, tmp_path / "run")
    with pytest.raises(RunError, match=f"train-on:{first} there"):
        run(second, "tfidf-lr", tmp_path / "run", jobs=1)


def test_transfers_compare_with_one_another_and_not_with_folds(two_tasks, tmp_path):
    first, second = two_tasks
    transfer(first, second, tmp_path / "a", "lexicon")
    transfer(first, second, tmp_path / "b")
    run(second, "tfidf-lr", tmp_path / "own", jobs=1)
    made = compare([tmp_path / "a", tmp_path / "b"])
    assert made[0]["tasks"][0]["n"] > 100
    with pytest.raises(RunError, match="train_on"):
        compare([tmp_path / "b", tmp_path / "own"])


def test_a_task_is_not_trained_on_itself_nor_on_absent_data(two_tasks, tmp_path):
    first, _ = two_tasks
    with pytest.raises(OptionError, match="it is tested too"):
        transfer(first, first, tmp_path / "run")
    with pytest.raises(DataError, match="'mbib/racial-bias': none of its data sets"):
        transfer("mbib/racial-bias", first, tmp_path / "run")
    assert not (tmp_path / "run").exists()
