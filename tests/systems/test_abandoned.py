"""Checkpoints that nobody went on with are removed, those in use never."""

from __future__ import annotations

import os
import time
from importlib.util import find_spec

import pytest
from filelock import FileLock
from tiny import toy_fold

from slant.errors import OptionError
from slant.systems.abandoned import remove_abandoned
from slant.systems.encoder import cache_folder
from slant.systems.finetuned import encoder_system

DAY = 24 * 3600


def training(root, name, days):
    """A folder with one checkpoint that was written so many days ago."""
    checkpoint = root / name / "checkpoint-4"
    checkpoint.mkdir(parents=True)
    (checkpoint / "optimizer.pt").write_text("x")
    (root / f"{name}.lock").touch()
    aged(root / name, days)
    return root / name


def aged(folder, days):
    then = time.time() - days * DAY
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (then, then))


def test_only_what_nobody_changed_for_a_week_is_removed(tmp_path):
    old, young = training(tmp_path, "old", 8), training(tmp_path, "young", 6)
    # The folder is old, what is inside is not.
    inside = training(tmp_path, "inside", 8)
    (inside / "checkpoint-4" / "optimizer.pt").write_text("y")
    assert remove_abandoned(tmp_path) == [old]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "inside", "inside.lock", "young", "young.lock",
    ]  # fmt: skip
    assert young.exists()


def test_a_training_in_progress_is_left_alone_however_old_its_checkpoint(tmp_path):
    held = training(tmp_path, "held", 100)
    with FileLock(held.with_suffix(".lock")):
        assert remove_abandoned(tmp_path) == []
        assert (held / "checkpoint-4" / "optimizer.pt").exists()
    assert remove_abandoned(tmp_path) == [held]


def test_without_any_training_nothing_is_removed(tmp_path):
    assert remove_abandoned(tmp_path / "none") == []


@pytest.mark.skipif(not find_spec("torch"), reason="the extra encoders is not installed")
def test_the_next_training_removes_the_abandoned_and_resumes_its_own(tiny_folders, monkeypatch):
    root = cache_folder() / "training"
    abandoned = training(root, "abandoned", 8)
    from slant.systems import training as code

    def trained():
        system = encoder_system(str(tiny_folders()), epochs=2, batch=8, max_length=16, lr=0.005)
        return next(iter(system([toy_fold()], 1)))

    real = code.step_seed

    def stops(seed, step):
        if step == 4:  # of 3 steps an epoch: the second of epoch 2
            raise OptionError("Training", "it is stopped", "Go on")
        return real(seed, step)

    monkeypatch.setattr(code, "step_seed", stops)
    with pytest.raises(OptionError, match="it is stopped"):
        trained()
    assert not abandoned.exists()
    (own,) = (path for path in root.iterdir() if path.is_dir())
    aged(own, 8)
    steps = []
    monkeypatch.setattr(code, "step_seed", lambda s, n: steps.append(n) or real(s, n))
    trained()
    assert steps == [3, 4, 5]
    assert list(root.iterdir()) == []
