"""Asking for a run: prepare the tasks, work off the cells, score them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import slant
from slant.errors import OptionError, RunError
from slant.runs.engine import (
    Progress,
    cells_of,
    default_jobs,
    ids_where,
    missing_cells,
    run_units,
    units_of,
)
from slant.runs.kept import take_over
from slant.runs.parts import Part, chosen_part, of_part
from slant.runs.results import RunResult
from slant.runs.scoring import score
from slant.runs.signature import signature
from slant.runs.store import only_writer, read_json, write_json
from slant.runs.surroundings import versions
from slant.runs.workers import PROCESSES, ready_workers
from slant.systems import Given, fitting_workers, keeps_models, learns_jointly, named_system
from slant.tasks.joint import apart
from slant.tasks.names import task_names
from slant.tasks.options import Options, chosen_options
from slant.tasks.prepare import Prepared, fingerprint, members_used, prepared
from slant.tasks.protocols import TEST
from slant.tasks.transfer import transfer_options
from slant.types import System

NOTED = ("numpy", "scipy", "scikit-learn", "polars", "rensa", "torch", "transformers")
"""Packages whose versions stand in run.json."""
START_OVER = "Choose another --out, or give --fresh to start over"


def quiet(done: float, total: int, what: str) -> None:
    """Progress for nobody."""


def run(
    tasks: str | Sequence[str],
    system: Given,
    out: Path | str,
    *,
    params: Mapping[str, Any] | None = None,
    preset: str = "clean",
    options: Mapping[str, str] | None = None,
    seeds: Sequence[int] = (42,),
    jobs: int | None = None,
    data: Path | None = None,
    fresh: bool = False,
    skip_missing: bool | None = None,
    progress: Progress = quiet,
    command: str = "",
    engine: str = "processes",
    address: str | None = None,
    gpus_per_worker: int = 0,
    part: str | None = None,
    dry: bool = False,
    keep: bool = False,
    adopt: Path | None = None,
) -> RunResult:
    """Run a system on tasks under a protocol and score it; resumes what is already there.

    Args:
        tasks: "mbib" (all its tasks), "mbib/racial-bias", "mbib/072", "babe", "open/sentences",
            or several.
        system: a name ("tfidf-lr", "predictions:FILE.csv"), a function (folds, seed) -> one list
            of Predictions per fold, a scikit-learn classifier of texts, or a transformers pipeline
            (docs/notebooks.md).
        out: the run directory.
        params: of the named system, e.g. {"C": 0.5}, or of a pipeline: {"biased": "LABEL_1"}.
        preset: "official" or "clean".
        options: single choices changed, e.g. {"folds": "10"}, or {"train_on": "open/sentences"} to
            train on all of another task and test on all of these.
        seeds: each gives its own balance, folds and predictions; scores are means over all.
        jobs: processes; None: as many as cores, or as memory holds. On a cluster: workers; None:
            as many as it has.
        data: folder with the data; None: SLANT_DATA, then the user's store.
        fresh: throw away what is in `out` first.
        skip_missing: leave out tasks that have no data here; None: only when a whole benchmark was
            asked for.
        progress: called with (done, total, what); done is a fraction inside a cell.
        command: the command line, for the record.
        engine, address, gpus_per_worker: who works; see `ready_workers`.
        part: "3/8" works off the third of eight parts of the cells and scores nothing; once all
            parts are done, the same call without it scores.
        dry: check only: nothing is run, and nothing written but what tasks are made ready from.
        keep: keep the model of each seed and fold below models/, of encoder or classifier:NAME.
        adopt: a run that differs in its seeds alone: what it has of the same seeds is copied.

    Returns:
        The run; its scores.json is written unless there is a `part`.

    Raises:
        SlantError: see the message.
    """
    folder = Path(out)
    chosen_options(preset, options or {})
    share = chosen_part(part, fresh)
    _check_seeds(seeds)
    if not str(out).strip() or folder == Path():
        raise OptionError("Reading --out", "it names no directory of its own", "Give one")
    spec = system if isinstance(system, str) else ""
    name, system = named_system(system, params or {})
    if keep:
        _check_keeping(system)
    most = fitting_workers(system, default_jobs()) if engine == PROCESSES and not jobs else 1
    workers = ready_workers(jobs, most, engine, address, gpus_per_worker)
    names, whole = task_names([tasks] if isinstance(tasks, str) else tasks, data)
    chosen = transfer_options(chosen_options(preset, options or {}, names), names, data)
    ready, absent = prepare_all(
        names, chosen, seeds, data, whole if skip_missing is None else skip_missing, progress
    )
    joint = learns_jointly(system)
    if joint:
        progress(len(names), len(names), "keeping the tasks' train apart from their tests")
        ready = apart(ready, chosen)
    used = list(dict.fromkeys(one.task for one in ready))
    sign = signature(used, chosen, fingerprint(ready), seeds, name)
    asked: dict[str, Any] = {
        "signature": sign,
        "command": command,
        "tasks": used,
        "absent": absent,
        "system": name,
        "spec": spec or name,
        "params": dict(params or {}),
        "options": asdict(chosen),
        "seeds": list(seeds),
        "data": members_used(ready),
        "versions": {"slant": slant.__version__, **versions(NOTED)},
    }
    made = RunResult(folder, tuple(used), name, dict(params or {}), tuple(seeds), sign, data)
    if dry:
        _check_predictions(system, params or {}, ready)
        if not fresh:
            _same_run_or_none(folder, asked, fresh, share)
        return made
    with only_writer(folder, share) as ready_for_others:
        _check_predictions(system, params or {}, ready)
        _same_run_or_none(folder, asked, fresh, share)
        if share is None or not (folder / "run.json").exists():
            write_json(folder / "run.json", asked)
        ready_for_others()
        # Absolute: processes that joblib kept from an earlier run may stand in another folder.
        every = cells_of(ready, chosen.splits, folder.absolute())
        own = of_part(units_of(every, every, joint), share)
        cells = [cell for unit in own for cell in unit.cells]
        todo = missing_cells(cells, keep)
        if adopt is not None and todo:
            take_over(adopt, asked, todo)
            todo = missing_cells(cells, keep)
        progress(len(cells) - len(todo), len(cells), "resumed" if len(todo) < len(cells) else "")
        run_units(
            units_of(cells, todo, joint),
            system,
            params or {},
            workers,
            lambda done, total, what: progress(len(cells) - total + done, len(cells), what),
            keep,
        )
        if share is None:
            score(folder, data=data, ready=ready)
    return made


def _check_seeds(seeds: Sequence[int]) -> None:
    asked = f"Reading the seeds {list(seeds)}"
    if not seeds or len(set(seeds)) != len(seeds):
        raise OptionError(asked, "there is none, or one twice", "Give each once")
    for seed in seeds:
        if not 0 <= seed < 2**32:
            raise OptionError(asked, f"{seed} is outside 0 to 2**32 - 1", "Give one inside")


def _check_keeping(system: str | System) -> None:
    if not isinstance(system, str) or not keeps_models(system):
        found = "it has no model of one task"
        do = "Give encoder:NAME or classifier:NAME"
        raise OptionError(f"Keeping the models of '{system}'", found, do)


def prepare_all(
    names: Sequence[str],
    options: Options,
    seeds: Sequence[int],
    data: Path | None,
    skip_missing: bool,
    progress: Progress,
) -> tuple[list[Prepared], list[dict[str, str]]]:
    """Every task at every seed; with `skip_missing`, tasks that cannot be run are listed."""
    from slant.errors import DataError

    ready: list[Prepared] = []
    absent: list[dict[str, str]] = []
    tables: dict[str, Any] = {}
    for number, name in enumerate(names):
        progress(number, len(names), f"preparing {name}")
        try:
            ready += [prepared(name, options, seed, data, tables) for seed in seeds]
        except DataError as error:
            if not skip_missing:
                raise
            absent.append({"task": name, "why": str(error)})
    if not ready:
        raise DataError(
            f"Preparing {', '.join(names)}",
            "none of these tasks has enough data here",
            f"{absent[0]['why'] if absent else ''} See `slant data check`",
        )
    return ready, absent


def _same_run_or_none(
    folder: Path, asked: Mapping[str, Any], fresh: bool, part: Part | None
) -> None:
    """Refuse a directory that holds another run, or clear it when told to."""
    path = folder / "run.json"
    # Other parts may be at work for this run.json before any has left a cell.
    if part is None and path.exists() and not any((folder / "cells").rglob("*.parquet")):
        return
    if fresh:
        for name in ("cells", "models"):
            shutil.rmtree(folder / name, ignore_errors=True)
        for name in ("run.json", "scores.json", "report.html"):
            (folder / name).unlink(missing_ok=True)
        return
    if not path.exists():
        if (folder / "cells").exists():
            raise RunError(
                f"Writing to the run directory '{folder}'",
                "it has cells but no run.json, so nobody knows what made them",
                START_OVER,
            )
        return
    there = read_json(path, "the run")
    for field in ("signature", "params", "options", "seeds", "tasks"):
        if there.get(field) != asked[field]:
            raise RunError(
                f"Writing to the run directory '{folder}'",
                f"it holds another run ({_difference(there, asked, field)})",
                START_OVER if part is None else "Choose another --out, or remove this one",
            )


def _difference(there: Mapping[str, Any], asked: Mapping[str, Any], field: str) -> str:
    if field == "signature":
        old, new = ([*str(one.get(field)).split("|")] for one in (there, asked))
        gone, come = (", ".join(sorted({*a} - {*b})) for a, b in ((old, new), (new, old)))
        return f"{gone or 'less'} there, {come or 'less'} asked"
    return f"{field}: {there.get(field)} there, {asked[field]} asked"


def _check_predictions(
    system: str | System, params: Mapping[str, Any], ready: Sequence[Prepared]
) -> None:
    """Hold a predictions file against all test items before any cell is written."""
    if not (isinstance(system, str) and system.startswith("predictions:")):
        return
    import polars as pl

    from slant.systems.foreign import check_predictions

    tested = pl.any_horizontal(pl.col("^role_.*$") == TEST)
    ids = [number for one in ready for number in ids_where(one.rows, tested)]
    check_predictions(system.split(":", 1)[1], ids, str(params.get("missing", "error")))
