"""Training: what resumes, what stops it, what it leaves behind."""

import json
import math
import multiprocessing
import os
import random
import signal
import weakref
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from tiny import toy_fold

from slant.errors import DiskFull, OptionError
from slant.systems import training
from slant.systems.encoder import cache_folder
from slant.systems.finetune import (
    WHOLE,
    Head,
    Settings,
    best_epoch,
    finished,
    last_whole,
    log_loss,
    tidy,
)
from slant.systems.finetuned import trained_encoder
from slant.types import Fold

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
needs_encoders = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")

# 16 training texts in batches of 4: 4 steps an epoch.
SETTINGS = Settings(
    epochs=3, lr=3e-3, batch=4, precision="float32", patience=0, warmup=0.1, weight_decay=0.01,
    balanced=False,
)  # fmt: skip


def trained(folder, fold=None, seed=42, **changed):
    fold = fold or toy_fold(16)
    return trained_encoder(str(folder), [fold], replace(SETTINGS, **changed), seed, 32, "window")


def weights(encoder):
    return {name: value.clone() for name, value in encoder.model.state_dict().items()}


def same(one, other):
    return all((one[name] == other[name]).all() for name in one)


def losses(log, name="loss"):
    return [entry[name] for entry in log if name in entry]


@needs_encoders
def test_the_loss_falls_and_each_epoch_is_logged(tiny_folders):
    _, log = trained(tiny_folders())
    assert len(losses(log)) == len(losses(log, "eval_loss")) == 3
    assert losses(log)[2] < losses(log)[0]


