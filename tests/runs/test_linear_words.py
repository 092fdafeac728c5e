"""Plausibility of the words of a linear detector."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score

from slant.errors import DataError
from slant.explain.words import rationale_words, text_words
from slant.runs.explained import marked_spans
from slant.runs.linearwords import BASELINES, LINEAR, SCORES, linear_words, linear_words_of
from slant.tasks.options import chosen_options
from slant.tasks.prepare import examples_of, prepared
from slant.tasks.protocols import TEST, TRAIN


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(tmp_path_factory.mktemp("store")))
        options = chosen_options("clean", {}, ["open/sentences"])
        ready = prepared("open/sentences", options, 42, None, {})
        return linear_words(ready, options), pl.read_parquet(ready.rows), options


def test_scores_are_those_of_scikit_learn_fold_by_fold(found):
    made, rows, options = found
    areas, precisions = [], []
    for number in range(options.splits):
        train = rows.filter(pl.col(f"role_{number}") == TRAIN)
        terms = TfidfVectorizer(sublinear_tf=True)
        model = LogisticRegression(C=10, max_iter=2000)
        model.fit(terms.fit_transform(train["text"]), train["label"])
        weight = dict(zip(terms.get_feature_names_out(), model.coef_[0] * terms.idf_, strict=True))
        for one in examples_of(rows.filter(pl.col(f"role_{number}") == TEST)):
            words = text_words(one.item.text)
            gold = rationale_words(words, marked_spans(one))
            if not 0 < gold.sum() < len(gold):
                continue
            # Terms of a word, each by the rule of scikit-learn's analyzer; a term that stands k
            # times has (1 + ln k) / k in each place. The text's length is the same for all words.
            analyse = terms.build_analyzer()
            every = analyse(one.item.text)
            share = {t: (1 + np.log(every.count(t))) / every.count(t) for t in every}
            scores = [
                sum(weight.get(t, 0.0) * share.get(t, 0.0) for t in analyse(word))
                for word in words.strings
            ]
            areas.append(roc_auc_score(gold, scores))
            precisions.append(average_precision_score(gold, scores))
    own = made["methods"][LINEAR]
    assert made["texts"] == len(areas)
    assert own["auroc"]["value"] == pytest.approx(np.mean(areas), abs=2e-3)
    assert own["average_precision"]["value"] == pytest.approx(np.mean(precisions), abs=5e-3)


def test_every_score_of_every_method_has_an_interval_around_it(found):
    made, *_ = found
    assert list(made["methods"]) == [LINEAR, *BASELINES]
    for scores in made["methods"].values():
        assert list(scores) == list(SCORES)
        for one in scores.values():
            assert one["low"] <= one["value"] <= one["high"]


def test_random_words_are_at_chance_and_the_detectors_are_above(found):
    made, *_ = found
    random, linear = (made["methods"][name]["auroc"] for name in ("random", LINEAR))
    assert random["low"] < 0.5 < random["high"]
    assert linear["low"] > random["high"]
    best = made["methods"][made["best"]]["auroc"]["value"]
    assert made["difference"]["value"] == pytest.approx(linear["value"] - best, abs=1e-12)


def test_a_task_without_marked_words_is_refused(local_news):
    with pytest.raises(DataError, match="no text has both"):
        linear_words_of(local_news)
