"""The permutation test: against plain enumeration, by hand, and as a test under the null."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest
from scipy.stats import permutation_test as scipy_test

from slant.errors import DataError, OptionError
from slant.stats import relabelling
from slant.stats.permutations import permutation_test, permuted_many
from slant.stats.relabelling import relabelled

EXACT = ["enumeration", "meet-in-the-middle"]
SIZES = [(1, 1), (1, 4), (2, 2), (3, 5), (5, 3), (4, 4), (6, 2)]
FEW = st.lists(st.integers(-3, 3), min_size=1, max_size=4)


def plain(x, y, alternative="two-sided", strict=False):
    """The share of splits at least as extreme, from every split and Python's own arithmetic."""
    pooled, n = [*x, *y], len(x)
    found = []
    for chosen in combinations(range(len(pooled)), n):
        rest = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        found.append(sum(pooled[i] for i in chosen) / n - sum(rest) / len(rest))
    if alternative == "two-sided":
        found = [abs(value) for value in found]
    if alternative == "less":
        found = [-value for value in found]
    observed = found[0]
    if strict:
        return sum(value > observed + 1e-9 for value in found) / len(found)
    return sum(value >= observed - 1e-9 for value in found) / len(found)


def two_samples(n, m, seed=0, shift=0.5):
    stream = np.random.default_rng([seed, n, m])
    return stream.normal(size=n) + shift, stream.normal(size=m)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", EXACT)
def test_exact_counts_equal_plain_enumeration(method, alternative, strict):
    for n, m in SIZES:
        x, y = two_samples(n, m)
        found = permutation_test(
            x, y, alternative=alternative, method=method, strict=strict, seed=0
        )
        assert found.p == pytest.approx(plain(x, y, alternative, strict), abs=1e-14)
        assert found.low == found.high == found.p
        assert found.splits == comb(n + m, n)
        assert found.error is None


@given(FEW, FEW, st.sampled_from(["two-sided", "greater", "less"]), st.booleans())
@settings(deadline=None, max_examples=60)
def test_ties_are_counted_as_ties_whatever_the_scale(x, y, alternative, strict):
    # thirds and tenths of whole numbers have no exact float, so that equal sums differ by rounding
    expected = plain(x, y, alternative, strict)
    for scale in (1.0, 0.1, 1 / 3, 1e-9):
        values = [np.array(v) * scale for v in (x, y)]
        for method in EXACT:
            found = permutation_test(
                *values, alternative=alternative, method=method, strict=strict, seed=0
            )
            assert found.p == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_p_is_scipys(alternative):
    x, y = two_samples(5, 4)
    expected = scipy_test(
        (x, y), lambda x, y, axis: x.mean(axis) - y.mean(axis), alternative=alternative,
        n_resamples=np.inf, vectorized=True,
    )  # fmt: skip
    found = permutation_test(x, y, alternative=alternative, seed=0)
    assert found.p == pytest.approx(expected.pvalue)


def test_meet_in_the_middle_equals_enumeration_where_both_are_large():
    for n, m in ((10, 11), (11, 11), (4, 40)):
        x, y = two_samples(n, m, seed=1)
        by_all, by_halves = (permutation_test(x, y, method=method, seed=0) for method in EXACT)
        assert by_all.p == by_halves.p
        assert by_all.ties == by_halves.ties


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("n", "m"), [(13, 13), (14, 12), (3, 30), (1, 5)])
def test_a_lattice_count_brackets_the_exact_p(n, m, alternative, strict):
    for seed in range(3):
        x, y = two_samples(n, m, seed=seed, shift=0.8)
        exact = permutation_test(x, y, alternative=alternative, strict=strict, seed=0)
        found = permutation_test(
            x, y, alternative=alternative, strict=strict, method="lattice", seed=0
        )
        assert found.low <= exact.p <= found.high == found.p
        assert found.high <= max(1.02 * found.low, found.low + 2 / exact.splits)


