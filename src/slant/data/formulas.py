"""Cells that a spreadsheet program would compute, disarmed."""

from __future__ import annotations

from typing import Final

SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a formula begins with."""


def disarmed(cell: str) -> str:
    """A text that no spreadsheet computes: one that begins as a formula has a ' before it.

    >>> disarmed("=1+1"), disarmed("a=1"), disarmed("")
    ("'=1+1", 'a=1', '')
    """
    return f"'{cell}" if cell.startswith(SIGNS) else cell


def rearmed(cell: str) -> str:
    """The text that `disarmed` was given.

    >>> rearmed("'=1+1"), rearmed("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(SIGNS) else cell
