"""The images of a user's own data set: found in a folder or an archive, or fetched when asked for,
each checked before anything is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from slant.data.archives import unpack
from slant.data.given import Given
from slant.data.imagefetch import fetch_image, is_address
from slant.data.images import ImageFacts, checked_image, place_inside
from slant.data.imagesums import IMAGES
from slant.errors import DataError

Told = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class GivenImages:
    """The checked images of a file.

    Fields:
        places: (rows,) where each row's image goes in the data set, `images/SHA256.png`; None
            where a row has none.
        files: by place, the file that goes there; equal images go once.
        notes: what was found, one sentence each.
    """

    places: tuple[str | None, ...]
    files: dict[str, Path]
    notes: tuple[str, ...]


@contextmanager
def given_images(
    given: Given,
    name: str,
    beside: Path | None = None,
    fetch: bool = False,
    told: Told = lambda what, done, total: None,
) -> Iterator[GivenImages]:
    """The images that a column names, as long as the block lasts.

    Args:
        given: the file.
        name: its column of images: paths, or addresses; blank where a row has none.
        beside: what paths are relative to: a folder, or a zip or tar archive; None: the folder of
            the file.
        fetch: whether addresses may be fetched.
        told: called with what, images done and all.

    Raises:
        DataError: a path that leads out of the folder, an address though fetching was not asked
            for, an image that is not one (see `images.checked_image`), with its row; or no row
            has an image.
        WorkFailed: an address does not answer.
    """
    cells = given.some(name, "an image", "--image")
    asked = f"Reading '{given.path}'"
    for row, cell in enumerate(cells):
        if cell and is_address(cell) and not fetch:
            found = f"{given.unit} {row + given.first} names an address, '{cell[:80]}'"
            raise DataError(asked, found, "Say --fetch-images to fetch such images, or give files")
    with TemporaryDirectory(prefix="slant-images-") as room:
        folder = _folder(beside, given.path, Path(room))
        places: list[str | None] = []
        files: dict[str, Path] = {}
        kinds: Counter[str] = Counter()
        seen: dict[str, tuple[str, ImageFacts, Path]] = {}
        for row, cell in enumerate(cells):
            where = f"{given.unit} {row + given.first} of '{given.path.name}'"
            if not cell:
                places.append(None)
                continue
            if cell not in seen:
                told(cell, row, len(cells))
                path = _file(cell, folder, Path(room), f"{asked}, {given.unit} {row + given.first}")
                facts = checked_image(path, where)
                seen[cell] = (f"{IMAGES}/{facts.sha256}{facts.ending}", facts, path)
            place, facts, path = seen[cell]
            files.setdefault(place, path)
            places.append(place)
            _count(kinds, facts)
        yield GivenImages(tuple(places), files, _notes(places, files, kinds))


def _folder(beside: Path | None, file: Path, room: Path) -> Path:
    if beside is None:
        return file.parent
    if beside.is_dir():
        return beside
    if not beside.is_file():
        found = "there is no such folder or archive"
        raise DataError(f"Looking for images in '{beside}'", found, "Give one by --images")
    unpacked = room / "unpacked"
    unpacked.mkdir()
    unpack(beside, unpacked)
    return unpacked


def _file(cell: str, folder: Path, room: Path, asked: str) -> Path:
    if is_address(cell):
        fetched = room / "fetched"
        fetched.mkdir(exist_ok=True)
        return fetch_image(cell, fetched / str(len(list(fetched.iterdir()))))
    return folder / place_inside(cell, asked)


def _count(kinds: Counter[str], facts: ImageFacts) -> None:
    kinds["misnamed"] += facts.misnamed
    kinds["turned"] += facts.turned
    kinds["animated"] += facts.frames > 1


def _notes(
    places: list[str | None], files: dict[str, Path], kinds: Counter[str]
) -> tuple[str, ...]:
    have = len([place for place in places if place])
    notes = [f"{have:,} of {len(places):,} rows have an image, {len(files):,} different ones."]
    said = {
        "misnamed": "Rows whose image is named as one of another format, while its bytes count",
        "turned": "Rows whose image its EXIF asks to turn, so that it is shown turned",
        "animated": "Rows whose image is an animation, of which the first picture counts",
    }
    notes += [f"{what}: {kinds[kind]:,}." for kind, what in said.items() if kinds[kind]]
    return tuple(notes)
