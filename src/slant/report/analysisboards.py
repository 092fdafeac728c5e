"""The tables of an analysis: profiles, passages, triggers, detectors, groups, events, articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from slant.report.analysisgrades import TRIGGER_SIGNS
from slant.report.analysisnotes import quoted
from slant.report.escaping import one_line
from slant.report.tables import Cell, Row, Table, score_cell

Read = Mapping[str, Any]
_NO_THRESHOLD: Final = "at no threshold half of the calls are right"


def profile_board(read: Read) -> Table:
    """The profile of one article: every measure with its interval and number of sentences."""
    rows = [
        Row((Cell(one["says"]), score_cell(one), Cell(one.get("n"), "count")))
        for one in read["profile"]
    ]
    caption = "Profile of the article, with intervals over its sentences."
    return Table("profile", caption, ("measure", "value", "sentences"), tuple(rows))


def passage_board(read: Read) -> Table:
    """The most and the least loaded passages, each with a link to its first sentence."""
    text = read["article"]["text"]
    rows = [
        Row(
            (
                Cell(
                    one_line(quoted(text, one["start"], one["end"])), link=f"#s{one['first'] + 1}"
                ),
                Cell(one["loading"], "score"),
            ),
            section,
        )
        for section, key in (("most loaded", "most"), ("least loaded", "least"))
        for one in read[key]
    ]
    caption = (
        "Passages of up to three sentences; the loading is the mean probability of those "
        "that are not quoted, over the detectors."
    )
    return Table("passages", caption, ("passage", "loading"), tuple(rows), "which")


def trigger_board(read: Read) -> Table:
    """For each bias of the schema, how often its cue and its trigger were found."""
    found = Counter(
        (one["bias"], one["grade"])
        for sentence in read["sentences"]
        for one in sentence["triggers"]
    )
    rows = [
        Row(
            (
                Cell(f"{bias['code']} {bias['name']}", link=f"#bias-{i}"),
                Cell(found[bias["code"], "cue found"], "count"),
                Cell(found[bias["code"], "trigger found"], "count"),
            )
        )
        for i, bias in enumerate(read["biases"], 1)
    ]
    cue, trigger = TRIGGER_SIGNS["cue found"], TRIGGER_SIGNS["trigger found"]
    caption = (
        f"{cue} A cue is a surface pattern that often stands where a trigger is; {trigger} a "
        "trigger is a passage of which a reader, here a model, said that it meets the condition. "
        "A cue is no trigger."
    )
    head = ("bias", "cues found", "triggers found")
    return Table("triggers", caption, head, tuple(rows))


def kind_board(detectors: Sequence[Read]) -> Table | None:
    """The kinds of bias that detectors tell apart, and those at which none is good enough; None
    where no detector tells any."""
    rows = [
        Row(
            (
                Cell(kind["name"]),
                Cell(", ".join(kind["spans"])),
                Cell(kind["number"], "count"),
                score_cell(kind["f1"], missing="not measured"),
                score_cell(kind.get("precision"), missing="precision was not measured"),
                Cell(kind["always"], "score"),
                Cell(kind["threshold"], "score", note=_NO_THRESHOLD * (kind["threshold"] is None)),
                Cell("asked" if kind["good"] else "no detector good enough"),
            )
        )
        for one in detectors
        for kind in one.get("kinds") or ()
    ]
    caption = (
        "Kinds of bias, with the F1 and precision that were measured of the kind, and the F1 of "
        "always saying yes. A kind is asked for, in sentences that are called biased, where the "
        "whole interval of F1 lies above the latter and at least half of the calls are right."
    )
    head = ("kind", "marked words", "sentences", "F1", "precision", "F1 of always yes", "from",
            "asked")  # fmt: skip
    return Table("kinds", caption, head, tuple(rows)) if rows else None


def detector_board(detectors: Sequence[Read]) -> Table:
    """Who was asked: each detector with the F1 that was measured of it."""
    rows = [
        Row(
            (
                Cell(one["name"], link=f"#detector-{i}"),
                Cell(one_line(one["task"])),
                score_cell(one["f1"], missing="not measured"),
                Cell(one_line(one["measured"])),
                Cell(one["threshold"], "score"),
                Cell(one_line(one["calibration"])),
            )
        )
        for i, one in enumerate(detectors, 1)
    ]
    caption = "Detectors, with the class F1 (mean over both classes) that was measured of each."
    head = ("detector", "task", "F1", "measured on", "biased from", "calibration")
    return Table("detectors", caption, head, tuple(rows))
