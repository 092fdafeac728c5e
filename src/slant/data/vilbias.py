"""ViLBias and its sister corpus VLDBench: news articles with an image, and what annotators said of
the text, of the image and of both."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

import polars as pl

from slant.data.hashes import file_stamp
from slant.data.imagesums import Images, found_images, with_images
from slant.data.rows import check_columns, check_labels, read_csv
from slant.data.sources import Source
from slant.data.tables import dataset_table, record_table
from slant.data.texts import Cleaning
from slant.data.votes import Majority, Ties, majority, multimodal_label
from slant.errors import DataError
from slant.types import Preset

VILBIAS, VLDBENCH = "vilbias", "vldbench"
LABELS = {"Likely": 1, "Unlikely": 0}
TEXT_VOTERS = ("gemma", "gpt4omini", "llama3.1", "llama3", "mistral")
IMAGE_VOTERS = ("phi_label", "cpm_label")
Votes = Literal["published", "seeded", "first", "drop"]
"""Labels as the file has them, or recomputed from its votes, ties as `votes.Ties` says."""

_LABEL = pl.Int8()
_HEADLINE = ("title", "headline")
_TEXT = ("content", "article_text", "text_content")
_IMAGE = {VILBIAS: ("image", "image_filename"), VLDBENCH: ("saved_image_path",)}
_TEXT_LABEL = ("text_label", "text_majority_vote")
_IMAGE_LABEL = ("image_label", "image_majority_vote")
_BOTH_LABEL = ("multimodal_label", "combined_label", "label")
_FACTS = ("outlet", "canonical_link", "date_published", "image_description")
_ARRAYS = ("new_categories", "news_categories_confidence_scores")
_WORD = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def pair_table(
    source: Source, preset: Preset, cleaning: Cleaning, votes: Votes = "published"
) -> pl.DataFrame:
    """The unified table of ViLBias or VLDBench.

    Rule: the text is headline, line end, article. Likely is 1, Unlikely 0. `label` is the
    published label of both, else that of `multimodal_label`; an undecided one is 2 in official and
    left out in clean. `text_label` and `image_label` are null where the file has none. With `votes`
    other than "published" all three are recomputed.

    Args:
        source: a form of the card "vilbias" or "vldbench".
        preset, cleaning: as in `tables.dataset_table`.
        votes: whose labels.

    Returns:
        The table with `outlet`, `text_label`, `image_label`, `image`, `image_file`,
        `image_sha256` (see `imagesums.with_images`), `image_description`, `rationale_text` (null:
        the file has none), and for VLDBench `categories` and `confidences`.

    Raises:
        DataError: a column, label or list that is not as published; no votes where they are asked.

    Source: Raza et al. 2024 (ViLBias); VLDBench.
    """
    path = source.files[0]
    records = _records(source, preset, votes)
    if source.dataset == VLDBENCH:
        check_columns(_read(path).columns, _ARRAYS, path)
        words, numbers = (_read(path)[name] for name in _ARRAYS)
        records = records.with_columns(
            pl.Series("categories", array_cells(words, path, "words"), pl.List(pl.String)),
            pl.Series("confidences", array_cells(numbers, path, "numbers"), pl.List(pl.Float64)),
        )
    return with_images(dataset_table(records, source.dataset, preset, cleaning), images_of(source))


def images_of(source: Source) -> Images:
    """The image files of ViLBias or VLDBench that are here, beside the csv.

    Args:
        source: as in `pair_table`.
    """
    return found_images(source.files[0].parent, _image_names(source))


def vote_counts(source: Source, ties: Ties) -> dict[str, Majority]:
    """The majorities of the annotation stage, "text" and "image", with their shares of ties.

    Args:
        source: of ViLBias.
        ties: how they are settled.

    Raises:
        DataError: the file does not have the annotators' columns.
    """
    path = source.files[0]
    table = _read(path)
    found = {}
    for kind, voters in (("text", TEXT_VOTERS), ("image", IMAGE_VOTERS)):
        here = [name for name in voters if name in table.columns]
        if not here:
            raise DataError(
                f"Recomputing the {kind} labels of '{path}'",
                f"it has none of the annotators' columns ({', '.join(voters)})",
                "Give the csv of the annotation stage, or take votes=published",
            )
        rows = table.select(here).rows()
        found[kind] = majority(table["unique_id"].to_list(), rows, LABELS, ties=ties, kind=kind)
    return found


def notes_of(source: Source, images: Images, votes: Votes) -> tuple[str, ...]:
    """What the user of a run must know of labels and images, one sentence each.

    Args:
        source: of ViLBias or VLDBench.
        images: of `images_of`.
        votes: whose labels.
    """
    notes = [image_note(images, len(_read(source.files[0])))]
    if votes != "published":
        for kind, found in vote_counts(source, votes).items():
            notes.append(
                f"The {kind} labels are majorities of the annotators' votes; {found.ties:,} of "
                f"{found.voted:,} ({found.share_of_ties:.1%}) are ties, {found.rule}; "
                f"{found.unread:,} votes read neither Likely nor Unlikely and do not count."
            )
    return tuple(notes)


def image_note(images: Images, rows: int) -> str:
    """How many rows have an image file here, as a sentence; see `notes_of`."""
    if not images.places:
        return f"No image file is here: all {rows:,} rows are text alone."
    return f"{len(images.places):,} image files are here, for {rows:,} rows."


def array_cells(
    cells: Iterable[str], path: Path, kind: Literal["words", "numbers"]
) -> list[list[str]] | list[list[float]]:
    """Lists that numpy wrote as text, `['Politics' 'National']` or `[0.95 0.9 ]`, never evaluated.

    Args:
        cells: one text per row; commas between the items may stand or not.
        path: the file they came from.
        kind: what the items are.

    Returns:
        The lists.

    Raises:
        DataError: a cell that is no such list, with its row (from 1).

    >>> array_cells(["['Politics' \\"Owner's\\"]", "[]"], Path("a.csv"), "words")
    [['Politics', "Owner's"], []]
    >>> array_cells(["[0.95 0.9 ]"], Path("a.csv"), "numbers")
    [[0.95, 0.9]]
    """
    item = _WORD if kind == "words" else _NUMBER
    lists: list[list[str]] = []
    for row, cell in enumerate(cells, start=1):
        inside = cell.strip()
        rest = item.sub("", inside[1:-1])
        if inside[:1] + inside[-1:] != "[]" or len(inside) < 2 or rest.strip(" ,\r\n\t"):
            found = f"row {row} has {cell[:60]!r}, which is no list of {kind}"
            raise DataError(f"Reading '{path}'", found, "Write ['one' 'two'], [0.9 0.8] or []")
        lists.append(item.findall(inside[1:-1]))
    if kind == "numbers":
        return [[float(one) for one in items] for items in lists]
    return [
        [_unquoted(one, row, path) for one in items] for row, items in enumerate(lists, start=1)
    ]


def _unquoted(word: str, row: int, path: Path) -> str:
    try:
        return str(ast.literal_eval(word))
    except (SyntaxError, ValueError):  # a line break or a zero byte between the quotes
        found = f"row {row} has {word[:60]!r}, which is no word in quotes"
        raise DataError(f"Reading '{path}'", found, "Write it as 'word'") from None


def _records(source: Source, preset: Preset, votes: Votes) -> pl.DataFrame:
    path = source.files[0]
    table = _read(path)
    headline, text = _first(table, _HEADLINE), _first(table, _TEXT)
    link = pl.col("canonical_link").str.strip_chars() if "canonical_link" in table.columns else None
    labels = _labels(source, table, votes)
    both = pl.Series("label", labels["both"], _LABEL)
    undecided = both.is_null() & (preset != "official")
    words = {value: word for word, value in LABELS.items()}
    title = pl.col(headline) + "\n" if headline else pl.lit("")
    return record_table(
        table.select(
            pl.col("unique_id").alias("id"),
            (title + pl.col(text or "content")).alias("text"),
            (both.fill_null(2) if preset == "official" else both).alias("label"),
            pl.when(undecided).then(pl.lit("no label")).alias("left_out"),
            both.replace_strict(words, default=None, return_dtype=pl.String).alias("source_label"),
            pl.lit(path.name).alias("part"),
            (pl.when(link != "").then(link) if link is not None else pl.lit(None)).alias("article"),
            pl.col("unique_id").alias("official_id"),
            *(pl.col(name) for name in ("outlet", "date_published") if name in table.columns),
            pl.Series("text_label", labels["text"], _LABEL),
            pl.Series("image_label", labels["image"], _LABEL),
            pl.Series("image", _image_names(source), pl.String),
            *(pl.col(name) for name in ("image_description",) if name in table.columns),
            pl.lit(None, pl.String).alias("rationale_text"),
        )
    )


def _labels(source: Source, table: pl.DataFrame, votes: Votes) -> dict[str, Sequence[int | None]]:
    path = source.files[0]
    if votes != "published":
        found = vote_counts(source, votes)
        text, image = found["text"].labels, found["image"].labels
        return {"text": text, "image": image, "both": _either(text, image)}
    own: dict[str, Sequence[int | None]] = {}
    for kind, names in (("text", _TEXT_LABEL), ("image", _IMAGE_LABEL), ("both", _BOTH_LABEL)):
        name = _first(table, names)
        if name is None:
            own[kind] = [None] * len(table)
            continue
        check_labels(table[name], LABELS, path)
        own[kind] = [LABELS[word] for word in table[name]]
    if _first(table, _BOTH_LABEL) is None:
        own["both"] = _either(own["text"], own["image"])
    return own


def _either(text: Sequence[int | None], image: Sequence[int | None]) -> list[int | None]:
    return [multimodal_label(*pair) for pair in zip(text, image, strict=True)]


@lru_cache(maxsize=4)
def _stamped(path: Path, stamp: tuple[int, ...]) -> pl.DataFrame:
    optional = (
        *_HEADLINE, *_TEXT, *_IMAGE[VILBIAS], *_IMAGE[VLDBENCH], *_TEXT_LABEL, *_IMAGE_LABEL,
        *_BOTH_LABEL, *_FACTS, *_ARRAYS, *TEXT_VOTERS, *IMAGE_VOTERS,
    )  # fmt: skip
    table = read_csv(path, ("unique_id",), optional=optional)
    if _first(table, _TEXT) is None:
        check_columns(table.columns, _TEXT[:1], path)
    known = (*_BOTH_LABEL, *_TEXT_LABEL, *TEXT_VOTERS)
    if _first(table, known) is None:
        check_columns(table.columns, _BOTH_LABEL[:1], path)
    return table


def _read(path: Path) -> pl.DataFrame:
    """The wanted columns of the csv, read once however often it is asked for."""
    return _stamped(path, file_stamp(path) if path.is_file() else ())


def _image_names(source: Source) -> list[str | None]:
    table = _read(source.files[0])
    name = _first(table, _IMAGE.get(source.dataset, _IMAGE[VILBIAS]))
    if name is None:
        return [None] * len(table)
    return [cell.strip() or None for cell in table[name]]


def _first(table: pl.DataFrame, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in table.columns), None)
