"""The data sets of a task: which they are, whether they are here, their unified tables."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from slant.data.added import Added, added_table, load_added
from slant.data.babe import DATASET as BABE
from slant.data.babe import RAW_FORM, babe_table
from slant.data.cards import load_card, load_tasks
from slant.data.files import data_homes, locate, locate_form
from slant.data.hashes import fingerprint_of
from slant.data.samples import load_sentences, sample_pairs
from slant.data.sources import Source
from slant.data.tables import dataset_table
from slant.errors import DataError
from slant.tasks.options import Options
from slant.tasks.pairs import (
    OPEN_PAIRS,
    PAIR_SETS,
    images_of,
    open_pair_fingerprint,
    pair_rows,
    standing_in,
    with_image_bytes,
    with_notes,
    with_target,
)

OPEN = "open"
READ_AT_ONCE = 2
"""Data sets read side by side: polars works outside Python's lock, and two large ones fit."""


@dataclass(frozen=True, slots=True)
class Member:
    """One data set of a task.

    Fields:
        dataset: MBIB number, "babe", "vilbias", "open", or the name of a user's own.
        kind: where its table comes from.
        parts: the parts taken; empty: all.
        source: the files, for those that have a card; None: absent.
        fingerprint: hex, of its bytes; empty where absent.
        why: why it is not used; empty where it is.
        name, licence: for the report.
        images: how many image files its rows have here; None where its items are text alone. Their
            bytes enter the fingerprint.
        image_folder: absolute; empty where no image is here.
        beside: files with single annotators' labels, which change no text, label or fold; None
            where there are none here. They enter the fingerprint only if they are not as published.
    """

    dataset: str
    kind: str
    parts: tuple[str, ...]
    source: Source | None
    fingerprint: str
    why: str
    name: str
    licence: str
    beside: Source | None = None
    images: int | None = None
    image_folder: str = ""

    @property
    def here(self) -> bool:
        """Whether it takes part."""
        return not self.why

    @property
    def bytes_read(self) -> str:
        """Hex, of all that its table is made of: its bytes, those beside, the place of images."""
        if self.image_folder:
            return fingerprint_of([(self.image_folder, self.fingerprint)])
        if self.beside is None:
            return self.fingerprint
        return fingerprint_of([(self.dataset, self.fingerprint), ("", self.beside.fingerprint)])


def mbib_members(task: str, options: Options, data: Path | None) -> list[Member]:
    """The data sets of one MBIB task under a protocol, those of the user behind.

    Args:
        task: e.g. "racial-bias".
        options: `members`, `datasets`, `partial`, `labels`.
        data: `--data DIR`.

    Returns:
        In the order in which the first of equal texts wins; absent ones included.

    Source: MBIB paper, table 2; the official repository's lists.
    """
    listed = load_tasks()[task].members(options.members)
    chosen = [(one.dataset, one.part) for one in listed]
    own = [card for card in load_added(data_homes(data)) if task in card.tasks]
    if options.datasets:
        wanted = options.datasets.split("+")
        known = {number for number, _ in chosen} | {card.name for card in own}
        for name in wanted:
            if name not in known:
                raise DataError(
                    f"Choosing the data sets of mbib/{task}",
                    f"'{name}' is not one of them under members={options.members}",
                    f"Choose among {', '.join(sorted(known))}",
                )
        chosen = [(number, part) for number, part in chosen if number in wanted]
        own = [card for card in own if card.name in wanted]
    members = [card_member(number, part, options, data) for number, part in chosen]
    return members + [_own_member(card, options) for card in own]


def card_member(number: str, part: str | None, options: Options, data: Path | None) -> Member:
    """One data set that has a card as the member of a task, absent or here."""
    card = load_card(number)
    source = locate(number, data_homes(data), options.labels_preset)
    why = ""
    if source is None:
        why = f"absent: {card.how_to_get}"
    elif source.state == "partial" and options.partial == "skip":
        why = f"only a part is here ({'; '.join(source.notes)}) and partial=skip"
    beside = locate_form(BABE, RAW_FORM, data_homes(data)) if number == BABE else None
    fingerprint = source.fingerprint if source is not None else ""
    if fingerprint and beside is not None and beside.state != "complete":
        fingerprint = fingerprint_of([(BABE, fingerprint), (RAW_FORM, beside.fingerprint)])
    parts = (part,) if part else ()
    kind = "mbib" if number.isdigit() else number
    member = Member(
        number, kind, parts, source, fingerprint, why, card.name, card.licence, beside
    )  # fmt: skip
    return _with_images(member, options)


