"""Images that promise more than they hold, end early, never end, or carry notes of their maker: at
every door that takes images."""

from __future__ import annotations

import io

import hostile
import numpy as np
import pytest

pytest.importorskip("PIL")
from PIL import Image

from slant.data.added import add_dataset
from slant.data.images import FORMATS, checked_image, model_image, upright_image
from slant.errors import DataError, SlantError
from slant.systems.imagestatistics import colour_statistics

ORIENTATION, GPS, SOFTWARE, DESCRIPTION = 0x0112, 0x8825, 0x0131, 0x010E


def saved(kind, size=(8, 4), **more):
    out = io.BytesIO()
    Image.new("RGB", size, (200, 10, 10)).save(out, kind, **more)
    return out.getvalue()


def by_check(data, tmp_path):
    checked_image(data, "row 1")


def by_upright(data, tmp_path):
    upright_image(data)


def by_model(data, tmp_path):
    model_image(data)


def by_added(data, tmp_path):
    (tmp_path / "a.png").write_bytes(data)
    (tmp_path / "a.csv").write_text("text,label,image\nOne.,1,a.png\nTwo.,0,a.png\n")
    add_dataset("mine", tmp_path / "a.csv", text="text", label="label", image="image",
                store=tmp_path / "store", replace=True)  # fmt: skip


def by_vectors(data, tmp_path):
    (tmp_path / "b.png").write_bytes(data)
    with upright_image(tmp_path / "b.png") as image:
        colour_statistics(np.asarray(image))


DOORS = [by_check, by_upright, by_model, by_added, by_vectors]


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__)
def door(request, tmp_path):
    return lambda data: request.param(data, tmp_path)


@pytest.mark.parametrize(("width", "height"), [(60_000, 60_000), (50_000_001, 1), (7_072, 7_072), (2**31 - 1, 2**31 - 1)])  # fmt: skip
def test_a_header_that_promises_too_much_is_refused_before_it_is_decoded(door, width, height):
    with pytest.raises(
        DataError, match=r"pixels, 50,000,000 are allowed|it is broken|it is no image"
    ):
        door(hostile.png(width, height))


@pytest.mark.parametrize("kind", FORMATS)
def test_an_image_that_ends_early_is_one_clear_error(door, kind):
    data = saved(kind, (64, 64))
    for end in (1, 20, len(data) // 2, len(data) - 9):
        error = hostile.refusal(lambda end=end: door(data[:end]))
        # GIF and BMP may do without their last bytes.
        assert end > len(data) // 2 if error is None else "\n" not in str(error)


@pytest.mark.parametrize("kind", ["TIFF", "ICNS", "PPM", "TGA", "PCX", "EPS"])
def test_formats_that_nobody_asked_for_are_not_decoded(door, kind):
    with pytest.raises(DataError, match=r"it is no image|is broken"):
        door(saved(kind))


@pytest.mark.parametrize("data", [b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
                                  b"%!PS-Adobe-3.0\n(/etc/passwd) run", b"\x89PNG\r\n\x1a\n", b"GIF89a", b""])  # fmt: skip
def test_programs_and_heads_alone_are_no_images(door, data):
    with pytest.raises(SlantError):
        door(data)


def test_of_an_animation_the_first_frame_counts_and_their_number_is_bounded(monkeypatch, tmp_path):
    from slant.data import images

    frames = [Image.new("RGB", (4, 4), (60 * n, 0, 0)) for n in range(4)]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    assert checked_image(out.getvalue(), "row 1").frames == 4
    assert upright_image(out.getvalue()).getpixel((0, 0)) == (0, 0, 0)
    monkeypatch.setattr(images, "MOST_FRAMES", 3)
    with pytest.raises(DataError, match="4 frames"):
        by_added(out.getvalue(), tmp_path)


def noted(**tags):
    exif = Image.Exif()
    for tag, value in tags.items():
        exif[int(tag)] = value
    return exif


def test_what_a_camera_wrote_into_an_image_is_not_sent_to_a_model():
    exif = noted(**{str(ORIENTATION): 6, str(SOFTWARE): "secret", str(DESCRIPTION): "Anna's house"})
    exif.get_ifd(GPS)[2] = (52.0, 31.0, 12.0)
    data = saved("JPEG", exif=exif)
    assert b"secret" in data
    sent = model_image(data)
    assert b"secret" not in sent
    assert b"Anna" not in sent
    with Image.open(io.BytesIO(sent)) as image:
        assert dict(image.getexif()) == {}
        assert image.size == (4, 8)  # turned by 90 degrees, as its orientation asks


@pytest.mark.parametrize("value", [0, 9, 65535, "6", (6,), b"\xff", -1])
def test_an_orientation_that_is_none_turns_nothing(value):
    exif = Image.Exif()
    exif[ORIENTATION] = value
    try:
        data = saved("JPEG", exif=exif)
    except Exception:
        data = saved("JPEG")
    assert upright_image(data).size in {(8, 4), (4, 8)}


def test_exif_that_is_broken_or_long_does_no_harm(door):
    data = saved("JPEG")
    for content in (
        b"Exif\0\0" + b"\xff" * 60_000,
        b"Exif\0\0II*\0\xff\xff\xff\x7f",
        b"Exif\0\0MM\0*" + bytes(4),
    ):
        segment = b"\xff\xe1" + (len(content) + 2).to_bytes(2, "big") + content
        whole = data[:2] + segment + data[2:]
        error = hostile.refusal(lambda whole=whole: door(whole))
        assert error is None or "\n" not in str(error)


def test_a_text_chunk_that_unpacks_to_a_gigabyte_is_not_kept():
    import struct
    import zlib

    content = b"Comment\0\0" + b"\x78\xda" + hostile.deflated_zeros(256)
    body = b"zTXt" + content
    chunk = struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    data = saved("PNG")
    place = data.index(b"IDAT") - 4
    whole = data[:place] + chunk + data[place:]
    error = hostile.refusal(lambda: checked_image(whole, "row 1"))
    assert error is None or "it is broken" in str(error)
