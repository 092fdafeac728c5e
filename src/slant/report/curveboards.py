"""Runs -> tables of calibration and learning; comparisons -> tables of differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from slant.report.entries import Entry, Setting, average_name, common_signature, compared, task_name
from slant.report.scoreboards import level_text
from slant.report.tables import Cell, Row, Table, score_cell


def calibration_board(setting: Setting, name: str) -> Table | None:
    """Calibration errors of every task and system that gives probabilities."""
    rows = []
    for task in setting.tasks:
        for entry in setting.entries:
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
        signature=setting.signature,
    )


def bin_board(setting: Setting, name: str) -> Table | None:
    """The points of the reliability diagram."""
    rows = []
    for task in setting.tasks:
        for entry in setting.entries:
            for part in (entry.tasks[task].get("calibration") or {}).get("bins", ()):
                cells = (
                    Cell(entry.label),
                    Cell(part["low"], "score"),
                    Cell(part["high"], "score"),
                    Cell(part["n"], "count"),
                    Cell(part.get("mean_probability"), "score", note=_empty_bin(part)),
                    Cell(part.get("share_biased"), "score", note=_empty_bin(part)),
                )
                rows.append(Row(cells, task_name(task)))
    head = ("system", "from", "to", "texts", "mean probability", "share biased")
    caption = f"Points of the reliability diagram, {setting.name}."
    return _signed(setting, Table(name, caption, head, tuple(rows), "task")) if rows else None


def learning_curves(setting: Setting) -> dict[str, list[Entry]]:
    """The runs of each system that saw at least two different shares of the training texts."""
    curves: dict[str, list[Entry]] = {}
    for entry in setting.entries:
        curves.setdefault(entry.system, []).append(entry)
    return {
        system: sorted(entries, key=lambda entry: entry.share)
        for system, entries in curves.items()
        if len({entry.share for entry in entries}) > 1
    }


def learning_board(setting: Setting, name: str) -> Table | None:
    """The media bias scores of each system by the share of the training texts it saw."""
    rows = []
    for system, entries in learning_curves(setting).items():
        for entry in entries:
            overall = entry.scores["overall"]
            means = (score_cell(overall.get(f"media_bias_{a}")) for a in ("micro", "group"))
            rows.append(Row((Cell(f"{entry.share:.0%} of training texts"), *means), system))
    caption = f"Scores by training share, {setting.name}, with {level_text(setting)}."
    head = ("share", "micro F1", "group F1")
    return _signed(setting, Table(name, caption, head, tuple(rows), "system")) if rows else None


def comparison_board(comparison: Mapping[str, Any], name: str) -> Table:
    """Differences of two systems on the same test texts, with both tests and Holm."""
    first, second = compared(comparison)
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
        f"{float(comparison['level']) * 100:g}% interval ({comparison['resamples']:,} resamples).",
        ("task", "texts", first, second, "difference", "p bootstrap", "p randomisation", "p Holm"),
        tuple(rows),
        notes=("p Holm: corrected for the number of tasks in this table.",),
        signature=common_signature([str(text) for text in comparison["signatures"]]),
    )


def _signed(setting: Setting, table: Table) -> Table:
    return replace(table, signature=setting.signature)


def _empty_bin(part: Mapping[str, Any]) -> str:
    return "no text has a probability in this bin" if part.get("share_biased") is None else ""
