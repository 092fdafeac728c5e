"""Cells to scores.json: every score with its interval, the controls beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

import slant
from slant.errors import RunError
from slant.metrics.calibration import brier, expected_calibration_error, reliability
from slant.metrics.ranking import auroc_kernel
from slant.metrics.scores import (
    biased_f1,
    binary_kernels,
    class_f1,
    one_group,
    recall,
    weighted_f1,
)
from slant.runs.outcomes import (
    confusion,
    control_outcomes,
    fold_tallies,
    most_confident_errors,
    outcomes,
    strata_of,
    two_class_groups,
    undefined_value,
)
from slant.runs.store import read_json, write_json
from slant.stats.intervals import interval
from slant.stats.resampling import Draws, fold_scores, mean_draws, rank_draws, score_draws
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, fingerprint, prepared
from slant.tasks.protocols import TRAIN
from slant.types import Estimate, Kernel, Undefined

LEVEL = 0.95
RESAMPLES = 1000
RESAMPLING_SEED = 42
CONTROLS = ("majority", "source-only")
F1S = {"biased": biased_f1, "class": class_f1, "weighted": weighted_f1}
ERRORS_SHOWN = 20


def score(
    folder: Path | str, *, data: Path | None = None, ready: Sequence[Prepared] | None = None
) -> dict[str, Any]:
    """Score a run from run.json, the data and the cells alone, and write its scores.json.

    Args:
        folder: the run directory.
        data: folder with the data; None: SLANT_DATA, then the user's store.
        ready: the tasks prepared, where the caller has them.

    Returns:
        The content of scores.json (DESIGN, "A run on disk").

    Raises:
        RunError: no run, a cell missing, or other data than the run's.
    """
    folder = Path(folder)
    asked = read_json(folder / "run.json", "the run")
    options = Options(**asked["options"])
    if ready is None:
        ready = _prepared_again(folder, asked, options, data)
    tasks: dict[str, Any] = {}
    controls: dict[str, dict[str, Any]] = {name: {} for name in CONTROLS}
    draws: dict[str, list[Draws]] = {"micro": [], "group": []}
    faults: dict[str, int] = {}
    for name in asked["tasks"]:
        of_task = [one for one in ready if one.task == name]
        table = outcomes(folder, of_task, options.folds)
        kernels = kernels_of(name, table, options)
        tasks[name], drawn = _task_scores(name, table, of_task, options, kernels)
        for kind, one in drawn.items():
            draws[kind].append(one)
        for kind, count in table["fault"].drop_nulls().value_counts().iter_rows():
            faults[kind] = faults.get(kind, 0) + count
        for control in CONTROLS:
            beside = control_outcomes(control, of_task, options.folds)
            controls[control][name] = _count_scores(name, beside, options, kernels)[0]
    scores = {
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
        "overall": {
            f"media_bias_{kind}": _shown(interval(mean_draws(parts), LEVEL, "percentile"))
            for kind, parts in draws.items()
            if parts
        },
        "controls": controls,
        "faults": faults,
        "data": asked["data"],
        "counts": {"train": {name: _training_rows(ready, name) for name in asked["tasks"]}},
        "train_share": options.train_share,
    }
    write_json(folder / "scores.json", scores)
    return scores


def load_scores(folder: Path | str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A run's run.json and scores.json.

    Raises:
        RunError: one is absent or damaged.
    """
    folder = Path(folder)
    asked = read_json(folder / "run.json", "the run")
    return asked, read_json(folder / "scores.json", "the scores (`slant score DIR` makes them)")


def kernels_of(task: str, table: pl.DataFrame, options: Options) -> dict[str, Kernel]:
    """The scores of a task under a protocol, by name, as kernels on (..., groups, 4)."""
    published = options.macro_denominator == "published" and task == "mbib/racial-bias"
    among = two_class_groups(table, groups_of(table)) if options.one_class == "out" else None
    return binary_kernels(
        undefined_value(options), "include", 3 if published else "present", among
    )


def groups_of(table: pl.DataFrame) -> tuple[str, ...]:
    """The data sets of a task, in order of their names."""
    return tuple(sorted(table["dataset"].unique().to_list()))


def _prepared_again(
    folder: Path, asked: Mapping[str, Any], options: Options, data: Path | None
) -> list[Prepared]:
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
    return ready


def _count_scores(
    task: str, table: pl.DataFrame, options: Options, kernels: Mapping[str, Kernel]
) -> tuple[dict[str, Any], dict[str, Draws]]:
    """Count-based scores with intervals and folds, and the draws of the two that are averaged."""
    tallies = fold_tallies(table, groups_of(table))
    strata = strata_of(tallies, table["seed"].n_unique())
    rules: dict[str, Any] = {"combine": "mean", "resamples": RESAMPLES, "seed": RESAMPLING_SEED}
    drawn = score_draws(strata, kernels, names=["bootstrap", task], **rules)
    primary = f"{options.f1}_f1"
    shown: dict[str, Any] = {}
    for name, kernel in kernels.items():
        one = drawn[name]
        estimate = one if isinstance(one, Undefined) else interval(one, LEVEL, "percentile")
        shown[name] = {**_shown(estimate), "folds": fold_scores(strata, kernel)}
    averaged: dict[str, Draws] = {}
    for kind in ("micro", "group"):
        shown[f"{kind}_f1"] = shown[f"{kind}_{primary}"]
        one = drawn[f"{kind}_{primary}"]
        if isinstance(one, Draws):
            averaged[kind] = one
    return shown, averaged