@pytest.fixture(scope="module")
def uninterrupted(tiny_folders, tmp_path_factory):
    """The weights that a training from start to end leaves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(tmp_path_factory.mktemp("whole")))
        return weights(trained(tiny_folders())[0])


@needs_encoders
@pytest.mark.parametrize("place", ["step", "save", "between"])
def test_a_killed_training_resumes_to_the_same_bits(
    place, uninterrupted, tiny_folders, monkeypatch, tmp_path
):
    """Killed with SIGKILL in step 7 (the third of epoch 2), in the middle of writing epoch 2's
    checkpoint, or just behind it."""
    folder = tiny_folders()
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "killed"))
    # A fork of this process would hang: torch's threads for gradients do not survive it. A server
    # that has only imported torch can be forked at once for each case.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["transformers.trainer", "transformers.models.bert.modeling_bert"]
    )
    process = context.Process(
        target=dies, args=(folder, str(tmp_path / "killed"), place), daemon=True
    )
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    (left,) = (cache_folder() / "training").glob("*/")
    assert last_whole(left).name == {"between": "checkpoint-8"}.get(place, "checkpoint-4")
    steps = []
    real = training.step_seed
    monkeypatch.setattr(training, "step_seed", lambda s, n: steps.append(n) or real(s, n))
    resumed, log = trained(folder)
    assert steps == list(range(8 if place == "between" else 4, 12))
    assert same(weights(resumed), uninterrupted)
    assert len(losses(log)) == 3
    assert not left.exists()


def dies(folder, cache, place):
    """Run in a process of its own: train, and be killed."""
    os.environ["SLANT_CACHE"] = cache
    real_seed, real_replace, real_tidy = training.step_seed, os.replace, training.tidy

    def kill():
        os.kill(os.getpid(), signal.SIGKILL)

    def seed(s, step):
        if place == "step" and step == 6:
            kill()
        return real_seed(s, step)

    def replaced(source, target):
        if place == "save" and str(target).endswith(f"checkpoint-8/{WHOLE}"):
            kill()
        return real_replace(source, target)

    def tidied(where, best):
        real_tidy(where, best)
        if place == "between" and (where / "checkpoint-8").exists():
            kill()

    training.step_seed, training.tidy, os.replace = seed, tidied, replaced
    trained(folder)


@needs_encoders
def test_the_best_epoch_on_dev_is_restored_and_training_stops(tiny_folders):
    # Dev has its labels turned: the better train is learnt, the worse dev becomes.
    fold = toy_fold(16)
    turned = [
        replace(e, gold=other.gold)
        for e, other in zip(fold.dev, [*fold.dev[1:], fold.dev[0]], strict=True)
    ]
    fold = Fold(fold.train, turned, fold.test)
    one, log = trained(tiny_folders(), fold, epochs=8, patience=2)
    seen = losses(log, "eval_loss")
    best = best_epoch(log)
    assert len(seen) == best + 2 < 8
    shorter, _ = trained(tiny_folders(), fold, epochs=8, patience=1)
    assert min(seen) == seen[best - 1]
    assert best > 1 or same(weights(one), weights(shorter))


@needs_encoders
def test_without_dev_all_epochs_are_trained(tiny_folders):
    fold = toy_fold(16)
    _, log = trained(tiny_folders(), Fold(fold.train, [], fold.test), patience=1)
    assert len(losses(log)) == 3
    assert losses(log, "eval_loss") == []


def test_a_training_that_had_stopped_early_is_finished():
    history = [{"epoch": 1.0, "eval_loss": 0.2}, {"epoch": 2.0, "eval_loss": 0.3}]
    assert finished(history, replace(SETTINGS, patience=1))
    assert not finished(history, replace(SETTINGS, patience=2))
    assert not finished(history, SETTINGS)
    assert finished([*history, {"epoch": 3.0, "eval_loss": 0.4}], SETTINGS)
    assert not finished([], SETTINGS)


@needs_encoders
def test_random_states_are_left_as_they_were(tiny_folders):
    import torch

    before = torch.random.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()
    trained(tiny_folders())
    after = torch.random.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()
    assert (before[0] == after[0]).all()
    assert before[1:] == after[1:]


@needs_encoders
def test_the_state_of_the_caller_changes_nothing(tiny_folders, uninterrupted):
    import torch

    with torch.random.fork_rng():
        torch.rand(100)
        assert same(weights(trained(tiny_folders())[0]), uninterrupted)


@needs_encoders
def test_a_loss_that_is_no_number_stops_and_keeps_the_last_checkpoint(tiny_folders, monkeypatch):
    import torch

    real_seed, real_entropy = training.step_seed, torch.nn.functional.cross_entropy
    at = []

    def spoilt(logits, *more, **named):
        return real_entropy(logits, *more, **named) * (math.nan if at[-1] == 5 else 1)

    monkeypatch.setattr(training, "step_seed", lambda s, n: at.append(n) or real_seed(s, n))
    monkeypatch.setattr(torch.nn.functional, "cross_entropy", spoilt)
    with pytest.raises(OptionError) as caught:
        trained(tiny_folders())
    assert "the loss is nan in epoch 2, step 2 of 4. Give an lr below 0.003" in str(caught.value)
    (left,) = (cache_folder() / "training").glob("*/")
    assert last_whole(left).name == "checkpoint-4"


@needs_encoders
@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("DefaultCPUAllocator: can't allocate memory"),
        RuntimeError("could not create a primitive"),  # what oneDNN says under `ulimit -v`
        MemoryError(),
    ],
)
@pytest.mark.parametrize(
    ("most", "says"),
    [(5, "Give batch=4, which fits"), (1, "Give batch=1"), (0, "one text alone is too large")],
)
def test_where_memory_runs_out_the_batch_that_fits_is_named(
    error, most, says, tiny_folders, monkeypatch
):
    import torch

    real = torch.nn.functional.cross_entropy

    def small(logits, *more, **named):
        if len(logits) > most:
            raise error
        return real(logits, *more, **named)

    monkeypatch.setattr(torch.nn.functional, "cross_entropy", small)
    with pytest.raises(OptionError, match=f"with batch=16: memory ran out.*{says}"):
        trained(tiny_folders(), batch=16)


@needs_encoders
def test_the_step_that_was_too_large_is_let_go_before_a_smaller_one_is_tried(
    tiny_folders, monkeypatch
):
    import torch

    class Large:
        pass

    real, held, alive = torch.nn.functional.cross_entropy, [], []

    def small(logits, *more, **named):
        alive.extend(one() is not None for one in held)
        if len(logits) > 4:
            large = Large()
            held[:] = [weakref.ref(large)]
            raise MemoryError
        return real(logits, *more, **named)

    monkeypatch.setattr(torch.nn.functional, "cross_entropy", small)
    with pytest.raises(OptionError, match="Give batch=4, which fits"):
        trained(tiny_folders(), batch=16)
    assert alive == [False, False]  # when 8 was tried, and when 4 was


@needs_encoders
@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        RuntimeError("[enforce fail] PytorchStreamWriter failed writing file data/1"),
        RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 13760 vs 13648"),
    ],
)
def test_a_full_disk_is_one_clear_line(error, tiny_folders, monkeypatch):
    def full(source, target):
        raise error

    monkeypatch.setattr(training.os, "replace", full)
    with pytest.raises(DiskFull, match=r"Keeping a checkpoint of encoder:.*Free space"):
        trained(tiny_folders())


@needs_encoders
def test_another_error_is_not_taken_for_a_lack_of_memory(tiny_folders, monkeypatch):
    import torch

    def broken(*given, **named):
        raise RuntimeError("something else")

    monkeypatch.setattr(torch.nn.functional, "cross_entropy", broken)
    with pytest.raises(RuntimeError, match="something else"):
        trained(tiny_folders())


@needs_encoders
def test_bf16_trains_and_says_other_bits(tiny_folders, uninterrupted):
    half, log = trained(tiny_folders(), precision="bf16")
    assert losses(log)[2] < losses(log)[0]
    assert not same(uninterrupted, weights(half))


def test_windows_share_the_weight_of_their_text():
    from slant.systems.batches import Text

    window = np.arange(3, dtype=np.int32)
    texts = [Text((window,), 0), Text((window, window), 0)]
    # 1, 1/2, 1/2 over their mean of 2/3.
    head = Head(texts, np.array([0, 1]), [], np.array([]))
    plain = training.window_rows([head], balanced=False)
    assert [row["weight"] for row in plain] == pytest.approx([1.5, 0.75, 0.75])
    # Three non-biased, one biased: 0.5 / 0.75 = 2/3 and 0.5 / 0.25 = 2, their mean is 1.
    other = Head(texts[:1] * 4, np.array([0, 0, 0, 1]), [], np.array([]))
    four = training.window_rows([other], balanced=True)
    assert [row["weight"] for row in four] == pytest.approx([2 / 3] * 3 + [2])
    # Each head's weights have a mean of 1 of their own.
    both = training.window_rows([other, head], balanced=False)
    assert [row["head"] for row in both] == [0] * 4 + [1] * 3
    assert [row["weight"] for row in both] == pytest.approx([1] * 4 + [1.5, 0.75, 0.75])


def test_the_first_of_equally_good_epochs_is_the_best():
    assert (
        best_epoch([{"eval_loss": 0.4}, {"loss": 1.0}, {"eval_loss": 0.3}, {"eval_loss": 0.3}]) == 2
    )
    assert best_epoch([{"loss": 1.0}]) is None


def test_the_log_loss_of_a_sure_mistake_is_finite():
    # -ln 0.8 = 0.2231, -ln 0.5 = 0.6931; their mean is 0.4581.
    assert log_loss(np.array([0.8, 0.5]), np.array([1, 0])) == pytest.approx(0.4581, abs=1e-4)
    assert log_loss(np.array([0.0]), np.array([1])) == pytest.approx(-math.log(1e-15))


def test_the_last_checkpoint_and_the_weights_of_the_best_are_kept(tmp_path):
    for step in (4, 8, 12):
        made = tmp_path / f"checkpoint-{step}"
        made.mkdir()
        for name in ("optimizer.pt", "model.safetensors", WHOLE):
            (made / name).write_text(json.dumps({"steps": 4}))
    (tmp_path / "checkpoint-16").mkdir()  # a kill in the middle of writing it
    tidy(tmp_path, tmp_path / "checkpoint-4")
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert left == {
        "checkpoint-4/model.safetensors", "checkpoint-12/optimizer.pt", "checkpoint-12/model.safetensors",
    }  # fmt: skip
    assert last_whole(tmp_path).name == "checkpoint-12"
