"""The decisions of a third person, and the gold that follows from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NoReturn

from pydantic import ValidationError

from slant.annotate.cases import ANSWERS, GOLD, RECORD, Case, MergeRecord, spans_cell
from slant.annotate.formats import read_annotated
from slant.annotate.inclusion import gold_examples
from slant.annotate.sheets import read_sheet
from slant.data.rows import read_text
from slant.errors import DataError
from slant.types import Example, Item, Mark, Span

SHOWN: Final = 8
_SPAN = re.compile(r"\[?\s*(\d{1,9})\s*(?:\.\.|…|[-–,:])\s*(\d{1,9})\s*[)\]]?")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a third person said of one case: a trigger or a label for gold, or neither.

    Fields:
        row: of the sheet, as a spreadsheet program shows it.
        word: "keep", "drop", "edit", or the annotator whose boundaries were chosen.
        mark: for gold; None: dropped. Without spans and quotes it is a label alone.
    """

    row: int
    word: str
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """The gold, and what was decided.

    Fields:
        examples: the articles with their gold.
        counts: how often each word was said.
        unanswered: ids of the cases without a decision; none of them is in gold.
        without_trigger: (article, bias) of labels that a third person kept without a trigger.
    """

    examples: list[Example]
    counts: Mapping[str, int]
    unanswered: tuple[str, ...]
    without_trigger: tuple[tuple[str, str], ...]


def read_record(folder: Path) -> MergeRecord:
    """The record of a merge.

    Raises:
        DataError: the folder holds none, or it is not as `slant annotate merge` wrote it.
    """
    path = folder / RECORD
    asked = f"Reading the merge in '{folder}'"
    if not path.is_file():
        do = "Give the folder that `slant annotate merge A B --out DIR` wrote"
        raise DataError(asked, f"it has no {RECORD}", do)
    try:
        return MergeRecord.model_validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"])) or "the file"
        found = f"{RECORD} does not fit at '{key}' ({first['msg'].lower()})"
        raise DataError(asked, found, "Merge the passes again") from None


def read_adjudicated(
    folder: Path, answers: Path | None = None, *, partial: bool = False
) -> Adjudicated:
    """The gold of a merge with the decisions of a third person.

    Rule: keep takes the proposal, drop takes nothing, edit takes the bias and spans as the row now
    has them, an annotator's name (boundaries alone) takes that one's spans. A bias that was ticked
    and never marked becomes a label without a trigger by keep, a trigger by edit with spans. The
    labels of an article are the biases of its triggers, and labels kept so. Nothing in the folder
    is changed.

    Args:
        folder: of the merge.
        answers: the sheet; None: the one in the folder.
        partial: cases without a decision are left out of gold; else they are refused.

    Raises:
        DataError: a row without a decision, an unknown word, bias or id, spans that are none of the
            text; each with its row.
    """
    record = read_record(folder)
    examples = read_annotated(folder / GOLD, format="jsonl", codes=record.codes)
    items = tuple(example.item for example in examples)
    sheet = answers or folder / ANSWERS
    decisions = read_decisions(sheet, record, {item.id: item for item in items})
    missing = tuple(case.id for case in record.open if case.id not in decisions)
    if missing and not partial:
        rows = {row["id"]: number for number, row in read_sheet(sheet, ["id"])}
        named = [f"row {rows[one]}" if one in rows else f"{one} (no row)" for one in missing]
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        raise DataError(
            f"Reading '{sheet}'",
            f"{len(missing)} of {len(record.open)} cases have no decision: "
            f"{', '.join(named[:SHOWN])}{more}",
            "Write keep, drop or edit in each, or leave them out of gold with --partial",
        )
    marks = [(example.item.id, mark) for example in examples for mark in example.gold.marks]
    labels = []
    counts = dict.fromkeys(("keep", "drop", "edit"), 0)
    for case in record.open:
        decision = decisions.get(case.id)
        if decision is None:
            continue
        counts[decision.word] = counts.get(decision.word, 0) + 1
        if decision.mark is None:
            continue
        if decision.mark.spans or decision.mark.quotes:
            marks.append((case.article, decision.mark))
        else:
            labels.append((case.article, decision.mark.category))
    gold = gold_examples(items, record.codes, marks, labels)
    return Adjudicated(gold, counts, missing, tuple(labels))


