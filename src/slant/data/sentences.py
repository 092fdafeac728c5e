"""The sentences of an article, with their places."""

from __future__ import annotations

import re
from typing import Final

from slant.types import Span

# Only the first stop of a run begins a match: else a run of them that ends no sentence is read anew
# from each of its stops.
_END: Final = re.compile(r"""(?<![.!?…])[.!?…]+[)"'”’»\]]*(?=\s)|[\r\n]+""")
_WORD: Final = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*$")
_ABBREVIATIONS: Final = frozenset(
    """adm assoc ave bros capt cf cmdr co col corp dept dr e.g gen gov hon i.e inc jan feb mar apr
    jun jul aug sept oct nov dec jr lt ltd maj mr mrs ms mt pres prof rep reps rev sen sens sgt sr
    st u.k u.n u.s vol vs""".split()  # noqa: SIM905
)


def sentence_spans(text: str) -> list[Span]:
    """Where the sentences of a text stand.

    Rule: a sentence ends with full stops, question or exclamation marks (and the quotes and
    brackets that close behind them) before white space, and with its line. A single full stop
    ends none behind an abbreviation ("Dr.", "U.S.") or an initial, nor before a small letter.

    Args:
        text: of an article; nothing in it is changed.

    Returns:
        Spans from left to right, without the white space around them, none empty.

    >>> text = "Dr. J. Marsh of the U.S. agency warned us. Nobody listened!\\nWhy?"
    >>> [text[span.start : span.end] for span in sentence_spans(text)]
    ['Dr. J. Marsh of the U.S. agency warned us.', 'Nobody listened!', 'Why?']
    """
    spans: list[Span] = []
    start = 0
    for end in [*(m.end() for m in _END.finditer(text) if _closes(text, m)), len(text)]:
        piece = text[start:end]
        stripped = piece.strip()
        if stripped:
            first = start + len(piece) - len(piece.lstrip())
            spans.append(Span(first, first + len(stripped)))
        start = end
    return spans


def _closes(text: str, end: re.Match[str]) -> bool:
    if end.group() != ".":
        return True
    word = _WORD.search(text[max(0, end.start() - 20) : end.start()])
    if word and (word.group().lower() in _ABBREVIATIONS or len(word.group()) == 1):
        return word.group() == "I"
    return not text[end.end() : end.end() + 80].lstrip(" \t")[:1].islower()
