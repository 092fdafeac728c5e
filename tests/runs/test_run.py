from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef, roc_auc_score

from slant.errors import (
    DataError,
    OptionError,
    RunError,
    SlantError,
    UnknownName,
    WorkFailed,
)
from slant.runs.run import run
from slant.runs.scoring import load_scores, score
from slant.runs.store import only_writer
from slant.systems.functions import function_digest
from slant.types import NO, YES, Prediction


def scored(folder):
    return json.loads((Path(folder) / "scores.json").read_text())


def without_command(scores):
    return {key: value for key, value in scores.items() if key != "command"}


def test_scores_are_those_of_scikit_learn_averaged_over_folds(local_news, tmp_path):
    out = tmp_path / "run"
    run(local_news, "tfidf-lr", out, jobs=1)
    rows = next(Path(os.environ["SLANT_CACHE"]).glob("tasks/*/rows.parquet"))
    gold = pl.read_parquet(rows)
    folds = {
        "micro_biased_f1": [],
        "micro_class_f1": [],
        "micro_weighted_f1": [],
        "accuracy": [],
        "mcc": [],
        "auroc": [],
    }
    for path in sorted((out / "cells").rglob("*.parquet")):
        cell = pl.read_parquet(path).join(gold.select("id", "label"), on="id", how="left")
        truth, said = cell["label"].to_numpy(), cell["biased"].cast(pl.Int8).to_numpy()
        folds["micro_biased_f1"].append(f1_score(truth, said, zero_division=0))
        folds["micro_class_f1"].append(f1_score(truth, said, average="macro"))
        folds["micro_weighted_f1"].append(f1_score(truth, said, average="weighted"))
        folds["accuracy"].append(accuracy_score(truth, said))
        folds["mcc"].append(matthews_corrcoef(truth, said))
        folds["auroc"].append(roc_auc_score(truth, cell["probability"].to_numpy()))
    ours = scored(out)["tasks"][local_news]["scores"]
    for name, values in folds.items():
        assert ours[name]["value"] == pytest.approx(np.mean(values), abs=1e-12), name
        assert ours[name]["low"] < ours[name]["value"] < ours[name]["high"]
    assert ours["micro_class_f1"]["folds"] == pytest.approx(folds["micro_class_f1"], abs=1e-12)
    assert ours["micro_class_f1"]["value"] > 0.7


def test_every_table_has_its_controls(local_news, tmp_path):
    run(local_news, "tfidf-lr", tmp_path / "run", jobs=1)
    controls = scored(tmp_path / "run")["controls"]
    assert list(controls) == ["majority", "source-only", "random"]
    # balanced classes, one label for all: F1 of that class 2/3, of the other 0; mean 1/3
    assert controls["majority"][local_news]["micro_class_f1"]["value"] == pytest.approx(
        1 / 3, abs=0.02
    )


def test_one_worker_and_four_workers_give_the_same_bytes(local_news, tmp_path):
    for jobs in (1, 4):
        run(local_news, "tfidf-lr", tmp_path / str(jobs), jobs=jobs, seeds=(42, 43))
    cells = [
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*.parquet")}
        for n in ("1", "4")
    ]
    assert len(cells[0]) == 10
    assert cells[0] == cells[1]
    assert (tmp_path / "1/scores.json").read_bytes() == (tmp_path / "4/scores.json").read_bytes()


@pytest.mark.parametrize("trial", range(20))
def test_a_run_killed_at_any_moment_ends_with_the_same_scores(trial, local_news, tmp_path):
    """SIGKILL at a random moment of the whole life of the process, then the same command."""
    whole = tmp_path / "whole"
    run(local_news, "tfidf-lr", whole, jobs=1)
    out = tmp_path / "killed"
    command = [
        sys.executable,
        "-m",
        "slant",
        "run",
        local_news,
        "--system",
        "tfidf-lr",
        "--jobs",
        "1",
        "--quiet",
        "--out",
        str(out),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.Random(trial).uniform(0.05, 2.5))
    process.send_signal(signal.SIGKILL)
    process.wait()
    for path in out.rglob("*.json"):
        json.loads(path.read_text())
    run(local_news, "tfidf-lr", out, jobs=1)
    assert without_command(scored(out)) == without_command(scored(whole))


