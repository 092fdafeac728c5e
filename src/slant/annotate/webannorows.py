"""The body of a WebAnno TSV file: sentences, and rows of tokens with their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slant.annotate.codeunits import units
from slant.annotate.standoff import Place
from slant.annotate.webannolayers import unescaped_text

_ROW = re.compile(r"([0-9]+-[0-9]+(?:\.[0-9]+)?)\t([0-9]{1,18})-([0-9]{1,18})\t")
_TEXT, _HEADER = "#Text=", "#"


@dataclass(slots=True)
class Row:
    """A token or sub-token: offsets in code units, and its columns."""

    place: Place
    unit: str
    start: int
    end: int
    token: str
    cells: Sequence[str]


@dataclass(slots=True)
class Sentence:
    """Where a sentence begins, in code units, and its lines joined."""

    place: Place
    start: int
    text: str


def body_of(path: Path, lines: Sequence[str], width: int) -> tuple[list[Sentence], list[Row]]:
    """The sentences and rows of a file.

    Args:
        path: for errors.
        lines: of the file, the first being its line 1.
        width: how many columns a row has after the token.

    Raises:
        DataError: a line that is neither, with its number.
    """
    sentences: list[Sentence] = []
    rows: list[Row] = []
    text: list[str] | None = None
    begun = Place(path, "line 1")
    for number, line in enumerate(lines, start=1):
        place = Place(path, f"line {number}")
        if line.startswith(_TEXT):
            if text is None:
                text, begun = [], place
            text.append(unescaped_text(line.removeprefix(_TEXT)))
        elif line and not line.startswith(_HEADER):
            found = _ROW.match(line)
            cells = line.split("\t")[3:]
            if found is None or len(cells) < width:
                raise place.fault(
                    f"is no row of a token with {width} columns: {line[:60]!r}",
                    "Export the file again",
                )
            token = line.split("\t")[2]
            row = Row(place, found[1], int(found[2]), int(found[3]), token, cells)
            rows.append(row)
            if text is not None:
                sentences.append(Sentence(begun, row.start, "\n".join(text)))
                text = None
            elif not sentences:
                raise place.fault("is a token before any #Text line", "Export the file again")
    if text is not None:
        raise begun.fault("is a text without tokens", "Export the file again")
    return sentences, rows


def text_of(sentences: Sequence[Sentence]) -> tuple[str, int]:
    """The text that the sentences make, and how many spaces had to be guessed."""
    pieces: list[str] = []
    length = spaces = 0
    for sentence in sentences:
        if length > sentence.start:
            # The line end after a sentence is dropped where the next one follows at once.
            if length != sentence.start + 1 or not pieces:
                found = f"begins at {sentence.start}, before the end of the sentence before it"
                raise sentence.place.fault(found, "Export the file again")
            pieces[-1] = pieces[-1].removesuffix("\n")
            length -= 1
        gap = sentence.start - length
        spaces += gap
        pieces += [" " * gap, sentence.text + "\n"]
        length += gap + units(sentence.text) + 1
    return "".join(pieces).removesuffix("\n"), spaces
