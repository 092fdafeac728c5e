"""A run of associations -> tables of its tests: table 1 of the paper, every test, differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from slant.report.associations import (
    D_NAMES,
    UNSAID,
    Associations,
    Question,
    Read,
    correction_name,
    correction_of,
    corrections_of,
    deviation_text,
    effect_cell,
    level_text,
    marks_text,
    method_name,
    number_cell,
)
from slant.report.tables import Cell, Row, Table

Grid = dict[tuple[str, str], dict[tuple[str, str], Question]]


def effect_board(found: Associations, name: str) -> Table | None:
    """Effect sizes of all tests; table 1 of the paper.

    Rule: where every pair X/Y was tested with every pair A/B, rows are X/Y by corpus and columns
    A/B by method; else one row per test, columns corpus by method.

    Args:
        found: what was read.
        name: of the table.

    Source: table 1.
    """
    if not found.questions:
        return None
    grid = grid_of(found.questions)
    head, rows, said = _grid(found, grid) if grid else _list(found)
    one = f", {D_NAMES.get(found.methods[0], 'd')}" if len(found.methods) == 1 else ""
    return Table(
        name,
        f"Effect sizes of {' and '.join(map(method_name, found.methods))}{one}: {said}. Above 0: X "
        "goes with A and Y with B, more than the other way round; below 0: the reverse. Standard "
        f"deviation {deviation_text(found.read)}. "
        f"{marks_text(found.read)}",
        head,
        tuple(rows),
        section="X/Y" if grid else "",
        signature=found.signature,
    )


def grid_of(questions: tuple[Question, ...]) -> Grid | None:
    """Pairs X/Y -> pairs A/B -> their test, where every X/Y has every A/B once; else None."""
    grid: Grid = {}
    for one in questions:
        row = grid.setdefault((one.x, one.y), {})
        if (one.a, one.b) in row:
            return None
        row[one.a, one.b] = one
    columns = {column for row in grid.values() for column in row}
    return grid if all(len(row) == len(columns) for row in grid.values()) else None


def _d_heading(found: Associations, before: str, method: str) -> str:
    return f"{before}, {D_NAMES.get(method, method)}" if len(found.methods) > 1 else before


def _grid(found: Associations, grid: Grid) -> tuple[tuple[str, ...], list[Row], str]:
    columns = list(next(iter(grid.values())))
    rows = [
        Row(
            (
                Cell(corpus),
                *(
                    effect_cell(found.read, row[column].test(corpus, method))
                    for column in columns
                    for method in found.methods
                ),
            ),
            "/".join(pair),
        )
        for pair, row in grid.items()
        for corpus in found.corpora
    ]
    head = [_d_heading(found, "/".join(column), m) for column in columns for m in found.methods]
    return ("corpus", *head), rows, "rows are pairs X/Y by corpus, columns pairs A/B"


def _list(found: Associations) -> tuple[tuple[str, ...], list[Row], str]:
    rows = [
        Row(
            (
                Cell(one.label),
                *(
                    effect_cell(found.read, one.test(corpus, method))
                    for corpus in found.corpora
                    for method in found.methods
                ),
            )
        )
        for one in found.questions
    ]
    head = [_d_heading(found, corpus, m) for corpus in found.corpora for m in found.methods]
    return ("test", *head), rows, "rows are tests X/Y × A/B, columns corpora"


def tested_rows(found: Associations) -> Iterator[tuple[str, Read, Cell]]:
    """Each test with its section and the cell that names its corpus and, of several, its method."""
    for one in found.questions:
        for test in sorted(one.tests, key=lambda t: found.methods.index(t["method"])):
            several = len(found.methods) > 1
            method = f", {method_name(test['method'])}" if several else ""
            yield one.label, test, Cell(f"{test['vectors']}{method}")


def every_test(found: Associations, name: str) -> Table | None:
    """Each test with its interval, its p, how it was had, and all corrections."""
    read = found.read
    if not found.questions:
        return None
    keys = corrections_of(read["tests"])
    rows = [
        Row(
            (
                subject,
                effect_cell(read, test, ends=True),
                _p_cell(test),
                Cell(str(test.get("p_method") or "")),
                number_cell(test.get("p_min"), "not worked out", tail=True),
                *(number_cell(test["adjusted"].get(key), _why(test), tail=True) for key in keys),
            ),
            section,
        )
        for section, test, subject in tested_rows(found)
    ]
    intervals = dict.fromkeys(str(t["interval"]) for t in read["tests"] if t.get("interval"))
    notes = [f"{'Intervals' if i == 0 else 'or'}: {text}." for i, text in enumerate(intervals)]
    return Table(
        name,
        f"Every test: d with {level_text(read)}; p of a permutation test ({read['alternative']}), "
        "how it was had, and the smallest that sets of these sizes can reach; then p corrected "
        "over the tests. Brackets of a p are its bounds, ± is the error of a simulated one.",
        ("corpus", "d", "p", "method of p", "smallest p", *map(correction_name, keys)),
        tuple(rows),
        section="test",
        notes=(marks_text(read), *notes),
        signature=found.signature,
    )


def _p_cell(test: Read) -> Cell:
    low, high = test.get("p_low"), test.get("p_high")
    if test["p"] is None:
        return Cell(None, "tail", note=_why(test))
    if low is None or high is None or low >= high:
        low = high = None
    return Cell(float(test["p"]), "tail", low, high, spread=test.get("p_error"))


def _why(test: Read) -> str:
    return str(test.get("why") or UNSAID)


def size_board(found: Associations, name: str) -> Table | None:
    """How many words of each set a test used, and which of its words the vectors lack."""
    if not found.questions:
        return None
    rows = [
        Row(
            (
                subject,
                *(Cell(int(test[f"n_{part}"]), "count") for part in "xyab"),
                Cell(", ".join(test["missing"]) or "none"),
                Cell(", ".join(test.get("both") or ()) or "none"),
            ),
            section,
        )
        for section, test, subject in tested_rows(found)
    ]
    return Table(
        name,
        "Words of each set that a test used, and the words of its sets that the vectors do not "
        "have; then words that are a target and an attribute of one test, nearest to themselves. "
        f"Sets of unequal size: {found.read['unequal']}.",
        ("corpus", "n of X", "n of Y", "n of A", "n of B", "missing", "on both sides"),
        tuple(rows),
        section="test",
        signature=found.signature,
    )


def compared_board(found: Associations, name: str) -> Table | None:
    """The tested differences of d between corpora; None where none was tested."""
    pairs = found.read.get("compared") or []
    if not pairs:
        return None
    keys = corrections_of(pairs)
    methods = list(dict.fromkeys(str(row["method"]) for row in pairs))
    labels: dict[Any, str] = {}
    for one in found.questions:
        labels.setdefault(one.name, one.label)
    rows = []
    for row in pairs:
        method = f", {method_name(row['method'])}" if len(methods) > 1 else ""
        cells = (
            Cell(f"{row['first']} − {row['second']}{method}"),
            effect_cell(found.read, row, "difference", ends=True),
            _p_cell(row),
            Cell(str(row.get("p_method") or "")),
            *(number_cell(row.get("adjusted", {}).get(k), _why(row), tail=True) for k in keys),
        )
        rows.append(Row(cells, labels.get(row["name"], str(row["name"]))))
    decided = correction_of(found.read, pairs[0])
    over = "none" if decided == "none" else f"{correction_name(decided)} over the comparisons"
    return Table(
        name,
        f"Corpora compared: d of the first less d of the second, with {level_text(found.read)}, "
        "over the words that both know; its p, and p corrected over the comparisons. That one "
        "corpus has a significant d and another has not is no difference between them; this is "
        "the test of it.",
        ("corpora", "difference of d", "p", "method of p", *map(correction_name, keys)),
        tuple(rows),
        section="test",
        notes=(marks_text(found.read, over),),
        signature=found.signature,
    )
