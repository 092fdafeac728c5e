"""What people marked in a user's own texts: read strictly, then located in the texts as they are
after cleaning."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from typing import Any

import polars as pl

from slant.data.documents import sound
from slant.data.given import Given
from slant.data.jsonvalues import json_value
from slant.data.rationales import located_words, merged_spans
from slant.data.texts import Cleaning, clean_text, official_text
from slant.errors import DataError

Pair = tuple[int, int]
WORDS, PAIRS = "words", "pairs"
"""The columns of the kept table: per row one of them is a list, the other null."""


def given_marks(given: Given, name: str, texts: Sequence[str]) -> pl.DataFrame:
    """What is marked in each row: words or phrases, or ranges of its text.

    A cell is a list of strings, or of [start, end] in code points of the text, half-open; as a
    list of Parquet or JSON, or written as text in JSON or as a Python list, which is never run. An
    empty cell marks nothing.

    Args:
        given: the file.
        name: its column of marks.
        texts: (n,) the texts, as they stand in the file.

    Returns:
        (n,) rows of `words` and `pairs`.

    Raises:
        DataError: a cell that is neither, with its row; or no row has a mark.
    """
    words: list[list[str] | None] = []
    pairs: list[list[Pair] | None] = []
    for row, (cell, text) in enumerate(zip(given.column(name), texts, strict=True)):
        value = _cell(cell)
        if not isinstance(value, list):
            raise _no_list(given, name, row, cell)
        if all(isinstance(one, str) for one in value):
            words.append([sound(one) for one in value])
            pairs.append(None)
            continue
        for one in value:
            if not _is_pair(one):
                raise _no_list(given, name, row, cell)
            if not 0 <= one[0] < one[1] <= len(text):
                raise DataError(
                    f"Reading '{given.path}'",
                    f"{given.unit} {row + given.first} has the range {list(one)} in the column "
                    f"'{name}', and its text has {len(text)} characters",
                    f"Give [start, end] with 0 <= start < end <= {len(text)}",
                )
        words.append(None)
        pairs.append([(one[0], one[1]) for one in value])
    if not any(words) and not any(pairs):
        found = f"no row has a mark in the column '{name}'"
        raise DataError(f"Reading '{given.path}'", found, "Name another column by --marks")
    return pl.DataFrame(
        {WORDS: words, PAIRS: pairs},
        {WORDS: pl.List(pl.String), PAIRS: pl.List(pl.List(pl.Int64))},
    )


def with_given_marks(table: pl.DataFrame, texts: Sequence[str], cleaning: Cleaning) -> pl.DataFrame:
    """A unified table with what was marked located in its texts as they now are.

    Words are located as `rationales.located_words` says. A range goes where its own cleaned text
    stands in the cleaned text, of several places the one nearest to where the cleaned text before
    the range ends.

    Args:
        table: unified, with `words` and `pairs`.
        texts: (n,) the texts as they were given, which the pairs are ranges of.
        cleaning: what made the table's texts out of them.

    Returns:
        The table without `pairs`; with `rationale`, a list of [start, end) per row, `words`, what
        was marked, and `unlocated`, what of it stands nowhere or only inside longer words.
    """
    rationale: list[list[list[int]]] = []
    words: list[list[str]] = []
    unlocated: list[list[str]] = []
    columns = table.select("text", WORDS, PAIRS).iter_rows()
    for (text, own, pairs), given in zip(columns, texts, strict=True):
        if pairs is None:
            found = located_words(text, own or ())
            rationale.append([[span.start, span.end] for span in found.spans])
            words.append(list(own or ()))
            unlocated.append([*found.unlocated, *found.inside])
            continue
        moved = [_moved(text, given, start, end, cleaning) for start, end in pairs]
        spans = merged_spans([one for one in moved if one is not None])
        rationale.append([[span.start, span.end] for span in spans])
        words.append([given[start:end] for start, end in pairs])
        lost = [pair for pair, one in zip(pairs, moved, strict=True) if one is None]
        unlocated.append([given[start:end] for start, end in lost])
    strings = pl.List(pl.String)
    return table.drop(PAIRS).with_columns(
        pl.Series(WORDS, words, strings),
        pl.Series("rationale", rationale, pl.List(pl.List(pl.Int64))),
        pl.Series("unlocated", unlocated, strings),
    )


def marks_said(table: pl.DataFrame) -> str:
    """How many marks were located, as a sentence.

    Args:
        table: with `words`, `rationale` and `unlocated`.
    """
    every, lost = (int(table[name].list.len().sum()) for name in (WORDS, "unlocated"))
    rows = int((table["rationale"].list.len() > 0).sum())
    where = "stand nowhere in their text, or only inside longer words, and are dropped"
    return f"{rows:,} rows have a located mark; {lost:,} of {every:,} marks {where}."


def _cell(cell: str) -> Any:
    if not cell.strip():
        return []
    try:
        return json_value(cell)
    except ValueError:
        pass
    try:
        with warnings.catch_warnings():
            # A backslash that means nothing in Python means itself.
            warnings.simplefilter("ignore")
            return ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _is_pair(value: Any) -> bool:
    whole = isinstance(value, list | tuple) and len(value) == 2
    return whole and all(isinstance(one, int) and not isinstance(one, bool) for one in value)


def _no_list(given: Given, name: str, row: int, cell: str) -> DataError:
    found = (
        f"{given.unit} {row + given.first} has {cell[:60]!r} in the column '{name}', which is "
        "neither a list of words nor one of [start, end]"
    )
    return DataError(f"Reading '{given.path}'", found, 'Write ["one", "two"], [[0, 4]] or []')


def _moved(text: str, given: str, start: int, end: int, cleaning: Cleaning) -> Pair | None:
    """A range of a text as it was given, in the cleaned text; None if it is gone."""
    if text == given:
        return start, end
    clean = official_text if cleaning == "official" else clean_text
    parts = pl.Series("part", [given[:start], given[start:end]], pl.String).to_frame()
    before, piece = parts.select(clean(pl.col("part")))["part"].to_list()
    piece = piece.strip()
    places = [at for at in range(len(text)) if text.startswith(piece, at)] if piece else []
    if not places:
        return None
    at = min(places, key=lambda place: abs(place - len(before)))
    return at, at + len(piece)
