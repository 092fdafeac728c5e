"""A study -> tables of attention heads: table E1 of the paper, its set-up and the effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slant.report.studies import (
    KIND_NAMES,
    READING_NAMES,
    Study,
    Subject,
    choices_text,
    level_text,
    method_name,
    range_counted,
    seeds_text,
    signature_text,
)
from slant.report.studyboards import best_method, class_f1
from slant.report.tables import Cell, Row, Table, score_cell

Curve = Mapping[str, Any]
Reading = tuple[str, str]
"""A reading of delta P and what is corrupted: keys of READING_NAMES and KIND_NAMES."""

SHARES = ("sufficiency", "completeness", "retention", "rescue")
ASKED = 30
"""The circuit size that figure 3 of the paper and the headline take."""
_EMPTY = Cell("")
_RESCUE = (
    "Rescue is what the heads hold alone less what is left without them, circuit - none. Its "
    "ends are arithmetic: against corruption, with a readout at one position, it is minus the base "
    "at 0 heads and the base at all of them, whatever the model; between them heads that work "
    "against the rest make it pass the base. Hold it against random heads of the same number."
)
_CLASSES = (
    "Between classes, sentences without marked words are the same clean and corrupted: a part of "
    "the gap stays at 0 heads, whatever is isolated."
)


def readings(study: Study) -> list[Reading]:
    """The readings that any model has, the default first: between classes, marked words."""
    return [
        (gap, kind)
        for gap in READING_NAMES
        for kind in KIND_NAMES
        if any(curve_of(one, (gap, kind)) for one in study.circuited)
    ]


def curve_of(one: Subject, reading: Reading) -> Curve | None:
    """What a model has of a reading: its base and points; None where nothing."""
    curves = (one.circuit or {}).get("curves", {})
    found: Curve | None = curves.get(reading[0], {}).get(reading[1])
    return found


def point_at(one: Subject, reading: Reading, k: int = ASKED) -> Mapping[str, Any] | None:
    """The point of the largest circuit of at most k heads; None where there is none."""
    points = (curve_of(one, reading) or {}).get("points", ())
    below = [point for point in points if point["k"] <= k]
    return max(below, key=lambda point: int(point["k"])) if below else None


def reading_text(reading: Reading) -> str:
    """A reading's name for a reader, e.g. "between classes, marked words corrupted"."""
    return f"{READING_NAMES[reading[0]]}, {KIND_NAMES[reading[1]]}"


def texts_text(study: Study, reading: Reading) -> str:
    """Which test texts a reading is over, and how many."""
    rows = [row for one in study.circuited for row in (one.circuit or {})["texts"]]
    which = "test" if reading[0] == "classes" else "changed"
    if not rows:
        return "no test texts"
    said = range_counted([int(row[which]) for row in rows], "test texts of each seed")
    return said if which == "test" else f"the {said} that the corruption changes"


def circuit_board(study: Study, name: str, reading: Reading) -> Table | None:
    """What circuits of growing size hold of the gap; table E1 of the paper in one reading."""
    having = [one for one in study.circuited if curve_of(one, reading)]
    if not having or not study.circuit:
        return None
    rows = [
        row
        for one in having
        for point in (curve_of(one, reading) or {})["points"]
        for row in _rows(one.label, (curve_of(one, reading) or {})["base"], point)
    ]
    return Table(
        name,
        f"Circuits of the first k heads, {reading_text(reading)}: over "
        f"{texts_text(study, reading)}, {seeds_text(having)}. "
        f"{choices_text(study.circuit)} Brackets hold "
        f"{level_text(study.circuit)}; of random heads the median, and the band of the sets.",
        ("heads", "share", "base", "circuit", "none", *SHARES),
        tuple(rows),
        section="model",
        notes=(
            "Base: the gap of the clean text; circuit: with these heads alone clean; none: with "
            "these heads alone corrupted. Sufficiency is circuit / base, completeness 1 - none / "
            "base, retention circuit / |base|.",
            _RESCUE,
            *([_CLASSES] if reading[0] == "classes" else []),
        ),
        signature=signature_text(having, study.circuit),
    )


def _rows(label: str, base: Mapping[str, Any], point: Mapping[str, Any]) -> list[Row]:
    why = "The interval of the base holds 0: there is nothing to take a share of."
    k = int(point["k"])
    cells = (
        Cell(f"first {k}"),
        Cell(float(point["share"]), "score"),
        score_cell(base),
        score_cell(point["circuit"]),
        score_cell(point["none"]),
        *(score_cell(point[share], missing=why) for share in SHARES),
    )
    bands = []
    for share in SHARES:
        band = {**point["random"][share], "value": point["random"][share]["median"]}
        bands.append(score_cell(band, missing=str(point[share].get("why") or why)))
    by_chance = (Cell(f"random {k}"), *(_EMPTY,) * 4, *bands)
    return [Row(cells, label), Row(by_chance, label, control=True)]


