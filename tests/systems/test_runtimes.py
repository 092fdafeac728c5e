"""A checkpoint says the same by torch, by onnxruntime, in batches and alone."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import numpy as np
import pytest
from tiny import toy_examples

from slant.errors import MissingExtra, WorkFailed
from slant.systems import runtimes
from slant.systems.checkpoints import load_encoder
from slant.systems.runtimes import export_onnx, onnx_windows, said_of, torch_windows

TEXTS = [one.item.text for one in toy_examples(30)]
HAS_ONNX = all(find_spec(name) for name in ("onnx", "onnxscript", "onnxruntime"))


@pytest.fixture
def encoder(tiny_folders, tmp_path):
    return load_encoder(str(shutil.copytree(tiny_folders("bert"), tmp_path / "kept")), 3)


def test_a_text_says_in_a_batch_what_it_says_alone(encoder):
    windows = torch_windows(encoder)
    together = said_of(encoder, TEXTS, 32, "window", windows).probability
    alone = [said_of(encoder, [text], 32, "window", windows).probability[0] for text in TEXTS]
    assert together == pytest.approx(alone, abs=1e-6)


def test_a_long_text_is_the_mean_of_its_windows_by_their_tokens(encoder):
    windows = torch_windows(encoder)
    one, two = "the council met on monday .", "a vicious mob lied ."
    said = said_of(encoder, [f"{one} {two}"], 8, "window", windows)
    parts = said_of(encoder, [one, two], 8, "window", windows)
    assert len(said.texts[0].windows) == 2
    # 6 and 5 words and two special tokens each.
    expected = np.average(parts.probability, weights=[8, 7])
    assert said.probability[0] == pytest.approx(expected, abs=1e-6)
    cut = said_of(encoder, [f"{one} {two}"], 8, "cut", windows)
    assert cut.probability[0] == pytest.approx(parts.probability[0], abs=1e-6)
    assert cut.texts[0].cut == 5


def test_no_text_is_no_answer_and_nothing_is_kept_in_the_store(encoder):
    from slant.systems.encoder import cache_folder

    assert said_of(encoder, [], 8, "cut", torch_windows(encoder)).probability.shape == (0,)
    said_of(encoder, TEXTS, 8, "cut", torch_windows(encoder))
    assert not (cache_folder() / "tokens.sqlite").exists()


def test_out_of_memory_is_told(encoder):
    def full(_):
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    with pytest.raises(WorkFailed, match=r"memory ran out\. Use fewer --jobs"):
        said_of(encoder, TEXTS, 8, "cut", full)


def test_without_the_packages_onnx_says_what_to_install(encoder, monkeypatch):
    monkeypatch.setattr(runtimes, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"slant\[onnx\]"):
        onnx_windows(encoder)
    with pytest.raises(MissingExtra, match="onnx, onnxscript are not installed"):
        export_onnx(encoder)


@pytest.mark.skipif(not HAS_ONNX, reason="the packages of the extra onnx are not installed")
def test_the_exported_model_says_what_the_checkpoint_says(encoder):
    by_torch = said_of(encoder, TEXTS, 16, "window", torch_windows(encoder)).probability
    by_onnx = said_of(encoder, TEXTS, 16, "window", onnx_windows(encoder)).probability
    assert by_onnx == pytest.approx(by_torch, abs=1e-5)
    path = encoder.folder / "onnx" / "model.onnx"
    before = path.stat().st_mtime_ns
    assert export_onnx(encoder).stat().st_mtime_ns == before
