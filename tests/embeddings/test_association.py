"""What h and d of WEAT and WEATvec are: by hand, by properties, and as published."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from caliskan_items import glove, items

from slant.embeddings import association
from slant.embeddings.association import (
    associations,
    effect_size,
    effect_sizes,
    has_direction,
    vocabulary_spread,
)
from slant.errors import DataError
from slant.stats.permutations import permutation_test
from slant.types import Undefined

A = [[3.0, 0.0]]
B = [[0.0, 1.0]]
X = [[1.0, 0.0], [4.0, 3.0]]
Y = [[0.0, 2.0], [3.0, 4.0]]


def test_association_by_cosine_by_hand():
    # unit(A) - unit(B) = (1, -1); cos differences: (1,0): 1; (4,3)/5: .8 - .6 = .2;
    # (0,2): -1; (3,4)/5: -.2
    assert associations(X, A, B, "cosine") == pytest.approx([1.0, 0.2])
    assert associations(Y, A, B, "cosine") == pytest.approx([-1.0, -0.2])


def test_association_by_projection_by_hand():
    # mean A - mean B = (3, -1), length sqrt(10): (1,0): 3; (4,3): 12 - 3 = 9; (0,2): -2; (3,4): 5
    expected = np.array([3.0, 9.0, -2.0, 5.0]) / sqrt(10)
    assert associations(X + Y, A, B, "projection") == pytest.approx(expected)


def test_the_papers_printed_projection_is_the_negative_of_ours():
    stream = np.random.default_rng(1)
    w, a, b = (stream.normal(size=(n, 5)) for n in (6, 4, 3))
    printed = b.mean(0) - a.mean(0)
    printed = w @ (printed / np.linalg.norm(printed))
    assert associations(w, a, b, "projection") == pytest.approx(-printed)


@pytest.mark.parametrize("measure", ["cosine", "projection"])
def test_association_by_its_definition_word_by_word(measure):
    stream = np.random.default_rng(2)
    w, a, b = (stream.normal(size=(n, 7)) for n in (5, 4, 3))

    def alike(u, v):
        return u @ v / sqrt(u @ u) / sqrt(v @ v)

    for vector, h in zip(w, associations(w, a, b, measure), strict=True):
        if measure == "cosine":
            expected = np.mean([alike(vector, v) for v in a]) - np.mean(
                [alike(vector, v) for v in b]
            )
        else:
            line = a.mean(0) - b.mean(0)
            expected = vector @ line / sqrt(line @ line)
        assert h == pytest.approx(expected)


@pytest.mark.parametrize("measure", ["cosine", "projection"])
def test_replicas_on_a_leading_axis_are_each_measured_alone(measure):
    stream = np.random.default_rng(3)
    w, a, b = (stream.normal(size=(3, n, 6)) for n in (5, 4, 2))
    together = associations(w, a, b, measure)
    assert together.shape == (3, 5)
    for r in range(3):
        assert together[r] == pytest.approx(associations(w[r], a[r], b[r], measure))


def test_effect_size_by_hand_for_each_denominator():
    # h: X 1, .2; Y -1, -.2; means .6 and -.6; squares 1 + .04 + 1 + .04 = 2.08 about mean 0
    hx, hy = [1.0, 0.2], [-1.0, -0.2]
    assert effect_size(hx, hy) == pytest.approx(1.2 / sqrt(2.08 / 3))
    assert effect_size(hx, hy, deviation="population") == pytest.approx(1.2 / sqrt(2.08 / 4))
    assert effect_size(hx, hy, spread=0.5) == pytest.approx(2.4)


def test_spread_over_the_vocabulary_by_hand():
    # vocabulary: X, Y and (5, 0), (6, 8): h = 1, .2, -1, -.2, 1, -.2; mean 0.8 / 6,
    # squares 1 + .04 + 1 + .04 + 1 + .04 = 3.12
    words = [*X, *Y, [5.0, 0.0], [6.0, 8.0]]
    spread = vocabulary_spread(words, A, B, "cosine")
    assert spread == pytest.approx(sqrt(3.12 / 6 - (0.8 / 6) ** 2))
    d = effect_size([1.0, 0.2], [-1.0, -0.2], spread=spread)
    assert d == pytest.approx(1.2 / spread)


def test_words_far_apart_in_a_narrow_vocabulary_have_an_effect_size_above_two():
    words = np.concatenate([X, Y, np.tile([[1.0, 1.0]], (96, 1))])
    spread = vocabulary_spread(words, A, B, "cosine")
    d = effect_size([1.0, 0.2], [-1.0, -0.2], spread=spread)
    # 96 words of h = 0: variance 2.08 / 100
    assert d == pytest.approx(1.2 / sqrt(0.0208))
    assert d > 2


@pytest.mark.parametrize("measure", ["cosine", "projection"])
def test_the_vocabularys_spread_does_not_depend_on_the_blocks(measure, monkeypatch):
    stream = np.random.default_rng(4)
    matrix = stream.normal(size=(1000, 4)).astype(np.float32)
    whole = vocabulary_spread(matrix, A_4, B_4, measure)
    monkeypatch.setattr(association, "_BLOCK", 37)
    assert vocabulary_spread(matrix, A_4, B_4, measure) == pytest.approx(whole, rel=1e-12)
    assert whole == pytest.approx(np.std(associations(matrix, A_4, B_4, measure)), rel=1e-9)


A_4 = [[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 1.0, 0.0]]
B_4 = [[0.0, 0.0, 1.0, -1.0]]


def test_words_without_a_direction_stand_outside_the_vocabularys_spread_of_cosines():
    with_zero = [*X, [0.0, 0.0], *Y]
    assert vocabulary_spread(with_zero, A, B, "cosine") == pytest.approx(
        vocabulary_spread([*X, *Y], A, B, "cosine")
    )


def test_exchanging_x_and_y_or_a_and_b_negates_the_effect_size():
    stream = np.random.default_rng(5)
    x, y, a, b = (stream.normal(size=(n, 6)) for n in (5, 7, 4, 3))
    for measure in ("cosine", "projection"):

        def d(x, y, a, b, measure=measure):
            return effect_size(associations(x, a, b, measure), associations(y, a, b, measure))

        assert d(y, x, a, b) == pytest.approx(-d(x, y, a, b))
        assert d(x, y, b, a) == pytest.approx(-d(x, y, a, b))


def test_length_of_vectors_does_not_change_a_cosine_even_where_its_square_overflows():
    stream = np.random.default_rng(6)
    w, a, b = (stream.normal(size=(n, 6)) for n in (5, 4, 3))
    plain = associations(w, a, b, "cosine")
    for factor in (1e-200, 1e200):
        assert associations(w * factor, a, b, "cosine") == pytest.approx(plain)


def test_with_equal_sizes_and_n_the_effect_size_never_passes_two():
    stream = np.random.default_rng(7)
    hx, hy = stream.normal(size=(500, 3)) + 5, stream.normal(size=(500, 3))
    d = effect_sizes(hx, hy, deviation="population")
    assert d.max() <= 2
    assert d.max() > 1.99
    # the same numbers with n - 1: the bound shrinks by sqrt((2n - 1) / 2n)
    assert effect_sizes(hx, hy) == pytest.approx(d * sqrt(5 / 6))


def test_many_effect_sizes_are_those_of_each():
    stream = np.random.default_rng(8)
    hx, hy = stream.normal(size=(4, 3, 5)), stream.normal(size=(4, 3, 6))
    for deviation in ("sample", "population"):
        d = effect_sizes(hx, hy, deviation=deviation)
        for i in range(4):
            for j in range(3):
                assert d[i, j] == pytest.approx(
                    effect_size(hx[i, j], hy[i, j], deviation=deviation)
                )


def test_without_spread_or_words_an_effect_size_is_undefined_and_says_why():
    flat = effect_size([0.1 + 0.2, 0.3], [0.3, 0.3])
    assert isinstance(flat, Undefined)
    assert "no spread" in flat.why
    assert isinstance(effect_size([], [1.0]), Undefined)
    assert isinstance(effect_size([1.0, 2.0], [0.0, 1.0], spread=0.0), Undefined)


def test_one_word_a_set_has_an_effect_size_over_the_vocabulary_only():
    one = effect_size([5.0], [0.1])
    assert isinstance(one, Undefined)
    assert "1.41" in one.why
    assert effect_size([5.0], [0.1], spread=2.0) == pytest.approx(2.45)
    assert effect_size([5.0], [0.0, 1.0]) == pytest.approx(4.5 / np.std([5, 0, 1], ddof=1))


def test_attribute_sets_with_the_same_mean_have_no_spread_and_no_line_between_them():
    same = [[0.1, 0.2], [0.3, -0.7], [0.2, 0.5]]
    assert associations(X, same, same[::-1], "cosine").tolist() == [0.0, 0.0]
    with pytest.raises(DataError, match="same mean"):
        associations(X, same, same[::-1], "projection")


def test_a_vector_of_zeros_has_no_cosine_but_a_projection():
    assert has_direction([[0.0, 0.0], [0.0, 1.0], [np.nan, 1.0]]).tolist() == [False, True, False]
    with pytest.raises(DataError, match="word 2 of 2"):
        associations([[1.0, 0.0], [0.0, 0.0]], A, B, "cosine")
    assert associations([[0.0, 0.0]], A, B, "projection").tolist() == [0.0]
    with pytest.raises(DataError, match="with B"):
        associations(X, A, [[0.0, 0.0]], "projection")


def test_an_empty_set_is_an_error_and_not_a_number():
    for w, a, b in (([], A, B), (X, np.empty((0, 2)), B), (X, A, np.empty((0, 2)))):
        with pytest.raises(DataError, match="no vector"):
            associations(w, a, b, "cosine")
    with pytest.raises(DataError, match="no word with a direction"):
        vocabulary_spread(np.zeros((3, 2)), A, B, "cosine")


# study, X, Y, A, B, d with n - 1, d with n, published
PUBLISHED = [
    ("WEAT1", "Flowers", "Insects", "Pleasant", "Unpleasant", 1.5043, 1.5196, 1.50),
    ("WEAT2", "Instruments", "Weapons", "Pleasant", "Unpleasant", 1.5340, 1.5496, 1.53),
    ("WEAT4", "EuropeanAmericanNames", "AfricanAmericanNames", "Pleasant", "Unpleasant",
     1.4986, 1.5226, 1.50),
    ("WEAT5", "EuropeanAmericanNames", "AfricanAmericanNames", "Pleasant", "Unpleasant",
     1.2839, 1.3045, 1.28),
    ("WEAT6", "MaleNames", "FemaleNames", "Career", "Family", 1.8139, 1.8734, 1.81),
    ("WEAT7", "Math", "Arts", "MaleTerms", "FemaleTerms", 1.0550, 1.0896, 1.06),
    ("WEAT9", "MentalDisease", "PhysicalDisease", "Temporary", "Permanent", 1.3828, 1.4442, 1.38),
]  # fmt: skip


def published_associations(folder, study, *conditions):
    vectors, sets = glove(folder), items(folder)
    x, y, a, b = (
        np.array([vectors[word] for word in sets[study, condition] if word in vectors])
        for condition in conditions
    )
    return associations(x, a, b, "cosine"), associations(y, a, b, "cosine")


@pytest.mark.parametrize("row", PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_effect_sizes_of_real_vectors_are_the_published_ones(row, real_data):
    *names, sample, population, published = row
    hx, hy = published_associations(real_data, *names)
    d = effect_size(hx, hy)
    assert d == pytest.approx(sample, abs=5.1e-5)
    # WEAT7's 1.0550 stands as 1.06 in the paper
    assert d == pytest.approx(published, abs=0.00505)
    assert effect_size(hx, hy, deviation="population") == pytest.approx(population, abs=5.1e-5)


@pytest.mark.parametrize(
    ("study", "strictly", "at_least", "splits"),
    [
        ("WEAT6", 0, 1 / 12870, 12870),
        ("WEAT7", 201 / 12870, 202 / 12870, 12870),
        ("WEAT9", 3 / 924, 4 / 924, 924),
    ],
)
def test_exact_p_values_of_real_vectors(study, strictly, at_least, splits, real_data):
    row = next(row for row in PUBLISHED if row[0] == study)
    hx, hy = published_associations(real_data, *row[:5])
    for strict, expected in ((True, strictly), (False, at_least)):
        found = permutation_test(hx, hy, alternative="greater", strict=strict, seed=0)
        assert (found.p, found.splits) == (pytest.approx(expected, abs=1e-15), splits)
        swapped = permutation_test(hy, hx, alternative="less", strict=strict, seed=0)
        assert swapped.p == found.p
    two = permutation_test(hx, hy, seed=0)
    assert two.p == pytest.approx(2 * at_least)
    assert permutation_test(hy, hx, seed=0).p == two.p
