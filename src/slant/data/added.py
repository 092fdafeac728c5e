"""The user's own data sets: taken in strictly, kept as one table and one card each."""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from slant.data.addedimages import GivenImages, given_images
from slant.data.cards import ADDED, BENCHMARK, Card, card_numbers, load_tasks
from slant.data.cards import validated_card as _validated_card
from slant.data.cardtext import added_facts, card_text
from slant.data.given import Given, given_labels, read_given
from slant.data.givenmarks import PAIRS, given_marks, marks_said, with_given_marks
from slant.data.hashes import fingerprint_of, read_sha256
from slant.data.imagesums import found_images, with_images
from slant.data.rows import read_text
from slant.data.sources import Source
from slant.data.sums import is_altered, sum_path, sum_text
from slant.data.tables import dataset_table, record_table
from slant.data.texts import Cleaning
from slant.data.writing import refusal, temporary_folder
from slant.errors import DataError, DiskFull, OptionError, unknown_name
from slant.types import Preset

TABLE = "table.parquet"
_AGAIN = "Add the data set again with --replace"
CARD = "card.toml"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class Added:
    """A data set that the user added: its card and its table's file."""

    card: Card
    source: Source

    @property
    def name(self) -> str:
        """As in `added/NAME`."""
        return self.card.number

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks it takes part in."""
        return self.card.tasks

    @property
    def licence(self) -> str:
        """As stated when it was added."""
        return self.card.licence

    @property
    def fingerprint(self) -> str:
        """Of its table's bytes."""
        return self.source.fingerprint


def add_dataset(
    name: str,
    file: Path,
    *,
    text: str,
    label: str,
    store: Path,
    tasks: Sequence[str] = (),
    positive: Sequence[str] = (),
    negative: Sequence[str] = (),
    group: str | None = None,
    id_column: str | None = None,
    marks: str | None = None,
    image: str | None = None,
    images: Path | None = None,
    fetch_images: bool = False,
    rationale: str | None = None,
    licence: str = "not stated",
    replace: bool = False,
) -> Card:
    """Take in a data set: read the file strictly and write its table and card into the store.

    Args:
        name: letters, digits, - and _; it becomes `added/NAME`.
        file: .csv, .tsv, .jsonl or .parquet with one text per row.
        text, label: the columns of the text and of its label.
        store: see `files.store`.
        tasks: the tasks it joins, e.g. "gender-bias"; it is a task of its own besides.
        positive, negative: the labels that mean biased and not (see `given.given_labels`); none:
            the labels must be 0/1, true/false, yes/no or biased/non-biased.
        group: the column that names what must not be split (article, author, thread).
        id_column: the column of unique ids; None: the row number from 1.
        marks: the column of what people marked, see `givenmarks.given_marks`.
        image: the column of images, which are checked and copied; see `addedimages.given_images`.
        images: the folder or archive that their paths are relative to; None: the file's folder.
        fetch_images: whether images that are addresses are fetched.
        rationale: the column of a reason for the label in words; blank where a row has none.
        licence: under which the texts may be used.
        replace: whether a data set of this name may be overwritten.

    Returns:
        Its card; `one_class` says if only one of the two labels occurs.

    Raises:
        DataError: what the file holds cannot be used, with the row.
        OptionError, UnknownName: a name, task or column that cannot be.
        WorkFailed: the disk is full.
    """
    asked = f"Adding '{name}' from '{file}'"
    _check_name(name, asked)
    names = _task_names(tasks)
    folder = store / ADDED / name
    if folder.exists() and not replace:
        found = "a data set of this name is there"
        raise OptionError(asked, found, "Choose another name, or say --replace")
    given = read_given(file)
    labels = given_labels(given, label, positive, negative)
    table = _table(given, labels, text=text, label=label, group=group, id_column=id_column)
    facts = added_facts(table, name=name, file=file, tasks=names, licence=licence)
    if marks is not None:
        table = pl.concat([table, given_marks(given, marks, given.column(text))], how="horizontal")
        facts["quirks"].append(_marks_quirk(table, name, asked, marks))
    if rationale is not None:
        reasons = given.some(rationale, "a reason", "--rationale")
        table = table.with_columns(rationale_text=pl.Series(reasons, dtype=pl.String))
    if image is None:
        return _write(folder, table, facts, asked)
    with given_images(given, image, images, fetch_images) as checked:
        facts["quirks"] += checked.notes
        table = table.with_columns(image=pl.Series(checked.places, dtype=pl.String))
        return _write(folder, table, facts, asked, checked)


def load_added(homes: Iterable[Path]) -> list[Added]:
    """The data sets that were added, by name; of two of one name the first home's."""
    found: dict[str, Added] = {}
    for home in homes:
        for path in sorted((home / ADDED).glob(f"*/{CARD}")):
            if not path.parent.name.startswith("."):
                found.setdefault(path.parent.name, _load(path))
    return [found[name] for name in sorted(found)]


def read_added(source: Source) -> pl.DataFrame:
    """The records of an added data set, for `tables.dataset_table`: the same in both presets."""
    path = source.files[0]
    if source.state != "complete":
        raise DataError(f"Reading '{path}'", source.notes[0], "Add the data set again")
    return record_table(pl.read_parquet(path, glob=False))


