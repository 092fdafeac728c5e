"""Temperature and threshold against hand-worked numbers and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, log_loss

from slant.runs.calibration import calibrated, chosen_threshold, fitted_temperature


def test_a_temperature_divides_the_log_odds():
    # ln(0.9 / 0.1) = ln 9; half of it is ln 3, so p = 3 / 4; twice it is ln 81, p = 81 / 82.
    assert calibrated(np.array([0.9]), 2.0)[0] == pytest.approx(0.75)
    assert calibrated(np.array([0.9]), 0.5)[0] == pytest.approx(81 / 82)
    assert calibrated(np.array([0.0, 1.0]), 1.0) == pytest.approx([0, 1], abs=1e-6)


def test_the_fitted_temperature_has_the_least_log_loss_of_a_grid():
    stream = np.random.default_rng(3)
    gold = stream.integers(0, 2, 200)
    p = 1 / (1 + np.exp(-stream.normal(4 * gold - 2, 5)))
    best = fitted_temperature(p, gold)
    losses = [log_loss(gold, calibrated(p, t)) for t in np.geomspace(0.06, 19, 200)]
    assert log_loss(gold, calibrated(p, best)) <= min(losses) + 1e-9
    assert best > 1  # noise of 5 around means of 2 is too sure of itself


def test_without_texts_nothing_is_changed():
    nothing = np.empty(0)
    assert fitted_temperature(nothing, nothing.astype(np.int64)) == 1
    assert chosen_threshold(nothing, nothing.astype(np.int64)) == 0.5


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.2, 0.45, 0.5, 0.6, 0.9]), st.integers(0, 1)), min_size=1
    )
)
def test_no_threshold_has_a_higher_class_f1(rows):
    p, gold = np.array([a for a, _ in rows]), np.array([b for _, b in rows])

    def f1(threshold):
        return f1_score(
            gold, p >= threshold, labels=[0, 1], average="macro", zero_division=0.0
        )  # fmt: skip

    best = f1(chosen_threshold(p, gold))
    # Below the least and above the largest all are answered alike, which a detector should not.
    inner = [t for t in np.arange(0.025, 1, 0.05) if p.min() < t <= p.max()]
    assert best >= max((f1(t) for t in [*inner, 0.5]), default=0) - 1e-12
