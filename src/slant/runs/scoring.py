"""Cells to scores.json: every score with its interval, the controls beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

import slant
from slant.errors import RunError
from slant.runs.longtexts import long_texts
from slant.runs.outcomes import control_outcomes, fold_tallies, outcomes, strata_of
from slant.runs.records import read_record, read_scores
from slant.runs.results import LoadedScores, Scores
from slant.runs.store import write_json
from slant.runs.taskscores import (
    LEVEL,
    METHOD,
    RESAMPLES,
    count_scores,
    groups_of,
    kernels_of,
    shown_estimate,
    task_scores,
)
from slant.stats.intervals import interval
from slant.stats.resampling import Draws, mean_draws
from slant.systems import learns_jointly
from slant.tasks.joint import apart
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, fingerprint, prepared
from slant.tasks.protocols import TRAIN

CONTROLS = ("majority", "source-only", "random")
"""A constant, the data set's number alone, and a coin: what a score must be held against."""


def score(
    folder: Path | str, *, data: Path | None = None, ready: Sequence[Prepared] | None = None
) -> Scores:
    """Score a run from run.json, the data and the cells alone, and write its scores.json.

    Args:
        folder: the run directory.
        data: folder with the data; None: SLANT_DATA, then the user's store.
        ready: the tasks prepared, where the caller has them.

    Returns:
        The content of scores.json (docs/handbook.md, "One run, walked through").

    Raises:
        RunError: no run, a cell missing, or other data than the run's.
    """
    folder = Path(folder)
    asked = read_record(folder)
    options = Options(**asked["options"])
    if ready is None:
        ready = prepared_again(folder, asked, options, data)
    tasks: dict[str, Any] = {}
    controls: dict[str, dict[str, Any]] = {name: {} for name in CONTROLS}
    draws: list[dict[str, Draws]] = []
    control_draws: dict[str, list[dict[str, Draws]]] = {name: [] for name in CONTROLS}
    faults: dict[str, int] = {}
    for name in asked["tasks"]:
        of_task = [one for one in ready if one.task == name]
        table = outcomes(folder, of_task, options.splits)
        kernels = kernels_of(name, table, options)
        tasks[name], drawn = task_scores(name, table, of_task, options, kernels)
        draws.append(drawn)
        for kind, count in table["fault"].drop_nulls().value_counts().iter_rows():
            faults[kind] = faults.get(kind, 0) + count
        for control, beside in control_outcomes(CONTROLS, of_task, options.splits).items():
            strata = strata_of(fold_tallies(beside, groups_of(table)), len(of_task))
            controls[control][name], drawn = count_scores(name, strata, options, kernels)
            control_draws[control].append(drawn)
    scores: dict[str, Any] = {
        "signature": asked["signature"],
        "system": asked["system"],
        "preset": options.preset,
        "slant": slant.__version__,
        "command": asked["command"],
        "seeds": asked["seeds"],
        "primary": f"{options.f1}_f1",
        "level": LEVEL,
        "resamples": RESAMPLES,
        "tasks": tasks,
        "overall": _media_bias_scores(draws),
        "controls": controls,
        "controls_overall": {name: _media_bias_scores(one) for name, one in control_draws.items()},
        "faults": faults,
        "data": asked["data"],
        "counts": {"train": {name: _training_rows(ready, name) for name in asked["tasks"]}},
        "train_share": options.train_share,
    }
    if long := long_texts(folder, asked["spec"]):
        scores["long_texts"] = long
    write_json(folder / "scores.json", scores)
    return Scores(scores)


def load_scores(folder: Path | str) -> LoadedScores:
    """A run's run.json and scores.json.

    Raises:
        RunError: one is absent or damaged.
    """
    folder = Path(folder)
    return LoadedScores(read_record(folder), Scores(read_scores(folder)))


def prepared_again(
    folder: Path, asked: Mapping[str, Any], options: Options, data: Path | None
) -> list[Prepared]:
    """The tasks of a run, made ready from the data that are here.

    Raises:
        RunError: the data are not those of the run.
    """
    tables: dict[str, Any] = {}
    ready = [
        prepared(name, options, seed, data, tables)
        for name in asked["tasks"]
        for seed in asked["seeds"]
    ]
    here = f"data:{fingerprint(ready)[:8]}"
    if here not in asked["signature"].split("|"):
        raise RunError(
            f"Scoring the run '{folder}'",
            f"the data here ({here}) are not those of the run ({asked['signature']})",
            "Give the folder with the run's data by --data, or run it again",
        )
    return apart(ready, options) if learns_jointly(asked["spec"]) else ready


def _media_bias_scores(draws: Sequence[Mapping[str, Draws]]) -> dict[str, Any]:
    """The two means over tasks (MBIB paper, section 5.1), absent where a task has no score."""
    return {
        f"media_bias_{kind}": shown_estimate(
            interval(mean_draws([one[kind] for one in draws]), LEVEL, METHOD)
        )
        for kind in ("micro", "group")
        if all(kind in one for one in draws)
    }


def _training_rows(ready: Sequence[Prepared], task: str) -> int:
    """Mean number of training rows over seeds and folds, to the nearest whole row."""
    counts = [
        count
        for one in ready
        if one.task == task
        for count in (
            pl.read_parquet(one.rows, glob=False)
            .select((pl.col("^role_.*$") == TRAIN).sum())
            .row(0)
        )
    ]
    return round(float(sum(counts)) / len(counts))
