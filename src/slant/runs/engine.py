"""Cells - task x seed x fold - worked off in parallel, each leaving one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slant.errors import RunError
from slant.runs.steps import watched_steps, written_steps
from slant.runs.store import cell_path, read_cell, write_cell
from slant.tasks.prepare import Prepared, examples_of
from slant.tasks.protocols import TEST, fold_of
from slant.types import Prediction, System

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


def cells_of(prepared: Sequence[Prepared], folds: int, folder: Path) -> list[Cell]:
    """All cells of a run, in the order task, seed, fold."""
    return [
        Cell(one.task, one.seed, fold, one.rows, cell_path(folder, one.task, one.seed, fold))
        for one in prepared
        for fold in range(folds)
    ]


def missing_cells(cells: Sequence[Cell]) -> list[Cell]:
    """The cells whose file is absent, damaged or of other items."""
    import polars as pl

    missing: list[Cell] = []
    for cell in cells:
        role = pl.col(f"role_{cell.fold}")
        ids = pl.scan_parquet(cell.rows).filter(role == TEST).select("id").collect()["id"]
        if read_cell(cell.path, ids.to_list()) is None:
            missing.append(cell)
    return missing


def run_cells(
    cells: Sequence[Cell],
    system: str | System,
    params: Mapping[str, Any],
    jobs: int,
    progress: Progress,
) -> None:
    """Work off cells, in this process or in `jobs` processes; the files do not depend on which.

    Args:
        cells: what to do.
        system: a name for `make_system`, or a function of the user's own.
        params: of the named system.
        jobs: processes, at least 1.
        progress: told of each cell done, and every few seconds of those in work.

    Raises:
        SlantError: of the first cell that failed; the files of finished cells stay.
    """
    with watched_steps(cells, progress) as told:
        if jobs == 1 or len(cells) <= 1:
            for done, cell in enumerate(cells, start=1):
                run_cell(cell, system, params)
                told(done, len(cells), f"{cell.task} {cell.seed}-{cell.fold}")
            return
        from joblib import Parallel, delayed

        results = Parallel(n_jobs=jobs, return_as="generator_unordered")(
            delayed(run_cell)(cell, system, params) for cell in cells
        )
        for done, name in enumerate(results, start=1):
            told(done, len(cells), name)


def run_cell(cell: Cell, system: str | System, params: Mapping[str, Any]) -> str:
    """Predict the test part of one fold and write the cell.

    Returns:
        The cell's name, "TASK SEED-FOLD".

    Raises:
        SlantError: the system failed, or did not answer each test item once and in order.
    """
    import polars as pl
    from threadpoolctl import threadpool_limits

    from slant.systems import make_system

    call = make_system(system, params)[1] if isinstance(system, str) else system
    rows = pl.read_parquet(cell.rows)
    fold = fold_of(examples_of(rows), rows[f"role_{cell.fold}"].to_numpy())
    # One thread: sums of floats come out the same whatever the number of workers.
    with threadpool_limits(limits=1), written_steps(cell.path):
        predictions = list(next(iter(call([fold], cell.seed))))
    _check_answers(predictions, [item.id for item in fold.test], system)
    write_cell(cell.path, predictions)
    return f"{cell.task} {cell.seed}-{cell.fold}"


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
