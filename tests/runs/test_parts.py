"""Parts of a run in jobs of their own, at the same time, on one folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack

import pytest

from slant.data.writing import temporary_beside
from slant.errors import OptionError, RunError
from slant.runs.parts import Part, chosen_part, of_part
from slant.runs.run import run
from slant.runs.shards import rows_of_part
from slant.runs.store import only_writer

BOUND = 120


def cells_in(folder):
    return {path.relative_to(folder): path for path in folder.rglob("cells/**/*.parquet")}


@pytest.mark.parametrize("of", [1, 2, 3, 8])
def test_the_parts_are_the_whole_and_share_nothing(of):
    parts = [of_part(range(11), Part(number, of)) for number in range(1, of + 1)]
    assert sorted(one for part in parts for one in part) == list(range(11))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    rows = [rows_of_part(105, 10, Part(number, of)) for number in range(1, of + 1)]
    assert sum(rows) == rows_of_part(105, 10, None) == 105


def test_two_processes_work_off_two_parts_at_once_and_the_plain_command_scores(tmp_path):
    """Both find the cache of the prepared task cold."""
    out = tmp_path / "parts"
    commands = [
        subprocess.Popen(
            [sys.executable, "-m", "slant", "run", "open/sentences", "-s", "tfidf-lr", "--jobs",
             "1", "-q", "-o", str(out), "--part", f"{number}/2"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ),
        )
        for number in (1, 2)
    ]  # fmt: skip
    for number, process in enumerate(commands, start=1):
        with process:
            _, err = process.communicate(timeout=BOUND)
        assert process.returncode == 0, err
        assert f"part {number}/2 is done" in err
    assert not (out / "scores.json").exists()
    assert len(cells_in(out)) == 5
    kept = {path: path.stat().st_mtime_ns for path in cells_in(out).values()}
    run("open/sentences", "tfidf-lr", out, jobs=1, command="slant run")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert json.loads((out / "run.json").read_text())["command"] == "slant run"
    whole = tmp_path / "whole"
    run("open/sentences", "tfidf-lr", whole, jobs=1, command="slant run")
    assert (out / "scores.json").read_bytes() == (whole / "scores.json").read_bytes()
    assert {name: path.read_bytes() for name, path in cells_in(out).items()} == {
        name: path.read_bytes() for name, path in cells_in(whole).items()
    }


def test_a_part_works_off_its_own_cells_alone(tmp_path):
    run("open/sentences", "majority", tmp_path / "run", jobs=1, part="2/3")
    assert sorted(path.stem for path in cells_in(tmp_path / "run")) == ["42-1", "42-4"]
    assert not (tmp_path / "run/scores.json").exists()


def test_parts_stand_beside_each_other_but_nothing_else_does(tmp_path):
    def refused(part, says):
        with pytest.raises(RunError, match=says), only_writer(tmp_path, part):
            pytest.fail("two write at once")

    with ExitStack() as stack:
        for number in (1, 3):
            ready_for_others = stack.enter_context(only_writer(tmp_path, Part(number, 3)))
            ready_for_others()
        refused(Part(1, 3), r"for part 1/3: another process is writing")
        refused(None, r"holds its '\.part-[13]-of-3\.lock'")
        refused(Part(2, 4), r"holds its '\.part-[13]-of-3\.lock'")
        with only_writer(tmp_path, Part(2, 3)):
            pass
    with only_writer(tmp_path):
        refused(Part(1, 3), r"holds its '\.lock'")
        refused(None, "another process is writing")
    with only_writer(tmp_path, Part(2, 4)):
        pass


def test_a_part_of_another_run_is_refused_before_any_cell_is_there(tmp_path):
    out = tmp_path / "run"
    # Five cells: the seventh part of eight has none.
    run("open/sentences", "majority", out, jobs=1, part="7/8")
    before = (out / "run.json").read_bytes()
    with pytest.raises(RunError, match=r"holds another run.*Choose another --out, or remove"):
        run("open/sentences", "random", out, jobs=1, part="1/8")
    assert (out / "run.json").read_bytes() == before
    run("open/sentences", "majority", out, jobs=1, part="1/8", command="another")
    assert (out / "run.json").read_bytes() == before


@pytest.mark.parametrize("text", ["0/8", "9/8", "3", "3/", "/8", "-1/8", "a/b", "3/8/2", "1.0/2"])
def test_what_names_no_part_is_refused(text):
    with pytest.raises(OptionError, match="Write 1/8 to 8/8"):
        chosen_part(text)


def test_a_part_never_starts_over(tmp_path):
    with pytest.raises(OptionError, match="what other parts have done"):
        run("open/sentences", "majority", tmp_path / "run", part="1/2", fresh=True)
    assert not (tmp_path / "run").exists()


def test_processes_of_one_number_on_two_machines_write_to_two_files(tmp_path, monkeypatch):
    here = temporary_beside(tmp_path / "cell")
    monkeypatch.setattr("platform.node", lambda: "another machine")
    assert temporary_beside(tmp_path / "cell") != here
