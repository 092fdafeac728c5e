"""Images: what is refused before it is decoded, and what models are shown."""

from __future__ import annotations

import hashlib
import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from drawn import picture, turned
from PIL import Image, ImageOps

from slant.data import images
from slant.data.images import checked_image, media_type, model_image, place_inside, upright_image
from slant.errors import DataError


def test_the_facts_are_those_of_the_file(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(picture((8, 6)))
    facts = checked_image(path, "row 1")
    assert (facts.format, facts.width, facts.height, facts.frames) == ("PNG", 8, 6, 1)
    assert not facts.turned
    assert not facts.misnamed
    assert facts.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("PNG", ".png"), ("JPEG", ".jpg"), ("GIF", ".gif"), ("WEBP", ".webp"), ("BMP", ".bmp")],
)
def test_five_formats_are_read_and_known_by_their_bytes(tmp_path, kind, ending):
    path = tmp_path / "a.txt"
    path.write_bytes(picture(kind=kind))
    facts = checked_image(path, "")
    assert (facts.format, facts.ending, facts.misnamed) == (kind, ending, True)
    path = path.rename(tmp_path / f"a{ending.upper()}")
    assert not checked_image(path, "").misnamed


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "the file is empty"),
        (b"text,label\na,1\n", "it is no image"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "it is no image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "it is no image"),
        (picture((400, 400), kind="JPEG")[:700], "it is broken or cut"),
        (picture((64, 64), mode="RGB")[:60], "it is broken"),
        (picture()[:20], "it is"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "it is"),
    ],
)
def test_what_is_no_whole_image_is_one_line_with_its_row(tmp_path, content, found):
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(DataError, match=rf"a\.png' of row 3 of 'x\.csv': {found}") as caught:
        checked_image(path, "row 3 of 'x.csv'")
    assert "\n" not in str(caught.value)


def test_an_image_that_is_not_there_or_a_folder_is_named(tmp_path):
    for path in (tmp_path / "none.png", tmp_path):
        with pytest.raises(DataError, match="there is no such file"):
            checked_image(path, "row 1")


def bomb(width, height):
    """A PNG whose header promises width x height pixels in a few bytes."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


def test_the_pixels_of_the_largest_bombs_are_told_too():
    # 30,000 x 30,000 is beyond Pillow's own limit, which lies above ours.
    with pytest.raises(DataError, match="it has 900,000,000 pixels, 50,000,000 are allowed"):
        checked_image(bomb(30_000, 30_000), "row 1")


@pytest.mark.parametrize("side", [7072, 11_000, 60_000])
def test_a_bomb_is_refused_by_its_header(monkeypatch, side):
    # 7,072 * 7,072 = 50,013,184 pixels, just above the limit; the others pass Pillow's own two.
    def never(*args):
        raise AssertionError("it was decoded")

    monkeypatch.setattr(images, "_load", never)
    with pytest.raises(DataError, match=r"pixels, 50,000,000 are allowed"):
        checked_image(bomb(side, side), "row 1")
    with pytest.raises(DataError, match=r"pixels, 50,000,000 are allowed"):
        upright_image(bomb(side, side))


def test_a_file_with_too_many_bytes_or_frames_is_refused(monkeypatch):
    frames = [Image.new("RGB", (2, 2), (60 * n, 0, 0)) for n in range(4)]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    assert checked_image(out.getvalue(), "").frames == 4
    monkeypatch.setattr(images, "MOST_FRAMES", 3)
    with pytest.raises(DataError, match="it has 4 frames, 3 are allowed"):
        checked_image(out.getvalue(), "")
    monkeypatch.setattr(images, "MOST_BYTES", 50)
    with pytest.raises(DataError, match="more than 50 bytes"):
        checked_image(out.getvalue(), "")


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_of_exif_is_undone_as_pillow_does_it(kind, orientation):
    data = turned(orientation, kind)
    expected = ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB")
    seen = upright_image(data)
    assert np.array_equal(np.asarray(seen), np.asarray(expected))
    facts = checked_image(data, "")
    assert (facts.width, facts.height) == seen.size == ((4, 8) if orientation > 4 else (8, 4))
    assert facts.turned == (orientation != 1)


def test_an_orientation_that_is_none_turns_nothing():
    assert upright_image(turned(9)).size == (8, 4)
    assert not checked_image(turned(0), "").turned


def test_a_model_is_shown_a_small_upright_image_without_notes():
    data = model_image(turned(6), most=6)
    shown = Image.open(io.BytesIO(data))
    # 8 x 4 is turned to 4 x 8, and 8 becomes 6: 3 x 6.
    assert (shown.size, shown.mode, shown.format) == ((3, 6), "RGB", "JPEG")
    assert not shown.getexif()
    assert media_type(data) == "image/jpeg"


def test_a_small_image_is_not_enlarged_and_a_drawing_stays_without_loss():
    data = model_image(picture((8, 6), (1, 2, 3)), most=1000)
    shown = Image.open(io.BytesIO(data))
    assert (shown.size, media_type(data)) == ((8, 6), "image/png")
    assert shown.getpixel((0, 0)) == (1, 2, 3)
    assert model_image(picture((8, 6), (1, 2, 3)), most=1000) == data


def test_a_thin_image_keeps_at_least_one_pixel():
    assert upright_image(picture((4000, 2)), most=100).size == (100, 1)


@pytest.mark.parametrize(
    ("mode", "color", "seen"),
    [
        ("RGBA", (10, 20, 30, 0), (255, 255, 255)),
        # Half of 10 on white: 10 * 128/255 + 255 * 127/255 = 132.0
        ("RGBA", (10, 10, 10, 128), (132, 132, 132)),
        ("LA", (0, 0), (255, 255, 255)),
        ("L", 77, (77, 77, 77)),
        ("1", 1, (255, 255, 255)),
        ("P", 0, (0, 0, 0)),
        # 32,768 of 65,535 is 128 of 255.
        ("I;16", 32_768, (128, 128, 128)),
    ],
)
def test_every_mode_becomes_rgb_on_white(mode, color, seen):
    assert upright_image(picture((2, 2), color, mode=mode)).getpixel((0, 0)) == seen


def test_a_jpeg_in_printers_colours_is_read():
    assert upright_image(picture((2, 2), (0, 0, 0, 0), "JPEG", "CMYK")).mode == "RGB"


@pytest.mark.parametrize(
    "name",
    ["../a.png", "/etc/passwd", "a/../../b.png", "C:\\a.png", "..\\a.png", "", ".", "a\0.png"],
)
def test_a_path_that_leads_out_is_refused(name):
    with pytest.raises(DataError, match="leads out of the folder"):
        place_inside(name, "Reading 'x.csv'")


def test_importing_the_checks_loads_no_pillow():
    code = "import sys, slant.data.images; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_pillow_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(images.MissingExtra, match=r"slant\[vision\]"):
        checked_image(b"x", "row 1")


def test_every_real_image_can_be_read_and_shown(real_data):
    folder = Path(real_data) / "vilbias" / "mediaeval2016_images" / "images"
    for path in sorted(folder.iterdir()):
        facts = checked_image(path, "")
        assert not facts.misnamed
        shown = Image.open(io.BytesIO(model_image(path, most=64)))
        assert max(shown.size) == 64
        assert abs(shown.width / shown.height - facts.width / facts.height) < 0.1
