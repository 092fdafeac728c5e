"""The errors a user can meet: three sentences each - what was asked, what was found, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

LONGEST = 400
"""Characters of each sentence; of a longer one the middle is left out."""
LONGEST_NAME = 60
_UNSHOWN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


class SlantError(Exception):
    """Something that was given must change (exit code 2): arguments, files or data.

    Args:
        asked: what was attempted, naming the file, option or name.
        found: what stood there instead, with the row, byte or key where there is one.
        do: what the user should do next.

    >>> str(SlantError("Reading 'a.csv'.", "It is empty.", "Give a file with rows"))
    "Reading 'a.csv': it is empty. Give a file with rows."
    """

    exit_code = 2

    def __init__(self, asked: str, found: str, do: str) -> None:
        self.asked, self.found, self.do = (
            shown(part.strip().rstrip(".")) for part in (asked, found, do)
        )
        found_low = self.found[:1].lower() + self.found[1:]
        stop = "" if self.do.endswith("?") else "."
        super().__init__(" ".join(f"{self.asked}: {found_low}. {self.do}{stop}".split()))

    def __reduce__(self) -> tuple[type[SlantError], tuple[str, str, str]]:
        return type(self), (self.asked, self.found, self.do)


def shown(part: str) -> str:
    """A sentence that fits a terminal, whatever the file holds that it quotes."""
    if len(part) > LONGEST:
        part = f"{part[: LONGEST // 2]} ... {part[-LONGEST // 2 :]}"
    return _UNSHOWN.sub("\ufffd", part)


class DataError(SlantError):
    """A file or table that is not what its card or contract says."""


class UnknownName(SlantError):
    """A name that nobody knows: data set, task, system, option."""


class OptionError(SlantError):
    """An option with a value it cannot take."""


class RunError(SlantError):
    """A run directory that does not fit what was asked of it."""


class MissingExtra(SlantError):
    """A capability whose packages are not installed."""


def not_installed(modules: Sequence[str]) -> str:
    """Which packages are not installed, by their modules, for a `MissingExtra`.

    >>> not_installed(["torch"]), not_installed(["torch", "gt_all"])
    ('the package torch is not installed', 'the packages torch, gt-all are not installed')
    """
    several = len(modules) > 1
    names = ", ".join(modules).replace("_", "-")
    return f"the package{'s' * several} {names} {'are' if several else 'is'} not installed"


class WorkFailed(SlantError):
    """The work failed for a cause outside what was given: network, disk, memory (exit code 1)."""

    exit_code = 1


class DiskFull(WorkFailed):
    """The place that was given has no space left: another one, or room, must be given."""

    exit_code = 2


class PlaceRefused(WorkFailed):
    """The place that was given takes no file: another one, or other rights, must be given."""

    exit_code = 2


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that is not among the known ones, with the nearest ones.

    Args:
        kind: what the name should name, e.g. "system".
        name: what was given.
        known: the names that exist.

    >>> str(unknown_name("system", "tfidf", ["tfidf-lr", "majority"]))
    "Looking for the system 'tfidf': no system has this name. Did you mean tfidf-lr?"
    """
    names = sorted(one[:LONGEST_NAME] for one in known)
    name = name[:LONGEST_NAME]
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(names)}"
    return UnknownName(f"Looking for the {kind} '{name}'", f"no {kind} has this name", hint)
