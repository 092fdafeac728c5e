"""How far what is packed may grow: the bound between data and what was made to fill a memory."""

from __future__ import annotations

from typing import Final

from slant.errors import DataError

MOST_TIMES: Final = 200
"""Times its own size that a packed stream may unpack to once `FREE_BYTES` are unpacked. Texts pack
to a third or a tenth; what packs to less than a two-hundredth was made to fill a memory."""
FREE_BYTES: Final = 20_000_000


def check_growth(packed: int, unpacked: int, asked: str) -> None:
    """Refuse a packed stream that unpacks to far more than any data do.

    Args:
        packed: bytes of it that are read so far, or all.
        unpacked: bytes that they have become.
        asked: what is attempted, for the error.

    Raises:
        DataError: more than `FREE_BYTES`, and more than `MOST_TIMES` times what is packed.

    >>> check_growth(1_000, 20_000_000, "Reading")
    >>> check_growth(1_000, 20_000_001, "Reading 'a.gz'")
    Traceback (most recent call last):
    slant.errors.DataError: Reading 'a.gz': its first 1,000 bytes unpack to 20,000,001, more than...
    """
    if unpacked > FREE_BYTES and unpacked > MOST_TIMES * packed:
        found = f"its first {packed:,} bytes unpack to {unpacked:,}, more than {MOST_TIMES} times"
        raise DataError(asked, found, "No text packs so well: do not use this file")
