from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
    roc_auc_score,
)

from slant.errors import DataError, OptionError
from slant.metrics.ranking import auroc
from slant.metrics.scores import (
    accuracy,
    biased_f1,
    binary_kernels,
    class_f1,
    group_f1,
    mcc,
    micro,
    one_group,
    precision,
    recall,
    score,
    specificity,
    swapped,
    weighted_f1,
)
from slant.metrics.tallies import binary_tally
from slant.types import Undefined

CELLS = [biased_f1, class_f1, weighted_f1, accuracy, precision, recall, specificity, mcc]
SYMMETRIC = [class_f1, weighted_f1, accuracy, mcc]
COUNTS = st.lists(st.integers(0, 40), min_size=4, max_size=4)


def labels(counts: list[int]) -> tuple[list[int], list[int]]:
    gold, said = (1, 0, 1, 0), (1, 1, 0, 0)
    return tuple(
        [v for v, n in zip(side, counts, strict=True) for _ in range(n)] for side in (gold, said)
    )  # type: ignore[return-value]


@given(COUNTS.filter(lambda c: sum(c) > 0), st.sampled_from([0.0, 1.0]))
@settings(max_examples=60, deadline=None)
def test_scores_agree_with_scikit_learn(counts: list[int], undefined: float) -> None:
    gold, said = labels(counts)
    rules = {"labels": [0, 1], "zero_division": undefined}
    assert biased_f1(counts, undefined) == pytest.approx(
        f1_score(gold, said, zero_division=undefined)
    )
    assert class_f1(counts, undefined) == pytest.approx(
        f1_score(gold, said, average="macro", **rules)
    )
    assert weighted_f1(counts, undefined) == pytest.approx(
        f1_score(gold, said, average="weighted", **rules)
    )
    assert accuracy(counts, undefined) == pytest.approx(accuracy_score(gold, said))
    assert precision(counts, undefined) == pytest.approx(
        precision_score(gold, said, zero_division=undefined)
    )
    assert recall(counts, undefined) == pytest.approx(
        recall_score(gold, said, zero_division=undefined)
    )
    assert specificity(counts, undefined) == pytest.approx(
        recall_score(gold, said, pos_label=0, zero_division=undefined)
    )


@given(COUNTS.filter(lambda c: len({*labels(c)[0], *labels(c)[1]}) == 2))
@settings(max_examples=40, deadline=None)
def test_mcc_agrees_with_scikit_learn_which_calls_an_undefined_one_zero(counts: list[int]) -> None:
    assert mcc(counts, 0.0) == pytest.approx(matthews_corrcoef(*labels(counts)), abs=1e-12)


@given(COUNTS)
@settings(deadline=None)
def test_scores_stay_in_their_range(counts: list[int]) -> None:
    for kernel in CELLS:
        low = -1.0 if kernel is mcc else 0.0
        assert low <= float(kernel(counts, 0.0)) <= 1.0


@given(COUNTS)
@settings(deadline=None)
def test_exchanging_the_classes_changes_no_symmetric_score(counts: list[int]) -> None:
    for kernel in SYMMETRIC:
        assert kernel(counts, 0.0) == pytest.approx(float(kernel(swapped(counts), 0.0)))
    assert recall(counts, 0.0) == specificity(swapped(counts), 0.0)


@pytest.mark.parametrize("kernel", CELLS)
def test_all_right_scores_one(kernel) -> None:
    assert float(kernel([5, 0, 0, 7], None)) == 1.0


def test_all_wrong_scores_zero_and_a_correlation_of_minus_one() -> None:
    values = [float(kernel([0, 5, 7, 0], None)) for kernel in CELLS]
    assert values == [0, 0, 0, 0, 0, 0, 0, -1]


@pytest.mark.parametrize("kernel", CELLS)
@pytest.mark.parametrize("stated", [0.0, 1.0, 0.5])
def test_without_a_unit_every_score_is_what_the_caller_states(kernel, stated: float) -> None:
    assert float(kernel([0, 0, 0, 0], stated)) == stated
    assert np.isnan(kernel([0, 0, 0, 0], None))


def test_each_zero_division_is_where_the_formula_has_it() -> None:
    # gold all unbiased, nothing called biased
    assert [bool(np.isnan(k([0, 0, 0, 9], None))) for k in CELLS] == [
        True,
        True,
        False,
        False,
        True,
        True,
        False,
        True,
    ]
    # weighted: 9 * F1(unbiased) / 9
    assert weighted_f1([0, 0, 0, 9], None) == 1.0


def test_kernels_score_a_thousand_resamples_at_once() -> None:
    counts = np.random.default_rng(0).integers(0, 50, (1000, 6, 4))
    for name, kernel in binary_kernels(0.0, "exclude", "present").items():
        many = kernel(counts)
        assert many.shape == (1000,), name
        assert many[7] == kernel(counts[7]), name


