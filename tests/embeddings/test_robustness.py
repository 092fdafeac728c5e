"""Leave-one-word-out, split-half reliability and the place among shuffled corpora."""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from slant.embeddings.association import associations, effect_size, vocabulary_spread
from slant.embeddings.directions import vocabulary_covariance
from slant.embeddings.robustness import leave_one_word_out, placed_in_null, split_half
from slant.types import Undefined

EMPTY = np.empty((0, 2))
ROOT = Path(__file__).parents[2]


def rows(*vectors):
    return np.array(vectors, dtype=float)


def drawn(seed, *sizes, width=4):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(size, width)) for size in sizes]


def at(*degrees):
    return np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], axis=1)


# a (1, 0), b (0, 1): h = cos - sin. x: (1, 0) 1 and (0, 1) -1, y: (0, 3) -1, so that without the
# second word of x: 1 and -1, which are one word a set; without the first: no difference
def test_two_sets_of_one_word_have_no_effect_size_left():
    out = leave_one_word_out(rows((1, 0), (0, 1)), rows((0, 3)), rows((1, 0)), rows((0, 1)))
    assert [(one.set, one.row) for one in out] == [
        ("x", 0), ("x", 1), ("y", 0), ("a", 0), ("b", 0)
    ]  # fmt: skip
    assert all("one word a set" in one.d.why for one in out[:2])
    assert all("no other word" in one.d.why for one in out[2:])


# h of x: 1, 1, -1, of y: -1, -1. Without x's third word: means 1 and -1; the deviation with n - 1
# of 1, 1, -1, -1 is sqrt(4 / 3): d = sqrt(3). Without its first: mean 0, -1; of 1, -1, -1, -1 the
# squares are 1.5^2 + 3 x 0.5^2 = 3, deviation 1: d = 1
def test_without_the_word_that_stands_apart_the_effect_is_greater():
    x, y = rows((1, 0), (2, 0), (0, 1)), rows((0, 1), (0, 2))
    out = leave_one_word_out(x, y, rows((1, 0)), rows((0, 1)))
    assert [one.d for one in out[:3]] == pytest.approx([1, 1, sqrt(3)])


@pytest.mark.parametrize("measure", ["cosine", "projection"])
@pytest.mark.parametrize("deviation", ["sample", "population"])
def test_each_left_out_word_gives_the_effect_size_of_the_rest(measure, deviation):
    sets = dict(zip("xyab", drawn(1, 4, 6, 5, 3), strict=True))
    out = leave_one_word_out(**sets, measure=measure, deviation=deviation)
    assert len(out) == 4 + 6 + 5 + 3
    for one in out:
        rest = sets | {one.set: np.delete(sets[one.set], one.row, axis=0)}
        h = [associations(rest[name], rest["a"], rest["b"], measure) for name in "xy"]
        assert one.d == pytest.approx(effect_size(*h, deviation=deviation))


@pytest.mark.parametrize("measure", ["cosine", "projection"])
def test_with_a_covariance_the_deviation_is_that_of_the_whole_vocabulary(measure):
    sets = dict(zip("xyab", drawn(2, 4, 3, 5, 3), strict=True))
    (matrix,) = drawn(3, 50)
    covariance = vocabulary_covariance(matrix, measure, block=7)
    for one in leave_one_word_out(**sets, measure=measure, covariance=covariance):
        rest = sets | {one.set: np.delete(sets[one.set], one.row, axis=0)}
        h = [associations(rest[name], rest["a"], rest["b"], measure) for name in "xy"]
        spread = vocabulary_spread(matrix, rest["a"], rest["b"], measure)
        assert one.d == pytest.approx(effect_size(*h, spread=spread))


# (1, 0) and (0, 1) around (0.5, 0.5): each dimension 0.25, together -0.25
def test_a_word_without_a_direction_does_not_count_in_the_vocabulary():
    matrix = rows((4, 0), (0, 0), (0, 2))
    assert vocabulary_covariance(matrix, "cosine").tolist() == [[0.25, -0.25], [-0.25, 0.25]]


def test_exchanging_x_and_y_turns_the_sign_of_every_left_out_effect():
    x, y, a, b = drawn(4, 5, 5, 4, 4)
    one = {(out.set, out.row): out.d for out in leave_one_word_out(x, y, a, b)}
    other = {(out.set, out.row): out.d for out in leave_one_word_out(y, x, a, b)}
    exchanged = {"x": "y", "y": "x", "a": "a", "b": "b"}
    for (name, row), d in one.items():
        assert other[exchanged[name], row] == pytest.approx(-d)