def test_only_what_is_missing_or_damaged_is_made_again(local_news, tmp_path):
    out = tmp_path / "run"
    run(local_news, "tfidf-lr", out, jobs=1)
    before = scored(out)
    paths = sorted((out / "cells").rglob("*.parquet"))
    kept = {path: path.stat().st_mtime_ns for path in paths[2:]}
    paths[0].unlink()
    paths[1].write_bytes(paths[1].read_bytes()[:100])
    run(local_news, "tfidf-lr", out, jobs=1)
    assert {path: path.stat().st_mtime_ns for path in paths[2:]} == kept
    assert scored(out) == before


def test_a_run_is_scored_again_without_predicting(local_news, tmp_path):
    out = tmp_path / "run"
    run(local_news, "tfidf-lr", out, jobs=1)
    before = (out / "scores.json").read_bytes()
    (out / "scores.json").unlink()
    score(out)
    assert (out / "scores.json").read_bytes() == before


def test_a_function_of_the_users_own_is_a_system(local_news, tmp_path):
    def loaded_words(folds, seed):
        for fold in folds:
            yield [
                Prediction(item.id, YES if "corrupt" in item.text or "radical" in item.text else NO)
                for item in fold.test
            ]

    done = run(local_news, loaded_words, tmp_path / "run", jobs=1)
    assert "system:function:loaded_words" in done.signature
    task = scored(done.folder)["tasks"][local_news]
    assert task["scores"]["auroc"]["value"] is None
    assert "have no probability" in task["scores"]["auroc"]["why"]
    assert task["scores"]["precision"]["value"] > 0.7


def test_faults_are_counted_and_are_wrong(local_news, tmp_path):
    def silent(folds, seed):
        for fold in folds:
            yield [Prediction(item.id, None, fault="no answer") for item in fold.test]

    scores = scored(run(local_news, silent, tmp_path / "run", jobs=1).folder)
    assert scores["faults"] == {"no answer": scores["tasks"][local_news]["n"]}
    assert scores["tasks"][local_news]["scores"]["accuracy"]["value"] == 0.0


def test_a_system_that_skips_items_is_refused(local_news, tmp_path):
    def lazy(folds, seed):
        for fold in folds:
            yield [Prediction(item.id, YES) for item in fold.test[1:]]

    with pytest.raises(RunError, match="returns one Prediction per test item"):
        run(local_news, lazy, tmp_path / "run", jobs=1)


def test_the_directory_of_another_run_is_left_alone(local_news, tmp_path):
    run(local_news, "majority", tmp_path / "run", jobs=1)
    before = (tmp_path / "run/scores.json").read_bytes()
    with pytest.raises(
        RunError, match="holds another run \\(system:majority@1 there, system:random@1 asked\\)"
    ):
        run(local_news, "random", tmp_path / "run", jobs=1)
    assert (tmp_path / "run/scores.json").read_bytes() == before
    run(local_news, "random", tmp_path / "run", jobs=1, fresh=True)
    assert scored(tmp_path / "run")["system"] == "random@1"


def test_a_second_process_on_one_directory_is_refused(local_news, tmp_path):
    with only_writer(tmp_path / "run"), pytest.raises(RunError, match="another process is writing"):
        run(local_news, "majority", tmp_path / "run", jobs=1)


def test_changed_data_are_noticed_when_scoring(local_news, tmp_path):
    from made_news import write_news

    from slant.data.added import add_dataset
    from slant.data.hashes import user_store

    out = tmp_path / "run"
    run(local_news, "majority", out, jobs=1)
    path = write_news(tmp_path / "other.csv", 300, 2)
    add_dataset(
        "local", path, text="sentence", label="biased", tasks=["reporting-level-bias"],
        store=user_store(), group="article", id_column="number", replace=True,
    )  # fmt: skip
    with pytest.raises(RunError, match="are not those of the run"):
        score(out)