def added_table(source: Source, preset: Preset, cleaning: Cleaning) -> pl.DataFrame:
    """The unified table of an added data set; its marks are located, if it has a column of them,
    and its images found (`imagesums.with_images`), if it has such."""
    table = _unified(read_added(source), source.dataset, preset, cleaning)
    if "image" not in table.columns:
        return table
    return with_images(table, found_images(source.files[0].parent, table["image"].to_list()))


def _unified(records: pl.DataFrame, name: str, preset: Preset, cleaning: Cleaning) -> pl.DataFrame:
    table = dataset_table(records, name, preset, cleaning)
    if PAIRS not in table.columns:
        return table
    return with_given_marks(table, records["text"].to_list(), cleaning)


def _marks_quirk(table: pl.DataFrame, name: str, asked: str, column: str) -> str:
    unified = _unified(record_table(table), name, "clean", "minimal")
    if not unified["rationale"].list.len().sum():
        found = f"none of the words in the column '{column}' stands in its text"
        raise DataError(asked, found, "Name another column by --marks, or another --text")
    return marks_said(unified)


def _check_name(name: str, asked: str) -> None:
    if not _NAME.fullmatch(name):
        found = "the name may hold small letters, digits, - and _ only, 40 at most"
        raise OptionError(asked, found, "Choose such a name")
    if name in card_numbers() or name in load_tasks() or name == BENCHMARK:
        raise OptionError(asked, f"{BENCHMARK}/{name} has this name", "Choose another one")


def _task_names(tasks: Sequence[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(task.removeprefix(f"{BENCHMARK}/") for task in tasks))
    for name in names:
        if name not in load_tasks():
            raise unknown_name("task", name, load_tasks())
    return names


def _table(
    given: Given,
    labels: Sequence[int],
    *,
    text: str,
    label: str,
    group: str | None,
    id_column: str | None,
) -> pl.DataFrame:
    ids = given.unique(id_column) if id_column else [str(n + 1) for n in range(len(given))]
    return pl.DataFrame(
        {
            "id": ids,
            "text": given.filled(text, "text"),
            "label": labels,
            "source_label": given.column(label),
            "part": [given.path.name] * len(given),
            "article": given.filled(group, "group") if group else [None] * len(given),
        },
        schema_overrides={"label": pl.Int8, "article": pl.String},
    )


def _write(
    folder: Path,
    table: pl.DataFrame,
    facts: Mapping[str, Any],
    asked: str,
    images: GivenImages | None = None,
) -> Card:
    """All files appear at once, by renaming their folder."""
    try:
        with temporary_folder(folder) as room:
            fresh = room / "new"
            fresh.mkdir()
            for place, path in (images.files if images is not None else {}).items():
                (fresh / place).parent.mkdir(exist_ok=True)
                shutil.copyfile(path, fresh / place)
            # Through memory: writing itself, polars hides a full disk in an error of its own.
            table.write_parquet(packed := io.BytesIO(), compression="zstd")
            (fresh / TABLE).write_bytes(packed.getvalue())
            pattern = {
                "pattern": TABLE,
                "sha256": read_sha256(fresh / TABLE),
                "size": (fresh / TABLE).stat().st_size,
                "rows": table.height,
            }
            text = card_text(facts, pattern)
            (fresh / CARD).write_text(text, encoding="utf-8")
            sum_path(fresh / CARD).write_text(sum_text(text.encode()), encoding="utf-8")
            card = _card(text, CARD)
            _exchange(fresh, folder, room / "old")
    except OSError as error:
        if error.errno == errno.ENOSPC:
            need = table.estimated_size()
            found = f"no space is left in '{folder.parent}'; up to {need:,} bytes are needed"
            raise DiskFull(asked, found, "Free some space, or name a folder by --data") from None
        do = "Check the folder and its rights, or name another by --data"
        raise refusal(f"{asked} to '{folder}'", error, do) from None
    return card


def _exchange(fresh: Path, folder: Path, old: Path) -> None:
    there = folder.exists()
    if there:
        os.replace(folder, old)
    try:
        os.replace(fresh, folder)
    except BaseException:
        if there:
            os.replace(old, folder)
        raise


def _card(text: str, origin: str) -> Card:
    try:
        facts = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"Reading the card '{origin}'", f"it is no TOML: {error}", _AGAIN) from None
    return _validated_card({"home": None, "repository": None, "citation": None, **facts}, origin)


def _load(path: Path) -> Added:
    if is_altered(path):
        raise DataError(f"Reading the card '{path}'", "its bytes are not those written", _AGAIN)
    card = _card(read_text(path), str(path))
    table = path.with_name(TABLE)
    if not table.is_file():
        raise DataError(f"Reading the data set '{path.parent}'", f"{TABLE} is missing", _AGAIN)
    found = read_sha256(table)
    same = found == card.forms[0].files[0].sha256
    source = Source(
        dataset=card.number,
        form="added",
        folder=path.parent,
        files=(table,),
        state="complete" if same else "altered",
        notes=() if same else (f"{TABLE} is not what was added: its bytes differ.",),
        fingerprint=fingerprint_of([(TABLE, found)]),
    )
    return Added(card, source)
