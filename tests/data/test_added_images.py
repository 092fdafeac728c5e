"""A user's own images: found, checked, copied; fetched only where that was asked for."""

from __future__ import annotations

import json
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import polars as pl
import pytest
from drawn import picture, turned

from slant.data import addedimages, imagefetch
from slant.data.added import add_dataset, added_table, load_added
from slant.data.imagefetch import check_public, fetch_image
from slant.errors import DataError, UnknownName, WorkFailed


def add(folder, cells, **options):
    file = folder / "pairs.jsonl"
    rows = [
        {"t": f"Text {n}", "l": n % 2, "i": cell, "why": "because" if n else ""}
        for n, cell in enumerate(cells)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    facts = {"text": "t", "label": "l", "image": "i", "store": folder / "store"} | options
    return add_dataset("mine", file, **facts)


def table(folder):
    own = load_added([folder / "store"])[0]
    return added_table(own.source, "clean", "minimal")


@pytest.fixture
def images(tmp_path):
    (tmp_path / "pics").mkdir()
    for name, data in {
        "a.png": picture(),
        "b.png": picture(kind="JPEG"),
        "c.jpg": turned(6),
        "same.png": picture(),
    }.items():
        (tmp_path / "pics" / name).write_bytes(data)
    return tmp_path


def test_images_are_copied_under_their_sums_and_come_back_as_absolute_paths(images):
    card = add(images, ["pics/a.png", "pics/b.png", "", "pics/same.png"], rationale="why")
    found = table(images)
    first, second, none, same = found["image"]
    assert first == same
    assert none is None
    assert second.endswith(".jpg")
    assert found["image_file"][0] == str(images / "store" / "added" / "mine" / first)
    assert (images / "store" / "added" / "mine" / first).read_bytes() == picture()
    assert found["pair"][0] == found["pair"][3] != found["pair"][1]
    assert found["rationale_text"].to_list() == [None, "because", "because", "because"]
    said = " ".join(card.quirks)
    assert "3 of 4 rows have an image, 2 different ones." in said
    assert "named as one of another format, while its bytes count: 1." in said


def test_csv_and_parquet_give_the_same_rows(images):
    rows = pl.DataFrame({"t": ["One", "Two"], "l": [0, 1], "i": ["pics/a.png", "pics/c.jpg"]})
    seen = []
    for ending in ("csv", "parquet"):
        file = images / f"p.{ending}"
        getattr(rows, f"write_{ending}")(file)
        add_dataset(ending, file, text="t", label="l", image="i", store=images / "store")
    for own in load_added([images / "store"]):
        seen.append(added_table(own.source, "clean", "minimal").select("text", "label", "image"))
    assert seen[0].equals(seen[1])


def test_an_archive_of_images_is_unpacked_and_one_that_climbs_out_refused(images):
    with zipfile.ZipFile(images / "ok.zip", "w") as packed:
        packed.write(images / "pics" / "a.png", "deep/x.png")
    add(images, ["deep/x.png", ""], images=images / "ok.zip")
    assert table(images)["image"].null_count() == 1
    with zipfile.ZipFile(images / "bad.zip", "w") as packed:
        packed.writestr("../x.png", picture())
    with pytest.raises(DataError, match="would land outside the folder"):
        add(images, ["x.png"], images=images / "bad.zip", replace=True)
    with pytest.raises(DataError, match="neither a zip nor a tar"):
        add(images, ["x.png"], images=images / "pics" / "a.png", replace=True)
    with pytest.raises(DataError, match="no such folder or archive"):
        add(images, ["x.png"], images=images / "none", replace=True)


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("pairs.jsonl", r"line 2 of 'pairs\.jsonl': it is no image"),
        ("pics/none.png", "line 2 .*there is no such file"),
        ("../a.png", "line 2: the image path '../a.png' leads out"),
        ("/etc/passwd", "leads out of the folder"),
        ("https://example.org/a.png", "line 2 names an address, .*--fetch-images"),
        ("file:///etc/passwd", "line 2 names an address"),
        ("data:image/png;base64,AAAA", "leads out"),
    ],
)
def test_an_image_that_cannot_be_used_is_one_line_with_its_row_and_nothing_is_kept(
    images, cell, found
):
    with pytest.raises(DataError, match=found) as caught:
        add(images, ["pics/a.png", cell])
    assert "\n" not in str(caught.value)
    assert not (images / "store").exists()


def test_a_column_of_blanks_or_of_no_such_name_is_refused(images):
    with pytest.raises(DataError, match="no row has an image in the column 'i'"):
        add(images, ["", " "])
    with pytest.raises(DataError, match="no row has a reason in the column 'why'"):
        add(images, ["pics/a.png"], rationale="why")
    with pytest.raises(UnknownName, match=r"column of 'pairs\.jsonl' 'j'"):
        add(images, ["pics/a.png"], image="j")


class _Server(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self):
        self.asked.append(self.path)
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "ftp://example.org/a.png")
            self.end_headers()
            return
        data = {"/a.png": picture(), "/page": b"<html>", "/long": b"x" * 5000}.get(self.path)
        self.send_response(200 if data else 404)
        self.end_headers()
        self.wfile.write(data or b"")

    def log_message(self, *args):
        return


@pytest.fixture
def server():
    _Server.asked = []
    made = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


def test_an_address_is_fetched_once_where_that_was_asked_for(images, server, monkeypatch):
    monkeypatch.setattr(
        addedimages, "fetch_image", lambda url, target: fetch_image(url, target, private=True)
    )
    add(images, [f"{server}/a.png", f"{server}/a.png", "pics/c.jpg"], fetch_images=True)
    assert _Server.asked == ["/a.png"]
    assert table(images)["image_file"].null_count() == 0
    with pytest.raises(DataError, match=r"line 1 .*it is no image"):
        add(images, [f"{server}/page"], fetch_images=True, replace=True)


def test_what_a_server_refuses_or_sends_too_much_of_is_one_line(server, tmp_path, monkeypatch):
    with pytest.raises(WorkFailed, match="the server answers 404"):
        fetch_image(f"{server}/none", tmp_path / "x", private=True)
    with pytest.raises(DataError, match="only https is allowed"):
        fetch_image(f"{server}/away", tmp_path / "x", private=True)
    monkeypatch.setattr(imagefetch, "MOST_BYTES", 4000)
    with pytest.raises(WorkFailed, match="more than 4,000 bytes"):
        fetch_image(f"{server}/long", tmp_path / "x", private=True)
    with pytest.raises(WorkFailed, match="no answer"):
        fetch_image("http://127.0.0.1:9/x", tmp_path / "x", private=True)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://example.org/a.png", "only https"),
        ("ftp://example.org/a.png", "only https"),
        ("file:///etc/passwd", "only https"),
        ("https:///a.png", "only https"),
        ("https://127.0.0.1/a.png", "not public"),
        ("https://[::1]/a.png", "not public"),
        ("https://10.0.0.7/a.png", "not public"),
        ("https://169.254.169.254/latest/meta-data", "not public"),
        ("https://localhost/a.png", "not public"),
        ("https://a.org:99999/", "it is no address"),
    ],
)
def test_only_public_https_addresses_are_asked(url, found):
    with pytest.raises(DataError, match=found):
        check_public(url, "Fetching")