def test_micro_adds_the_groups_and_one_group_takes_one() -> None:
    counts = np.array([[3, 1, 0, 4], [1, 0, 2, 0]])
    f1 = partial(biased_f1, undefined=None)
    assert micro(counts, f1) == biased_f1([4, 1, 2, 4], None)
    assert one_group(counts, f1, 1) == 0.5  # 2 / (2 + 2)


def test_one_class_groups_stay_out_of_the_mean_or_not() -> None:
    # F1 of both classes: group 0 has 6/7 and 8/9; group 1 has gold of one class only, 1 and 0/0
    f1 = partial(class_f1, undefined=0.0)
    counts = [[3, 1, 0, 4], [5, 0, 0, 0]]
    first = (6 / 7 + 8 / 9) / 2
    assert group_f1(counts, f1, "exclude", "present") == pytest.approx(first)
    assert group_f1(counts, f1, "include", "present") == pytest.approx((first + 0.5) / 2)


def test_a_group_without_units_is_not_in_the_mean() -> None:
    f1 = partial(class_f1, undefined=0.0)
    with_empty = group_f1([[3, 1, 0, 4], [0, 0, 0, 0]], f1, "include", "present")
    assert with_empty == group_f1([[3, 1, 0, 4]], f1, "include", "present")


def test_the_published_denominator_divides_the_sum_of_two_scores_by_three() -> None:
    # two groups with F1 = 1 and 6/7: (1 + 6/7) / 3
    f1 = partial(biased_f1, undefined=None)
    counts = [[3, 0, 0, 4], [3, 1, 0, 4]]
    assert group_f1(counts, f1, "include", 3) == pytest.approx((1 + 6 / 7) / 3)


def test_groups_can_be_named_that_may_count() -> None:
    f1 = partial(biased_f1, undefined=None)
    counts = [[3, 0, 0, 4], [3, 1, 0, 4]]
    assert group_f1(counts, f1, "include", "present", among=[False, True]) == pytest.approx(6 / 7)


def test_a_mean_over_no_group_is_undefined() -> None:
    f1 = partial(class_f1, undefined=0.0)
    assert np.isnan(group_f1([[5, 0, 0, 0]], f1, "exclude", "present"))
    assert np.isnan(group_f1([[5, 0, 0, 0]], f1, "exclude", 3))


def test_an_undefined_f1_of_a_group_makes_the_mean_undefined() -> None:
    f1 = partial(class_f1, undefined=None)
    assert np.isnan(group_f1([[3, 1, 0, 4], [5, 0, 0, 0]], f1, "include", "present"))


def test_the_mean_over_groups_ignores_their_sizes() -> None:
    f1 = partial(class_f1, undefined=None)
    small, large = (
        np.array([[3, 1, 0, 4], [1, 2, 3, 4]]),
        np.array([[300, 100, 0, 400], [1, 2, 3, 4]]),
    )
    assert group_f1(small, f1, "exclude", "present") == pytest.approx(
        float(group_f1(large, f1, "exclude", "present"))
    )


def test_a_denominator_of_zero_is_refused() -> None:
    with pytest.raises(OptionError, match="denominator is 0"):
        group_f1([[1, 1, 1, 1]], partial(class_f1, undefined=0.0), "include", 0)


def test_a_score_of_a_tally_is_a_number_or_says_why_not() -> None:
    tally = binary_tally(
        [0, 0], [0, 0], ["a", "b"], groups="xx", clusters=[0, 1], group_names=("x",)
    )
    kernels = binary_kernels(None, "include", "present")
    assert score(tally, kernels["accuracy"], "accuracy") == 1.0
    missing = score(tally, kernels["recall"], "recall")
    assert missing == Undefined("recall is 0/0 with tp 0, fp 0, fn 0, tn 2")


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=2, max_size=40))
@settings(max_examples=60, deadline=None)
def test_auroc_agrees_with_scikit_learn_ties_included(rows: list[tuple[int, int]]) -> None:
    gold, said = [g for g, _ in rows], [p / 5 for _, p in rows]
    value = auroc(gold, said)
    if len(set(gold)) == 1:
        assert isinstance(value, Undefined)
        assert "both classes" in value.why
    else:
        assert value == pytest.approx(roc_auc_score(gold, said))


def test_auroc_is_turned_over_with_the_order_and_half_without_one() -> None:
    gold, said = np.array([0, 1, 1, 0, 1]), np.array([0.1, 0.9, 0.3, 0.4, 0.2])
    assert auroc(gold, said) == pytest.approx(1 - auroc(gold, -said))  # type: ignore[operator]
    assert auroc(gold, np.full(5, 0.5)) == 0.5


def test_auroc_refuses_what_is_not_a_number() -> None:
    with pytest.raises(DataError, match="1 are not numbers"):
        auroc([0, 1], [0.1, float("nan")])
