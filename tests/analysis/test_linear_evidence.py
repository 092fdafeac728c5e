"""The linear detector: its numbers are scikit-learn's, and its words add up to its log odds."""

from __future__ import annotations

import numpy as np
import pytest
from made_detectors import made_facts, made_linear
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from slant.analysis.analyses import Sentence
from slant.analysis.evidence import carrying_words
from slant.analysis.linear import LinearDetector, Weights
from slant.data.samples import load_sentences

TEXTS = load_sentences()["text"].to_list()
LABELS = load_sentences()["label"].to_list()


@pytest.fixture(scope="module")
def fitted():
    terms = TfidfVectorizer(sublinear_tf=True)
    model = LogisticRegression(C=10, max_iter=500).fit(terms.fit_transform(TEXTS), LABELS)
    weights = Weights(
        tuple(terms.get_feature_names_out()), terms.idf_, model.coef_, model.intercept_, 2.0
    )
    return terms, model, LinearDetector(made_facts(), weights)


def test_probabilities_are_those_of_scikit_learn_at_the_temperature(fitted):
    terms, model, ours = fitted
    x = terms.transform(TEXTS)
    expected = 1 / (1 + np.exp(-model.decision_function(x) / 2.0))
    found = ours.probabilities(TEXTS)
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-12)
    assert np.isnan(found[:, 1:]).all()  # without refits there is no interval


def test_contributions_and_the_constant_add_up_to_the_log_odds(fitted):
    _, model, ours = fitted
    for text, words in zip(TEXTS[:40], ours.contributions(TEXTS[:40]), strict=True):
        p = ours.probabilities([text])[0, 0]
        total = sum(weight for _, _, weight in words) + model.intercept_[0] / 2.0
        assert total == pytest.approx(np.log(p / (1 - p)), abs=1e-9)
        assert all(text[start:end].isalnum() or "_" in text[start:end] for start, end, _ in words)


def test_by_hand():
    # "vile plan": both weigh 1 / sqrt 2, so that log odds = 3 / sqrt 2
    detector = made_linear()
    assert detector.probabilities(["A VILE plan"])[0, 0] == pytest.approx(
        1 / (1 + np.exp(-3 / np.sqrt(2)))
    )
    (words,) = detector.contributions(["A VILE plan"])
    assert words == [(2, 6, pytest.approx(3 / np.sqrt(2))), (7, 11, 0.0)]


def test_a_word_that_stands_twice_shares_its_contribution():
    # one term alone has weight 1 whatever its tf, so that its contribution is 3
    (words,) = made_linear().contributions(["vile, vile"])
    assert words == [(0, 4, pytest.approx(1.5)), (6, 10, pytest.approx(1.5))]


def test_the_heaviest_words_of_either_side_are_kept():
    # 14 words towards biased outweigh two towards neutral, which stand among the 12 all the same
    told = [(i, i + 1, 1.0 + i) for i in range(14)] + [
        (20, 21, -0.1),
        (22, 23, -0.2),
        (24, 25, 0.0),
    ]
    kept = carrying_words(told, Sentence(0, 99), "d")
    assert [word.weight for word in kept] == [*range(14, 4, -1), -0.2, -0.1]


def test_the_known_words_of_a_text_are_counted_once_each():
    assert made_linear().known_words(["VILE vile plan", "unknown", ""]).tolist() == [2, 0, 0]


def test_a_text_without_a_known_word_has_no_probability():
    found = made_linear().probabilities(["Unknown words.", "vile", ""])
    assert np.isnan(found[:, 0]).tolist() == [True, False, True]
    assert made_linear().contributions(["Unknown words."]) == [[]]


def test_the_interval_holds_the_middle_of_the_refits():
    # 101 refits: vile has the coefficients 0, 0.01 ... 1; the middle 95 % reach 0.025 to 0.975
    detector = made_linear(refits=[[0.0, 0.0, i / 100] for i in range(101)])
    _, low, high = detector.probabilities(["vile"])[0]
    assert low == pytest.approx(1 / (1 + np.exp(-0.025)), abs=1e-4)
    assert high == pytest.approx(1 / (1 + np.exp(-0.975)), abs=1e-4)


def test_texts_are_answered_alike_alone_and_among_thousands():
    many = TEXTS * 12
    detector = made_linear()
    np.testing.assert_array_equal(
        detector.probabilities(many)[-len(TEXTS) :], detector.probabilities(TEXTS)
    )
