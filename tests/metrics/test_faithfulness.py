"""What is left of a gap when heads are isolated or eliminated: worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from slant.metrics.faithfulness import (
    GAPS,
    class_gap,
    completeness,
    corruption_gap,
    rank_correlation,
    rescue,
    retention,
    split_half_reliability,
    sufficiency,
)

P = np.array([0.9, 0.6, 0.2, 0.4])
Y = np.array([1, 1, 0, 0])
CORRUPT = np.array([0.5, 0.5, 0.2, 0.3])


def test_both_readings_of_delta_p_by_hand():
    # (0.9 + 0.6) / 2 - (0.2 + 0.4) / 2 = 0.45; (0.4 + 0.1 + 0 + 0.1) / 4 = 0.15
    assert class_gap(P, Y, CORRUPT) == pytest.approx(0.45)
    assert corruption_gap(P, Y, CORRUPT) == pytest.approx(0.15)


@pytest.mark.parametrize("name", sorted(GAPS))
def test_a_resample_by_counts_is_that_of_the_repeated_texts(name):
    counts = np.array([[2, 0, 1, 1], [1, 1, 1, 1], [0, 3, 0, 1]])
    runs = np.stack([P, 1 - P])
    got = GAPS[name](runs, Y, CORRUPT, counts)
    assert got.shape == (2, 3)
    for column, drawn in enumerate(counts):
        places = np.repeat(np.arange(4), drawn)
        alone = GAPS[name](runs[:, places], Y[places], CORRUPT[places], None)
        assert got[:, column] == pytest.approx(alone)


def test_a_gap_between_classes_is_undefined_without_one_of_them():
    assert np.isnan(class_gap(P[:2], Y[:2], CORRUPT[:2]))
    assert np.isnan(class_gap(P, Y, CORRUPT, np.array([[1, 1, 0, 0]]))).all()


@pytest.mark.parametrize("base", [0.31, -0.02])
def test_rescue_of_a_restored_readout_says_nothing_of_the_model_at_both_ends(base):
    # k = 0: isolated is corrupt (gap 0), eliminated is clean (gap base). All heads: the reverse.
    assert rescue(np.float64(0.0), np.float64(base)) == -base
    assert rescue(np.float64(base), np.float64(0.0)) == base


def test_retention_keeps_the_sign_of_the_circuit_where_the_base_is_negative():
    base = np.float64(-0.2)
    assert retention(np.float64(-0.1), base) == pytest.approx(-0.5)
    assert sufficiency(np.float64(-0.1), base, -0.3, -0.1) == pytest.approx(0.5)


def test_shares_of_a_gap_by_hand_and_undefined_where_its_interval_holds_zero():
    # circ / base = 0.03 / 0.12; 1 - none / base = 1 - 0.09 / 0.12
    assert sufficiency(np.float64(0.03), np.float64(0.12), 0.1, 0.14) == pytest.approx(0.25)
    assert completeness(np.float64(0.09), np.float64(0.12), 0.1, 0.14) == pytest.approx(0.25)
    for low, high in ((-0.01, 0.2), (0.0, 0.2), (-0.2, 0.0), (np.nan, np.nan)):
        assert np.isnan(sufficiency(np.array([0.03, 0.1]), np.float64(0.12), low, high)).all()
        assert np.isnan(completeness(np.float64(0.03), np.float64(0.12), low, high))


def test_rank_correlation_is_scipys_ties_included():
    stream = np.random.default_rng(0)
    for _ in range(5):
        one, other = stream.integers(0, 6, (2, 20)).astype(float)
        assert rank_correlation(one, other) == pytest.approx(spearmanr(one, other).statistic)
    assert np.isnan(rank_correlation(np.ones(3), np.arange(3.0)))


def test_a_ranking_that_every_text_shares_is_reliable_and_noise_is_not():
    stream = np.random.default_rng(1)
    heads = stream.normal(size=(40, 1))
    same = split_half_reliability(np.tile(heads, 30), False, 20, 3)
    assert (same.half, same.whole) == pytest.approx((1.0, 1.0))
    noise = split_half_reliability(stream.normal(size=(200, 30)), False, 50, 3)
    assert abs(noise.half) < 0.15
    assert abs(noise.whole) < 0.25


def test_the_whole_is_what_spearman_and_brown_say_of_one_halving():
    effects = np.random.default_rng(2).normal(size=(12, 9)) + np.linspace(0, 1, 12)[:, None]
    one = split_half_reliability(effects, True, 1, 5)
    order = np.random.default_rng(5).permutation(9)
    halves = [np.abs(effects[:, part].mean(1)) for part in (order[:4], order[4:])]
    r = spearmanr(*halves).statistic
    assert one.half == pytest.approx(r)
    assert one.whole == pytest.approx(2 * r / (1 + r) if r > -1 / 3 else -1.0)


def test_reliability_repeats_with_its_seed():
    effects = np.random.default_rng(2).normal(size=(12, 9))
    assert split_half_reliability(effects, False, 5, 1) == split_half_reliability(
        effects, False, 5, 1
    )
    assert split_half_reliability(effects, False, 5, 1) != split_half_reliability(
        effects, False, 5, 2
    )
