"""Any classifier of scikit-learn is a system: its answers are its own, and its name tells it."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC, LinearSVC
from tiny import toy_fold

from slant.errors import OptionError
from slant.systems import make_system
from slant.systems.estimatordigests import estimator_digest
from slant.systems.estimators import decision_share, estimator_system, seeded
from slant.types import Fold


def texts_of(fold):
    return [one.item.text for one in fold.train], [one.gold.biased for one in fold.train]


def answers(estimator, fold, seed=7):
    (found,) = estimator_system(estimator)([fold], seed)
    return found


def by_hand(estimator, fold, seed=7):
    """What scikit-learn alone says: a clone with its seeds set, fitted on the texts."""
    model = clone(estimator)
    model.set_params(**{k: seed for k in model.get_params() if k.endswith("random_state")})
    texts, labels = texts_of(fold)
    model.fit(texts, np.array(labels, np.int64))
    return model, [one.text for one in fold.test]


CLASSIFIERS = {
    "nb": make_pipeline(CountVectorizer(), MultinomialNB()),
    "forest": make_pipeline(CountVectorizer(), RandomForestClassifier(n_estimators=5)),
    "sgd": make_pipeline(TfidfVectorizer(), SGDClassifier()),
    "svm": make_pipeline(TfidfVectorizer(), LinearSVC()),
    "grid": GridSearchCV(
        make_pipeline(TfidfVectorizer(), LogisticRegression()), {"logisticregression__C": [0.1, 10]}, cv=2
    ),
    "vote": make_pipeline(
        CountVectorizer(), VotingClassifier([("a", MultinomialNB()), ("b", LinearSVC())], voting="hard")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_answers_are_those_of_the_classifier_called_by_hand(name):
    fold = toy_fold()
    found = answers(CLASSIFIERS[name], fold)
    model, texts = by_hand(CLASSIFIERS[name], fold)
    assert [one.id for one in found] == [one.id for one in fold.test]
    assert [int(one.answer.biased) for one in found] == model.predict(texts).tolist()
    if hasattr(model, "predict_proba"):
        assert [one.probability for one in found] == model.predict_proba(texts)[:, 1].tolist()
    elif hasattr(model, "decision_function"):
        d = model.decision_function(texts)
        assert [one.probability for one in found] == ((1 + d / (1 + abs(d))) / 2).tolist()
    else:
        assert {one.probability for one in found} == {None}


def test_tfidf_lr_is_the_pipeline_that_it_says_it_is():
    fold = toy_fold()
    same = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2),
        LogisticRegression(C=1.0, max_iter=2000),
    )
    (expected,) = make_system("tfidf-lr", {})[1]([fold], 42)
    assert answers(same, fold, 42) == expected


def test_each_fold_has_a_clone_of_its_own_and_the_given_object_is_left_alone():
    given = make_pipeline(CountVectorizer(), MultinomialNB())
    first, second = toy_fold(), Fold(toy_fold().train[:10], [], toy_fold().test)
    both = list(estimator_system(given)([first, second], 1))
    assert both[0] == answers(given, first)
    assert both[1] == answers(given, second)
    assert both[0] != both[1]
    assert not hasattr(given.steps[0][1], "vocabulary_")


def test_every_random_state_is_the_seed_however_deep_it_lies():
    nested = VotingClassifier(
        [("f", RandomForestClassifier(random_state=3)), ("p", make_pipeline(SGDClassifier()))]
    )
    set_to = seeded(clone(nested), 11).get_params()
    assert {v for k, v in set_to.items() if k.endswith("random_state")} == {11}
    assert len([k for k in set_to if k.endswith("random_state")]) == 2
    fold = toy_fold()
    forest = CLASSIFIERS["forest"]
    assert answers(forest, fold, 1) == answers(forest, fold, 1)
    told = {seed: [p.probability for p in answers(forest, fold, seed)] for seed in (1, 2)}
    assert told[1] != told[2]


def test_the_probability_of_a_decision_function_keeps_its_auroc():
    fold = toy_fold(train=16, test=40)
    noisy = make_pipeline(CountVectorizer(max_features=3), LinearSVC())
    found = answers(noisy, fold)
    model, texts = by_hand(noisy, fold)
    gold = [i % 2 for i in range(len(texts))]
    assert roc_auc_score(gold, [p.probability for p in found]) == pytest.approx(
        roc_auc_score(gold, model.decision_function(texts)), abs=1e-12
    )


@given(st.lists(st.floats(-1e12, 1e12), min_size=2, max_size=20))
def test_a_share_keeps_order_and_sign_and_lies_between_0_and_1(values):
    shares = decision_share(values)
    assert ((shares >= 0) & (shares <= 1)).all()
    order = np.argsort(values, kind="stable")
    assert (np.diff(shares[order]) >= 0).all()
    assert ((np.array(values) > 1e-9) <= (shares > 0.5)).all()


def test_a_share_is_worked_by_hand():
    # (1 + 3/4) / 2 = 0.875, (1 - 1/2) / 2 = 0.25
    assert decision_share([3.0, -1.0, 0.0]).tolist() == [0.875, 0.25, 0.5]


def test_a_train_of_one_class_is_for_the_classifier_to_refuse_or_to_learn():
    one_class = Fold([e for e in toy_fold().train if e.gold.biased], [], toy_fold().test)
    only = answers(make_pipeline(CountVectorizer(), MultinomialNB()), one_class)
    assert {(one.answer.biased, one.probability) for one in only} == {(True, 1.0)}
    with pytest.raises(OptionError, match="Fitting sklearn:CountVectorizer-LinearSVC"):
        answers(make_pipeline(CountVectorizer(), LinearSVC()), one_class)


class Words(ClassifierMixin, BaseEstimator):
    """Answers in words, or as it is told."""

    def __init__(self, said="biased", classes=("a", "b")):
        self.said, self.classes = said, classes

    def fit(self, x, y):
        if self.classes:
            self.classes_ = np.array(self.classes)
        return self

    def predict(self, x):
        return np.array([self.said] * len(x))


class NotANumber(Words):
    def predict_proba(self, x):
        return np.full((len(x), 2), np.nan)


def test_other_classes_than_0_and_1_are_refused_with_what_they_are():
    fold = toy_fold()
    with pytest.raises(OptionError, match=r"its classes are 'a', 'b', and the labels are 0 and 1"):
        answers(Words(), fold)
    with pytest.raises(OptionError, match="it answered 'biased', and the labels are 0 and 1"):
        answers(Words(classes=()), fold)
    with pytest.raises(OptionError, match=r"it answered -1, and the labels are 0 and 1"):
        answers(Words(said=-1, classes=(0, 1)), fold)
    with pytest.raises(OptionError, match="it gave the probability nan"):
        answers(NotANumber(said=1, classes=(0, 1)), fold)


def test_what_is_no_classifier_of_texts_is_refused_in_a_sentence():
    for wrong in (LinearRegression(), KMeans()):
        with pytest.raises(OptionError, match="it is no classifier"):
            estimator_system(wrong)
    with pytest.raises(OptionError, match=r"it is a class\. Make one: LinearSVC"):
        estimator_system(LinearSVC)
    with pytest.raises(
        OptionError, match=r"Fitting sklearn:LinearSVC.*with ValueError: .*Give a class"
    ):
        answers(LinearSVC(), toy_fold())


def test_a_fold_without_test_items_is_an_empty_list():
    assert answers(DummyClassifier(), Fold(toy_fold().train, [], [])) == []


def test_the_name_tells_classes_and_parameters_and_not_what_was_learnt():
    one = make_pipeline(TfidfVectorizer(), "passthrough", LinearSVC(C=2.0))
    name = estimator_system(one).name
    assert name.startswith("sklearn:TfidfVectorizer-LinearSVC#")
    assert name.endswith("@1")
    fitted = clone(one).fit(*texts_of(toy_fold()))
    assert estimator_system(fitted).name == name
    changed = [
        make_pipeline(TfidfVectorizer(), "passthrough", LinearSVC(C=3.0)),
        make_pipeline(TfidfVectorizer(min_df=2), "passthrough", LinearSVC(C=2.0)),
        make_pipeline(TfidfVectorizer(vocabulary=["a"]), "passthrough", LinearSVC(C=2.0)),
        make_pipeline(TfidfVectorizer(), LinearSVC(C=2.0)),
        make_pipeline(TfidfVectorizer(), "passthrough", SVC(C=2.0)),
    ]
    assert len({name, *(estimator_system(other).name for other in changed)}) == 6


def test_the_digest_sees_functions_arrays_and_frozen_models_and_no_order_of_sets():
    def lower(texts):
        return [text.lower() for text in texts]

    def upper(texts):
        return [text.upper() for text in texts]

    def own(function):
        return make_pipeline(FunctionTransformer(function), CountVectorizer(), MultinomialNB())

    assert estimator_digest(own(lower)) != estimator_digest(own(upper))
    assert estimator_digest(CountVectorizer(analyzer=str.lower)) != estimator_digest(
        CountVectorizer(analyzer=str.upper)
    )
    priors = [MultinomialNB(class_prior=np.array(p)) for p in ([0.5, 0.5], [0.4, 0.6])]
    assert estimator_digest(priors[0]) != estimator_digest(priors[1])
    sets = [CountVectorizer(stop_words={"the", "a", "of"}), CountVectorizer(stop_words={"of", "a", "the"})]  # fmt: skip
    assert estimator_digest(sets[0]) == estimator_digest(sets[1])


def test_the_digest_of_a_frozen_estimator_is_of_what_it_learnt():
    kind = pytest.importorskip("sklearn.frozen", reason="since scikit-learn 1.6").FrozenEstimator
    frozen = [
        kind(make_pipeline(CountVectorizer(), MultinomialNB()).fit(["dull", "loud"], y))
        for y in ([0, 1], [1, 0])
    ]
    assert estimator_digest(frozen[0]) != estimator_digest(frozen[1])


def test_the_digest_is_the_same_in_another_process_whatever_the_hash_seed():
    code = (
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.feature_extraction.text import CountVectorizer\n"
        "from sklearn.naive_bayes import MultinomialNB\n"
        "from slant.systems.estimatordigests import estimator_digest\n"
        "class Mine(MultinomialNB):\n"
        "    def predict(self, x):\n"
        "        return super().predict(x)\n"
        "words = CountVectorizer(stop_words=frozenset({'the', 'a', 'of', 'to'}))\n"
        "print(estimator_digest(make_pipeline(words, Mine())))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**__import__("os").environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(told) == 1


def test_a_class_of_the_users_own_is_told_by_its_code():
    space = {"__name__": "__main__"}
    code = "from sklearn.naive_bayes import MultinomialNB\nclass Mine(MultinomialNB):\n    def predict(self, x):\n        return {}\n"
    digests = []
    for body in ("super().predict(x)", "super().predict(x)", "1 - super().predict(x)"):
        exec(code.format(body), space)
        digests.append(estimator_digest(space["Mine"]()))
    assert digests[0] == digests[1] != digests[2]


def test_a_warning_of_the_users_classifier_reaches_the_user():
    slow = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=1))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        answers(slow, toy_fold())
    assert any("ConvergenceWarning" in one.category.__name__ for one in seen)
