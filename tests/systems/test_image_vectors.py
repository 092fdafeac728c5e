import sqlite3
from pathlib import Path

import numpy as np
import pytest
from drawnimages import save_image

from slant.errors import DataError, MissingExtra, UnknownName, WorkFailed
from slant.systems import imagevectors
from slant.systems.imagestatistics import NAMES, colour_statistics
from slant.systems.imagevectors import image_encoder, image_vectors


@pytest.fixture
def counted(monkeypatch):
    """The files that were encoded, in order."""
    seen = []
    inner = imagevectors._statistics

    def watched(file):
        seen.append(file.name)
        return inner(file)

    monkeypatch.setattr(imagevectors, "_statistics", watched)
    return seen


def test_vectors_of_colour_are_the_statistics_of_the_pixels(tmp_path):
    file = save_image(tmp_path / "a.png", (10, 200, 30), (20, 10))
    pixels = np.zeros((10, 20, 3), dtype=np.uint8)
    pixels[:, 5:] = (10, 200, 30)
    got = image_vectors(image_encoder("color"), [str(file)])
    assert got.shape == (1, len(NAMES))
    assert got[0] == pytest.approx(colour_statistics(pixels), rel=1e-6)


def test_each_image_is_encoded_once_however_often_and_wherever_it_stands(tmp_path, counted):
    first = save_image(tmp_path / "a.png", (200, 0, 0))
    copy = tmp_path / "copy.png"
    copy.write_bytes(first.read_bytes())
    second = save_image(tmp_path / "b.png", (0, 0, 200))
    files = [str(first), str(second), str(copy), str(first)]
    got = image_vectors(image_encoder("color"), files)
    assert counted == ["a.png", "b.png"]
    assert (got[0] == got[2]).all()
    assert (got[0] == got[3]).all()
    assert not (got[0] == got[1]).all()
    again = image_vectors(image_encoder("color"), files[::-1])
    assert counted == ["a.png", "b.png"]
    assert (again[::-1] == got).all()


def test_a_changed_image_is_encoded_anew(tmp_path, counted):
    file = save_image(tmp_path / "a.png", (200, 0, 0))
    before = image_vectors(image_encoder("color"), [str(file)])
    save_image(file, (0, 200, 0))
    after = image_vectors(image_encoder("color"), [str(file)])
    assert counted == ["a.png", "a.png"]
    assert not (before == after).all()


def test_other_formulas_do_not_find_the_old_ones_vectors(tmp_path, counted, monkeypatch):
    file = save_image(tmp_path / "a.png", (200, 0, 0))
    image_vectors(image_encoder("color"), [str(file)])
    monkeypatch.setattr("slant.systems.imagestatistics.VERSION", "next")
    image_vectors(image_encoder("color"), [str(file)])
    assert counted == ["a.png", "a.png"]


def test_what_was_encoded_before_a_broken_image_is_kept(tmp_path, counted, monkeypatch):
    monkeypatch.setattr(imagevectors, "COMMIT", 1)
    good = save_image(tmp_path / "a.png", (200, 0, 0))
    bad = tmp_path / "b.png"
    bad.write_bytes(b"<svg onload='alert(1)'/>")
    with pytest.raises(DataError, match=r"Reading the image '.*b\.png'"):
        image_vectors(image_encoder("color"), [str(good), str(bad)])
    image_vectors(image_encoder("color"), [str(good)])
    assert counted.count("a.png") == 1


@pytest.mark.parametrize("content", [b"", b"no image", None])
def test_a_file_that_is_no_image_is_named(tmp_path, content):
    file = tmp_path / "odd.png"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError, match=r"odd\.png"):
        image_vectors(image_encoder("color"), [str(file)])


def test_a_misspelt_encoder_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean color"):
        image_encoder("colour")


def test_without_pillow_there_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(imagevectors, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"slant\[vision\]"):
        image_encoder("color")


def test_a_store_that_is_no_store_is_one_clear_error(tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path))
    (tmp_path / "imagevectors.sqlite").write_bytes(b"this is not a database, is it" * 99)
    file = save_image(tmp_path / "a.png", (200, 0, 0))
    with pytest.raises(WorkFailed, match=r"imagevectors\.sqlite'.*it is removed"):
        image_vectors(image_encoder("color"), [str(file)])


def test_the_store_holds_one_row_for_each_image(tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path))
    files = [str(save_image(tmp_path / f"{k}.png", (k, 0, 0))) for k in (50, 150)]
    image_vectors(image_encoder("color"), [*files, *files])
    store = sqlite3.connect(Path(tmp_path) / "imagevectors.sqlite")
    (rows,) = store.execute("SELECT count(*) FROM imagevectors").fetchone()
    store.close()
    assert rows == 2
