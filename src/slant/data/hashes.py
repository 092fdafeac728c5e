"""Checksums of files, remembered between runs for the large ones."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from slant.data.jsonvalues import json_value
from slant.data.writing import replacing
from slant.errors import WorkFailed

CHUNK = 1 << 20
REMEMBERED_FROM = 1 << 20
"""Bytes from which a checksum is remembered; smaller files are hashed faster than looked up."""


def user_store() -> Path:
    """The user's own folder for data and caches: SLANT_CACHE, else the platform's cache folder."""
    if given := os.environ.get("SLANT_CACHE"):
        return Path(given).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("slant")


def file_stamp(path: Path) -> tuple[int, ...]:
    """Size and times of a file, which tell whether it changed since they were read.

    The time of its bytes can be set to any moment, as `touch`, `cp -p` and archives do; that of its
    entry is the system's own, so that other bytes under the old time and size are noticed.
    """
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def read_sha256(path: Path) -> str:
    """The sha256 of the file's bytes in hex.

    Large files are remembered by path and stamp, so a second look costs nothing.
    """
    stamp = file_stamp(path)
    if stamp[0] < REMEMBERED_FROM:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    key = "|".join([str(path.resolve()), *map(str, stamp)])
    known = _remembered()
    if key not in known:
        digest = hashlib.sha256()
        with path.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
        known = {**known, key: digest.hexdigest()}
        _remember(known)
    return known[key]


def fingerprint_of(names_and_sums: Iterable[tuple[str, str]]) -> str:
    """One sha256 over many files, independent of their order and of the folders they lie in.

    Args:
        names_and_sums: the file's own name and the sha256 of its bytes in hex.

    >>> one = fingerprint_of([("a", "00"), ("b", "11")])
    >>> one == fingerprint_of([("b", "11"), ("a", "00")])
    True
    """
    digest = hashlib.sha256()
    for name, checksum in sorted(names_and_sums):
        digest.update(f"{name}\0{checksum}\n".encode())
    return digest.hexdigest()


def _memory() -> Path:
    return user_store() / "checksums.json"


def _remembered() -> dict[str, str]:
    try:
        known = json_value(_memory().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _remember(known: dict[str, str]) -> None:
    # A folder that cannot be written costs time at the next run, and changes no result.
    with contextlib.suppress(WorkFailed), replacing(_memory()) as temporary:
        temporary.write_text(json.dumps(known), encoding="utf-8")
