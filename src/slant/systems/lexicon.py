"""The system that looks for cue words, and shows where it found them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from slant.systems.binary import gold_labels, training_labels
from slant.types import BIASED, Answer, Array, Floats, Fold, Mark, Prediction, Span, System

Cues = Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
"""By first word: the whole cue and its category, longer cues first."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GAP = re.compile(r"\s+|\s*[-‐‑]\s*")


def verb_forms(verb: str) -> tuple[str, ...]:
    """A regular verb's forms: plain, -s, -ed, -ing (of the first word, if it has several).

    Args:
        verb: the plain form; one that doubles its last letter is not regular.

    Returns:
        Four forms.

    >>> verb_forms("smear"), verb_forms("point out")[2]
    (('smear', 'smears', 'smeared', 'smearing'), 'pointed out')
    >>> verb_forms("vilify")
    ('vilify', 'vilifies', 'vilified', 'vilifying')
    """
    head, _, tail = verb.partition(" ")
    if head.endswith("e"):
        forms = head, head + "s", head + "d", head[:-1] + "ing"
    elif head.endswith("y") and head[-2] not in "aeiou":
        forms = head, head[:-1] + "ies", head[:-1] + "ied", head + "ing"
    else:
        plural = "es" if head.endswith(("s", "sh", "ch", "x", "z")) else "s"
        forms = head, head + plural, head + "ed", head + "ing"
    return tuple(f"{form} {tail}".strip() for form in forms)


@lru_cache(maxsize=1)
def cue_words() -> dict[str, tuple[str, ...]]:
    """The packaged cues: each category with its words, verbs inflected, in alphabetical order."""
    text = files("slant.systems").joinpath("cues.toml").read_text(encoding="utf-8")
    cues = {}
    for category, entry in tomllib.loads(text).items():
        words = {" ".join(word.split()) for word in entry["words"].split("|")}
        for verb in entry.get("verbs", "").split("|"):
            words.update(verb_forms(" ".join(verb.split())) if verb.strip() else ())
        cues[category] = tuple(sorted(words))
    return cues


def cue_rules() -> dict[str, str]:
    """What each category of the packaged cues holds, in a few words.

    >>> cue_rules()["intensifier"]
    'raises the force of a word'
    """
    text = files("slant.systems").joinpath("cues.toml").read_text(encoding="utf-8")
    return {category: str(entry["says"]) for category, entry in tomllib.loads(text).items()}


@lru_cache(maxsize=1)
def _packaged_cues() -> Cues:
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for category, cues in cue_words().items():
        for cue in cues:
            words = tuple(cue.split())
            table.setdefault(words[0], []).append((words, category))
    for entries in table.values():
        entries.sort(key=lambda entry: (-len(entry[0]), entry[1]))
    return table


@dataclass(frozen=True, slots=True)
class Reading:
    """What the lexicon sees in a text: its score and its marks."""

    score: float
    marks: tuple[Mark, ...]


def _follows(text: str, places: Sequence[tuple[int, int]], at: int, n: int) -> bool:
    """Whether only spaces or a hyphen stand between the n words from `at` on."""
    return all(_GAP.fullmatch(text, places[i][1], places[i + 1][0]) for i in range(at, at + n - 1))


def cue_marks(text: str) -> tuple[tuple[Mark, ...], int, int]:
    """Where cues stand in a text, by category, and how many words they cover.

    Words are runs of letters and digits, compared in lower case and without a final 's; spaces
    and hyphens between the words of a cue are one. In each category the longest cue from the
    left wins, and cues do not overlap; one word may stand in two categories.

    Args:
        text: any text.

    Returns:
        The marks, categories in alphabetical order, spans from left to right; words inside any
        cue; words.

    >>> marks, covered, words = cue_marks("The so-called regime's plan")
    >>> [(m.category, [(s.start, s.end) for s in m.spans]) for m in marks], covered, words
    ([('loaded', [(4, 13), (14, 20)])], 3, 5)
    """
    table = _packaged_cues()
    places: list[tuple[int, int]] = []
    words: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group().lower().replace("’", "'")
        start, end = match.span()
        if word.endswith("'s"):
            word, end = word[:-2], end - 2
        words.append(word)
        places.append((start, end))
    spans: dict[str, list[Span]] = {}
    free: dict[str, int] = {}  # per category, the first word that no cue covers yet
    covered: set[int] = set()
    for at, word in enumerate(words):
        for cue, category in table.get(word, ()):
            n = len(cue)
            if free.get(category, 0) > at or tuple(words[at : at + n]) != cue:
                continue
            if n > 1 and not _follows(text, places, at, n):
                continue
            free[category] = at + n
            covered.update(range(at, at + n))
            spans.setdefault(category, []).append(Span(places[at][0], places[at + n - 1][1]))
    marks = tuple(Mark(category, tuple(spans[category])) for category in sorted(spans))
    return marks, len(covered), len(words)


