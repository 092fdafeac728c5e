"""Packed streams read a piece at a time, and refused where they grow as no text does."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import IO, Final

from slant.analysis.limits import MOST_BYTES
from slant.data.growth import check_growth
from slant.errors import DataError

_PIECE: Final = 1 << 16
_DO: Final = "Get the file again"


class Unpacking:
    """The bytes of a file, those of a gzip file (of any number of members) unpacked.

    Args:
        raw: open at its beginning; not closed here.
        asked: what is attempted, for errors.
    """

    def __init__(self, raw: IO[bytes], asked: str) -> None:
        self.raw, self.asked = raw, asked
        head = raw.read(2)
        raw.seek(0)
        self._packed = head == b"\x1f\x8b"
        self._stream: IO[bytes] = gzip.GzipFile(fileobj=raw) if self._packed else raw  # type: ignore[assignment]
        self._kept = b""
        self.place = 0
        """Bytes given so far, unpacked."""

    def read(self, size: int) -> bytes:
        """At most `size` bytes, fewer only at the end.

        Raises:
            DataError: broken, cut, or growing beyond `growth.MOST_TIMES`.
        """
        pieces = [self._kept[:size]]
        self._kept = self._kept[size:]
        got = len(pieces[0])
        while got < size and (piece := self._piece(min(_PIECE, size - got))):
            pieces.append(piece)
            got += len(piece)
        self.place += got
        return b"".join(pieces)

    def line(self, longest: int) -> bytes:
        """The bytes to the next line feed, with it; at most `longest`."""
        while b"\n" not in self._kept and len(self._kept) < longest:
            piece = self._piece(_PIECE)
            if not piece:
                break
            self._kept += piece
        end = self._kept.find(b"\n", 0, longest) + 1 or min(longest, len(self._kept))
        line, self._kept = self._kept[:end], self._kept[end:]
        self.place += len(line)
        return line

    def skip(self, size: int) -> int:
        """Pass over bytes without holding them; how many there were."""
        left = size
        while left and (piece := self.read(min(_PIECE, left))):
            left -= len(piece)
        return size - left

    def _piece(self, size: int) -> bytes:
        try:
            piece = self._stream.read(size)
        except (gzip.BadGzipFile, EOFError, zlib.error, OSError) as error:
            found = f"it is broken or cut after {self.place:,} unpacked bytes ({error})"
            raise DataError(self.asked, found, _DO) from None
        if self._packed:
            check_growth(self.raw.tell(), self._stream.tell(), self.asked)
        return piece


def unpacked_data(packed: bytes, asked: str) -> bytes:
    """The bytes in a gzip file, `MOST_BYTES` at most."""
    data = Unpacking(io.BytesIO(packed), asked).read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        found = f"it unpacks to more than the {MOST_BYTES:,} bytes that one document may have"
        raise DataError(asked, found, "Unpack it; tables may be of any size then")
    return data


def decoded_body(body: bytes, coding: str, asked: str) -> bytes:
    """What a server sent, its Content-Encoding undone.

    Args:
        body: as sent.
        coding: "", identity, gzip or deflate.
        asked: what is attempted, for the error.

    Raises:
        DataError: another coding, broken, or more than `MOST_BYTES`.
    """
    name = coding.strip().lower()
    if name in {"", "identity", "none"}:
        return body
    if name not in {"gzip", "x-gzip", "deflate"}:
        raise DataError(asked, f"it is packed with '{name[:20]}'", "Unpack it, or save it anew")
    if name != "deflate" and not body.startswith(b"\x1f\x8b"):
        return body  # some archives undo it and leave the header
    raw = name == "deflate" and (body[:1] or b"\0")[0] & 0x0F != 8
    inflating = zlib.decompressobj(-15 if raw else 47)
    try:
        data = inflating.decompress(body, MOST_BYTES + 1)
    except zlib.error as error:
        raise DataError(asked, f"its {name} is broken ({error})", _DO) from None
    if len(data) > MOST_BYTES:
        found = f"it unpacks to more than the {MOST_BYTES:,} bytes that one document may have"
        raise DataError(asked, found, "Do not use it")
    if not inflating.eof:
        raise DataError(asked, f"its {name} is cut after {len(data):,} unpacked bytes", _DO)
    check_growth(len(body), len(data), asked)
    return data
