"""Offsets that count UTF-16 code units, as Java and JavaScript do, and offsets in code points."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


def units(text: str) -> int:
    """The length of a text in UTF-16 code units.

    >>> units("a😀b")
    4
    """
    return len(text) + sum(sign > "\uffff" for sign in text)


@dataclass(frozen=True, slots=True)
class CodeUnits:
    """Both ways of counting in one text.

    Fields:
        astral: offsets in code points of the characters that UTF-16 writes as two units.
        length: of the text in code points.

    >>> counted = code_units("a😀b")
    >>> [counted.of(n) for n in range(4)], [counted.point(n) for n in range(5)]
    ([0, 1, 3, 4], [0, 1, None, 2, 3])
    """

    astral: Sequence[int]
    length: int

    def of(self, point: int) -> int:
        """The offset in code units of an offset in code points."""
        return point + bisect_left(self.astral, point)

    def point(self, unit: int) -> int | None:
        """The offset in code points of one in code units; None inside a character or outside."""
        before = bisect_left(range(len(self.astral)), unit, key=lambda n: self.astral[n] + n + 1)
        point = unit - before
        return point if 0 <= point <= self.length and self.of(point) == unit else None


def code_units(text: str) -> CodeUnits:
    """The counting of a text."""
    return CodeUnits([n for n, sign in enumerate(text) if sign > "\uffff"], len(text))
