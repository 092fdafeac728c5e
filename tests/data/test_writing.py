from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from functools import partial

import polars as pl
import pytest

from slant.data.writing import (
    check_room,
    clear_abandoned,
    intact,
    refusal,
    replacing,
    sealed,
    temporary_beside,
    temporary_folder,
)
from slant.errors import DiskFull, OptionError, PlaceRefused, WorkFailed

TABLE = pl.DataFrame({"id": ["072-0"], "text": ["a"]})


def test_parquet_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "072.parquet"
    sealed(path, TABLE.write_parquet)
    assert pl.read_parquet(path).equals(TABLE)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(WorkFailed, match="no space is left on the disk"):
        sealed(tmp_path / "other.parquet", TABLE.write_parquet)
    assert [p.name for p in tmp_path.iterdir()] == ["deep"]


def test_polars_own_exception_for_a_full_disk_is_understood(tmp_path, monkeypatch):
    def full(*_, **__):
        raise pl.exceptions.ComputeError("No space left on device (os error 28)")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(WorkFailed, match="no space is left on the disk"):
        sealed(tmp_path / "other.parquet", TABLE.write_parquet)


def test_a_full_disk_is_for_the_user_to_change_and_other_faults_of_the_disk_are_not():
    assert DiskFull.exit_code == 2
    assert WorkFailed.exit_code == 1


def test_a_changed_bit_or_a_missing_sum_is_noticed(tmp_path):
    path = tmp_path / "a.parquet"
    sealed(path, partial(TABLE.write_parquet, compression="zstd"))
    whole = path.read_bytes()
    assert intact(path) == whole
    path.write_bytes(whole[:9] + bytes([whole[9] ^ 1]) + whole[10:])
    assert intact(path) is None
    path.write_bytes(whole)
    path.with_suffix(".sha256").unlink()
    assert intact(path) is None


def test_a_path_without_a_name_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError), replacing(tmp_path.__class__("")):
        pass


KILLED = """
import os, signal, sys
from pathlib import Path
from slant.data.writing import replacing, temporary_folder
with replacing(Path("a.txt")) as path, temporary_folder(Path("b")) as folder:
    path.write_text("half")
    (folder / "c").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="only there can a process be looked for")
def test_what_a_killed_process_was_writing_is_gone_with_the_next_that_writes_there(tmp_path):
    child = subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, check=False)
    assert child.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2
    with replacing(tmp_path / "other.txt") as path:
        path.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["other.txt"]


def test_what_a_living_process_or_another_machine_writes_is_left_alone(tmp_path):
    own = temporary_beside(tmp_path / "a.txt")
    mine, process = own.name.rsplit("-", 1)
    machine = mine.rsplit(".", 1)[1]
    others = mine.replace(machine, "0" * 8)
    kept = {own.name, f"{others}-4194304.tmp", "notes.tmp", ".a.txt.tmp"}
    for name in kept:
        (tmp_path / name).write_text("x")
    clear_abandoned(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == kept
    assert process == f"{os.getpid()}.tmp"


def test_a_temporary_folder_is_gone_whether_or_not_its_content_was_taken(tmp_path):
    with temporary_folder(tmp_path / "deep" / "a") as room:
        (room / "b").write_text("x")
        room.replace(tmp_path / "deep" / "a")
    with pytest.raises(ZeroDivisionError), temporary_folder(tmp_path / "deep" / "c"):
        raise ZeroDivisionError
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("error", "kind", "found"),
    [
        (OSError(errno.ENOSPC, "x"), DiskFull, "no space is left on the disk"),
        (OSError(errno.EDQUOT, "x"), DiskFull, "no space is left on the disk"),
        (OSError("No space left on device (os error 28): a.parquet"), DiskFull, "no space is left"),
        (sqlite3.OperationalError("database or disk is full"), DiskFull, "no space is left"),
        (RuntimeError("PytorchStreamWriter failed writing file"), DiskFull, "no space is left"),
        (OSError(errno.EROFS, "x"), PlaceRefused, "Read-only file system"),
        (OSError("Permission denied (os error 13): a"), PlaceRefused, "Permission denied"),
        (sqlite3.OperationalError("unable to open database file"), PlaceRefused, "Permission"),
        (OSError(errno.ENAMETOOLONG, "x"), PlaceRefused, "File name too long"),
        (OSError(errno.ENOTDIR, "x"), PlaceRefused, "Not a directory"),
        (OSError(errno.EIO, "x"), WorkFailed, "Input/output error"),
    ],
)
def test_what_the_system_says_of_a_place_is_told_alike_whoever_passes_it_on(error, kind, found):
    told = refusal("Writing 'a'", error)
    assert type(told) is kind
    assert found in told.found
    # A place is what the user gave and must change; a broken disk is not.
    assert told.exit_code == (1 if kind is WorkFailed else 2)


def test_a_librarys_own_error_is_a_full_disk_where_the_system_says_so(tmp_path, monkeypatch):
    """polars says of a disk that is full in the middle that the file is out of specification."""

    def torn(temporary):
        raise pl.exceptions.ComputeError("parquet: File out of specification: transport error")

    # On a disk with room it is the library's error, and stays one.
    with pytest.raises(pl.exceptions.ComputeError), replacing(tmp_path / "a") as temporary:
        torn(temporary)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("slant.data.writing.os.fsync", full)
    with pytest.raises(DiskFull, match="no space is left"), replacing(tmp_path / "a") as temporary:
        torn(temporary)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_room_is_left_as_it_was_and_one_without_is_named(tmp_path, monkeypatch):
    check_room(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(WorkFailed, match="none"):
        check_room(tmp_path / "none")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("slant.data.writing.os.fsync", full)
    with pytest.raises(DiskFull, match=str(tmp_path)):
        check_room(tmp_path)
    assert list(tmp_path.iterdir()) == []
