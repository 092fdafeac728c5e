"""Training for comparison: conditions, the choice of a learning rate, models that are kept."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest
from sklearn.metrics import f1_score

sys.path.append(str(Path(__file__).parents[1] / "systems"))
from made_babe import write_babe

from slant.errors import OptionError, RunError
from slant.runs.explained import marked_spans, parts_of, trained_runs
from slant.runs.kept import TRAINING
from slant.runs.run import run
from slant.runs.studies import PAPER, conditions, learning_rates, train_study
from slant.systems.finetuned import Settings, head_predictions

pytestmark = pytest.mark.skipif(
    not find_spec("torch"), reason="the extra encoders is not installed"
)


def test_the_paper_s_table_c1_is_the_default():
    # 4 epochs, batches of 16, linear decay, no early stopping, 2e-5
    assert PAPER == {
        "epochs": "4", "batch": "16", "patience": "0", "warmup": "0", "take": "last"
    }  # fmt: skip
    assert learning_rates(None, "encoder:roberta") == ["2e-5"]


def test_every_lambda_and_kind_of_targets_is_a_condition():
    made = conditions(
        ["encoder:a", "encoder:b"], {"epochs": "1"}, ["0", "0.5"], ["majority", "shares"],
        {"encoder:a": "1e-4", "encoder:b": "2e-5"},
    )  # fmt: skip
    assert [one.name for one in made][:4] == [
        "encoder-a", "encoder-a-shares", "encoder-a-attention-0.5", "encoder-a-attention-0.5-shares"
    ]  # fmt: skip
    assert made[0].params == {"epochs": "1", "lr": "1e-4"}
    assert made[-1].params == {
        "epochs": "1", "lr": "2e-5", "attention_lambda": "0.5", "targets": "shares"
    }  # fmt: skip
    with pytest.raises(OptionError, match="--attention-lambda 'much'"):
        conditions(["encoder:a"], {}, ["much"], ["majority"], {"encoder:a": "1"})


def test_a_kept_model_says_what_its_cell_says(study, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(study / "store"))
    settings = Settings(1, 1e-4, 16, "float32", 0, 0.0, 0.0, False)
    runs = trained_runs(study / "runs", study / "data")
    assert [one.name for one in runs] == ["encoder-tiny", "encoder-tiny-attention-0.5"]
    for one in runs:
        assert [model.seed for model in one.models] == [42, 43]
        for model in one.models:
            items = [example.item for example in parts_of(one, model).test]
            again = head_predictions(model.encoder(), 0, items, settings, 24, "window")
            cell = pl.read_parquet(one.folder / f"cells/babe/{model.seed}-0.parquet")
            assert [p.id for p in again] == cell["id"].to_list()
            said = [p.probability for p in again]
            assert said == pytest.approx(cell["probability"].to_list(), abs=1e-6)
            assert len(model.training["dev_losses"]) == 4


def test_parts_share_no_text_and_marked_words_come_with_them(study, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(study / "store"))
    one = trained_runs(study / "runs" / "encoder-tiny", study / "data")[0]
    parts = parts_of(one, one.models[0])
    ids = [e.item.id for part in (parts.train, parts.dev, parts.test) for e in part]
    assert len(ids) == len(set(ids)) == 160
    for example in parts.test:
        marked = [example.item.text[s.start : s.end] for s in marked_spans(example)]
        assert len(marked) == (2 if example.gold.biased else 0)


def test_the_rate_with_the_highest_f1_on_dev_is_taken_and_its_trial_is_not_trained_again(
    study, tmp_path, own_store
):
    data = write_babe(tmp_path / "data", 120, calm_marks=False)
    runs = train_study(
        "babe", [f"encoder:{study / 'tiny'}"], tmp_path / "runs",
        params={"max_length": "24"}, rates="1e-6,0.002", seeds=[1],
        options={"near": "1.0"}, data=data, jobs=1,
    )  # fmt: skip
    found = json.loads((tmp_path / "runs/lr-search/encoder-tiny.json").read_text())
    assert found["chosen"] == "0.002"
    assert found["dev_class_f1"]["0.002"] > found["dev_class_f1"]["1e-6"]
    assert runs[0].params["lr"] == "0.002"
    trials = tmp_path / "runs/lr-search"
    (trial,) = trained_runs(trials / "encoder-tiny-lr-0.002", data)
    model = trial.models[0]
    dev = parts_of(trial, model).dev
    settings = Settings(1, 1e-4, 16, "float32", 0, 0.0, 0.0, False)
    answers = head_predictions(
        model.encoder(), 0, [one.item for one in dev], settings, 24, "window"
    )
    gold, said = ([one.biased for one in some] for some in (
        [one.gold for one in dev], [one.answer for one in answers]))  # fmt: skip
    assert found["dev_class_f1"]["0.002"] == pytest.approx(f1_score(gold, said, average="macro"))
    one, other = (
        (folder / "models/babe/1-0" / TRAINING).read_bytes()
        for folder in (trials / "encoder-tiny-lr-0.002", runs[0].folder)
    )
    assert one == other
    cells = [
        (folder / "cells/babe/1-0.parquet").stat().st_mtime_ns for folder in (
            trials / "encoder-tiny-lr-0.002", runs[0].folder)]  # fmt: skip
    assert cells[0] <= cells[1]


def test_a_run_goes_on_with_what_is_kept_and_makes_again_what_is_not(study, tmp_path, own_store):
    asked = {
        "params": {"max_length": "24", "epochs": "1", "lr": "0.005"}, "seeds": [1, 2],
        "options": {"near": "1.0"}, "data": write_babe(tmp_path / "data", 120, calm_marks=False), "jobs": 1,
        "keep": True,
    }  # fmt: skip
    system = f"encoder:{study / 'tiny'}"
    run("babe", system, tmp_path / "run", **asked)
    models = tmp_path / "run/models/babe"
    before = {path: path.read_bytes() for path in sorted(models.rglob("model.safetensors"))}
    assert len(before) == 2
    untouched = (models / "2-0/model.safetensors").stat().st_mtime_ns
    (models / "1-0" / TRAINING).unlink()  # killed before it was whole
    run("babe", system, tmp_path / "run", **asked)
    assert {path: path.read_bytes() for path in before} == before
    damaged = models / "1-0" / "model.safetensors"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\0")
    run("babe", system, tmp_path / "run", **asked)
    assert {path: path.read_bytes() for path in before} == before
    assert (models / "2-0/model.safetensors").stat().st_mtime_ns == untouched


def test_a_system_without_a_model_of_its_own_keeps_none(tmp_path, own_store):
    with pytest.raises(OptionError, match="Keeping the models of 'tfidf-lr'"):
        run("open/sentences", "tfidf-lr", tmp_path / "run", keep=True)
    with pytest.raises(OptionError, match="Keeping the models"):
        run("open/sentences", "encoder-multitask:minilm", tmp_path / "run", keep=True)


def test_a_folder_without_models_says_how_to_have_some(tmp_path, own_store):
    run("open/sentences", "majority", tmp_path / "runs" / "a")
    with pytest.raises(RunError, match="slant train babe"):
        trained_runs(tmp_path / "runs")
    with pytest.raises(RunError, match="there is no such folder"):
        trained_runs(tmp_path / "nowhere")
