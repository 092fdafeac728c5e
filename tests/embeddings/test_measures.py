"""RND, RNSB, MAC, ECT, RIPA, SAME and WEAT's raw score, by hand and against WEFE's numbers."""

from __future__ import annotations

import json
from functools import cache
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from slant.embeddings.association import associations, effect_size
from slant.embeddings.measures import MEASURES, ect, mac, measured, ripa, rnd, same, weat_score
from slant.embeddings.sentiment import negative_probabilities, rnsb
from slant.errors import UnknownName
from slant.types import Undefined

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "wefe.json").read_text())
EMPTY = np.empty((0, 2))


def rows(*vectors):
    return np.array(vectors, dtype=float)


def drawn(seed, *sizes, width=3):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(size, width)) for size in sizes]


# h of (1, 0) = 1 - 0.6 = 0.4; of (0, 5), at length 1: 0 - 0.8 = -0.8; of (2, 0): 0.4
def test_the_raw_weat_score_is_the_sum_over_x_less_the_sum_over_y():
    x, y, a, b = rows((1, 0), (2, 0)), rows((0, 5)), rows((7, 0)), rows((3, 4))
    assert weat_score(x, y, a, b) == pytest.approx(0.4 + 0.4 + 0.8)


# means: x (1, 0), y (0, 4). (1, 1) is 1 from the first and sqrt(1 + 9) from the second;
# (0, 0) is 1 and 4
def test_relative_norm_distance_is_the_mean_difference_of_the_distances_from_two_means():
    x, y, a = rows((0, 0), (2, 0)), rows((0, 3), (0, 5)), rows((1, 1), (0, 0))
    assert rnd(x, y, a) == pytest.approx(((1 - sqrt(10)) + (1 - 4)) / 2)


# cosine distance of (3, 4) from x 1 - 0.6 = 0.4, from y 1 - 0.8 = 0.2
def test_relative_cosine_distance_has_the_sign_of_the_euclidean_one():
    x, y, a = rows((2, 0)), rows((0, 7)), rows((3, 4))
    assert rnd(x, y, a, distance="cosine") == pytest.approx(0.4 - 0.2)
    assert rnd(x, 2 / 7 * y, a / 5) > 0


# one positive word (1), one negative (-1) in one dimension: by symmetry the intercept is 0, and
# the weight v for "negative" minimises v^2 / 2 + 2 log(1 + exp(v)), so v = -2 / (1 + exp(-v))
def test_the_sentiment_classifier_solves_its_equation():
    word = rows((1.0,))
    share = negative_probabilities(word, word, -word)
    v = log(share[0] / (1 - share[0]))
    assert v < 0
    assert v == pytest.approx(-2 / (1 + np.exp(-v)), abs=1e-9)


# with shares p and 1 - p, which sum to 1: KL = log 2 + p log p + (1 - p) log(1 - p)
def test_relative_negative_sentiment_bias_is_the_divergence_from_equal_shares():
    word = rows((1.0,))
    p = negative_probabilities(word, word, -word)[0]
    value = rnsb(rows((1.0,), (-1.0,)), word, -word)
    assert value == pytest.approx(log(2) + p * log(p) + (1 - p) * log(1 - p), abs=1e-12)


def test_a_weaker_regularisation_makes_sentiment_more_uneven():
    w, positive, negative = rows((1, 0), (0, 1)), rows((1, 0)), rows((0, 1))
    weak, strong = (rnsb(w, positive, negative, strength=c) for c in (10.0, 0.1))
    assert weak > strong > 0


def test_sentiment_is_the_same_however_often_it_is_asked():
    w, positive, negative = drawn(1, 6, 9, 8, width=20)
    assert rnsb(w, positive, negative) == rnsb(w, positive, negative)


# distances from set 1: of (1, 0) 0 and 1 -> 0.5, of (0, 1) 1 and 0 -> 0.5;
# from set 2: of (1, 0) 2, of (0, 1) 1. Mean of 0.5, 0.5, 2, 1
def test_mean_average_cosine_counts_each_word_and_attribute_set_once():
    targets = [rows((1, 0)), rows((0, 2))]
    assert mac(targets, [rows((5, 0), (0, 1)), rows((-1, 0))]) == pytest.approx(1)
    assert mac([np.concatenate(targets)], [rows((-1, 0))]) == pytest.approx(1.5)


