"""How far the cells in work are: each writes a small file beside its own, the driver reads them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

from slant.data.jsonvalues import json_value
from slant.data.writing import temporary_beside
from slant.systems.steps import listening

if TYPE_CHECKING:
    from slant.runs.engine import Cell, Progress

PAUSE = 2.0
"""Seconds between two writings, and between two readings."""
SHOWN = 2
"""Cells that are named where more are in work."""


class Step(NamedTuple):
    """How far one cell is: the share of its training, and that in words."""

    share: float
    says: str


def step_path(cell: Path) -> Path:
    """Where a cell in work says how far it is."""
    return cell.with_name(f".{cell.stem}.step")


@contextmanager
def written_steps(cell: Path) -> Iterator[None]:
    """Within the block, what a training tells is written beside the cell; at the end removed.

    Args:
        cell: the file that the cell will leave.
    """
    path = step_path(cell)
    first: tuple[float, float] | None = None
    last = time.monotonic()

    def told(share: float, what: str) -> None:
        nonlocal first, last
        now = time.monotonic()
        first = first or (now, share)
        if now - last < PAUSE:
            return
        last = now
        if share > first[1]:
            left = (now - first[0]) / (share - first[1]) * (1 - share)
            what = (
                f"{what}, {left / 60:.0f} min left" if left > 90 else f"{what}, {left:.0f} s left"
            )
        # A disk that does not take it costs what is shown, and changes no result.
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = temporary_beside(path)
            temporary.write_text(json.dumps([share, what]), "utf-8")
            os.replace(temporary, path)

    try:
        with listening(told):
            yield
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def read_step(cell: Path) -> Step | None:
    """How far a cell is; None where it is not in work or has not said so."""
    try:
        share, says = json_value(step_path(cell).read_text("utf-8"))
        return Step(float(share), str(says))
    except (OSError, ValueError, TypeError):
        return None


@contextmanager
def watched_steps(cells: Sequence[Cell], progress: Progress) -> Iterator[Progress]:
    """Within the block, `progress` hears every few seconds how far the cells in work are.

    Args:
        cells: which are worked off; what a killed run left of their steps is removed.
        progress: called with cells done, a fraction inside a cell, cells in all, and the steps;
            from another thread, but never twice at once.

    Yields:
        What to call with each cell done, in its place.
    """
    for cell in cells:
        step_path(cell.path).unlink(missing_ok=True)
    ended, turn = Event(), Lock()
    finished = reached = 0.0

    def show(done: float, what: str, steps: Sequence[Step]) -> None:
        nonlocal finished, reached
        finished = done
        # A cell that has ended leaves its step before it is counted: never go back.
        reached = min(max(reached, done + sum(step.share for step in steps)), len(cells))
        progress(reached, len(cells), what)

    def told(done: float, total: int, what: str) -> None:
        with turn:
            show(done, what, [step for one in cells if (step := read_step(one.path))])

    def look() -> None:
        while not ended.wait(PAUSE):
            steps = [(one, step) for one in cells if (step := read_step(one.path))]
            names = [f"{one.task} {one.seed}-{one.fold} {step.says}" for one, step in steps[:SHOWN]]
            more = [f"{len(steps) - SHOWN} more"] if len(steps) > SHOWN else []
            with turn:
                if names and not ended.is_set():
                    show(finished, " · ".join([*names, *more]), [step for _, step in steps])

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        ended.set()
        thread.join()
