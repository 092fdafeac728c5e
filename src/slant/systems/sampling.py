"""What an epoch learns from, and in what order: tasks by temperature, batches by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from slant.types import Array, Floats

POOL = 16  # batches drawn together and sorted by length; more would fix who meets whom


def task_shares(sizes: Sequence[int], temperature: float) -> Floats:
    """The share of each task in what is drawn: size ** (1 / temperature), scaled to a sum of 1.

    Args:
        sizes: (tasks,) rows of each, above 0.
        temperature: 1 draws by size; the higher, the nearer to equal shares.

    Returns:
        (tasks,) shares.

    Source: Arivazhagan et al., Massively Multilingual NMT in the Wild (2019), section 4.2.

    >>> task_shares([900, 100], 2).tolist()
    [0.75, 0.25]
    """
    powers = np.asarray(sizes, dtype=np.float64) ** (1 / temperature)
    shares: Floats = powers / powers.sum()
    return shares


def epoch_places(tasks: Array, temperature: float, seed: int, epoch: int) -> Array:
    """The rows of one epoch: as many as there are, each task's number by `task_shares`.

    A task that is to give more rows than it has gives each of them again as often as fits, and the
    rest by lot; one that is to give fewer gives a new sample in each epoch. At a temperature of 1
    these are all rows, each once.

    Args:
        tasks: (n,) task of each row, from 0, ascending.
        temperature: see `task_shares`.
        seed, epoch: of the lots.

    Returns:
        (n,) places, ascending.
    """
    sizes = np.bincount(tasks)
    due = task_shares(sizes.tolist(), temperature) * len(tasks)
    counts = np.floor(due + 1e-9).astype(np.int64)
    # The largest remainders make the sum whole.
    counts[np.argsort(counts - due, kind="stable")[: len(tasks) - counts.sum()]] += 1
    stream = np.random.default_rng([seed, epoch, 1])
    drawn = []
    for task, (size, count) in enumerate(zip(sizes.tolist(), counts.tolist(), strict=True)):
        places = np.flatnonzero(tasks == task)
        times, rest = divmod(count, size)
        drawn += [np.tile(places, times), stream.permutation(places)[:rest]]
    return np.sort(np.concatenate(drawn))


class LikeLengths:
    """The order of an epoch such that batches hold windows of like length.

    The epoch's places are shuffled, cut into pools of 16 batches, sorted by length within each, cut
    into batches, and the batches shuffled; the incomplete one comes last. The order is a function
    of the seed and the epoch alone.

    Args:
        lengths: (n,) tokens of each row.
        tasks: (n,) task of each row, ascending.
        batch: rows of a batch.
        temperature: see `epoch_places`.
        seed: of the draws.
    """

    def __init__(
        self, lengths: Sequence[int], tasks: Array, batch: int, temperature: float, seed: int
    ) -> None:
        self.lengths, self.tasks, self.batch = np.asarray(lengths), tasks, batch
        self.temperature, self.seed, self.epoch = temperature, seed, 0

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch whose order comes next."""
        self.epoch = epoch

    def __len__(self) -> int:
        return len(self.lengths)

    def __iter__(self) -> Iterator[int]:
        if not len(self):
            return
        drawn = epoch_places(self.tasks, self.temperature, self.seed, self.epoch)
        stream = np.random.default_rng([self.seed, self.epoch])
        places = drawn[stream.permutation(len(drawn))]
        pool = self.batch * POOL
        whole = []
        for start in range(0, len(places), pool):
            part = places[start : start + pool]
            part = part[np.argsort(self.lengths[part], kind="stable")]
            rest = len(part) % self.batch
            whole += [part[i : i + self.batch] for i in range(rest, len(part), self.batch)]
            tail = part[:rest]
        for number in stream.permutation(len(whole)).tolist():
            yield from whole[number].tolist()
        yield from tail.tolist()
