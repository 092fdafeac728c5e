"""Small images for tests, drawn as they are asked for."""

from __future__ import annotations

import io

from PIL import Image


def picture(size=(8, 6), color=(200, 30, 30), kind="PNG", mode="RGB", **options):
    """The bytes of an image of one colour; `kind` as Pillow names formats."""
    out = io.BytesIO()
    Image.new(mode, size, color).save(out, kind, **options)
    return out.getvalue()


def turned(orientation, kind="JPEG"):
    """The bytes of an image 8 wide and 4 high, left half black, that EXIF asks to turn."""
    image = Image.new("RGB", (8, 4), (255, 255, 255))
    image.paste((0, 0, 0), (0, 0, 4, 4))
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    image.save(out, kind, exif=exif, **({"quality": 100} if kind == "JPEG" else {}))
    return out.getvalue()