def _task_scores(
    task: str,
    table: pl.DataFrame,
    ready: Sequence[Prepared],
    options: Options,
    kernels: Mapping[str, Kernel],
) -> tuple[dict[str, Any], dict[str, Draws]]:
    shown, averaged = _count_scores(task, table, options, kernels)
    shown["auroc"] = _auroc(task, table)
    left_out = pl.read_parquet(ready[0].left_out)
    return {
        "n": len(table),
        "by_label": _by_label(table),
        "datasets": list(groups_of(table)),
        "missing": [
            {"dataset": one.dataset, "why": one.why} for one in ready[0].members if not one.here
        ],
        "left_out": dict(sorted(left_out["reason"].value_counts().iter_rows())),
        "scores": shown,
        "groups": _group_scores(task, table, options),
        "confusion": confusion(fold_tallies(table, groups_of(table))),
        "calibration": _calibration(table),
        "errors": most_confident_errors(table, ERRORS_SHOWN),
    }, averaged


def _group_scores(task: str, table: pl.DataFrame, options: Options) -> dict[str, Any]:
    """F1 and recall of each data set, its test items of all folds taken together."""
    names = groups_of(table)
    strata = strata_of(fold_tallies(table, names), table["seed"].n_unique())
    f1 = partial(F1S[options.f1], undefined=undefined_value(options))
    shown: dict[str, Any] = {}
    two_class = two_class_groups(table, names)
    for number, name in enumerate(names):
        part = table.filter(pl.col("dataset") == name)
        kernels: dict[str, Kernel] = {
            "f1": partial(one_group, of=f1, group=number),
            "recall": partial(one_group, of=partial(recall, undefined=None), group=number),
        }
        found = score_draws(
            strata, kernels, combine="pool", resamples=RESAMPLES, seed=RESAMPLING_SEED,
            names=["bootstrap", task, name],
        )  # fmt: skip
        estimates = {
            kind: _shown(one if isinstance(one, Undefined) else interval(one, LEVEL, "percentile"))
            for kind, one in found.items()
        }
        main = estimates["f1"] if two_class[number] else estimates["recall"]
        shown[name] = {
            "n": len(part),
            "by_label": _by_label(part),
            "one_class": not two_class[number],
            "f1": estimates["f1"]["value"] if two_class[number] else None,
            "recall": estimates["recall"]["value"],
            "low": main["low"],
            "high": main["high"],
        }
    return shown


def _auroc(task: str, table: pl.DataFrame) -> dict[str, Any]:
    if table["probability"].null_count():
        return _shown(Undefined(f"{table['probability'].null_count()} items have no probability"))
    folds = [
        (part["label"].to_numpy(), part["probability"].to_numpy(), part["cluster"].to_numpy())
        for _, part in table.group_by(["seed", "fold"], maintain_order=True)
    ]
    # Nothing collapses for ranks, so that the number of resamples falls where rows are many.
    resamples = max(100, min(RESAMPLES, 20_000_000 // max(len(table), 1)))
    drawn = rank_draws(
        folds, auroc_kernel, resamples=resamples, seed=RESAMPLING_SEED, names=["auroc", task]
    )
    return _shown(drawn if isinstance(drawn, Undefined) else interval(drawn, LEVEL, "percentile"))


def _calibration(table: pl.DataFrame) -> dict[str, Any] | None:
    said = table.drop_nulls("probability")
    if said.is_empty():
        return None
    gold, probability = said["label"].to_numpy(), said["probability"].to_numpy()
    error, square = expected_calibration_error(gold, probability, 10), brier(gold, probability)
    return {
        "ece": None if isinstance(error, Undefined) else error,
        "brier": None if isinstance(square, Undefined) else square,
        "bins": [asdict(one) for one in reliability(gold, probability, 10)],
    }


def _by_label(table: pl.DataFrame) -> dict[str, int]:
    return {str(label): int((table["label"] == label).sum()) for label in (0, 1)}


def _training_rows(ready: Sequence[Prepared], task: str) -> int:
    """Mean number of training rows over seeds and folds, to the nearest whole row."""
    counts = [
        count
        for one in ready
        if one.task == task
        for count in (pl.read_parquet(one.rows).select((pl.col("^role_.*$") == TRAIN).sum()).row(0))
    ]
    return round(sum(counts) / len(counts))


def _shown(estimate: Estimate | Undefined) -> dict[str, Any]:
    if isinstance(estimate, Undefined):
        return {"value": None, "low": None, "high": None, "why": estimate.why}
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