def test_words_that_do_not_differ_have_no_effect_size():
    x = rows((1, 0), (2, 0))
    out = leave_one_word_out(x, rows((3, 0), (4, 0)), rows((1, 1)), rows((0, 1)))
    assert "same association" in out[0].d.why


def test_robustness_of_an_empty_set_or_a_zero_vector_is_undefined():
    x = rows((1, 0), (0, 1))
    assert "x has no word" in leave_one_word_out(EMPTY, x, x, x).why
    assert "zero vector" in leave_one_word_out(x, rows((0, 0)), x, x).why
    assert "b has no word" in split_half(x, x, x, EMPTY, seed=1).targets.why


# both halves of a are the same direction, and so are those of b, hence the same h: r = 1
def test_halves_that_say_the_same_are_wholly_reliable():
    x, y = at(10, 40), at(60, 80)
    found = split_half(x, y, at(0, 0, 0, 0), at(90, 90), draws=5, seed=1)
    assert found.attributes == pytest.approx(1)


# a halves to one word each; b's are alike. Two halvings are possible, (1, 0) | (0, 1) or the other
# way, with the same r: of h = 1, 0, -1 and -h', here worked out below
def test_split_half_is_spearman_browns_of_the_correlation_of_the_halves():
    w = at(0, 30, 80, 120)
    x, y = w[:2], w[2:]
    a, b = at(10, 70), at(200, 200)
    h1, h2 = (w @ one - w @ b[0] for one in a)
    r = np.corrcoef(h1, h2)[0, 1]
    assert abs(r) < 0.95
    found = split_half(x, y, a, b, draws=50, seed=3)
    assert found.attributes == pytest.approx(2 * r / (1 + r))


def test_the_reliability_over_targets_is_that_over_attributes_with_the_roles_exchanged():
    x, y, a, b = drawn(5, 4, 4, 4, 4)
    one = split_half(x, y, a, b, draws=4000, seed=1)
    other = split_half(a, b, x, y, draws=4000, seed=1)
    assert one.targets == pytest.approx(other.attributes, abs=0.05)
    assert one.attributes != pytest.approx(one.targets, abs=0.05)


def test_the_same_seed_draws_the_same_halves():
    x, y, a, b = drawn(6, 5, 5, 5, 5)
    assert split_half(x, y, a, b, draws=30, seed=1) == split_half(x, y, a, b, draws=30, seed=1)
    assert split_half(x, y, a, b, draws=30, seed=1) != split_half(x, y, a, b, draws=30, seed=2)


def test_reliability_does_not_depend_on_which_set_is_named_first():
    x, y, a, b = drawn(7, 6, 6, 6, 6)
    one, other = (split_half(*s, draws=3000, seed=1) for s in ((x, y, a, b), (y, x, b, a)))
    assert one.attributes == pytest.approx(other.attributes, abs=0.05)
    assert one.targets == pytest.approx(other.targets, abs=0.05)