def test_a_lattice_count_of_25_words_a_set_is_narrow_and_agrees_with_monte_carlo():
    x, y = two_samples(25, 25, seed=2, shift=0.6)
    found = permutation_test(x, y, seed=0)
    assert found.method == "lattice"
    assert 1 < found.high / found.low < 1.01
    drawn = permutation_test(x, y, method="monte-carlo", permutations=100_000, seed=0)
    assert drawn.low <= found.high
    assert drawn.high >= found.low


def test_methods_follow_from_the_sizes():
    for n, m, method in (
        (12, 12, "enumeration"), (13, 13, "meet-in-the-middle"),
        (3, 100, "enumeration"), (23, 23, "lattice"), (150, 150, "monte-carlo"),
    ):  # fmt: skip
        x, y = two_samples(n, m)
        assert permutation_test(x, y, permutations=1000, seed=0).method == method


def test_monte_carlo_comes_near_the_exact_p_within_its_own_error():
    x, y = two_samples(8, 8, seed=3)
    exact = permutation_test(x, y, seed=0)
    inside = 0
    for seed in range(40):
        found = permutation_test(x, y, method="monte-carlo", permutations=4000, seed=seed)
        assert abs(found.p - exact.p) < 5 * found.error + 1 / 4000
        inside += found.low <= exact.p <= found.high
    # 95 % intervals: fewer than 33 of 40 has a chance of 3e-3
    assert inside >= 33


def test_monte_carlo_counts_the_observed_split_as_one_of_the_draws():
    x, y = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    found = permutation_test(x, y, method="monte-carlo", permutations=99, seed=5)
    b = round(found.p * 100 - 1)
    assert found.p == pytest.approx((b + 1) / 100)
    assert found.p >= found.smallest == 0.01
    assert found.error == pytest.approx((found.p * (1 - found.p) / 99) ** 0.5)


@pytest.mark.parametrize("block", [1, 7, 1000, 1 << 16])
def test_the_same_seed_gives_the_same_numbers_whatever_the_blocks(block, monkeypatch):
    x, y = two_samples(6, 9, seed=4)
    first = permutation_test(x, y, method="monte-carlo", permutations=1003, seed=9)
    many = permuted_many([x, -x], [y, -y], method="monte-carlo", permutations=1003, seed=9)
    monkeypatch.setattr(relabelling, "_BLOCK", block)
    assert permutation_test(x, y, method="monte-carlo", permutations=1003, seed=9) == first
    again = permuted_many([x, -x], [y, -y], method="monte-carlo", permutations=1003, seed=9)
    assert again == many
    assert many[0] == first


def test_other_seeds_and_names_draw_other_splits():
    x, y = two_samples(6, 6, seed=4)
    found = {
        permutation_test(x, y, method="monte-carlo", permutations=500, seed=s, names=names).p
        for s in (0, 1, 2) for names in ((), ("a",), ("b",))
    }  # fmt: skip
    assert len(found) > 4


def test_every_choice_is_drawn_equally_often():
    stream = np.random.default_rng(0)
    blocks = list(relabelled(2 ** np.arange(5), 2, 20_000, stream))
    codes = np.concatenate([block.sum(axis=0) for block in blocks])
    kinds, often = np.unique(codes, return_counts=True)
    # 10 choices of 2 of 5, 2,000 each; 4.5 standard deviations are 191
    assert len(kinds) == 10
    assert np.abs(often - 2000).max() < 191


@pytest.mark.parametrize("method", [*EXACT, "lattice", "monte-carlo"])
def test_exchanging_x_and_y_leaves_the_two_sided_p(method):
    for n, m in ((4, 4), (7, 5), (2, 9)):
        x, y = two_samples(n, m, seed=6)
        here, there = (
            permutation_test(*pair, method=method, permutations=2000, seed=0)
            for pair in ((x, y), (y, x))
        )
        if method == "monte-carlo" and n == m:
            assert here.p == pytest.approx(there.p, abs=5 * here.error)
        else:
            assert here.p == there.p


def test_a_constant_added_to_all_numbers_leaves_p_also_with_unequal_sizes():
    x, y = two_samples(3, 9, seed=7)
    plain_p = permutation_test(x, y, seed=0).p
    assert permutation_test(x + 5, y + 5, seed=0).p == plain_p
    assert permutation_test(-x, -y, seed=0).p == plain_p


