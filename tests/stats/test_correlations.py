"""The weighted correlation: numpy's where weights are equal, repeated units where they are not."""

from __future__ import annotations

import numpy as np
import pytest

from slant.errors import DataError
from slant.stats.correlations import weighted_correlation
from slant.types import Undefined


def made(n, r, seed=0):
    stream = np.random.default_rng(seed)
    x = stream.normal(size=n)
    return x, r * x + (1 - r**2) ** 0.5 * stream.normal(size=n)


def test_equal_weights_give_numpys_correlation():
    x, y = made(30, 0.6)
    expected = np.corrcoef(x, y)[0, 1]
    for weights in (None, np.full(30, 7.0)):
        assert weighted_correlation(x, y, weights, seed=0).value == pytest.approx(expected)


def test_whole_weights_are_repeated_units():
    x, y = made(8, 0.3)
    weights = np.array([1, 2, 3, 0, 1, 5, 2, 1])
    expected = np.corrcoef(np.repeat(x, weights), np.repeat(y, weights))[0, 1]
    found = weighted_correlation(x, y, weights, seed=0)
    assert found.value == pytest.approx(expected)
    assert found.n == 7


def test_the_interval_covers_the_true_correlation_about_as_often_as_it_says():
    inside = 0
    for seed in range(100):
        x, y = made(50, 0.6, seed)
        found = weighted_correlation(x, y, resamples=500, seed=seed)
        inside += found.low <= 0.6 <= found.high
    # 95 of 100; below 84 has a chance of 4e-5
    assert inside >= 84


def test_a_perfect_correlation_is_one_and_its_interval_a_point():
    found = weighted_correlation([1.0, 2.0, 4.0, 5.0], [3.0, 5.0, 9.0, 11.0], seed=0)
    assert (found.value, found.low, found.high) == pytest.approx((1, 1, 1))
    down = weighted_correlation([1.0, 2.0, 4.0, 5.0], [9.0, 8.0, 6.0, 5.0], seed=0)
    assert down.value == pytest.approx(-1)


def test_few_units_or_no_spread_have_no_correlation():
    assert isinstance(weighted_correlation([1, 2], [1, 3], seed=0), Undefined)
    assert isinstance(weighted_correlation([1, 2, 3], [1, 3, 2], [1, 1, 0], seed=0), Undefined)
    assert isinstance(weighted_correlation([1, 2, 3], [0.1, 0.1, 0.1], seed=0), Undefined)


def test_units_without_numbers_are_refused():
    for x, weights in (([1, 2, np.nan], [1, 1, 1]), ([1, 2, 3], [1, 1, -1]), ([1, 2, 3], [1, 1])):
        with pytest.raises(DataError, match="Correlating"):
            weighted_correlation(x, [1, 2, 4], weights, seed=0)


def test_the_same_seed_gives_the_same_interval():
    x, y = made(12, 0.4)
    assert weighted_correlation(x, y, seed=3) == weighted_correlation(x, y, seed=3)
    assert weighted_correlation(x, y, seed=3).low != weighted_correlation(x, y, seed=4).low
