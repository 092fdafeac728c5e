"""A linear model taught by an encoder: it answers where it is sure, the encoder the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from heapq import heappush, heapreplace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.errors import DataError
from slant.metrics.scores import class_f1
from slant.runs.calibration import log_odds
from slant.types import Array, Floats

FEATURES = 1 << 18
PENALTY = 0.3
CLIP = 6.0  # log odds beyond this say no more, and would rule the squares
HELD_OUT = 4  # every fourth text of the sample is kept to choose the bands on
LEAST = 200
SURE = 0.95
"""Confidence with which the disagreement lies below the bound."""


@dataclass(frozen=True, slots=True)
class Student:
    """A linear model of an encoder's log odds.

    Fields:
        idf, weights: (FEATURES,) float32; of terms by their hash.
        bias: log odds of a text without terms.
        scores, taught: (n,) on the held-out part of the sample: the student's log odds, and the
            encoder's probability.
    """

    idf: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: float
    scores: Floats
    taught: Floats


@dataclass(frozen=True, slots=True)
class Bands:
    """Log odds up to `low` are answered non-biased, from `high` on biased, by the student.

    `share` and `disagreement` are of the texts that the bands were chosen on: what the student
    answers, and where its answer is not the encoder's, both as shares of all.
    """

    low: float
    high: float
    share: float
    disagreement: float


def _counts(texts: Sequence[str]) -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    terms = HashingVectorizer(
        n_features=FEATURES, ngram_range=(1, 2), alternate_sign=False, norm=None
    )
    x = terms.transform(texts)
    x.data = 1 + np.log(x.data)
    return x


def _weighted(x: Any, idf: NDArray[np.float32]) -> Any:
    from sklearn.preprocessing import normalize

    x = x.copy()
    x.data *= idf[x.indices]
    return normalize(x, copy=False)


def sample_of(texts: Iterable[str], size: int) -> list[str]:
    """Texts drawn by their hash: the same ones whatever the order of the corpus, each once.

    Args:
        texts: any number, read once.
        size: how many to keep at most.

    Returns:
        The `size` different texts with the smallest SHA-256, in that order.
    """
    kept: list[tuple[int, str]] = []
    inside: set[int] = set()
    for text in texts:
        if not text.strip():
            continue
        # Negative, so that the largest hash stands on top of the heap.
        key = -int.from_bytes(sha256(text.encode("utf-8", "replace")).digest()[:8], "big")
        if key in inside or (len(kept) == size and key < kept[0][0]):
            continue
        inside.add(key)
        if len(kept) < size:
            heappush(kept, (key, text))
        else:
            inside.discard(heapreplace(kept, (key, text))[0])
    return [text for _, text in sorted(kept, reverse=True)]


def taught_student(texts: Sequence[str], probability: Floats) -> Student:
    """A ridge regression of the encoder's log odds on TF-IDF of hashed words and word pairs.

    Args:
        texts: (n,) unlabelled texts, at least 200.
        probability: (n,) the encoder's, of biased.

    Returns:
        The student; every fourth text was not learnt from.

    Raises:
        DataError: too few texts.
    """
    from sklearn.linear_model import Ridge
    from threadpoolctl import threadpool_limits

    if len(texts) < LEAST:
        found = f"the corpus has {len(texts)} different texts, {LEAST} are needed"
        raise DataError("Teaching the cascade", found, "Give a larger corpus, or --runtime torch")
    held = np.arange(len(texts)) % HELD_OUT == HELD_OUT - 1
    x = _counts(texts)
    seen = np.bincount(x[~held].indices, minlength=FEATURES)
    n = int((~held).sum())
    idf = (1 + np.log((1 + n) / (1 + seen))).astype(np.float32)
    x = _weighted(x, idf)
    y = np.clip(log_odds(probability), -CLIP, CLIP)
    with threadpool_limits(limits=1):
        fitted = Ridge(alpha=PENALTY, solver="sparse_cg", tol=1e-6).fit(x[~held], y[~held])
    weights = fitted.coef_.astype(np.float32)
    bias = float(fitted.intercept_)
    scores = np.asarray(x[held] @ weights.astype(np.float64) + bias)
    return Student(idf, weights, bias, scores, probability[held])


def student_scores(student: Student, texts: Sequence[str]) -> Floats:
    """The student's log odds of texts, (n,)."""
    x = _weighted(_counts(texts), student.idf)
    return np.asarray(x @ student.weights.astype(np.float64) + student.bias)


