"""Agreement of two annotators on presence, from counts of four cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from slant.metrics.agreement import cohen_kappa
from slant.metrics.kappas import agreed_share, chance_share, gwet_kernel, kappa_kernel

CELLS = st.lists(st.integers(0, 40), min_size=4, max_size=4)


def answers(both, second, first, neither):
    one = [1] * both + [0] * second + [1] * first + [0] * neither
    two = [1] * both + [1] * second + [0] * first + [0] * neither
    return one, two


def test_the_papers_rarest_bias_has_one_table_that_gives_its_published_numbers():
    # Three and four of 50 articles, equal on 45: x common ones leave (3 - x) + (4 - x) = 5, x = 1.
    # p_e = (3 * 4 + 47 * 46) / 2500 = 0.8696, kappa = (0.9 - 0.8696) / (1 - 0.8696) = 0.2331.
    table = [1, 3, 2, 44]
    assert agreed_share(table) == pytest.approx(45 / 50)
    assert round(float(chance_share(table)), 2) == 0.87
    assert round(float(kappa_kernel(table)), 2) == 0.23
    others = [[x, 4 - x, 3 - x, 43 + x] for x in (0, 2, 3)]
    assert all(agreed_share(other) != pytest.approx(0.9) for other in others)


def test_gwets_coefficient_is_high_where_a_rare_bias_makes_kappa_low():
    # m = 3.5 / 50 = 0.07, p_e = 2 * 0.07 * 0.93 = 0.1302, (0.9 - 0.1302) / 0.8698 = 0.8850
    assert gwet_kernel([1, 3, 2, 44]) == pytest.approx((0.9 - 0.1302) / 0.8698)


def test_gwets_published_example_of_two_raters_is_reproduced():
    # Gwet 2008, table of 125 subjects: 118, 5, 2, 0 gives an AC1 of 0.94 where kappa is -0.02.
    table = [118, 5, 2, 0]
    assert round(float(gwet_kernel(table)), 2) == 0.94
    assert round(float(kappa_kernel(table)), 2) == -0.02


@given(CELLS)
def test_kappa_is_that_of_scikit_learn_and_of_the_list_of_answers(cells):
    one, two = answers(*cells)
    value = kappa_kernel(cells)
    listed = cohen_kappa(one, two)
    if np.isnan(value):
        assert not isinstance(listed, float)
        return
    assert value == pytest.approx(listed)
    assert value == pytest.approx(cohen_kappa_score(one, two, labels=[0, 1]))


@given(CELLS)
def test_gwets_coefficient_is_that_of_its_definition_over_both_values(cells):
    one, two = answers(*cells)
    if not one:
        assert np.isnan(gwet_kernel(cells))
        return
    # 1 / (q - 1) times the sum over the q = 2 values of m_k (1 - m_k)
    shares = [np.mean([np.mean(np.array(side) == k) for side in (one, two)]) for k in (0, 1)]
    chance = sum(m * (1 - m) for m in shares)
    agreed = np.mean(np.array(one) == np.array(two))
    assert gwet_kernel(cells) == pytest.approx((agreed - chance) / (1 - chance))


@given(CELLS)
def test_the_annotators_may_change_places(cells):
    both, second, first, neither = cells
    for kernel in (kappa_kernel, gwet_kernel, agreed_share, chance_share):
        assert kernel(cells) == pytest.approx(kernel([both, first, second, neither]), nan_ok=True)


def test_a_bias_that_nobody_or_everybody_marks_has_no_kappa_and_full_agreement():
    for table in ([0, 0, 0, 9], [9, 0, 0, 0]):
        assert np.isnan(kappa_kernel(table))
        assert gwet_kernel(table) == 1.0
        assert agreed_share(table) == 1.0


def test_a_thousand_tables_are_measured_at_once():
    tables = np.random.default_rng(1).integers(0, 20, size=(10, 100, 4))
    every = kappa_kernel(tables)
    assert every.shape == (10, 100)
    assert every[3, 7] == kappa_kernel(tables[3, 7])
