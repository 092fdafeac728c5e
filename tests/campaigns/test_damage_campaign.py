"""The campaign of damage for a few files, and whether it sees damage that is believed."""

from __future__ import annotations

import os

import pytest
from conducting import conducted

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="commands are tried in forks")

BELIEVING = """
import sys
import slant.data.sums
slant.data.sums.is_altered = lambda path, content=None: False
import damage
damage.KINDS = ("a flipped bit",)
damage.READERS = {"run tfidf-lr": (("report", "run", "-o", "paper"),)}
damage.chosen = lambda names, _: next((one for one in names if one.endswith("/scores.json")), names[0])
from outcomes import conducted
sys.exit(conducted("damage", damage.ABOUT, 9, damage.trial))
"""


def tried(tmp_path, *words):
    return conducted(tmp_path, *words, "--only", "run tfidf-lr", "--seed", "3")


def test_damaged_files_are_made_again_or_refused(tmp_path):
    ended, rows = tried(tmp_path, "campaigns/damage.py", "--times", "4")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (row,) = rows.values()
    assert (row["tried"], row["held"], sum(row["figures"].values())) == (4, 4, 4)


def test_a_damaged_score_that_is_believed_is_seen(tmp_path):
    """Half of the flips in scores.json leave it JSON; of ten reports one at least believes it."""
    ended, rows = tried(tmp_path, "-c", BELIEVING, "--times", "24")
    assert ended.returncode == 1
    assert next(iter(rows.values()))["failures"]
