"""Copies of published files in the user's store, whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from slant.data.archives import unpack
from slant.data.cards import Card, card_numbers, load_card
from slant.data.files import State, check, set_folder
from slant.data.found import Home, matches_anywhere, matches_in_place
from slant.data.hashes import read_sha256
from slant.data.writing import no_empty_folders, refusal, temporary_folder
from slant.errors import DataError, DiskFull

Progress = Callable[[str, int, int], None]
"""Told the data set's name, the bytes done and the bytes in all."""

_Plan = Mapping[PurePosixPath, Path]


def import_set(
    folder: Path,
    store: Path,
    progress: Progress | None = None,
    numbers: Sequence[str] | None = None,
) -> list[State]:
    """Copy what the cards know from a folder or an archive into the store.

    A data set appears in the store when all its files are copied; a second import of the same
    bytes changes nothing, and one that was broken off goes on where it stopped. A file that is
    as published is never replaced by one that isn't.

    Args:
        folder: as published, or the same files in any other nesting; or a zip or tar archive.
        store: see `files.store`.
        progress: called after every file.
        numbers: the data sets to look for; None for MBIB's.

    Returns:
        The state in the store of each data set that was found in the folder.

    Raises:
        DataError: nothing known lies there.
        WorkFailed: the disk is full.
    """
    if folder.is_file():
        with _room(folder, store) as unpacked:
            unpack(folder, unpacked)
            return _import_folder(unpacked, folder, store, progress, numbers)
    if not folder.is_dir():
        found = "there is no such folder or file"
        raise DataError(f"Importing from '{folder}'", found, "Give the folder of the data")
    return _import_folder(folder, folder, store, progress, numbers)


@contextmanager
def _room(archive: Path, store: Path) -> Iterator[Path]:
    """A folder in the store for the time of the block; a store that it leaves empty is no more."""
    with no_empty_folders(store), ExitStack() as stack:
        try:
            room = stack.enter_context(temporary_folder(store / "unpacked"))
        except OSError as error:
            raise _failed(archive, store, error, archive.stat().st_size) from None
        yield room


def _import_folder(
    folder: Path,
    named: Path,
    store: Path,
    progress: Progress | None,
    numbers: Sequence[str] | None,
) -> list[State]:
    home = Home(folder)
    wanted = card_numbers() if numbers is None else numbers
    plans = {number: _plan(home, load_card(number)) for number in wanted}
    plans = {number: plan for number, plan in plans.items() if plan}
    if not plans:
        empty = not home.listing
        found = "it is empty" if empty else "no file of a known data set lies in it"
        do = "Give the folder as published; `slant data show NAME` says which files are needed"
        raise DataError(f"Importing from '{named}'", found, do)
    kept = {n: _bring(load_card(n), plan, store, progress) for n, plan in plans.items()}
    states = check([store], list(plans))
    return [replace(one, notes=(*one.notes, *kept[one.dataset])) for one in states]


def _plan(home: Home, card: Card) -> dict[PurePosixPath, Path]:
    """Where each file of the card goes in the data set's folder, and where it lies now."""
    for search in (matches_in_place, matches_anywhere):
        hits = [search(home, card, form) for form in card.forms]
        plan = {
            match.place: match.path
            for hit in hits
            if hit is not None
            for matches in hit[1].values()
            for match in matches
        }
        if plan:
            return plan
    return {}


def _bring(card: Card, plan: _Plan, store: Path, progress: Progress | None) -> list[str]:
    """Copy the files that the store lacks; a sentence for each that was kept as it was."""
    target = set_folder(store, card)
    stage = target.with_name(f".{target.name}.incoming")
    known = {f.pattern: f.sha256 for form in card.forms for f in form.files}
    sizes = {place: path.stat().st_size for place, path in plan.items()}
    done, kept = 0, []
    try:
        for place, path in plan.items():
            there = target / place
            if there.is_file() and not _same_bytes(path, there):
                if known.get(str(place)) == read_sha256(there):
                    kept.append(f"{place} in the store is as published and was kept.")
                else:
                    _copy(path, stage / place)
            elif not there.is_file() and not _same_bytes(path, stage / place):
                _copy(path, stage / place)
            done += sizes[place]
            if progress is not None:
                progress(card.short, done, sum(sizes.values()))
        _settle(stage, target)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            shutil.rmtree(stage, ignore_errors=True)
        raise _failed(Path(error.filename or target), target, error, sum(sizes.values())) from None
    return kept


def _same_bytes(one: Path, other: Path) -> bool:
    if not other.is_file() or one.stat().st_size != other.stat().st_size:
        return False
    return one.samefile(other) or read_sha256(one) == read_sha256(other)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    try:
        shutil.copyfile(path, part)
        os.replace(part, target)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        part.unlink(missing_ok=True)


def _settle(stage: Path, target: Path) -> None:
    """Move what was copied to its place: in one step where the data set is new."""
    if not stage.is_dir():
        return
    if not target.exists():
        os.replace(stage, target)
        return
    for path in sorted(path for path in stage.rglob("*") if path.is_file()):
        place = target / path.relative_to(stage)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, place)
    shutil.rmtree(stage)


def _failed(path: Path, target: Path, error: OSError, size: int) -> Exception:
    if error.errno == errno.ENOSPC:
        return DiskFull(
            f"Copying '{path}' to '{target}'",
            f"no space is left; {size:,} bytes are needed",
            "Free some space, or name another folder with --data or SLANT_CACHE",
        )
    do = "Mend the rights, or name another folder with --data or SLANT_CACHE"
    return refusal(f"Copying '{path}' to '{target}'", error, do)
