"""Runs of text and image over the embedded pairs, whose images come with the package."""

import json

import polars as pl
import pytest

from slant.errors import DataError, RunError
from slant.runs.run import run

TWO = {"folds": "2"}


def predicted(folder):
    files = sorted((folder / "cells").rglob("*.parquet"))
    assert files
    return [pl.read_parquet(file).to_dicts() for file in files]


def test_a_run_has_the_same_predictions_whatever_the_number_of_workers(tmp_path):
    one = run(["open/pairs"], "fusion:tfidf+color", tmp_path / "one", options=TWO, jobs=1)
    two = run(["open/pairs"], "fusion:tfidf+color", tmp_path / "two", options=TWO, jobs=2)
    assert one.system.startswith("fusion:tfidf+color#")
    assert predicted(tmp_path / "one") == predicted(tmp_path / "two")
    assert one.signature == two.signature


def test_fusion_that_reads_no_image_scores_as_its_text(tmp_path):
    run(["open/pairs"], "fusion:tfidf", tmp_path / "fused", params={"C": 1.0}, options=TWO, jobs=1)
    run(["open/pairs"], "tfidf-lr", tmp_path / "plain", options=TWO, jobs=1)
    ours, theirs = (
        json.loads((tmp_path / name / "scores.json").read_text())["tasks"]["open/pairs"]["scores"]
        for name in ("fused", "plain")
    )
    assert ours == theirs


def test_a_task_without_images_is_refused_in_one_line(tmp_path):
    with pytest.raises(DataError, match=r"it has none, nor have .* Set missing=zero"):
        run(["open/sentences"], "fusion:tfidf+color", tmp_path / "out", options=TWO, jobs=1)


def test_a_run_is_not_resumed_with_another_image_encoder(tmp_path):
    run(["open/pairs"], "fusion:none+color", tmp_path / "out", options=TWO, jobs=1)
    with pytest.raises(RunError, match="fusion"):
        run(["open/pairs"], "fusion:tfidf+color", tmp_path / "out", options=TWO, jobs=1)
