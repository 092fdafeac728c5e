"""The scores of one task: by count and by rank, with intervals, pooled and per data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import polars as pl

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
    fold_tallies,
    most_confident_errors,
    strata_of,
    two_class_groups,
    undefined_value,
)
from slant.stats.intervals import Method, bootstrap_auroc, bootstrap_many, interval
from slant.stats.resampling import Draws, Stratum, fold_scores, score_draws
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared
from slant.types import Estimate, Floats, Kernel, Tally, Undefined

LEVEL = 0.95
METHOD: Method = "bias-corrected"
RESAMPLES = 1000
RESAMPLING_SEED = 42
F1S = {"biased": biased_f1, "class": class_f1, "weighted": weighted_f1}
ERRORS_SHOWN = 20


def kernels_of(task: str, table: pl.DataFrame, options: Options) -> dict[str, Kernel]:
    """The scores of a task under a protocol, by name, as kernels on (..., groups, 4)."""
    published = options.macro_denominator == "published" and task == "mbib/racial-bias"
    among = two_class_groups(table, groups_of(table)) if options.one_class == "out" else None
    return binary_kernels(undefined_value(options), "include", 3 if published else "present", among)


def groups_of(table: pl.DataFrame) -> tuple[str, ...]:
    """The data sets of a task, in order of their names."""
    return tuple(sorted(table["dataset"].unique().to_list()))


def count_scores(
    task: str, strata: Sequence[Stratum], options: Options, kernels: Mapping[str, Kernel]
) -> tuple[dict[str, Any], dict[str, Draws]]:
    """Count-based scores with intervals and folds, and the draws of the two that are averaged."""
    rules: dict[str, Any] = {"combine": "mean", "resamples": RESAMPLES, "seed": RESAMPLING_SEED}
    drawn = score_draws(strata, kernels, names=["bootstrap", task], **rules)
    primary = f"{options.f1}_f1"
    shown: dict[str, Any] = {}
    for name, kernel in kernels.items():
        one = drawn[name]
        estimate = one if isinstance(one, Undefined) else interval(one, LEVEL, METHOD)
        shown[name] = {**shown_estimate(estimate), "folds": fold_scores(strata, kernel)}
    averaged: dict[str, Draws] = {}
    for kind in ("micro", "group"):
        shown[f"{kind}_f1"] = shown[f"{kind}_{primary}"]
        one = drawn[f"{kind}_{primary}"]
        if isinstance(one, Draws):
            averaged[kind] = one
    return shown, averaged


def task_scores(
    task: str,
    table: pl.DataFrame,
    ready: Sequence[Prepared],
    options: Options,
    kernels: Mapping[str, Kernel],
) -> tuple[dict[str, Any], dict[str, Draws]]:
    """All that scores.json says of one task, and the draws of its two averaged scores.

    Args:
        task: full name.
        table: of `outcomes`.
        ready: the task prepared, once per seed.
        options: the protocol.
        kernels: of `kernels_of`.
    """
    names = groups_of(table)
    tallies = fold_tallies(table, names)
    strata = strata_of(tallies, len(ready))
    shown, averaged = count_scores(task, strata, options, kernels)
    shown["auroc"] = _auroc(task, table)
    left_out = pl.read_parquet(ready[0].left_out, glob=False)
    return {
        "n": table["id"].n_unique(),
        "data": ready[0].data[:8],
        "by_label": _by_label(table),
        "datasets": list(names),
        "missing": [
            {"dataset": one.dataset, "why": one.why} for one in ready[0].members if not one.here
        ],
        "left_out": dict(sorted(left_out["reason"].value_counts().iter_rows())),
        "scores": shown,
        "groups": _group_scores(task, table, tallies, strata, options),
        "confusion": confusion(tallies),
        "calibration": _calibration(table),
        "errors": most_confident_errors(table, ERRORS_SHOWN),
    }, averaged


def _group_scores(
    task: str,
    table: pl.DataFrame,
    tallies: Sequence[Tally],
    strata: Sequence[Stratum],
    options: Options,
) -> dict[str, Any]:
    """F1 and recall of each data set, means over folds as the task's own scores (so that their
    mean is the group F1); of one that is in too few folds, its test items taken together."""
    names = tallies[0].group_names
    f1 = partial(F1S[options.f1], undefined=undefined_value(options))
    shown: dict[str, Any] = {}
    two_class = two_class_groups(table, names)
    for number, name in enumerate(names):
        part = table.filter(pl.col("dataset") == name)
        kernels: dict[str, Kernel] = {
            "f1": partial(one_group, of=f1, group=number),
            "recall": partial(one_group, of=partial(recall, undefined=None), group=number),
        }
        everywhere = all((tally.groups == number).any() for tally in tallies)
        found = bootstrap_many(
            strata, kernels, combine="mean" if everywhere else "pool", level=LEVEL,
            resamples=RESAMPLES, seed=RESAMPLING_SEED, names=["bootstrap", task, name],
            method=METHOD,
        )  # fmt: skip
        estimates = {kind: shown_estimate(one) for kind, one in found.items()}
        main = estimates["f1"] if two_class[number] else estimates["recall"]
        shown[name] = {
            "n": part["id"].n_unique(),
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
        return shown_estimate(
            Undefined(f"{table['probability'].null_count()} items have no probability")
        )
    folds = [
        (part["label"].to_numpy(), part["probability"].to_numpy(), part["cluster"].to_numpy())
        for _, part in table.group_by(["seed", "fold"], maintain_order=True)
    ]
    # Nothing collapses for ranks, so that the number of resamples falls where rows are many.
    resamples = max(100, min(RESAMPLES, 20_000_000 // max(len(table), 1)))
    found = bootstrap_auroc(
        folds, auroc_kernel, level=LEVEL, resamples=resamples, seed=RESAMPLING_SEED,
        names=["auroc", task], method=METHOD, shared=table["seed"].n_unique() > 1,
    )  # fmt: skip
    return shown_estimate(found)


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
    texts = table.unique("id")
    return {str(label): int((texts["label"] == label).sum()) for label in (0, 1)}


def shown_estimate(estimate: Estimate | Undefined) -> dict[str, Any]:
    """An estimate as scores.json has it; an undefined one with its reason."""
    if isinstance(estimate, Undefined):
        return {"value": None, "low": None, "high": None, "why": estimate.why}
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def run_estimate(draws: Floats, units: int, level: float) -> dict[str, Any]:
    """The mean over runs of a number, as scores.json has it.

    Args:
        draws: (1 + resamples, runs), the data first.
        units: that were drawn from.
        level: of the interval.

    Returns:
        value, low, high, sd over runs; `why` there is no value, `no_interval` where there is none.
    """
    own = draws[0]
    undefined = int(np.isnan(own).sum())
    if undefined:
        many = "" if undefined == own.size else f" in {undefined} of {own.size} runs"
        why = f"0/0{many}: neither gold nor the answers have any"
        return {**shown_estimate(Undefined(why)), "sd": None}
    drawn = Draws(float(own.mean()), draws[1:].mean(axis=1), units, 1)
    spread = float(own.std(ddof=1)) if own.size > 1 else None
    if own.size > 1 and own.min() == own.max():
        spread = 0.0  # the mean of equal numbers is rounded, and may differ from them
    estimate = interval(drawn, level, METHOD)
    shown = {**shown_estimate(estimate), "sd": spread}
    return shown if estimate.low is not None else {**shown, "no_interval": estimate.method}
