"""Checkpoints that bring code, name code elsewhere, or have names that climb."""

from __future__ import annotations

import json
import sys

import hostile
import pytest

from slant.errors import SlantError
from slant.systems.checkpoints import checkpoint_folder, load_encoder
from slant.systems.foreigncode import check_code

pytest.importorskip("transformers")

CODE = "raise SystemExit('code of a checkpoint was run')\n"


@pytest.fixture
def folder(tmp_path):
    from tiny import save_tiny

    return save_tiny(tmp_path / "own", "bert")


def told(folder, file="config.json", **more):
    path = folder / file
    said = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**said, **more}))


def refused(folder):
    with pytest.raises(SlantError) as caught:
        load_encoder(str(folder), 1)
    return str(caught.value)


@pytest.mark.parametrize("module", ["modeling_own", "evil/repository--modeling_own"])
def test_code_that_a_checkpoint_brings_is_not_run(folder, module):
    # Of a kind that nobody knows, and of one that transformers has itself.
    mapped = {
        "AutoConfig": f"{module}.Config",
        "AutoModel": f"{module}.Model",
        "AutoModelForSequenceClassification": f"{module}.Model",
    }
    (folder / "modeling_own.py").write_text(CODE)
    told(folder, auto_map=mapped)
    load_encoder(str(folder), 1)
    told(folder, model_type="own")
    assert "it needs code of its own, which is not run" in refused(folder)
    assert "modeling_own" not in sys.modules


def test_a_tokenizer_of_its_own_is_not_run(folder):
    (folder / "tokenization_own.py").write_text(CODE)
    mapped = {"AutoTokenizer": ["tokenization_own.Own", "tokenization_own.Own"]}
    told(folder, "tokenizer_config.json", auto_map=mapped, tokenizer_class="Own")
    # transformers may know the tokenizer by its other files
    hostile.refusal(lambda: load_encoder(str(folder), 1))
    assert "tokenization_own" not in sys.modules


def test_an_image_processor_of_its_own_is_not_run(folder):
    from slant.systems.hubvision import load_vision

    (folder / "processing_own.py").write_text(CODE)
    (folder / "preprocessor_config.json").write_text(
        json.dumps({"auto_map": {"AutoImageProcessor": "processing_own.Own"}})
    )
    with pytest.raises(SlantError):
        load_vision(f"hub:{folder}")
    with pytest.raises(SlantError):
        load_vision(str(folder))
    assert "processing_own" not in sys.modules


@pytest.mark.parametrize("key", ["attn_implementation", "_attn_implementation"])
@pytest.mark.parametrize("name", ["evil/kernel", "kernels-community/flash-attn", {"": "evil/k@v1"}])
def test_a_compiled_kernel_of_the_hub_is_not_fetched(folder, key, name):
    told(folder, **{key: name})
    assert "asks for code of the hub" in refused(folder)


def test_a_kernel_that_a_part_of_a_model_names_is_not_fetched_either(folder):
    told(folder, text_config={"layers": [{"attn_implementation": "evil/kernel"}]})
    assert "asks for code of the hub" in refused(folder)


@pytest.mark.parametrize("name", ["sdpa", "eager", None])
def test_a_usual_implementation_is_no_code(folder, name):
    told(folder, attn_implementation=name)
    check_code(folder, "Loading")


def test_an_adapter_that_names_another_checkpoint_is_refused(folder):
    told(folder, "adapter_config.json", base_model_name_or_path="evil/model", peft_type="LORA")
    assert "adapter_config.json names another checkpoint" in refused(folder)


def test_a_configuration_that_never_ends_is_one_clear_error(folder):
    (folder / "config.json").write_text("[" * 100_000)
    assert "Loading the checkpoint" in refused(folder)


@pytest.mark.parametrize(
    "name",
    ["../up", "a/..", "a/../b", "..", "../..", "owner/../../x", "/no/such", "a\\..\\b", "owner/..",
     "owner/a..b", "owner/-x", "a/b/c", "https://evil.example/x", "a/b?x", "~nobody/x", "\0/a"],
)  # fmt: skip
def test_a_name_that_is_none_of_the_hub_asks_nobody(monkeypatch, tmp_path, name):
    import socket

    def asked(*_, **__):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", asked)
    monkeypatch.setattr(socket.socket, "connect", asked)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SlantError):
        checkpoint_folder(name)


@pytest.mark.parametrize(
    "name", ["pytorch_model.bin", "model.pt", "weights.ckpt", "model.pkl", "tf_model.h5"]
)
def test_pickled_weights_are_not_read_though_they_are_all_there_is(folder, name):
    (folder / "model.safetensors").rename(folder / name)
    assert f"its weights are {name}, which may run code" in refused(folder)


def test_of_a_repository_no_code_and_no_pickle_is_fetched():
    from fnmatch import fnmatch

    from slant.systems.checkpoints import PICKLES, WANTED

    for name in ("modeling_own.py", "kernel.so", "run.sh", *(f"weights{one}" for one in PICKLES)):
        assert not any(fnmatch(name, pattern) for pattern in WANTED), name
