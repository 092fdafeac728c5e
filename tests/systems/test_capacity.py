"""How many trainings run side by side."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from slant.systems import fitting_workers

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")


def test_a_training_needs_its_weights_four_times(tiny_folders):
    from transformers import AutoModel

    from slant.systems.capacity import BESIDE, training_bytes

    model = AutoModel.from_pretrained(str(tiny_folders()))
    weights = sum(parameter.numel() for parameter in model.parameters())
    assert training_bytes(str(tiny_folders())) == 16 * weights + BESIDE


def test_there_are_as_many_workers_as_memory_holds(monkeypatch, tiny_folders):
    import psutil
    import torch

    from slant.systems.capacity import training_bytes

    system = f"encoder:{tiny_folders()}"
    need = training_bytes(str(tiny_folders()))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for free, workers in ((need // 2, 1), (3.5 * need, 3), (100 * need, 8)):
        memory = psutil.virtual_memory()._replace(available=int(free))
        monkeypatch.setattr(psutil, "virtual_memory", lambda memory=memory: memory)
        assert fitting_workers(system, 8) == workers
    assert fitting_workers("tfidf-lr", 8) == 8
    assert fitting_workers(lambda folds, seed: [], 8) == 8
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert fitting_workers(system, 8) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"abc",
        b"\xff" * 8,
        b"\xff\xff\xff\xff\xff\xff\xff\x00{}",
        b"\2\0\0\0\0\0\0\0[]",
        b"\x0b\0\0\0\0\0\0\0" + b'{"a": "b"} ',
    ],
)
def test_a_file_that_is_none_of_safetensors_is_refused_without_reading_what_it_declares(
    tmp_path, content
):
    from slant.errors import DataError
    from slant.systems.capacity import weights_in

    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(DataError, match="no header of safetensors"):
        weights_in(path)
