"""How much of anything is taken in, and what says that a package is missing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from slant.errors import DataError, MissingExtra

MOST_BYTES = 50_000_000
"""Bytes of one document: a file that is no table, one record of a WARC, one answer of a server."""
MOST_UNPACKED = 200_000_000
"""Bytes that one part of a packed document may hold when it is unpacked."""
MOST_TIMES = 200
"""Times its own size that a packed stream may unpack to once `FREE_BYTES` are unpacked. Texts pack
to a third or a tenth; what packs to less than a two-hundredth was made to fill a memory."""
FREE_BYTES = 20_000_000
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


def check_unpacked(packed: int, unpacked: int, asked: str) -> None:
    """Refuse a packed stream that unpacks to far more than any text does.

    Args:
        packed: bytes read so far.
        unpacked: bytes that they have become.
        asked: what is attempted, for the error.
    """
    if unpacked > FREE_BYTES and unpacked > MOST_TIMES * packed:
        found = f"its first {packed:,} bytes unpack to {unpacked:,}, more than {MOST_TIMES} times"
        raise DataError(asked, found, "No text packs so well: do not use this file")


def check_packages(packages: Sequence[str], asked: str) -> None:
    """Refuse what needs packages of the extra `analyze` that are not installed.

    Raises:
        MissingExtra: naming those that are absent.
    """
    absent = [name for name in packages if not find_spec(name)]
    if absent:
        found = f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed"
        raise MissingExtra(asked, found, 'Run pip install "slant[analyze]"')
