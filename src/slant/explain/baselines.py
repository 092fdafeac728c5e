"""Scores of words that no model is needed for: what every explanation is held against."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slant.data.spans import marked
from slant.explain.words import Words, text_words
from slant.stats.resampling import generator
from slant.systems.lexicon import cue_marks, negative_valence
from slant.types import Floats


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many of how many texts each word stands, in lower case."""

    texts: int
    containing: Mapping[str, int]


def word_rarity(texts: Sequence[str]) -> Rarity:
    """In how many texts each word stands.

    Args:
        texts: of train: a word's rarity must not be learnt from what is explained.

    >>> sorted(word_rarity(["A plan", "a Plan, a"]).containing.items())
    [('a', 2), ('plan', 2)]
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({word.lower() for word in text_words(text).strings})
    return Rarity(len(texts), dict(counts))


def idf_scores(words: Words, rarity: Rarity) -> Floats:
    """Inverse document frequency: how rare each word is, without any model.

    Rule: log((1 + texts) / (1 + texts with the word)); a word that no text has is the rarest.

    Args:
        words: of the text to explain.
        rarity: of train.

    Returns:
        (words,) 0 = in every text.

    Source: Spärck Jones 1972; smoothed as scikit-learn's `TfidfTransformer`.
    """
    known = (rarity.containing.get(word.lower(), 0) for word in words.strings)
    return np.array([math.log((1 + rarity.texts) / (1 + count)) for count in known], np.float64)


def random_scores(words: Words, seed: int, name: str) -> Floats:
    """Random numbers, the same for a text whatever stands beside it.

    Args:
        words: of the text.
        seed: of the run.
        name: of the text, e.g. its id.

    Returns:
        (words,) in [0, 1).
    """
    return generator(seed, ["random words", name]).random(len(words))


def lexicon_scores(words: Words) -> Floats:
    """What the lexicon sees in each word: packaged cues and VADER's negative words.

    Rule: in how many categories of cues the word stands, plus VADER's negative valence as a share
    of the largest.

    Args:
        words: of the text.

    Returns:
        (words,) 0 = a word that the lexicon does not know.
    """
    marks, _, _ = cue_marks(words.text)
    scores = np.array([negative_valence(word) for word in words.strings], np.float64)
    for mark in marks:
        scores += marked(words.starts, words.ends, mark.spans)
    return scores
