"""Archives to folders, member by member; what would land outside the folder is refused.

Nothing of an archive is believed: names, sizes and numbers are held against bounds while it is
unpacked, and no header may ask for memory that its bytes do not fill.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Generator
from contextlib import ExitStack, closing
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, cast

from slant.data.growth import check_growth
from slant.errors import DataError, DiskFull

MOST_MEMBERS: Final = 500_000
"""Files and folders of one archive."""
_HEADER: Final = 1 << 20
_PIECE: Final = 1 << 16
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile,
    NotImplementedError, RuntimeError, ValueError,
)  # fmt: skip
_PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DO: Final = "Don't trust this archive; get it again from the address that `slant data show` prints"
_Members = Generator[tuple[str, int, IO[bytes]], None, None]
_BY_HAND: Final = "Unpack it by hand and import the folder"


def unpack(archive: Path, into: Path) -> None:
    """Write the files of a zip or tar archive under a folder that exists and is empty.

    Rule: members are files and folders below the folder, each named once; they unpack to no more
    than `growth.check_growth` lets pass. Archives in the archive stay as they are.

    Args:
        archive: .zip, .tar, .tar.gz, .tar.bz2 or .tar.xz, known by its bytes.
        into: the folder.

    Raises:
        DataError: it is no archive, is cut, holds a link, a device, or a name that leads outside or
            comes twice, more than `MOST_MEMBERS` members, or grows as no data do.
        WorkFailed: there isn't room for what it holds.
    """
    asked = f"Unpacking '{archive}'"
    packed, done = archive.stat().st_size, 0
    seen: set[PurePosixPath] = set()
    try:
        with closing(_members(archive, asked)) as members:
            for name, size, stream in members:
                with stream:
                    target = into / _place(name, seen, asked)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with target.open("xb") as out:
                        while piece := stream.read(_PIECE):
                            done += len(piece)
                            check_growth(packed, done, asked)
                            out.write(piece)
                        if out.tell() != size:
                            raise EOFError(name)
    except _BROKEN as error:
        raise DataError(
            asked, f"it is cut or damaged ({type(error).__name__})", "Download the archive again"
        ) from None
    except OSError as error:
        raise _failed(error, asked, into) from None


def check_packed(data: bytes, asked: str) -> None:
    """Refuse a zip archive in memory, such as a workbook, that grows as no data do.

    Rule: as for `unpack`, before anything reads it: what it says of its own sizes is not believed.
    What is no archive passes, for its reader to say so.

    Raises:
        DataError: such an archive, or a damaged one.
    """
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return
    done = 0
    try:
        with closing(_zipped(io.BytesIO(data), asked)) as members:
            for _, _, stream in members:
                with stream:
                    while piece := stream.read(_PIECE):
                        done += len(piece)
                        check_growth(len(data), done, asked)
    except _BROKEN as error:
        found = f"it is cut or damaged ({type(error).__name__})"
        raise DataError(asked, found, "Get the file again") from None


def _failed(error: OSError, asked: str, into: Path) -> Exception:
    if error.errno == errno.ENOSPC:
        do = "Free some space and run the same command again"
        return DiskFull(asked, f"no space is left in '{into}'", do)
    if error.errno is None:  # bz2 says so that its bytes are none
        return DataError(asked, f"it is cut or damaged ({error})", "Download the archive again")
    if error.errno in (errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.EINVAL):
        name = Path(str(error.filename or "")).name[:80]
        return DataError(asked, f"no file can be called '{name}' there ({error.strerror})", _DO)
    return error


def _place(name: str, seen: set[PurePosixPath], asked: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if not path.name or "\0" in name:
        raise DataError(asked, f"its member '{name[:80]}' names no file", _DO)
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        raise DataError(asked, f"its member '{name}' would land outside the folder", _DO)
    if path in seen:
        raise DataError(asked, f"its member '{name}' is there twice", _DO)
    seen.add(path)
    return path


def _members(archive: Path, asked: str) -> _Members:
    if zipfile.is_zipfile(archive):
        yield from _zipped(archive, asked)
        return
    with ExitStack() as stack:
        raw = _Bounded(stack.enter_context(_unrolled(archive)), asked)
        try:
            rolled = stack.enter_context(tarfile.open(fileobj=cast("IO[bytes]", raw), mode="r:"))
        except tarfile.ReadError:
            found = "it is neither a zip nor a tar archive"
            raise DataError(asked, found, "Give a folder or an archive") from None
        for number, member in enumerate(rolled, start=1):
            _check_number(number, asked)
            content = rolled.extractfile(member) if member.isfile() else None
            if content is not None:
                yield member.name, member.size, content
            elif not member.isdir():
                found = f"its member '{member.name}' is a link or a device, not a file"
                raise DataError(asked, found, _BY_HAND)
            # A tar keeps all that it has read; of a million members nothing more is needed.
            cast(Any, rolled).members.clear()


def _zipped(archive: Path | io.BytesIO, asked: str) -> _Members:
    with zipfile.ZipFile(archive) as packed:
        for number, entry in enumerate(packed.infolist(), start=1):
            _check_number(number, asked)
            if not entry.filename:
                raise DataError(asked, f"its member {number} has no name", _BY_HAND)
            if entry.is_dir():
                continue
            if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
                found = f"its member '{entry.filename}' is a link or a device, not a file"
                raise DataError(asked, found, _BY_HAND)
            if entry.flag_bits & 1:
                raise DataError(asked, "it wants a password", _BY_HAND)
            # The others are unpacked in pieces of any size, whatever is asked for.
            if entry.compress_type not in _PLAIN:
                found = f"its member '{entry.filename}' is packed by method {entry.compress_type}"
                raise DataError(asked, found, _BY_HAND)
            yield entry.filename, entry.file_size, packed.open(entry)


def _check_number(number: int, asked: str) -> None:
    if number > MOST_MEMBERS:
        raise DataError(asked, f"it has more than {MOST_MEMBERS:,} members", _BY_HAND)


def _unrolled(archive: Path) -> IO[bytes]:
    with archive.open("rb") as file:
        head = file.read(6)
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.open(archive))
    if head.startswith(b"BZh"):
        return cast("IO[bytes]", bz2.open(archive))
    if head.startswith(b"\xfd7zXZ"):
        return cast("IO[bytes]", lzma.open(archive))
    return archive.open("rb")


class _Bounded:
    """The bytes of a tar, read in small pieces: a long name is read as a whole, and its header may
    call it as long as a disk."""

    def __init__(self, stream: IO[bytes], asked: str) -> None:
        self.stream, self.asked = stream, asked

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _HEADER:
            raise DataError(self.asked, f"a header of it has {size:,} bytes", _DO)
        return self.stream.read(size)

    def tell(self) -> int:
        return self.stream.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.stream.seek(offset, whence)
