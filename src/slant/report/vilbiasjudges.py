"""A scored run of ViLBias -> what its page says in words of the judges."""

from __future__ import annotations

from slant.report.escaping import one_line
from slant.report.sentences import joined
from slant.report.tables import Cell, counted, with_interval
from slant.report.vilbias import FAULTS, Read, Vilbias, share_cell

DOUBTFUL = 0.1
"""A known error above which a judge's verdicts are called doubtful."""


def judges_caution(found: Vilbias) -> str:
    """What weakens the verdicts: judges that err, are not known, never kept the schema, or judge
    their own family."""
    judges = found.read["judges"]
    silent = [one for one in judges if _replies(one) and _unread(one) == _replies(one)]
    heard = [one for one in judges if one not in silent]
    unmeasured = [one for one in heard if not one["planted"]]
    left_out = [one for one in heard if one["planted"] and not one["believed"]]
    doubtful = [
        one
        for one in heard
        if one["planted"] and one["believed"] and _error(one)["value"] > DOUBTFUL
    ]
    said = [_silent(one) for one in silent]
    for told, several in (
        ("Judges that are not believed, by their errors on planted rationales", left_out),
        ("Judges that err on more than a tenth of planted rationales", doubtful),
    ):
        if several:
            said.append(f"{told}: {joined([error_text(one) for one in several])}.")
    if unmeasured:
        names = joined([_name(one) for one in unmeasured])
        said.append(f"Judges whose error is unknown, as no rationales were planted: {names}.")
    kin = [_name(one) for one in judges if one["kin"]]
    if kin:
        said.append(f"Judges that rate systems of their own family: {joined(kin)}.")
    return " ".join(said)


def judge_told(found: Vilbias) -> tuple[str, ...]:
    """The known errors of each judge, where they are largest, and how it rates its own family."""
    judges = found.read["judges"]
    if not judges:
        return ("No rationale of this run was judged.",)
    said = []
    for one in judges:
        if not one["planted"]:
            said.append(f"{_name(one)} was shown no planted rationales: its error is unknown.")
            continue
        said.append(f"Known error of {error_text(one)}{_worst(one)}.")
    said += [_own_family(found, one) for one in judges if one["kin"]]
    return tuple(said)


def unjudged(found: Vilbias) -> str:
    """Why there is no score of rationales though judges were asked; empty where there is one."""
    judged = any(one["judged"] for _, s in found.placed() for one in s.read["judged"])
    judges = found.read["judges"]
    if judged or not judges:
        return ""
    silent = [_silent(one) for one in judges if _replies(one) and _unread(one) == _replies(one)]
    return " ".join(["No rationale has a verdict that can be read.", *silent])


def error_text(one: Read) -> str:
    """A judge with its known error, false yes and false no, in percent."""
    error, yes, no = (
        with_interval(share_cell(one["planted"]["all"][key]))
        for key in ("error", "false_yes", "false_no")
    )
    return f"{_name(one)}, {error} percent (false yes {yes}, false no {no})"


def _worst(one: Read) -> str:
    kinds = [(k, p) for k, p in one["planted"].items() if k != "all" and p["wrong"]]
    most = max((float(p["error"]["value"]) for _, p in kinds), default=0.0)
    worst = [
        f"{one_line(kind)} ({counted(p['wrong'])} of {counted(p['cases'])})"
        for kind, p in kinds
        if float(p["error"]["value"]) == most
    ]
    return f", most on {joined(worst)}" if worst else ""


def _own_family(found: Vilbias, one: Read) -> str:
    names = joined([found.label(str(name)) for name in one["kin"]])
    told = f"{_name(one)} judges its own family: {names}."
    by = one["self_preference"]
    if by is None or by["value"] is None:
        return f"{told} No other judge and model tell by how much it favours it."
    cell = Cell(float(by["value"]), "points", by["low"], by["high"])
    beside = joined([one_line(str(name)) for name in by["judges"]])
    leans = f"it leans to it over other models by {with_interval(cell)} points"
    return f"{told} Set beside {beside}, {leans}."


def _silent(one: Read) -> str:
    kinds = sorted({*one["faults"], *one["planted_faults"]})
    said = joined([FAULTS.get(kind, one_line(kind)) for kind in kinds])
    return (
        f"{_name(one)} never answered in the schema: none of its {counted(_replies(one))} replies "
        f"can be read ({said})."
    )


def _replies(one: Read) -> int:
    return int(one["verdicts"]) + int(one["planted_replies"])


def _unread(one: Read) -> int:
    return sum(map(int, [*one["faults"].values(), *one["planted_faults"].values()]))


def _error(one: Read) -> Read:
    error: Read = one["planted"]["all"]["error"]
    return error


def _name(one: Read) -> str:
    return one_line(str(one["name"]))
