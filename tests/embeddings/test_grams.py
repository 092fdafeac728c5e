"""Character n-grams, against fastText's own."""

from __future__ import annotations

import pytest

from slant.embeddings.grams import grams_of, overlaps, shared_grams


@pytest.mark.parametrize("word", ["a", "god", "atheism", "naïve", "идиот"])
@pytest.mark.parametrize("span", [(3, 6), (2, 3), (4, 9)])
def test_n_grams_are_gensims(word, span):
    inner = pytest.importorskip("gensim.models.fasttext_inner")
    assert grams_of(word, *span) == set(inner.compute_ngrams(word, *span))


def test_atheism_and_atheist_share_14_of_30_n_grams():
    # <atheism> has 7 + 6 + 5 + 4 = 22 n-grams of 3 to 6 characters; within <atheis, which both
    # have, lie 5 + 4 + 3 + 2 = 14; 22 + 22 - 14 = 30.
    assert shared_grams("atheism", "atheist") == 14 / 30
    assert shared_grams("atheist", "atheism") == 14 / 30
    assert shared_grams("sun", "sun") == 1
    assert shared_grams("", "") == 0


def test_pairs_between_sets_are_of_one_word_each_largest_share_first():
    pairs = overlaps(["atheism", "sun"], ["atheist", "sunny", "sun"])
    assert [pair[:2] for pair in pairs] == [("atheism", "atheist"), ("sun", "sunny")]
    assert pairs[0][2] > pairs[1][2] > 0
