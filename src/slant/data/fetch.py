"""Published files over https, checked by size and sha256."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

from slant.data.cards import Card, Download
from slant.data.files import State, check, set_folder
from slant.data.hashes import read_sha256
from slant.data.transfers import Patience, Progress, Transfer, check_address, receive
from slant.data.writing import refusal
from slant.errors import DataError, DiskFull, WorkFailed


def fetch_set(
    card: Card, store: Path, progress: Progress | None = None, patience: Patience | None = None
) -> list[State]:
    """Download the published files of a data set into the store; those that are there stay.

    Returns:
        The state of the data set in the store.

    Raises:
        DataError: its files cannot be fetched; the message says how they are had.
        WorkFailed: see `fetch_file`.
    """
    if not card.downloads:
        raise DataError(
            f"Fetching {card.public_name} ({card.short})",
            f"there is no file to fetch, access is {card.access}",
            card.how_to_get,
        )
    folder = set_folder(store, card)
    for download in card.downloads:
        fetch_file(download, folder / download.path, progress, patience)
    return check([store], [card.number])


def fetch_file(
    download: Download,
    target: Path,
    progress: Progress | None = None,
    patience: Patience | None = None,
) -> Path:
    """Download one file; it appears under its name only when its sha256 is right.

    What arrived before a break is kept beside it in a hidden file, and only the rest is asked for
    as long as the server still has the same file.

    Args:
        download: address, size in bytes and sha256.
        target: where the file goes; left alone if its bytes are right.
        progress: called after every piece.
        patience: how long to try; None for a few attempts in some seconds.

    Raises:
        WorkFailed: no network, an answer such as 404, other bytes than the card states (nothing
            is kept then), another size, or a full disk.
    """
    check_address(download.url)
    part = target.with_name(f".{target.name}.part")
    transfer = Transfer(download, part, progress, patience or Patience())
    if target.is_file() and read_sha256(target) == download.sha256:
        transfer.drop()  # what is left of one that was killed with the file in its place
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        joined = receive(transfer)
        if joined and _sha256(part) != download.sha256:
            # Two versions may have been joined: only a whole download tells.
            transfer.drop()
            receive(transfer)
        if (found := _sha256(part)) != download.sha256:
            transfer.drop()
            raise WorkFailed(
                transfer.asked,
                f"its bytes have the sha256 {found}, the card states {download.sha256}; nothing "
                "was kept",
                "Try again later; if it stays so, the published file was changed",
            )
        os.replace(part, target)
        transfer.drop()
    except OSError as error:
        asked = f"{transfer.asked} to '{target}'"
        if error.errno == errno.ENOSPC:
            transfer.drop()
            raise DiskFull(
                asked,
                f"no space is left; {download.size:,} bytes are needed",
                "Free some space, or name another folder with --data or SLANT_CACHE",
            ) from None
        do = "Mend the rights, or name another folder with --data or SLANT_CACHE"
        raise refusal(asked, error, do) from None
    return target


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
