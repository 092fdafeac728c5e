"""A lack of memory is one clear line wherever it strikes."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from tiny import toy_fold

from slant.errors import WorkFailed
from slant.systems.checkpoints import load_encoder
from slant.systems.finetuned import encoder_system
from slant.systems.memory import out_of_memory

pytestmark = pytest.mark.skipif(
    not find_spec("torch"), reason="the extra encoders is not installed"
)
# The two that torch and safetensors raised in a process under `ulimit -v`.
MAPPED = "unable to mmap 90867952 bytes from file <model.safetensors>: Cannot allocate memory (12)"
PRIMITIVE = "could not create a primitive"


@pytest.mark.parametrize(
    ("error", "lack"),
    [
        (MemoryError(), True),
        (RuntimeError(MAPPED), True),
        (RuntimeError(PRIMITIVE), True),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to"), True),
        (OSError(12, "Cannot allocate memory"), True),
        (RuntimeError(f"{PRIMITIVE} descriptor for a matmul"), False),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
        (ValueError("out of memory"), False),
        (OSError(28, "No space left on device"), False),
    ],
)
def test_a_lack_of_memory_is_told_from_other_errors(error, lack):
    assert out_of_memory(error) == lack


@pytest.mark.parametrize("place", ["load", "restore", "predict"])
def test_memory_that_runs_out_beside_the_training_is_one_clear_line(
    place, tiny_folders, monkeypatch
):
    def full(*given, **named):
        raise RuntimeError(MAPPED)

    where = {
        "load": "slant.systems.checkpoints._loaded",
        "restore": "slant.systems.finetune._restore",
        "predict": "slant.systems.finetuned.probabilities",
    }[place]
    system = encoder_system(str(tiny_folders()), epochs=1, batch=8, max_length=16)
    monkeypatch.setattr(where, full)
    with pytest.raises(WorkFailed, match=r"memory ran out\. Use fewer --jobs"):
        next(iter(system([toy_fold()], 1)))
    if place == "load":
        with pytest.raises(WorkFailed, match="Loading the checkpoint"):
            load_encoder(str(tiny_folders()), 1)
