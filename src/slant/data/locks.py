"""Locks whose file may be removed while somebody waits for it."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock


def take(lock: BaseFileLock) -> None:
    """Acquire a lock, its folder made, so that whoever comes later meets it.

    Rule: who removes the file of a lock, or its folder, does so while holding it. Who waited for
    that file then finds no folder, or has a lock that nobody else can see, and gives it back; it
    takes the one that has its name now.

    Args:
        lock: not held by this process.

    Raises:
        Timeout: another process holds it. OSError: its folder cannot be made or written to.
    """
    path = Path(lock.lock_file)
    for _ in range(_REMOVALS):
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            lock.acquire()
            if path.exists():
                return
            lock.release()
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


_REMOVALS = 100
"""How often a lock may be removed while somebody waits for it; more is a fault of the disk."""


def remove_held(folder: Path) -> None:
    """Remove a folder of which this process holds a lock, the locks last: whoever waits for one
    then comes into a folder of which nothing more is taken away.

    Args:
        folder: what cannot be removed of it stays.
    """
    for path in sorted(_inside(folder), key=lambda one: (_is_lock(one), one.name == LOCK)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != LOCK or _inside(folder) == [path]:
            # Windows lets nobody remove a lock that is held: it stays, and its folder.
            with suppress(OSError):
                path.unlink()
    with suppress(OSError):
        folder.rmdir()


def _is_lock(path: Path) -> bool:
    return path.name.endswith(".lock")


def _inside(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


LOCK = ".lock"
"""The lock of a whole folder."""
