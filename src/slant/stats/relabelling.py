"""Random relabellings of units, drawn in blocks: the draws of a Monte Carlo permutation test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from slant.errors import OptionError
from slant.types import Array, Floats

_BLOCK = 1 << 13


def relabelled(
    values: Array | Floats, size: int, permutations: int, stream: np.random.Generator
) -> Iterator[Array | Floats]:
    """Random choices of `size` numbers, block by block: the first steps of Fisher and Yates.

    Args:
        values: (N,) what is chosen from; places to choose places.
        size: how many are chosen, without replacement.
        permutations: how many choices in all; the same whatever the size of the blocks.
        stream: where the random numbers come from.

    Yields:
        (size, block) choices.
    """
    if permutations < 1:
        raise OptionError(
            "Permuting", f"{permutations} permutations were asked for", "Give 1 or more"
        )
    for start in range(0, permutations, _BLOCK):
        block = min(_BLOCK, permutations - start)
        where = np.arange(block)
        pool = np.repeat(values, block)
        out = np.empty_like(values, shape=(size, block))
        uniform = np.ascontiguousarray(stream.random((block, size)).T)
        for i in range(size):
            place = uniform[i] * (values.size - i)
            other = (place.astype(np.int64) + i) * block + where
            np.take(pool, other, out=out[i])
            pool[other] = pool[i * block : (i + 1) * block]
        yield out


def relabelled_sums(
    values: Floats, size: int, permutations: int, stream: np.random.Generator
) -> Iterator[Floats]:
    """Sums of many rows of numbers over the same random choices of columns, block by block.

    One matrix product for each block, of the numbers with the labels.

    Args:
        values: (T, N).
        size, permutations, stream: as in `relabelled`.

    Yields:
        (T, block), `permutations` columns in all.
    """
    total = values.shape[1]
    for chosen in relabelled(np.arange(total), size, permutations, stream):
        labels = np.zeros((total, chosen.shape[1]))
        labels[chosen, np.arange(chosen.shape[1])] = 1.0
        yield values @ labels
