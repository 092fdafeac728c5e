"""Rows of long tables: scores of runs and their comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from slant.runs.tidytables import ESTIMATED, Row, Tidy, estimated

SCORES: Final = Tidy(
    "a task, system or control, and measure",
    {
        "run": "text",
        "system": "text",
        "control": "yes/no",
        "task": "text",
        "dataset": "text",
        **ESTIMATED,
        "signature": "text",
    },
)
PREDICTIONS: Final = Tidy(
    "a test text, seed and fold",
    {
        "run": "text",
        "system": "text",
        "task": "text",
        "seed": "whole",
        "fold": "whole",
        "id": "text",
        "dataset": "text",
        "text": "text",
        "label": "whole",
        "predicted": "whole",
        "probability": "real",
        "fault": "text",
    },
)
COMPARISONS: Final = Tidy(
    "a pair of runs and a task",
    {
        "task": "text",
        "first": "text",
        "second": "text",
        "first_run": "text",
        "second_run": "text",
        "first_score": "real",
        "second_score": "real",
        **ESTIMATED,
        "p_bootstrap": "real",
        "p_randomisation": "real",
        "p_holm": "real",
    },
)


def score_rows(scores: Mapping[str, Any], run: str | None = None) -> Iterator[Row]:
    """Rows of `SCORES`: tasks, their data sets, the controls, and the means over tasks.

    Args:
        scores: the content of scores.json.
        run: its directory.
    """
    same = {"run": run, "level": scores["level"], "signature": scores["signature"]}
    sizes = {task: facts["n"] for task, facts in scores["tasks"].items()}
    for task, facts in scores["tasks"].items():
        own = {**same, "system": scores["system"], "control": False, "task": task}
        yield from _rows({**own, "n": facts["n"]}, facts["scores"])
        for dataset, group in facts["groups"].items():
            main = "recall" if group["one_class"] else "f1"
            for measure in ("f1", "recall"):
                ends = {key: group[key] if measure == main else None for key in ("low", "high")}
                told = {"measure": measure, "estimate": group[measure], **ends}
                if group[measure] is None:
                    told["why"] = "all texts have one label" if group["one_class"] else None
                yield {**own, "dataset": dataset, "n": group["n"], **told}
    for control, tasks in scores["controls"].items():
        for task, found in tasks.items():
            own = {**same, "system": control, "control": True, "task": task}
            yield from _rows({**own, "n": sizes.get(task)}, found)
    yield from _rows({**same, "system": scores["system"], "control": False}, scores["overall"])
    for control, found in scores["controls_overall"].items():
        yield from _rows({**same, "system": control, "control": True}, found)


def _rows(same: Row, found: Mapping[str, Any]) -> Iterator[Row]:
    for measure, one in found.items():
        yield {**same, "measure": measure, **estimated(one)}


def comparison_rows(comparisons: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Rows of `COMPARISONS`; the estimate is the second's score less the first's."""
    for one in comparisons:
        for task in one["tasks"]:
            yield {
                "task": task["task"],
                "first": one["systems"][0],
                "second": one["systems"][1],
                "first_run": one["runs"][0],
                "second_run": one["runs"][1],
                "first_score": task["a"],
                "second_score": task["b"],
                "measure": one["score"],
                "estimate": task["difference"],
                "level": one["level"],
                **{key: task.get(key) for key in ("low", "high", "n", "why")},
                **{key: task[key] for key in ("p_bootstrap", "p_randomisation", "p_holm")},
            }
