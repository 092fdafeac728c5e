"""The campaign of two processes on one output, for a few tries; and that it sees them mix."""

from __future__ import annotations

from conducting import conducted

MIXED = """
import contextlib, os, slant.data.writing as writing
@contextlib.contextmanager
def signed(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    yield path
    path.write_text(f"{os.getpid()}")
writing.replacing = signed
"""


def campaign(tmp_path, *words, planted=""):
    ended, rows = conducted(tmp_path, "campaigns/neighbours.py", *words, planted=planted)
    return ended.returncode, rows


def test_two_packages_makers_and_two_servers_never_mix(tmp_path):
    code, rows = campaign(
        tmp_path, "--times", "2", "--only", "annotate new", "--only",
        "slant serve: two servers on one history",
    )  # fmt: skip
    assert code == 0, rows
    assert list(rows) == [
        "slant annotate new: the same command", "slant annotate new: one killed",
        "slant serve: two servers on one history",
    ]  # fmt: skip
    assert all(row["held"] == row["tried"] == 2 for row in rows.values())
    assert rows["slant annotate new: the same command"]["figures"] == {"one refused": 2}


def test_an_output_that_is_neither_ones_nor_the_others_is_reported(tmp_path):
    code, rows = campaign(tmp_path, "--times", "1", "--only", "wiki dump", planted=MIXED)
    assert code == 1
    assert any(
        "other bytes ['w.parquet']" in one for row in rows.values() for one in row["failures"]
    )
