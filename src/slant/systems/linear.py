"""Logistic regression over word counts or over the vectors of a frozen encoder."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from slant.errors import DataError, WorkFailed
from slant.systems.binary import gold_labels, predictions, training_labels
from slant.systems.encoder import encode_texts, require_encoders
from slant.systems.threads import one_blas_thread
from slant.types import Array, Floats, Fold, Prediction, System

CHOICES_OF_C = (0.1, 1.0, 10.0, 100.0)
"""What minilm-lr and fusion try on dev where C is 0."""

ITERATIONS = 2000


def fitted_regression(system: str, x: Any, y: Array, *, c: float, balanced: bool, seed: int) -> Any:
    """An L2-penalised logistic regression fitted by L-BFGS on one thread.

    Minimises ½‖w‖² + C · Σ log loss; balanced weights each class by n / (2 · its count).

    Args:
        system: the name that an error shows.
        x: (n, d) matrix, dense or sparse.
        y: (n,) labels 0 and 1, both present.
        c: the inverse of the penalty, above 0.
        balanced: whether both classes weigh the same.
        seed: the run's seed (L-BFGS draws nothing; it is handed on for other solvers).

    Returns:
        The fitted scikit-learn model.

    Raises:
        WorkFailed: it did not converge.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        C=c,
        class_weight="balanced" if balanced else None,
        max_iter=ITERATIONS,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            return model.fit(x, y)
        except ConvergenceWarning as why:
            found = f"no convergence in {ITERATIONS} steps at C={c:g}"
            raise WorkFailed(f"Fitting {system}", found, "Give a smaller C") from why


def fitted_terms(
    system: str, texts: Sequence[str], ngram: int, min_df: int, max_features: int = 0
) -> tuple[Any, Any]:
    """TF-IDF of word n-grams, fitted on texts; see `tfidf_lr`.

    Args:
        system: the name that an error shows.
        texts: (n,) texts of train, at least one.
        ngram, min_df, max_features: as for `tfidf_lr`.

    Returns:
        The fitted scikit-learn vectorizer, and the sparse (n, terms) matrix of the texts.

    Raises:
        DataError: no term stands in enough texts.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    terms = TfidfVectorizer(
        ngram_range=(1, ngram),
        sublinear_tf=True,
        min_df=min(min_df, len(texts)),
        max_features=max_features or None,
    )
    try:
        return terms, terms.fit_transform(texts)
    except ValueError as why:
        found = f"no term stands in {min_df} or more of the {len(texts)} training texts"
        do = "Give a smaller min_df, or texts with words in them"
        raise DataError(f"Training {system}", found, do) from why


def tfidf_lr(
    C: float = 1.0,  # noqa: N803
    ngram: int = 2,
    min_df: int = 2,
    max_features: int = 0,
    balanced: bool = False,
) -> System:
    """A system of TF-IDF weights of word n-grams and a logistic regression.

    Words are runs of two or more letters or digits, in lower case; a term's weight is
    (1 + ln tf) · (1 + ln((1 + n) / (1 + df))), each text scaled to length 1. Biased from a
    probability of 0.5 on. Dev is not used.

    Args:
        C: inverse of the penalty, above 0.
        ngram: longest run of words that is a term, from 1.
        min_df: texts of train that a term must stand in, from 1.
        max_features: the most frequent terms that are kept; 0 keeps all.
        balanced: whether both classes weigh the same.

    Returns:
        The system.
    """

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:

        for fold in folds:
            y = training_labels("tfidf-lr", fold, classes=2)
            texts = [e.item.text for e in fold.train]
            with one_blas_thread():
                terms, x = fitted_terms("tfidf-lr", texts, ngram, min_df, max_features)
                model = fitted_regression("tfidf-lr", x, y, c=C, balanced=balanced, seed=seed)
                test = [item.text for item in fold.test]
                p = model.predict_proba(terms.transform(test))[:, 1] if test else np.empty(0)
            yield predictions(fold.test, p >= 0.5, p)

    return predict


def dev_losses(x: Any, y: Array, models: Sequence[Any]) -> Floats:
    """The mean log loss of each model on dev.

    Args:
        x: (n, d) vectors, n at least 1.
        y: (n,) labels 0 and 1.
        models: (k,) fitted models.

    Returns:
        (k,) losses, 0 for certain and right.
    """
    p = np.array([model.predict_proba(x)[:, 1] for model in models], dtype=np.float64)
    p = np.clip(p, 1e-15, 1 - 1e-15)
    losses: Floats = -np.where(y == 1, np.log(p), np.log1p(-p)).mean(axis=1)
    return losses


def minilm_lr(C: float = 0.0, max_length: int = 256, balanced: bool = False) -> System:  # noqa: N803
    """A system of frozen MiniLM sentence vectors and a logistic regression.

    The vectors have length 1 and are not standardised further. Biased from a probability of 0.5
    on. Where C is 0, the value of `CHOICES_OF_C` with the least log loss on dev is taken, the
    smallest of equals; without dev it is 1.

    Args:
        C: inverse of the penalty, above 0, or 0 to choose it on dev.
        max_length: tokens that a text is cut to, 8 to 512.
        balanced: whether both classes weigh the same.

    Returns:
        The system.

    Raises:
        MissingExtra: the packages of the extra `encoders` are not installed.
    """
    require_encoders("minilm-lr")

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:

        for fold in folds:
            y = training_labels("minilm-lr", fold, classes=2)
            x = encode_texts([e.item.text for e in fold.train], max_length).astype(np.float64)
            tries = (C,) if C else CHOICES_OF_C if fold.dev else (1.0,)
            with one_blas_thread():
                models = [
                    fitted_regression("minilm-lr", x, y, c=c, balanced=balanced, seed=seed)
                    for c in tries
                ]
                best = 0
                if len(models) > 1:
                    dev = encode_texts([e.item.text for e in fold.dev], max_length)
                    best = int(dev_losses(dev, gold_labels(fold.dev), models).argmin())
                test = encode_texts([item.text for item in fold.test], max_length)
                p = models[best].predict_proba(test)[:, 1] if fold.test else np.empty(0)
            yield predictions(fold.test, p >= 0.5, p)

    return predict
