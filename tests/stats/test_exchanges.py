"""The test of two corpora by exchanging them on each word."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from slant.errors import DataError, OptionError
from slant.stats.exchanges import exchange_error, exchange_test
from slant.types import Undefined


def exchanged(first, second, n, permutations=100_000, restandardise=True, seed=1):
    return exchange_test(
        first, second, n, restandardise=restandardise, permutations=permutations, seed=seed,
        names=["test"],
    )  # fmt: skip


def two_corpora(stream, n=6, m=6, apart=0.0, more=0.0, alike=0.5):
    """Two profiles of words that are `apart` in both corpora, and `more` so in the first."""
    side = np.repeat([0.5, -0.5], [n, m])
    common = np.sqrt(alike) * stream.normal(size=n + m)
    own = np.sqrt(1 - alike) * stream.normal(size=(2, n + m))
    return (apart + more) * side + common + own[0], apart * side + common + own[1]


@pytest.mark.parametrize(("n", "m"), [(4, 4), (3, 6)])
def test_all_exchanges_are_those_that_a_loop_makes(n, m):
    first, second = two_corpora(np.random.default_rng(n), n, m, apart=1.0, more=1.0)

    def plain(profile):
        return (profile - profile.mean()) / profile.std(ddof=1)

    def d(profile):
        return (profile[:n].mean() - profile[n:].mean()) / profile.std(ddof=1)

    a, b = plain(first), plain(second)
    value = d(a) - d(b)
    every = [
        d(np.where(chosen, b, a)) - d(np.where(chosen, a, b))
        for chosen in product([False, True], repeat=n + m)
    ]
    share = np.mean(np.abs(every) >= abs(value) - 1e-9)
    test = exchanged(first, second, n)
    assert (test.statistic, test.p) == pytest.approx((value, share))
    assert exchange_error(test, 100_000) is None
    drawn = exchanged(first, second, n, permutations=2 ** (n + m - 1) - 1)
    assert "random" in drawn.method
    error = exchange_error(drawn, 2 ** (n + m - 1) - 1)
    assert abs(drawn.p - share) < 4 * error + 0.01


def test_corpora_exchanged_negate_the_difference_and_leave_p():
    first, second = two_corpora(np.random.default_rng(4), more=1.0)
    one, other = exchanged(first, second, 6), exchanged(second, first, 6)
    assert one.statistic == pytest.approx(-other.statistic)
    assert one.p == other.p


def test_a_corpus_whose_words_all_lean_one_way_or_more_strongly_is_no_difference():
    first, second = two_corpora(np.random.default_rng(5), apart=1.0, more=0.7)
    one, other = exchanged(first, second, 6), exchanged(3 * first + 5, second, 6)
    assert (one.statistic, one.p) == pytest.approx((other.statistic, other.p))
    same = exchanged(2 * first - 1, first, 6)
    assert (same.statistic, same.p) == (pytest.approx(0, abs=1e-12), 1.0)


@pytest.mark.parametrize("apart", [0.0, 2.0, 4.0])
def test_two_corpora_of_one_effect_are_told_apart_as_often_as_the_level_says(apart):
    stream = np.random.default_rng(int(apart) + 20)
    wrong = sum(exchanged(*two_corpora(stream, 5, 5, apart), 5).p <= 0.05 for _ in range(400))
    # binomial(400, 0.05): 20 +- 3 x 4.4
    assert 7 <= wrong <= 33


def test_a_difference_of_corpora_is_found_where_there_is_one():
    stream = np.random.default_rng(8)
    found = sum(
        exchanged(*two_corpora(stream, more=3.0, alike=0.9), 6).p <= 0.05 for _ in range(100)
    )
    assert found > 80


def test_profiles_that_do_not_vary_have_no_test_and_malformed_ones_are_refused():
    assert isinstance(exchanged(np.ones(6), np.arange(6.0), 3), Undefined)
    assert isinstance(exchanged(np.full(6, np.nan), np.arange(6.0), 3), Undefined)
    with pytest.raises(DataError, match="same words"):
        exchanged(np.arange(6.0), np.arange(5.0), 3)
    with pytest.raises(OptionError, match="1 or more"):
        exchanged(np.arange(6.0), np.arange(6.0), 3, permutations=0)
