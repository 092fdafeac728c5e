"""Effect sizes on words of like frequency."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from slant.embeddings.association import effect_size
from slant.embeddings.frequencies import frequency_matched

HX, HY = np.array([0.5, 0.1, 0.9]), np.array([0.2, -0.3, 0.0])


# of 100, 10, 1000 and 90, 2000, 9: 100 with 90, 10 with 9, 1000 with 2000 (just twice)
def test_words_are_paired_with_those_of_like_frequency():
    found = frequency_matched(HX, HY, [100, 10, 1000], [90, 2000, 9])
    assert found.pairs == ((0, 0), (1, 2), (2, 1))
    assert found.d == pytest.approx(effect_size(HX, HY))
    assert found.before == pytest.approx(log(100 * 10 * 1000 / (90 * 2000 * 9)) / 3)
    assert found.after == found.before


def test_a_word_without_a_partner_is_left_out_of_the_effect_size():
    found = frequency_matched(HX, HY, [100, 10, 1000], [90, 2001, 9])
    assert found.pairs == ((0, 0), (1, 2))
    assert found.d == pytest.approx(effect_size(HX[[0, 1]], HY[[0, 2]]))
    assert found.after == pytest.approx(log(100 * 10 / (90 * 9)) / 2)


# 20 fits 20 best, but then 10 would be alone, since 39 is more than twice 10
def test_more_pairs_go_before_closer_ones():
    found = frequency_matched(HX[:2], HY[:2], [20, 10], [20, 39])
    assert found.pairs == ((0, 1), (1, 0))


# as given 1.3 and 1.67 times each other, exchanged 1.11 and 1.15
def test_of_as_many_pairs_the_closer_ones_are_taken():
    found = frequency_matched(HX[:2], HY[:2], [100, 150], [130, 90])
    assert found.pairs == ((0, 1), (1, 0))
    closer = frequency_matched(HX[:2], HY[:2], [100, 150], [100, 150])
    assert closer.pairs == ((0, 0), (1, 1))
    assert closer.after == 0


def test_a_ratio_of_one_takes_equal_frequencies_only():
    found = frequency_matched(HX, HY, [5, 6, 7], [7, 5, 8], ratio=1)
    assert found.pairs == ((0, 1), (2, 0))


def test_a_word_of_unknown_frequency_is_not_paired():
    found = frequency_matched(HX, HY, [0, 10, 12], [11, 0, 9])
    assert found.pairs == ((1, 2), (2, 0))
    assert found.before == pytest.approx(log(120 / 99) / 2)


def test_exchanging_x_and_y_turns_the_signs():
    one = frequency_matched(HX, HY, [100, 10, 1000], [90, 2001, 9])
    other = frequency_matched(HY, HX, [90, 2001, 9], [100, 10, 1000])
    assert sorted((i, j) for j, i in other.pairs) == sorted(one.pairs)
    assert (other.d, other.before, other.after) == pytest.approx((-one.d, -one.before, -one.after))


def test_matching_says_why_nothing_remains():
    assert "no word of y" in frequency_matched(HX, HY, [1, 2, 3], [0, 0, 0]).d.why
    assert "no word of x has" in frequency_matched(HX, HY, [0, 0, 0], [1, 2, 3]).before.why
    far = frequency_matched(HX, HY, [1, 2, 3], [100, 200, 300])
    assert "within 2 times" in far.d.why
    assert far.before == pytest.approx(-log(100))
    assert "one pair" in frequency_matched(HX, HY, [1, 2, 100], [150, 900, 900]).d.why
