"""Fisher's combination: right for independent p-values, wrong for replicas of one corpus."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import combine_pvalues

from slant.errors import DataError, OptionError
from slant.stats.fisher import fisher_combination, fisher_false_positives, replica_correlation


def test_the_combination_is_scipys():
    p = [0.01, 0.2, 0.7, 0.04]
    assert fisher_combination(p) == pytest.approx(combine_pvalues(p, "fisher").pvalue)
    assert fisher_combination([0.3]) == pytest.approx(0.3)


def test_a_p_of_zero_gives_zero_and_what_is_no_p_is_refused():
    assert fisher_combination([0.0, 0.5]) == 0.0
    for wrong in ([], [1.2], [float("nan")]):
        with pytest.raises(OptionError, match="Combining"):
            fisher_combination(wrong)


def test_it_finds_three_times_too_much_where_eight_replicas_correlate_at_nine_tenths():
    found = fisher_false_positives(8, 0.9, (6, 6), simulations=600, seed=1)
    assert 0.13 < found.value < 0.25
    assert found.low > 0.10
    assert found.low < found.value < found.high


def test_it_keeps_its_level_where_replicas_are_independent():
    found = fisher_false_positives(8, 0.0, (6, 6), simulations=600, seed=1)
    # 0.05 less what discrete p-values cost, within 4 standard errors of 0.009
    assert 0.01 < found.value < 0.086


def test_one_replica_or_equal_replicas_err_as_one_p_value_would():
    one = fisher_false_positives(1, 0.5, (6, 6), simulations=400, seed=2)
    assert 0.01 < one.value < 0.094
    # eight times the same p: -16 log p above the 95 % point of chi2(16), 26.3: p < 0.193
    same = fisher_false_positives(8, 1.0, (6, 6), simulations=400, seed=2)
    assert same.value == pytest.approx(0.193, abs=0.08)


def test_sets_with_too_many_splits_are_simulated_with_random_ones():
    found = fisher_false_positives(4, 0.9, (20, 30), simulations=50, seed=3)
    assert "random" in found.method
    assert found.n == 50


def test_the_same_seed_simulates_the_same():
    first, again = (fisher_false_positives(3, 0.5, (4, 4), simulations=60, seed=4) for _ in "ab")
    assert first == again


def test_what_cannot_be_simulated_is_refused():
    for replicas, correlation in ((0, 0.5), (2, 1.5), (2, -0.1)):
        with pytest.raises(OptionError, match="Simulating"):
            fisher_false_positives(replicas, correlation, seed=0)


def test_replicas_correlate_within_the_sets_and_not_by_the_sets_difference():
    stream = np.random.default_rng(5)
    shared = stream.normal(size=4000)
    h = np.sqrt(0.8) * shared + np.sqrt(0.2) * stream.normal(size=(4, 4000))
    hx, hy = h[:, :2000] + 50, h[:, 2000:]
    assert replica_correlation(hx, hy) == pytest.approx(0.8, abs=0.02)
    noise = stream.normal(size=(4, 4000))
    assert replica_correlation(noise[:, :2000] + 50, noise[:, 2000:]) == pytest.approx(0, abs=0.03)
    with pytest.raises(DataError, match="fewer than two"):
        replica_correlation(hx[:1], hy[:1])
