"""A study -> tables of erasure and of tested differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slant.report.studies import (
    SCORE_NAMES,
    Study,
    Subject,
    level_text,
    method_name,
    seeds_text,
    sentences_text,
    signature_text,
)
from slant.report.tables import Cell, Row, Table, counted, score_cell

REMOVAL_NAMES = {
    "delete": "words deleted",
    "mask": "words replaced by the mask token",
    "unknown": "words replaced by the unknown token",
}
_KINDS = ("comprehensiveness", "sufficiency")


def erasure_boards(study: Study, name: str) -> dict[str, Table]:
    """Comprehensiveness and sufficiency of every explanation beside the same number of random
    words, a table for each way of removing."""
    if not study.explain:
        return {}
    found = {}
    for removal, said in REMOVAL_NAMES.items():
        having = [one for one in study.explained if _removals(one, removal)]
        if not having:
            continue
        rows = [
            Row((Cell(method_name(method)), *_cells(scores)), one.label)
            for one in having
            for method, scores in _removals(one, removal).items()
        ]
        found[removal] = Table(
            f"{name}-{removal}",
            f"Erasure, {said}: what P({study.explain['target']} class) loses when the highest "
            "words are taken out (comprehensiveness; high: they were needed) and when they alone "
            "are left (sufficiency; low: they are enough), the mean over shares of the words "
            "(AOPC); beside it the same number of random words, and the excess over them. "
            f"{_drawn(study.explain)}, {seeds_text(having)}; brackets hold "
            f"{level_text(study.explain)}.",
            (
                "explanation",
                *(head for kind in _KINDS for head in (kind, f"random {kind}", f"excess {kind}")),
            ),
            tuple(rows),
            section="model",
            notes=(
                "Taking out words moves a model whatever they say; only the excess speaks for an "
                "explanation: above 0 in comprehensiveness, below 0 in sufficiency.",
            ),
            signature=signature_text(having, study.explain),
        )
    return found


def _drawn(read: Mapping[str, Any]) -> str:
    number = int(read.get("sample") or 0)
    return f"{number} test sentences of each seed at most" if number else "All test sentences"


def _removals(one: Subject, removal: str) -> dict[str, Mapping[str, Any]]:
    erasure = (one.explain or {}).get("erasure", {})
    return {method: by[removal] for method, by in erasure.items() if removal in by}


def _cells(scores: Mapping[str, Any]) -> list[Cell]:
    return [
        score_cell(scores[f"{what}{kind}"], kind="difference" if what == "excess_" else "score")
        for kind in _KINDS
        for what in ("", "random_", "excess_")
    ]


def difference_board(study: Study, name: str) -> Table | None:
    """The tested differences between explanations, models and baselines; None without one."""
    if not study.explain or not study.explain.get("differences"):
        return None
    differences = study.explain["differences"]
    rows = [
        Row(
            (
                Cell(_name(row["method"])),
                Cell(_against(study, row)),
                Cell({**SCORE_NAMES, "class_f1": "class F1"}.get(row["score"], row["score"])),
                score_cell(row, kind="difference"),
                Cell(row.get("p"), "p"),
                Cell(row.get("p_holm"), "p"),
            ),
            study.subject(row["model"]).label,
        )
        for row in sorted(differences, key=lambda row: _place(study, row["model"]))
    ]
    return Table(
        name,
        f"Differences by paired bootstrap over {sentences_text(study.explained)}: the "
        f"explanation less what it is held against; brackets hold {level_text(study.explain)}.",
        ("explanation", "against", "score", "difference", "p", "p Holm"),
        tuple(rows),
        section="model",
        notes=(
            f"{counted(len(rows))} differences stand here; each p is of one alone, Holm's is "
            "corrected over all of them.",
        ),
        signature=signature_text(study.explained, study.explain),
    )


def _against(study: Study, row: Mapping[str, Any]) -> str:
    other = row.get("against_model")
    said = _name(row["against"])
    return f"{said} of {study.subject(other).label}" if other else said


def _name(method: str | None) -> str:
    return "predictions" if method is None else method_name(method)


def _place(study: Study, name: str) -> int:
    return [one.name for one in study.subjects].index(name)
