"""Runs -> tables of scores: leaderboard, tasks, data sets, confusion, every score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.report.entries import Entry, average_name, data_names, task_name, tasks_text
from slant.report.settings import CONTROLS, Setting, Tasks, mean_score
from slant.report.tables import Cell, Row, Table, score_cell
from slant.stats.levels import level_percent

SCORES = {
    "micro_f1": "micro F1",
    "group_f1": "group F1",
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "mcc": "MCC",
    "auroc": "AUROC",
}
_CONTROLS = {
    "source-only": "source-only sees which data set a text came from",
    "random": "random is a coin, so what it reaches is chance",
    "majority": "majority always gives the label that is more frequent in training",
}
# On as many biased as other texts a constant answer has F1 of 2/3 for one class and 0 for the
# other, and a coin 1/2 for both.
_CHANCE = {
    **dict.fromkeys(
        ("class_f1", "weighted_f1"),
        "Where both labels are equally frequent, a constant answer has an F1 of 0.333 and a coin "
        "0.500: a score between the two is above majority and can still be chance.",
    ),
    "biased_f1": "Where both labels are equally frequent, a constant answer has an F1 of 0.667 or "
    "0.000 and a coin 0.500: a score up to 0.667 can still be chance.",
}
_TIES = (
    "Where training labels are balanced, a tie decides which label majority gives, so that its "
    "precision and recall mean nothing."
)
_UNLIKE = "Means over different tasks do not compare: compare only rows under the same heading."
_NO_MEAN = "the run has no mean over tasks for this control"


def control_notes(setting: Setting) -> tuple[str, ...]:
    """What each control is, and what its scores mean, for under a table or figure."""
    shown = [text for name, text in _CONTROLS.items() if name in setting.controls]
    if not shown:
        return ()
    chance = _CHANCE.get(str(setting.first.scores["primary"]), "")
    ties = _TIES if "majority" in setting.controls else ""
    who = (
        f"Controls see no text: {'; '.join(shown)}. What they reach is not a property of language."
    )
    return (who, *filter(None, [" ".join(filter(None, [chance, ties]))]))


def _absent_controls(setting: Setting) -> tuple[str, ...]:
    given = {entry.system for entry in setting.given}
    absent = [name for name in CONTROLS if name in setting.controls and name not in given]
    if not absent:
        return ()
    return (
        f"Not shown here: {', '.join(absent)}. These controls are scored per task; run as a system "
        "(slant run ... --system source-only) and given to slant report, one stands here as well.",
    )


def level_text(setting: Setting) -> str:
    """What the brackets of a setting's tables hold, e.g. "95% intervals"."""
    return f"{level_percent(setting.first.scores['level'])} intervals"


def _average(setting: Setting) -> str:
    return average_name(str(setting.first.scores["primary"]))


def _name(label: str, control: bool) -> Cell:
    return Cell(label, mark="control" if control else "")


def leaderboard(setting: Setting, name: str) -> Table:
    """Systems and controls by their two media bias scores, under a heading for each set of tasks
    where runs have different ones."""
    lists = setting.task_lists
    rows: list[Row] = []
    for tasks in lists:
        heading = _tasks_heading(setting, tasks) if len(lists) > 1 else ""
        places: list[tuple[str, bool, Mapping[str, Any]]] = [
            (entry.label, False, entry.scores["overall"])
            for entry in setting.entries
            if frozenset(entry.tasks) == tasks
        ]
        controls = setting.overall[tasks]
        places += [
            (control, True, controls.get(control, {}))
            for control in CONTROLS
            if set(tasks) & set(setting.controls.get(control, ()))
            and (control in controls or not any(control in m for m in setting.overall.values()))
        ]
        places.sort(key=lambda place: -(mean_score(place[2], "micro") or 0.0))
        places.sort(key=lambda place: mean_score(place[2], "micro") is None)
        for label, control, overall in places:
            cells = (
                _name(label, control),
                Cell(len(tasks), "count"),
                score_cell(overall.get("media_bias_micro"), missing=_NO_MEAN),
                score_cell(overall.get("media_bias_group"), missing=_NO_MEAN),
            )
            rows.append(Row(cells, heading, control))
    several = len(setting.tasks) > 1
    return Table(
        name,
        f"Leaderboard, {setting.name}: the media bias scores ("
        f"{'mean over the tasks of a run' if several else 'one task'}; {_average(setting)}), "
        f"with {level_text(setting)}.",
        ("system", "tasks", "micro F1", "group F1"),
        tuple(rows),
        section="mean over" if len(lists) > 1 else "",
        notes=(*([_UNLIKE] if len(lists) > 1 else []), *control_notes(setting)),
        signature=setting.signature,
    )


