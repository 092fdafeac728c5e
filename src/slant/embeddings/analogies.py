"""Mikolov's analogies: a is to b as c is to what?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from slant.embeddings.models import require_gensim
from slant.errors import DataError

RESTRICT = 300_000
AT_ONCE = 1 << 24
"""Similarities that are held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Section:
    """The questions of one kind, each of four words: a is to b as c is to d."""

    name: str
    questions: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Asked:
    """The questions whose four words are all in a vocabulary.

    Fields:
        rows: (questions, 4), the words' rows.
        sections: (questions,), the place of each one's section.
        names: of the sections.
        of: questions that each section has.
        searched: rows, from the first, among which an answer is looked for.
        twins: row -> all rows that differ from it in capitals only, where there are several.
    """

    rows: NDArray[np.int64]
    sections: NDArray[np.int64]
    names: tuple[str, ...]
    of: tuple[int, ...]
    searched: int
    twins: Mapping[int, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Answered:
    """How many questions of a section could be asked, and were answered right."""

    name: str
    right: int
    asked: int
    of: int


def read_questions(path: Path | None = None) -> list[Section]:
    """The questions of a file in the format of questions-words.txt.

    Args:
        path: four words on each line, sections headed ": name"; None: the 19,544 questions of
            Mikolov et al., which are part of the package gensim.

    Raises:
        DataError: naming the line that has not four words, or stands before a section.
        MissingExtra: no file is given and gensim is not installed.

    Source: Identifying Biases in Politically Biased Wikis, 3.2; Mikolov et al. 2013,
    arXiv:1301.3781, 4.1.
    """
    if path is None:
        require_gensim("Reading the analogies")
        from gensim.test.utils import datapath

        path = Path(datapath("questions-words.txt"))
    asked = f"Reading the analogies '{path}'"
    do = "Give lines of four words below a line ': NAME', as questions-words.txt has"
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(asked, f"it cannot be read ({error})", "Check the path") from None
    sections: list[tuple[str, list[tuple[str, str, str, str]]]] = []
    for number, line in enumerate(lines, 1):
        if line.startswith(":"):
            sections.append((line[1:].strip(), []))
            continue
        words = line.split()
        if not words:
            continue
        if len(words) != 4 or not sections:
            found = f"line {number} has {len(words)} words" if sections else "it has no section"
            raise DataError(asked, found, do)
        sections[-1][1].append((words[0], words[1], words[2], words[3]))
    if not any(questions for _, questions in sections):
        raise DataError(asked, "it has no question", do)
    return [Section(name, tuple(questions)) for name, questions in sections]


def askable(
    rows: Mapping[str, int],
    sections: Sequence[Section],
    *,
    restrict: int = RESTRICT,
    case: Literal["exact", "any"] = "any",
) -> Asked:
    """The questions whose words are all known.

    Args:
        rows: word -> row, in the order of the rows.
        sections: the questions.
        restrict: only the first so many words are known; files have the most frequent first.
        case: "any": capitals make no difference, and of words that differ in them only the first
            is meant; "exact": they do.

    >>> asked = askable({"a": 0, "b": 1, "c": 2}, [Section("s", (("A", "b", "c", "a"),))])
    >>> asked.rows.tolist()
    [[0, 1, 2, 0]]
    """
    places: dict[str, list[int]] = {}
    for word, row in rows.items():
        if row < restrict:
            places.setdefault(word.lower() if case == "any" else word, []).append(row)
    known: list[list[int]] = []
    of_section: list[int] = []
    twins: dict[int, NDArray[np.int64]] = {}
    for number, section in enumerate(sections):
        for question in section.questions:
            keys = [word.lower() if case == "any" else word for word in question]
            if not all(key in places for key in keys):
                continue
            known.append([places[key][0] for key in keys])
            of_section.append(number)
            for key in keys:
                if len(places[key]) > 1:
                    twins[places[key][0]] = np.array(places[key], np.int64)
    return Asked(
        np.array(known, np.int64).reshape(len(known), 4),
        np.array(of_section, np.int64),
        tuple(section.name for section in sections),
        tuple(len(section.questions) for section in sections),
        min(restrict, len(rows)),
        twins,
    )


def analogy_accuracy(matrix: NDArray[np.float32], asked: Asked) -> list[Answered]:
    """How many analogies are answered right by 3CosAdd.

    With unit vectors, the answer is the word w, none of a, b, c, that maximises w.(b - a + c); all
    questions of a block share one matrix product.

    Args:
        matrix: (words, dimensions), not normalised.
        asked: the questions; see `askable`.

    Returns:
        One per section, also where none of its questions can be asked.

    Source: Mikolov et al. 2013, Linguistic Regularities in Continuous Space Word Representations,
    3; question words are left out as in the released compute-accuracy.

    >>> m = np.array([[1, 0, 1], [0, 1, 1], [1, 0, 5], [0, 1, 5]], np.float32)
    >>> rows = {"man": 0, "woman": 1, "king": 2, "queen": 3}
    >>> questions = [Section("family", (("man", "woman", "king", "queen"),))]
    >>> analogy_accuracy(m, askable(rows, questions))
    [Answered(name='family', right=1, asked=1, of=1)]
    """
    right = np.zeros(len(asked.rows), bool)
    if len(asked.rows):
        unit = unit_rows(matrix[: asked.searched])
        size = max(1, AT_ONCE // len(unit))
        for begin in range(0, len(asked.rows), size):
            block = asked.rows[begin : begin + size]
            right[begin : begin + size] = _answered_right(unit, block, asked.twins)
    places = range(len(asked.names))
    of_section = np.bincount(asked.sections, minlength=len(places))
    right_of = np.bincount(asked.sections[right], minlength=len(places))
    return [
        Answered(asked.names[place], int(right_of[place]), int(of_section[place]), asked.of[place])
        for place in places
    ]


def _answered_right(
    unit: NDArray[np.float32], block: NDArray[np.int64], twins: Mapping[int, NDArray[np.int64]]
) -> NDArray[np.bool_]:
    a, b, c, d = block.T
    scores = (unit[b] - unit[a] + unit[c]) @ unit.T  # (questions, words)
    scores[np.arange(len(block))[:, None], block[:, :3]] = -np.inf
    for row, same in twins.items():
        holding = np.flatnonzero((block[:, :3] == row).any(axis=1))
        scores[holding[:, None], same] = -np.inf
    best = scores.argmax(axis=1)
    right: NDArray[np.bool_] = best == d
    for row, same in twins.items():
        right |= (d == row) & np.isin(best, same)
    return right


def unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows divided by their Euclidean length; a row of zeros stays one.

    >>> unit_rows(np.array([[3, 4], [0, 0]], np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = np.linalg.norm(matrix, axis=1, keepdims=True)
    made: NDArray[np.float32] = (matrix / np.where(length > 0, length, 1)).astype(np.float32)
    return made
