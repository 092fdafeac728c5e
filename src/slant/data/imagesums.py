"""Checksums of the images of a data set, remembered per folder; where an image of a row lies."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from slant.data.hashes import file_stamp, fingerprint_of, user_store
from slant.data.jsonvalues import json_value
from slant.data.writing import replacing
from slant.errors import WorkFailed

IMAGES = "images"
"""The folder beside a data file in which images are sought by their own names."""


@dataclass(frozen=True, slots=True)
class Images:
    """The image files of a data set that are here.

    Fields:
        folder: what the paths are relative to.
        places: by the path as the data file has it: where the file lies in the folder.
        sums: by place: hex sha256 of the file's bytes.
        named: how many different images the rows name.
    """

    folder: Path
    places: dict[str, str]
    sums: dict[str, str]
    named: int

    @property
    def fingerprint(self) -> str:
        """Hex, of the bytes of all of them and of the names; "" where none is here."""
        return fingerprint_of(self.sums.items()) if self.sums else ""


def found_images(folder: Path, names: Sequence[str | None]) -> Images:
    """The images that the rows of a data file name, as far as they are here.

    Rule: an image is sought by its path, relative to the folder, then by its own name in the
    folder's `images/`. A path that leads out of the folder is never followed: of it only the name
    counts.

    Args:
        folder: of the data file.
        names: (rows,) paths as the file has them; None or "" where a row names none.
    """
    named = list(dict.fromkeys(name for name in names if name))
    places = {name: place for name in named if (place := _place(folder, name))}
    return Images(folder, places, _sums(folder, places.values()), len(named))


def with_images(table: pl.DataFrame, images: Images) -> pl.DataFrame:
    """A table with the columns of its images filled.

    Rule: `image` is the place in the folder, or what the data file says where no file is here;
    `image_file` the absolute path and `image_sha256` the checksum, null where no file is here;
    rows without a `pair` that share one image's bytes share the pair "image-SHA256".

    Args:
        table: with `image` as the data file has it, and `pair`.
        images: of `found_images`.
    """
    image = pl.col("image")
    place = image.replace_strict(images.places, default=None, return_dtype=pl.String)
    known = pl.col("place")
    root = images.folder.absolute().as_posix().rstrip("/")
    filled = table.with_columns(place=place).with_columns(
        image=pl.coalesce(known, image),
        image_file=pl.when(known.is_not_null()).then(pl.lit(f"{root}/") + known),
        image_sha256=known.replace_strict(images.sums, default=None, return_dtype=pl.String),
    )
    same = pl.col("image_sha256")
    several = same.is_not_null() & same.is_duplicated()
    alike = pl.when(several).then(pl.lit("image-") + same)
    return filled.with_columns(pair=pl.coalesce("pair", alike)).drop("place")


def _place(folder: Path, name: str) -> str | None:
    path = PurePosixPath(name.strip().replace("\\", "/"))
    if not path.name or "\0" in name or "://" in name:
        return None
    inside = not path.is_absolute() and ".." not in path.parts and ":" not in path.parts[0]
    beside = PurePosixPath(IMAGES) / path.name
    for place in (path, beside) if inside else (beside,):
        with contextlib.suppress(OSError):
            if (folder / place).is_file():
                return str(place)
    return None


def _sums(folder: Path, places: Iterable[str]) -> dict[str, str]:
    """Sums of files; those of the same size and time of change are not read again."""
    root = folder.resolve()
    memory = user_store() / "images" / f"{hashlib.sha256(str(root).encode()).hexdigest()[:24]}.json"
    known, fresh = _remembered(memory), False
    sums: dict[str, str] = {}
    for place in sorted(set(places)):
        path = folder / place
        stamp = list(file_stamp(path))
        entry = known.get(place)
        if not (isinstance(entry, list) and len(entry) > len(stamp) and entry[:-1] == stamp):
            with path.open("rb") as stream:
                entry = [*stamp, hashlib.file_digest(stream, "sha256").hexdigest()]
            known[place], fresh = entry, True
        sums[place] = str(entry[-1])
    if fresh:
        # A folder that cannot be written costs time at the next run, and changes no result.
        with contextlib.suppress(WorkFailed), replacing(memory) as temporary:
            temporary.write_text(json.dumps(known), encoding="utf-8")
    return sums


def _remembered(memory: Path) -> dict[str, Any]:
    try:
        known = json_value(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
