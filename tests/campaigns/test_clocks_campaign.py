"""The campaign of clocks, for a few tries; and that it sees what goes by the clock."""

from __future__ import annotations

from conducting import conducted

CHANGED = "a file with other bytes under its old size and time"
WAITS = "a server that asks to wait until a date"
OWN = ("--only", CHANGED, "--only", "the list of analyses", "--only", WAITS)
STALE = """
import slant.data.hashes as hashes
hashes.file_stamp = lambda path: (path.stat().st_size, path.stat().st_mtime_ns)
"""


def campaign(tmp_path, *words, planted=""):
    ended, rows = conducted(tmp_path, "campaigns/clocks.py", *words, planted=planted)
    return ended.returncode, rows


def test_another_time_changes_no_result(tmp_path):
    code, rows = campaign(tmp_path, "--times", "2", "--only", "data export", *OWN)
    assert code == 0, rows
    assert [(row["held"], row["tried"]) for row in rows.values()] == [(2, 2)] * 4
    assert rows["slant data export"]["figures"]["killed"] == 1


def test_a_memory_that_goes_by_the_time_of_a_file_alone_is_reported(tmp_path):
    code, rows = campaign(tmp_path, "--times", "2", *OWN, planted=STALE)
    assert code == 1
    assert {what: row["held"] for what, row in rows.items()} == {
        CHANGED: 0, "the list of analyses": 2, WAITS: 2,
    }  # fmt: skip