def vilbias_members(options: Options, data: Path | None) -> list[Member]:
    """ViLBias; where it is absent, VLDBench behind it, which then says that it stands in."""
    own = card_member("vilbias", None, options, data)
    if own.here:
        return [own]
    other = card_member("vldbench", None, options, data)
    if other.source is not None:
        other = replace(other, source=standing_in(other.source))
    return [own, other]


def _with_images(member: Member, options: Options) -> Member:
    """A member with its images counted and in its fingerprint, if its items have some."""
    source = member.source
    images = images_of(source) if source is not None and member.here else None
    if source is None or images is None:
        return member
    return replace(
        member,
        source=with_notes(source, images, options),
        fingerprint=with_image_bytes(member.dataset, member.fingerprint, images),
        images=len(images.places),
        image_folder=str(images.folder.absolute()) if images.places else "",
    )


def own_members(name: str, data: Path | None, options: Options) -> list[Member]:
    """A data set that the user added, as a task of its own."""
    cards = [card for card in load_added(data_homes(data)) if card.name == name]
    return [_own_member(card, options) for card in cards]


def open_members() -> list[Member]:
    """The embedded sentences."""
    import hashlib
    from importlib.resources import files

    content = (files("slant.data") / "samples" / "sentences.jsonl").read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return [Member(OPEN, OPEN, (), None, digest, "", "slant open sentences", "CC0 1.0")]


def open_pair_members() -> list[Member]:
    """The embedded pairs of text and image."""
    digest, folder = open_pair_fingerprint()
    images = len(sample_pairs())
    return [
        Member(
            OPEN, OPEN_PAIRS, (), None, digest, "", "slant open pairs", "CC0 1.0",
            images=images, image_folder=folder,
        )
    ]  # fmt: skip


def member_table(member: Member, options: Options, tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """The unified table of a member that is here.

    Args:
        member: what to read.
        options: `labels` and `cleaning`.
        tables: tables read before, by key; filled as a side effect.

    Returns:
        The rows of the parts that the task takes, with the label that `target` asks for.
    """
    return with_target(_member_rows(member, options, tables), options)


def _member_rows(member: Member, options: Options, tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    if member.kind == OPEN:
        return load_sentences()
    if member.kind == OPEN_PAIRS:
        return sample_pairs()
    if member.source is None:
        raise DataError(f"Reading '{member.dataset}'", "it is absent", "See `slant data check`")
    if member.kind == "added":
        return added_table(member.source, options.labels_preset, options.cleaning)
    key = "|".join(
        (member.dataset, options.labels, options.cleaning, options.votes, member.bytes_read)
    )
    if key not in tables:
        tables[key] = _read_table(member.source, member, options)
    table = tables[key]
    return table.filter(pl.col("part").is_in(member.parts)) if member.parts else table


def _read_table(source: Source, member: Member, options: Options) -> pl.DataFrame:
    preset = options.labels_preset
    if member.kind == BABE:
        return babe_table(source, member.beside, preset, options.cleaning)
    if member.kind in PAIR_SETS:
        return pair_rows(source, options)
    from slant.data.mbib import READERS

    records = READERS[member.dataset](source, preset)
    return dataset_table(records, member.dataset, preset, options.cleaning)


def member_tables(
    members: Sequence[Member], options: Options, tables: dict[str, pl.DataFrame]
) -> list[pl.DataFrame]:
    """The unified tables of the members that are here, in their order, read side by side.

    Args:
        members: of one task.
        options, tables: as in `member_table`.

    Raises:
        DataError: of the first member, in their order, that cannot be read.
    """
    here = [one for one in members if one.here]
    with ThreadPoolExecutor(READ_AT_ONCE) as readers:
        return list(readers.map(partial(member_table, options=options, tables=tables), here))


def described(members: Sequence[Member]) -> list[dict[str, Any]]:
    """The members that are here as run.json and the report show them."""
    return [
        {
            "dataset": one.dataset,
            "name": one.name,
            "licence": one.licence,
            "state": one.source.state if one.source else "complete",
            "form": one.source.form if one.source else one.kind,
            "notes": [note for part in (one.source, one.beside) if part for note in part.notes],
            "fingerprint": one.fingerprint,
            **({} if one.images is None else {"images": one.images}),
        }
        for one in members
        if one.here
    ]


def _own_member(own: Added, options: Options) -> Member:
    member = Member(
        own.name, "added", (), own.source, own.fingerprint, "", own.name, own.licence
    )  # fmt: skip
    return _with_images(member, options)
