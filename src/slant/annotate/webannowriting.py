"""WebAnno TSV 3.3, written, and its way of escaping."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, pairwise

from slant.annotate.codeunits import code_units
from slant.annotate.confidence import confidence_text
from slant.annotate.folders import file_stems
from slant.annotate.standoff import Loss, losses
from slant.types import Example, Mark, Span

LAYER = "webanno.custom.Trigger"
FEATURES = ("bias", "confidence", "trigger", "note")
"""The span layer and its features, as a project in INCEpTION must have them before an import."""
FORMAT = "#FORMAT=WebAnno TSV 3.3"
_TOKEN = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]")
_RESERVED = re.compile(r"->|[\\\[\]|_;\t\n*]")
_CONTROL = re.compile(r"[\x00-\x1f\\]")
NAMED = {"\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\b": "\\b"}


def escaped_value(value: str) -> str:
    """A feature value as the format writes it.

    >>> escaped_value("a_b->c|d")
    'a\\\\_b\\\\->c\\\\|d'
    """
    return _RESERVED.sub(lambda found: NAMED.get(found[0], "\\" + found[0]), value)


def escaped_text(text: str) -> str:
    """A line of text as the format writes it: control characters and backslashes escaped.

    >>> escaped_text("a\\tb_c\\r")
    'a\\\\tb_c\\\\r'
    """
    # A vertical tab is the one control character that INCEpTION leaves as it is.
    return _CONTROL.sub(
        lambda found: found[0] if found[0] == "\v" else NAMED.get(found[0], "\\" + found[0]), text
    )


def write_webanno(examples: Sequence[Example]) -> tuple[dict[str, str], list[Loss]]:
    """One .tsv file for each annotated article, and what they cannot hold.

    Rule: tokens are words and signs, cut where a span begins or ends; white space is a token only
    where a span begins or ends in it, and at the very beginning of a text. A sentence is a line
    with the blank lines after it, so that every character of the text is in the file.
    """
    stems = file_stems(example.item.id for example in examples)
    lost: Counter[str] = Counter()
    files = {f"{stems[e.item.id]}.tsv": _written(e, lost) for e in examples}
    return files, losses(lost)


def _written(example: Example, lost: Counter[str]) -> str:
    text, gold = example.item.text, example.gold
    lost["document-level labels"] += len(gold.labels)
    lost["reasons of answers"] += gold.reason is not None
    marks = []
    for mark in gold.marks:
        lost["quotes that are not located"] += len(mark.quotes)
        lost["triggers without a span"] += not mark.spans
        lost["carriage returns in ids and notes"] += "\r" in mark.note + (mark.id or "")
        if mark.spans:
            marks.append(mark)
    tokens = _tokens(text, [span for mark in marks for span in mark.spans])
    cells = _cells(marks, tokens)
    counting = code_units(text)
    lines = [FORMAT, f"#T_SP={LAYER}|{'|'.join(FEATURES)}", ""]
    starts = [*_sentences(text, tokens), len(tokens)]
    for number, (first, last) in enumerate(pairwise(starts), start=1):
        end = tokens[last].start if last < len(tokens) else len(text)
        content = text[tokens[first].start : end]
        # The line end between two sentences is not written; that after the last one is.
        content = content.removesuffix("\n") if last < len(tokens) else content
        lines += ["", *(f"#Text={escaped_text(line)}" for line in content.split("\n"))]
        for n in range(first, last):
            token = tokens[n]
            lines.append(
                f"{number}-{n - first + 1}\t{counting.of(token.start)}-{counting.of(token.end)}\t"
                f"{_token_text(text[token.start : token.end])}\t{cells[n]}\t"
            )
    return "\n".join(lines) + "\n"


def _tokens(text: str, spans: Sequence[Span]) -> list[Span]:
    """The tokens of a text, so that each edge of a span is an edge of a token."""
    found = [Span(m.start(), m.end()) for m in _TOKEN.finditer(text)]
    edges = {edge for span in spans for edge in (span.start, span.end)}
    for span in spans:
        # An edge in white space: its characters inside the span are a token too.
        words = text[span.start : span.end]
        left, right = len(words) - len(words.lstrip()), len(words.rstrip())
        if left:
            found.append(Span(span.start, span.start + left))
        if left < len(words) and right < len(words):
            found.append(Span(span.start + right, span.end))
    head = len(text) - len(text.lstrip())
    if head:
        found.append(Span(0, head))
    edges |= {edge for token in found for edge in (token.start, token.end)}
    cuts = sorted(edges)
    pieces = {(one, other) for token in found for one, other in _pieces(token, cuts)}
    return [Span(one, other) for one, other in sorted(pieces)]


def _token_text(token: str) -> str:
    # INCEpTION writes tokens as they are, and ignores them on import.
    return escaped_text(token) if any(sign in token for sign in "\t\n\r") else token


def _pieces(token: Span, cuts: Sequence[int]) -> Iterator[tuple[int, int]]:
    inside = cuts[bisect_right(cuts, token.start) : bisect_left(cuts, token.end)]
    edges = [token.start, *inside, token.end]
    yield from pairwise(edges)


def _sentences(text: str, tokens: Sequence[Span]) -> list[int]:
    """The indexes of the tokens that begin a sentence."""
    starts = []
    for n, token in enumerate(tokens):
        before = text[tokens[n - 1].end : token.start] if n else ""
        if not n or before.endswith("\n"):
            starts.append(n)
    return starts


def _cells(marks: Sequence[Mark], tokens: Sequence[Span]) -> list[str]:
    """The columns of the layer for each token."""
    begins = [token.start for token in tokens]
    rows: list[list[int]] = [[] for _ in tokens]
    parts = [(n, span) for n, mark in enumerate(marks) for span in mark.spans]
    several: set[int] = set()
    for n, (_, span) in enumerate(parts):
        covered = range(bisect_left(begins, span.start), bisect_left(begins, span.end))
        if len(covered) > 1:
            several.add(n)
        for row in covered:
            rows[row].append(n)
    several |= {n for row in rows if len(row) > 1 for n in row}
    numbers = {n: f"[{number}]" for number, n in enumerate(sorted(several), start=1)}
    shared = _shared(marks)
    columns = [_columns(marks[n], shared[n]) for n, _ in parts]
    empty = "\t".join("_" for _ in FEATURES)
    return [
        "\t".join(
            "|".join(f"{columns[n][at]}{numbers.get(n, '')}" for n in row)
            for at in range(len(FEATURES))
        )
        if row
        else empty
        for row in rows
    ]


def _shared(marks: Sequence[Mark]) -> list[str | None]:
    """The feature `trigger` of each mark: its id, or a new one where it has several spans."""
    taken = {mark.id for mark in marks}
    free = (name for name in map("G{}".format, count(1)) if name not in taken)
    return [next(free) if mark.id is None and len(mark.spans) > 1 else mark.id for mark in marks]


def _columns(mark: Mark, shared: str | None) -> tuple[str, ...]:
    sure = None if mark.confidence is None else confidence_text(mark.confidence)
    values = (mark.category, sure, shared, mark.note or None)
    return tuple(
        "*" if value is None else escaped_value(value.replace("\r", " ")) for value in values
    )
