"""How far a training is, told to whoever listens; nothing that is computed depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Told = Callable[[float, str], None]
"""Called with the share that is done, in [0, 1], and what is being done."""

_listener: ContextVar[Told | None] = ContextVar("listener", default=None)


@contextmanager
def listening(told: Told) -> Iterator[None]:
    """Within the block, `told` hears what trainings in this thread tell."""
    token = _listener.set(told)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(step: int, steps: int, epochs: int) -> None:
    """Tell the listener, if there is one, that a step of a training is done.

    Args:
        step: steps done, from 1.
        steps: of the whole training.
        epochs: of the whole training.
    """
    per_epoch = max(steps // epochs, 1)
    epoch, inside = divmod(step - 1, per_epoch)
    tell_share(step / steps, f"epoch {epoch + 1} of {epochs}, step {inside + 1} of {per_epoch}")


def tell_share(share: float, what: str) -> None:
    """Tell the listener, if there is one, how far any other work is.

    Args:
        share: that is done, in [0, 1].
        what: is being done.
    """
    told = _listener.get()
    if told is not None:
        told(share, what)
