"""What `slant train` is asked for, checked, and the scores that stand in a detector's card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from slant.errors import OptionError, RunError
from slant.runs.outcomes import COLUMNS
from slant.runs.scoring import load_scores
from slant.runs.signature import signature
from slant.runs.taskscores import LEVEL, RESAMPLES, kernels_of, task_scores
from slant.systems import SYSTEMS, make_system
from slant.systems.checkpoints import default_lr
from slant.systems.finetune import Settings
from slant.systems.parameters import parameter_value
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, fingerprint
from slant.tasks.protocols import TEST
from slant.types import Floats


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a detector is trained: `name` as a run writes its system."""

    name: str
    checkpoint: str
    settings: Settings
    max_length: int
    long: str


def checked_recipe(system: str, params: Mapping[str, Any]) -> Recipe:
    """The recipe that `encoder:NAME` and its parameters stand for.

    Raises:
        UnknownName, OptionError: no such system or parameter, or one that leaves no checkpoint.
    """
    versioned, _ = make_system(system, params)
    kind, _, checkpoint = system.partition(":")
    if kind != "encoder":
        found = f"{kind} leaves no checkpoint"
        raise OptionError(f"Keeping the system '{system}'", found, "Give encoder:NAME")
    values: dict[str, Any] = {
        one.name: parameter_value(kind, one, params.get(one.name, one.default))
        for one in SYSTEMS[kind].accepts
    }
    max_length, long = int(values.pop("max_length")), str(values.pop("long"))
    values["lr"] = values["lr"] or default_lr(checkpoint)
    changed = ",".join(f"{key}={params[key]}" for key in sorted(params))
    name = f"{versioned}({changed})" if changed else versioned
    return Recipe(name, checkpoint, Settings(**values), max_length, long)


def run_scores(
    folder: Path, task: str, system: str, options: Options, ready: Prepared
) -> dict[str, Any]:
    """The scores of a task in a run of the same system on the same data and folds.

    Raises:
        RunError: the run is of something else.
    """
    asked, scores = load_scores(folder)
    checks = (("system", asked["system"], system), ("options", asked["options"], asdict(options)))
    say = f"Taking the scores of '{task}' from the run '{folder}'"
    do = "Give the run of the same task, system, parameters and options, or leave --run out"
    if task not in scores["tasks"]:
        raise RunError(say, f"it has only {', '.join(scores['tasks'])}", do)
    for what, there, here in checks:
        if there != here:
            raise RunError(say, f"its {what} is {_unlike(there, here)}", do)
    used = {one["dataset"]: one.get("fingerprint") for one in asked["data"]}
    for member in ready.members:
        if member.here and used.get(member.dataset) != member.fingerprint:
            raise RunError(say, f"its {member.dataset} has other bytes than here", do)
    return {
        "from": "cross-validation",
        "folds": options.splits,
        "seeds": asked["seeds"],
        "signature": scores["signature"],
        "primary": scores["primary"],
        "level": scores["level"],
        "resamples": scores["resamples"],
        **_kept(scores["tasks"][task]),
    }


def _unlike(there: Any, here: Any) -> str:
    if isinstance(there, dict):
        return "; ".join(f"{k}={there.get(k)}, not {v}" for k, v in here.items() if there[k] != v)
    return f"{there}, not {here}"


def _kept(task: Mapping[str, Any]) -> dict[str, Any]:
    """A task's scores without texts, which a licence may keep from being passed on."""
    return {name: value for name, value in task.items() if name != "errors"}


def test_scores(
    ready: Prepared,
    options: Options,
    seed: int,
    probability: Floats,
    threshold: float,
    system: str,
) -> dict[str, Any]:
    """The scores of one detector on the test part of fold 0, which it was not trained on.

    Args:
        ready: the task.
        options: the protocol.
        seed: of the folds.
        probability: (n,) calibrated, of the test items in their order.
        threshold: from which on they are biased.
        system: the recipe's name.
    """
    rows = pl.read_parquet(ready.rows, glob=False)
    table = rows.filter(pl.col("role_0") == TEST).select(COLUMNS)
    table = table.with_columns(
        predicted=pl.Series((probability >= threshold).astype("int8"), dtype=pl.Int8),
        probability=pl.Series(probability, dtype=pl.Float64),
        fault=pl.lit(None, pl.Utf8),
        seed=pl.lit(seed, pl.Int64),
        fold=pl.lit(0, pl.Int64),
    )
    kernels = kernels_of(ready.task, table, options)
    scores, _ = task_scores(ready.task, table, [ready], options, kernels)
    line = signature([ready.task], options, fingerprint([ready]), [seed], system)
    return {
        "from": "held-out fold 0",
        "folds": 1,
        "seeds": [seed],
        "signature": f"{line}|tested:fold-0",
        "primary": f"{options.f1}_f1",
        "level": LEVEL,
        "resamples": RESAMPLES,
        **_kept(scores),
    }
