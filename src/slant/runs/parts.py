"""The parts of a work that jobs of a queue do, each by itself, on one shared folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from slant.errors import OptionError

One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Part:
    """Part `number`, from 1, of `of`."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def holds(self, place: int) -> bool:
        """Whether the work at a place, from 0, is of this part: every `of`-th is."""
        return place % self.of == self.number - 1


def chosen_part(text: str | None, fresh: bool = False) -> Part | None:
    """The part that a text names.

    Args:
        text: "3/8" is the third of eight; None: there are no parts.
        fresh: whether everything should be thrown away first, which no part can.

    Raises:
        OptionError: it names no part.

    >>> chosen_part("3/8")
    Part(number=3, of=8)
    """
    if text is None:
        return None
    first, sign, second = text.partition("/")
    if not (sign and first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second)):
        found = "it is not one number of another"
        raise OptionError(f"Reading --part '{text}'", found, "Write 1/8 to 8/8 for eight parts")
    if fresh:
        found = "it would throw away what other parts have done"
        raise OptionError("Reading --fresh beside --part", found, "Remove the output before")
    return Part(int(first), int(second))


def of_part(work: Sequence[One], part: Part | None) -> list[One]:
    """The work of one part, every n-th of the whole; all of it where there are no parts.

    >>> of_part("abcdefg", Part(2, 3))
    ['b', 'e']
    """
    return [one for place, one in enumerate(work) if part is None or part.holds(place)]
