"""Blocks of features, each brought to the same weight, joined for one linear model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from slant.types import Floats

CONSTANT = 1e-6
"""A column whose deviation is less than this share of its largest value says nothing."""


class Scaling(NamedTuple):
    """How a block is standardised: (x - mean) * weight.

    Fields:
        mean: (d,) of train.
        weight: (d,), 0 for a column that is constant in train.
    """

    mean: Floats
    weight: Floats


def fitted_scaling(x: Floats) -> Scaling:
    """The scaling under which train's columns have mean 0 and the same deviation, and its rows a
    mean square of length of 1.

    So every block weighs the same in a sum of squares, whatever its width: a column's deviation
    becomes 1 / sqrt(k), k being the columns that are not constant.

    Args:
        x: (n, d) the block's rows of train.

    >>> x = np.array([[1.0, 5.0, 2.0], [3.0, 5.0, 6.0]])
    >>> scaled(x, fitted_scaling(x)).round(3).tolist()
    [[-0.707, 0.0, -0.707], [0.707, 0.0, 0.707]]
    """
    mean, deviation = x.mean(0), x.std(0)
    differs = deviation > CONSTANT * np.abs(x).max(0)
    weight = np.zeros_like(mean)
    weight[differs] = 1 / (deviation[differs] * np.sqrt(differs.sum()))
    return Scaling(mean, weight)


def scaled(x: Floats, scaling: Scaling) -> Floats:
    """A block's rows under a scaling.

    Args:
        x: (n, d) rows.
        scaling: of train.

    Returns:
        (n, d) rows.
    """
    rows: Floats = (x - scaling.mean) * scaling.weight
    return rows


def joined(blocks: Sequence[Any]) -> Any:
    """Blocks of the same rows side by side; sparse where one of them is.

    Args:
        blocks: one or more of (n, d) matrices, dense or sparse.
    """
    from scipy import sparse

    if len(blocks) == 1:
        return blocks[0]
    if any(sparse.issparse(one) for one in blocks):
        return sparse.hstack([sparse.csr_matrix(one) for one in blocks], format="csr")
    return np.hstack(blocks)


def linear_probabilities(x: Any, weight: Floats, intercept: float) -> Floats:
    """The logistic function of x · weight + intercept, each row's sum taken by itself.

    A product of matrices takes rows together, so that the last bit of one may depend on where it
    stands; here it does not.

    Args:
        x: (n, d) matrix, dense or sparse.
        weight: (d,).
        intercept: the constant.

    Returns:
        (n,) in [0, 1].

    >>> linear_probabilities(np.array([[0.0], [100.0]]), np.array([1.0]), 0.0).tolist()
    [0.5, 1.0]
    """
    from scipy import sparse
    from scipy.special import expit

    sums = x @ weight if sparse.issparse(x) else np.einsum("ij,j->i", x, weight)
    p: Floats = expit(sums + intercept)
    return p
