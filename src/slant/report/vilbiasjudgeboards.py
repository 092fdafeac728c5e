"""A scored run of ViLBias -> tables of rationales, of the gap, and of the judges."""

from __future__ import annotations

from slant.report.bait import number_cell
from slant.report.baitnames import shots_text
from slant.report.escaping import one_line
from slant.report.tables import Cell, Row, Table, counted, percent, score_cell
from slant.report.vilbias import (
    FAULTS,
    MEASURE_NAMES,
    Read,
    Vilbias,
    share_cell,
)
from slant.stats.levels import level_percent

MARKED = {"supports_gold": "supports the right label", "faithful": "faithful"}
_UNMEASURED = "This judge was shown no planted rationales: its error is unknown."
_TIES = "Of several verdicts on a rationale the majority counts; a tie counts as a no."


def reasoning_board(found: Vilbias, name: str) -> Table | None:
    """Reasoning accuracy and faithfulness by each judge, with coverage; None where none judged."""
    rows = []
    for system, setting in found.placed():
        for one in setting.read["judged"]:
            published = one.get("published") or {}
            why = "It is the majority of several judges, which the recipe does not have."
            cells = (
                Cell(one_line(str(one["judge"]))),
                share_cell(one["reasoning_accuracy_items"]),
                share_cell(one["faithfulness_items"]),
                Cell(f"{counted(int(one['judged']))} of {counted(int(one['asked']))}"),
                number_cell(one["coverage"], "percent", "No pair was asked about."),
                share_cell(one["reasoning_accuracy"]),
                share_cell(one["faithfulness"]),
                number_cell(published.get("reasoning_accuracy"), "percent", why),
                Cell(int(one["ties"]), "count"),
            )
            rows.append(Row(cells, f"{system.label}, {setting.name}"))
    if not rows:
        return None
    return Table(
        name,
        "Rationales of open answers, in percent: how many support the right label (reasoning "
        "accuracy), and how many make only claims that text or image support (faithfulness). First "
        "over all pairs, where one without a rationale supports nothing; then over those judged. "
        "Coverage: the share of pairs asked about whose rationale has a verdict that can be read. "
        f"Brackets hold {found.level}.",
        ("judge", "reasoning accuracy", "faithfulness", "judged", "coverage",
         "accuracy of those judged", "faithful of those judged", "published recipe", "ties"),
        tuple(rows),
        section="system",
        notes=(
            _TIES,
            "A pair whose rationale has no verdict that can be read is left out of both.",
            "Published recipe: every reply that is not empty counts as support, also one that says "
            "no, so that it measures how often the judge replied.",
        ),
        signature=found.signature,
    )  # fmt: skip


def gap_board(found: Vilbias, name: str) -> Table | None:
    """Closed less open on the same pairs; None where no system was asked both ways."""
    rows = []
    for one in found.read["gaps"]:
        why = str(one.get("why") or "undefined")
        judge = one["judge"]
        cells = (
            Cell(found.label(str(one["system"]))),
            score_cell({"value": one["difference"], "low": one["low"], "high": one["high"],
                        "why": why}, kind="points"),
            number_cell(one["p"], "tail", why),
            number_cell(one["p_holm"], "tail", why),
            number_cell(one["closed"], "percent", why),
            number_cell(one["open"], "percent", why),
            Cell(int(one["pairs"]), "count"),
            Cell(shots_text(int(one["shots"]))),
            Cell("–" if judge is None else one_line(str(judge))),
        )  # fmt: skip
        rows.append(Row(cells, MEASURE_NAMES.get(str(one["measure"]), str(one["measure"]))))
    if not rows:
        return None
    rows.sort(key=lambda row: list(MEASURE_NAMES.values()).index(row.section))
    return Table(
        name,
        "Closed questions less open ones, on the same pairs: accuracy of the closed label, in "
        "percent, less that of the open label, less reasoning accuracy, less faithfulness; the gap "
        f"in points with {found.level}. Two-sided sign-flip tests over clusters; Holm over the "
        "rows of a measure.",
        ("system", "gap", "p", "p Holm", "closed", "open", "pairs", "examples", "judge"),
        tuple(rows),
        section="measure",
        notes=("A pair that a judge did not rule on is left out of both sides; one without a "
               "rationale counts as no support.",),
        signature=found.signature,
    )  # fmt: skip