# cosines of a with the mean of x 0.8, 0.6, 0.6, 0: ranks 4, 2.5, 2.5, 1; with that of y 0.6, 0.8,
# -0.8, 1: ranks 2, 3, 1, 4. Deviations from 2.5: 1.5, 0, 0, -1.5 and -0.5, 0.5, -1.5, 1.5:
# products -0.75 - 2.25 = -3; squares 4.5 and 5
def test_embedding_coherence_is_spearmans_correlation_with_mean_ranks_for_ties():
    x, y, a = rows((1, 0), (3, 0)), rows((0, 1)), rows((4, 3), (3, 4), (3, -4), (0, 2))
    assert ect(x, y, a) == pytest.approx(-3 / sqrt(4.5 * 5))


def test_embedding_coherence_is_one_for_a_group_against_itself():
    x, a = drawn(2, 4, 7)
    assert ect(x, 3 * x, a) == pytest.approx(1)


# pair 1: (3, 4) / 5, pair 2: (1, 0). Words (5, 0) and (0, 10): 3, 8 and 5, 0
def test_relational_inner_product_is_the_mean_over_pairs_and_words():
    x, y, a = rows((4, 4), (2, 1)), rows((1, 0), (1, 1)), rows((5, 0), (0, 10))
    assert ripa(x, y, a) == pytest.approx((3 + 8 + 5 + 0) / 4)


# mean a (1, 0), mean b (0.6, 0.8): their difference (0.4, -0.8) has length sqrt(0.8).
# (1, 0): 0.4, (0, 3): -0.8, without sign 0.4 and 0.8
def test_same_is_the_mean_absolute_cosine_with_the_difference_of_the_attributes():
    w, a, b = rows((1, 0), (0, 3)), rows((2, 0)), rows((3, 4))
    assert same(w, a, b) == pytest.approx((0.4 + 0.8) / 2 / sqrt(0.8))


def test_same_is_the_mean_absolute_association_over_the_length_of_the_direction():
    w, a, b = drawn(3, 6, 4, 5)
    unit = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in (a, b)]
    length = np.linalg.norm(unit[0].mean(0) - unit[1].mean(0))
    assert same(w, a, b) == pytest.approx(np.abs(associations(w, a, b, "cosine")).mean() / length)


def test_two_opposite_leanings_are_no_bias_to_weat_but_are_to_same():
    x = rows((1, 0), (0, 1))
    assert weat_score(x, x, x[:1], x[1:]) == 0
    assert same(x, x[:1], x[1:]) == pytest.approx(1 / sqrt(2))


@pytest.mark.parametrize("name", ["weat", "rnd", "ripa"])
def test_exchanging_x_and_y_turns_the_sign(name):
    x, y, a, b = drawn(4, 5, 5, 4, 4)
    one = measured({"x": x, "y": y, "a": a, "b": b}, [name])
    other = measured({"x": y, "y": x, "a": a, "b": b}, [name])
    for first, second in zip(one, other, strict=True):
        assert first.value == pytest.approx(-second.value)
        assert abs(first.value) > 1e-3


@pytest.mark.parametrize("name", ["rnsb", "mac", "ect", "same"])
def test_exchanging_x_and_y_changes_nothing_where_a_measure_has_no_sides(name):
    x, y, a, b = drawn(5, 5, 5, 4, 4)
    one = measured({"x": x, "y": y, "a": a, "b": b}, [name])
    other = measured({"x": y, "y": x, "a": a, "b": b}, [name])
    for first, second in zip(one, other, strict=True):
        assert first.value == pytest.approx(second.value, abs=1e-10)


@pytest.mark.parametrize("name", ["weat", "mac", "ect", "same"])
def test_cosine_measures_do_not_see_the_length_of_a_word_of_its_own(name):
    x, y, a, b = drawn(6, 1, 1, 4, 4)
    one = measured({"x": x, "y": y, "a": a, "b": b}, [name])
    other = measured({"x": 2 * x, "y": 9 * y, "a": 3 * a, "b": b}, [name])
    for first, second in zip(one, other, strict=True):
        assert first.value == pytest.approx(second.value)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_stays_in_its_range(name):
    for seed in range(20):
        x, y, a, b = drawn(seed, 3, 3, 4, 4, width=2)
        for one in measured({"x": x, "y": y, "a": a, "b": b}, [name]):
            assert MEASURES[name].low <= one.value <= MEASURES[name].high


@pytest.mark.parametrize("name", MEASURES)
def test_an_empty_set_is_undefined_and_named(name):
    x, y, b = drawn(7, 3, 3, 4, width=2)
    found = measured({"x": x, "y": y, "a": EMPTY, "b": b}, [name])
    assert isinstance(found[0].value, Undefined)
    assert "no word" in found[0].value.why


