"""Handing a trained model to whoever keeps models; without one it is dropped after predicting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from slant.systems.checkpoints import Encoder

Log = Sequence[dict[str, float]]
Keeper = Callable[[Encoder, Log], None]
"""Called with each trained encoder and the Trainer's log."""

_keeper: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextmanager
def keeping(keeper: Keeper) -> Iterator[None]:
    """Within the block, `keeper` is given each encoder that is trained in this thread."""
    token = _keeper.set(keeper)
    try:
        yield
    finally:
        _keeper.reset(token)


def hand_over(encoder: Encoder, log: Log) -> None:
    """Give a trained encoder to the keeper, if there is one."""
    keeper = _keeper.get()
    if keeper is not None:
        keeper(encoder, log)