def judge_board(found: Vilbias, name: str) -> Table | None:
    """Whether judges can be believed: errors on planted rationales, unreadable replies, agreement
    with themselves."""
    rows = []
    for one in found.read["judges"]:
        planted = (one["planted"] or {}).get("all")
        faults = sum(one["faults"].values()) + sum(one["planted_faults"].values())
        error = share_cell(planted["error"]) if planted else Cell(None, "percent", note=_UNMEASURED)
        rows.append(
            Row(
                (
                    Cell(one_line(str(one["name"]))),
                    error,
                    Cell(f"{counted(planted['wrong'])} of {counted(planted['cases'])}" if planted
                         else "none shown"),
                    *_sides(planted),
                    Cell("yes" if one["believed"] else "no"),
                    Cell(int(one["verdicts"]) + int(one["planted_replies"]), "count"),
                    Cell(faults, "count"),
                    share_cell(one["unanimous"]),
                    share_cell(one["flipped"]),
                    Cell(int(one["ties"]), "count"),
                    Cell(", ".join(found.label(str(name)) for name in one["kin"]) or "none"),
                )
            )
        )  # fmt: skip
    if not rows:
        return None
    kinds = sorted(
        {kind for one in found.read["judges"] for kind in (*one["faults"], *one["planted_faults"])}
    )
    said = ", ".join(FAULTS.get(kind, one_line(kind)) for kind in kinds)
    return Table(
        name,
        "The judges, in percent: their error on planted rationales of which the truth is known "
        f"(brackets: Wilson's {found.level}), how often it says yes there where no is right and "
        "no where yes is, replies that could not be read, "
        "how often several verdicts on one rationale are all alike, how often the order of what is "
        "shown turns the verdict, and which systems are of the judge's own family, which it may "
        "favour.",
        ("judge", "known error", "wrong", "false yes", "false no", "believed", "replies",
         "unreadable", "alike", "turned by order", "ties", "own family"),
        tuple(rows),
        notes=(
            _TIES,
            _believed(found),
            *((f"Unreadable replies do not vote: {said}.",) if kinds else ()),
        ),
        signature=found.signature,
    )  # fmt: skip


def _sides(planted: Read | None) -> tuple[Cell, Cell]:
    if planted is None:
        none = Cell(None, "percent", note=_UNMEASURED)
        return none, none
    return share_cell(planted["false_yes"]), share_cell(planted["false_no"])


def _believed(found: Vilbias) -> str:
    below = found.read["settings"].get("believe")
    if below is None:
        return "Every judge is believed, as it was asked for."
    return (
        "A judge is believed, and has a vote in all judges, where the intervals of its known "
        f"error, false yes and false no lie below {percent(float(below))} percent."
    )


def planted_board(found: Vilbias, name: str) -> Table | None:
    """The known error of each judge, kind by kind of planted rationale."""
    rows = []
    for one in found.read["judges"]:
        for kind, planted in (one["planted"] or {}).items():
            if kind != "all":
                rows.append(Row(_planted_cells(kind, planted), one_line(str(one["name"]))))
    if not rows:
        return None
    return Table(
        name,
        "Errors of judges on planted rationales, by kind, in percent; an unreadable reply is an "
        "error. Brackets hold Wilson's intervals.",
        ("kind", "cases", "wrong", "unreadable", "error"),
        tuple(rows),
        section="judge",
        signature=found.signature,
    )


def _planted_cells(kind: str, planted: Read) -> tuple[Cell, ...]:
    counts = (Cell(int(planted[key]), "count") for key in ("cases", "wrong", "unreadable"))
    return (Cell(one_line(kind)), *counts, share_cell(planted["error"]))


def agreement_board(found: Vilbias, name: str) -> Table | None:
    """How far every two judges agree on whether a rationale supports the right label."""
    rows = [
        Row(
            (
                Cell(one_line(str(one["first"]))),
                Cell(one_line(str(one["second"]))),
                Cell(int(one["rationales"]), "count"),
                share_cell(one["agreed"]),
                score_cell(one["kappa"]),
            )
        )
        for one in found.read["judge_agreement"]
    ]
    if not rows:
        return None
    return Table(
        name,
        "How far two judges agree on whether rationales support the right label; brackets hold "
        f"{found.level}.",
        ("judge", "and", "rationales", "agreed, percent", "kappa"),
        tuple(rows),
        signature=found.signature,
    )


def human_board(found: Vilbias, read: Read | None, name: str) -> Table | None:
    """How far judges agree with a person's marks of a sample; None where nobody marked one.

    Args:
        found: what was read.
        read: human.json, checked.
        name: of the table.
    """
    if read is None or not read["judges"]:
        return None
    rows = [
        Row(
            (
                Cell(one_line(str(one["judge"]))),
                Cell(int(one["n"]), "count"),
                share_cell(one["agreed"]),
                score_cell(one["kappa"]),
            ),
            MARKED.get(str(one["question"]), one_line(str(one["question"]))),
        )
        for one in read["judges"]
    ]
    rows.sort(key=lambda row: row.section, reverse=True)
    return Table(
        name,
        f"Judges against a person who marked a sample of {counted(int(read['rows']))} rationales: "
        f"raw agreement in percent, and Cohen's kappa; brackets hold "
        f"{level_percent(read['level'])} intervals.",
        ("judge", "marked", "agreed", "kappa"),
        tuple(rows),
        section="question",
        signature=found.signature,
    )
