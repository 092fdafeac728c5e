import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from slant.systems.blocks import fitted_scaling, joined, linear_probabilities, scaled


def rows(seed, n=7, d=5):
    return np.random.default_rng(seed).normal(3, 2, (n, d))


def test_a_scaled_block_is_scikit_learns_standard_one_over_the_root_of_its_width():
    x = rows(1)
    got = scaled(x, fitted_scaling(x))
    assert got == pytest.approx(StandardScaler().fit_transform(x) / 5**0.5)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 20), st.integers(1, 30))
def test_rows_of_train_have_a_mean_square_of_length_of_one_whatever_the_width(seed, n, d):
    x = rows(seed, n, d)
    got = scaled(x, fitted_scaling(x))
    assert (got**2).sum(1).mean() == pytest.approx(1)
    assert got.mean(0) == pytest.approx(np.zeros(d), abs=1e-9)


def test_a_constant_column_says_nothing_even_where_it_differs_in_test():
    x = np.column_stack([rows(2)[:, :2], np.full(7, np.float32(0.1))])
    scaling = fitted_scaling(x)
    assert scaling.weight[2] == 0
    assert scaled(np.array([[0.0, 0.0, 99.0]]), scaling)[0, 2] == 0


def test_a_block_of_constants_is_zeros():
    x = np.full((4, 3), 7.0)
    assert scaled(x, fitted_scaling(x)).tolist() == np.zeros((4, 3)).tolist()


def test_blocks_stand_side_by_side_sparse_where_one_is():
    a, b = rows(3, d=2), rows(4, d=3)
    assert joined([a, b]).tolist() == np.hstack([a, b]).tolist()
    mixed = joined([sparse.csr_matrix(a), b])
    assert sparse.issparse(mixed)
    assert mixed.toarray().tolist() == np.hstack([a, b]).tolist()


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_probabilities_are_scikit_learns_to_rounding_and_each_row_by_itself(kind):
    x = rows(5, 41, 60)
    model = LogisticRegression().fit(x, np.arange(41) % 2)
    got = linear_probabilities(kind(x), model.coef_[0], model.intercept_[0])
    assert got == pytest.approx(model.predict_proba(x)[:, 1])
    alone = [
        linear_probabilities(kind(x[i : i + 1]), model.coef_[0], model.intercept_[0])[0]
        for i in range(41)
    ]
    assert got.tolist() == alone
