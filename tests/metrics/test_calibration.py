from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from slant.errors import DataError, OptionError
from slant.metrics.calibration import brier, expected_calibration_error, reliability
from slant.types import Undefined

STREAM = np.random.default_rng(3)
GOLD, SAID = STREAM.integers(0, 2, 400), STREAM.random(400)


def test_bins_hold_what_pandas_cuts() -> None:
    rows = reliability(GOLD, SAID, 10)
    cut = pd.cut(pd.Series(SAID), np.arange(11) / 10, right=False)
    frame = pd.DataFrame({"gold": GOLD, "said": SAID}).groupby(cut, observed=False)
    assert [row.n for row in rows] == frame.size().tolist()
    assert [row.mean_probability for row in rows] == pytest.approx(frame["said"].mean().tolist())
    assert [row.share_biased for row in rows] == pytest.approx(frame["gold"].mean().tolist())


def test_reliability_agrees_with_scikit_learn() -> None:
    share, mean = calibration_curve(GOLD, SAID, n_bins=10)
    rows = reliability(GOLD, SAID, 10)
    assert [row.share_biased for row in rows] == pytest.approx(share)
    assert [row.mean_probability for row in rows] == pytest.approx(mean)


def test_an_edge_belongs_to_the_bin_above_it_and_one_to_the_last() -> None:
    said = np.arange(11) / 10
    assert [row.n for row in reliability(np.zeros(11), said, 10)] == [1] * 9 + [2]


def test_an_empty_bin_has_no_means() -> None:
    first = reliability([1], [0.9], 2)[0]
    assert (first.n, first.mean_probability, first.share_biased) == (0, None, None)


def test_the_calibration_error_is_the_weighted_gap() -> None:
    # bin 1: 0.2, 0.4 of which one is biased: |0.3 - 0.5| = 0.2; bin 2: 0.9, biased: 0.1
    # (2 * 0.2 + 1 * 0.1) / 3
    assert expected_calibration_error([0, 1, 1], [0.2, 0.4, 0.9], 2) == pytest.approx(0.5 / 3)


def test_a_sure_and_right_system_has_no_error_and_a_sure_and_wrong_one_the_largest() -> None:
    assert expected_calibration_error([0, 1], [0.0, 1.0], 10) == 0
    assert expected_calibration_error([1, 0], [0.0, 1.0], 10) == 1
    assert (brier([0, 1], [0.0, 1.0]), brier([1, 0], [0.0, 1.0])) == (0, 1)


def test_brier_agrees_with_scikit_learn() -> None:
    assert brier(GOLD, SAID) == pytest.approx(brier_score_loss(GOLD, SAID))


def test_the_order_of_units_is_irrelevant() -> None:
    order = STREAM.permutation(400)
    assert brier(GOLD, SAID) == pytest.approx(brier(GOLD[order], SAID[order]))  # type: ignore[arg-type]
    assert expected_calibration_error(GOLD, SAID, 15) == pytest.approx(
        expected_calibration_error(GOLD[order], SAID[order], 15)  # type: ignore[arg-type]
    )


def test_without_units_there_is_no_error_and_it_says_so() -> None:
    assert expected_calibration_error([], [], 10) == Undefined(
        "there is no unit with a probability"
    )
    assert brier([], []) == Undefined("there is no unit with a probability")
    assert [row.n for row in reliability([], [], 3)] == [0, 0, 0]


@pytest.mark.parametrize("wrong", [1.01, -0.5, float("nan")])
def test_a_probability_outside_its_range_is_refused(wrong: float) -> None:
    with pytest.raises(DataError, match="number 2 is"):
        brier([0, 1], [0.5, wrong])


def test_unequal_lengths_and_no_bins_are_refused() -> None:
    with pytest.raises(DataError, match="1 gold labels"):
        brier([0], [0.5, 0.5])
    with pytest.raises(OptionError, match="0 bins"):
        reliability([0], [0.5], 0)
