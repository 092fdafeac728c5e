"""What a parquet file says that its pages unpack to, read before anything is unpacked.

A page says in its own header how much memory it wants, and a reader believes it: the headers are
read here, by the compact protocol of Thrift that they are written in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Final

from slant.data.growth import check_growth
from slant.errors import DataError

_MAGIC: Final = b"PAR1"
_DEEPEST: Final = 32
_CELL: Final = 8
"""Bytes that a value takes at least when it is read, however well it was packed."""
_HEAD: Final = 1 << 12
_LONGEST_HEAD: Final = 1 << 24
_Struct = dict[int, Any]


def check_parquet(file: IO[bytes], asked: str) -> None:
    """Refuse a parquet file a row group of which unpacks to far more than any table does.

    Rule: of each row group the sizes that its pages state are added up, and at least 8 bytes a
    value; see `growth.check_growth`.

    Args:
        file: open, and seekable.
        asked: what is attempted, for errors.

    Raises:
        DataError: such a file, or one that is none, or cut.
    """
    try:
        for group in _groups(file):
            packed = unpacked = values = 0
            for chunk in group.get(1, []):
                column = chunk.get(3, {})
                values += column.get(5, 0)
                for there, becomes in _pages(file, column):
                    packed, unpacked = packed + there, unpacked + becomes
                    check_growth(packed, unpacked, asked)
            check_growth(packed, values * _CELL, asked)
    except (LookupError, AttributeError, TypeError, ValueError, OverflowError, OSError):
        found = "it is no parquet file, or cut"
        raise DataError(asked, found, "Write the file again") from None


def _groups(file: IO[bytes]) -> list[_Struct]:
    size = file.seek(0, 2)
    file.seek(max(0, size - 8))
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if len(tail) < 8 or tail[4:] != _MAGIC or length + 12 > size:
        raise ValueError
    file.seek(size - 8 - length)
    groups: list[_Struct] = _Reader(file.read(length)).struct().get(4, [])
    return groups


def _pages(file: IO[bytes], column: _Struct) -> Iterator[tuple[int, int]]:
    """The bytes of each page of a column, as they lie in the file and unpacked."""
    start = min(place for place in (column.get(9, 0), column.get(11) or 0) if place > 0)
    end = start + column.get(7, 0)
    while start < end:
        length = _HEAD
        while True:
            file.seek(start)
            reader = _Reader(file.read(min(length, end - start)))
            try:
                head = reader.struct()
                break
            except IndexError:
                # The header holds the smallest and the largest value, however long they are.
                if length >= min(_LONGEST_HEAD, end - start):
                    raise
                length *= 16
        there = head[3]
        if there < 0 or head[2] < 0:
            raise ValueError
        start += reader.at + there
        yield reader.at + there, head[2]


class _Reader:
    """Values of Thrift's compact protocol, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.depth = data, 0, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise ValueError

    def signed(self) -> int:
        value = self.number()
        return value >> 1 ^ -(value & 1)

    def struct(self) -> _Struct:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError
        fields: _Struct = {}
        key = 0
        while kind := self.byte():
            key = key + (kind >> 4) if kind >> 4 else self.signed()
            # A field that is a truth has its value in its kind.
            fields[key] = kind & 15 == 1 if kind & 15 in (1, 2) else self.value(kind & 15)
        self.depth -= 1
        return fields

    def value(self, kind: int) -> Any:
        if kind in (1, 2, 3):
            return self.byte()
        if kind in (4, 5, 6):
            return self.signed()
        if kind == 12:
            return self.struct()
        if kind in (7, 8):
            length = 8 if kind == 7 else self.number()
            self.at += length
            if self.at > len(self.data):
                raise IndexError
            return None
        if kind in (9, 10):
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.number()
            return [self.value(head & 15) for _ in range(count)]
        if kind == 11:
            count = self.number()
            kinds = self.byte() if count else 0
            for _ in range(count):
                self.value(kinds >> 4), self.value(kinds & 15)
            return None
        raise ValueError
