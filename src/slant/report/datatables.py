"""Runs -> tables of the data behind them: sets, licences, what was left out, what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.report.entries import Entry, data_name, data_names, task_name
from slant.report.tables import Cell, Row, Table


def data_table(every: Sequence[Entry]) -> Table:
    """Each data set that was read, with its licence, state and form, and what of it was used."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for entry in every:
        for facts in entry.scores.get("data", ()):
            key = (str(facts["dataset"]), str(facts.get("fingerprint") or ""))
            found.setdefault(key, []).append(facts)
    rows = []
    for (_, print_), readings in sorted(found.items()):
        facts = readings[0]
        notes = " ".join(dict.fromkeys(str(n) for one in readings for n in one.get("notes", ())))
        counts = [int(one["rows"]) for one in readings if one.get("rows") is not None]
        cells = (
            Cell(data_name(facts)),
            _text(facts.get("licence"), "no licence is stated by its authors"),
            Cell(str(facts.get("state") or "not recorded"), note=notes),
            _text(facts.get("form"), "not recorded"),
            Cell(max(counts, default=None), "count"),
            _text(_used(readings), "not recorded"),
            _text(print_[:12], "not recorded"),
        )
        rows.append(Row(cells))
    return Table(
        "data",
        "Data sets read. State: complete, partial or altered against the published files; form: "
        "which of its forms was read; rows: after reading, in the run that read most; used: texts "
        "in each task; "
        "fingerprint: the first 12 digits of SHA-256.",
        ("data set", "licence", "state", "form", "rows", "used", "fingerprint"),
        tuple(rows),
    )


def _used(readings: Sequence[Mapping[str, Any]]) -> str:
    # Runs under different presets may use different numbers of texts in one task.
    used: dict[str, set[int]] = {}
    for facts in readings:
        for task, n in facts.get("used", {}).items():
            used.setdefault(task, set()).add(int(n))
    return ", ".join(
        f"{task_name(task)} {' or '.join(f'{n:,}' for n in sorted(counts))}"
        for task, counts in used.items()
    )


def absent_table(every: Sequence[Entry]) -> Table | None:
    """The tasks that were asked for and could not be run."""
    rows = {
        (str(gap["task"]), str(gap["why"])): Row(
            (Cell(task_name(gap["task"])), Cell(str(gap["why"])))
        )
        for entry in every
        for gap in entry.run.get("absent", ())
    }
    caption = "Tasks that were asked for and could not be run."
    return Table("absent-tasks", caption, ("task", "why"), tuple(rows.values())) if rows else None


def left_out_table(every: Sequence[Entry]) -> Table | None:
    """What the protocol left out of each task, and why."""
    rows: dict[tuple[str, str, str, int], Row] = {}
    presets = {str(entry.scores["preset"]) for entry in every}
    for entry in every:
        for task, facts in entry.tasks.items():
            for reason, n in facts.get("left_out", {}).items():
                preset = str(entry.scores["preset"])
                section = task_name(task) + (f", preset {preset}" if len(presets) > 1 else "")
                rows.setdefault(
                    (task, preset, reason, n), Row((Cell(reason), Cell(n, "count")), section)
                )
    caption = (
        "Texts left out of each task, and why. Counts are per task: a data set that serves several "
        "tasks is counted in each of them."
    )
    if not rows:
        return None
    return Table("left-out", caption, ("reason", "texts"), tuple(rows.values()), section="task")


def missing_table(every: Sequence[Entry]) -> Table | None:
    """The data sets of the benchmark that a task did not have."""
    names = data_names(every)
    rows: dict[tuple[str, str, str], Row] = {}
    for entry in every:
        for task, facts in entry.tasks.items():
            for gap in facts.get("missing", ()):
                dataset, why = str(gap["dataset"]), str(gap["why"])
                cells = (Cell(names.get(dataset, dataset)), Cell(why))
                rows.setdefault((task, dataset, why), Row(cells, task_name(task)))
    if not rows:
        return None
    return Table(
        "missing",
        "Data sets of the benchmark that these runs did not have: scores of such tasks are not "
        "those of the full benchmark.",
        ("data set", "why"),
        tuple(rows.values()),
        section="task",
    )


def training_table(every: Sequence[Entry]) -> Table | None:
    """How many texts each run was trained on, per task."""
    counts = [entry.scores.get("counts", {}).get("train", {}) for entry in every]
    tasks = dict.fromkeys(task for count in counts for task in count)
    if not tasks:
        return None
    rows = tuple(
        Row((Cell(task_name(task)), *(_count(count.get(task)) for count in counts)))
        for task in tasks
    )
    head = ("task", *(entry.label for entry in every))
    return Table("training", "Training texts per task and run.", head, rows)


def _count(n: int | None) -> Cell:
    return Cell(n, "count", note="" if n is not None else "the run has not this task")


def _text(value: object, missing: str) -> Cell:
    return Cell(str(value)) if value else Cell(None, note=missing)
