from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from slant.data.babe import load_annotations
from slant.data.files import data_homes
from slant.errors import DataError
from slant.explain.humans import answer_table
from slant.metrics.agreement import (
    MISSING,
    against_others,
    alpha_kernel,
    cohen_kappa,
    coincidences,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    value_counts,
)
from slant.metrics.scores import class_f1
from slant.types import Undefined

# Krippendorff 2011, section C: four observers, twelve units, a point for no answer.
OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
# Fleiss 1971, his own example as it is usually shown: 14 raters, 10 subjects, 5 categories.
FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def observed():
    rows = [[MISSING if x == "." else int(x) - 1 for x in row.split()] for row in OBSERVERS]
    return np.array(rows).T


def random_codes(seed, units=30, annotators=6, categories=3, gone=0.3):
    rng = np.random.default_rng(seed)
    codes = rng.integers(categories, size=(units, annotators))
    codes[rng.random(codes.shape) < gone] = MISSING
    return codes


def test_alpha_of_two_observers_is_that_of_krippendorffs_binary_example():
    # 20 values, 14 of them 0; o = [[10, 4], [4, 2]]: 1 - 19 * 4 / (14 * 6) = 0.0952
    meg, owen = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    codes = np.array([meg, owen]).T
    assert coincidences(value_counts(codes, 2)).sum(axis=0).tolist() == [[10, 4], [4, 2]]
    assert krippendorff_alpha(codes, 2) == pytest.approx(1 - 19 * 4 / (14 * 6))


def test_alpha_with_missing_answers_is_that_of_krippendorffs_example_with_four_observers():
    # values per category 9, 13, 10, 5, 3 (n = 40), agreeing pairs 7 + 10 + 8 + 4 + 3 = 32:
    # (39 * 32 - 344) / (40 * 39 - 344) = 904 / 1216 = 0.743
    matrix = coincidences(value_counts(observed(), 5)).sum(axis=0)
    assert matrix.sum(axis=1) == pytest.approx([9, 13, 10, 5, 3])
    assert np.trace(matrix) == pytest.approx(32)
    assert krippendorff_alpha(observed(), 5) == pytest.approx(904 / 1216)


@pytest.mark.parametrize("seed", range(8))
def test_alpha_equals_that_of_an_independent_package(seed):
    package = pytest.importorskip("krippendorff")
    codes = random_codes(seed)
    data = np.where(codes == MISSING, np.nan, codes.astype(float)).T
    theirs = package.alpha(reliability_data=data, level_of_measurement="nominal")
    assert krippendorff_alpha(codes, 3) == pytest.approx(theirs, abs=1e-12)


def test_a_resample_of_units_is_a_weighted_sum_of_their_coincidences():
    codes = random_codes(1)
    drawn = np.random.default_rng(2).integers(len(codes), size=(5, len(codes)))
    each = coincidences(value_counts(codes, 3))
    weights = np.stack([np.bincount(row, minlength=len(codes)) for row in drawn])
    by_weight = alpha_kernel(np.tensordot(weights, each, 1))
    assert by_weight == pytest.approx([krippendorff_alpha(codes[row], 3) for row in drawn])


def test_alpha_does_not_change_with_the_order_of_units_annotators_or_categories():
    codes = random_codes(3)
    rng = np.random.default_rng(4)
    swapped = codes[rng.permutation(len(codes))][:, rng.permutation(codes.shape[1])]
    swapped = np.where(swapped == MISSING, MISSING, 2 - swapped)
    assert krippendorff_alpha(swapped, 3) == pytest.approx(krippendorff_alpha(codes, 3))


def test_perfect_agreement_is_one_and_one_category_alone_is_undefined():
    codes = np.array([[0, 0, MISSING], [1, 1, 1], [1, MISSING, 1]])
    assert krippendorff_alpha(codes, 2) == 1
    assert percent_agreement(codes, 2) == 1
    assert fleiss_kappa(codes, 2) == 1
    for of in (krippendorff_alpha, fleiss_kappa):
        assert isinstance(of(np.ones((3, 2), int), 2), Undefined)


def test_units_with_one_answer_say_nothing():
    codes = observed()
    more = np.vstack([codes, [[3, MISSING, MISSING, MISSING]] * 5])
    for of in (krippendorff_alpha, percent_agreement, fleiss_kappa):
        assert of(more, 5) == of(codes, 5)
        assert isinstance(of(more[-5:], 5), Undefined)


def test_fleiss_kappa_is_that_of_his_example():
    # P = 0.378, P_e = 0.213, (0.378 - 0.213) / (1 - 0.213) = 0.210
    codes = np.array([np.repeat(np.arange(5), row) for row in FLEISS])
    assert value_counts(codes, 5).tolist() == FLEISS
    assert percent_agreement(codes, 5) == pytest.approx(0.378, abs=5e-4)
    assert fleiss_kappa(codes, 5) == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize("seed", range(4))
def test_cohens_kappa_equals_scikit_learns_where_both_answered(seed):
    a, b = random_codes(seed, annotators=2).T
    both = (a != MISSING) & (b != MISSING)
    assert cohen_kappa(a, b) == pytest.approx(cohen_kappa_score(a[both], b[both]))
    assert isinstance(cohen_kappa([MISSING, 1], [1, MISSING]), Undefined)


def test_a_code_that_cannot_be_is_named_with_its_place():
    with pytest.raises(DataError, match="annotator 1 gave unit 0 the code 2"):
        krippendorff_alpha([[0, 2]], 2)
    with pytest.raises(DataError, match="shape"):
        value_counts([0, 1], 2)


def test_each_answer_is_held_against_the_majority_of_the_others():
    # unit 0: the others of the first say 1, 1; of the second 0, 1 (a tie); of the third 0, 1
    # unit 1: the others of the first say 0; the third did not answer
    counts = against_others([[0, 1, 1], [0, 0, MISSING]])
    assert counts[0].tolist() == [[0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert counts[1].tolist() == [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]


def test_the_experts_of_babe_agree_as_the_paper_says(real_data):
    """Section 3.1: Krippendorff's alpha of the bias label is 0.40."""
    codes = answer_table(load_annotations(data_homes(real_data)).table).codes
    assert codes.shape == (3674, 8)
    assert krippendorff_alpha(codes, 2) == pytest.approx(0.3996, abs=5e-5)
    # the human row for labels: one expert against the majority of the others
    assert float(class_f1(against_others(codes).sum(axis=(0, 1)), None)) == pytest.approx(
        0.785, abs=5e-4
    )
