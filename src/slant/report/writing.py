"""Files of a report, written all or none."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from slant.data.writing import clear_abandoned, temporary_beside, write_failed


def write_files(files: Mapping[Path, bytes]) -> None:
    """Writes every file under another name first, then renames all; after a failure none is left.

    Args:
        files: path -> content; folders are made where they do not exist.

    Raises:
        WorkFailed: the disk did not take a file; folders made for it are gone again.
    """
    folders: list[Path] = []
    written: list[Path] = []
    path, done = Path(), False
    try:
        for path, content in files.items():
            _make_folder(path.parent, folders)
            if path.is_dir():
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
            clear_abandoned(path.parent)
            written.append(temporary_beside(path))
            written[-1].write_bytes(content)
        for path in files:
            os.replace(temporary_beside(path), path)
            written.append(path)
        done = True
    except OSError as error:
        raise write_failed(path, error) from error
    finally:
        # Also after an interrupt.
        if not done:
            for left in written:
                with suppress(OSError):
                    left.unlink(missing_ok=True)
            for folder in reversed(folders):
                with suppress(OSError):
                    folder.rmdir()


def _make_folder(folder: Path, made: list[Path]) -> None:
    absent = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(absent):
        one.mkdir(exist_ok=True)
        made.append(one)
    folder.mkdir(exist_ok=True)
