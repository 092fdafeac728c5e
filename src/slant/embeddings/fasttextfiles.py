"""Whether a file is a whole model in fastText's binary format, seen without reading its vectors."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

from slant.errors import DataError

MAGIC = 793712314
_NUMBER, _COUNT, _FLAG, _FLOAT = 4, 8, 1, 4
_SETTINGS = 12 * _NUMBER + 8
"""Bytes of the settings: twelve whole numbers and one of double precision."""


def check_fasttext(path: Path, asked: str) -> None:
    """Refuse a model that is cut or damaged, before sizes that it declares are taken for true.

    Rule: settings, the dictionary's sizes, each word up to a zero byte with its count and type,
    pairs of a pruned index, and a matrix whose rows and columns the rest of the file holds.

    Args:
        path: the file.
        asked: what is being done, for the error.

    Raises:
        DataError: the file holds less, or other numbers, than it says.

    Source: fastText, `FastText::loadModel`, `Dictionary::load` and `DenseMatrix::load`.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = _fault(data)
    except (OSError, ValueError, struct.error):
        found = "it ends too early, or cannot be read"
    if found:
        raise DataError(asked, found, "Take the file from its source again")


def _fault(data: mmap.mmap) -> str:
    """What is wrong with a model, "" where nothing is."""
    new = struct.unpack_from("<i", data, 0)[0] == MAGIC
    place = 2 * _NUMBER if new else 0
    dim = struct.unpack_from("<i", data, place)[0]
    bucket, least, most = struct.unpack_from("<3i", data, place + 8 * _NUMBER)
    place += _SETTINGS
    words, _, _, _ = struct.unpack_from("<3iq", data, place)
    place += 3 * _NUMBER + _COUNT
    pruned = 0
    if new:
        pruned = max(struct.unpack_from("<q", data, place)[0], 0)
        place += _COUNT
    if pruned > len(data) // (2 * _NUMBER):
        return f"it says that {pruned} n-grams were kept"
    if not (0 < words <= len(data) // (_COUNT + 2)) or dim < 1 or bucket < 0:
        return f"it says that it has {words} words of {dim} numbers and {bucket} n-grams"
    if not 0 <= least <= most <= len(data) and bucket:
        return f"it says that its n-grams have {least} to {most} characters"
    for number in range(1, words + 1):
        place = data.find(b"\0", place) + 1
        if not place:
            return f"it ends within word {number} of its {words}"
        place += _COUNT + _FLAG
    place += 2 * _NUMBER * pruned + (_FLAG if new else 0)
    rows, columns = struct.unpack_from("<2q", data, place)
    here = (len(data) - place - 2 * _COUNT) // _FLOAT
    if columns != dim or not words <= rows <= here // dim:
        return f"it says that it has {rows} vectors of {columns} numbers, and {here} numbers follow"
    return ""
