"""`classifier:NAME`: a classifier of transformers answers as it is."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from tiny import CONFIGS, save_tiny_classifier, toy_fold

from slant.errors import DataError, OptionError
from slant.systems import make_system
from slant.systems.checkpoints import load_encoder
from slant.systems.classifier import load_classifier
from slant.systems.finetuned import head_predictions

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")


def said(folder, fold, **params):
    system = make_system(f"classifier:{folder}", {"max_length": 32, **params})[1]
    (answers,) = system([fold], 42)
    return [one.probability for one in answers]


def logits(folder, fold, **padding):
    """What transformers alone gives for each text, one at a time: no windows, no padding unless
    it is asked for."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        return torch.cat(
            [
                model(**_only(tokenizer(one.text, return_tensors="pt", **padding))).logits
                for one in fold.test
            ]
        )


def _only(batch):
    return {name: batch[name] for name in ("input_ids", "attention_mask")}


@pytest.mark.parametrize("kind", sorted(CONFIGS))
def test_its_own_head_answers_as_transformers_says(kind, tmp_path):
    fold = toy_fold(test=6)
    folder = save_tiny_classifier(tmp_path / kind, kind, ["Biased", "Non-biased"])
    # ConvBERT's convolution reads its padding too; 14 tokens at most are padded to 16.
    wide = {"padding": "max_length", "max_length": 16} if kind == "convbert" else {}
    own = logits(folder, fold, **wide).softmax(-1)
    assert own[:, 0].std() > 1e-4
    assert said(folder, fold) == pytest.approx(own[:, 0].tolist(), abs=1e-5)
    turned = said(folder, fold, biased="Non-biased")
    assert turned == pytest.approx(own[:, 1].tolist(), abs=1e-5)
    assert said(folder, fold, biased=1) == turned
    # Kept as a run keeps it, it is a checkpoint of two classes that says the same.
    model = load_classifier(str(folder))
    model.model.save_pretrained(tmp_path / "kept")
    model.tokenizer.save_pretrained(tmp_path / "kept")
    kept = load_encoder(str(tmp_path / "kept"), 0, "eager")
    again = head_predictions(kept, 0, fold.test, "float32", 32, "window")
    assert [one.probability for one in again] == pytest.approx(own[:, 0].tolist(), abs=1e-5)


def test_a_single_logit_and_labels_side_by_side_have_a_logistic_function_each(tmp_path):
    fold = toy_fold(test=6)
    for name, labels, row, more in (
        ("single", ["LABEL_0"], 0, {}),
        ("several", ["toxic", "biased", "rude"], 1, {"problem_type": "multi_label_classification"}),
    ):
        folder = save_tiny_classifier(tmp_path / name, "roberta", labels, **more)
        own = logits(folder, fold).sigmoid()[:, row]
        assert said(folder, fold) == pytest.approx(own.tolist(), abs=1e-5)


def test_nothing_is_learnt_and_the_seed_means_nothing(tmp_path):
    folder = save_tiny_classifier(tmp_path / "own", "distilbert", ["no", "yes"])
    system = make_system(f"classifier:{folder}", {"max_length": 32})[1]
    few, more = toy_fold(train=4), toy_fold(train=4)
    more = type(more)([], [], more.test)
    assert list(system([few], 1)) == list(system([more], 2))


def test_longer_texts_are_read_in_windows_or_cut(tmp_path):
    folder = save_tiny_classifier(tmp_path / "own", "bert", ["no", "yes"])
    for long, words in (("window", "windows"), ("cut", "tokens were cut off")):
        system = make_system(f"classifier:{folder}", {"max_length": 8, "long": long})[1]
        (answers,) = system([toy_fold()], 42)
        assert any(one.raw and one.raw.endswith(words) for one in answers)


def test_a_checkpoint_without_a_head_or_with_an_unclear_one_is_refused(tmp_path, tiny_folders):
    with pytest.raises(DataError, match=r"lack 2 tensors.*with a classifier's head"):
        said(tiny_folders(), toy_fold())
    three = save_tiny_classifier(tmp_path / "three", "bert", ["left", "centre", "right"])
    with pytest.raises(OptionError, match=r"0 left, 1 centre, 2 right.*--param biased=LABEL"):
        make_system(f"classifier:{three}", {})
    (three / "config.json").write_text("[]")
    with pytest.raises(DataError, match=r"its config\.json is broken"):
        make_system(f"classifier:{three}", {})
    two = save_tiny_classifier(tmp_path / "two", "bert", ["no", "yes"])
    with pytest.raises(OptionError, match="reads at most 66 tokens"):
        said(two, toy_fold(), max_length=67)


def test_a_detector_of_slant_reads_as_it_does_itself(tmp_path, tiny_folders):
    fold = toy_fold()
    encoder = load_encoder(str(tiny_folders("electra")), 7)
    encoder.model.save_pretrained(tmp_path / "kept")
    encoder.tokenizer.save_pretrained(tmp_path / "kept")
    assert json.loads((tmp_path / "kept/config.json").read_text())["id2label"]["1"] == "biased"
    own = head_predictions(encoder, 0, fold.test, "float32", 32, "window")
    assert said(tmp_path / "kept", fold) == [one.probability for one in own]