# h(w) = t(w) + noise over each attribute; a and b of p words each have noise of variance s / p in
# each mean: the reliability is var t / (var t + 2 s / p)
def test_reliability_recovers_what_was_planted():
    rng = np.random.default_rng(8)
    words, p, noise = 4000, 10, 2.0
    truth = np.sqrt(2) * rng.normal(size=words)
    sides = [
        truth[:, None] / 2 + noise * rng.normal(size=(words, p)),
        -truth[:, None] / 2 + noise * rng.normal(size=(words, p)),
    ]
    eye = np.eye(2 * p)
    w = np.hstack(sides)
    found = split_half(
        w[: words // 2], w[words // 2 :], eye[:p], eye[p:], measure="projection", draws=40, seed=1
    )
    assert found.attributes == pytest.approx(2 / (2 + 2 * noise**2 / p), abs=0.02)


def test_reliability_is_undefined_where_there_are_no_halves_or_too_few_words():
    x, y, a, b = drawn(9, 2, 2, 2, 2)
    assert "no halves" in split_half(x, y, a[:1], b, seed=1).attributes.why
    assert "three words" in split_half(x[:1], y[:1], a, b, seed=1).attributes.why
    flat = split_half(rows((1, 0), (1, 0)), rows((1, 0), (1, 0)), a[:, :2], b[:, :2], seed=1)
    assert "same for all words" in flat.attributes.why


# greater: of 0.9, 1.5, -2 one is at least 1.2: (1 + 1) / 4. less: 0.9 and -2: 3 / 4. Two-sided:
# the mean of all four is 0.4; distances 0.5, 1.1, 2.4 against 0.8: 3 / 4
def test_the_place_in_the_null_counts_those_at_least_as_extreme():
    null = np.array([0.9, 1.5, -2.0])
    p = {
        side: placed_in_null(1.2, null, alternative=side).p
        for side in ("greater", "less", "two-sided")
    }
    assert p == {"greater": 0.5, "less": 0.75, "two-sided": 0.75}


def test_an_effect_on_the_other_side_of_a_null_that_is_off_zero_is_extreme():
    null = np.linspace(0.9, 1.1, 19)
    found = placed_in_null(-1.0, null)
    assert found.p == found.smallest == pytest.approx(1 / 20)
    assert found.mean == pytest.approx(1)
    # squares of 0, +-d, ..., +-9 d with d = 0.2 / 18: 2 d^2 x 285, over 18
    assert found.deviation == pytest.approx(0.2 / 18 * sqrt(570 / 18))


def test_equal_values_count_as_at_least_as_extreme():
    assert placed_in_null(0.1 + 0.2, np.array([0.3, 0.0]), alternative="greater").p == 2 / 3


# by exchangeability p <= 0.1 in a tenth of the cases where the observed one is like the null ones:
# 2,000 draws, five standard errors of 0.0067
@pytest.mark.parametrize("side", ["greater", "less", "two-sided"])
def test_the_place_in_the_null_is_uniform_where_there_is_nothing(side):
    rng = np.random.default_rng(10)
    values = 3 + rng.exponential(size=(2000, 20))
    p = np.array([placed_in_null(v[0], v[1:], alternative=side).p for v in values])
    assert np.mean(p <= 0.1 + 1e-9) == pytest.approx(0.1, abs=0.034)


def test_without_shuffled_corpora_there_is_no_place():
    assert isinstance(placed_in_null(1.0, np.empty(0)), Undefined)
    assert isinstance(placed_in_null(1.0, np.array([0.5])).deviation, Undefined)


STEADY = [
    ("WEAT1", "1.50", "1.46 (kill)", "1.59 (dragonfly)", "0.95", "0.96"),
    ("WEAT6", "1.81", "1.80 (relatives)", "1.83 (marriage)", "0.97", "0.97"),
    ("WEAT7", "1.06", "0.82 (woman)", "1.29 (symphony)", "0.41", "0.61"),
    ("WEAT9", "1.38", "0.87 (chronic)", "1.62 (forever)", "0.48", "0.93"),
]


@pytest.mark.parametrize("row", STEADY, ids=lambda row: row[0])
def test_the_page_on_steadiness_says_what_comes_out(real_data, row):
    study, *said = row
    page = (ROOT / "docs/associations.md").read_text()
    assert any(
        line.startswith(f"| {study} ") and line.endswith(" | ".join(said) + " |")
        for line in page.splitlines()
    )
    words = {}
    for line in (real_data / "weat/cbn_items.tsv").read_text().splitlines()[1:]:
        name, condition, _, word = line.split("\t")
        if name == study:
            words.setdefault(condition, []).append(word)
    table = vectors(real_data / "weat/glove840b_items_shared.txt")
    sets = dict(
        zip("xyab", [[w for w in named if w in table] for named in words.values()], strict=True)
    )
    arrays = {name: np.stack([table[word] for word in named]) for name, named in sets.items()}
    x, y, a, b = arrays.values()
    d = effect_size(associations(x, a, b, "cosine"), associations(y, a, b, "cosine"))
    out = leave_one_word_out(x, y, a, b)
    ends = [chosen(out, key=lambda one: one.d) for chosen in (min, max)]
    halves = split_half(x, y, a, b, seed=42)
    assert [
        f"{d:.2f}",
        *(f"{one.d:.2f} ({sets[one.set][one.row]})" for one in ends),
        f"{halves.attributes:.2f}",
        f"{halves.targets:.2f}",
    ] == said


@cache
def vectors(path):
    split = (line.split(" ") for line in path.read_text().splitlines())
    return {word: np.array(numbers, dtype=float) for word, *numbers in split}
