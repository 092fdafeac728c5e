"""The campaign of full disks, for a few tries; and that it sees a command that does not hold."""

from __future__ import annotations

import pytest
from conducting import ROOT, conducted

TORN = """
import contextlib, slant.data.writing as writing
@contextlib.contextmanager
def torn(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("half of it")
    try:
        yield path
    except OSError as error:
        raise writing.write_failed(path, error) from error
writing.replacing = torn
"""


def campaign(tmp_path, *words, planted=""):
    ended, rows = conducted(tmp_path, "campaigns/disks.py", *words, planted=planted)
    return ended.returncode, rows


def test_a_full_disk_and_a_place_that_takes_nothing_are_met_and_told(tmp_path):
    code, rows = campaign(
        tmp_path, "--times", "3", "--only", "data export", "--only", "annotate new", "--only",
        "a name too long", "--only", "no permission", "--only", "a file for a folder",
    )  # fmt: skip
    assert code == 0, rows
    assert [row["held"] for row in rows.values()] == [3, 3, 2, 2, 2]
    assert rows["slant data export, disk full"]["figures"]["by"] in ("tmpfs", "RLIMIT_FSIZE")


def test_a_command_that_leaves_half_a_file_is_reported(tmp_path):
    code, rows = campaign(tmp_path, "--times", "6", "--only", "embed plant", planted=TORN)
    row = rows["slant embed plant, disk full"]
    assert code == 1
    assert row["held"] < row["tried"] == 6
    assert any("torn: ['planted/" in one for one in row["failures"])


@pytest.fixture
def disks(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "campaigns"))
    import disks

    return disks


def test_an_answer_without_a_path_or_with_a_traceback_is_not_clear(disks, tmp_path):
    from children import Ended

    line = f"error: Writing '{tmp_path}/a': no space is left on the disk."
    assert disks.unclear(Ended(2, "", line, 0.1), tmp_path) is None
    assert "names no path" in disks.unclear(Ended(2, "", "error: No space.", 0.1), tmp_path)
    assert "exit 1" in disks.unclear(Ended(1, "", line, 0.1), tmp_path)
    assert "Traceback" in disks.unclear(Ended(2, "", f"Traceback\n{line}", 0.1), tmp_path)
    assert "2 error lines" in disks.unclear(Ended(2, "", f"{line}\n{line}", 0.1), tmp_path)


def test_files_that_are_neither_old_nor_new_are_torn(disks):
    before, whole = {"a": "1", "b": "1"}, {"a": "2", "b": "2", "c": "3"}
    assert disks.torn({"a": "1", "b": "2"}, before, whole) is None
    assert disks.torn({"a": "0", "b": "1"}, before, whole) == "torn: ['a']"
    assert disks.torn({"a": "1"}, before, whole) == "lost: ['b']"
    assert disks.torn({"a": "1", "b": "1", "d": "9"}, before, whole) == "torn: ['d']"
