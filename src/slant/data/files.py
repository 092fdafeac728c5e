"""Where a data set lies: the folders searched, the form found there and what state it is in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FileState = Literal["complete", "partial", "altered"]


@dataclass(frozen=True, slots=True)
class Source:
    """The files of one data set in one published form.

    Fields:
        dataset: MBIB number, e.g. "072".
        form: the card's name of the form, e.g. "raw" or "processed".
        folder: the folder that the files' names are relative to.
        files: the files that the form's patterns matched, sorted by relative name.
        state: complete, partial (fewer files or rows than published) or altered (bytes differ).
        notes: one sentence each on what is missing or different.
        fingerprint: hex sha256 over the sorted (relative name, sha256 of the bytes) pairs.
    """

    dataset: str
    form: str
    folder: Path
    files: tuple[Path, ...]
    state: FileState
    notes: tuple[str, ...]
    fingerprint: str
