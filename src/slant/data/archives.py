"""Archives to folders, member by member; what would land outside the folder is refused."""

from __future__ import annotations

import errno
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from slant.errors import DataError, DiskFull

_BROKEN = (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, NotImplementedError)


def unpack(archive: Path, into: Path) -> None:
    """Write the files of a zip or tar archive under a folder that exists.

    Args:
        archive: .zip, .tar, .tar.gz, .tar.bz2 or .tar.xz, known by its bytes.
        into: the folder.

    Raises:
        DataError: it is no archive, is cut, or holds a link or a name that leads outside.
        WorkFailed: there isn't room for what it holds.
    """
    asked = f"Unpacking '{archive}'"
    try:
        for name, size, stream in _members(archive, asked):
            target = into / _safe(name, asked)
            target.parent.mkdir(parents=True, exist_ok=True)
            with stream, target.open("wb") as out:
                shutil.copyfileobj(stream, out)
                if out.tell() != size:
                    raise EOFError(name)
    except _BROKEN as error:
        raise DataError(
            asked, f"it is cut or damaged ({type(error).__name__})", "Download the archive again"
        ) from None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise DiskFull(
            asked, f"no space is left in '{into}'", "Free some space and run the same command again"
        ) from None


def _safe(name: str, asked: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        raise DataError(
            asked,
            f"its member '{name}' would land outside the folder",
            "Don't trust this archive; get it again from the address that `slant data show` prints",
        )
    return path


def _members(archive: Path, asked: str) -> Iterator[tuple[str, int, IO[bytes]]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                if not entry.is_dir():
                    yield entry.filename, entry.file_size, packed.open(entry)
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as rolled:
            for member in rolled:
                content = rolled.extractfile(member) if member.isfile() else None
                if content is not None:
                    yield member.name, member.size, content
                elif not member.isdir():
                    found = f"its member '{member.name}' is a link or a device, not a file"
                    raise DataError(asked, found, "Unpack it by hand and import the folder")
    else:
        found = "it is neither a zip nor a tar archive"
        raise DataError(asked, found, "Give a folder or an archive")
