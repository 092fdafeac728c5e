"""The text of an article as HTML in which every sentence carries the grade that it was given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup, escape

from slant.report.analysisgrades import grade_of, is_marked
from slant.report.baitpassages import piece

Read = Mapping[str, Any]

PARTS: Final = ("q", "w", "v", "c", "t")
"""Classes of what a part of a sentence is: quoted, a word towards biased, a word away from it, a
lexical cue, a cue or trigger of the schema."""


BLOCK: Final = 10_000
"""Characters after which a line that does not end is broken between two sentences."""


def text_html(text: str, sentences: Sequence[Read], detectors: Sequence[str]) -> Markup:
    """The text, its sentences as links to their notes; nothing of it is lost or moved.

    Rule: a sentence with a grade, a cue or a trigger is a link with the note's summary as its
    description; any other is a plain span that can be pointed at. What stands between sentences
    stays. Sentences that overlap the one before begin where it ends. Each line is a block, so that
    a browser lays out what is seen and not a whole book.

    Args:
        text: of the article.
        sentences: of its analysis, from left to right.
        detectors: their names, whose numbers stand in the classes.

    >>> str(text_html("a<b", [], ()))
    '<div class="p">a&lt;b</div>'
    """
    blocks: list[str] = []
    parts: list[str] = []
    at = begun = 0

    def end_block(place: int) -> None:
        nonlocal begun
        if parts:
            blocks.append(f'<div class="p">{"".join(parts)}</div>')
        parts.clear()
        begun = place

    def add_between(start: int, end: int) -> None:
        for line in piece(text, start, end).splitlines(keepends=True):
            parts.append(escape(line))
            if line.endswith("\n"):
                end_block(end)

    for number, sentence in enumerate(sentences, 1):
        start, end = max(at, sentence["start"]), min(len(text), sentence["end"])
        if end <= start:
            continue
        add_between(at, start)
        if end - begun > BLOCK:
            end_block(start)
        parts.append(_sentence(text, start, end, number, sentence, detectors))
        at = end
    add_between(at, len(text))
    end_block(len(text))
    return Markup("".join(blocks))


def _sentence(
    text: str, start: int, end: int, number: int, sentence: Read, detectors: Sequence[str]
) -> Markup:
    grades = [grade_of(sentence, name) for name in detectors]
    classes = ["s", *(f"k{k}g{grade}" for k, grade in enumerate(grades))]
    found = {one["grade"] for one in sentence["triggers"]}
    if found:
        classes.append("tf" if "trigger found" in found else "tc")
    inside = _parts(text, start, end, sentence)
    if not is_marked(sentence, grades):
        return Markup('<span class="{}" id="s{}" data-n="{}" tabindex="-1">{}</span>').format(
            " ".join(classes), number, number, inside
        )
    return Markup(
        '<a class="{0}" id="s{1}" data-n="{1}" href="#n{1}" aria-describedby="d{1}"'
        ' draggable="false">{2}</a>'
    ).format(" ".join(classes), number, inside)


def _parts(text: str, start: int, end: int, sentence: Read) -> Markup:
    turns = sorted(_turns(start, end, sentence))
    if not turns:
        return escape(piece(text, start, end))
    pieces: list[Markup] = []
    on = dict.fromkeys(PARTS, 0)
    at = start
    for place, part, step in turns:
        if place > at:
            pieces.append(_piece(piece(text, at, place), on))
            at = place
        on[part] += step
    pieces.append(_piece(piece(text, at, end), on))
    return Markup("").join(pieces)


def _turns(start: int, end: int, sentence: Read) -> Iterable[tuple[int, str, int]]:
    for first, last, part in _spans(sentence):
        if max(first, start) < min(last, end):
            yield max(first, start), part, 1
            yield min(last, end), part, -1


def _spans(sentence: Read) -> Iterable[tuple[int, int, str]]:
    yield from ((first, last, "q") for first, last in sentence["quoted"])
    for word in sentence["words"]:
        yield word["start"], word["end"], "w" if word["weight"] > 0 else "v"
    yield from ((cue["start"], cue["end"], "c") for cue in sentence["cues"])
    for trigger in sentence["triggers"]:
        yield from ((first, last, "t") for first, last in trigger["spans"])


def _piece(part: str, on: Mapping[str, int]) -> Markup:
    names = [name for name in PARTS if on[name]]
    if not part or not names:
        return escape(part)
    return Markup(f'<span class="{" ".join(names)}">{escape(part)}</span>')
