"""Every command is fuzzed, for a few tries; and a command that breaks is reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "campaigns"))

from fuzzed.commandlines import LINES  # noqa: E402
from fuzzed.mutating import Lines  # noqa: E402
from fuzzed.running import Ended, World, run, snapshot, wrong  # noqa: E402
from fuzzing_commands import every_command, row_of  # noqa: E402


def test_a_few_commands_end_as_they_must(tmp_path):
    out = tmp_path / "rows.json"
    ended = subprocess.run(
        [sys.executable, "campaigns/fuzzing_commands.py", "--times", "15", "--out", str(out),
         "--only", "slant systems", "--only", "slant bait schema", "--only", "slant data show"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    rows = json.loads(out.read_text())["rows"]
    assert [(row["tried"], row["held"]) for row in rows] == [(15, 15)] * 3


def test_every_command_of_the_tree_has_lines():
    assert set(every_command()) == set(LINES)


NOTHING: dict[str, tuple[int, int]] = {}


def ended(code, errors="", failure=None):
    return Ended(code, b"", errors, failure)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (ended(70, failure="KeyError at x.py:1: 'a'"), "KeyError"),
        (ended(3), "exit code 3"),
        (ended(2, "error: a\nerror: b\n"), "2 error lines"),
        (ended(2, "error: a\nsomething else\n"), "1 error lines"),
        (ended(2, ""), "0 error lines"),
        (ended(0, "error: a\n"), "an error and exit code 0"),
        (ended(2, "x.py:3: UserWarning: y\nerror: a\n"), "more than one line of its own"),
        (ended(2, f"error: {'x' * 5000}\n"), "an error of 5,007 characters"),
    ],
)
def test_an_end_that_does_not_hold_is_told(end, said):
    assert said in wrong(end, NOTHING, NOTHING)


def test_one_line_and_nothing_left_holds():
    assert wrong(ended(2, "note\nerror: a.\n"), NOTHING, NOTHING) is None
    assert wrong(ended(0, "note\n"), NOTHING, {"out": (3, 1)}) is None
    assert wrong(ended(1, "some answers never came\n"), NOTHING, NOTHING) is None


def test_what_a_refused_command_leaves_or_changes_is_told():
    before = {"a.csv": (3, 1), "run": (-1, 0), "store": (-1, 0)}
    refused = ended(2, "error: no.\n")
    assert "'out'" in wrong(refused, before, {**before, "out": (-1, 0)})
    assert "'a.csv'" in wrong(refused, before, {**before, "a.csv": (3, 2)})
    assert "'a.csv'" in wrong(refused, before, {"run": (-1, 0), "store": (-1, 0)})
    assert "out/.lock" in wrong(refused, before, {**before, "out": (-1, 0), "out/.lock": (0, 1)})
    # A lock in a folder that was there, and what the store keeps, are nothing half-written.
    kept = {"run/.lock": (0, 1), "store/tasks/x/rows.parquet": (9, 9)}
    assert wrong(refused, before, {**before, **kept}) is None


def small_world(tmp_path):
    folder = tmp_path / "world"
    folder.mkdir()
    (folder / "schema.toml").write_text((ROOT / "src/slant/data/schemas/ptc.toml").read_text())
    (folder / "given.csv").write_text("id,text\n1,x\n")
    return World(folder)


def test_a_command_that_raises_is_reported(tmp_path, monkeypatch):
    def broken(name):
        raise KeyError(name)

    monkeypatch.setattr("slant.data.schemas.load_schema", broken)
    monkeypatch.chdir(tmp_path)
    row = row_of("bait schema", ["--json", "--schema"], small_world(tmp_path), 12, 13)
    assert row.tried == 12
    assert row.held < 12
    assert "KeyError" in row.failures[0]


def test_the_folder_is_as_it_was_after_each_try(tmp_path, monkeypatch):
    world = small_world(tmp_path)
    monkeypatch.chdir(world.place)
    (world.folder / "new").mkdir()
    (world.folder / "new" / "x").write_text("x")
    (world.folder / "given.csv").unlink()
    (world.folder / "schema.toml").write_text("other")
    world.restored(snapshot(world.folder))
    assert snapshot(world.folder) == world.before
    assert (world.folder / "given.csv").read_text() == "id,text\n1,x\n"


def test_inputs_are_the_same_for_the_same_seed_and_damage_stays_in_its_folder(
    tmp_path, monkeypatch
):
    world = small_world(tmp_path)
    monkeypatch.chdir(world.place)
    drawn = Lines(LINES["bait schema"], ["--json", "--schema"], world.folder)
    made = [[drawn.drawn(by, n) for n in range(60)] for by in (Random(3), Random(3))]
    assert made[0] == made[1]
    after = snapshot(world.folder)
    assert {name.partition("/")[0] for name in set(after) - set(world.before)} == {"damaged"}


def test_a_run_in_this_process_has_the_codes_and_lines_of_a_terminal():
    assert run(["bait", "schema", "--schema", "none"]).code == 2
    assert (
        run(["systems", "--json"]).out.startswith(b"{")
        or run(["systems", "--json"]).out[:1] == b"["
    )
    odd = run(["data", "show", "caf\udce9"])
    assert odd.code == 2
    assert odd.errors.count("error: ") == 1
    assert os.getcwd()
