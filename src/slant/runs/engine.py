"""Cells - task x seed x fold - worked off in parallel, each leaving one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slant.errors import RunError
from slant.runs.kept import is_kept, keep_model, model_path
from slant.runs.steps import watched_steps, written_steps
from slant.runs.store import cell_path, read_cell, write_cell
from slant.runs.workers import Workers, fewer, worked_off
from slant.systems.keeping import keeping
from slant.tasks.prepare import Prepared, examples_of
from slant.tasks.protocols import TEST, fold_of
from slant.types import Prediction, System

if TYPE_CHECKING:
    import polars as pl

Progress = Callable[[float, int, str], None]
"""Called with cells done (a fraction inside a cell), cells in all, and what is being done."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One unit of work; `path` is the one file it leaves."""

    task: str
    seed: int
    fold: int
    rows: Path
    path: Path


@dataclass(frozen=True, slots=True)
class Unit:
    """Cells that a system is asked for in one call; of these, `todo` are to be written."""

    cells: tuple[Cell, ...]
    todo: tuple[Cell, ...]


def cells_of(prepared: Sequence[Prepared], folds: int, folder: Path) -> list[Cell]:
    """All cells of a run, in the order task, seed, fold."""
    return [
        Cell(one.task, one.seed, fold, one.rows, cell_path(folder, one.task, one.seed, fold))
        for one in prepared
        for fold in range(folds)
    ]


def missing_cells(cells: Sequence[Cell], keep: bool = False) -> list[Cell]:
    """The cells whose file is absent, damaged or of other items; with `keep`, or whose model is."""
    import polars as pl

    missing: list[Cell] = []
    for cell in cells:
        role = pl.col(f"role_{cell.fold}")
        lacks = keep and not is_kept(model_path(cell.path))
        if lacks or read_cell(cell.path, ids_where(cell.rows, role == TEST)) is None:
            missing.append(cell)
    return missing


def ids_where(rows: Path, chosen: pl.Expr) -> list[str]:
    """The ids of a task's rows for which an expression holds, no other column being read."""
    import polars as pl

    return pl.scan_parquet(rows, glob=False).filter(chosen).select("id").collect()["id"].to_list()


def units_of(cells: Sequence[Cell], missing: Sequence[Cell], joint: bool) -> list[Unit]:
    """What is to be done so that no cell is missing.

    Args:
        cells: all of the run.
        missing: those to be written.
        joint: whether all tasks of a seed and fold go into one call.

    Returns:
        One unit per missing cell, or per seed and fold in which one is missing.
    """
    if not joint:
        return [Unit((cell,), (cell,)) for cell in missing]
    together: dict[tuple[int, int], list[Cell]] = {}
    for cell in cells:
        together.setdefault((cell.seed, cell.fold), []).append(cell)
    wanted = set(missing)
    units = [
        Unit(tuple(group), tuple(cell for cell in group if cell in wanted))
        for group in together.values()
    ]
    return [unit for unit in units if unit.todo]


def run_units(
    units: Sequence[Unit],
    system: str | System,
    params: Mapping[str, Any],
    workers: Workers,
    progress: Progress,
    keep: bool = False,
) -> None:
    """Work off units; the files do not depend on who does.

    Args:
        units: what to do.
        system: a name for `make_system`, or a function of the user's own.
        params: of the named system.
        workers: who does it.
        progress: told of each cell done, and every few seconds of those in work.
        keep: whether each cell's model is kept beside it; see `kept`.

    Raises:
        SlantError: of the first cell that failed; the files of finished cells stay.
    """
    cells = [cell for unit in units for cell in unit.todo]
    done = 0
    work = partial(run_unit, system=system, params=params, keep=keep)
    with watched_steps(cells, progress) as told:
        for unit in worked_off(work, units, fewer(workers, len(units)), _shared(units)):
            done += len(unit.todo)
            last = unit.todo[-1]
            told(done, len(cells), f"{last.task} {last.seed}-{last.fold}")


def _shared(units: Sequence[Unit]) -> list[Path]:
    """The run directory, and the tables in the cache, which workers elsewhere must see."""
    cells = [cell for unit in units for cell in unit.cells]
    runs = [cell.path.parents[len(Path(cell.task).parts) + 1] for cell in cells]
    return list(dict.fromkeys([*runs, *(cell.rows for cell in cells)]))


def run_unit(
    unit: Unit, system: str | System, params: Mapping[str, Any], keep: bool = False
) -> Unit:
    """Predict the test parts of a unit's folds and write the cells that are to be written.

    Returns:
        The unit.

    Raises:
        SlantError: the system failed, or did not answer each test item once and in order.
    """
    import polars as pl
    from threadpoolctl import threadpool_limits

    from slant.systems import make_system

    call = make_system(system, params)[1] if isinstance(system, str) else system
    folds = []
    for cell in unit.cells:
        rows = pl.read_parquet(cell.rows, glob=False)
        folds.append(fold_of(examples_of(rows), rows[f"role_{cell.fold}"].to_numpy()))
    # One thread: sums of floats come out the same whatever the number of workers.
    kept = partial(keep_model, model_path(unit.todo[0].path))
    with (
        threadpool_limits(limits=1),
        written_steps(unit.todo[0].path),
        keeping(kept) if keep else nullcontext(),
    ):
        answers = [list(one) for one in call(folds, unit.cells[0].seed)]
    for cell, fold, predictions in zip(unit.cells, folds, answers, strict=True):
        _check_answers(predictions, [item.id for item in fold.test], system)
        if cell in unit.todo:
            write_cell(cell.path, predictions)
    return unit


def _check_answers(
    predictions: Sequence[Prediction], ids: Sequence[str], system: str | System
) -> None:
    answered = [one.id for one in predictions]
    if answered != list(ids):
        name = system if isinstance(system, str) else getattr(system, "__name__", "your function")
        unlike = next(
            (
                f"'{got}' where '{want}' was due"
                for got, want in zip(answered, ids, strict=False)
                if got != want
            ),
            "the rest is missing",
        )
        raise RunError(
            f"Running the system '{name}'",
            f"it answered {len(answered)} of {len(ids)} test items ({unlike})",
            "A system returns one Prediction per test item, in their order",
        )


def default_jobs() -> int:
    """As many processes as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
