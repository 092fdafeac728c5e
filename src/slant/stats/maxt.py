"""Westfall and Young's correction: the largest of all statistics under common relabellings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError
from slant.stats.permutations import TIE, Alternative
from slant.stats.relabelling import relabelled_sums
from slant.stats.resampling import generator
from slant.types import Floats


def max_t(
    samples: Sequence[tuple[ArrayLike, ArrayLike]],
    labellings: Sequence[Hashable],
    *,
    alternative: Alternative = "two-sided",
    permutations: int = 100_000,
    seed: int,
) -> Floats:
    """Adjusted p-values that bound the chance of any false finding, by single-step maxT.

    The statistic of a test is its difference of means over its standard deviation under
    permutation, which no relabelling changes, so that tests of different sizes compare. Adjusted
    p of a test is (b + 1) / (m + 1), b the number of draws whose largest statistic of all tests
    is at least the test's. Tests with one labelling (the same words as X and as Y: other
    attributes, measures, corpora) are relabelled together, which keeps their dependence and makes
    this less strict than Bonferroni's. Tests with different labellings get independent streams,
    as if they had no word in common.

    Args:
        samples: per test its two samples, (n,) and (m,), as in `permutation_test`.
        labellings: per test the name of its labelling: where it is the same, so are the units of
            the samples and their order.
        alternative: as in `permutation_test`.
        permutations: how many draws.
        seed: of the streams, which also depend on the labellings' order of first appearance.

    Returns:
        (tests,) in [1 / (permutations + 1), 1], in order; no tests give none. 1 for a test whose
        numbers are all equal.
    Raises:
        DataError: tests of one labelling with different sizes; an empty sample.
    Source: Westfall and Young 1993, section 2.3.

    >>> x, y = [5.0, 6.0, 7.0, 8.0], [1.0, 2.0, 3.0, 4.0]
    >>> p = max_t([(x, y), (y, x)], ["same", "same"], permutations=999, seed=0)
    >>> bool(p[0] == p[1]), bool(p[0] < 0.05)
    (True, True)
    """
    groups: dict[Hashable, list[int]] = {}
    for place, name in enumerate(labellings):
        groups.setdefault(name, []).append(place)
    observed = np.zeros(len(samples))
    slack = np.zeros(len(samples))
    largest = np.full(permutations, -np.inf)
    for number, places in enumerate(groups.values()):
        values, size, near = _standardised([samples[place] for place in places], alternative)
        observed[places], slack[places] = values[:, :size].sum(axis=1), near
        stream = generator(seed, ["max-t", str(number)])
        blocks = relabelled_sums(values, size, permutations, stream)
        tops = [(np.abs(b) if alternative == "two-sided" else b).max(axis=0) for b in blocks]
        np.maximum(largest, np.concatenate(tops), out=largest)
    if alternative == "two-sided":
        observed = np.abs(observed)
    ordered = np.sort(largest)
    below = np.searchsorted(ordered, observed - slack)
    return (permutations - below + 1) / (permutations + 1)


def _standardised(
    samples: Sequence[tuple[ArrayLike, ArrayLike]], alternative: Alternative
) -> tuple[Floats, int, Floats]:
    # numbers whose sum over the first set has variance 1 under relabelling, and the tolerances
    pairs = [[np.asarray(part, dtype=np.float64) for part in pair] for pair in samples]
    shapes = {(x.shape, y.shape) for x, y in pairs}
    if len(shapes) > 1 or any(part.ndim != 1 or not part.size for part in pairs[0]):
        raise DataError(
            "Correcting tests of one labelling", f"their samples have the shapes {sorted(shapes)}",
            "Give samples of the same units, one or more",
        )  # fmt: skip
    n, m = pairs[0][0].size, pairs[0][1].size
    pooled = np.stack([np.concatenate(pair) for pair in pairs])
    near = TIE * np.abs(pooled).sum(axis=1)
    centred = pooled - pooled.mean(axis=1, keepdims=True)
    scale = np.std(pooled, axis=1, ddof=1) * (n * m / (n + m)) ** 0.5
    flat = scale <= near
    scale = np.where(flat, 1.0, scale)
    values = np.where(flat[:, None], 0.0, centred) / scale[:, None]
    return (-values if alternative == "less" else values), n, np.where(flat, 0.0, near / scale)
