"""Checkpoints of trainings that nobody went on with: removed when the next training begins."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from pathlib import Path

DAYS = 7
"""Days after its last change from which on a training that nobody works on is abandoned."""


def remove_abandoned(root: Path, days: float = DAYS) -> list[Path]:
    """Remove the folders of trainings that failed or were never gone on with.

    A training in progress holds the lock beside its folder, and is left alone however old its last
    checkpoint is. What cannot be removed stays.

    Args:
        root: whose folders each hold the checkpoints of one training, with a .lock beside it.
        days: since the last change of anything in a folder.

    Returns:
        The folders removed.
    """
    from filelock import FileLock, Timeout

    limit = time.time() - days * 24 * 3600
    removed = []
    for folder in sorted(path for path in root.glob("*") if path.is_dir()):
        if _changed(folder) > limit:
            continue
        path = folder.with_suffix(".lock")
        with suppress(Timeout, OSError), FileLock(path, timeout=0):
            # Somebody may have gone on with it, and ended, since the first look.
            if _changed(folder) <= limit:
                shutil.rmtree(folder)
                path.unlink(missing_ok=True)
                removed.append(folder)
    return removed


def _changed(folder: Path) -> float:
    """When anything in a folder changed last; now, where it is gone meanwhile."""
    try:
        return max(path.lstat().st_mtime for path in (folder, *folder.rglob("*")))
    except OSError:
        return time.time()