@pytest.mark.parametrize("name", ["weat", "mac", "ect", "same"])
def test_a_zero_vector_has_no_cosine(name):
    x, y, a, b = drawn(8, 3, 3, 4, 4, width=2)
    a[1] = 0
    found = measured({"x": x, "y": y, "a": a, "b": b}, [name])
    assert "zero vector" in found[0].value.why


def test_other_undefined_cases_say_why():
    x, y, a = rows((1, 0), (-1, 0)), rows((0, 1)), rows((1, 1), (1, 2))
    assert "the mean of x" in rnd(x, y, a, distance="cosine").why
    assert "the mean of x" in ect(x, y, a).why
    assert "no pairs" in ripa(x, y, a).why
    assert "difference of a pair" in ripa(y, y, a).why
    assert "equally near" in ect(y, y, a[:1]).why
    assert "equally near" in ect(y, x[:1], rows((1, 1), (2, 2))).why
    assert "one word" in rnsb(y, x, a).why
    assert "no sets" in mac([], [a]).why
    assert "mean of a less that of b" in same(y, a, a).why
    assert "zero vector" in rnd(rows((0, 0)), y, a, distance="cosine").why
    assert rnd(rows((0, 0)), y, a) == pytest.approx((sqrt(2) - 1 + sqrt(5) - sqrt(2)) / 2)


def test_a_measure_of_another_name_is_refused_with_the_nearest_one():
    sets = dict(zip("xyab", drawn(9, 2, 2, 2, 2), strict=True))
    with pytest.raises(UnknownName, match="rnsb"):
        measured(sets, ["rnbs"])


@cache
def vectors(path):
    split = (line.split() for line in path.read_text().splitlines()[1:])
    return {word: np.array(numbers, dtype=np.float32) for word, *numbers in split}


@pytest.fixture
def words(real_data):
    """The vectors in WEFE's package of the words that the data folder has."""
    return vectors(real_data / "weat/googlenews_analogy_words.txt")


OWN = [entry for entry in GOLDEN["tests"] if set(entry["test"]) <= set(GOLDEN["sets"])]


@pytest.mark.parametrize("entry", OWN, ids=lambda entry: "-".join(entry["test"]))
def test_effect_sizes_and_measures_equal_those_of_wefe(words, entry):
    sets = {
        letter: np.array([words[word] for word in GOLDEN["sets"][name]], dtype=np.float64)
        for letter, name in zip("xyab", entry["test"], strict=True)
    }
    x, y, a, b = sets.values()
    hx, hy = associations(x, a, b, "cosine"), associations(y, a, b, "cosine")
    ours = {"d": effect_size(hx, hy, deviation="population")}
    for one in measured(sets):
        per_attribute = one.measure in {"rnd", "ect", "ripa"}
        ours[one.measure + (f".{one.sets[-1]}" if per_attribute else "")] = one.value
    for letter in "ab":
        # WEFE takes the difference of cosines, not of cosine distances
        ours[f"rnd.cosine.{letter}"] = -rnd(x, y, sets[letter], distance="cosine")
    compared = {n: v for n, v in ours.items() if n != "same" and not isinstance(v, Undefined)}
    assert len(compared) >= 9
    for name, value in compared.items():
        assert value == pytest.approx(entry["wefe"][name], abs=1e-6), name


@pytest.mark.parametrize("entry", GOLDEN["tests"], ids=lambda entry: "-".join(entry["test"]))
def test_effect_sizes_over_the_associations_equal_those_of_wefe(entry):
    hx, hy = entry["h"]
    d = effect_size(hx, hy, deviation="population")
    assert d == pytest.approx(entry["wefe"]["d"], abs=1e-6)
    assert sum(hx) - sum(hy) == pytest.approx(entry["wefe"]["weat"], abs=1e-6)


@pytest.mark.parametrize("entry", GOLDEN["tests"], ids=lambda entry: "-".join(entry["test"]))
def test_what_wefe_gives_for_rnsb_by_default_is_no_single_number(entry):
    """It trains on a random 80 % unless told otherwise; 20 seeds here."""
    value = entry["wefe"]
    assert value["rnsb.holdout.high"] > 1.05 * value["rnsb.holdout.low"]
    assert value["rnsb"] == pytest.approx(value["rnsb.default_tolerance"], abs=1e-5)
