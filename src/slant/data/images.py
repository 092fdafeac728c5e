"""Image files of data sets: checked before anything is decoded, upright and small for models.

Pillow alone looks at them, with a fixed list of formats: none of these runs a program or a script.
"""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from slant.errors import DataError, MissingExtra

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = {
    "PNG": (".png",),
    "JPEG": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "GIF": (".gif",),
    "WEBP": (".webp",),
    "BMP": (".bmp",),
}
"""What is read, and the endings that such a file may have; the first is the one given to copies."""
MOST_PIXELS = 50_000_000
"""Width times height from which on an image is refused, before it is decoded."""
MOST_BYTES = 50_000_000
MOST_FRAMES = 1000
MODEL_SIDE = 1024
"""Pixels of the longer side of what a model is shown, unless it is told otherwise."""
_QUALITY = 90
_SIDES_SWAPPED = range(5, 9)
_TURNS = {
    2: "FLIP_LEFT_RIGHT",
    3: "ROTATE_180",
    4: "FLIP_TOP_BOTTOM",
    5: "TRANSPOSE",
    6: "ROTATE_270",
    7: "TRANSVERSE",
    8: "ROTATE_90",
}
"""What undoes each orientation that EXIF can state."""
_ORIENTATION = 0x0112
_LOSSLESS = ("PNG", "GIF", "BMP")


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """What is known of an image that can be read.

    Fields:
        format: of its bytes: a key of `FORMATS`.
        width, height: in pixels, as it is seen: turned as its EXIF says.
        turned: whether its EXIF asks to turn or mirror it.
        frames: more than one for an animation, of which only the first is used.
        misnamed: whether its name ends as files of another format do, or of none.
        sha256: of its bytes, hex.
    """

    format: str
    width: int
    height: int
    turned: bool
    frames: int
    misnamed: bool
    sha256: str

    @property
    def ending(self) -> str:
        """What the name of such a file ends in, e.g. ".jpg"."""
        return FORMATS[self.format][0]


def checked_image(content: Path | bytes, where: str) -> ImageFacts:
    """The facts on an image, of which every pixel was decoded once.

    Args:
        content: the file, or its bytes, to which no name belongs (`misnamed` is then False).
        where: what it is the image of, for errors, e.g. "row 3 of 'pairs.csv'".

    Raises:
        DataError: no file, no image, a broken one, more than `MOST_PIXELS` or `MOST_BYTES`.
        MissingExtra: Pillow is not installed.
    """
    data = image_bytes(content, where)
    with _opened(data, content, where) as image:
        frames = _frames(image, content, where)
        _load(image, content, where)
        turning, kind = _turning(image), _format(image)
        width, height = image.size
        if turning in _SIDES_SWAPPED:
            width, height = height, width
        return ImageFacts(
            format=kind,
            width=width,
            height=height,
            turned=turning != 1,
            frames=frames,
            misnamed=isinstance(content, Path) and content.suffix.lower() not in FORMATS[kind],
            sha256=hashlib.sha256(data).hexdigest(),
        )


def upright_image(content: Path | bytes, most: int = MODEL_SIDE) -> Image:
    """An image as it is meant to be seen: its first frame, turned as its EXIF says, in RGB on
    white, and no side longer than `most`; a smaller image is not enlarged.

    Args:
        content: the file or its bytes.
        most: pixels of the longer side, 1 or more.

    Raises:
        DataError: as `checked_image`.
    """
    from PIL import Image

    where = "an image"
    data = image_bytes(content, where)
    with _opened(data, content, where) as image:
        _load(image, content, where)
        turning = _turning(image)
        plain = _in_rgb(image)
    if turning != 1:
        plain = plain.transpose(Image.Transpose[_TURNS[turning]])
    if max(plain.size) > most:
        share = most / max(plain.size)
        size = (max(1, round(plain.width * share)), max(1, round(plain.height * share)))
        plain = plain.resize(size, Image.Resampling.LANCZOS)
    return plain


def model_image(content: Path | bytes, most: int = MODEL_SIDE) -> bytes:
    """An image as models are shown it: `upright_image`, as PNG where the file was without loss
    (PNG, GIF, BMP), else as JPEG; without EXIF, place or other notes.

    Args:
        content: the file or its bytes.
        most: pixels of the longer side.

    Returns:
        The bytes; the same for the same file.
    """
    plain = upright_image(content, most)
    with _opened(image_bytes(content, "an image"), content, "an image") as image:
        lossless = _format(image) in _LOSSLESS
    out = io.BytesIO()
    if lossless:
        plain.save(out, "PNG", optimize=True)
    else:
        plain.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    return out.getvalue()


