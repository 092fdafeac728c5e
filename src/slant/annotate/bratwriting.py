"""brat's standoff format, written, and the names of what it holds beyond spans."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from slant.annotate.confidence import confidence_text
from slant.annotate.folders import file_stems
from slant.annotate.standoff import Loss, losses
from slant.errors import DataError
from slant.types import Example, Mark, Span

RELATION = "SameTrigger"
"""The type of the equivalences that join spans which one line cannot hold."""
CONFIDENCE, GROUP = "Confidence", "Group"
NOTE, TRIGGER_ID = "AnnotatorNotes", "TriggerId"
_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Where brat ends a line, so that no span in a .ann file may hold one of these."""
LINE_END = re.compile(f"[{_ENDS}]")
LINE_GAP = re.compile(f"[{_ENDS}]+")
_ID = re.compile(r"T[0-9]{1,9}")


def write_brat(examples: Sequence[Example]) -> tuple[dict[str, str], list[Loss]]:
    """The .txt and .ann files of annotated articles, and what they cannot hold.

    Rule: a trigger is one T line; its spans that brat cannot write in one (out of order,
    overlapping) are lines of their own, joined by an equivalence `SameTrigger`.
    """
    stems = file_stems(example.item.id for example in examples)
    files: dict[str, str] = {}
    lost: Counter[str] = Counter()
    for example in examples:
        stem = stems[example.item.id]
        files[f"{stem}.txt"] = example.item.text
        files[f"{stem}.ann"] = "".join(f"{line}\n" for line in _written(example, lost))
    return files, losses(lost)


def _written(example: Example, lost: Counter[str]) -> Iterator[str]:
    text, gold = example.item.text, example.gold
    lost["document-level labels"] += len(gold.labels)
    lost["reasons of answers"] += gold.reason is not None
    given = Counter(mark.id for mark in gold.marks if mark.id and _ID.fullmatch(mark.id))
    free = 1 + max((int(key[1:]) for key in given), default=0)
    rest = Counter("AR#")
    for mark in gold.marks:
        if any(sign.isspace() for sign in mark.category) or not mark.category:
            raise DataError(
                f"Writing the article '{example.item.id}' for brat",
                f"the category '{mark.category}' has white space, and a type of brat has none",
                "Rename the category, by its code for example",
            )
        lost["quotes that are not located"] += len(mark.quotes)
        lines = _t_lines(text, mark, lost)
        if not lines:
            lost["triggers without a span"] += 1
            continue
        keys = []
        for n, line in enumerate(lines):
            own = mark.id if n == 0 and mark.id and given[mark.id] == 1 else f"T{free}"
            free += own == f"T{free}"
            keys.append(own)
            yield f"{own}\t{mark.category} {line}"
        if len(keys) > 1:
            yield f"*\t{RELATION} {' '.join(keys)}"
        if mark.confidence is not None:
            yield f"A{rest['A']}\t{CONFIDENCE} {keys[0]} {confidence_text(mark.confidence)}"
            rest["A"] += 1
        notes = [(NOTE, note) for note in mark.note.split("\n")] if mark.note else []
        if mark.id is not None and mark.id != keys[0]:
            notes.insert(0, (TRIGGER_ID, mark.id))
        for kind, note in notes:
            lost["line ends in ids and notes"] += bool(LINE_END.search(note))
            yield f"#{rest['#']}\t{kind} {keys[0]}\t{LINE_END.sub(' ', note)}"
            rest["#"] += 1


def _t_lines(text: str, mark: Mark, lost: Counter[str]) -> list[str]:
    """What follows the type on the T lines of a trigger: offsets, a tab and the words."""
    runs: list[list[Span]] = []
    for span in mark.spans:
        words = text[span.start : span.end]
        left, right = len(words) - len(words.lstrip(_ENDS)), len(words.rstrip(_ENDS))
        if left or right < len(words):
            lost["line ends at the edge of a span"] += 1
            if right == 0:
                continue
            span = Span(span.start + left, span.start + right)  # noqa: PLW2901
        last = runs[-1][-1] if runs else None
        apart = last is not None and not LINE_GAP.fullmatch(text, last.end, span.start)
        if last is not None and span.start >= last.end and apart:
            runs[-1].append(span)
        else:
            runs.append([span])
    return [_t_line(text, run) for run in runs]


def _t_line(text: str, run: Sequence[Span]) -> str:
    pieces: list[Span] = []
    for span in run:
        at = span.start
        for gap in LINE_GAP.finditer(text, span.start, span.end):
            pieces.append(Span(at, gap.start()))
            at = gap.end()
        pieces.append(Span(at, span.end))
    offsets = ";".join(f"{piece.start} {piece.end}" for piece in pieces)
    return f"{offsets}\t{' '.join(text[piece.start : piece.end] for piece in pieces)}"
