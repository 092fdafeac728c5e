"""What verbs return: long tables that say what the files say, and estimators as systems of runs."""

from __future__ import annotations

import builtins
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_news import add_news
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import slant
from slant.errors import MissingExtra, RunError, UnknownName
from slant.runs.results import AskedQuestions, Comparisons, LoadedScores, RunResults, Scores
from slant.runs.tidytables import Tidy, estimates_in, pandas_frame, tidy_frame

sys.path.append(str(Path(__file__).parents[1] / "report"))

TASK = "added/small"
TFIDF = make_pipeline(
    TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2),
    LogisticRegression(C=1.0, max_iter=2000),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with a small data set."""
    home = tmp_path_factory.mktemp("results")
    add_news("small", home / "news.csv", home / "store", 300)
    return home / "store"


@pytest.fixture(autouse=True)
def same_store(store, own_store, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(store))


@pytest.fixture(scope="module")
def made(store, tmp_path_factory):
    """Two runs: the registered system, and another classifier."""
    home = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(store))
        first = slant.run(TASK, "tfidf-lr", home / "first", jobs=1)
        second = slant.run(TASK, make_pipeline(TfidfVectorizer(), LinearSVC()), home / "second", jobs=1)  # fmt: skip
    return first, second


def cells(folder):
    return [pl.read_parquet(path) for path in sorted(folder.rglob("cells/**/*.parquet"))]


def test_the_same_pipeline_gives_the_bytes_of_tfidf_lr_in_one_process_or_two(made, tmp_path):
    there = cells(made[0].folder)
    for jobs in (1, 2):
        own = slant.run(TASK, TFIDF, tmp_path / str(jobs), jobs=jobs)
        assert all(a.equals(b) for a, b in zip(cells(own.folder), there, strict=True))
        assert own.scores["tasks"] == made[0].scores["tasks"]
        assert own.scores["controls"] == made[0].scores["controls"]


def test_a_changed_parameter_is_another_run(made):
    changed = make_pipeline(TfidfVectorizer(), LinearSVC(C=3))
    with pytest.raises(
        RunError, match=r"it holds another run \(system:sklearn:TfidfVectorizer-Lin"
    ):
        slant.run(TASK, changed, made[1].folder, jobs=1)
    again = slant.run(TASK, make_pipeline(TfidfVectorizer(), LinearSVC()), made[1].folder, jobs=1)
    assert again == made[1]


def test_a_system_that_fails_leaves_no_cell(tmp_path):
    with pytest.raises(slant.errors.OptionError, match="Fitting sklearn:LinearSVC"):
        slant.run(TASK, LinearSVC(), tmp_path / "run", jobs=1)
    assert cells(tmp_path / "run") == []


def test_scores_are_a_row_for_each_task_system_and_measure(made):
    table = made[0].to_polars()
    read = json.loads((made[0].folder / "scores.json").read_text())
    own = read["tasks"][TASK]
    for measure in ("micro_class_f1", "accuracy", "auroc"):
        (row,) = table.filter(
            (pl.col("measure") == measure) & ~pl.col("control") & pl.col("dataset").is_null()
        ).to_dicts()
        told = own["scores"][measure]
        assert [row[k] for k in ("estimate", "low", "high")] == [told[k] for k in ("value", "low", "high")]  # fmt: skip
        assert (row["n"], row["level"], row["task"]) == (own["n"], 0.95, TASK)
        assert row["signature"] == made[0].signature
        assert row["run"] == str(made[0].folder)
    controls = table.filter(pl.col("control") & (pl.col("measure") == "micro_class_f1"))
    found = dict(controls.filter(pl.col("task") == TASK)["system", "estimate"].iter_rows())
    assert found == {
        name: one[TASK]["micro_class_f1"]["value"] for name, one in read["controls"].items()
    }
    means = table.filter(pl.col("task").is_null() & ~pl.col("control"))
    assert means["measure"].to_list() == list(read["overall"])
    groups = table.filter(pl.col("dataset").is_not_null() & (pl.col("measure") == "f1"))
    assert groups["estimate"].to_list() == [one["f1"] for one in own["groups"].values()]
    # every estimate of the file stands in the table, and nothing else does
    numbers = [v for _, v in estimates_in(read) if "folds" in v or "why" in v or "low" in v]
    assert len(table) == len(numbers) + 2 * len(own["groups"])


def test_predictions_give_the_scores_that_the_run_has(made):
    for run in made:
        table = run.to_polars("predictions")
        assert table["id"].n_unique() == len(table) == run.scores["tasks"][TASK]["n"]
        parts = [part for _, part in table.group_by("seed", "fold", maintain_order=True)]
        told = run.scores["tasks"][TASK]["scores"]
        accuracy = np.mean([accuracy_score(one["label"], one["predicted"]) for one in parts])
        auroc = np.mean([roc_auc_score(one["label"], one["probability"]) for one in parts])
        assert accuracy == pytest.approx(told["accuracy"]["value"], abs=1e-12)
        assert auroc == pytest.approx(told["auroc"]["value"], abs=1e-12)


def test_comparisons_are_a_row_for_each_pair_and_task(made):
    found = slant.compare([one.folder for one in made], resamples=200)
    (row,) = found.to_polars().to_dicts()
    task = found[0]["tasks"][0]
    assert row["estimate"] == task["difference"]
    assert row["second_score"] - row["first_score"] == pytest.approx(row["estimate"], abs=1e-12)
    assert (row["first"], row["second"]) == (made[0].system, made[1].system)
    assert (row["p_holm"], row["n"]) == (task["p_holm"], task["n"])
    assert repr(found) == f"<Comparisons of 1: {made[1].system} against tfidf-lr@1>"


def test_runs_beside_each_other_are_one_table(made, tmp_path):
    several = slant.run_lineup(
        TASK,
        ["majority", make_pipeline(TfidfVectorizer(), MultinomialNB()), make_pipeline(TfidfVectorizer(), MultinomialNB(alpha=9))],
        tmp_path / "lineup", jobs=1,
    )  # fmt: skip
    names = [one.folder.name for one in several]
    assert names == ["majority", *(f"sklearn-TfidfVectorizer-MultinomialNB{n}" for n in ("", "-2"))]
    table = several.to_polars()
    assert table["run"].unique(maintain_order=True).to_list() == [
        str(one.folder) for one in several
    ]
    assert len(table) == sum(len(one.to_polars()) for one in several)
    assert len(several.to_polars("predictions")) == 3 * several[0].scores["tasks"][TASK]["n"]
    assert several.to_polars().columns == made[0].to_polars().columns


def test_a_result_is_still_the_dict_list_or_tuple_that_it_was(made):
    asked, scores = loaded = slant.load_scores(made[0].folder)
    assert isinstance(loaded, LoadedScores)
    assert scores == json.loads((made[0].folder / "scores.json").read_text())
    assert json.loads(json.dumps(scores)) == scores
    assert asked["system"] == "tfidf-lr@1"
    assert pickle.loads(pickle.dumps(scores)).to_polars().equals(scores.to_polars())
    assert pickle.loads(pickle.dumps(made[0])) == made[0]
    assert loaded.to_polars().equals(scores.to_polars())


def test_a_result_is_one_short_line_in_a_terminal(made):
    folder = str(made[0].folder)
    assert repr(made[0]) == f"<RunResult {folder!r}: tfidf-lr@1 on added/small>"
    assert repr(made[0].scores) == "<Scores of tfidf-lr@1 on added/small>"
    assert repr(slant.load_scores(folder)) == "<LoadedScores <Scores of tfidf-lr@1 on added/small>>"
    assert repr(RunResults(made)).startswith("<RunResults of 2: tfidf-lr@1, sklearn:")
    asked = AskedQuestions({"asked": 3, "stored": 1, "failed": 0, "left": 0, "unbegun": 0})
    assert repr(asked) == "<AskedQuestions asked 3, stored 1, failed 0, left 0, unbegun 0>"


def test_a_run_without_scores_says_so(tmp_path):
    planned = slant.run(TASK, "majority", tmp_path / "dry", dry=True)
    with pytest.raises(RunError, match="there is no such file"):
        planned.to_polars()
    assert "majority@1 has no scores yet" in planned._repr_html_()


def test_an_unknown_table_is_answered_with_those_there_are(made):
    with pytest.raises(UnknownName, match="Did you mean predictions"):
        made[0].to_polars("prediction")
    assert list(made[0].tables) == ["scores", "predictions"]


def test_pandas_has_the_same_rows_columns_and_numbers(made):
    pandas = pytest.importorskip("pandas")
    for name in made[0].tables:
        ours, theirs = made[0].to_polars(name), made[0].to_pandas(name)
        assert list(theirs.columns) == ours.columns
        assert len(theirs) == len(ours)
        for column in ours.columns:
            for a, b in zip(ours[column].to_list(), theirs[column].tolist(), strict=True):
                assert pandas.isna(b) if a is None else a == b
    types = {k: str(v) for k, v in made[0].to_pandas().dtypes.items()}
    assert (types["control"], types["n"], types["estimate"]) == ("bool", "Int64", "float64")


def test_without_pandas_one_is_told_what_to_do(made, monkeypatch):
    real = builtins.__import__

    def hidden(name, *more, **args):
        if name.startswith("pandas"):
            raise ImportError(name)
        return real(name, *more, **args)

    monkeypatch.setattr(builtins, "__import__", hidden)
    monkeypatch.setattr("slant.runs.tidytables.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pandas is not installed\. Run pip install pandas"):
        made[0].to_pandas()


def test_a_frame_has_all_columns_and_types_even_without_a_row():
    tidy = Tidy("nothing", {"a": "text", "b": "whole", "c": "real", "d": "yes/no"})
    for rows in ([], [{}], [{"b": 1, "z": 3}]):
        frame = tidy_frame(rows, tidy)
        assert frame.dtypes == [pl.String, pl.Int64, pl.Float64, pl.Boolean]
        assert len(frame) == len(rows)
    pytest.importorskip("pandas")
    assert pandas_frame(tidy_frame([], tidy)).columns.tolist() == ["a", "b", "c", "d"]


def test_every_estimate_of_an_explanation_is_a_row():
    from made_study import made_explain

    from slant.runs.results import Explanations

    found = Explanations(made_explain())
    table = found.to_polars()
    model = next(iter(found["models"]))
    (row,) = table.filter(
        (pl.col("model") == model) & (pl.col("part") == "plausibility")
        & (pl.col("detail") == "rollout") & (pl.col("measure") == "auroc")
    ).to_dicts()  # fmt: skip
    told = found["models"][model]["plausibility"]["rollout"]["auroc"]
    assert (row["estimate"], row["low"], row["spread"]) == (
        told["value"],
        told["low"],
        told["spread"],
    )
    assert table["model"].null_count() == len(list(estimates_in(found["baselines"])))
    assert len(found.to_polars("differences")) == len(found["differences"])
    words = found.to_polars("words")
    text = found["models"][model]["examples"][0]
    start, end = text["words"][0]
    (first, *_) = words.filter((pl.col("model") == model) & (pl.col("id") == text["id"])).to_dicts()
    assert first["word"] == text["text"][start:end]
    assert first["score"] == text["scores"][first["method"]][0]


def test_circuits_are_a_row_for_each_size_and_measure_and_heads_one_each():
    from made_study import made_circuit

    from slant.runs.results import Circuits

    found = Circuits(made_circuit())
    table, heads = found.to_polars(), found.to_polars("heads")
    model, content = next(iter(found["models"].items()))
    point = content["curves"]["corruption"]["excess"]["points"][1]
    rows = table.filter(
        (pl.col("model") == model) & (pl.col("corruption") == "corruption")
        & (pl.col("words") == "excess") & (pl.col("k") == point["k"]) & (pl.col("measure") == "retention")
    ).sort("random").to_dicts()  # fmt: skip
    assert [one["estimate"] for one in rows] == [point["retention"]["value"], point["random"]["retention"]["median"]]  # fmt: skip
    assert [one["level"] for one in rows] == [0.95, None]
    assert len(heads) == sum(3 * one["total"] for one in found["models"].values())
    (one,) = heads.filter(
        (pl.col("model") == model) & (pl.col("layer") == 2) & (pl.col("head") == 5) & (pl.col("words") == "words")
    ).to_dicts()  # fmt: skip
    assert one["effect"] == content["effects"]["words"][2][5]


def test_associations_are_a_row_for_each_test_and_word():
    from made_associations import made_associations

    from slant.runs.results import Associations

    found = Associations(made_associations())
    table = found.to_polars()
    assert table["estimate"].to_list() == [one["d"] for one in found["tests"]]
    assert table["p_adjusted"].to_list() == [one["adjusted"].get(found["correction"]) for one in found["tests"]]  # fmt: skip
    words = found.to_polars("words")
    test = next(one for one in found["tests"] if one.get("values"))
    own = words.filter(
        (pl.col("test") == test["name"]) & (pl.col("corpus") == test["vectors"])
        & (pl.col("method") == test["method"]) & (pl.col("set") == test["x"])
    )  # fmt: skip
    assert list(own["word", "association"].iter_rows()) == [tuple(pair) for pair in test["values"]["x"]]  # fmt: skip
    assert found.to_polars("compared")["estimate"].to_list() == [one["difference"] for one in found["compared"]]  # fmt: skip


def test_bait_scores_are_a_row_for_each_setting_part_and_measure():
    from made_bait import made_bait

    from slant.runs.results import BaitScores

    found = BaitScores(made_bait())
    table = found.to_polars()
    system, setting = found["systems"][0], found["systems"][0]["settings"][0]
    own = table.filter((pl.col("system") == system["name"]) & (pl.col("shots") == setting["shots"]))
    by_part = dict(own.group_by("part").len().iter_rows())
    assert by_part["scores"] == by_part["scores_without"] == 8
    # detection, characters, spans, triggers and the excess of articles, for each of three biases
    assert by_part["biases"] == 15
    (row,) = own.filter((pl.col("bias") == "B02") & (pl.col("measure") == "spans_f1")).to_dicts()
    assert row["estimate"] == setting["biases"]["B02"]["spans_f1"]["value"]
    tests = found.to_polars("comparisons")
    assert tests["estimate"].to_list() == [one["difference"] for one in found["comparisons"]]
    assert tests["first_shots"][0] == found["comparisons"][0]["first"]["shots"]


def test_vilbias_scores_stand_beside_controls_and_the_published_recipe(tmp_path):
    from vilbiasfolders import made_folder

    from slant.runs.vilbiasscoring import PairRules, score_vilbias

    folder = made_folder(tmp_path / "run", seeds=(17, 23))
    found = score_vilbias(folder, PairRules(resamples=50, permutations=49))
    table = found.to_polars()
    setting = found["systems"][0]["settings"][0]
    own = table.filter(
        (pl.col("system") == found["systems"][0]["name"]) & (pl.col("mode") == setting["mode"])
        & (pl.col("shots") == setting["shots"]) & pl.col("judge").is_null()
    )  # fmt: skip
    told = {name: one["value"] for name, one in setting["scores"].items()}
    assert dict(own["measure", "estimate"].iter_rows()) == told
    published = dict(own["measure", "published"].iter_rows())
    assert all(published[name] == one for name, one in setting["published"].items() if name in told)
    controls = table.filter(pl.col("control"))["system"].unique(maintain_order=True).to_list()
    assert controls == [one["name"] for one in found["controls"]]
    judged = [one for s in found["systems"] for one in s["settings"] if one["judged"]]
    assert (table["judge"].drop_nulls().len() > 0) == bool(judged)
    assert len(found.to_polars("gaps")) == len(found["gaps"])


def test_what_was_asked_is_counted_and_errors_have_a_row():
    found = AskedQuestions(
        {"asked": 2, "stored": 0, "failed": 1, "left": 0, "unbegun": 0, "stopped": {},
         "errors": [{"model": "m", "run": "k0", "article": "7", "error": "no such key"}]}
    )  # fmt: skip
    assert dict(found.to_polars().iter_rows())["failed"] == 1
    assert found.to_polars("errors").rows() == [("m", "k0", "7", "no such key")]


def test_an_empty_comparison_has_its_columns():
    assert Comparisons([]).to_polars().width == 17
    assert Scores is type(Scores({}))
