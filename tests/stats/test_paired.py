"""Paired tests: against scipy, by hand, and against every choice of signs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from slant.errors import DataError, OptionError
from slant.stats.paired import (
    MET,
    mean_interval,
    paired_t,
    sign_flip_test,
    sign_flip_tests,
)
from slant.types import Undefined

FLIPS = {"permutations": 20_000, "seed": 42}


def brute(differences):
    """The share of all choices of signs with a sum at least as far from 0."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(total >= observed - 1e-9 for total in sums) / len(sums)


@given(st.integers(0, 10**6), st.integers(3, 60))
@settings(max_examples=50, deadline=None)
def test_the_t_test_is_that_of_scipy(seed, n):
    stream = np.random.default_rng(seed)
    first, second = stream.random(n), stream.random(n)
    ours, theirs = paired_t(first, second, level=0.9), stats.ttest_rel(first, second)
    low, high = theirs.confidence_interval(0.9)
    assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert (ours.low, ours.high) == pytest.approx((low, high))
    assert ours.better + ours.worse + ours.equal == n


def test_two_conditions_with_the_same_scores_do_not_differ():
    test = paired_t([0.2, 0.7, 1], [0.2, 0.7, 1], level=0.95)
    assert (test.difference, test.low, test.high, test.p) == (0, 0, 0, 1)
    assert test.t is None
    assert test.why == "the two are the same on every unit"
    assert (test.better, test.worse, test.equal) == (0, 0, 3)
    assert sign_flip_test([0, 0, 0], **FLIPS).p == 1


def test_one_difference_on_all_units_gives_no_t_test_but_a_count_of_signs():
    test = paired_t([0.3, 0.5, 0.7], [0.1, 0.3, 0.5], level=0.95)  # 0.2, but for the last bit
    assert test.difference == pytest.approx(0.2)
    assert (test.t, test.p, test.low) == (None, None, None)
    assert test.why == "the difference is the same on every unit"
    assert sign_flip_test([0.2, 0.2, 0.2], **FLIPS).p == 2 / 8


def test_one_unit_gives_no_t_test():
    assert paired_t([1], [0], level=0.95).why == "there is one unit only"


def test_the_interval_holds_0_where_p_is_above_its_complement():
    # d = 2, 1, 3, -1: mean 1.25, s = 1.7078, t = 1.4639 with 3 degrees of freedom
    test = paired_t([2, 1, 3, -1], [0, 0, 0, 0], level=0.95)
    assert test.t == pytest.approx(1.25 / (1.707825 / 2), abs=1e-5)
    assert test.p == pytest.approx(0.23948, abs=1e-4)
    assert test.low < 0 < test.high
    close = paired_t([2, 1, 3, -1], [0, 0, 0, 0], level=1 - test.p)
    assert close.low == pytest.approx(0, abs=1e-9)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
@settings(max_examples=60, deadline=None)
def test_signs_are_counted_as_by_brute_force(differences):
    found = sign_flip_test(differences, **FLIPS)
    assert found.p == pytest.approx(brute(differences), abs=1e-12)
    assert found.p == found.low == found.high
    assert found.differing == sum(d != 0 for d in differences)


def test_rounding_does_not_break_ties_of_sums():
    # 0.1 + 0.2 is not 0.3 in floating point: |0.3 - 0.1 - 0.2| and exact 0 must not be told apart
    differences = [0.1, 0.2, -0.3, 0.1, 0.2, -0.3]
    assert sign_flip_test(differences, **FLIPS).p == brute(differences) == 1


@pytest.mark.parametrize("n", [9, 12, 13])
def test_halves_that_meet_count_what_enumeration_counts(n, monkeypatch):
    monkeypatch.setattr("slant.stats.paired.ENUMERATED", 8)
    own = np.random.default_rng(n).normal(0.3, 1, n)
    found = sign_flip_test(own, **FLIPS)
    assert found.method == "meet-in-the-middle"
    assert found.p == pytest.approx(brute(own.tolist()), abs=1e-12)


def test_the_largest_exact_count_is_near_what_drawing_gives():
    own = np.random.default_rng(8).normal(0.25, 1, MET)
    found = sign_flip_test(own, **FLIPS)
    signs = 1 - 2 * np.random.default_rng(9).integers(0, 2, (20_000, MET))
    drawn = np.mean(np.abs(signs @ own) >= abs(own.sum()))
    assert found.method == "meet-in-the-middle"
    assert found.p == pytest.approx(drawn, abs=0.015)


def test_units_without_a_difference_change_nothing():
    own = [0.5, -0.25, 0.75, 0.1]
    padded = own + [0.0] * 60
    assert sign_flip_test(padded, **FLIPS) == sign_flip_test(own, **FLIPS)


def test_drawn_signs_come_near_the_normal_law_and_never_give_0():
    stream = np.random.default_rng(5)
    own = stream.normal(0.2, 1, MET + 40)
    found = sign_flip_test(own, **FLIPS)
    # the sum of many numbers with random signs: normal with variance sum d^2
    near = 2 * stats.norm.sf(abs(own.sum()) / np.sqrt((own**2).sum()))
    assert found.method == "monte-carlo"
    assert found.low <= found.p <= found.high
    assert found.p == pytest.approx(near, abs=0.02)
    assert sign_flip_test(np.ones(60), **FLIPS).p == 1 / 20_001


def test_a_row_among_others_has_the_p_that_it_has_alone():
    rows = np.random.default_rng(6).normal(0.1, 1, (5, MET + 20))
    rows[2, 10:] = 0
    together = sign_flip_tests(rows, **FLIPS)
    assert together == [sign_flip_test(row, **FLIPS) for row in rows]
    assert [one.method for one in together].count("monte-carlo") == 4
    assert sign_flip_tests(np.empty((0, 5)), **FLIPS) == []


def test_the_interval_of_a_mean_is_that_of_scipy():
    own = [0.0, 0.5, 1.0, 0.25]
    found = mean_interval(own, level=0.95)
    low, high = stats.ttest_1samp(own, 0).confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx((0.4375, low, high))
    assert mean_interval([1.0], level=0.95).low is None
    assert isinstance(mean_interval([], level=0.95), Undefined)


@pytest.mark.parametrize(
    ("first", "second"), [([], []), ([1, 2], [1]), ([1, np.nan], [1, 2]), ([[1]], [[1]])]
)
def test_what_cannot_be_paired_is_refused(first, second):
    with pytest.raises(DataError, match="Comparing two conditions"):
        paired_t(first, second, level=0.95)


def test_signs_that_cannot_be_exchanged_are_refused():
    with pytest.raises(DataError, match="Exchanging signs"):
        sign_flip_test([np.inf, 1], **FLIPS)
    with pytest.raises(DataError, match="Exchanging signs"):
        sign_flip_tests([[]], **FLIPS)
    with pytest.raises(OptionError, match="0 were asked for"):
        sign_flip_test([1.0], permutations=0, seed=1)
