"""Packed files as one stream of bytes: bz2, gzip, Zstandard and 7z, known by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Protocol, cast

from slant.data.given import check_file
from slant.errors import DataError, MissingExtra

ENDINGS = [".xml", ".bz2", ".gz", ".zst", ".7z"]


class BinaryStream(Protocol):
    """Bytes that can be read as they come."""

    def read1(self, size: int, /) -> bytes:
        """Up to so many bytes, b"" at the end."""


_BLOCK = 1 << 12
_MAGIC = {
    b"BZh": "bz2",
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7z",
}


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryStream, Callable[[], int]]]:
    """The bytes that a file holds, unpacked while they are read.

    Args:
        path: xml, or packed as bz2 (of many streams too), gzip, Zstandard or 7z. Of a 7z archive
            the first file that ends in .xml is read.

    Yields:
        The stream, and a function that says how many bytes of the file are read.

    Raises:
        DataError: no such file, an empty one, an unknown ending. MissingExtra: the package that
            unpacks it is not installed. Of a stream that is cut or damaged: see `broken`.
    """
    check_file(path, ENDINGS)
    if not path.stat().st_size:
        raise DataError(f"Reading '{path}'", "it is empty", "Give a dump of a wiki")
    with ExitStack() as stack:
        raw = stack.enter_context(path.open("rb"))
        first = raw.read(6)
        raw.seek(0)
        kind = next((name for magic, name in _MAGIC.items() if first.startswith(magic)), "plain")
        stream: BinaryStream = raw
        if kind == "bz2":
            stream = cast(BinaryStream, stack.enter_context(bz2.open(raw)))
        elif kind == "gzip":
            stream = cast(BinaryStream, stack.enter_context(gzip.open(raw)))
        elif kind == "zstd":
            stream = _zstandard(raw, path)
        elif kind == "7z":
            stream = stack.enter_context(_seven_zip(raw, path))
        yield stream, raw.tell


def broken() -> tuple[type[Exception], ...]:
    """What a stream raises where its file is cut or damaged."""
    import lzma
    import zlib

    kinds: list[type[Exception]] = [EOFError, OSError, zlib.error, lzma.LZMAError]
    with suppress(ModuleNotFoundError):
        import zstandard

        kinds.append(zstandard.ZstdError)
    with suppress(ModuleNotFoundError):
        import py7zr.exceptions

        kinds.append(py7zr.exceptions.ArchiveError)
    return tuple(kinds)


def _missing(path: Path, package: str) -> MissingExtra:
    do = 'Run pip install "slant[wikis]", or unpack the file'
    return MissingExtra(f"Reading '{path}'", f"the package '{package}' is not installed", do)


def _zstandard(raw: BufferedReader, path: Path) -> BinaryStream:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise _missing(path, "zstandard") from None
    return cast(
        BinaryStream, zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    )


class _Sink:
    """What py7zr takes for the file that it unpacks into."""

    def __init__(self, end: IO[bytes]) -> None:
        self.end = end
        self.written = 0

    def create(self, name: str) -> _Sink:
        return self

    def write(self, data: bytes) -> int:
        self.written += len(data)
        return self.end.write(data)

    def size(self) -> int:
        return self.written

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.written

    def read(self, size: int | None = None) -> bytes:
        return b""

    def flush(self) -> None:
        return None

    def close(self) -> None:
        return None


class _Source:
    """The reading end of a pipe; at its end the error of the thread that writes is raised."""

    def __init__(
        self, end: BufferedReader, writing: threading.Thread, failed: list[Exception]
    ) -> None:
        self.end = end
        self.writing = writing
        self.failed = failed

    def read1(self, size: int) -> bytes:
        data = self.end.read1(size)
        if not data:
            self.writing.join()
            if self.failed:
                raise self.failed[0]
        return data


@contextmanager
def _seven_zip(raw: BufferedReader, path: Path) -> Iterator[BinaryStream]:
    # py7zr only writes, so that it writes into a pipe, from a thread.
    try:
        import py7zr
    except ModuleNotFoundError:
        raise _missing(path, "py7zr") from None
    # Of what it reads at once all is unpacked at once, and that may be 7,000 times as much.
    with py7zr.SevenZipFile(raw, blocksize=_BLOCK) as archive:
        name = next((name for name in archive.getnames() if name.endswith(".xml")), None)
        if name is None:
            found = "the archive holds no file that ends in .xml"
            raise DataError(f"Reading '{path}'", found, "Give a dump of a wiki")
        source, sink = os.pipe()
        failed: list[Exception] = []

        def unpack() -> None:
            with suppress(BrokenPipeError), open(sink, "wb") as end:
                try:
                    archive.extract(targets=[name], factory=cast(Any, _Sink(end)))
                except BrokenPipeError:
                    raise
                except Exception as error:
                    failed.append(error)

        writing = threading.Thread(target=unpack, daemon=True)
        writing.start()
        try:
            with open(source, "rb") as end:
                yield _Source(end, writing, failed)
        finally:
            writing.join()