def media_type(image: bytes) -> str:
    """The media type of what `model_image` returned.

    >>> media_type(b"\\x89PNG..."), media_type(b"\\xff\\xd8...")
    ('image/png', 'image/jpeg')
    """
    return "image/png" if image.startswith(b"\x89PNG") else "image/jpeg"


def place_inside(name: str, asked: str) -> PurePosixPath:
    """A relative path that a data file names, if it stays in the folder that it is relative to.

    Args:
        name: as it stands in the file; either slash.
        asked: what is attempted, for the error.

    Raises:
        DataError: it is absolute, climbs out, or names no file.

    >>> str(place_inside("images\\\\a.png", "Reading"))
    'images/a.png'
    """
    path = PurePosixPath(name.strip().replace("\\", "/"))
    outside = path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1])
    if outside or not path.name or "\0" in name:
        found = f"the image path {name[:80]!r} leads out of the folder of the images"
        raise DataError(asked, found, "Give paths that are relative to this folder and stay in it")
    return path


def image_bytes(content: Path | bytes, where: str) -> bytes:
    """The bytes of an image file.

    Raises:
        DataError: there is no such file, it is empty or too large.
    """
    if isinstance(content, bytes):
        data = content
    else:
        try:
            size = content.stat().st_size if content.is_file() else -1
            if size < 0:
                raise _unfit(content, where, "there is no such file")
            data = content.read_bytes() if size <= MOST_BYTES else bytes(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            raise _unfit(content, where, f"it cannot be read ({error})") from None
    if not data:
        raise _unfit(content, where, "the file is empty")
    if len(data) > MOST_BYTES:
        raise _unfit(content, where, f"it has more than {MOST_BYTES:,} bytes")
    return data


@contextmanager
def _opened(data: bytes, content: Path | bytes, where: str) -> Iterator[Image]:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise MissingExtra(
            "Reading images", "Pillow is not installed", 'Run pip install "slant[vision]"'
        ) from None
    try:
        with warnings.catch_warnings():
            # Its own limit warns from another number on; ours is held against the size below.
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data), formats=list(FORMATS))
    except Image.DecompressionBombError as error:
        # Pillow's own limit lies higher, and its error alone knows the number.
        number = re.search(r"\((\d+) pixels\)", str(error))
        pixels = f"{int(number[1]):,}" if number else f"more than {MOST_PIXELS:,}"
        raise _unfit(content, where, _too_many(pixels)) from None
    except UnidentifiedImageError:
        raise _unfit(content, where, f"it is no image ({', '.join(FORMATS)} are read)") from None
    except Exception as error:
        # A decoder meets broken bytes with errors of many kinds (struct, zlib, index, value).
        raise _unfit(content, where, f"it is broken ({_said(error)})") from None
    with image:
        if image.width * image.height > MOST_PIXELS:
            raise _unfit(content, where, _too_many(f"{image.width:,} x {image.height:,}"))
        yield image


def _format(image: Image) -> str:
    # A camera's JPEG that holds a second picture behind the first has a name of its own.
    return "JPEG" if image.format == "MPO" else str(image.format)


def _frames(image: Image, content: Path | bytes, where: str) -> int:
    try:
        frames = int(getattr(image, "n_frames", 1))
    except Exception as error:
        raise _unfit(content, where, f"it is broken ({_said(error)})") from None
    if frames > MOST_FRAMES:
        raise _unfit(content, where, f"it has {frames:,} frames, {MOST_FRAMES:,} are allowed")
    return frames


def _load(image: Image, content: Path | bytes, where: str) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image.load()
    except Exception as error:
        raise _unfit(content, where, f"it is broken or cut ({_said(error)})") from None


def _turning(image: Image) -> int:
    """The orientation that EXIF states, 1 where it states none that can be read."""
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except Exception:
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _in_rgb(image: Image) -> Image:
    from PIL import Image

    if image.mode.startswith("I"):
        # Sixteen bits for a grey: Pillow would cut off what is above 255.
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        seen = image.convert("RGBA")
        white = Image.new("RGBA", seen.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, seen).convert("RGB")
    return image.convert("RGB")


def _said(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:80]


def _too_many(pixels: str) -> str:
    return f"it has {pixels} pixels, {MOST_PIXELS:,} are allowed"


def _unfit(content: Any, where: str, found: str) -> DataError:
    name = f"the image '{content}'" if isinstance(content, Path) else "an image"
    asked = f"Reading {name}" + (f" of {where}" if where not in ("", "an image") else "")
    return DataError(asked, found, "Give a whole image file, or leave its row out")
