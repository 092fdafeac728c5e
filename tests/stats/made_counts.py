"""Made counts for the tests of intervals and comparisons."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from slant.metrics.scores import class_f1, micro
from slant.metrics.tallies import binary_tally
from slant.types import Array, Tally

F1 = partial(micro, of=partial(class_f1, undefined=0.0))


def made_tally(gold: Any, said: Any, clusters: Any = None, groups: Any = None) -> Tally:
    n = len(gold)
    return binary_tally(
        gold, said, [str(i) for i in range(n)],
        groups=np.zeros(n, dtype=int) if groups is None else groups,
        clusters=np.arange(n) if clusters is None else clusters,
        group_names=("x", "y"),
    )  # fmt: skip


def labels(stream: np.random.Generator, n: int, right: float) -> tuple[Array, Array]:
    gold = stream.integers(0, 2, n)
    return gold, np.where(stream.random(n) < right, gold, 1 - gold)
