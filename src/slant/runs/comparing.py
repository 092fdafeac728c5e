"""Runs side by side over the same test items: differences with intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from slant.errors import RunError, unknown_name
from slant.runs.outcomes import fold_tallies, outcomes, paired_strata
from slant.runs.results import Comparisons
from slant.runs.scoring import load_scores
from slant.runs.taskscores import LEVEL, groups_of, kernels_of
from slant.stats.comparisons import paired_bootstrap, randomisation_test
from slant.stats.corrections import adjusted, holm
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, prepared
from slant.types import Test, Undefined

Loaded = tuple[Path, dict[str, Any], dict[str, Any]]


def compare(
    folders: Sequence[Path | str],
    *,
    score: str | None = None,
    resamples: int = 10_000,
    seed: int = 42,
    data: Path | None = None,
    comparable: bool = False,
    pairs: Literal["first", "all"] = "first",
    progress: Any = None,
) -> Comparisons:
    """Compare every run with the first, or all with all, over the tasks that both have.

    The difference is the later run minus the earlier one. Each task has a paired bootstrap with its
    interval and an approximate randomisation; Holm's correction takes the randomisation
    p-values of all tasks of one pair as a family.

    Args:
        folders: two or more run directories of one protocol, data and seeds.
        score: name of the score; None: the micro F1 that the preset shows.
        resamples: of each bootstrap and each randomisation.
        seed: of both.
        data: folder with the data.
        comparable: leave out pairs that differ in more than the system instead of refusing.
        pairs: every run with the `first`, or `all` pairs.
        progress: called with (done, total, what).

    Returns:
        One comparison per pair (contract of compare.json).

    Raises:
        RunError: fewer than two runs, or runs that cannot be compared.
    """
    if len(folders) < 2:
        raise RunError(
            "Comparing runs", f"{len(folders)} was given", "Give two or more directories"
        )
    loaded: list[Loaded] = [(Path(folder), *load_scores(folder)) for folder in folders]
    couples = [(loaded[0], one) for one in loaded[1:]]
    if pairs == "all":
        couples = list(combinations(loaded, 2))
    if comparable:
        couples = [(one, other) for one, other in couples if not _unlike(one, other)]
    found = []
    for number, (one, other) in enumerate(couples):
        if progress:
            progress(number, len(couples), f"{one[0]} and {other[0]}")
        found.append(_compared(one, other, score, resamples, seed, data))
    return Comparisons(found)


def _unlike(a: Loaded, b: Loaded) -> str | None:
    """Why two runs cannot be compared, or None."""
    for field in ("options", "seeds"):
        if a[1][field] != b[1][field]:
            if field == "options":
                unlike = [k for k, v in a[1]["options"].items() if b[1]["options"].get(k) != v]
                return f"they differ in {', '.join(unlike)}"
            return f"their seeds are {a[1][field]} and {b[1][field]}"
    shared = [task for task in a[1]["tasks"] if task in b[1]["tasks"]]
    if not shared:
        return "they have no task in common"
    for task in shared:
        data = [one[2]["tasks"][task].get("data") for one in (a, b)]
        if data[0] != data[1]:
            return f"the data of {task} were {data[0]} in one and {data[1]} in the other"
    return None


def _compared(
    a: Loaded, b: Loaded, score: str | None, resamples: int, seed: int, data: Path | None
) -> dict[str, Any]:
    asked = f"Comparing '{a[0]}' with '{b[0]}'"
    if why := _unlike(a, b):
        raise RunError(asked, why, "Compare runs of the same tasks, preset, options and seeds")
    options = Options(**a[1]["options"])
    name = score or f"micro_{options.f1}_f1"
    rows: list[dict[str, Any]] = []
    tests: list[Test] = []
    tables: dict[str, Any] = {}
    for task in (task for task in a[1]["tasks"] if task in b[1]["tasks"]):
        ready = [prepared(task, options, one, data, tables) for one in a[1]["seeds"]]
        row, test = _task_difference(task, ready, (a, b), options, name, resamples, seed, asked)
        rows.append(row)
        tests.append(test)
    for row, test in zip(rows, adjusted(tests, holm), strict=True):
        row["p_holm"] = test.p_adjusted
    return {
        "signatures": [a[1]["signature"], b[1]["signature"]],
        "systems": [a[1]["system"], b[1]["system"]],
        "runs": [str(a[0]), str(b[0])],
        "score": name,
        "level": LEVEL,
        "resamples": resamples,
        "tasks": rows,
    }


def _task_difference(
    task: str,
    ready: Sequence[Prepared],
    pair: tuple[Loaded, Loaded],
    options: Options,
    score: str,
    resamples: int,
    seed: int,
    asked: str,
) -> tuple[dict[str, Any], Test]:
    then = pair[0][2]["tasks"][task].get("data")
    if then != ready[0].data[:8]:
        raise RunError(
            asked,
            f"the data of {task} here are {ready[0].data[:8]}, those of the runs {then}",
            "Give the folder with the runs' data by --data, or run them again",
        )
    first, second = (outcomes(one[0], ready, options.splits) for one in pair)
    kernels = kernels_of(task, first, options)
    if score not in kernels:
        raise unknown_name("score", score, kernels)
    groups, seeds = groups_of(first), len(ready)
    # The later run comes first: the difference shown is what it adds to the first one.
    strata = paired_strata(fold_tallies(second, groups), fold_tallies(first, groups), seeds)
    difference = paired_bootstrap(
        strata, kernels[score], combine="mean", level=LEVEL, resamples=resamples, seed=seed,
        names=["compare", task], method="percentile",
    )  # fmt: skip
    test = randomisation_test(
        strata, kernels[score], combine="mean", permutations=resamples, seed=seed,
        names=["randomise", task],
    )  # fmt: skip
    if isinstance(difference, Undefined) or isinstance(test, Undefined):
        why = difference.why if isinstance(difference, Undefined) else "no permutation has one"
        raise RunError(asked, f"{score} of {task} is undefined ({why})", "Choose another --score")
    row = {
        "task": task,
        "n": first["id"].n_unique(),
        "a": difference.b,
        "b": difference.a,
        "difference": difference.estimate.value,
        "low": difference.estimate.low,
        "high": difference.estimate.high,
        "p_bootstrap": difference.test.p,
        "p_randomisation": test.p,
    }
    return row, test