def test_several_tests_on_shared_labels_are_those_of_each_alone():
    stream = np.random.default_rng(8)
    x, y = stream.normal(size=(5, 6)) + 0.5, stream.normal(size=(5, 4))
    for method in ("auto", "monte-carlo"):
        together = permuted_many(x, y, method=method, permutations=3000, seed=1)
        alone = [
            permutation_test(*pair, method=method, permutations=3000, seed=1)
            for pair in zip(x, y, strict=True)
        ]
        assert together == alone
    assert permuted_many(np.empty((0, 3)), np.empty((0, 3)), seed=0) == []


def test_the_smallest_p_is_reached_by_samples_that_do_not_overlap():
    low, high = np.arange(8.0), np.arange(8.0) + 100
    two = permutation_test(high, low, seed=0)
    assert two.p == two.smallest == 2 / 12870
    one = permutation_test(high, low, alternative="greater", seed=0)
    assert one.p == one.smallest == 1 / 12870
    strict = permutation_test(high, low, strict=True, seed=0)
    assert (strict.p, strict.smallest, strict.ties) == (0.0, 0.0, 2)
    uneven = permutation_test([100.0], [1.0, 2.0, 3.0, 4.0], seed=0)
    assert uneven.p == uneven.smallest == 1 / 5


def test_tiny_sets_and_equal_numbers_have_p_one():
    assert permutation_test([1.0], [2.0], seed=0).p == 1
    for n, m in ((3, 3), (2, 5), (30, 30)):
        for method in ("auto", "lattice", "monte-carlo"):
            found = permutation_test(
                np.full(n, 0.1), np.full(m, 0.1), method=method, permutations=50, seed=0
            )
            assert found.p == 1
    # sums 1 + 4 and 2 + 3: no difference
    assert permutation_test([1, 4], [2, 3], seed=0).p == 1


def test_a_sum_that_only_rounding_tells_apart_is_a_tie():
    # 0.1 + 0.2 is not 0.3 in floats: splits {.1,.2} / {.3,0} have difference 0 up to rounding,
    # so that every split is at least as extreme
    found = permutation_test([0.1, 0.2], [0.3, 0.0], seed=0)
    assert found.p == 1
    assert found.ties == 2
    assert 0 < found.tolerance < 1e-11


@pytest.mark.parametrize(
    ("x", "y"), [([], [1.0]), ([1.0], []), ([np.nan], [1.0]), ([[1.0]], [1.0]), ([np.inf], [1.0])]
)
def test_samples_without_numbers_are_refused(x, y):
    with pytest.raises(DataError, match="Permuting"):
        permutation_test(x, y, seed=0)


def test_what_cannot_be_counted_or_is_no_method_is_refused():
    x, y = two_samples(30, 30)
    with pytest.raises(OptionError, match="too many"):
        permutation_test(x, y, method="enumeration", seed=0)
    with pytest.raises(OptionError, match="no such method"):
        permutation_test(x, y, method="guess", seed=0)
    with pytest.raises(OptionError, match="two-sided, greater or less"):
        permutation_test(x, y, alternative="bigger", seed=0)
    with pytest.raises(OptionError, match="0 permutations"):
        permutation_test(x, y, method="monte-carlo", permutations=0, seed=0)


@pytest.mark.parametrize("replicas", [1, 8])
def test_p_is_uniform_over_null_data_for_one_replica_and_for_the_mean_of_eight(replicas):
    stream = np.random.default_rng(11)
    p = np.empty(2000)
    for k in range(p.size):
        shared = stream.normal(size=16)
        h = 0.9**0.5 * shared + 0.1**0.5 * stream.normal(size=(replicas, 16))
        mean = h.mean(axis=0)
        found = permutation_test(mean[:8], mean[8:], seed=0)
        # p lies on a grid of 2 / 12870: moved to a random place of its cell it is uniform
        p[k] = found.p - stream.random() * found.smallest
    assert kstest(p, "uniform").pvalue > 0.01
    # 5 % of 2,000 within 4 standard deviations
    assert abs((p < 0.05).sum() - 100) < 4 * (2000 * 0.05 * 0.95) ** 0.5
