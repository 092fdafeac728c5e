"""A linear detector over words: its probability is a sum of what each word contributes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from slant.analysis.analyses import DetectorFacts
from slant.analysis.detectors import LEVEL, Contributions
from slant.types import Array, Floats

_TERM: Final = re.compile(r"\b\w\w+\b")
_AT_ONCE: Final = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A logistic regression over TF-IDF weights of words, and refits of it on other samples.

    Fields:
        terms: (t,) words in lower case, in alphabetical order.
        idf: (t,) inverse document frequencies.
        coefficients: (1 + b, t) those of the detector, then of the refits.
        intercepts: (1 + b,).
        temperature: that all log odds are divided by.
    """

    terms: tuple[str, ...]
    idf: Floats
    coefficients: Floats
    intercepts: Floats
    temperature: float


@dataclass(frozen=True, slots=True, eq=False)
class KindWeights:
    """A logistic regression for each kind of bias over the terms of `Weights`.

    Fields:
        coefficients: (k, t), in the order of the detector's good kinds.
        intercepts: (k,).
        temperatures: (k,) that the log odds of each kind are divided by.
    """

    coefficients: Floats
    intercepts: Floats
    temperatures: Floats


@dataclass(frozen=True, slots=True, eq=False)
class LinearDetector:
    """A linear detector in memory; see `slant.analysis.detectors.LoadedDetector`.

    Rule: words are runs of two or more letters or digits in lower case; a word that stands tf
    times in a text weighs (1 + ln tf) · idf, all words of the text scaled to length 1; log odds =
    (intercept + sum of weight · coefficient) / temperature. A text without a known word has no
    probability. The interval holds the middle 95 % of the refits: what other training texts would
    have said, not whether the labels or the kind of text fit.
    """

    facts: DetectorFacts
    weights: Weights
    weighs_from: float = 0.0
    kinds: KindWeights | None = None

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """(n, 3) calibrated probability of biased with its interval."""
        said = np.full((len(texts), 3), np.nan)
        tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
        for first in range(0, len(texts), _AT_ONCE):
            x, _ = self._counted(texts[first : first + _AT_ONCE])
            scores = x @ self.weights.coefficients.T + self.weights.intercepts
            p = 1 / (1 + np.exp(-scores / self.weights.temperature))
            p[np.diff(x.indptr) == 0] = np.nan
            rows = said[first : first + _AT_ONCE]
            rows[:, 0] = p[:, 0]
            if p.shape[1] > 1:
                rows[:, 1:] = np.quantile(p[:, 1:], tails, axis=1).T
        return said

    def known_words(self, texts: Sequence[str]) -> Array:
        """(n,) how many of its terms stand in each text."""
        known = _numbers(self.weights.terms).keys()
        found = [len(known & {word.lower() for word in _TERM.findall(text)}) for text in texts]
        return np.array(found, np.int64)

    def kind_probabilities(self, texts: Sequence[str]) -> Floats:
        """(n, k) calibrated probability of each kind; NaN for a text without a known word."""
        if self.kinds is None:
            return np.empty((len(texts), 0))
        x, _ = self._counted(texts)
        scores = x @ self.kinds.coefficients.T + self.kinds.intercepts
        p: Floats = 1 / (1 + np.exp(-scores / self.kinds.temperatures))
        p[np.diff(x.indptr) == 0] = np.nan
        return p

    def contributions(self, texts: Sequence[str]) -> list[Contributions]:
        """What each word adds to the log odds of its text, known words alone.

        A word that stands several times has its term's contribution in equal parts, so that the
        sum over a text and intercept / temperature is the log odds.
        """
        coefficient, temperature = self.weights.coefficients[0], self.weights.temperature
        found: list[Contributions] = []
        for first in range(0, len(texts), _AT_ONCE):
            x, places = self._counted(texts[first : first + _AT_ONCE])
            for row, own in enumerate(places):
                inside = slice(x.indptr[row], x.indptr[row + 1])
                columns = x.indices[inside]
                share = x.data[inside] * coefficient[columns] / temperature
                worth = dict(zip(columns.tolist(), share.tolist(), strict=True))
                often: dict[int, int] = {}
                for _, _, term in own:
                    often[term] = often.get(term, 0) + 1
                found.append([(start, end, worth[t] / often[t]) for start, end, t in own])
        return found

    def _counted(self, texts: Sequence[str]) -> tuple[Any, list[list[tuple[int, int, int]]]]:
        """The (n, t) matrix of weights of words, and where the known words of each text stand."""
        from scipy.sparse import csr_array

        known = _numbers(self.weights.terms)
        data: list[Floats] = []
        columns: list[Array] = []
        ends = [0]
        places = []
        for text in texts:
            own = [
                (found.start(), found.end(), known[word])
                for found in _TERM.finditer(text)
                if (word := found.group().lower()) in known
            ]
            places.append(own)
            term, often = np.unique(np.array([t for *_, t in own], np.int64), return_counts=True)
            weight = (1 + np.log(often)) * self.weights.idf[term]
            length = float(np.sqrt((weight**2).sum()))
            data.append(weight / length if length else weight)
            columns.append(term)
            ends.append(ends[-1] + len(term))
        joined = np.concatenate([*data, np.empty(0)]), np.concatenate([*columns, np.empty(0)])
        shape = (len(texts), len(self.weights.terms))
        return csr_array(
            (joined[0], joined[1].astype(np.int64), np.array(ends)), shape=shape
        ), places


@lru_cache(maxsize=32)
def _numbers(terms: tuple[str, ...]) -> Mapping[str, int]:
    return {term: number for number, term in enumerate(terms)}
