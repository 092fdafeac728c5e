"""How much of anything is taken in, and what says that a package is missing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from slant.errors import DataError, MissingExtra

MOST_BYTES = 50_000_000
"""Bytes of one document: a file that is no table, one record of a WARC, one answer of a server."""
MOST_UNPACKED = 200_000_000
"""Bytes that one part of a packed document may hold when it is unpacked."""
MOST_PAGE = 10_000_000
"""Characters of one HTML page."""
MOST_PAGES = 5_000
"""Pages of one PDF."""
MOST_SECONDS = 60.0
"""What the pages of one PDF may take."""


def check_size(size: int, asked: str) -> None:
    """Refuse a document of more than `MOST_BYTES`."""
    if size > MOST_BYTES:
        found = f"it has {size:,} bytes, more than the {MOST_BYTES:,} that one document may have"
        raise DataError(asked, found, "Give its text as a .txt file, or split it")


def check_packages(packages: Sequence[str], asked: str, otherwise: str = "") -> None:
    """Refuse what needs packages of the extra `analyze` that are not installed.

    Args:
        packages: the modules it needs.
        asked: what was attempted.
        otherwise: what can be done instead of installing them.

    Raises:
        MissingExtra: naming those that are absent.
    """
    absent = [name for name in packages if not find_spec(name)]
    if absent:
        found = f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed"
        raise MissingExtra(asked, found, f'Run pip install "slant[analyze]"{otherwise}')
