"""Scores of bias triggers, from counts: over a corpus, per article, per bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal, get_args

import numpy as np

from slant.errors import unknown_name
from slant.metrics.scores import biased_f1, micro
from slant.metrics.triggers import OVERLAPS
from slant.types import Array, Floats, Kernel, Tally, Undefined

Absent = Literal["left-out", "zero", "one"]
"""What a bias that neither side has is worth in the macro F1."""


def trigger_scores(
    tallies: Mapping[str, Tally],
    *,
    without: Sequence[str] = (),
    trigger_overlap: str = "dice",
    absent: Absent = "left-out",
) -> dict[str, float | Undefined]:
    """Scores of a corpus: counts of all articles added up before any F1 is taken.

    Rule: F1 = 2 tp / (2 tp + fp + fn) over all articles and biases; `detection_macro_f1` is the
    mean over biases of each one's F1; `subset_accuracy` the share of articles whose set of biases
    is right. `triggers_f1` takes two triggers for alike by `trigger_overlap`; the other two
    measures of overlap are scored too, under their own names.

    Args:
        tallies: of `trigger_tallies`.
        without: biases left out of every score, also of what makes an article right.
        trigger_overlap: one of "dice", "jaccard", "max".
        absent: what a bias that neither gold nor predictions have is worth in the macro F1: it is
            left out of the mean, or counts 0 (scikit-learn's default), or 1.

    Returns:
        In [0, 1], by name; 1 = predictions equal gold. Undefined where neither side has anything.

    Raises:
        UnknownName: a code of `without`, or the overlap.

    Source: BAIT, section 5 and appendix B, corpus-level scores.
    """
    kernels = score_kernels(trigger_overlap, absent)
    kept = _kept(tallies, without)
    found = {
        name: _defined(name, kernel, kept[tally].sum(axis=0))
        for name, (tally, kernel) in kernels.items()
    }
    exact = _exact(kept["detection"])
    subset: float | Undefined = (
        float(exact.mean()) if exact.size else Undefined("there is no article")
    )
    names = list(found)
    return {name: found[name] for name in names[:2]} | {"subset_accuracy": subset} | found


def article_scores(
    tallies: Mapping[str, Tally],
    *,
    without: Sequence[str] = (),
    trigger_overlap: str = "dice",
    absent: Absent = "left-out",
) -> dict[str, Floats]:
    """The scores of `trigger_scores` on each article alone, 1 where both sides are empty.

    At each level by itself: an article with labels alone on one side and nothing on the other
    scores 0 at detection and 1 at the other levels.

    Args:
        tallies, without, trigger_overlap, absent: as in `trigger_scores`.

    Returns:
        (articles,) in [0, 1], by name.

    Source: BAIT, appendix B, per-article scores.
    """
    kept = _kept(tallies, without)
    found: dict[str, Floats] = {}
    for name, (tally, kernel) in score_kernels(trigger_overlap, absent).items():
        values = kernel(kept[tally])
        empty = kept[tally][..., :3].sum(axis=(1, 2)) == 0
        found[name] = np.where(empty, 1.0, values)
    first = list(found)[:2]
    subset = {"subset_accuracy": _exact(kept["detection"]).astype(np.float64)}
    return {name: found[name] for name in first} | subset | found


def bias_scores(
    tallies: Mapping[str, Tally], *, trigger_overlap: str = "dice"
) -> dict[str, dict[str, float | Undefined]]:
    """The F1 of each bias at every level, its counts added up over the corpus.

    Args:
        tallies, trigger_overlap: as in `trigger_scores`.

    Returns:
        By the code of the bias, then by name: `detection_f1`, `characters_f1`, `spans_f1`,
        `triggers_f1` and the other two overlaps. Undefined where neither side has the bias.
    """
    kernels = score_kernels(trigger_overlap, "left-out")
    levels = {
        name.replace("detection_micro_f1", "detection_f1"): tally
        for name, (tally, _) in kernels.items()
        if name != "detection_macro_f1"
    }
    return {
        bias: {
            name: _defined(
                f"{name} of {bias}", _micro_f1, tallies[tally].counts[:, n : n + 1].sum(0)
            )
            for name, tally in levels.items()
        }
        for n, bias in enumerate(tallies["detection"].categories)
    }


def score_kernels(
    trigger_overlap: str = "dice", absent: Absent = "left-out"
) -> dict[str, tuple[str, Kernel]]:
    """Every F1 with the tally that it is of, as kernels on (..., categories, 4).

    Args:
        trigger_overlap, absent: as in `trigger_scores`.

    >>> [name for name, (tally, _) in score_kernels("max").items() if tally == "triggers_max"]
    ['triggers_f1']
    """
    if trigger_overlap not in OVERLAPS:
        raise unknown_name("overlap of triggers", trigger_overlap, OVERLAPS)
    if absent not in get_args(Absent):
        raise unknown_name("worth of an absent bias", absent, get_args(Absent))
    found: dict[str, tuple[str, Kernel]] = {
        "detection_micro_f1": ("detection", _micro_f1),
        "detection_macro_f1": ("detection", partial(macro_f1, absent=absent)),
        "characters_f1": ("characters", _micro_f1),
        "spans_f1": ("spans", _micro_f1),
        "triggers_f1": (f"triggers_{trigger_overlap}", _micro_f1),
    }
    for overlap in OVERLAPS:
        if overlap != trigger_overlap:
            found[f"triggers_f1_{overlap}"] = f"triggers_{overlap}", _micro_f1
    return found


def macro_f1(counts: Array, absent: Absent) -> Floats:
    """The mean over categories of each one's F1.

    Args:
        counts: (..., categories, 4).
        absent: what a category without tp, fp and fn is worth: it is left out of the mean, or
            counts 0 (scikit-learn's `zero_division=0`), or 1.

    Returns:
        (...) in [0, 1]; NaN where no category is in the mean.

    >>> counts = [[1, 0, 0, 1], [1, 1, 1, 0], [0, 0, 0, 2]]  # 1, 1/2, and one that nobody has
    >>> [float(macro_f1(counts, absent)) for absent in ("left-out", "zero", "one")]
    [0.75, 0.5, 0.8333333333333334]
    """
    cells = np.asarray(counts)
    each = biased_f1(cells, {"left-out": 0.0, "zero": 0.0, "one": 1.0}[absent])
    used = cells[..., :3].sum(axis=-1) > 0 if absent == "left-out" else np.ones(each.shape, bool)
    number = used.sum(axis=-1)
    mean: Floats = np.full(number.shape, np.nan)
    np.divide((each * used).sum(axis=-1), number, out=mean, where=number > 0)
    return mean


def _micro_f1(counts: Array) -> Floats:
    return micro(counts, partial(biased_f1, undefined=None))


def _kept(tallies: Mapping[str, Tally], without: Sequence[str]) -> dict[str, Array]:
    """The counts of each tally without some categories."""
    categories = tallies["detection"].categories
    for bias in without:
        if bias not in categories:
            raise unknown_name("bias to leave out", bias, categories)
    kept = [n for n, bias in enumerate(categories) if bias not in without]
    return {name: tally.counts[:, kept] for name, tally in tallies.items()}


def _exact(counts: Array) -> Array:
    """(articles,) 1 where every category is right."""
    exact: Array = (counts[..., 1:3].sum(axis=(1, 2)) == 0).astype(np.int64)
    return exact


def _defined(name: str, kernel: Kernel, counts: Array) -> float | Undefined:
    value = float(kernel(counts))
    if not np.isnan(value):
        return value
    return Undefined(f"{name} is 0/0: neither gold nor the predictions have any")