def setup_board(study: Study, name: str) -> Table | None:
    """How large the models are, and how far the ranking of their heads can be trusted."""
    if not study.circuit:
        return None
    rows = []
    for one in study.circuited:
        read = one.circuit or {}
        patching = (read.get("attribution_patching") or {}).get("spearman")
        rows.append(
            Row(
                (
                    Cell(one.model),
                    Cell(one.condition),
                    Cell(read["layers"], "count"),
                    Cell(read["total"], "count"),
                    Cell(_spans(read, "dev")),
                    Cell(_spans(read, "test")),
                    Cell(_spans(read, "changed")),
                    score_cell(read["probe"].get("class_f1")),
                    score_cell(read["reliability"]),
                    score_cell(read["agreement"], missing="There is one seed only."),
                    score_cell(patching, missing="Attribution patching was not asked for."),
                )
            )
        )
    return Table(
        name,
        f"The models' heads and their ranking, {seeds_text(study.circuited)}. "
        f"{choices_text(study.circuit)} Brackets hold {level_text(study.circuit)}.",
        (
            "model",
            "condition",
            "layers",
            "heads",
            "dev texts",
            "test texts",
            "changed",
            "readout's class F1",
            "reliability",
            "agreement of seeds",
            "patching by gradient",
        ),
        tuple(rows),
        notes=(
            "Changed: test texts that the corruption changes. Reliability: split halves of the "
            "texts, Spearman-Brown. Agreement: mean Spearman correlation between the rankings of "
            "two seeds. Patching by gradient: Spearman correlation with the exact effects.",
        ),
        signature=signature_text(study.circuited, study.circuit),
    )


def _spans(read: Mapping[str, Any], key: str) -> str:
    counts = [int(row[key]) for row in read["texts"]]
    return range_counted(counts, "").strip() if counts else ""


def effect_board(study: Study, name: str, kind: str) -> Table | None:
    """The mean effect of every head, layer by layer: the numbers of the heat map."""
    having = [one for one in study.circuited if kind in (one.circuit or {})["effects"]]
    if not having or not study.circuit:
        return None
    width = max(len(row) for one in having for row in (one.circuit or {})["effects"][kind])
    rows = [
        Row(
            (
                Cell(block),
                *(Cell(value, "score", note="" if value is not None else "No effect is given.")
                  for value in values),
                *(_EMPTY,) * (width - len(values)),
            ),
            one.label,
        )
        for one in having
        for block, values in zip(
            (one.circuit or {})["blocks"], (one.circuit or {})["effects"][kind], strict=True
        )
    ]  # fmt: skip
    return Table(
        name,
        f"Effect of putting one head back to what it is in the clean text, {KIND_NAMES[kind]}: "
        f"mean over texts and {seeds_text(having)}. {choices_text(study.circuit)}",
        ("layer", *(f"head {i}" for i in range(width))),
        tuple(rows),
        section="model",
        signature=signature_text(having, study.circuit),
    )


def meeting_board(study: Study, name: str) -> Table | None:
    """Each model's best AUROC beside what its first heads hold: the numbers of figure 3."""
    found = readings(study)
    both = [one for one in study.subjects if one.explain and one.circuit]
    if not both or not found or not study.circuit:
        return None
    rows = []
    for one in both:
        best, point = best_method(one), point_at(one, found[0])
        rows.append(
            Row(
                (
                    Cell(one.model),
                    Cell(one.condition),
                    Cell(method_name(best[0]) if best else ""),
                    score_cell(best[1] if best else None, missing="No explanation has an AUROC."),
                    Cell(point["k"] if point else None, "count"),
                    score_cell(point["retention"] if point else None, missing=f"No k <= {ASKED}."),
                    score_cell(class_f1(one)),
                )
            )
        )
    return Table(
        name,
        f"Plausibility and retention: the explanation with the highest AUROC, and what the first k "
        f"heads hold, {reading_text(found[0])} ({seeds_text(both)}). Brackets hold "
        f"{level_text(study.circuit)}.",
        ("model", "condition", "explanation", "AUROC", "k", "retention", "class F1"),
        tuple(rows),
        notes=("The explanation is the best of all by the AUROC that stands beside it.",),
        signature=signature_text(both, study.circuit),
    )
