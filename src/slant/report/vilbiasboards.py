"""A scored run of ViLBias -> tables of labels: leaderboard, recipes, groups, confusion, faults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from slant.report.bait import number_cell
from slant.report.escaping import one_line
from slant.report.tables import Cell, Row, Table, counted
from slant.report.vilbias import (
    FAULTS,
    SCORE_NAMES,
    Read,
    Vilbias,
    share_cell,
)

BEST = "best"
_OURS = "Answers that cannot be read are wrong: a miss on a biased pair, a false alarm on another."


def leaderboard(found: Vilbias, name: str) -> Table:
    """Labels of every system in every setting, and what constant answers would reach."""
    rows = []
    for system, setting in found.placed():
        cells = [Cell(system.label)]
        for key in SCORE_NAMES:
            cell = share_cell(setting.read["scores"].get(key))
            best = cell.value is not None and cell.value == _highest(found, setting.name, key)
            cells.append(replace(cell, weight="bold", mark=BEST) if best else cell)
        unreadable = sum(setting.read["faults"].values())
        cells.append(Cell(f"{counted(unreadable)} of {counted(setting.read['expected'])}"))
        rows.append(Row(tuple(cells), setting.name))
    for control in found.read["controls"]:
        values = (share_cell(control["scores"].get(key)) for key in SCORE_NAMES)
        cells = [Cell(one_line(str(control["name"]))), *values, Cell("none")]
        rows.append(Row(tuple(cells), "controls", control=True))
    return Table(
        name,
        f"Labels, in percent, over {found.pairs}, {counted(found.read['biased'])} of them biased; "
        "means over the runs of a setting. Precision, recall and F1 are of the biased class, class "
        "F1 is the mean of both classes, weighted F1 their mean by size. ± is the standard "
        f"deviation over runs; brackets hold {found.level}, {found.drawn} being "
        "drawn again. Best: the highest of a setting.",
        ("system", *SCORE_NAMES.values(), "unreadable"),
        tuple(rows),
        section="asked",
        notes=(_OURS,),
        signature=found.signature,
    )


def _highest(found: Vilbias, setting: str, key: str) -> float | None:
    values = [
        float(value)
        for _, one in found.placed()
        if one.name == setting and (value := one.read["scores"][key]["value"]) is not None
    ]
    return max(values) if len(values) > 1 else None


def recipe_board(found: Vilbias, name: str) -> Table:
    """Our scores, those of the published recipe on the same answers, and how far apart they are."""
    rows = []
    for system, setting in found.placed():
        read = setting.read
        accuracy = number_cell(read["scores"]["accuracy"]["value"], "percent", "0/0 in ours")
        cells = [Cell(system.label), Cell(sum(read["faults"].values()), "count"), accuracy]
        for key in ("recall", "f1"):
            ours = number_cell(read["scores"][key]["value"], "percent", "0/0 in ours")
            cells += [ours, Cell(float(read["published"][key]), "percent")]
        cells.append(number_cell(read["difference"]["f1"], "points", "0/0 in ours"))
        rows.append(Row(tuple(cells), setting.name))
    return Table(
        name,
        f"The same answers under our recipe and the published one, in percent, over {found.pairs}; "
        "the difference of F1, published less ours, in points. Accuracy is the same in both.",
        (
            "system",
            "unreadable",
            "accuracy",
            "recall ours",
            "recall published",
            "F1 ours",
            "F1 published",
            "F1 difference",
        ),
        tuple(rows),
        section="asked",
        notes=(
            "The published recipe leaves an unreadable answer about a biased pair out of recall, "
            "and one about another pair out of precision, so that its F1 rises with answers that "
            "say nothing.",
        ),
        signature=found.signature,
    )


def group_board(found: Vilbias, name: str, kind: str) -> Table | None:
    """Accuracy by outlet, or by where the bias stands; None where gold does not tell."""
    groups: dict[str, int] = {}
    for _, setting in found.placed():
        for group, one in setting.read["groups"].get(kind, {}).items():
            groups[group] = int(one["pairs"])
    if len(groups) < 2:
        return None
    what = {"outlet": "outlet", "part": "where the bias stands"}[kind]
    rows = []
    for group, pairs in groups.items():
        for system, setting in found.placed():
            one = setting.read["groups"][kind][group]
            cells = (Cell(system.label), Cell(setting.name), share_cell(one["accuracy"]))
            rows.append(Row(cells, f"{one_line(group)}, {counted(pairs)}"))
    return Table(
        name,
        f"Accuracy by {what}, in percent, with the number of pairs; brackets hold {found.level}.",
        ("system", "asked", "accuracy"),
        tuple(rows),
        section=what,
        signature=found.signature,
    )


def confusion_board(found: Vilbias, name: str) -> Table:
    """What pairs of each label were taken for."""
    rows, said = [], ("biased", "not biased", "unreadable")
    for system, setting in found.placed():
        for gold, counts in setting.read["confusion"].items():
            cells = (Cell(one_line(gold)), *(Cell(int(counts[key]), "count") for key in said))
            rows.append(Row(cells, f"{system.label}, {setting.name}"))
    return Table(
        name,
        "What pairs of each label were taken for: answers of all runs of a setting.",
        ("gold", "said: biased", "said: not biased", "unreadable"),
        tuple(rows),
        section="system",
        signature=found.signature,
    )


def fault_board(found: Vilbias, name: str) -> Table | None:
    """Answers that could not be read, by kind; None where there is none."""
    kinds = _kinds(setting.read["faults"] for _, setting in found.placed())
    if not kinds:
        return None
    rows = [
        Row(
            (
                Cell(system.label),
                Cell(int(setting.read["expected"]), "count"),
                *(Cell(int(setting.read["faults"].get(kind, 0)), "count") for kind in kinds),
            ),
            setting.name,
        )
        for system, setting in found.placed()
    ]
    return Table(
        name,
        "Answers that could not be read, by kind. Each counts as wrong.",
        ("system", "expected", *(FAULTS.get(kind, one_line(kind)) for kind in kinds)),
        tuple(rows),
        section="asked",
        signature=found.signature,
    )


def run_board(found: Vilbias, name: str) -> Table | None:
    """Every run by itself, of settings with several; None where there are none."""
    rows = []
    for system, setting in found.placed():
        runs = setting.read["runs"]
        for run in runs if len(runs) > 1 else ():
            values = (number_cell(run["ours"].get(key), "percent", "0/0") for key in SCORE_NAMES)
            cells = (Cell(one_line(str(run["run"]))), *values)
            rows.append(Row(cells, f"{system.label}, {setting.name}"))
    if not rows:
        return None
    return Table(
        name,
        "Scores of single runs, in percent: what the standard deviations come from.",
        ("run", *SCORE_NAMES.values()),
        tuple(rows),
        section="system",
        signature=found.signature,
    )


def settings_board(found: Vilbias, name: str) -> Table:
    """What the scoring and the asking were told."""
    told = found.read["settings"]
    asked = told.get("asked") or {}
    rows = [
        Row((Cell(one_line(str(key))), Cell(_said(value))), section)
        for section, own in (
            ("scoring", {key: value for key, value in told.items() if key != "asked"}),
            ("asking", asked),
        )
        for key, value in own.items()
    ]
    return Table(
        name, "What the run and its scoring were told.", ("setting", "value"), tuple(rows),
        section="of", signature=found.signature,
    )  # fmt: skip


def _said(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(one_line(str(one)) for one in value)
    return "none" if value is None else one_line(str(value))


def _kinds(faults: Iterable[Read]) -> list[str]:
    having = dict.fromkeys(kind for one in faults for kind in one)
    return [*[k for k in FAULTS if k in having], *sorted(k for k in having if k not in FAULTS)]
