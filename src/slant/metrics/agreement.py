"""How far annotators agree: Krippendorff's alpha, kappas, percent; all reductions of counts per
unit, so that a bootstrap over units only weighs and adds them again."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError
from slant.types import Array, Floats, Undefined

MISSING = -1
"""The code of an annotator who has not answered a unit."""


def value_counts(codes: ArrayLike, categories: int) -> Array:
    """How many annotators gave each value to each unit.

    Args:
        codes: (units, annotators) int in [0, categories), or `MISSING`.
        categories: number of values there are.

    Returns:
        (units, categories) int64.

    >>> value_counts([[0, 1, 1], [0, -1, 0]], 2).tolist()
    [[1, 2], [2, 0]]
    """
    table = np.asarray(codes)
    if table.ndim != 2:
        do = "Give one row per unit and one column per annotator"
        raise DataError("Counting answers", f"they have the shape {table.shape}", do)
    wrong = (table < MISSING) | (table >= categories)
    if wrong.any():
        unit, annotator = (int(place[0]) for place in np.nonzero(wrong))
        found = f"annotator {annotator} gave unit {unit} the code {int(table[unit, annotator])}"
        do = f"Give codes from 0 to {categories - 1}, or {MISSING} for no answer"
        raise DataError("Counting answers", found, do)
    return np.stack([(table == value).sum(axis=1) for value in range(categories)], axis=1)


def coincidences(counts: ArrayLike) -> Floats:
    """Pairs of values inside each unit, weighed so that a unit counts as many as it has values.

    Rule: n_c * n_k / (m - 1) for c != k and n_c * (n_c - 1) / (m - 1), m values in the unit; a
    unit with fewer than two values has none.

    Args:
        counts: (..., units, categories) of `value_counts`.

    Returns:
        (..., units, categories, categories); added up over units, the coincidence matrix.

    Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, step 2.
    """
    n = np.asarray(counts, np.float64)
    m = n.sum(axis=-1)
    pairs = n[..., :, None] * n[..., None, :]
    diagonal = np.arange(n.shape[-1])
    pairs[..., diagonal, diagonal] -= n
    weight = np.divide(1.0, m - 1, out=np.zeros_like(m), where=m > 1)
    weighted: Floats = pairs * weight[..., None, None]
    return weighted


def alpha_kernel(matrix: ArrayLike) -> Floats:
    """Krippendorff's nominal alpha from coincidence matrices.

    Args:
        matrix: (..., categories, categories), coincidences added over units, each as often as a
            resample drew it.

    Returns:
        (...); NaN where all values are of one category or no unit has two.
    """
    o = np.asarray(matrix, np.float64)
    margins = o.sum(axis=-1)
    n = margins.sum(axis=-1)
    agreed = np.trace(o, axis1=-2, axis2=-1)
    by_chance = (margins * (margins - 1)).sum(axis=-1)
    above, possible = (n - 1) * agreed - by_chance, n * (n - 1) - by_chance
    varied = (margins > 0).sum(axis=-1) > 1
    alpha: Floats = np.divide(
        above, possible, out=np.full(np.shape(n), np.nan), where=varied & (possible > 0)
    )
    return alpha


def krippendorff_alpha(codes: ArrayLike, categories: int) -> float | Undefined:
    """Krippendorff's alpha of nominal values, any number of annotators, some answers missing.

    Rule: 1 - observed disagreement / disagreement expected by chance, over all pairs of values
    inside units.

    Args:
        codes: (units, annotators) int in [0, categories), or `MISSING`.
        categories: number of values there are.

    Returns:
        At most 1 = all agree; 0 = as by chance; below 0 = worse. Undefined where fewer than two
        values occur, or no unit has two answers.

    Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section C.

    >>> float(krippendorff_alpha([[0, 0], [1, 1], [0, 1], [1, 1]], 2))  # 1 - 7 * 2 / (2 * 3 * 5)
    0.5333333333333333
    """
    value = float(alpha_kernel(coincidences(value_counts(codes, categories)).sum(axis=0)))
    if not np.isnan(value):
        return value
    return Undefined("alpha needs two values that occur, and a unit with two answers")


def percent_agreement(codes: ArrayLike, categories: int) -> float | Undefined:
    """The share of agreeing pairs of answers, each unit weighing the same.

    Args:
        codes: (units, annotators) int in [0, categories), or `MISSING`.
        categories: number of values there are.

    Returns:
        In [0, 1], 1 = all agree, no correction for chance. Undefined where no unit has two answers.

    Source: Fleiss 1971, the mean of P_i.

    >>> percent_agreement([[0, 0, 1], [1, 1, -1]], 2)  # (1/3 + 1) / 2
    0.6666666666666666
    """
    shares = _agreeing(value_counts(codes, categories))
    return float(shares.mean()) if shares.size else Undefined("no unit has two answers")


def fleiss_kappa(codes: ArrayLike, categories: int) -> float | Undefined:
    """Fleiss' kappa: agreement of any annotators beyond what their values' shares give by chance.

    Rule: (P - P_e) / (1 - P_e), P as `percent_agreement`, P_e the sum of the squared shares of the
    values over all answers. Fleiss has as many answers in each unit; with numbers that differ, a
    unit of fewer than two answers is left out and the others weigh the same.

    Args:
        codes: (units, annotators) int in [0, categories), or `MISSING`.
        categories: number of values there are.

    Returns:
        At most 1 = all agree, 0 = as by chance. Undefined where one value alone occurs.

    Source: Fleiss 1971, Measuring nominal scale agreement among many raters.

    >>> fleiss_kappa([[0, 0], [1, 1], [0, 1], [1, 1]], 2)  # (3/4 - 34/64) / (1 - 34/64)
    0.4666666666666667
    """
    counts = value_counts(codes, categories)
    counts = counts[counts.sum(axis=1) > 1]
    if not counts.size:
        return Undefined("no unit has two answers")
    shares = counts.sum(axis=0) / counts.sum()
    return _beyond_chance(float(_agreeing(counts).mean()), float((shares**2).sum()))


def cohen_kappa(first: ArrayLike, second: ArrayLike) -> float | Undefined:
    """Cohen's kappa of two annotators over the units that both answered.

    Rule: (P - P_e) / (1 - P_e), P the share of equal answers, P_e the sum over values of the
    product of both annotators' shares.

    Args:
        first, second: (units,) int codes, or `MISSING`.

    Returns:
        At most 1 = equal, 0 = as by chance. Undefined where both give one value alone, or no unit
        has both answers.

    Source: Cohen 1960, A coefficient of agreement for nominal scales.

    >>> cohen_kappa([0, 0, 1, 1], [0, 1, 1, 1])  # (3/4 - 1/2) / (1 - 1/2)
    0.5
    """
    a, b = np.asarray(first), np.asarray(second)
    both = (a != MISSING) & (b != MISSING)
    a, b = a[both], b[both]
    if not a.size:
        return Undefined("no unit has both answers")
    values = np.union1d(a, b)
    chance = sum(float((a == value).mean() * (b == value).mean()) for value in values)
    return _beyond_chance(float((a == b).mean()), chance)


def against_others(codes: ArrayLike) -> Array:
    """Each annotator's binary answer against the majority of the others'.

    Rule: gold of a unit for one annotator is what more than half of the *other* answers say; where
    they tie, or there are none, this answer is not counted.

    Args:
        codes: (units, annotators) 0, 1, or `MISSING`.

    Returns:
        (units, annotators, 4) int64 tp fp fn tn, at most one of them 1: added up over units (and
        annotators), counts for every kernel of `metrics.scores`.

    >>> against_others([[1, 1, 1], [0, 1, 1], [1, 0, -1]]).sum(axis=0).tolist()  # 2nd: 1 of 1 + 1
    [[1, 1, 1, 0], [1, 0, 1, 0], [1, 0, 0, 0]]
    """
    table = np.asarray(codes)
    counts = value_counts(table, 2)
    own = np.stack([table == value for value in (0, 1)], axis=-1)
    others = counts[:, None, :] - own
    gold = others[..., 1] > others[..., 0]
    decided = (others[..., 1] != others[..., 0]) & (table != MISSING)
    said = table == 1
    cells = [said & gold, said & ~gold, ~said & gold, ~said & ~gold]
    return np.stack([decided & cell for cell in cells], axis=-1).astype(np.int64)


def _agreeing(counts: Array) -> Floats:
    """(units with two answers,) share of their pairs that agree."""
    m = counts.sum(axis=1)
    paired = counts[m > 1].astype(np.float64)
    m = m[m > 1]
    shares: Floats = (paired * (paired - 1)).sum(axis=1) / (m * (m - 1))
    return shares


def _beyond_chance(observed: float, chance: float) -> float | Undefined:
    if chance >= 1:
        return Undefined("one value alone occurs: nothing is left to agree on beyond chance")
    return (observed - chance) / (1 - chance)