def _tasks_heading(setting: Setting, tasks: Tasks) -> str:
    names = [task_name(task) for task in setting.tasks if task in tasks]
    return names[0] if len(names) == 1 else f"{tasks_text(tasks)}: {', '.join(names)}"


def task_board(setting: Setting, name: str) -> Table:
    """Every task, system and control with its main scores."""
    rows = []
    for task in setting.tasks:
        section = f"{task_name(task)} · {setting.facts(task)['n']:,} test texts"
        for label, entry in setting.places(task):
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
        notes=control_notes(setting),
        signature=setting.signature,
    )


def _scores(setting: Setting, label: str, entry: Entry | None, task: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (
        setting.controls[label][task] if entry is None else entry.tasks[task]["scores"]
    )
    return found


def every_score(setting: Setting, name: str) -> Table:
    """All stored scores, one a row; for files, too long for a page."""
    rows = []
    for task in setting.tasks:
        for label, entry in setting.places(task):
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
    shown = (*setting.entries, *setting.given)
    names = data_names(shown)
    enters = "one-class:enter" in str(setting.first.scores["signature"]).split("|")
    rows = []
    for task in setting.tasks:
        for dataset, facts in setting.facts(task)["groups"].items():
            cells = [
                Cell(names.get(dataset, dataset)),
                Cell(int(facts["n"]), "count"),
                Cell(_label_count(facts, "1"), "count"),
                Cell(_label_count(facts, "0"), "count"),
            ]
            for entry in shown:
                groups = entry.tasks[task]["groups"] if task in entry.tasks else None
                missing = Cell(None, "score")
                cells.append(
                    missing if groups is None else _group_cell(groups.get(dataset), enters)
                )
            rows.append(Row(tuple(cells), task_name(task)))
    labels = [
        *(entry.label for entry in setting.entries),
        *(f"{entry.label} (control)" for entry in setting.given),
    ]
    gaps = ("A dash without a number: the run has not this task.",)
    return Table(
        name,
        f"Scores per data set, {setting.name} ({_average(setting)}), with {level_text(setting)}. "
        "A data set whose texts all have one label has a recall and no F1.",
        ("data set", "texts", "biased", "not biased", *labels),
        tuple(rows),
        section="task",
        notes=(*(gaps if len(setting.task_lists) > 1 else ()), *_absent_controls(setting)),
        signature=setting.signature,
    )


def _label_count(facts: Mapping[str, Any], label: str) -> int:
    return int(facts.get("by_label", {}).get(label, 0))


def _group_cell(facts: Mapping[str, Any] | None, enters: bool) -> Cell:
    if facts is None:
        return Cell(None, "score", note="this run has no text of the data set")
    low, high = facts.get("low"), facts.get("high")
    if facts.get("one_class"):
        mean = "its F1 enters the group mean" if enters else "it stays out of the group mean"
        note = f"All texts have one label, so this is its recall; {mean}."
        return Cell(facts.get("recall"), "score", low, high, note, "recall")
    if facts.get("f1") is None:
        return Cell(None, "score", note=str(facts.get("why") or "F1 is undefined here"))
    return Cell(facts["f1"], "score", low, high)


def confusion_board(setting: Setting, name: str) -> Table:
    """The four counts of every task and system."""
    head = ("biased, found", "biased, missed", "not biased, flagged", "not biased, passed")
    rows = []
    for task in setting.tasks:
        for entry in (*setting.entries, *setting.given):
            if task not in entry.tasks:
                continue
            counts = entry.tasks[task].get("confusion") or {}
            cells = tuple(
                Cell(counts.get(key), "count", note="" if key in counts else "not counted")
                for key in ("tp", "fn", "fp", "tn")
            )
            control = entry in setting.given
            rows.append(Row((_name(entry.label, control), *cells), task_name(task), control))
    return Table(
        name,
        f"Confusion per task, {setting.name}: test texts by gold label and answer, pooled over "
        "the folds.",
        ("system", *head),
        tuple(rows),
        section="task",
        notes=_absent_controls(setting),
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
