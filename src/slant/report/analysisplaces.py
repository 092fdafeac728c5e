"""Where an analysed text came from, as a page that is passed on may say it."""

from __future__ import annotations

import re
import shlex
from typing import Final

_ADDRESS: Final = re.compile(r"https?://", re.I)
_FOLDERS: Final = re.compile(r"^.*[/\\](?=[^/\\])", re.S)
_FROM_THE_ROOT: Final = re.compile(r"^(--[\w-]+=)?(?:~|/|[A-Za-z]:[/\\]).*[/\\](?=[^/\\])", re.S)


def source_name(origin: str) -> str:
    """The name of a file without its folders, with the row behind it; an address as it is.

    >>> source_name("/home/anna/news/a.jsonl, row 3"), source_name("https://example.org/a")
    ('a.jsonl, row 3', 'https://example.org/a')
    """
    return origin if _ADDRESS.match(origin) else _FOLDERS.sub("", origin)


def without_folders(command: str) -> str:
    """A command line in which what is named by a path from the root has its name alone.

    >>> without_folders("slant analyze '/home/an na/a.txt' news/b.txt --out /tmp/r")
    'slant analyze a.txt news/b.txt --out r'
    """
    try:
        said = shlex.split(command)
    except ValueError:
        return _FOLDERS.sub("", command)
    short = [_FROM_THE_ROOT.sub(r"\1", one) for one in said]
    return command if short == said else shlex.join(short)
