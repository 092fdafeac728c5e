"""Systems that read nothing: the floor under every other number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

from slant.systems.binary import predictions, training_labels
from slant.types import Fold, Prediction, System


def chance(seed: int, item: str) -> float:
    """A uniform number that depends on the seed and the item's id alone.

    The first 53 bits of a BLAKE2b hash over 2**53: order, worker and neighbours cannot move it.

    Args:
        seed: the run's seed.
        item: the item's id.

    Returns:
        A number in [0, 1).

    >>> chance(42, "072-1") == chance(42, "072-1") != chance(43, "072-1")
    True
    """
    digest = blake2b(f"{seed}\x1f{item}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / 2**53


def majority() -> System:
    """A system that answers every item with the most frequent label of train.

    A tie goes to biased. The probability is the share of biased in train.

    Returns:
        The system.
    """

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        for fold in folds:
            share = float(training_labels("majority", fold, classes=1).mean())
            n = len(fold.test)
            yield predictions(fold.test, [share >= 0.5] * n, [share] * n)

    return predict


def random(stratified: bool = False) -> System:
    """A system that draws every answer from the seed and the item's id.

    The probability is uniform; an item is biased from 0.5 on, or, stratified, in the same share
    as in train (from one minus that share on).

    Args:
        stratified: whether biased is drawn as often as it stands in train.

    Returns:
        The system.
    """

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        for fold in folds:
            share = 0.5
            if stratified:
                share = float(training_labels("random", fold, classes=1).mean())
            drawn = [chance(seed, item.id) for item in fold.test]
            yield predictions(fold.test, [p >= 1 - share for p in drawn], drawn)

    return predict
