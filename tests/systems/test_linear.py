import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from slant.errors import DataError, WorkFailed
from slant.systems import linear
from slant.systems.linear import dev_losses, tfidf_lr
from slant.types import NO, YES, Example, Fold, Item

TEXTS = [
    "vile liar",
    "a vile plan",
    "vile people lie",
    "calm plan",
    "calm people meet",
    "a calm day",
]


def fold(texts=TEXTS, test=("vile day", "calm liar")):
    train = [
        Example(Item(str(i), t), YES if i < len(texts) / 2 else NO) for i, t in enumerate(texts)
    ]
    return Fold(train, [], [Item(f"t{i}", t) for i, t in enumerate(test)])


def test_probabilities_equal_scikit_learns_own_pipeline():
    vec = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2)
    model = LogisticRegression(C=1.0).fit(vec.fit_transform(TEXTS), [1, 1, 1, 0, 0, 0])
    expected = model.predict_proba(vec.transform(["vile day", "calm liar"]))[:, 1]
    got = next(iter(tfidf_lr()([fold()], 42)))
    assert [p.probability for p in got] == pytest.approx(expected.tolist())
    assert [p.answer.biased for p in got] == [True, False]


def test_a_train_without_repeated_words_is_one_clear_error():
    with pytest.raises(DataError, match="no term stands in 2 or more of the 4 training texts"):
        list(tfidf_lr()([fold(["one", "two", "three", "four"])], 42))
    with pytest.raises(DataError, match="Training tfidf-lr: no term"):
        list(tfidf_lr(min_df=1)([fold(["!", "?", "...", ""])], 42))


def test_max_features_keeps_the_most_frequent_terms():
    # Only "vile" and "calm" stand three times, so "people" says nothing: the prior, one half.
    got = next(iter(tfidf_lr(max_features=2)([fold(test=("people",))], 42)))
    assert got[0].probability == pytest.approx(0.5)


def test_a_fit_that_does_not_converge_is_raised_not_warned(monkeypatch):
    monkeypatch.setattr(linear, "ITERATIONS", 1)
    with pytest.raises(WorkFailed, match="no convergence in 1 steps at C=1"):
        list(tfidf_lr()([fold()], 42))


def test_dev_losses_are_mean_log_losses():
    class Sure:
        def __init__(self, p):
            self.p = p

        def predict_proba(self, x):
            return np.column_stack([1 - self.p * np.ones(len(x)), self.p * np.ones(len(x))])

    # p = 0.5: ln 2 for each. p = 0.8 with labels 1, 0: (-ln 0.8 - ln 0.2) / 2.
    got = dev_losses(np.zeros((2, 1)), np.array([1, 0]), [Sure(0.5), Sure(0.8)])
    assert got == pytest.approx([np.log(2), -(np.log(0.8) + np.log(0.2)) / 2])
