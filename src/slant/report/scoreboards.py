"""Runs -> tables of scores: leaderboard, tasks, data sets, confusion, every score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.report.entries import (
    Entry,
    Setting,
    average_name,
    data_names,
    mean_score,
    task_name,
)
from slant.report.tables import Cell, Row, Table, score_cell

SCORES = {
    "micro_f1": "micro F1",
    "group_f1": "group F1",
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "mcc": "MCC",
    "auroc": "AUROC",
}
CONTROL_NOTE = (
    "Controls: majority always gives the more frequent label; source-only sees which data set a "
    "text came from and no text. What they reach is not a property of language."
)
_NO_MEAN = "the run has no mean over tasks for this control"


def level_text(setting: Setting) -> str:
    """What the brackets of a setting's tables hold, e.g. "95% intervals"."""
    return f"{float(setting.first.scores['level']) * 100:g}% intervals"


def _average(setting: Setting) -> str:
    return average_name(str(setting.first.scores["primary"]))


def _name(label: str, control: bool) -> Cell:
    return Cell(label, mark="control" if control else "")


def leaderboard(setting: Setting, name: str) -> Table:
    """Systems and controls by their two media bias scores."""
    rows = []
    for label, entry in setting.places():
        overall = setting.overall.get(label, {}) if entry is None else entry.scores["overall"]
        cells = (
            _name(label, entry is None),
            score_cell(overall.get("media_bias_micro"), missing=_NO_MEAN),
            score_cell(overall.get("media_bias_group"), missing=_NO_MEAN),
        )
        rows.append((mean_score(overall, "micro"), Row(cells, control=entry is None)))
    rows.sort(key=lambda pair: (pair[0] is None, -(pair[0] or 0.0)))
    mean = f"mean over {len(setting.tasks)} tasks" if len(setting.tasks) > 1 else "one task"
    return Table(
        name,
        f"Leaderboard, {setting.name}: the media bias scores ({mean}; {_average(setting)}), "
        f"with {level_text(setting)}.",
        ("system", "micro F1", "group F1"),
        tuple(row for _, row in rows),
        notes=(CONTROL_NOTE,),
        signature=setting.signature,
    )


def task_board(setting: Setting, name: str) -> Table:
    """Every task, system and control with its main scores."""
    rows = []
    for task in setting.tasks:
        facts = setting.first.tasks[task]
        section = f"{task_name(task)} · {facts['n']:,} test texts"
        for label, entry in setting.places():
            scores = _scores(setting, label, entry, task)
            cells = tuple(score_cell(scores.get(key)) for key in SCORES)
            rows.append(Row((_name(label, entry is None), *cells), section, entry is None))
    return Table(
        name,
        f"Scores per task, {setting.name} ({_average(setting)}; group F1: mean over the "
        f"task's data sets), with {level_text(setting)}.",
        ("system", *SCORES.values()),
        tuple(rows),
        section="task",
        notes=(CONTROL_NOTE,),
        signature=setting.signature,
    )


def _scores(setting: Setting, label: str, entry: Entry | None, task: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (
        setting.controls[label].get(task, {}) if entry is None else entry.tasks[task]["scores"]
    )
    return found


def every_score(setting: Setting, name: str) -> Table:
    """All stored scores, one a row; for files, too long for a page."""
    rows = []
    for task in setting.tasks:
        for label, entry in setting.places():
            for key, estimate in _scores(setting, label, entry, task).items():
                cells = (_name(label, entry is None), Cell(key), score_cell(estimate))
                rows.append(Row(cells, task, entry is None))
    return Table(
        name,
        f"Every score, {setting.name}, with {level_text(setting)}.",
        ("system", "score", "value"),
        tuple(rows),
        section="task",
        signature=setting.signature,
    )


def dataset_board(setting: Setting, name: str) -> Table:
    """Every data set of every task, with the F1 of each system there, or its recall."""
    names = data_names(setting.entries)
    rows = []
    for task in setting.tasks:
        groups = setting.first.tasks[task]["groups"]
        for dataset, facts in groups.items():
            cells = [
                Cell(names.get(dataset, dataset)),
                Cell(int(facts["n"]), "count"),
                Cell(_label_count(facts, "1"), "count"),
                Cell(_label_count(facts, "0"), "count"),
            ]
            for entry in setting.entries:
                cells.append(_group_cell(entry.tasks[task]["groups"].get(dataset)))
            rows.append(Row(tuple(cells), task_name(task)))
    return Table(
        name,
        f"Scores per data set, {setting.name} ({_average(setting)}), with {level_text(setting)}. "
        "A data set whose texts all have one label has a recall and no F1.",
        ("data set", "texts", "biased", "not biased", *(e.label for e in setting.entries)),
        tuple(rows),
        section="task",
        signature=setting.signature,
    )


def _label_count(facts: Mapping[str, Any], label: str) -> int:
    return int(facts.get("by_label", {}).get(label, 0))


def _group_cell(facts: Mapping[str, Any] | None) -> Cell:
    if facts is None:
        return Cell(None, "score", note="this run has no text of the data set")
    low, high = facts.get("low"), facts.get("high")
    if facts.get("one_class"):
        note = "All texts have one label: recall, which stays out of the group mean."
        return Cell(facts.get("recall"), "score", low, high, note, "recall")
    if facts.get("f1") is None:
        return Cell(None, "score", note=str(facts.get("why") or "F1 is undefined here"))
    return Cell(facts["f1"], "score", low, high)


def confusion_board(setting: Setting, name: str) -> Table:
    """The four counts of every task and system."""
    head = ("biased, found", "biased, missed", "not biased, flagged", "not biased, passed")
    rows = []
    for task in setting.tasks:
        for entry in setting.entries:
            counts = entry.tasks[task].get("confusion") or {}
            cells = tuple(
                Cell(counts.get(key), "count", note="" if key in counts else "not counted")
                for key in ("tp", "fn", "fp", "tn")
            )
            rows.append(Row((Cell(entry.label), *cells), task_name(task)))
    return Table(
        name,
        f"Confusion per task, {setting.name}: test texts by gold label and answer, pooled over "
        "the folds.",
        ("system", *head),
        tuple(rows),
        section="task",
        signature=setting.signature,
    )


def fault_board(every: Sequence[Entry]) -> Table | None:
    """How many predictions are missing, by kind and run."""
    rows = [
        Row((Cell(entry.label), Cell(kind), Cell(int(n), "count")))
        for entry in every
        for kind, n in entry.scores.get("faults", {}).items()
        if n
    ]
    caption = "Missing predictions by run and kind."
    return Table("faults", caption, ("run", "kind", "predictions"), tuple(rows)) if rows else None
