"""Scores of a binary task.

A score is a kernel: a function of counts (tp fp fn tn on the last axis) over any leading axes, so
that one call scores a thousand resamples. Kernels on (..., 4) are made to see groups by `micro`
(counts of all groups added), `one_group`, or `group_f1` (the mean over groups).

0/0 has no agreed value: scikit-learn lets its caller choose, papers seldom say. So `undefined` has
no default: a number (scikit-learn's `zero_division`) or None, which gives NaN in kernels and an
`Undefined` with its reason from `score`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import numpy as np

from slant.errors import OptionError
from slant.metrics.tallies import by_group
from slant.types import Array, Floats, Kernel, Tally, Undefined

OneClass = Literal["exclude", "include"]
Denominator = Literal["present"] | int


def biased_f1(counts: Array, undefined: float | None) -> Floats:
    """F1 of the class "biased": 2 tp / (2 tp + fp + fn).

    Args:
        counts: (..., 4) tp fp fn tn.
        undefined: the value where no unit is, or is called, biased.

    Returns:
        (...) in [0, 1]; 1 = every biased unit found and no other, 0 = none found.
        scikit-learn: `average="binary"`.

    >>> float(biased_f1([2, 1, 1, 6], undefined=None))  # 4 / 6
    0.6666666666666666
    """
    tp, fp, fn, _ = _cells(counts)
    return _ratio(2 * tp, 2 * tp + fp + fn, undefined)


def class_f1(counts: Array, undefined: float | None) -> Floats:
    """The mean of the F1 of "biased" and the F1 of "not biased".

    scikit-learn's `average="macro"` with `labels=[0, 1]`; without `labels` it would leave out a
    class that neither gold nor predictions have.

    Args:
        counts: (..., 4) tp fp fn tn.
        undefined: the value of a class that neither gold nor predictions have; None makes the
            mean undefined.

    Returns:
        (...) in [0, 1]; 1 = all right. The same when the classes change places.

    >>> float(class_f1([2, 1, 1, 6], undefined=None))  # (4/6 + 12/14) / 2
    0.7619047619047619
    """
    one = biased_f1(counts, undefined)
    zero = biased_f1(swapped(counts), undefined)
    return (one + zero) / 2


def weighted_f1(counts: Array, undefined: float | None) -> Floats:
    """The mean of both classes' F1, weighted by how many units of gold each has.

    scikit-learn's `average="weighted"`, the score of the official MBIB script.

    Args:
        counts: (..., 4) tp fp fn tn.
        undefined: the value where there is no unit at all (a class without gold weighs nothing).

    Returns:
        (...) in [0, 1]; 1 = all right. The same when the classes change places.

    >>> float(weighted_f1([2, 1, 1, 6], undefined=None))  # (3 * 4/6 + 7 * 12/14) / 10
    0.8
    """
    tp, fp, fn, tn = _cells(counts)
    one = biased_f1(counts, 0.0) * (tp + fn)
    zero = biased_f1(swapped(counts), 0.0) * (tn + fp)
    return _ratio(one + zero, tp + fp + fn + tn, undefined)


def accuracy(counts: Array, undefined: float | None) -> Floats:
    """The share of units that are right: (tp + tn) / n.

    Returns:
        (...) in [0, 1]; 1 = all right; `undefined` without a unit.
    """
    tp, fp, fn, tn = _cells(counts)
    return _ratio(tp + tn, tp + fp + fn + tn, undefined)


def precision(counts: Array, undefined: float | None) -> Floats:
    """The share of units called biased that are: tp / (tp + fp).

    Returns:
        (...) in [0, 1]; 1 = no false alarm; `undefined` where none is called biased.
    """
    tp, fp, _, _ = _cells(counts)
    return _ratio(tp, tp + fp, undefined)


def recall(counts: Array, undefined: float | None) -> Floats:
    """The share of biased units that are called so: tp / (tp + fn).

    Returns:
        (...) in [0, 1]; 1 = all found; `undefined` where gold has no biased unit.
    """
    tp, _, fn, _ = _cells(counts)
    return _ratio(tp, tp + fn, undefined)


def specificity(counts: Array, undefined: float | None) -> Floats:
    """The share of units without bias that are called so: tn / (tn + fp).

    Returns:
        (...) in [0, 1]; 1 = no false alarm; `undefined` where gold has only biased units.
    """
    return recall(swapped(counts), undefined)


def mcc(counts: Array, undefined: float | None) -> Floats:
    """Matthews' correlation of gold and predictions.

    (tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))

    Returns:
        (...) in [-1, 1]; 1 = all right, 0 = no better than chance, -1 = all wrong; `undefined`
        where gold or predictions have one class only (scikit-learn: 0).
        The same when the classes change places.
    """
    tp, fp, fn, tn = _cells(counts)
    below = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
    return np.clip(_ratio(tp * tn - fp * fn, below, undefined), -1.0, 1.0)


def swapped(counts: Array) -> Array:
    """The counts with "not biased" taken as the class to find: tn fn fp tp."""
    return np.asarray(counts)[..., ::-1]


def micro(counts: Array, of: Kernel) -> Floats:
    """A score on the counts of all groups added up.

    Args:
        counts: (..., groups, 4).
        of: a kernel on (..., 4), e.g. `partial(class_f1, undefined=0.0)`.
    """
    return of(np.asarray(counts).sum(axis=-2))


def one_group(counts: Array, of: Kernel, group: int) -> Floats:
    """A score on the counts of one group, by its index.

    Args:
        counts: (..., groups, 4).
        of: a kernel on (..., 4).
        group: index on the axis of groups.
    """
    return of(np.asarray(counts)[..., group, :])


def group_f1(
    counts: Array,
    f1: Kernel,
    one_class: OneClass,
    denominator: Denominator,
    among: Sequence[bool] | None = None,
) -> Floats:
    """The mean of an F1 over groups (data sets), each with the same weight.

    Args:
        counts: (..., groups, 4).
        f1: which F1, a kernel on (..., 4).
        one_class: "exclude" leaves out a group whose gold has one class in these counts,
            "include" scores it like any other.
        denominator: "present" divides by the number of groups in the mean; a number divides by
            that instead, as in the published racial macro score, which is evidently the sum of
            two data sets' scores divided by three.
        among: which groups may count at all, where the caller knows that from more than these
            counts; None for all of them.

    Returns:
        (...) in [0, 1] ([0, groups / denominator] with a number); 1 = all right in every group.
        NaN where no group is left, or where `f1` of a group in the mean is NaN. A group without
        units is not in the mean.
    Source: Wessel et al. 2023 (MBIB), section 5.1, "macro average".

    >>> counts = [[3, 1, 0, 4], [5, 0, 0, 0], [0, 0, 0, 0]]
    >>> f1 = partial(biased_f1, undefined=0.0)  # 6/7, 1, no unit
    >>> float(group_f1(counts, f1, one_class="include", denominator="present"))
    0.9285714285714286
    >>> float(group_f1(counts, f1, one_class="exclude", denominator="present"))
    0.8571428571428571
    """
    if denominator != "present" and denominator < 1:
        raise OptionError(
            "Averaging over groups", f"the denominator is {denominator}", "Give 1 or more"
        )
    cells = np.asarray(counts)
    tp, fp, fn, tn = _cells(cells)
    biased, unbiased = tp + fn > 0, fp + tn > 0
    used = biased & unbiased if one_class == "exclude" else biased | unbiased
    if among is not None:
        used = used & np.asarray(among, dtype=bool)
    number = used.sum(axis=-1)
    total = np.where(used, f1(cells), 0.0).sum(axis=-1)
    below = number if denominator == "present" else np.where(number > 0, denominator, 0)
    return _ratio(total, below, None)


def binary_kernels(
    undefined: float | None,
    one_class: OneClass,
    denominator: Denominator,
    among: Sequence[bool] | None = None,
) -> dict[str, Kernel]:
    """All scores of a binary task by name, as kernels on (..., groups, 4).

    Args:
        undefined: the value of 0/0 in every one of them, or None.
        one_class, denominator, among: as in `group_f1`.

    >>> list(binary_kernels(0.0, "exclude", "present"))[:3]
    ['micro_biased_f1', 'micro_class_f1', 'micro_weighted_f1']
    """
    f1s: dict[str, Callable[..., Floats]] = {
        "biased_f1": biased_f1, "class_f1": class_f1, "weighted_f1": weighted_f1
    }  # fmt: skip
    rest: dict[str, Callable[..., Floats]] = {
        "accuracy": accuracy, "precision": precision, "recall": recall,
        "specificity": specificity, "mcc": mcc,
    }  # fmt: skip
    cells = {name: partial(f, undefined=undefined) for name, f in (f1s | rest).items()}
    return {
        **{f"micro_{name}": partial(micro, of=cells[name]) for name in f1s},
        **{
            f"group_{name}": partial(
                group_f1,
                f1=cells[name],
                one_class=one_class,
                denominator=denominator,
                among=among,
            )
            for name in f1s
        },
        **{name: partial(micro, of=cells[name]) for name in rest},
    }


def score(tally: Tally, kernel: Kernel, name: str) -> float | Undefined:
    """One score of one tally.

    Args:
        tally: the counts.
        kernel: a kernel on (groups, 4), e.g. one of `binary_kernels`.
        name: how the reason names the score where it is undefined.
    """
    counts = by_group(tally)
    value = float(kernel(counts))
    if not np.isnan(value):
        return value
    tp, fp, fn, tn = (int(c) for c in counts.sum(axis=0))
    return Undefined(f"{name} is 0/0 with tp {tp}, fp {fp}, fn {fn}, tn {tn}")


def _cells(counts: Array) -> tuple[Floats, Floats, Floats, Floats]:
    cells = np.asarray(counts, dtype=np.float64)
    return cells[..., 0], cells[..., 1], cells[..., 2], cells[..., 3]


def _ratio(above: Floats, below: Floats, undefined: float | None) -> Floats:
    filled = np.full(np.shape(below), np.nan if undefined is None else undefined)
    ratio: Floats = np.divide(above, below, out=filled, where=np.asarray(below) != 0)
    return ratio
