"""Archives that climb out, link elsewhere or never end, at every door that takes an archive."""

from __future__ import annotations

import io
import tarfile
import zipfile

import hostile
import pytest

from slant.analysis.intake import read_document
from slant.data import archives
from slant.data.added import add_dataset
from slant.data.archives import unpack
from slant.data.imports import import_set
from slant.data.rows import read_xlsx
from slant.errors import DataError, SlantError
from slant.wikis.dumps import read_dump

TARS = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE)


def by_unpacking(archive, folder):
    (folder / "into").mkdir()
    unpack(archive, folder / "into")


def by_import(archive, folder):
    import_set(archive, folder / "store")


def by_added_images(archive, folder):
    file = folder / "pairs.csv"
    file.write_text("text,label,image\nA text.,1,a.png\n")
    add_dataset("mine", file, text="text", label="label", image="image", images=archive,
                store=folder / "store")  # fmt: skip


def by_vilbias(archive, folder):
    import_set(archive, folder / "store", None, ["vilbias"])


DOORS = [by_unpacking, by_import, by_added_images, by_vilbias]


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__)
def refused(request, tmp_path):
    """The error of an archive at one door; nothing but what was there before is left."""

    def said(content):
        inside = tmp_path / "deep" / "inside"
        inside.mkdir(parents=True)
        archive = inside / "archive"
        archive.write_bytes(content)
        with pytest.raises(SlantError) as caught:
            request.param(archive, inside)
        left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
        assert not [one for one in left if one.endswith(("up.txt", "absolute.txt", "through.txt"))]
        assert not [path for path in tmp_path.rglob("*") if path.is_symlink()]
        assert caught.value.exit_code == 2
        return str(caught.value)

    return said


@pytest.mark.parametrize("name", [*hostile.UP, *hostile.ABSOLUTE])
@pytest.mark.parametrize("made", [hostile.zip_named, hostile.tar_named])
def test_a_name_that_leads_out_of_the_folder_is_refused_at_every_door(refused, made, name):
    assert "would land outside the folder" in refused(made(name))


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_however_a_tar_is_packed_its_names_are_looked_at(refused, mode):
    assert "would land outside" in refused(hostile.tar_named("ok.txt", "../up.txt", mode=mode))


@pytest.mark.parametrize("kind", TARS)
def test_links_devices_and_pipes_are_refused_before_anything_goes_through_them(refused, kind):
    content = hostile.tar_special(kind, "special", "/tmp", behind=["special/through.txt"])
    assert "is a link or a device" in refused(content)


def test_a_link_in_a_zip_is_refused_and_no_link_is_made(refused):
    assert "is a link or a device" in refused(hostile.zip_link())


@pytest.mark.parametrize("made", [hostile.zip_named, hostile.tar_named])
@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a.txt", "a.txt"), ("a.txt", "./a.txt"), ("a/b", "a\\b")])
def test_a_name_that_comes_twice_is_refused_since_two_readers_might_see_two_files(
    refused, made, names
):
    assert "is there twice" in refused(made(*names))


@pytest.mark.parametrize("names", [("a", "a/b"), ("x" * 300,)])
@pytest.mark.parametrize("made", [hostile.zip_named, hostile.tar_named])
def test_names_that_no_folder_can_hold_are_one_clear_error(refused, made, names):
    assert "no file can be called" in refused(made(*names))


@pytest.mark.parametrize("name", hostile.NO_NAME)
def test_a_member_without_a_name_is_refused(tmp_path, name):
    with pytest.raises(DataError, match="names no file"):
        archives._place(name, set(), "Unpacking")


