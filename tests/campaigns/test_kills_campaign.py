"""The campaign of kills for a few of them, and whether it sees what a kill leaves."""

from __future__ import annotations

import os

import pytest
from conducting import conducted

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="commands are tried in forks")

UNCLEARED = """
import sys
import slant.data.writing
slant.data.writing.clear_abandoned = lambda folder: None
import kills
from outcomes import conducted
sys.exit(conducted("kills", kills.ABOUT, 9, kills.trial))
"""


def tried(tmp_path, *words):
    return conducted(tmp_path, *words, "--only", "embed plant", "--seed", "3")


def test_a_command_that_is_killed_again_and_again_ends_with_the_same_bytes(tmp_path):
    ended, rows = tried(tmp_path, "campaigns/kills.py", "--times", "4")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (row,) = rows.values()
    assert (row["what"], row["tried"], row["held"]) == ("slant embed plant", 4, 4)
    # sets.json, planted.json and two corpora; each is written beside its place and renamed.
    assert row["figures"]["files"] == 4
    assert row["figures"]["writes"] >= 8


def test_temporary_files_that_nobody_takes_away_are_seen(tmp_path):
    ended, rows = tried(tmp_path, "-c", UNCLEARED, "--times", "12")
    assert ended.returncode == 1
    assert any("left over: made/." in one for one in next(iter(rows.values()))["failures"])