@lru_cache(maxsize=1)
def _vader() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


def negative_valence(word: str) -> float:
    """How negative VADER's lexicon says a word is, as a share of the most negative there can be.

    Args:
        word: one word; its case is ignored.

    Returns:
        In [0, 1]; 0 for words that are positive or not in it.

    Source: Hutto and Gilbert, VADER (2014).

    >>> negative_valence("table"), negative_valence("Liar") > 0.5
    (0.0, True)
    """
    return max(0.0, -float(_vader().lexicon.get(word.lower(), 0.0))) / 4


def text_reading(text: str, vader: bool) -> Reading:
    """The score and the marks of a text.

    Score = words inside cues / (words + 10), plus, with VADER, its share of negative words. The
    ten words keep a headline with one cue from outweighing a paragraph with five.

    Args:
        text: any text.
        vader: whether VADER is added.

    Returns:
        The reading, its score in [0, 2), 0 for a text with no cue and no negative word.

    Source: Hutto and Gilbert, VADER (2014), for the share of negative words.
    """
    marks, covered, words = cue_marks(text)
    score = covered / (words + 10)
    if vader:
        score += _vader().polarity_scores(text)["neg"]
    return Reading(score, marks)


def best_threshold(scores: Floats, labels: Array) -> float:
    """The score from which on a text is called biased, by the mean F1 of the two classes.

    Every midpoint between two scores is tried, and calling all or none biased; of equals the
    lowest is taken. An F1 whose class is neither there nor answered counts as 0.

    Args:
        scores: (n,) scores, n at least 1.
        labels: (n,) labels 0 and 1.

    Returns:
        The threshold, -inf for all and inf for none.

    >>> best_threshold(np.array([0.1, 0.2, 0.4]), np.array([0, 0, 1]))
    0.30000000000000004
    """
    order = np.argsort(scores, kind="stable")
    s, y = scores[order], labels[order]
    n, biased = y.size, int(y.sum())
    below = np.arange(n + 1)  # texts called non-biased by the cut before each position
    fn = np.concatenate(([0], np.cumsum(y)))
    tn = below - fn
    tp = biased - fn
    f_biased = 2 * tp / np.maximum(n - below + biased, 1)
    f_other = 2 * tn / np.maximum(below + n - biased, 1)
    cuts = np.concatenate(([-np.inf], (s[1:] + s[:-1]) / 2, [np.inf]))
    allowed = np.concatenate(([True], s[1:] > s[:-1], [True]))
    return float(cuts[np.where(allowed, f_biased + f_other, -1.0).argmax()])


def logistic_line(scores: Floats, labels: Array) -> tuple[float, float]:
    """Slope and intercept of a logistic regression on one score, the slope never below 0.

    Args:
        scores: (n,) scores.
        labels: (n,) labels 0 and 1, both present.

    Returns:
        (slope, intercept); where more cues go with less bias, (0, the log odds of biased).
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6, max_iter=1000).fit(scores.reshape(-1, 1), labels)
    slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
    if slope > 0:
        return slope, intercept
    share = float(labels.mean())
    return 0.0, float(np.log(share / (1 - share)))


def lexicon(vader: bool = True) -> System:
    """A system that learns no word: it counts cues, and learns where "many" begins.

    A text is biased from the threshold on that `best_threshold` takes on dev, or on train where
    there is no dev; the probability is `logistic_line` on train. More cues never mean less
    bias. The answer's marks are the cues found.

    Args:
        vader: whether VADER's share of negative words is added to the score.

    Returns:
        The system.
    """

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        known: dict[str, Reading] = {}

        def reading(text: str) -> Reading:
            if text not in known:
                known[text] = text_reading(text, vader)
            return known[text]

        def scores(texts: Sequence[str]) -> Floats:
            return np.array([reading(text).score for text in texts], dtype=np.float64)

        for fold in folds:
            y = training_labels("lexicon", fold, classes=2)
            x = scores([e.item.text for e in fold.train])
            slope, intercept = logistic_line(x, y)
            tune = fold.dev or fold.train
            cut = best_threshold(scores([e.item.text for e in tune]), gold_labels(tune))
            answers = []
            for item in fold.test:
                seen = reading(item.text)
                labels = frozenset({BIASED}) if seen.score >= cut else frozenset[str]()
                p = float(1 / (1 + np.exp(-(slope * seen.score + intercept))))
                answers.append(Prediction(item.id, Answer(labels, seen.marks), p))
            yield answers

    return predict
