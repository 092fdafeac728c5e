"""What a third person has to decide, as files: a record, a sheet, and the gold so far."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from slant import __version__
from slant.annotate.inclusion import Merged, Open
from slant.annotate.jsonl import write_jsonl
from slant.annotate.sheets import read_sheet, sheet_bytes
from slant.errors import OptionError
from slant.types import Mark, Span

RECORD: Final = "merge.json"
GOLD: Final = "gold-so-far.jsonl"
ANSWERS: Final = "adjudication.csv"
COLUMNS: Final = (
    "id", "kind", "article", "bias", "spans", "texts", "context", "who", "why", "decision", "note",
)  # fmt: skip
_AROUND: Final = 100
_JOINING: Final = frozenset(["\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))])
"""Not printable, yet without them an emoji or a word falls apart: joiners, tags of flags."""
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


class Passage(BaseModel):
    """A span of a case, with its words and the words around it."""

    model_config = _STRICT
    start: int
    end: int
    text: str
    before: str
    after: str


class Marking(BaseModel):
    """One trigger as somebody marked it."""

    model_config = _STRICT
    spans: list[Passage]
    quotes: list[str]
    confidence: float | None
    note: str

    def mark(self, bias: str) -> Mark:
        """The trigger itself."""
        spans = tuple(Span(one.start, one.end) for one in self.spans)
        return Mark(bias, spans, tuple(self.quotes), self.confidence, note=self.note)


class Case(BaseModel):
    """What a third person decides: one row of the sheet."""

    model_config = _STRICT
    id: str
    article: str
    kind: Literal["trigger", "boundaries", "first pass"]
    bias: str
    proposal: Marking
    sides: dict[str, Marking]
    who: list[str]
    why: str


class Left(BaseModel):
    """A trigger that the rule left out, and why."""

    model_config = _STRICT
    article: str
    bias: str
    who: str
    why: str
    marking: Marking


class MergeRecord(BaseModel):
    """What `slant annotate merge` found, beside the gold so far."""

    model_config = _STRICT
    kind: Literal["merge"]
    slant: str
    annotators: list[str]
    codes: list[str]
    rule: dict[str, str | float]
    articles: int
    kept: dict[str, int]
    open: list[Case]
    dropped: list[Left]

    @model_validator(mode="after")
    def _biases_are_known(self) -> Self:
        for case in self.open:
            if case.bias not in self.codes:
                raise ValueError(f"the case '{case.id}' has a bias that codes do not name")
        return self


def merge_record(merged: Merged) -> MergeRecord:
    """The record of a merge: what is kept and why in numbers, what is open and left out in full."""
    texts = {item.id: item.text for item in merged.items}
    why: dict[str, int] = {}
    for one in merged.kept:
        reason = one.why.partition("; the boundaries of")[0]
        why[reason] = why.get(reason, 0) + 1
    return MergeRecord(
        kind="merge",
        slant=__version__,
        annotators=list(merged.names),
        codes=list(merged.codes),
        rule=asdict(merged.rule),
        articles=len(merged.items),
        kept=why,
        open=[_case(n, one, texts[one.article]) for n, one in enumerate(merged.open, 1)],
        dropped=[
            Left(
                article=one.article,
                bias=one.mark.category,
                who=one.who,
                why=one.why,
                marking=_marking(one.mark, texts[one.article]),
            )
            for one in merged.dropped
        ],
    )


def merge_files(merged: Merged, out: Path) -> dict[Path, bytes]:
    """The files of a merge: the record, the gold so far, the sheet for the third person.

    Args:
        merged: what became of two passes.
        out: the folder; nothing is written here.

    Raises:
        OptionError: the folder holds decisions already.
    """
    _check_unanswered(out / ANSWERS)
    record = merge_record(merged)
    gold, _ = write_jsonl(merged.examples)
    content = json.dumps(record.model_dump(), ensure_ascii=False, indent=1)
    return {
        out / RECORD: content.encode() + b"\n",
        out / GOLD: gold.encode(),
        out / ANSWERS: sheet_bytes(COLUMNS, [_row(case) for case in record.open]),
    }


def spans_cell(spans: Sequence[Span] | Sequence[Passage]) -> str:
    """Spans as a sheet has them; two points, since programs turn 10-12 into a date.

    >>> spans_cell([Span(10, 12), Span(40, 60)])
    '10..12; 40..60'
    """
    return "; ".join(f"{one.start}..{one.end}" for one in spans)


def _case(number: int, one: Open, text: str) -> Case:
    # The digits keep answers to another merge from being taken for answers to this one.
    said = [one.article, one.kind, one.mark.category, spans_cell(one.mark.spans), *one.who]
    digits = hashlib.sha256("\x1f".join([*said, *one.mark.quotes]).encode()).hexdigest()[:4]
    return Case(
        id=f"D{number:03}-{digits}",
        article=one.article,
        kind=one.kind,
        bias=one.mark.category,
        proposal=_marking(one.mark, text),
        sides={who: _marking(mark, text) for who, mark in one.sides.items()},
        who=list(one.who),
        why=one.why,
    )


def _marking(mark: Mark, text: str) -> Marking:
    spans = sorted(mark.spans, key=lambda span: (span.start, span.end))
    passages = [
        Passage(
            start=span.start,
            end=span.end,
            text=text[span.start : span.end],
            before=text[max(0, span.start - _AROUND) : span.start],
            after=text[span.end : span.end + _AROUND],
        )
        for span in spans
    ]
    return Marking(
        spans=passages, quotes=list(mark.quotes), confidence=mark.confidence, note=mark.note
    )


def _row(case: Case) -> Mapping[str, str]:
    proposal = case.proposal
    texts = [f"“{_line(text)}”" for text in (*(p.text for p in proposal.spans), *proposal.quotes)]
    context = (f"…{_line(p.before)}[[{_line(p.text)}]]{_line(p.after)}…" for p in proposal.spans)
    who = (
        f"{name} ({_rated(side)}): {spans_cell(side.spans) or 'not located'}"
        for name, side in case.sides.items()
    )
    return {
        "id": case.id,
        "kind": case.kind,
        "article": case.article,
        "bias": case.bias,
        "spans": spans_cell(proposal.spans),
        "texts": " | ".join(texts),
        "context": " | ".join(context),
        "who": " | ".join(who) or ", ".join(case.who),
        "why": case.why,
    }


def _rated(side: Marking) -> str:
    return "unrated" if side.confidence is None else f"{side.confidence:g}"


def _line(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign in _JOINING else " " for sign in text)


def _check_unanswered(path: Path) -> None:
    if not path.is_file() or not path.stat().st_size:
        return
    answered = sum(bool(row["decision"]) for _, row in read_sheet(path, ["decision"]))
    if answered:
        found = f"'{path}' holds {answered} decisions, and merging would write it anew"
        do = "Give another --out, or take that file away"
        raise OptionError(f"Merging into '{path.parent}'", found, do)
