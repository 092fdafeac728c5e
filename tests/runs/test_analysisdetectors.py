"""A kept detector in an analysis: its probabilities are those of `slant predict`."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from tiny_detector import made_texts

from slant.analysis.article import Article
from slant.analysis.reading import analysed
from slant.analysis.rows import sentence_rows
from slant.data.schemas import load_schema
from slant.errors import DataError
from slant.runs.analysisdetectors import (
    analysis_detectors,
    detector_folders,
    load_encoder_detector,
)
from slant.runs.folders import detector_facts
from slant.runs.predicting import encoder_answers
from slant.types import Estimate


@pytest.fixture
def kept(toy):
    return load_encoder_detector(toy / "detector")


def test_probabilities_are_those_of_slant_predict(kept, toy):
    texts = made_texts(30, 400)
    predicted = encoder_answers(toy / "detector", "torch", "window", texts).probability
    said = kept.probabilities(texts)
    np.testing.assert_allclose(said[:, 0], predicted, atol=1e-5)
    assert np.isnan(said[:, 1:]).all()


def test_its_facts_are_those_of_its_folder(kept, toy):
    facts = detector_facts(toy / "detector")
    one = facts["scores"]["scores"]["micro_class_f1"]
    assert isinstance(kept.facts.f1, Estimate)
    assert (kept.facts.f1.value, kept.facts.f1.low) == (one["value"], one["low"])
    assert kept.facts.threshold == facts["threshold"]
    assert kept.facts.signature == facts["signature"]
    assert "trained on" in kept.facts.measured
    assert kept.facts.card_text.startswith("---")


def test_its_words_lie_in_the_text_and_share_one(kept):
    texts = made_texts(6, 700)
    for text, words in zip(texts, kept.contributions(texts), strict=True):
        assert sum(abs(weight) for *_, weight in words) == pytest.approx(1)
        assert all(text[start:end].strip() for start, end, _ in words)


def test_texts_without_words_or_longer_than_it_reads_break_nothing(kept):
    texts = ["***", "word " * 500]
    found = kept.contributions(texts)
    assert found[0] == []
    assert 0 < len(found[1]) < 500
    assert not np.isnan(kept.probabilities(texts)[:, 0]).any()


def test_an_article_is_analysed_with_it(kept):
    text = "\n".join(made_texts(8, 800))
    found = analysed([Article("a", text)], [kept], load_schema("bait"))[0]
    for one in found.sentences:
        p = one.probabilities[kept.facts.name].value
        assert bool(one.words) == (p >= kept.weighs_from)


def test_a_folder_of_detectors_stands_for_all_of_them_by_name(toy, tmp_path):
    for name in ("racial", "gender"):
        shutil.copytree(toy / "detector", tmp_path / name)
        facts = detector_facts(tmp_path / name)
        (tmp_path / name / "detector.json").write_text(
            json.dumps({**facts, "task": f"mbib/{name}-bias"})
        )
        (tmp_path / name / ".detector.json.sum").unlink()
    (tmp_path / "notes").mkdir()
    assert detector_folders(tmp_path) == [tmp_path / "gender", tmp_path / "racial"]
    # one that holds a detector is that detector, whatever lies below it
    assert detector_folders(toy / "detector") == [toy / "detector"]
    loaded = analysis_detectors([tmp_path])
    tasks = ["mbib/gender-bias", "mbib/racial-bias"]
    assert [one.facts.task for one in loaded] == tasks
    # side by side at each sentence, and a row for each in the tables
    text = "\n".join(made_texts(4, 900))
    found = analysed([Article("a", text)], loaded, load_schema("bait"))[0]
    names = [one.facts.name for one in loaded]
    assert all(list(one.probabilities) == names for one in found.sentences)
    rows = sentence_rows(found)
    assert [row["task"] for row in rows] == tasks * len(found.sentences)
    assert all(row["f1"] == loaded[0].facts.f1.value for row in rows)


def test_a_folder_that_is_no_detector_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"detector\.json"):
        analysis_detectors([tmp_path])
