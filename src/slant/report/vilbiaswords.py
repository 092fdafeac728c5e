"""A scored run of ViLBias -> what its page says in words: what was asked, answers, pitfalls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from slant.report.baitnames import shots_text
from slant.report.escaping import one_line
from slant.report.sentences import joined
from slant.report.tables import Cell, cell_interval, cell_text, counted, percent, points
from slant.report.vilbias import ALL_JUDGES, PairSetting, PairSystem, Read, Vilbias, share_cell

BELIEVED = 0.1
"""A known error above which a judge's verdicts are called doubtful."""
COVERED = 0.95
"""A coverage below which rates are said to stand for less than all rationales."""


class Pitfall(NamedTuple):
    """A pitfall that the benchmark's page names, and what it comes to here."""

    title: str
    told: str
    here: tuple[str, ...]


def vilbias_asked(found: Vilbias) -> str:
    """What answered, about how many pairs, in one sentence."""
    systems = len(found.systems)
    ways = sorted({setting.mode for _, setting in found.placed()})
    shots = joined([shots_text(k) for k in sorted({s.shots for _, s in found.placed()})])
    biased = counted(int(found.read["biased"]))
    return (
        f"{found.pairs} of text and image, {biased} of them biased; {counted(systems)} "
        f"system{'' if systems == 1 else 's'}, asked {joined(ways)} questions with {shots}. "
        f"Brackets hold {found.level} over {found.drawn}."
    )


def vilbias_answers(found: Vilbias) -> tuple[str, ...]:
    """The results in a sentence each: the best label, the best rationale, the largest gap."""
    said = [_best_label(found), _best_rationale(found), _gap(found)]
    return tuple(one for one in said if one)


def vilbias_cautions(found: Vilbias) -> tuple[str, ...]:
    """What weakens the answers, in a sentence each."""
    said = [_control(found), _judges(found), _coverage(found), _unreadable(found)]
    return tuple(one for one in said if one)


def pitfalls(found: Vilbias) -> tuple[Pitfall, ...]:
    """The pitfalls that the page of the benchmark names, with the numbers of this run."""
    return (
        Pitfall(
            "A judge has a bias of its own",
            "A language model that judges may favour rationales like its own, and punish style.",
            _judge_here(found),
        ),
        Pitfall(
            "Labels flatter",
            "Reasoning accuracy is said to lag 6 to 12 points behind classification accuracy.",
            _gap_here(found),
        ),
        Pitfall(
            "One split is one number",
            "A fixed 80/10/10 split and 5-fold cross-validation give different numbers.",
            (
                f"This run has one test of {found.pairs}; its intervals hold other pairs, not "
                "other splits. Trained systems are run on both by slant run vilbias.",
            ),
        ),
        Pitfall(
            "The published recipe forgives",
            "An answer that is neither label is no miss in it, and every reply of a judge that is "
            "not empty counts as support.",
            _recipe_here(found),
        ),
    )


def _text(cell: Cell) -> str:
    return f"{cell_text(cell)} {cell_interval(cell)}".strip()


def _best(found: Vilbias, mode: str, key: str) -> tuple[PairSystem, PairSetting] | None:
    rows = [
        (float(value), -place, system, setting)
        for place, (system, setting) in enumerate(found.placed())
        if setting.mode == mode and (value := setting.read["scores"][key]["value"]) is not None
    ]
    return max(rows)[2:] if rows else None


def _best_label(found: Vilbias) -> str:
    best = _best(found, "closed", "f1") or _best(found, "open", "f1")
    if not best:
        return ""
    system, setting = best
    f1, accuracy = (_text(share_cell(setting.read["scores"][key])) for key in ("f1", "accuracy"))
    return (
        f"Of labels, {system.label} ({setting.name}) has the highest F1 of the biased class: {f1} "
        f"percent, with an accuracy of {accuracy}."
    )


def _judge_of(setting: PairSetting) -> Read | None:
    """The majority over judges where there are several, else the one judge."""
    judged = setting.read["judged"]
    of_all = [one for one in judged if one["judge"] == ALL_JUDGES]
    chosen: Read | None = next(iter(of_all or judged), None)
    return chosen


def _best_rationale(found: Vilbias) -> str:
    rows = [
        (float(value), -place, system, setting, one)
        for place, (system, setting) in enumerate(found.placed())
        if (one := _judge_of(setting)) and (value := one["reasoning_accuracy"]["value"]) is not None
    ]
    if not rows:
        return ""
    _, _, system, setting, one = max(rows, key=lambda row: row[:2])
    reasoning, faithful = (
        _text(share_cell(one[key])) for key in ("reasoning_accuracy", "faithfulness")
    )
    return (
        f"Of rationales, those of {system.label} ({setting.name}) support the right label most "
        f"often, in {reasoning} percent of {counted(int(one['judged']))} judged by "
        f"{one_line(str(one['judge']))}; {faithful} are faithful."
    )


def _gap_rows(found: Vilbias) -> list[Read]:
    rows = [
        row
        for row in found.read["gaps"]
        if row["measure"] == "reasoning" and row["difference"] is not None
    ]
    of_all = [row for row in rows if row["judge"] == ALL_JUDGES]
    return of_all or rows


