"""Where a data set lies: the folders searched, the form found there and what state it is in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from slant.data.cards import PRESETS, Card, card_names, load_card
from slant.data.found import Home, matches_anywhere, matches_in_place
from slant.data.hashes import user_store
from slant.data.sources import FileState, Finding, Source, read_finding, readable, rows_of_whole
from slant.errors import DataError
from slant.types import Preset

__all__ = [
    "FileState",
    "Source",
    "State",
    "check",
    "data_homes",
    "locate",
    "locate_form",
    "set_folder",
    "store",
]

SetState = Literal["complete", "partial", "altered", "absent"]
_Ranked = tuple[tuple[int, int, int], Finding]


@dataclass(frozen=True, slots=True)
class State:
    """What is here of one data set, and what to do.

    Fields:
        state, form, notes: of the source that the clean preset reads, else the official one.
        by_preset: the state that each preset finds.
        found, expected: how many of the `unit` are here and in the whole set; None if unknown.
        do: one sentence or two.
    """

    dataset: str
    name: str
    state: SetState
    form: str | None
    folder: Path | None
    found: int | None
    expected: int | None
    unit: str
    by_preset: Mapping[Preset, SetState]
    notes: tuple[str, ...]
    do: str


def data_homes(data: Path | None) -> list[Path]:
    """The folders searched for data: `--data` alone; else SLANT_DATA, then the user store."""
    named = os.environ.get("SLANT_DATA") or None
    given = data if data is not None else Path(named) if named else None
    if given is None:
        return [user_store()]
    given = given.expanduser()
    if not given.is_dir():
        which = "--data" if data is not None else "SLANT_DATA"
        found = "that is a file" if given.exists() else "there is no such folder"
        raise DataError(
            f"Looking for data in '{given}'",
            found,
            f"Mend {which}, or leave it out to use the user store",
        )
    behind = [] if data is not None or user_store() == given else [user_store()]
    return [given, *behind]


def store(data: Path | None) -> Path:
    """Where import, fetch and add write: `--data` if given, else the user store. Never SLANT_DATA,
    which is only read."""
    return user_store() if data is None else data.expanduser()


def set_folder(home: Path, card: Card) -> Path:
    """The folder of a data set in a store: the one that is there, else the published name."""
    there = Home(home).folders(card.number) if home.is_dir() else []
    return there[0] if there else home / card.place


def locate(number: str, homes: Iterable[Path], preset: Preset) -> Source | None:
    """The best source of one data set for a preset; None if there is none.

    The first home that has any form of it is taken. In it a complete form comes first, then one
    that is partial or altered, then an excerpt; among equals the card's order of forms decides.

    Args:
        number: MBIB number, e.g. "072".
        homes: folders that hold `mbib/`, the data sets' own folders, or loose files.
        preset: "official" or "clean"; a form serves one or both.
    """
    best = _best(load_card(number), _homes(homes), preset)
    return None if best is None else best.source


def locate_form(number: str, name: str, homes: Iterable[Path]) -> Source | None:
    """One form of a data set, whatever presets read it: the first home that has it; None if none.

    Args:
        number: of the card.
        name: of the form.
        homes: as in `locate`.
    """
    card = load_card(number)
    form = card.form(name)
    for home in _homes(homes):
        for search in (matches_in_place, matches_anywhere):
            hit = search(home, card, form)
            if hit is not None and readable(form, hit[1]):
                return read_finding(card, form, *hit).source
    return None


def check(homes: Iterable[Path], numbers: Sequence[str] | None = None) -> list[State]:
    """What is here of each data set, and what to do.

    Args:
        homes: as in `locate`.
        numbers: the data sets asked for; None for all that have a card.
    """
    there = _homes(homes)
    return [_state(load_card(n), there) for n in (card_names() if numbers is None else numbers)]


def _homes(homes: Iterable[Path]) -> list[Home]:
    return [Home(home) for home in homes if home.is_dir()]


def _state(card: Card, homes: Sequence[Home]) -> State:
    best = {preset: _best(card, homes, preset) for preset in PRESETS}
    by_preset: dict[Preset, SetState] = {
        preset: "absent" if finding is None else finding.source.state
        for preset, finding in best.items()
    }
    shown = best["clean"] or best["official"]
    absent = State(
        dataset=card.number,
        name=card.short,
        state="absent",
        form=None,
        folder=None,
        found=0,
        expected=rows_of_whole(card),
        unit="rows",
        by_preset=by_preset,
        notes=(),
        do=card.how_to_get,
    )
    if shown is None:
        return absent
    source = shown.source
    return replace(
        absent,
        state=source.state,
        form=source.form,
        folder=source.folder,
        found=shown.found,
        expected=shown.expected,
        unit=shown.unit,
        notes=source.notes,
        do={
            "complete": "Nothing is to be done.",
            "partial": f"Runs use what is here and say so. For the rest: {card.how_to_get}",
            "altered": f"Runs use it and say so. For the published bytes: {card.how_to_get}",
        }[source.state],
    )


def _best(card: Card, homes: Sequence[Home], preset: Preset) -> Finding | None:
    # The first home that has anything of the set decides: what a user names is never passed over
    # in silence for something better elsewhere.
    found = (_ranked(card, home, at, preset) for at, home in enumerate(homes))
    ranked = next((one for one in found if one), [])
    if not ranked:
        return None
    best = min(ranked, key=lambda one: one[0])[1]
    passed = tuple(
        f"The form {other.source.form} in '{other.source.folder}' is altered and was passed over."
        for _, other in ranked
        if other.source.state == "altered" and other is not best
    )
    return replace(best, source=replace(best.source, notes=(*best.source.notes, *passed)))


def _ranked(card: Card, home: Home, at: int, preset: Preset) -> list[_Ranked]:
    """The readable findings of one home. Names are trusted only where no folder is named right."""
    for search in (matches_in_place, matches_anywhere):
        ranked: list[_Ranked] = []
        for order, form in enumerate(card.forms):
            hit = search(home, card, form) if preset in form.presets else None
            if hit is not None and readable(form, hit[1]):
                finding = read_finding(card, form, *hit)
                ranked.append(((finding.rank, order, at), finding))
        if ranked:
            return ranked
    return []
