"""A run of associations -> tables of how far its tests hold: replicas, Fisher's p, single words,
other measures."""

from __future__ import annotations

from dataclasses import replace

from slant.report.associationboards import tested_rows
from slant.report.associations import (
    MEASURE_NAMES,
    UNSAID,
    Associations,
    Read,
    effect_cell,
    level_text,
    number_cell,
)
from slant.report.tables import Cell, Row, Table

_EMPTY = Cell("")


def replica_board(found: Associations, name: str) -> Table | None:
    """d of each replica, their spread and ends; None where no test has replicas."""
    names = dict.fromkeys(r["name"] for t in found.read["tests"] for r in t.get("replicas", ()))
    if not names:
        return None
    rows = []
    for section, test, subject in tested_rows(found):
        each = {r["name"]: r["d"] for r in test.get("replicas", ())}
        cells = [_EMPTY if n not in each else number_cell(each[n]) for n in names]
        spread = _EMPTY if test.get("spread") is None else number_cell(test["spread"])
        whole = effect_cell(found.read, test, ends=True)
        rows.append(Row((subject, whole, spread, *cells), section))
    return Table(
        name,
        f"d of each replica: the mean with {level_text(found.read)}, the standard deviation over "
        "replicas (n - 1), then each. Replicas differ by the noise of training alone; the interval "
        "is of what its method names.",
        ("corpus", "d", "spread", *(f"replica {n}" for n in names)),
        tuple(rows),
        section="test",
        signature=found.signature,
    )


def fisher_board(found: Associations, name: str) -> Table | None:
    """Fisher's combination over replicas beside its measured share of false positives."""
    rows = []
    for section, test, subject in tested_rows(found):
        if fisher := test.get("fisher"):
            false = fisher.get("false_positives")
            cells = (
                subject,
                number_cell(test["p"], str(test.get("why") or UNSAID), tail=True),
                number_cell(fisher["p"], "undefined", tail=True),
                number_cell(false, "not measured"),
                Cell(str(fisher.get("how") or "")),
            )
            rows.append(Row(cells, section))
    if not rows:
        return None
    return Table(
        name,
        "Fisher's combination of the replicas' p, as in the paper, beside the p of h averaged over "
        "replicas. False positives: the share of tests below 0.05 where nothing is there, as "
        "measured; 0.050 would be right. Replicas of one corpus are not independent, so Fisher's "
        "p is too small wherever that share is above 0.050.",
        ("corpus", "p", "Fisher's p", "false positives", "how measured"),
        tuple(rows),
        section="test",
        signature=found.signature,
    )


def robustness_board(found: Associations, name: str) -> Table | None:
    """d without the word that lowers or raises it most, and split-half reliability."""
    rows = []
    for section, test, subject in tested_rows(found):
        left = [one for one in test.get("leave_one_out", ()) if one["d"] is not None]
        halves = [test.get(key) for key in ("split_half", "split_half_targets")]
        alike = test.get("frequency_matched")
        if not left and not alike and halves == [None, None]:
            continue
        ends: list[Cell] = [_EMPTY] * 4
        if left:
            pair = (min(left, key=lambda o: float(o["d"])), max(left, key=lambda o: float(o["d"])))
            ends = [
                cell
                for one in pair
                for cell in (number_cell(one["d"]), Cell(f"{one['word']} ({_set(test, one)})"))
            ]
        cells = [_EMPTY if half is None else number_cell(half) for half in halves]
        matched = _EMPTY
        if alike:
            matched = replace(number_cell(alike["d"]), mark=f"{len(alike['pairs'])} pairs")
        rows.append(Row((subject, effect_cell(found.read, test), *ends, *cells, matched), section))
    if not rows:
        return None
    return Table(
        name,
        "How far d hangs on single words: the lowest and the highest d that leaving out one word "
        "gives, and that word with its set; the reliability between halves of the attributes and "
        "of the targets; and d over pairs of target words of like frequency.",
        (
            "corpus",
            "d",
            "lowest",
            "without",
            "highest",
            "without this",
            "split-half, A B",
            "split-half, X Y",
            "like frequency",
        ),
        tuple(rows),
        section="test",
        signature=found.signature,
    )


def _set(test: Read, left: Read) -> str:
    return str(test[left["set"]] if left["set"] in {"x", "y", "a", "b"} else left["set"])


def measure_board(found: Associations, name: str) -> Table | None:
    """The other measures of bias over the same sets."""
    rows_read = found.read.get("measures") or []
    if not rows_read:
        return None
    given = list(dict.fromkeys(_measure(row) for row in rows_read))
    order = list(MEASURE_NAMES)
    keys = sorted(given, key=lambda key: order.index(key[0]) if key[0] in order else len(order))
    values = {(row["name"], row["vectors"], _measure(row)): row for row in rows_read}
    labels = {one.name: one.label for one in found.questions}
    rows = []
    for test in dict.fromkeys(str(row["name"]) for row in rows_read):
        for corpus in found.corpora:
            cells = [values.get((test, corpus, key)) for key in keys]
            if any(cells):
                made = [
                    _EMPTY if c is None else number_cell(c["value"], str(c.get("why") or ""))
                    for c in cells
                ]
                rows.append(Row((Cell(corpus), *made), labels.get(test, test)))
    return Table(
        name,
        "Other measures over the same sets. They have scales of their own: compare them down a "
        "column, not across.",
        ("corpus", *(_measure_heading(key, keys) for key in keys)),
        tuple(rows),
        section="test",
        signature=found.signature,
    )


def _measure(row: Read) -> tuple[str, str]:
    return str(row["measure"]), " ".join(row.get("sets") or ()).upper()


def _measure_heading(key: tuple[str, str], keys: list[tuple[str, str]]) -> str:
    name, sets = MEASURE_NAMES.get(key[0], key[0]), key[1]
    return f"{name}, {sets}" if sum(other[0] == key[0] for other in keys) > 1 else name
