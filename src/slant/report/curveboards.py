"""Runs -> tables of calibration and learning; comparisons -> tables of differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slant.report.entries import Entry, average_name, compared, task_name, tasks_text
from slant.report.scoreboards import level_text
from slant.report.settings import Setting, common_signature, signature_of
from slant.report.tables import Cell, Row, Table, score_cell
from slant.stats.levels import level_percent

FEW = 10
"""A bin with fewer texts says little: its share jumps with every text."""


def calibration_board(setting: Setting, name: str) -> Table | None:
    """Calibration errors of every task and system that gives probabilities."""
    rows = []
    for task in setting.tasks:
        for entry in setting.having(task):
            if facts := entry.tasks[task].get("calibration"):
                cells = (
                    Cell(entry.label),
                    Cell(facts.get("ece"), "score"),
                    Cell(facts.get("brier"), "score"),
                )
                rows.append(Row(cells, task_name(task)))
    if not rows:
        return None
    return Table(
        name,
        f"Calibration per task, {setting.name}: expected calibration error and Brier score, "
        "0 is best for both.",
        ("system", "calibration error", "Brier score"),
        tuple(rows),
        section="task",
        signature=signature_of(e for e in setting.entries if _calibrated(e)),
    )


def bin_board(setting: Setting, name: str) -> Table | None:
    """The points of the reliability diagram."""
    rows = []
    for task in setting.tasks:
        for entry in setting.having(task):
            for part in (entry.tasks[task].get("calibration") or {}).get("bins", ()):
                cells = (
                    Cell(entry.label),
                    Cell(part["low"], "score"),
                    Cell(part["high"], "score"),
                    Cell(part["n"], "count"),
                    Cell(part.get("mean_probability"), "score", note=_bin_note(part)),
                    Cell(part.get("share_biased"), "score", note=_bin_note(part)),
                )
                rows.append(Row(cells, task_name(task)))
    head = ("system", "from", "to", "texts", "mean probability", "share biased")
    caption = f"Points of the reliability diagram, {setting.name}."
    if not rows:
        return None
    signature = signature_of(e for e in setting.entries if _calibrated(e))
    return Table(name, caption, head, tuple(rows), "task", signature=signature)


def learning_curves(setting: Setting) -> dict[str, list[Entry]]:
    """The runs of each system, over the same tasks, that saw at least two different shares of
    the training texts."""
    curves: dict[tuple[str, frozenset[str]], list[Entry]] = {}
    for entry in setting.entries:
        curves.setdefault((entry.system, frozenset(entry.tasks)), []).append(entry)
    kept = {k: group for k, group in curves.items() if len({entry.share for entry in group}) > 1}
    lists = {tasks for _, tasks in kept}
    return {
        f"{system}, {tasks_text(group[0].tasks)}" if len(lists) > 1 else system: sorted(
            group, key=lambda entry: entry.share
        )
        for (system, tasks), group in kept.items()
    }


def learning_board(setting: Setting, name: str) -> Table | None:
    """The media bias scores of each system by the share of the training texts it saw."""
    rows = []
    curves = learning_curves(setting)
    for system, entries in curves.items():
        for entry in entries:
            overall = entry.scores["overall"]
            means = (score_cell(overall.get(f"media_bias_{a}")) for a in ("micro", "group"))
            rows.append(Row((Cell(f"{entry.share:.0%} of training texts"), *means), system))
    caption = f"Scores by training share, {setting.name}, with {level_text(setting)}."
    head = ("share", "micro F1", "group F1")
    if not rows:
        return None
    signature = signature_of(entry for entries in curves.values() for entry in entries)
    return Table(name, caption, head, tuple(rows), "system", signature=signature)


def comparison_board(
    comparison: Mapping[str, Any], name: str, pair: tuple[str, str] | None = None
) -> Table:
    """Differences of two systems on the same test texts, with both tests and Holm.

    Args:
        comparison: a compare.json, read.
        name: of the table.
        pair: the names of its two runs, the reference first; None: those of their systems.
    """
    first, second = pair or compared([comparison])[0]
    tests = ("p_bootstrap", "p_randomisation", "p_holm")
    rows = []
    for task in comparison["tasks"]:
        why = str(task.get("why") or "undefined for this task")
        difference = {"value": task["difference"], "low": task["low"], "high": task["high"]}
        cells = (
            Cell(task_name(task["task"])),
            Cell(task.get("n"), "count"),
            *(score_cell({"value": task[key]}, missing=why) for key in ("a", "b")),
            score_cell(difference, kind="difference", missing=why),
            *(score_cell({"value": task[key]}, kind="p", missing=why) for key in tests),
        )
        rows.append(Row(cells))
    score = average_name(str(comparison["score"]))
    return Table(
        name,
        f"{second} against {first} on the same test texts: {score}; the difference is {second} "
        f"less {first}, with its "
        f"{level_percent(comparison['level'])} interval ({comparison['resamples']:,} resamples).",
        ("task", "texts", first, second, "difference", "p bootstrap", "p randomisation", "p Holm"),
        tuple(rows),
        notes=(
            f"Reference: {first}. Above zero {second} has the higher score.",
            "p Holm: corrected for the number of tasks in this table, not for further tables.",
        ),
        signature=common_signature([str(text) for text in comparison["signatures"]]),
    )


def _calibrated(entry: Entry) -> bool:
    return any(task.get("calibration") for task in entry.tasks.values())


def _bin_note(part: Mapping[str, Any]) -> str:
    if part.get("share_biased") is None:
        return "no text has a probability in this bin"
    return f"fewer than {FEW} texts" if int(part["n"]) < FEW else ""
