"""Pairs of text and image: closed answers (biased or not), and verdicts on open ones.

Two recipes are told apart by name. "ours" counts an answer that cannot be read as wrong, on either
side. "published" is the scoring code of the benchmark's page, with its faults, so that numbers made
with it can be set beside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from slant.metrics.scores import accuracy, biased_f1, class_f1, precision, recall, weighted_f1
from slant.metrics.tallies import binary_tally
from slant.types import Array, Kernel

Recipe = Literal["ours", "published"]

BIASED_LABEL, FAIR_LABEL = "biased", "not biased"
"""The two labels, as answers and the published recipe spell them."""

CLOSED = ("accuracy", "precision", "recall", "f1", "class_f1", "weighted_f1")
"""The scores of closed answers; the first four are those of the paper."""


class PublishedLabels(NamedTuple):
    """What the published recipe makes of labels; each in [0, 1]."""

    accuracy: float
    precision: float
    recall: float
    f1: float


class Vote(NamedTuple):
    """What several verdicts come to.

    Fields:
        value: the majority; None where no verdict could be read.
        tied: whether as many said yes as no, which counts as no.
    """

    value: bool | None
    tied: bool


def closed_kernels() -> dict[str, Kernel]:
    """The scores of closed answers by name, as kernels on (..., 4) tp fp fn tn; NaN for 0/0.

    >>> round(float(closed_kernels()["f1"](np.array([2, 1, 1, 6]))), 4)  # 4 / 6
    0.6667
    """
    scores: dict[str, Callable[..., Any]] = {
        "accuracy": accuracy, "precision": precision, "recall": recall, "f1": biased_f1,
        "class_f1": class_f1, "weighted_f1": weighted_f1,
    }  # fmt: skip
    return {name: partial(scores[name], undefined=None) for name in CLOSED}


def closed_counts(gold: Sequence[bool], predicted: Sequence[bool | None]) -> Array:
    """The count of each pair: exactly one of tp, fp, fn, tn.

    Rule: an answer that cannot be read is wrong: a miss where the pair is biased, a false alarm
    where it is not. So no system gains by answering nonsense to what is hard.

    Args:
        gold: (n,) whether each pair is biased.
        predicted: (n,) the same as answered; None where it cannot be read.

    Returns:
        (n, 4).

    >>> closed_counts([True, False], [None, None]).tolist()
    [[0, 0, 1, 0], [0, 1, 0, 0]]
    """
    units = [str(place) for place in range(len(gold))]
    said = [None if one is None else int(one) for one in predicted]
    tally = binary_tally(
        [int(one) for one in gold], said, units,
        groups=["all"] * len(units), clusters=np.arange(len(units)), group_names=("all",),
    )  # fmt: skip
    return tally.counts[:, 0]


def label_scores(
    gold: Sequence[bool], predicted: Sequence[bool | None], recipe: Recipe
) -> dict[str, float | None]:
    """Scores of labels under one of the two recipes.

    Args:
        gold, predicted: as in `closed_counts`.
        recipe: "ours", or "published": that of `published_labels`.

    Returns:
        By name, in [0, 1]; None where ours is 0/0. "published" has four of the six.

    >>> label_scores([True, True], [True, None], "ours")["recall"]
    0.5
    >>> label_scores([True, True], [True, None], "published")["recall"]
    1.0
    """
    if recipe == "published":
        labels = [None if one is None else label(one) for one in predicted]
        return dict(published_labels(labels, [label(one) for one in gold])._asdict())
    counts = closed_counts(gold, predicted).sum(axis=0)
    values = {name: float(kernel(counts)) for name, kernel in closed_kernels().items()}
    return {name: None if np.isnan(value) else value for name, value in values.items()}


def label(biased: bool) -> str:
    """The label as answers spell it.

    >>> label(False)
    'not biased'
    """
    return BIASED_LABEL if biased else FAIR_LABEL


def published_labels(preds: Sequence[Any], golds: Sequence[Any]) -> PublishedLabels:
    """Accuracy and F1 as the published recipe computes them, number by number.

    Rule: only the two exact strings count. A prediction that is neither (unreadable, another
    spelling) on a biased pair is no miss: it leaves recall's denominator, and lowers accuracy
    alone. Predictions beyond the shorter of the two lists are cut, while accuracy divides by all
    of gold. 0/0 is 0; no gold at all divides by zero.

    Args:
        preds, golds: labels; any other value is neither.

    Raises:
        ZeroDivisionError: `golds` is empty.
    Source: the page of ViLBias, "Scoring recipe".

    >>> published_labels(["biased", None], ["biased", "biased"])
    PublishedLabels(accuracy=0.5, precision=1.0, recall=1.0, f1=1.0)
    """
    pairs = list(zip(preds, golds, strict=False))
    tp = pairs.count((BIASED_LABEL, BIASED_LABEL))
    fp = pairs.count((BIASED_LABEL, FAIR_LABEL))
    fn = pairs.count((FAIR_LABEL, BIASED_LABEL))
    p = tp / (tp + fp) if tp + fp > 0 else 0.0
    r = tp / (tp + fn) if tp + fn > 0 else 0.0
    # in this order of operations, so that the last bit is the recipe's, too
    f1 = 2 * p * r / (p + r) if p + r > 0 else 0.0
    return PublishedLabels(sum(one == other for one, other in pairs) / len(golds), p, r, f1)


def published_reasoning(
    rationales: Sequence[Any], golds: Sequence[Any], inputs: Sequence[Any], judge: Any = "GPT-4o"
) -> tuple[float, float]:
    """Reasoning accuracy and faithfulness as the published recipe computes them.

    Rule: the judge is called with one string for each rationale, and counts whenever its reply is
    truthy: a reply in words always is, "No" too. Both divide by all of gold, and both lists are cut
    at the shorter. An input is put into the string as text, so that no image reaches the judge. The
    default judge is a name and no function: calling it fails, as it does in the recipe.

    Args:
        rationales, golds, inputs: item by item.
        judge: a function of one string.

    Returns:
        Reasoning accuracy, faithfulness; each in [0, 1].
    Raises:
        TypeError: the judge is a name. ZeroDivisionError: `golds` is empty.
    Source: the page of ViLBias, "Scoring recipe".

    >>> published_reasoning(["r", "s"], ["biased"] * 2, ["t", "u"], judge=lambda question: "No")
    (1.0, 1.0)
    """
    supported = sum(
        1
        for one, gold in zip(rationales, golds, strict=False)
        if judge(f"Rationale: {one} Right label: {gold} Supported?")
    )
    grounded = sum(
        1
        for one, given in zip(rationales, inputs, strict=False)
        if judge(f"Rationale: {one} Input: {given} Grounded?")
    )
    return supported / len(golds), grounded / len(golds)


def majority(votes: Iterable[bool | None]) -> Vote:
    """What several verdicts on one question come to.

    Rule: verdicts that could not be read do not vote. A tie is a no: a rationale must convince
    more than half.

    >>> majority([True, False, True]), majority([True, None, False]), majority([None])
    (Vote(value=True, tied=False), Vote(value=False, tied=True), Vote(value=None, tied=False))
    """
    read = [one for one in votes if one is not None]
    if not read:
        return Vote(None, False)
    yes = sum(read)
    return Vote(2 * yes > len(read), 2 * yes == len(read))
