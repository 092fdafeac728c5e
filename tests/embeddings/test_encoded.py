"""A corpus as numbers, and what a replica draws of it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from slant.embeddings.encoded import DOCUMENTS, drawn, encode
from slant.errors import DataError

TEXTS = [[["b", "a", "rare"], ["a"]], [], [["a", "b", "c"], ["rarer"], ["c", "c", "a"]]]


@pytest.fixture
def corpus(tmp_path):
    return encode(TEXTS, 2, tmp_path, "texts")


def test_words_below_the_minimum_are_left_out_before_windows_are_laid(corpus):
    # a 4 times, c 3, b 2; rare and rarer once.
    assert corpus.words == ("a", "c", "b")
    assert corpus.counts.tolist() == [4, 3, 2]
    whole = drawn(corpus, "all", 0)
    assert list(whole) == [["b", "a"], ["a"], ["a", "b", "c"], ["c", "c", "a"]]
    assert whole.length() == (4, 9)
    assert whole.counts() == {"a": 4, "c": 3, "b": 2}


def test_words_of_one_count_stand_in_the_order_of_the_alphabet(tmp_path):
    assert encode([[["z", "b", "m"]]], 1, tmp_path, "x").words == ("b", "m", "z")


def test_blocks_make_no_difference(tmp_path, corpus, monkeypatch):
    monkeypatch.setattr("slant.embeddings.encoded.BLOCK", 2)
    small = encode(TEXTS, 2, tmp_path / "small", "texts")
    assert list(drawn(small, "all", 0)) == list(drawn(corpus, "all", 0))
    assert drawn(small, "all", 0).counts() == {"a": 4, "c": 3, "b": 2}


@pytest.mark.parametrize("documents", DOCUMENTS)
def test_counts_are_of_the_sentences_that_are_read(corpus, documents):
    for seed in range(5):
        one = drawn(corpus, documents, seed)
        words = Counter(word for sentence in one for word in sentence)
        assert one.counts() == dict(words)
        assert one.length() == (len(list(one)), words.total())


def test_a_bootstrap_draws_whole_documents_with_replacement_by_the_seed(tmp_path):
    corpus = encode([[[f"w{number}"]] for number in range(200)], 1, tmp_path, "x")
    first, again, other = (list(drawn(corpus, "bootstrap", seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == 200
    # A document is drawn with the probability 1 - (1 - 1/200)^200 = 0.633; 126.6 of 200, and
    # the standard deviation of their number is below 5.
    assert 107 < len({sentence[0] for sentence in first}) < 147


def test_shuffled_words_keep_their_counts_and_the_lengths_of_sentences(corpus):
    shuffled = drawn(corpus, "shuffled", 3)
    assert shuffled.counts() == drawn(corpus, "all", 0).counts()
    assert [len(one) for one in shuffled] == [2, 1, 3, 3]
    assert len({tuple(map(tuple, drawn(corpus, "shuffled", seed))) for seed in range(5)}) > 1


def test_long_sentences_are_cut_where_gensim_would_drop_the_rest(tmp_path):
    corpus = encode([[["a"] * 25_000]], 1, tmp_path, "x")
    assert [len(one) for one in drawn(corpus, "all", 0).numbers()] == [10_000, 10_000, 5_000]


@pytest.mark.parametrize(
    ("texts", "words"),
    [([], "it has no word"), ([[[]]], "it has no word"),
     ([[["a", "a", "b"]]], "its most frequent word occurs 2 times, less than 5")],
)  # fmt: skip
def test_a_corpus_with_nothing_to_learn_is_an_error(tmp_path, texts, words):
    with pytest.raises(DataError, match=f"Reading the corpus 'my.txt': {words}"):
        encode(texts, 5, tmp_path, "my.txt")
    assert not list(tmp_path.iterdir())


def test_tokens_stay_on_disk(corpus):
    assert isinstance(corpus.tokens, np.memmap)
