"""Westfall and Young's maxT over tests that share their labels."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from slant.errors import DataError
from slant.stats.corrections import bonferroni
from slant.stats.maxt import max_t
from slant.stats.permutations import permutation_test


def made(tests, n, m, seed=0, shift=0.0):
    stream = np.random.default_rng(seed)
    return [(stream.normal(size=n) + shift, stream.normal(size=m)) for _ in range(tests)]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_one_test_alone_keeps_its_own_p(alternative):
    ((x, y),) = made(1, 6, 5, shift=0.8)
    exact = permutation_test(x, y, alternative=alternative, seed=0).p
    (found,) = max_t([(x, y)], ["a"], alternative=alternative, permutations=20_000, seed=0)
    assert found == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 20_000) ** 0.5 + 1e-4)


def test_the_adjusted_p_is_that_of_the_largest_statistic_over_all_splits():
    samples = made(3, 4, 4, seed=1, shift=0.7)
    pooled = np.array([np.concatenate(pair) for pair in samples])
    scaled = (pooled - pooled.mean(1, keepdims=True)) / pooled.std(1, keepdims=True)
    largest = np.array([np.abs(scaled[:, list(c)].sum(1)).max() for c in combinations(range(8), 4)])
    observed = np.abs(scaled[:, :4].sum(1))
    expected = [(largest >= value - 1e-9).mean() for value in observed]
    found = max_t(samples, ["xy"] * 3, permutations=40_000, seed=0)
    assert found == pytest.approx(expected, abs=4 * 0.5 / 200)


def test_equal_tests_on_one_labelling_cost_nothing_and_on_two_labellings_do():
    ((x, y),) = made(1, 8, 8, seed=2, shift=0.9)
    alone = max_t([(x, y)], ["a"], permutations=5000, seed=0)[0]
    together = max_t([(x, y)] * 10, ["a"] * 10, permutations=5000, seed=0)
    assert together.tolist() == [alone] * 10
    apart = max_t([(x, y)] * 10, list(range(10)), permutations=5000, seed=0)
    # ten independent tests: 1 - (1 - p)**10
    assert apart[0] == pytest.approx(1 - (1 - alone) ** 10, abs=0.03)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_labellings_of_other_sizes_compare_in_standard_deviations_and_are_independent(alternative):
    samples = [*made(1, 3, 4, seed=6, shift=0.8), *made(1, 6, 6, seed=7, shift=0.8)]
    every, observed = [], []
    for x, y in samples:
        pooled, splits = np.concatenate([x, y]), list(combinations(range(x.size + y.size), x.size))
        apart = np.array([pooled[list(c)].mean() - np.delete(pooled, c).mean() for c in splits])
        z = apart / apart.std()
        z = {"two-sided": np.abs(z), "greater": z, "less": -z}[alternative]
        every.append(z)
        observed.append(z[0])
    # the largest of two independent ones stays below t with the product of the chances
    expected = [1 - np.prod([(z < t - 1e-9).mean() for z in every]) for t in observed]
    found = max_t(samples, ["a", "b"], alternative=alternative, permutations=40_000, seed=0)
    assert found == pytest.approx(expected, abs=4 * 0.5 / 200 + 1e-4)


def test_it_is_never_much_above_bonferroni_and_never_below_the_tests_own_p():
    samples = made(5, 7, 7, seed=3, shift=0.9)
    own = np.array([permutation_test(x, y, seed=0).p for x, y in samples])
    found = max_t(samples, ["xy"] * 5, permutations=20_000, seed=0)
    error = 4 * np.sqrt(found * (1 - found) / 20_000) + 1e-4
    assert (found <= bonferroni(own) + error).all()
    assert (found >= own - error).all()


def test_it_keeps_any_false_finding_to_its_level_over_null_families():
    wrong = 0
    for seed in range(300):
        stream = np.random.default_rng([9, seed])
        shared = stream.normal(size=12)
        rows = 0.7 * shared + 0.7 * stream.normal(size=(6, 12))
        samples = [(row[:6], row[6:]) for row in rows]
        wrong += max_t(samples, ["xy"] * 6, permutations=199, seed=seed).min() <= 0.05
    # 15 of 300 expected at most; 4 standard deviations are 15
    assert 2 <= wrong <= 30


def test_order_of_tests_and_scale_of_their_numbers_change_nothing():
    samples = made(4, 5, 6, seed=4, shift=0.5)
    found = max_t(samples, ["xy"] * 4, permutations=2000, seed=0)
    turned = max_t(samples[::-1], ["xy"] * 4, permutations=2000, seed=0)
    assert turned[::-1].tolist() == found.tolist()
    scaled = [(1e6 * x + 3, 1e6 * y + 3) for x, y in samples]
    assert max_t(scaled, ["xy"] * 4, permutations=2000, seed=0).tolist() == found.tolist()


def test_a_test_without_spread_has_p_one_and_leaves_the_others_alone():
    samples = made(2, 5, 5, seed=5, shift=1.0)
    found = max_t(samples, ["xy"] * 2, permutations=1000, seed=0)
    flat = ([0.1] * 5, [0.1] * 5)
    with_flat = max_t([*samples, flat], ["xy"] * 3, permutations=1000, seed=0)
    assert with_flat.tolist() == [*found.tolist(), 1.0]


def test_no_tests_have_no_p_and_unlike_samples_of_one_labelling_are_refused():
    assert max_t([], [], seed=0).tolist() == []
    with pytest.raises(DataError, match="shapes"):
        max_t([([1, 2], [3]), ([1, 2], [3, 4])], ["a", "a"], permutations=10, seed=0)
    with pytest.raises(DataError, match="shapes"):
        max_t([([], [3])], ["a"], permutations=10, seed=0)
