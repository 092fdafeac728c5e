"""A scored run of ViLBias -> what its page says in words: what was asked, answers, pitfalls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from slant.report.baitnames import shots_text
from slant.report.escaping import one_line
from slant.report.sentences import joined
from slant.report.tables import Cell, counted, percent, points, with_interval
from slant.report.vilbias import PairSetting, PairSystem, Read, Vilbias, share_cell
from slant.report.vilbiasjudges import judge_told, judges_caution

COVERED = 0.95
"""A coverage below which rates are said to stand for less than all rationales."""


Placed = tuple[PairSystem, PairSetting]


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
    said = [
        _few(found),
        _control(found),
        judges_caution(found),
        _coverage(found),
        _unreadable(found),
    ]
    return tuple(one for one in said if one)


def pitfalls(found: Vilbias) -> tuple[Pitfall, ...]:
    """The pitfalls that the page of the benchmark names, with the numbers of this run."""
    return (
        Pitfall(
            "A judge has a bias of its own",
            "A language model that judges may favour rationales like its own, and punish style.",
            judge_told(found),
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


def _best(found: Vilbias, mode: str, key: str) -> list[Placed]:
    rows = [
        (float(value), system, setting)
        for system, setting in found.placed()
        if setting.mode == mode and (value := setting.read["scores"][key]["value"]) is not None
    ]
    return [row[1:] for row in rows if row[0] == max(one[0] for one in rows)]


def _named(best: Sequence[Placed]) -> str:
    return joined([f"{system.label} ({setting.name})" for system, setting in best])


def _best_label(found: Vilbias) -> str:
    best = _best(found, "closed", "f1") or _best(found, "open", "f1")
    if not best:
        return ""
    f1 = with_interval(share_cell(best[0][1].read["scores"]["f1"]))
    if len(best) > 1:
        return f"Of labels, {_named(best)} have the same F1 of the biased class: {f1} percent."
    accuracy = with_interval(share_cell(best[0][1].read["scores"]["accuracy"]))
    return (
        f"Of labels, {_named(best)} has the highest F1 of the biased class: {f1} percent, with an "
        f"accuracy of {accuracy}."
    )


def _trusted_row(found: Vilbias, setting: PairSetting) -> Read | None:
    judged = setting.read["judged"]
    name = found.trusted(str(one["judge"]) for one in judged)
    row: Read | None = next((one for one in judged if one["judge"] == name), None)
    return row


def _best_rationale(found: Vilbias) -> str:
    """Over all pairs: a system that rarely gives a rationale is not better for it."""
    rows = [
        (float(value), system, setting, one)
        for system, setting in found.placed()
        if (one := _trusted_row(found, setting))
        and (value := one["reasoning_accuracy_items"]["value"]) is not None
    ]
    if not rows:
        return _no_judge(found)
    best = [row for row in rows if row[0] == max(row[0] for row in rows)]
    one = best[0][3]
    reasoning, faithful, given = (
        with_interval(share_cell(one[key]))
        for key in ("reasoning_accuracy_items", "faithfulness_items", "reasoning_accuracy")
    )
    judge = found.judge(str(one["judge"]))
    named = _named([row[1:3] for row in best])
    if len(best) > 1:
        return (
            f"Of rationales, those of {named} support the right label equally often, on "
            f"{reasoning} percent of the pairs as judged by {judge}."
        )
    most = " most often" if len(rows) > 1 else ""
    return (
        f"Of rationales, those of {named} support the right label{most}, on {reasoning} percent of "
        f"the pairs as judged by {judge} ({given} of the {counted(int(one['judged']))} rationales "
        f"judged, {counted(int(one['asked']))} being asked for); on {faithful} they are faithful."
    )


def _no_judge(found: Vilbias) -> str:
    if not found.read["judges"]:
        return ""
    if any(one["believed"] for one in found.read["judges"]):
        return "No rationale has a verdict of a judge that is believed."
    return (
        "How good the rationales are is not known: no judge is believed, as none has known errors "
        f"that lie below {_below(found)}."
    )


def _below(found: Vilbias) -> str:
    below = found.read["settings"].get("believe")
    return "any bound" if below is None else f"{percent(float(below))} percent"


def _gap_rows(found: Vilbias) -> list[Read]:
    rows = [
        row
        for row in found.read["gaps"]
        if row["measure"] == "reasoning" and row["difference"] is not None
    ]
    judges: dict[tuple[str, int], list[str]] = {}
    for row in rows:
        judges.setdefault((row["system"], row["shots"]), []).append(str(row["judge"]))
    return [
        row for row in rows if row["judge"] == found.trusted(judges[row["system"], row["shots"]])
    ]


def _gap(found: Vilbias) -> str:
    rows = [row for row in _gap_rows(found) if float(row["difference"]) > 0]
    if not rows:
        return ""
    largest = _gap_text(found, max(rows, key=lambda row: float(row["difference"])))
    return f"The largest gap from closed labels to rationales that support them: {largest}."


def _gap_text(found: Vilbias, row: Read) -> str:
    cell = Cell(float(row["difference"]), "points", row["low"], row["high"])
    return (
        f"{found.label(str(row['system']))} with {shots_text(int(row['shots']))}, "
        f"{with_interval(cell)} points ({percent(row['closed'])} closed, "
        f"{percent(row['open'])} open, judged by "
        f"{found.judge(str(row['judge']))})"
    )


def _few(found: Vilbias) -> str:
    if not found.read["clusters"]["few"]:
        return ""
    return f"Intervals over as few as {found.drawn} are too narrow to be relied on."


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


def _coverage(found: Vilbias) -> str:
    low = [
        f"{system.label}, {setting.name}, by {one_line(str(one['judge']))} "
        f"({counted(one['judged'])} of {counted(one['asked'])})"
        for system, setting in found.placed()
        for one in setting.read["judged"]
        if one["coverage"] is not None and one["coverage"] < COVERED
    ]
    if not low:
        return ""
    return f"Not every pair asked about has a rationale that was judged: {joined(low)}."


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


def _gap_here(found: Vilbias) -> tuple[str, ...]:
    rows = _gap_rows(found)
    if not rows:
        why = " by a judge that is believed" if found.read["judges"] else ""
        return (f"No system of this run was asked both ways and judged{why}.",)
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
    if not max(rows, key=lambda row: row[:2])[0]:
        return ("It gives every system of this run the same F1 as ours.",)
    read, lost = setting.read, sum(setting.read["faults"].values())
    difference = points(read["difference"]["f1"])
    return (
        f"Its F1 is furthest from ours for {system.label} ({setting.name}): "
        f"{percent(read['published']['f1'])} against {percent(read['scores']['f1']['value'])}, "
        f"{difference} points, by {counted(lost)} answer{'' if lost == 1 else 's'} that could not "
        "be read.",
    )
