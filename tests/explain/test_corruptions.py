"""Corrupted versions of texts: what is written where, and that positions stay."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from slant.errors import DataError, OptionError, UnknownName

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)

from slant.explain.corruptions import (
    CORRUPTIONS,
    Vocabulary,
    corrupted_texts,
    random_words,
    spared,
    vocabulary_of,
)

# CLS, a word of one token, one of two, one of one, one of three, SEP.
TOKENS = np.array([1, 20, 30, 31, 21, 40, 41, 42, 2], dtype=np.int32)
WORDS = np.array([-1, 0, 1, 1, 2, 3, 3, 3, -1])
POOL = {
    1: np.array([[20], [22]], dtype=np.int32),
    2: np.array([[30, 31], [32, 33]], dtype=np.int32),
}
VOCABULARY = Vocabulary(mask=9, unknown=8, pool=POOL)


def chosen(*words):
    return np.isin(WORDS, words)


def corrupted(corruption, some, seed=0, vocabulary=VOCABULARY):
    return corrupted_texts([TOKENS], [some], [WORDS], vocabulary, corruption, seed)[0].tolist()


def test_mask_and_unknown_write_one_token_for_each():
    assert corrupted("mask", chosen(1, 2)) == [1, 20, 9, 9, 9, 40, 41, 42, 2]
    assert corrupted("unknown", chosen(0)) == [1, 8, 30, 31, 21, 40, 41, 42, 2]


def test_resample_draws_another_word_of_as_many_tokens():
    # The only other words of one and of two tokens.
    assert corrupted("resample", chosen(0, 1)) == [1, 22, 32, 33, 21, 40, 41, 42, 2]


def test_resample_fills_a_long_word_with_shorter_ones_the_longest_first():
    got = corrupted("resample", chosen(3))
    assert got[:5] + got[8:] == [*TOKENS[:5].tolist(), 2]
    assert got[5:7] in POOL[2].tolist()
    assert got[7:8] in POOL[1].tolist()


def test_neighbouring_words_are_drawn_apart():
    draws = {tuple(corrupted("resample", chosen(2, 3), seed)[4:]) for seed in range(100)}
    assert {draw[0] for draw in draws} == {20, 22}
    assert len(draws) == 8  # two words of one token, two of two and two of one behind them


def test_resample_without_a_word_that_is_short_enough_is_refused():
    none = Vocabulary(9, 8, {2: POOL[2]})
    with pytest.raises(DataError, match="no word that could stand for one of 1 tokens"):
        corrupted("resample", chosen(0), vocabulary=none)


@pytest.mark.parametrize("corruption", sorted(CORRUPTIONS))
def test_positions_align_and_nothing_else_changes(corruption):
    windows = [TOKENS, TOKENS[:5], TOKENS]
    words = [WORDS, WORDS[:5], WORDS]
    some = [chosen(1), np.zeros(5, dtype=bool), chosen(0, 3)]
    made = corrupted_texts(windows, some, words, VOCABULARY, corruption, 1)
    for old, new, where in zip(windows, made, some, strict=True):
        assert new.dtype == np.int32
        assert len(new) == len(old)
        assert (new[~where] == old[~where]).all()
        assert (new[where] != old[where]).any() == where.any()


def test_a_texts_draw_depends_on_the_seed_and_its_place_alone():
    many = {1: np.arange(100, 200, dtype=np.int32)[:, None]}
    vocabulary = Vocabulary(9, 8, many)
    three = corrupted_texts([TOKENS] * 3, [chosen(0)] * 3, [WORDS] * 3, vocabulary, "resample", 4)
    two = corrupted_texts([TOKENS] * 2, [chosen(0)] * 2, [WORDS] * 2, vocabulary, "resample", 4)
    assert [text.tolist() for text in three[:2]] == [text.tolist() for text in two]
    assert len({int(text[1]) for text in three}) > 1


def test_an_unknown_corruption_is_named():
    with pytest.raises(UnknownName, match="Did you mean resample"):
        corrupted("resampled", chosen(0))


def test_a_tokenizer_without_a_mask_token_says_so(loaded):
    vocabulary = vocabulary_of(loaded("gpt2").tokenizer, ["council", "mob"])
    with pytest.raises(OptionError, match="has no mask token"):
        corrupted("mask", chosen(0), vocabulary=vocabulary)


def test_words_to_draw_from_count_once_and_unknown_ones_not_at_all(loaded):
    tokenizer = loaded("bert").tokenizer
    vocabulary = vocabulary_of(tokenizer, ["mob", "council", "mob", "neverseen", "fake news"])
    ids = tokenizer.convert_tokens_to_ids
    assert vocabulary.pool[1].tolist() == [[ids("mob")], [ids("council")]]
    assert set(vocabulary.pool) == {1}  # "news" is unknown to it
    assert vocabulary.mask == tokenizer.mask_token_id
    assert vocabulary_of(tokenizer, []).pool == {}


def test_the_control_takes_as_many_other_words():
    some, protected = chosen(1, 3), (0,)
    seen = set()
    for seed in range(20):
        (drawn,) = random_words([some], [WORDS], [protected], seed)
        assert np.unique(WORDS[drawn]).size == 2
        assert not (drawn & some).any()
        assert not drawn[WORDS < 0].any()
        seen.add(tuple(np.unique(WORDS[drawn])))
    assert seen == {(0, 2)}
    seen = {
        int(WORDS[random_words([chosen(1)], [WORDS], [(1,)], seed)[0]][0]) for seed in range(30)
    }
    assert seen == {2, 3}  # word 0 stands at a protected position


def test_the_control_takes_all_words_where_fewer_are_left():
    (drawn,) = random_words([chosen(0, 1, 2)], [WORDS], [(0,)], 0)
    assert np.unique(WORDS[drawn]).tolist() == [3]


def test_special_and_protected_words_are_spared():
    got = spared(np.ones(9, dtype=bool), WORDS, (6,))
    assert np.flatnonzero(got).tolist() == [1, 2, 3, 4]  # word 3 has a protected token
