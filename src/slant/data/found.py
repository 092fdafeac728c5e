"""Which files of a folder are those of a form: by the published layout, else by their names."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath

from slant.data.cards import BELOW, BENCHMARK, Card, FilePattern, Form
from slant.data.hashes import read_sha256
from slant.errors import DataError

MOST_FILES = 1_000_000
HEAD = 1 << 16
"""Bytes of a file's beginning in which its header or marker must show."""
TELLING = 5
"""Letters that a pattern must spell out before a file is taken for it outside its own folder."""
UNMISTAKABLE = 10


@dataclass(frozen=True, slots=True)
class Match:
    """A file that a pattern matched, and the path it has in the published layout."""

    path: Path
    place: PurePosixPath


Matches = Mapping[str, Sequence[Match]]
"""Per pattern of a form the files that it matched."""


class Home:
    """A folder that may hold data sets. What lies in it is listed once, when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def listing(self) -> tuple[PurePosixPath, ...]:
        """All files beneath, relative; hidden ones are none of the data."""
        paths: list[PurePosixPath] = []
        for base, folders, names in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            above = PurePosixPath(Path(base).relative_to(self.folder).as_posix())
            paths += [above / name for name in sorted(names) if not name.startswith(".")]
            if len(paths) > MOST_FILES:
                raise DataError(
                    f"Looking for data sets in '{self.folder}'",
                    f"it holds more than {MOST_FILES:,} files",
                    "Name the folder that holds the data sets alone",
                )
        return tuple(paths)

    def folders(self, number: str) -> list[Path]:
        """The folders of one data set, by the number that their names begin with."""
        own = re.compile(rf"{number}(\D|$)")
        if own.match(self.folder.resolve().name):
            return [self.folder]
        above = [BENCHMARK, "", *([BELOW[number]] if number in BELOW else [])]
        roots = [root for name in above if (root := self.folder / name).is_dir()]
        return [
            entry
            for root in roots
            for entry in sorted(root.iterdir())
            if own.match(entry.name) and entry.is_dir()
        ]


def matches_in_place(home: Home, card: Card, form: Form) -> tuple[Path, Matches] | None:
    """The files of a form in a folder named after the data set, and that folder; None if none.

    They lie as published, or right in the data set's folder.
    """
    for folder in home.folders(card.number):
        found = {f.pattern: _placed(folder, f, form) for f in form.files}
        if any(found.values()):
            return folder, found
    return None


def matches_anywhere(home: Home, card: Card, form: Form) -> tuple[Path, Matches] | None:
    """The files of a form by their names, wherever they lie under the home; None if none.

    A name that others use too (train.csv) counts only if header, marker or checksum agree.
    """
    if form.excerpt is not None and not any(f.sha256 for f in form.files):
        return None
    paths = [path for path in home.listing if _free_for(path, card.number)]
    found = {f.pattern: _named(home.folder, paths, f, form) for f in form.files}
    return (home.folder, found) if any(found.values()) else None


def _placed(folder: Path, wanted: FilePattern, form: Form) -> list[Match]:
    parts = PurePosixPath(wanted.pattern).parts
    tails = [parts] if form.excerpt or len(parts) == 1 else [parts, parts[1:]]
    for tail in tails:
        hits = sorted(folder.glob("/".join(tail)))
        hits = [h for h in hits if h.is_file() and not h.name.startswith(".")]
        if hits:
            prefix = PurePosixPath(*parts[: len(parts) - len(tail)])
            return [Match(h, prefix / h.relative_to(folder).as_posix()) for h in hits]
    return []


def _named(
    folder: Path, paths: Sequence[PurePosixPath], wanted: FilePattern, form: Form
) -> list[Match]:
    parts = tuple("*" if part == "**" else part for part in PurePosixPath(wanted.pattern).parts)
    # A pattern that names no folder has only the file's name to go by.
    for cut in range(min(1, len(parts) - 1), len(parts)):
        tail = parts[cut:]
        if wanted.sha256 is None and _spelled(tail) < TELLING:
            break
        hits = [path for path in paths if _ends_like(path, tail)]
        hits = [path for path in hits if _likely(folder / path, wanted, form, tail)]
        if hits and not _single(wanted):
            prefix = PurePosixPath(*(p for p in parts[:cut] if "*" not in p))
            return [Match(folder / p, prefix / PurePosixPath(*p.parts[-len(tail) :])) for p in hits]
        if hits:
            best = min(hits, key=lambda path: (not _same(folder / path, wanted), len(path.parts)))
            return [Match(folder / best, PurePosixPath(wanted.pattern))]
    return []


def _single(wanted: FilePattern) -> bool:
    return wanted.count == 1 and not wanted.many


def _ends_like(path: PurePosixPath, tail: Sequence[str]) -> bool:
    ending = path.parts[-len(tail) :]
    return len(ending) == len(tail) and all(
        fnmatchcase(part, like) for part, like in zip(ending, tail, strict=True)
    )


def _spelled(tail: Sequence[str]) -> int:
    """The longest run of letters in the tail that isn't a wildcard or the file's ending."""
    parts = [*tail[:-1], PurePosixPath(tail[-1]).stem]
    return max(len(run) for part in parts for run in part.split("*"))


def _free_for(path: PurePosixPath, number: str) -> bool:
    """Whether no folder above the file is named after another data set."""
    heads = (re.match(r"(\d{3})_", part) for part in path.parts[:-1])
    return all(head is None or head.group(1) == number for head in heads)


def _same(path: Path, wanted: FilePattern) -> bool:
    return (
        wanted.sha256 is not None
        and path.stat().st_size == wanted.size
        and read_sha256(path) == wanted.sha256
    )


def _likely(path: Path, wanted: FilePattern, form: Form, tail: Sequence[str]) -> bool:
    if form.excerpt is not None or wanted.optional:
        return _same(path, wanted) or (wanted.optional and _spelled(tail) >= UNMISTAKABLE)
    if wanted.marker is not None:
        return wanted.marker in header_of(path)
    if form.columns:
        return not missing_columns(path, form)
    return _same(path, wanted) or _spelled(tail) >= UNMISTAKABLE or not _single(wanted)


def header_of(path: Path) -> str:
    """The beginning of the file, as far as it can be read as UTF-8."""
    with path.open("rb") as stream:
        return stream.read(HEAD).decode("utf-8", errors="replace")


def missing_columns(path: Path, form: Form) -> list[str]:
    """The form's columns that the first line of a csv file doesn't name, in the form's order."""
    if path.suffix.lower() not in (".csv", ".tsv"):
        return []
    first = header_of(path).lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    mark = "\t" if path.suffix.lower() == ".tsv" else ","
    try:
        names = next(csv.reader([first], delimiter=mark), [])
    except csv.Error:  # binary content, or line ends of another age: the reader says what it is
        names = []
    return [name for name in form.columns if name not in names]