def test_no_space_left_is_one_line_and_leaves_nothing_half_written(
    local_news, tmp_path, monkeypatch
):
    import errno

    def full(self, *args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(WorkFailed, match="o space"):
        run(local_news, "majority", tmp_path / "run", jobs=1)
    assert not list((tmp_path / "run").rglob("*.tmp"))
    assert not list((tmp_path / "run").rglob("*.parquet"))


@pytest.mark.parametrize(
    ("system", "options", "seeds", "kind"),
    [
        ("tfidf", {}, (42,), UnknownName),
        ("majority", {"balanse": "x"}, (42,), UnknownName),
        ("majority", {}, (42, 42), OptionError),
        ("majority", {}, (), OptionError),
        ("predictions:none.csv", {}, (42,), SlantError),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_written(
    system, options, seeds, kind, local_news, tmp_path
):
    with pytest.raises(kind):
        run(local_news, system, tmp_path / "run", options=options, seeds=seeds, jobs=1)
    assert not (tmp_path / "run" / "cells").exists()


def test_a_task_without_data_is_refused_but_left_out_of_a_whole_benchmark(local_news, tmp_path):
    with pytest.raises(SlantError, match="none of its data sets"):
        run("mbib/racial-bias", "majority", tmp_path / "one", jobs=1)
    # of all of MBIB only reporting-level bias has data here: the user's own
    run("mbib", "majority", tmp_path / "all", jobs=1)
    asked, scores = load_scores(tmp_path / "all")
    assert list(scores["tasks"]) == ["mbib/reporting-level-bias"]
    assert len(asked["absent"]) == 8


def test_a_single_flipped_bit_in_a_cell_is_noticed(local_news, tmp_path):
    out = tmp_path / "run"
    run(local_news, "tfidf-lr", out, jobs=1)
    before = scored(out)
    path = sorted((out / "cells").rglob("*.parquet"))[0]
    whole = path.read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 20)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(RunError, match="missing or damaged"):
            score(out)
    run(local_news, "tfidf-lr", out, jobs=1)
    assert scored(out) == before
    assert path.read_bytes() == whole


def test_a_changed_function_does_not_meet_its_old_cells(local_news, tmp_path):
    def made(answer):
        def system(folds, seed):
            for fold in folds:
                yield [Prediction(item.id, answer) for item in fold.test]

        return system

    run(local_news, made(NO), tmp_path / "run", jobs=1)
    with pytest.raises(RunError, match="another run"):
        run(local_news, made(YES), tmp_path / "run", jobs=1)
    run(local_news, made(NO), tmp_path / "run", jobs=1)


def test_every_score_of_several_seeds_has_an_interval(tmp_path):
    run("open/sentences", "tfidf-lr", tmp_path / "run", seeds=(1, 2, 3), jobs=1)
    scores = scored(tmp_path / "run")
    for name, one in scores["tasks"]["open/sentences"]["scores"].items():
        assert one["low"] <= one["value"] <= one["high"], name
    assert scores["overall"]["media_bias_group"]["low"] is not None
    assert len(scores["tasks"]["open/sentences"]["scores"]["micro_f1"]["folds"]) == 15


def test_a_damaged_task_in_the_cache_is_made_again(local_news, tmp_path):
    run(local_news, "majority", tmp_path / "one", jobs=1)
    rows = next(Path(os.environ["SLANT_CACHE"]).glob("tasks/*/rows.parquet"))
    whole = rows.read_bytes()
    for damage in (whole[:300], whole[:500] + bytes([whole[500] ^ 1]) + whole[501:]):
        rows.write_bytes(damage)
        run(local_news, "majority", tmp_path / "one", jobs=1)
        assert rows.read_bytes() == whole


def test_a_function_is_told_by_its_code_and_by_what_it_calls():
    space = {}
    code = "def helper(text):\n    return text in {{'a', 'b', 'c'}}\n\ndef system(text):\n    return helper(text) and {word!r}\n"
    digests = []
    for word in ("x", "x", "y"):
        exec(code.format(word=word), space)
        digests.append(function_digest(space["system"]))
    assert digests[0] == digests[1] != digests[2]
    exec(code.format(word="x").replace("'c'", "'d'"), space)
    assert function_digest(space["system"]) != digests[0]


def test_the_scores_of_data_sets_average_to_the_group_score(local_news, tmp_path):
    run(local_news, "tfidf-lr", tmp_path / "run", jobs=1)
    task = scored(tmp_path / "run")["tasks"][local_news]
    mean = np.mean([one["f1"] for one in task["groups"].values()])
    assert task["scores"]["group_f1"]["value"] == pytest.approx(mean)


def test_processes_kept_from_an_earlier_run_write_into_the_new_folder(
    local_news, tmp_path, monkeypatch
):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        run(local_news, "majority", "runs/one", jobs=2)
        assert len(list((tmp_path / name / "runs/one/cells").rglob("*.parquet"))) == 5


def test_a_run_of_an_added_data_set_that_is_not_here_says_where_to_look(
    local_news, tmp_path, monkeypatch
):
    run(local_news, "majority", tmp_path / "run", jobs=1)
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "another store"))
    with pytest.raises(DataError, match="no data set of this name was added here"):
        score(tmp_path / "run")
