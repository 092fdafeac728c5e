from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from slant import types
from slant.errors import OptionError
from slant.stats.corrections import adjusted, benjamini_hochberg, bonferroni, holm

ALL = [bonferroni, holm, benjamini_hochberg]
FAMILY = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_holm_by_hand() -> None:
    # sorted 0.01, 0.013, 0.014, 0.19: times 4, 3, 2, 1 = 0.04, 0.039, 0.028, 0.19; then growing
    assert holm([0.19, 0.013, 0.01, 0.014]) == pytest.approx([0.19, 0.04, 0.04, 0.04])


@given(FAMILY)
@settings(deadline=None)
def test_holm_rejects_what_its_step_down_procedure_rejects(family: list[float]) -> None:
    # the procedure itself, at 5 %: walk up from the smallest while p <= 0.05 / (those left)
    expected = set()
    for i, k in enumerate(np.argsort(family, kind="stable")):
        if family[k] * (len(family) - i) > 0.05:
            break
        expected.add(int(k))
    assert set(np.flatnonzero(holm(family) <= 0.05).tolist()) == expected


@given(FAMILY)
@settings(deadline=None)
def test_benjamini_hochberg_agrees_with_scipy(family: list[float]) -> None:
    assert benjamini_hochberg(family) == pytest.approx(false_discovery_control(family))


@given(FAMILY)
@settings(deadline=None)
def test_no_correction_lowers_a_p_value_or_changes_their_order(family: list[float]) -> None:
    order = np.argsort(family, kind="stable")
    for correction in ALL:
        values = correction(family)
        assert (values >= np.array(family) * (1 - 1e-12)).all()
        assert (values <= 1).all()
        assert (np.diff(values[order]) >= -1e-15).all()


@given(FAMILY)
@settings(deadline=None)
def test_holm_lies_between_benjamini_hochberg_and_bonferroni(family: list[float]) -> None:
    assert (benjamini_hochberg(family) <= holm(family) * (1 + 1e-12)).all()
    assert (holm(family) <= bonferroni(family)).all()


@given(FAMILY, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_values_follow_their_tests_when_these_change_places(family, random) -> None:
    order = list(range(len(family)))
    random.shuffle(order)
    for correction in ALL:
        shuffled = correction([family[i] for i in order])
        assert shuffled == pytest.approx(correction(family)[order])


@pytest.mark.parametrize("correction", ALL)
def test_one_p_value_stays_as_it_is_and_none_gives_none(correction) -> None:
    assert correction([0.3]).tolist() == [0.3]
    assert correction([]).tolist() == []


@pytest.mark.parametrize("correction", ALL)
@pytest.mark.parametrize("wrong", [-0.1, 1.2, float("nan")])
def test_what_is_no_p_value_is_refused(correction, wrong: float) -> None:
    with pytest.raises(OptionError, match="one is"):
        correction([0.5, wrong])


def test_tests_keep_their_order_and_get_their_adjusted_p() -> None:
    tests = [types.Test(name, 0.0, p, 10, "m") for name, p in (("a", 0.04), ("b", 0.01))]
    assert adjusted(tests, holm) == [
        replace(tests[0], p_adjusted=0.04), replace(tests[1], p_adjusted=0.02)
    ]  # fmt: skip
