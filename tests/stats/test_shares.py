"""The exact interval of a counted share."""

from __future__ import annotations

import pytest
from scipy.stats import binom, binomtest

from slant.stats.shares import binomial_interval


@pytest.mark.parametrize(("number", "of"), [(0, 7), (1, 7), (3, 7), (7, 7), (40, 1000)])
def test_the_interval_is_scipys(number, of):
    expected = binomtest(number, of).proportion_ci(0.9, "exact")
    assert binomial_interval(number, of, 0.9) == pytest.approx((expected.low, expected.high))


def test_each_end_leaves_half_of_the_rest_in_its_tail():
    low, high = binomial_interval(4, 20)
    assert binom.sf(3, 20, low) == pytest.approx(0.025)
    assert binom.cdf(4, 20, high) == pytest.approx(0.025)
