"""A scored run of BAIT -> tables of its tests between settings and between models."""

from __future__ import annotations

import re
from collections.abc import Sequence

from slant.report.bait import Bait, Read, level_text, number_cell
from slant.report.baitnames import family_name, score_name, shots_text
from slant.report.tables import Cell, Row, Table

SIGNIFICANT = 0.05
SIGNS = ("*", "n.s.")
"""What stands beside a difference that is significant after Holm, and beside one that is not."""


def families(found: Bait) -> dict[str, list[Read]]:
    """The comparisons of a run by their family, in the order of the file."""
    made: dict[str, list[Read]] = {}
    for row in found.read.get("comparisons") or ():
        made.setdefault(str(row["family"]), []).append(row)
    return made


def significant(row: Read) -> bool:
    """Whether a comparison is significant by its t test after Holm's correction."""
    p = row.get("p_holm")
    return p is not None and float(p) < SIGNIFICANT


def test_boards(found: Bait, name: str) -> list[tuple[str, Table]]:
    """A table for each family of comparisons, with the family's name."""
    made = []
    for number, (family, rows) in enumerate(families(found).items(), 1):
        slug = re.sub(r"[^a-z0-9]+", "-", family.lower()).strip("-")[:60] or "family"
        made.append((family, _board(found, f"{name}-{number}-{slug}", family, rows)))
    return made


def _board(found: Bait, name: str, family: str, rows: Sequence[Read]) -> Table:
    several = len({row["score"] for row in rows}) > 1
    score = score_name(str(rows[0]["score"]))
    what = "" if several or score.lower() in family_name(family).lower() else f" by {score}"
    ns = sorted({int(row["n"]) for row in rows})
    over = f"{ns[0]}" if len(ns) == 1 else f"{ns[0]} to {ns[-1]}"
    return Table(
        name,
        f"{family_name(family)}{what}: differences of the means over articles, {over} "
        f"pairs each. Two-sided paired t tests and permutation tests; {_holm(len(rows))}. "
        f"Brackets hold {level_text(found)} of the difference.",
        ("first", "second", "difference", "t", "p", "p Holm", "p permuted", "permuted, Holm",
         "better", "worse", "equal"),
        tuple(_row(found, row, several) for row in rows),
        section="score" if several else "",
        notes=(
            f"*: the p of the t test is below {SIGNIFICANT:g} after Holm; n.s.: it is not. Better, "
            "worse, equal: articles on which the first is.",
        ),
        signature=found.signature,
    )  # fmt: skip


def _holm(rows: int) -> str:
    return f"Holm over the {rows} rows" if rows > 1 else "one row, which Holm leaves as it is"


def _row(found: Bait, row: Read, several: bool) -> Row:
    sides = [_side(found, row, key) for key in ("first", "second")]
    difference = row.get("difference")
    why = str(row.get("why") or "There is no difference to test.")
    shown = Cell(None, "difference", note=why)
    if difference is not None:
        mark = SIGNS[not significant(row)] if row.get("p_holm") is not None else ""
        shown = Cell(float(difference), "difference", row.get("low"), row.get("high"), mark=mark)
    cells = (
        Cell(sides[0]),
        Cell(sides[1]),
        shown,
        number_cell(row.get("t"), "score", why),
        *(number_cell(row.get(key), "tail", why)
          for key in ("p", "p_holm", "p_permutation", "p_permutation_holm")),
        *(Cell(int(row[key]), "count") for key in ("better", "worse", "equal")),
    )  # fmt: skip
    return Row(cells, score_name(str(row["score"])) if several else "")


def _side(found: Bait, row: Read, key: str) -> str:
    return f"{found.label(str(row[key]['system']))}, {shots_text(int(row[key]['shots']))}"
