"""Limits that a child sets on itself before it works."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

_VERSION = 0x20080522
_PAST_RIGHTS = 0b1110
"""The capabilities CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER: root's to pass by rights."""


def without_privileges() -> None:
    """Let the rights of folders count for this process, even where it is root's."""
    if os.geteuid() != 0:
        return
    system = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    # Effective, permitted, inheritable: the lower halves, then the upper ones.
    sets = (ctypes.c_uint32 * 6)()
    if system.capget(header, sets):
        raise OSError(ctypes.get_errno(), "capget")
    for place in range(3):
        sets[place] &= ~_PAST_RIGHTS
    if system.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")


def limited_files(most: int) -> Callable[[], None]:
    """A function that lets no file of this process grow beyond so many bytes."""

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return limit
