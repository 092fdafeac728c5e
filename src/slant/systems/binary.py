"""Answers of binary systems: gold as an array, and predictions from probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from slant.errors import DataError
from slant.types import NO, YES, Array, Example, Fold, Item, Prediction


def gold_labels(examples: Sequence[Example]) -> Array:
    """The gold of each example: 1 where it is biased, else 0.

    Args:
        examples: (n,) examples of a binary task.

    Returns:
        (n,) int64, empty for no examples.

    >>> from slant.types import YES, Item
    >>> gold_labels([Example(Item("1", "He lied."), YES)]).tolist()
    [1]
    """
    return np.fromiter((e.gold.biased for e in examples), dtype=np.int64, count=len(examples))


def training_labels(system: str, fold: Fold, *, classes: int) -> Array:
    """The gold of a fold's train, for a system that learns from it.

    Args:
        system: the name that an error shows.
        fold: the fold.
        classes: 1 if any label will do, 2 if the system needs both.

    Returns:
        (n,) int64 of 0 and 1, n at least 1.

    Raises:
        DataError: train is empty, or has one class where the system needs both.
    """
    labels = gold_labels(fold.train)
    asked = f"Training {system}"
    if not labels.size:
        do = "Give a task with more texts or a larger share of train"
        raise DataError(asked, "The fold has no training example", do)
    biased = int(labels.sum())
    if classes == 2 and biased in (0, labels.size):
        word = "biased" if biased else "non-biased"
        found = f"All {labels.size} training examples are {word}"
        raise DataError(asked, found, f"Give {system} a task with both classes, or run majority")
    return labels


def predictions(
    items: Sequence[Item], biased: Iterable[bool], probabilities: Iterable[float]
) -> list[Prediction]:
    """One prediction per item, in the order of the items.

    Args:
        items: (n,) the test items.
        biased: (n,) whether each is biased.
        probabilities: (n,) that each is biased, in [0, 1].

    Returns:
        (n,) predictions.

    >>> [p.answer.biased for p in predictions([Item("1", "Lies!")], [True], [0.9])]
    [True]
    """
    rows = zip(items, biased, probabilities, strict=True)
    return [Prediction(i.id, YES if yes else NO, float(p)) for i, yes, p in rows]
