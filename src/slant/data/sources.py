"""The files found of one data set in one form, and what they lack against its card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from slant.data.cards import Card, FilePattern, Form
from slant.data.found import Matches, missing_columns
from slant.data.hashes import fingerprint_of, read_sha256

FileState = Literal["complete", "partial", "altered"]
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """The files of one data set in one published form.

    Fields:
        dataset: MBIB number, e.g. "072".
        form: the card's name of the form, e.g. "raw" or "processed".
        folder: the folder that the files' names are relative to.
        files: the files that the form's patterns matched, in the card's order of patterns.
        state: complete, partial (fewer files or rows than published) or altered (bytes differ).
        notes: one sentence each on what is missing or different.
        fingerprint: hex sha256 over the sorted (name, sha256 of the bytes) pairs.
    """

    dataset: str
    form: str
    folder: Path
    files: tuple[Path, ...]
    state: FileState
    notes: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A source, how many units of the form are here and in all (None if unknown), and its rank:
    0 for complete, 1 for partial or altered, 2 for an excerpt."""

    source: Source
    found: int | None
    expected: int | None
    unit: str
    rank: int


@dataclass(slots=True)
class _Notes:
    altered: list[str] = field(default_factory=list)
    partial: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)


_Units = tuple[int | None, int | None]


def rows_of_whole(card: Card) -> int:
    """Rows of the official csv, else the largest figure of the paper's table 2."""
    return (card.rows_official or {}).get("total") or max(card.rows_paper.values())


def readable(form: Form, matches: Matches) -> bool:
    """Whether the files that a reader needs are here: all, or one where each stands alone."""
    have = [bool(matches[one.pattern]) for one in form.files if not one.optional]
    return any(have) if form.apart or form.excerpt else all(have)


def read_finding(card: Card, form: Form, folder: Path, matches: Matches) -> Finding:
    """The source that the matched files make, compared with the card's counts and checksums."""
    notes = _Notes(
        partial=[f"An excerpt: {form.excerpt}."] if form.excerpt else [],
        unsure=[form.note] if form.note else [],
    )
    used = [one for one in form.files if not one.optional or matches[one.pattern]]
    units = [_units(one, matches, form, notes) for one in used]
    paths = tuple(hit.path for one in used for hit in matches[one.pattern])
    sums = {path: read_sha256(path) for path in paths}
    families = [hit.path for one in used if one.count > 1 for hit in matches[one.pattern]]
    judged = form.fingerprint is not None and not notes.altered and not notes.partial
    if judged and fingerprint_of((p.name, sums[p]) for p in families) != form.fingerprint:
        notes.altered.append(f"The bytes of at least one of {len(families)} files differ.")
    source = Source(
        dataset=card.number,
        form=form.name,
        folder=folder,
        files=paths,
        state="altered" if notes.altered else "partial" if notes.partial else "complete",
        notes=(*notes.altered, *notes.partial, *notes.unsure),
        fingerprint=fingerprint_of((path.name, sums[path]) for path in paths),
    )
    found, expected = _sum(
        [u for one, u in zip(used, units, strict=True) if not one.optional], form
    )
    return Finding(
        source,
        found,
        rows_of_whole(card) if form.excerpt else expected,
        form.unit,
        2 if form.excerpt else 0 if source.state == "complete" else 1,
    )


def _sum(units: Sequence[_Units], form: Form) -> _Units:
    """Rows add up over files; articles or posts are those of the first family of files."""
    counted = units if form.unit == "rows" else units[:1]
    found = [have for have, _ in counted if have is not None]
    whole = [all_ for _, all_ in counted if all_ is not None]
    return (
        sum(found) if len(found) == len(counted) else None,
        sum(whole) if len(whole) == len(counted) else None,
    )


def _units(wanted: FilePattern, matches: Matches, form: Form, notes: _Notes) -> _Units:
    """How many units of one pattern are here and in all, noting what is wrong with its files."""
    paths = [hit.path for hit in matches[wanted.pattern]]
    whole = wanted.rows or wanted.marks
    if not paths:
        notes.partial.append(f"{wanted.pattern} is missing.")
        return 0, whole
    empty = [path.name for path in paths if path.stat().st_size == 0]
    notes.altered += [f"{name} is empty." for name in empty]
    if empty and len(paths) == 1:
        return 0, whole
    if wanted.many:
        return None, None
    if wanted.count > 1:
        if len(paths) < wanted.count:
            notes.partial.append(f"{len(paths)} of {wanted.count} files match {wanted.pattern}.")
        elif len(paths) > wanted.count:
            notes.altered.append(
                f"{len(paths)} files match {wanted.pattern}, {wanted.count} are known."
            )
        return len(paths), wanted.count
    return _units_of_one(wanted, paths[0], form, notes)


def _units_of_one(wanted: FilePattern, path: Path, form: Form, notes: _Notes) -> _Units:
    size = path.stat().st_size
    if wanted.sha256 is not None:
        found = read_sha256(path)
        if found != wanted.sha256:
            notes.altered.append(
                f"{path.name} has {size:,} bytes and sha256 {found[:12]}, published are "
                f"{wanted.size:,} bytes and {wanted.sha256[:12]}."
            )
            return None, wanted.rows
        return wanted.rows, wanted.rows
    if not wanted.optional and (gone := missing_columns(path, form)):
        notes.altered.append(f"{path.name} has no column {' or '.join(gone)}.")
    if wanted.marker is not None and wanted.marks is not None:
        marks = _occurrences(path, wanted.marker.encode())
        if marks < wanted.marks:
            notes.partial.append(f"{path.name} holds {marks:,} of {wanted.marks:,} {form.unit}.")
        elif marks > wanted.marks:
            notes.altered.append(
                f"{path.name} holds {marks:,} {form.unit}, {wanted.marks:,} are known."
            )
        return marks, wanted.marks
    if wanted.at_least is not None and size < wanted.at_least:
        notes.partial.append(f"{path.name} has only {size:,} bytes, the published file far more.")
    elif not wanted.optional:
        notes.unsure.append(f"The card knows no checksum of {path.name}: its bytes went unchecked.")
    return None, wanted.rows


def _occurrences(path: Path, marker: bytes) -> int:
    count, rest = 0, b""
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            block = rest + chunk
            count += block.count(marker)
            rest = block[len(block) - len(marker) + 1 :]
    return count