def test_a_zip_s_member_without_any_name_is_refused(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("x", b"1")
    content = path.read_bytes()
    at = content.index(b"PK\x01\x02")
    central = bytearray(content[at:])
    central[28:30] = b"\0\0"  # the length of its name, of which the rest is taken for a comment
    central[32:34] = b"\1\0"
    path.write_bytes(content[:at] + bytes(central))
    with pytest.raises(DataError, match="member 1 has no name"):
        unpack(path, tmp_path / "into")


@pytest.mark.parametrize("made", [hostile.zip_named, hostile.tar_named])
def test_more_members_than_any_data_have_are_refused(tmp_path, monkeypatch, made):
    monkeypatch.setattr(archives, "MOST_MEMBERS", 20)
    (tmp_path / "a").write_bytes(made(*map(str, range(20))))
    by_unpacking(tmp_path / "a", tmp_path)
    assert len(list((tmp_path / "into").iterdir())) == 20
    (tmp_path / "b").write_bytes(made(*map(str, range(21))))
    (tmp_path / "again").mkdir()
    with pytest.raises(DataError, match="more than 20 members"):
        by_unpacking(tmp_path / "b", tmp_path / "again")


def test_an_archive_in_an_archive_stays_packed(tmp_path):
    inner = hostile.zip_named("../up.txt")
    (tmp_path / "a").write_bytes(hostile.zip_named("inner.zip", content=inner))
    by_unpacking(tmp_path / "a", tmp_path)
    assert [path.name for path in (tmp_path / "into").iterdir()] == ["inner.zip"]
    assert (tmp_path / "into" / "inner.zip").read_bytes() == inner


def test_a_zip_with_a_password_or_a_rare_method_is_refused(tmp_path):
    (tmp_path / "into").mkdir()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as packed:
        packed.writestr("a.txt", "text")
    (tmp_path / "a").write_bytes(out.getvalue())
    with pytest.raises(DataError, match="packed by method 12"):
        unpack(tmp_path / "a", tmp_path / "into")
    locked = bytearray(hostile.zip_named("a.txt"))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + place] |= 1
    (tmp_path / "b").write_bytes(locked)
    with pytest.raises(DataError, match="it wants a password"):
        unpack(tmp_path / "b", tmp_path / "into")


def test_a_member_that_states_another_size_than_it_has_is_refused(tmp_path):
    (tmp_path / "into").mkdir()
    (tmp_path / "a").write_bytes(hostile.zipped(("a.txt", 0, b"four", 400)))
    with pytest.raises(DataError, match="cut or damaged"):
        unpack(tmp_path / "a", tmp_path / "into")


@pytest.mark.parametrize("name", [*hostile.UP, *hostile.ABSOLUTE])
def test_parts_of_word_documents_and_workbooks_are_never_written_anywhere(tmp_path, name):
    # Both are zips of which single parts are read into memory, by their own names.
    content = hostile.zip_named(name)
    with pytest.raises(DataError, match="without a Word document"):
        list(read_document(content, "a.docx"))
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(DataError, match="the workbook is cut or no xlsx"):
        read_xlsx(tmp_path / "a.xlsx", ["text"])
    assert [path.name for path in tmp_path.rglob("*")] == ["a.xlsx"]


@pytest.mark.parametrize("name", ["../up.xml", "/tmp/absolute.xml", "C:/a.xml"])
def test_a_7z_dump_is_read_as_a_stream_whatever_its_member_is_called(tmp_path, name):
    py7zr = pytest.importorskip("py7zr")
    with py7zr.SevenZipFile(tmp_path / "a.7z", "w") as packed:
        packed.writestr("<mediawiki version='0.11'></mediawiki>", "plain.xml")
        packed.header.files_info.files[0]["filename"] = name
    before = set(tmp_path.parent.rglob("*"))
    error = hostile.refusal(lambda: list(read_dump(tmp_path / "a.7z")))
    assert error is None or error.exit_code == 2
    assert set(tmp_path.parent.rglob("*")) == before


def test_doors_that_take_no_archive_say_so(tmp_path):
    from slant.annotate.conversion import convert_annotations
    from slant.annotate.folders import read_articles

    (tmp_path / "a.zip").write_bytes(hostile.zip_named("../up.txt"))
    for door in (
        lambda: list(read_document(hostile.zip_named("../up.txt"), "a.zip")),
        lambda: read_articles(tmp_path / "a.zip"),
        lambda: convert_annotations(tmp_path / "a.zip", tmp_path / "out", "jsonl"),
    ):
        with pytest.raises(SlantError):
            door()
    assert [path.name for path in tmp_path.rglob("*")] == ["a.zip"]
