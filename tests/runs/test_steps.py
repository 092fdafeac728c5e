"""What is shown while a cell is in work."""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "systems"))
from tiny import save_tiny

from slant.runs import steps
from slant.runs.engine import Cell
from slant.runs.run import run
from slant.runs.steps import read_step, step_path, watched_steps, written_steps
from slant.systems.steps import listening, tell

needs_encoders = pytest.mark.skipif(
    not find_spec("torch"), reason="the extra encoders is not installed"
)


def test_a_step_is_told_as_epoch_step_and_share():
    heard = []
    tell(1, 8, 2)  # nobody listens
    with listening(lambda share, what: heard.append((share, what))):
        for step in (1, 4, 5, 8):
            tell(step, 8, 2)
    tell(8, 8, 2)
    assert heard == [
        (1 / 8, "epoch 1 of 2, step 1 of 4"),
        (4 / 8, "epoch 1 of 2, step 4 of 4"),
        (5 / 8, "epoch 2 of 2, step 1 of 4"),
        (1.0, "epoch 2 of 2, step 4 of 4"),
    ]


def test_a_cell_in_work_says_how_far_it_is_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "PAUSE", 0.0)
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    cell = tmp_path / "cells" / "task" / "42-0.parquet"
    assert read_step(cell) is None
    with written_steps(cell):
        tell(1, 8, 2)
        assert read_step(cell) == (1 / 8, "epoch 1 of 2, step 1 of 4")
        now[0] += 10  # a step in 10 s, so that 6 more take 60
        tell(2, 8, 2)
        assert read_step(cell) == (2 / 8, "epoch 1 of 2, step 2 of 4, 60 s left")
        now[0] += 590  # two steps in 600 s from the first on, 5 more take 1,500
        tell(3, 8, 2)
        assert read_step(cell) == (3 / 8, "epoch 1 of 2, step 3 of 4, 25 min left")
    assert list(cell.parent.iterdir()) == []


def test_a_step_that_cannot_be_written_or_read_hinders_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "PAUSE", 0.0)
    (tmp_path / "file").touch()
    with written_steps(tmp_path / "file" / "42-0.parquet"):
        tell(1, 8, 2)
    for content in ("", "[1", "{}", "[]", '["x", 1]', "7"):
        step_path(tmp_path / "42-0.parquet").write_text(content)
        assert read_step(tmp_path / "42-0.parquet") is None


def test_the_driver_adds_the_shares_of_the_cells_in_work_and_never_goes_back(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "PAUSE", 0.01)
    cells = [Cell("t", 42, n, Path(), tmp_path / f"42-{n}.parquet") for n in range(4)]
    step_path(cells[3].path).write_text('[0.9, "of a run that was killed"]')
    heard = []

    def wait(words):
        end = time.monotonic() + 20
        while not any(words in what for _, _, what in list(heard)):
            assert time.monotonic() < end
            time.sleep(0.01)

    with watched_steps(cells, lambda *told: heard.append(told)) as told:
        for n in range(3):
            step_path(cells[n].path).write_text(f'[0.{n + 2}, "step {n}"]')
        wait("t 42-0 step 0 · t 42-1 step 1 · 1 more")
        assert max(done for done, _, _ in heard) == pytest.approx(0.9)  # 0.2 + 0.3 + 0.4
        step_path(cells[0].path).unlink()  # ended, and not yet counted
        told(1, 4, "t 42-0")
        wait("t 42-0")
    done = [share for share, _, _ in heard]
    assert done == sorted(done)
    assert done[-1] == pytest.approx(1.7)  # 1 + 0.3 + 0.4
    assert {total for _, total, _ in heard} == {4}


@needs_encoders
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_training_is_seen_from_outside_and_its_cells_are_the_same(tmp_path, monkeypatch, jobs):
    checkpoint = save_tiny(tmp_path / "tiny", "bert")
    heard = []
    if jobs == 1:
        monkeypatch.setattr(steps, "PAUSE", 0.01)
    made = run(
        "open/sentences", f"encoder:{checkpoint}", tmp_path / f"run{jobs}", jobs=jobs,
        params={"epochs": 2, "max_length": 64, "batch": 4}, options={"folds": "2"},
        progress=lambda *told: heard.append(told),
    )  # fmt: skip
    if jobs == 1:  # processes that joblib starts keep the pause of seconds
        assert any("epoch 2 of 2" in what and 0 < done < 2 for done, _, what in heard)
    assert heard[-1][:2] == (2, 2)
    assert not list(made.folder.rglob("*.step"))
