"""The pairs of text and image that a ViLBias run is about, with gold, split."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal

from slant.data.given import BIASED, UNBIASED, Given, given_labels, read_given
from slant.data.imagefetch import is_address
from slant.data.images import place_inside
from slant.errors import DataError, OptionError

if TYPE_CHECKING:
    import polars as pl

Role = Literal["train", "dev", "test"]
Items = Literal["test", "all"]
"""The pairs asked about: those of the test part, or all, where examples come from all others."""

SPLIT: Final = "80/10/10"
SEED: Final = 42
FILES: Final = (".csv", ".tsv", ".jsonl", ".parquet")

_PAIR_TASKS: Final = (
    "vilbias, vilbias/vldbench, vilbias/mediaeval, open/pairs, a data set of yours with --image "
    "(added/NAME), or a file of pairs"
)
_WORDS: Final = (BIASED | {"likely"}, UNBIASED | {"unlikely"})
_ROLES: Final[tuple[Role, ...]] = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class Pair:
    """A text with its image, and gold.

    Fields:
        id, text: of the pair.
        label: 1 biased, 0 not.
        image: its file, None where it has none here.
        text_label, image_label: of the parts, where they are known.
        rationale: why the label is right, in words; None where nobody wrote it.
        outlet: that published it.
        pair: the unit that is never divided: twins, near-duplicates, pairs of one image.
        role: its part of the split.
    """

    id: str
    text: str
    label: int
    image: Path | None = None
    text_label: int | None = None
    image_label: int | None = None
    rationale: str | None = None
    outlet: str | None = None
    pair: str = ""
    role: Role = "test"

    def facts(self) -> dict[str, Any]:
        """What gold.jsonl says of it, but for the image."""
        return {
            "id": self.id,
            "text": self.text,
            "label": self.label,
            "text_label": self.text_label,
            "image_label": self.image_label,
            "rationale": self.rationale,
            "outlet": self.outlet,
            "pair": self.pair,
            "role": self.role,
        }


@dataclass(frozen=True, slots=True)
class VilbiasData:
    """The pairs of a run.

    Fields:
        path: as it was given: the name of a task, or a file.
        pairs: all of them, with their roles.
        items, split, seed: how roles were given out.
        notes: what the sources say of themselves.
    """

    path: str
    pairs: Sequence[Pair]
    items: Items = "test"
    split: str = SPLIT
    seed: int = SEED
    notes: tuple[str, ...] = ()

    @property
    def tested(self) -> list[Pair]:
        """Those that are asked about."""
        return [one for one in self.pairs if one.role == "test"]


def vilbias_data(
    name: str,
    *,
    items: Items = "test",
    split: str = SPLIT,
    seed: int = SEED,
    data: Path | None = None,
    positive: Sequence[str] = (),
    negative: Sequence[str] = (),
) -> VilbiasData:
    """Pairs of a task or of a file, split.

    Rule: the split of a task is the one that `slant run TASK --split 80/10/10 --seed 42` has: by
    label, no cluster divided. With `items="all"` every pair has the role test.

    Args:
        name: "vilbias", "open/pairs", "vilbias/mediaeval", "added/NAME", or the path of a csv, tsv,
            jsonl or parquet file with the columns id, text, label, and as far as there are any
            image (relative to the file), rationale, text_label, image_label, outlet, pair.
        items: which pairs are asked about.
        split: parts of train, dev and test.
        seed: of the split.
        data: folder of data sets.
        positive, negative: the labels of a file that mean biased and not, as in
            `given.given_labels`; none: the usual ones, and Likely and Unlikely.

    Raises:
        UnknownName, OptionError: no such task or split, a task that is not of pairs.
        DataError: no data, a label outside the set, gold missing, a part without a pair.
    """
    from slant.tasks.options import chosen_options
    from slant.tasks.splits import split_changes

    file = Path(name)
    from_file = file.suffix.lower() in FILES
    if positive and not from_file:
        found = f"'{name}' is a task, whose labels are known"
        raise OptionError(f"Reading --positive {positive[0]}", found, "Leave it out")
    tasks = [] if from_file else _task(name, data)
    changes = {**split_changes(split, None), "balance": "none"}
    options = chosen_options("clean", changes, tasks)
    notes: tuple[str, ...] = ()
    if from_file:
        rows = _file_rows(file, positive, negative)
    else:
        rows, notes = _task_rows(tasks[0], options, data)
    return VilbiasData(name, _pairs(rows, name, options, items, seed), items, split, seed, notes)


def data_sha256(pairs: Iterable[Pair]) -> str:
    """What binds a run to its data: ids, texts, gold and roles, in their order; images are bound by
    their own sums."""
    digest = hashlib.sha256()
    for one in pairs:
        digest.update(json.dumps(one.facts(), sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def _task(name: str, data: Path | None) -> list[str]:
    from slant.tasks.names import task_names

    tasks, _ = task_names([name], data)
    if len(tasks) != 1:
        found = f"it is {len(tasks)} tasks"
        raise DataError(f"Reading the pairs of '{name}'", found, "Name one task, or a file")
    return tasks


def _task_rows(task: str, options: Any, data: Path | None) -> tuple[pl.DataFrame, tuple[str, ...]]:
    from slant.tasks.assembly import joined_rows
    from slant.tasks.members import member_tables
    from slant.tasks.names import members_of

    members = [one for one in members_of(task, options, data) if one.here]
    # The images of an added set that was changed since are not looked at; reading it says so.
    sound = [one for one in members if one.source is None or one.source.state != "altered"]
    if sound and all(one.images is None for one in sound):
        found = "its items are texts alone, not pairs of text and image"
        raise OptionError(f"Reading the pairs of '{task}'", found, f"Name one of {_PAIR_TASKS}")
    if not members:
        found = "none of its data are here"
        raise DataError(f"Reading the pairs of '{task}'", found, "See `slant data check`")
    rows, _ = joined_rows(member_tables(members, options, {}), options)
    notes = tuple(note for one in members if one.source for note in one.source.notes)
    return rows, notes


def _file_rows(path: Path, positive: Sequence[str], negative: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    given = read_given(path)
    columns: dict[str, Sequence[Any]] = {
        "id": given.unique("id"),
        "text": given.filled("text", "text"),
        "label": given_labels(given, "label", positive, negative, _WORDS),
    }

    def cells(name: str) -> list[str | None]:
        if name not in given.columns:
            return [None] * len(given)
        return [cell.strip() or None for cell in given.column(name)]

    words = _WORDS
    if positive:
        # The labels of the parts are in the words of the whole, of which they may have one alone.
        labels = {value.strip().lower() for value in given.column("label")}
        biased = frozenset(map(str.lower, positive))
        words = biased, frozenset(map(str.lower, negative)) or frozenset(labels - biased)
    for name in ("text_label", "image_label"):
        if name in given.columns and all(cell for cell in cells(name)):
            columns[name] = given_labels(given, name, words=words)
    images = [
        None if cell is None else str(path.parent.absolute() / _place(given, row, cell))
        for row, cell in enumerate(cells("image"))
    ]
    columns |= {name: cells(name) for name in ("outlet", "pair")}
    kinds = dict.fromkeys(("image_file", "rationale_text", "outlet", "pair"), pl.String)
    return pl.DataFrame(
        {**columns, "image_file": images, "rationale_text": cells("rationale")},
        schema_overrides=kinds,
    ).with_columns(dataset=pl.lit(path.stem), source_label=pl.lit(""))


def _place(given: Given, row: int, cell: str) -> PurePosixPath:
    asked = f"Reading '{given.path}', {given.unit} {row + given.first}"
    if is_address(cell):
        found = f"the image '{cell[:80]}' is an address, and nothing is fetched here"
        do = (
            "Get the image and name its file, or add the file by `slant data add NAME FILE "
            "--image image --fetch-images` and give --data added/NAME"
        )
        raise DataError(asked, found, do)
    return place_inside(cell, asked)


def _pairs(rows: pl.DataFrame, name: str, options: Any, items: Items, seed: int) -> list[Pair]:
    import polars as pl

    from slant.tasks.assembly import clusters_of, roles_of

    clusters = clusters_of(rows, options)
    rows = rows.with_columns(pl.Series("cluster", clusters))
    asked = f"Splitting the pairs of '{name}' {options.split}"
    if rows["label"].n_unique() < 2:
        found = f"its pairs ({len(rows)}) all have the same label"
        raise DataError(asked, found, "Add pairs of the other class")
    if items == "all":
        roles = [2] * len(rows)
    else:
        roles = roles_of(rows, options, options.seed_of_split(seed))[:, 0].tolist()
        counts = {role: roles.count(code) for code, role in enumerate(_ROLES)}
        if not counts["test"] or not counts["train"]:
            found = f"its {len(rows)} pairs give {counts['train']} to train and {counts['test']} to test"  # noqa: E501
            raise DataError(asked, found, "Give more pairs, or ask about all with --items all")
    return [_pair(row, role) for row, role in zip(rows.iter_rows(named=True), roles, strict=True)]


def _pair(row: Mapping[str, Any], role: int) -> Pair:
    image = row.get("image_file")
    return Pair(
        id=row["id"],
        text=row["text"],
        label=int(row["label"]),
        image=None if image is None else Path(image),
        text_label=row.get("text_label"),
        image_label=row.get("image_label"),
        rationale=(row.get("rationale_text") or "").strip() or None,
        outlet=row.get("outlet"),
        pair=str(row["cluster"]),
        role=_ROLES[role],
    )
