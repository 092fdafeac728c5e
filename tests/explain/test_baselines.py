from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from slant.explain.baselines import idf_scores, lexicon_scores, random_scores, word_rarity
from slant.explain.words import rationale_words, text_words
from slant.metrics.rationale import plausibility
from slant.tasks.options import chosen_options
from slant.tasks.prepare import prepared
from slant.tasks.protocols import TEST, TRAIN
from slant.types import Span

TEXTS = ["The plan is mad", "the council met", "A plan", "the mad, mad plan"]


def test_rarity_equals_scikit_learns_smoothed_idf_but_for_its_one():
    vectorizer = TfidfVectorizer(token_pattern=r"\w+").fit(TEXTS)
    theirs = dict(zip(vectorizer.get_feature_names_out(), vectorizer.idf_, strict=True))
    words = text_words("the mad council plan")
    ours = idf_scores(words, word_rarity(TEXTS))
    assert ours == pytest.approx([theirs[word] - 1 for word in words.strings])


def test_an_unknown_word_is_the_rarest_and_case_is_no_difference():
    scores = idf_scores(text_words("THE harangue met"), word_rarity(TEXTS))
    assert scores[1] > scores[2] > scores[0] == pytest.approx(np.log(5 / 4))


def test_random_scores_hang_on_seed_and_name_alone():
    words = text_words("a mad plan of the council")
    one = random_scores(words, 1, "babe-3")
    assert (one == random_scores(words, 1, "babe-3")).all()
    assert (one != random_scores(words, 2, "babe-3")).any()
    assert (one != random_scores(words, 1, "babe-4")).any()
    assert ((one >= 0) & (one < 1)).all()


def test_the_lexicon_gives_cues_and_negative_words_more_than_others():
    words = text_words("The regime of liars met")
    scores = dict(zip(words.strings, lexicon_scores(words), strict=True))
    assert scores["regime"] >= 1
    assert scores["liars"] > 0
    assert scores["The"] == scores["met"] == 0


def test_rarity_alone_finds_the_experts_words_of_babe_and_chance_does_not(real_data):
    """A trial had 0.816."""
    asked = chosen_options("clean", {}, ["babe"])
    rows = pl.read_parquet(prepared("babe", asked, 42, real_data, {}).rows)
    rarity = word_rarity(rows.filter(pl.col("role_0") == TRAIN)["text"].to_list())
    test = rows.filter(pl.col("role_0") == TEST)
    words = [text_words(text) for text in test["text"]]
    gold = [
        rationale_words(one, [Span(*span) for span in spans])
        for one, spans in zip(words, test["rationale"].to_list(), strict=True)
    ]
    rare = plausibility(gold, [idf_scores(one, rarity) for one in words])
    chance = plausibility(
        gold, [random_scores(one, 42, name) for one, name in zip(words, test["id"], strict=True)]
    )
    assert (rare.sentences, len(rare.shown)) == (542, 284)
    assert rare.mean("auroc") == pytest.approx(0.821, abs=0.001)
    assert chance.mean("auroc") == pytest.approx(0.5, abs=0.04)
