"""The light detector: what it says of itself, its cache, and that it is the same every time."""

from __future__ import annotations

import os

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score

from slant.analysis.linear import Weights
from slant.data.samples import load_sentences
from slant.runs import lightdetector
from slant.runs.lightdetector import is_taught, light_detector
from slant.runs.lightkinds import MBIB_KINDS
from slant.runs.lightwords import words_auroc
from slant.runs.linearmodels import nameless
from slant.types import Estimate, Span, Undefined


def made_linear():
    weights = Weights(
        ("nice", "plan", "vile"), np.ones(3), np.array([[-3.0, 0, 3]]), np.zeros(1), 1
    )
    return nameless(lightdetector.NAME, weights)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("light")


@pytest.fixture
def light(store, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(store))
    return light_detector()


def test_its_f1_is_that_of_scikit_learn_on_the_same_cross_validation(light):
    frame = load_sentences()
    gold, texts = np.array(frame["label"].to_list()), frame["text"].to_list()
    events = sorted(set(frame["article"].to_list()))
    event = np.array([events.index(one) for one in frame["article"].to_list()])
    stream = lightdetector.generator(lightdetector.SEED, [lightdetector.NAME, "folds"])
    fold = (stream.permutation(len(events)) % lightdetector.FOLDS)[event]
    said = np.empty(len(texts), bool)
    for number in range(lightdetector.FOLDS):
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        terms = TfidfVectorizer(sublinear_tf=True)
        model = LogisticRegression(C=10, max_iter=2000)
        model.fit(terms.fit_transform([texts[i] for i in train]), gold[train])
        said[test] = model.predict(terms.transform([texts[i] for i in test])) == 1
    assert isinstance(light.facts.f1, Estimate)
    assert light.facts.f1.value == pytest.approx(f1_score(gold, said, average="macro"))
    assert light.facts.f1.n == len(events)
    assert light.facts.f1.low < light.facts.f1.value < light.facts.f1.high


def test_no_event_stands_in_two_folds():
    # so many events in 13 folds: their numbers differ by one at most
    events = load_sentences()["article"].n_unique()
    stream = lightdetector.generator(lightdetector.SEED, [lightdetector.NAME, "folds"])
    sizes = np.bincount(stream.permutation(events) % lightdetector.FOLDS)
    assert (len(sizes), sizes.sum()) == (lightdetector.FOLDS, events)
    assert sizes.max() - sizes.min() <= 1


def test_its_card_gives_f1_calibration_and_what_it_is_not_for(light):
    card = light.facts.card_text
    for part in ("racial-bias: ", f"{light.facts.f1.value:.3f}", "cross-validation", "temperature",
                 "must not be used", light.facts.signature, "real news"):  # fmt: skip
        assert part in card


def test_it_is_read_back_from_the_cache_as_it_was_trained(light, store, monkeypatch):
    def refused():
        raise AssertionError("trained again")

    monkeypatch.setattr(lightdetector, "trained_light", refused)
    again = light_detector()
    texts = load_sentences()["text"].to_list()
    assert again.facts == light.facts
    np.testing.assert_array_equal(again.kind_probabilities(texts), light.kind_probabilities(texts))
    np.testing.assert_array_equal(again.probabilities(texts), light.probabilities(texts))


def test_it_is_asked_for_the_kinds_of_a_good_f1_of_whose_calls_half_are_right(light):
    names = [one.name for one in light.facts.kinds]
    assert names[:4] == list(MBIB_KINDS)
    assert light.facts.good_kinds
    for one in light.facts.kinds:
        assert isinstance(one.f1, Estimate)
        # 2 p / (1 + p) with p = number / of
        right = one.precision.value if isinstance(one.precision, Estimate) else 0
        above = one.f1.low > 2 * one.number / (one.of + one.number)
        assert one.good == (above and right >= 0.5 and one.threshold is not None)
    p = light.kind_probabilities(["The radical council voted.", "Nothing known: xqzzt."])
    assert p.shape == (2, len(light.facts.good_kinds))
    assert ((p >= 0) & (p <= 1)).all()


def test_it_is_known_whether_it_was_taught_before(light, tmp_path, monkeypatch):
    assert is_taught()
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path))
    assert not is_taught()


def test_what_its_f1_does_not_hold_for_is_said_in_a_few_words(light):
    assert light.facts.caveat == "not measured on real news, likely worse"
    assert light.facts.caveat in light.facts.measured


def test_a_damaged_cache_is_made_anew(light, store, monkeypatch):
    (path,) = (store / "analysis").glob("*.npz")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    monkeypatch.setattr(lightdetector, "trained_light", lambda: light)
    texts = load_sentences()["text"].to_list()[:20]
    np.testing.assert_array_equal(light_detector().probabilities(texts), light.probabilities(texts))
    assert os.path.getsize(path) == len(content)


def test_the_auroc_of_words_is_that_of_scikit_learn():
    # vile 3, nice -3, plan 0, others unknown; three texts in two groups
    texts = ["A vile nice plan.", "vile plan", "A plan of ours."]
    spans = [[Span(2, 6)], [Span(5, 9)], []]
    found = words_auroc(texts, spans, [made_linear()] * 3, np.array([0, 1, 1]))
    first = roc_auc_score([0, 1, 0, 0], [0, 3, -3, 0])
    second = roc_auc_score([0, 1], [3, 0])
    assert found.value == pytest.approx((first + second) / 2) == 0.5
    assert (found.low, found.high, found.n) == (0, 1, 2)
    nothing = words_auroc(texts[2:], spans[2:], [made_linear()], np.array([0]))
    assert isinstance(nothing, Undefined)


def test_most_intervals_hold_their_probability(light):
    said = light.probabilities(load_sentences()["text"].to_list())
    inside = (said[:, 1] <= said[:, 0]) & (said[:, 0] <= said[:, 2])
    assert inside.mean() > 0.9
    assert (said[:, 1] < said[:, 2]).all()