def errors_allowed(n: int, bound: float) -> int:
    """How many of n texts may be answered otherwise than by the encoder.

    The largest k for which the upper end of the one-sided exact binomial interval (Clopper and
    Pearson, 95 %) of k in n is at most the bound; -1 where not even 0 of n is.

    >>> errors_allowed(1000, 0.01), errors_allowed(100, 0.01)  # 0 of 299 is the first below 0.01
    (4, -1)
    """
    from scipy.stats import beta

    k = -1
    while k + 1 < n and beta.ppf(SURE, k + 2, n - k - 1) <= bound:
        k += 1
    return k


def chosen_bands(student: Student, threshold: float, bound: float) -> Bands:
    """The bands that let the student answer most while it disagrees with the encoder in at most a
    share `bound` of all texts.

    The student answers where its log odds lie at least a width away from the threshold's. The
    smallest width is taken with which it errs on the held-out part of its sample no more often than
    `errors_allowed`. Wider bands err in a subset of the texts, so that on texts drawn as the sample
    was the disagreement lies above the bound in at most 5 of 100 samples, the choice included.

    Args:
        student: with its held-out part of the sample.
        threshold: from which probability on the encoder says biased.
        bound: share of all texts, from 0 to 1.

    Returns:
        The bands; where nothing may be answered, low is -inf and high inf.
    Source: Angelopoulos et al. 2021, Learn then Test, fixed-sequence testing.
    """
    n = len(student.scores)
    middle = float(log_odds(np.array([threshold]))[0])
    width = np.abs(student.scores - middle)
    wrong = (student.scores >= middle) != (student.taught >= threshold)
    errors = np.sort(width[wrong])[::-1]
    allowed = errors_allowed(n, bound)
    if allowed < 0:
        return Bands(-np.inf, np.inf, 0.0, 0.0)
    own = width > (errors[allowed] if len(errors) > allowed else -1.0)
    above = student.scores >= middle
    low = student.scores[own & ~above].max(initial=-np.inf)
    high = student.scores[own & above].min(initial=np.inf)
    return Bands(float(low), float(high), float(own.mean()), float((own & wrong).sum() / n))


def sure(scores: Floats, bands: Bands) -> NDArray[np.bool_]:
    """(n,) whether the student answers."""
    return (scores <= bands.low) | (scores >= bands.high)


def measured(
    student: Student, bands: Bands, texts: Sequence[str], probability: Floats, gold: Array,
    threshold: float,
) -> dict[str, float | int]:  # fmt: skip
    """What the cascade costs on labelled texts that nothing was learnt from.

    Args:
        student, bands: the cascade.
        texts: (n,) texts.
        probability: (n,) the encoder's.
        gold: (n,) 0 or 1.
        threshold: of the encoder.

    Returns:
        n, share answered by the student, disagreement with the encoder, class F1 of both, and the
        loss (encoder minus cascade).
    """
    scores = student_scores(student, texts)
    own = sure(scores, bands)
    encoder = probability >= threshold
    cascade = np.where(own, scores >= bands.high, encoder)
    f1 = [_class_f1(gold, said) for said in (encoder, cascade)]
    return {
        "n": len(texts),
        "share": float(own.mean()),
        "disagreement": float((cascade != encoder).mean()),
        "encoder_class_f1": f1[0],
        "cascade_class_f1": f1[1],
        "loss": f1[0] - f1[1],
    }


def _class_f1(gold: Array, said: NDArray[np.bool_]) -> float:
    pairs = ((1, 1), (0, 1), (1, 0), (0, 0))  # tp fp fn tn as gold, said
    return float(
        class_f1(np.array([int(((gold == g) & (said == s)).sum()) for g, s in pairs]), 0.0)
    )


def save_student(student: Student, path: Path) -> None:
    """Write a student as safetensors."""
    from safetensors.numpy import save_file

    arrays: dict[str, NDArray[Any]] = {
        "idf": student.idf,
        "weights": student.weights,
        "scores": student.scores,
        "taught": student.taught,
        "bias": np.array([student.bias]),
    }
    save_file(arrays, path)


def load_student(path: Path) -> Student:
    """Read a student.

    Raises:
        DataError: the file is broken.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        found = load_file(path)
        return Student(
            found["idf"], found["weights"], float(found["bias"][0]), found["scores"],
            found["taught"],
        )  # fmt: skip
    except (SafetensorError, OSError, KeyError) as why:
        text = f"it is no student of a cascade ({str(why).splitlines()[0][:80]})"
        raise DataError(
            f"Reading '{path}'", text, "Train the detector again with --distil"
        ) from why
