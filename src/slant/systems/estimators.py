"""Classifiers of scikit-learn as systems: cloned, seeded and fitted anew for every fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from slant.errors import OptionError, SlantError
from slant.systems.binary import training_labels
from slant.systems.estimatordigests import estimator_digest
from slant.systems.threads import one_blas_thread
from slant.types import NO, YES, Floats, Fold, Prediction

VERSION: Final = 1
_SEED: Final = "random_state"
_DO: Final = "Give a classifier of texts, as make_pipeline(TfidfVectorizer(), LinearSVC())"


@dataclass(frozen=True, slots=True)
class EstimatorSystem:
    """A scikit-learn classifier that learns each fold's train and answers its test.

    Rule: of each fold a clone is fitted on the texts (a list of str) and their labels (0 and 1,
    1 = biased), after each of its `random_state` is set to the seed; dev is not looked at. The
    answer is what its `predict` says. The probability is that of `predict_proba`; without one,
    `decision_share` of its `decision_function`; without either, none.

    Fields:
        name: classes and digest of the parameters, as the signature has them.
        estimator: is not fitted itself.
    """

    name: str
    estimator: Any

    def __call__(self, folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        """One list of predictions per fold, in the order of its test items."""
        for fold in folds:
            labels = training_labels(self.name, fold, classes=1)
            texts = [one.item.text for one in fold.train]
            with one_blas_thread():
                model = self._fitted(texts, labels, seed)
                yield self._answers(model, fold)

    def _fitted(self, texts: list[str], labels: Any, seed: int) -> Any:
        from sklearn.base import clone

        model = seeded(clone(self.estimator), seed)
        try:
            model.fit(texts, labels)
        except SlantError:
            raise
        except Exception as why:
            raise _failed(f"Fitting {self.name}", why) from why
        return model

    def _answers(self, model: Any, fold: Fold) -> list[Prediction]:
        if not fold.test:
            return []
        asked = f"Predicting with {self.name}"
        texts = [item.text for item in fold.test]
        try:
            said = np.asarray(model.predict(texts))
            p = probabilities(model, texts)
        except SlantError:
            raise
        except Exception as why:
            raise _failed(asked, why) from why
        if said.shape != (len(texts),):
            found = f"it answered {len(texts)} texts in the shape {said.shape}"
            raise OptionError(asked, found, "Give a classifier with one label for each text")
        strange = [one for one in said.tolist() if one not in (0, 1)]
        if strange:
            found = f"it answered {strange[0]!r}, and the labels are 0 and 1"
            raise OptionError(asked, found, "Give a classifier that learns the labels it is given")
        if p is not None and not ((p >= 0) & (p <= 1)).all():
            found = f"it gave the probability {p[~((p >= 0) & (p <= 1))][0]}"
            raise OptionError(asked, found, "Mend its predict_proba")
        return [
            Prediction(item.id, YES if one else NO, None if p is None else float(p[place]))
            for place, (item, one) in enumerate(zip(fold.test, said.tolist(), strict=True))
        ]


def is_estimator(given: Any) -> bool:
    """Whether an object is an estimator by scikit-learn's conventions, or a class of them.

    >>> is_estimator(print), is_estimator("tfidf-lr")
    (False, False)
    """
    return all(callable(getattr(given, name, None)) for name in ("fit", "predict", "get_params"))


def estimator_system(estimator: Any) -> EstimatorSystem:
    """A system of a classifier, as it is given: nothing of it is fitted or changed.

    Args:
        estimator: a classifier or pipeline of scikit-learn, or of its conventions, that fits on a
            list of texts.

    Returns:
        The system, e.g. "sklearn:TfidfVectorizer-LinearSVC#3f2a91c0@1".

    Raises:
        OptionError: it is a class, no classifier, or cannot be cloned.
    """
    from sklearn.base import BaseEstimator, clone, is_clusterer, is_regressor

    if isinstance(estimator, type):
        do = f"Make one: {estimator.__name__}()"
        raise OptionError(f"Making a system of {estimator.__name__}", "it is a class", do)
    kind = estimator_kind(estimator)
    asked = f"Making the system sklearn:{kind}"
    if isinstance(estimator, BaseEstimator) and (
        is_regressor(estimator) or is_clusterer(estimator)
    ):
        found = "it is no classifier"
        raise OptionError(asked, found, _DO)
    try:
        digest = estimator_digest(seeded(clone(estimator), 0))
    # An own class may break any rule of scikit-learn, and any parameter may resist being told.
    except Exception as why:
        raise _failed(asked, why) from why
    return EstimatorSystem(f"sklearn:{kind}#{digest}@{VERSION}", estimator)


def estimator_kind(estimator: Any) -> str:
    """The class of an estimator; of a pipeline those of its steps."""
    steps = getattr(estimator, "steps", None)
    if not isinstance(steps, list):
        return type(estimator).__name__
    return "-".join(estimator_kind(step) for _, step in steps if step not in (None, "passthrough"))


def seeded(estimator: Any, seed: int) -> Any:
    """The estimator with the seed for each `random_state` that it or a part of it has."""
    names = [name for name in estimator.get_params(deep=True) if _of_a_seed(name)]
    return estimator.set_params(**dict.fromkeys(names, seed)) if names else estimator


def _of_a_seed(name: str) -> bool:
    return name == _SEED or name.endswith(f"__{_SEED}")


def probabilities(model: Any, texts: Sequence[str]) -> Floats | None:
    """What a fitted classifier says of the class 1.

    Args:
        model: fitted on the labels 0 and 1, or on one of them.
        texts: (n,) at least one.

    Returns:
        (n,) probabilities; shares of `decision_share` where it has a decision function alone; None
        where it has neither.

    Raises:
        OptionError: it knows other classes than 0 and 1.
    """
    known = getattr(model, "classes_", None)
    classes = [0, 1] if known is None else np.asarray(known).tolist()
    if any(one not in (0, 1) for one in classes):
        found = f"its classes are {', '.join(map(repr, classes[:5]))}, and the labels are 0 and 1"
        do = "Give a classifier that learns the labels it is given"
        raise OptionError(f"Predicting with {estimator_kind(model)}", found, do)
    if hasattr(model, "predict_proba"):
        shares = np.asarray(model.predict_proba(texts), dtype=np.float64)
        own: Floats = shares[:, classes.index(1)] if 1 in classes else np.zeros(len(texts))
        return own
    if hasattr(model, "decision_function") and len(classes) == 2:
        return decision_share(np.ravel(model.decision_function(texts)))
    return None


def decision_share(decision: Any) -> Floats:
    """A decision value as a number between 0 and 1: (1 + d / (1 + |d|)) / 2.

    It keeps the order and the sign (0 becomes a half) of values of any size, which is all that
    AUROC and an answer need. It is no calibrated probability.

    Args:
        decision: (n,) values, above 0 for the class 1.

    Returns:
        (n,) numbers from 0 to 1.

    >>> decision_share([-1.0, 0.0, 3.0]).tolist()
    [0.25, 0.5, 0.875]
    """
    values = np.asarray(decision, dtype=np.float64)
    shares: Floats = (1 + values / (1 + np.abs(values))) / 2
    return shares


def _failed(asked: str, why: Exception) -> OptionError:
    said = " ".join(str(why).split())[:300] or "no reason given"
    found = f"it failed with {type(why).__name__}: {said}"
    return OptionError(asked, found, _DO)