def read_decisions(
    path: Path, record: MergeRecord, items: Mapping[str, Item]
) -> dict[str, Decision]:
    """The decisions in a sheet, by the id of the case; rows without one are left out.

    Args:
        path: the sheet.
        record: of the merge that it answers.
        items: the articles by id.
    """
    cases = {case.id: case for case in record.open}
    found: dict[str, Decision] = {}
    seen: dict[str, int] = {}
    if not cases:
        return found
    for number, row in read_sheet(path, ["id", "bias", "spans", "decision"]):
        place = f"row {number}"
        case = cases.get(row["id"])
        if case is None:
            _refuse(
                path, f"{place} has the id '{row['id'][:40]}', which this merge has not",
                "Answer the sheet of this merge, and leave its ids as they are",
            )  # fmt: skip
        if case.id in seen:
            _refuse(path, f"{place} has the id of row {seen[case.id]} again", "Keep one of them")
        seen[case.id] = number
        if case.article not in items:
            _refuse(
                path,
                f"{place} is of the article '{case.article[:40]}', which {GOLD} has not",
                "Merge the passes again",
            )
        if row["decision"]:
            found[case.id] = _decision(path, number, row, case, record.codes, items[case.article])
    return found


def _decision(
    path: Path, number: int, row: Mapping[str, str], case: Case, codes: Sequence[str], item: Item
) -> Decision:
    asked = row["decision"]
    place = f"row {number} ({case.id})"
    own = {name.casefold(): name for name in case.sides} if case.kind == "boundaries" else {}
    word = own.get(asked.casefold(), asked.lower())
    if word not in {"keep", "drop", "edit", *own.values()}:
        known = ", ".join(["keep", "drop", "edit", *own.values()])
        _refuse(path, f"{place} has the decision '{asked[:40]}'", f"Write {known}")
    if word == "drop":
        return Decision(number, word, None)
    spans = _spans(path, place, row["spans"], item)
    proposal = case.proposal.mark(case.bias)
    as_it_was = tuple(sorted(proposal.spans, key=lambda s: (s.start, s.end)))
    changed = spans != as_it_was or row["bias"] != case.bias
    if changed and word != "edit":
        was = f"'{case.bias}', '{spans_cell(as_it_was)}'"
        _refuse(
            path, f"{place} says {word}, and its bias or spans were changed (they were {was})",
            "Write edit, or put them back",
        )  # fmt: skip
    if not changed and word == "edit":
        _refuse(path, f"{place} says edit, and its bias and spans are as before", "Change them")
    if word in case.sides and word in own.values():
        chosen = case.sides[word].mark(case.bias)
        return Decision(number, word, _noted(replace(chosen, confidence=proposal.confidence), row))
    if word == "keep":
        return Decision(number, word, _noted(proposal, row))
    if row["bias"] not in codes:
        do = f"Write one of {', '.join(codes)}"
        _refuse(path, f"{place} has the bias '{row['bias'][:40]}', which is unknown", do)
    quotes = proposal.quotes if spans == as_it_was else ()
    if not spans and not quotes and case.kind != "first pass":
        _refuse(path, f"{place} has no span left", "Write drop, or where it stands")
    mark = Mark(row["bias"], spans, quotes, proposal.confidence, note=proposal.note)
    return Decision(number, word, _noted(mark, row))


def _spans(path: Path, place: str, cell: str, item: Item) -> tuple[Span, ...]:
    spans: set[tuple[int, int]] = set()
    for part in filter(None, (part.strip() for part in cell.split(";"))):
        found = _SPAN.fullmatch(part)
        if found is None:
            do = "Write start..end, several with semicolons, e.g. 10..25; 40..60"
            _refuse(path, f"{place} has the spans '{part[:40]}'", do)
        start, end = int(found[1]), int(found[2])
        if not start < end <= len(item.text):
            size = f"the article '{item.id}' has {len(item.text)} characters"
            _refuse(path, f"{place} has the span {start}..{end}, and {size}", "Correct it")
        spans.add((start, end))
    return tuple(Span(start, end) for start, end in sorted(spans))


def _noted(mark: Mark, row: Mapping[str, str]) -> Mark:
    notes = dict.fromkeys(note for note in (mark.note, row.get("note", "")) if note)
    return replace(mark, note="\n".join(notes))


def _refuse(path: Path, found: str, do: str) -> NoReturn:
    raise DataError(f"Reading '{path}'", found, do)
