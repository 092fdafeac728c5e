"""Counting choices by their sum: three ways that agree, by hand and with Python's own."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from slant.stats.splitcounts import (
    all_sums,
    enumerable,
    enumerated,
    lattice_shares,
    latticed,
    meetable,
    met,
)


def test_all_sums_are_those_of_all_combinations():
    values = np.random.default_rng(0).normal(size=9)
    for size in range(10):
        expected = sorted(sum(chosen) for chosen in combinations(values, size))
        assert sorted(all_sums(values, size)) == pytest.approx(expected)


@pytest.mark.parametrize("count", [enumerated, met])
@pytest.mark.parametrize(("total", "size"), [(1, 1), (2, 1), (7, 3), (10, 5), (11, 9), (12, 2)])
def test_choices_at_or_above_a_sum_are_counted(count, total, size):
    values = np.arange(total) ** 2.0
    sums = [sum(chosen) for chosen in combinations(values, size)]
    thresholds = [-1.0, 0.0, 20.0, 41.0, float(max(sums)), max(sums) + 1.0]
    expected = [sum(s >= t for s in sums) for t in thresholds]
    assert count(values, size, thresholds) == expected


@pytest.mark.parametrize("grid", [8, 100, 10_000])
def test_a_lattice_brackets_the_share_at_every_threshold_and_grid(grid):
    values = np.random.default_rng(1).normal(size=14)
    thresholds = np.quantile(all_sums(values, 5), [0.0, 0.01, 0.3, 0.77, 0.999, 1.0]).tolist()
    exact = enumerated(values, 5, thresholds)
    found = lattice_shares(values, 5, thresholds, grid)
    for (low, high), number in zip(found, exact, strict=True):
        assert low <= number / comb(14, 5) <= high


@pytest.mark.parametrize("fraction", [0.4, 0.6])
def test_a_lattice_holds_the_share_where_all_rounding_goes_one_way(fraction):
    # five of 0 and 1 to 9 with a fraction: step 1, errors 0.4 or -0.4, up to 2 for a sum
    values = np.concatenate([[0.0], np.arange(1, 10) + fraction])
    sums = all_sums(values, 5)
    reach = round(float(sums.max()))
    assert reach == pytest.approx(35 + 5 * fraction)
    thresholds = np.unique(sums.round(9)).tolist()
    exact = [int((sums >= t - 1e-6).sum()) for t in thresholds]
    nudged = [t - 1e-6 for t in thresholds]
    found = lattice_shares(values, 5, nudged, reach)
    for (low, high), number in zip(found, exact, strict=True):
        assert low <= number / comb(10, 5) <= high
    wide = [high - low for low, high in found]
    assert max(wide) > 0.05


def test_a_finer_lattice_has_a_narrower_bracket():
    values = np.random.default_rng(2).normal(size=20)
    width = []
    for grid in (100, 1_000, 10_000):
        ((low, high),) = lattice_shares(values, 10, [5.0], grid)
        width.append(high - low)
    assert width[0] > 4 * width[1] > 16 * width[2]


def test_numbers_on_the_lattice_itself_are_counted_exactly():
    # sums of 2 of 0, 1, 2, 4: 1 2 4 3 5 6; at least 2.5: four of six
    ((low, high),) = lattice_shares(np.array([0.0, 1.0, 2.0, 4.0]), 2, [2.5], 6)
    assert low == pytest.approx(4 / 6)
    assert high == pytest.approx(4 / 6)


def test_a_lattice_of_many_numbers_stays_finite():
    # C(200, 100) is 9e58: far above what whole numbers of 64 bits hold
    values = np.random.default_rng(3).normal(size=200)
    ((low, high),) = lattice_shares(values, 100, [float(values.sum()) / 2], 2000)
    # the sums lie symmetrically about half of the whole
    assert low < 0.5 < high


def test_each_method_says_where_it_is_feasible():
    assert enumerable(24, 12)
    assert not enumerable(26, 13)
    assert meetable(40, 20)
    assert not meetable(50, 25)
    assert latticed(50, 25)
    assert not latticed(201, 3)