def _gap(found: Vilbias) -> str:
    rows = _gap_rows(found)
    if not rows:
        return ""
    largest = _gap_text(found, max(rows, key=lambda row: float(row["difference"])))
    return f"The largest gap from closed labels to rationales that support them: {largest}."


def _gap_text(found: Vilbias, row: Read) -> str:
    cell = Cell(float(row["difference"]), "points", row["low"], row["high"])
    return (
        f"{found.label(str(row['system']))} with {shots_text(int(row['shots']))}, {_text(cell)} "
        f"points ({percent(row['closed'])} closed, {percent(row['open'])} open, judged by "
        f"{one_line(str(row['judge']))})"
    )


def _control(found: Vilbias) -> str:
    highest = max(
        (float(one["scores"]["f1"]["value"] or 0) for one in found.read["controls"]), default=0.0
    )
    below = [
        f"{system.label} ({setting.name})"
        for system, setting in found.placed()
        if (setting.read["scores"]["f1"]["value"] or 0) <= highest
    ]
    if not below:
        return ""
    return (
        f"An F1 no higher than that of always answering biased ({percent(highest)} percent): "
        f"{joined(below)}."
    )


def _judges(found: Vilbias) -> str:
    unmeasured = [one for one in found.read["judges"] if not one["planted"]]
    doubtful = [
        one
        for one in found.read["judges"]
        if one["planted"] and float(one["planted"]["all"]["error"]["value"]) > BELIEVED
    ]
    said = []
    if doubtful:
        names = joined([_error_text(one) for one in doubtful])
        said.append(f"Judges that err on more than a tenth of planted rationales: {names}.")
    if unmeasured:
        names = joined([one_line(str(one["name"])) for one in unmeasured])
        said.append(f"Judges whose error is unknown, as no rationales were planted: {names}.")
    kin = [one_line(str(one["name"])) for one in found.read["judges"] if one["kin"]]
    if kin:
        said.append(f"Judges that rate systems of their own family: {joined(kin)}.")
    return " ".join(said)


def _error_text(one: Read) -> str:
    return (
        f"{one_line(str(one['name']))}, {_text(share_cell(one['planted']['all']['error']))} percent"
    )


def _coverage(found: Vilbias) -> str:
    low = [
        f"{system.label}, {setting.name}, by {one_line(str(one['judge']))} "
        f"({counted(one['judged'])} of {counted(one['rationales'])})"
        for system, setting in found.placed()
        for one in setting.read["judged"]
        if one["coverage"] is not None and one["coverage"] < COVERED
    ]
    return f"Rationales that were not all judged: {joined(low)}." if low else ""


def _unreadable(found: Vilbias) -> str:
    settings = [setting.read for _, setting in found.placed()]
    lost = sum(sum(one["faults"].values()) for one in settings)
    every = sum(int(one["expected"]) for one in settings)
    if not lost:
        return ""
    return (
        f"Of {counted(every)} answers, {counted(lost)} could not be read or never came; they count "
        "as wrong."
    )


def _judge_here(found: Vilbias) -> tuple[str, ...]:
    judges: Sequence[Read] = found.read["judges"]
    if not judges:
        return ("No rationale of this run was judged.",)
    said = []
    for one in judges:
        name = one_line(str(one["name"]))
        if not one["planted"]:
            said.append(f"{name} was shown no planted rationales: its error is unknown.")
            continue
        kinds = [(k, p) for k, p in one["planted"].items() if k != "all" and p["wrong"]]
        worst = max(kinds, key=lambda pair: float(pair[1]["error"]["value"]), default=None)
        most = (
            f", most on {one_line(worst[0])} ({counted(worst[1]['wrong'])} of "
            f"{counted(worst[1]['cases'])})"
            if worst
            else ""
        )
        said.append(f"Known error of {_error_text(one)}{most}.")
    for one in judges:
        if one["kin"]:
            names = joined([found.label(str(name)) for name in one["kin"]])
            said.append(f"{one_line(str(one['name']))} judges its own family: {names}.")
    return tuple(said)


def _gap_here(found: Vilbias) -> tuple[str, ...]:
    rows = _gap_rows(found)
    if not rows:
        return ("No system of this run was asked both ways and judged.",)
    return tuple(f"{_gap_text(found, row)}." for row in rows)


def _recipe_here(found: Vilbias) -> tuple[str, ...]:
    rows = [
        (abs(float(value)), -place, system, setting)
        for place, (system, setting) in enumerate(found.placed())
        if (value := setting.read["difference"]["f1"]) is not None
    ]
    if not rows:
        return ("There is no F1 to compare.",)
    _, _, system, setting = max(rows, key=lambda row: row[:2])
    read, lost = setting.read, sum(setting.read["faults"].values())
    difference = points(read["difference"]["f1"])
    return (
        f"Its F1 is furthest from ours for {system.label} ({setting.name}): "
        f"{percent(read['published']['f1'])} against {percent(read['scores']['f1']['value'])}, "
        f"{difference} points, by {counted(lost)} answer{'' if lost == 1 else 's'} that could not "
        "be read.",
    )
