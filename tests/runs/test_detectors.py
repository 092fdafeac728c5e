"""A kept detector: what its folder holds, and that its numbers are those of the field."""

from __future__ import annotations

import json
import shutil

import numpy as np
import polars as pl
import pytest
from tiny_detector import made_texts

from slant.errors import DataError, OptionError, RunError, WorkFailed
from slant.runs.detectors import load_detector, train_detector
from slant.runs.folders import detector_facts
from slant.runs.predicting import encoder_answers


def test_the_folder_is_one_that_transformers_reads_by_itself(toy):
    from transformers import pipeline

    texts = made_texts(40, 400)
    plain = pipeline("text-classification", str(toy / "detector"), device="cpu")(texts)
    facts = detector_facts(toy / "detector")
    ours = encoder_answers(toy / "detector", "torch", "window", texts).probability
    assert [one["label"] for one in plain] == [facts["labels"][int(p >= 0.5)] for p in ours]


def test_the_detector_has_learnt_what_its_card_says(toy):
    facts = detector_facts(toy / "detector")
    texts = made_texts(100, 900)
    biased = encoder_answers(toy / "detector", "torch", "window", texts).biased
    gold = np.array([i % 2 == 0 for i in range(900, 1000)])
    assert (biased == gold).mean() > 0.9
    assert facts["scores"]["scores"]["micro_class_f1"]["value"] > 0.9
    assert facts["scores"]["from"] == "held-out fold 0"
    assert facts["scores"]["n"] == facts["rows"]["test"]
    assert sum(facts["rows"].values()) == 240
    assert facts["signature"].endswith("tested:fold-0")


def test_the_card_names_data_licence_scores_and_what_it_is_not_for(toy):
    facts = detector_facts(toy / "detector")
    card = (toy / "detector" / "README.md").read_text()
    value = facts["scores"]["scores"]["micro_class_f1"]["value"]
    for wanted in ("CC0 1.0", f"| micro_class_f1 | {value:.3f} |", "must not be used",
                   facts["signature"], f"Temperature {facts['temperature']:.3f}", "## Cascade"):  # fmt: skip
        assert wanted in card
    assert card.startswith("---\nlanguage: en\n")


def test_no_text_of_the_data_is_in_the_folder(toy):
    for path in (toy / "detector").glob("*.json"):
        if path.name != "tokenizer.json":
            assert made_texts(1)[0] not in path.read_text()


def test_the_cascade_says_what_it_costs(toy):
    rows = detector_facts(toy / "detector")["cascade"]["rows"]
    assert [one["bound"] for one in rows] == [0.005, 0.01, 0.02, 0.05]
    # 600 texts, every fourth held out: 150; 3 of 150 is the most that lies below 5 % with 95 %.
    assert detector_facts(toy / "detector")["cascade"]["chosen_on"] == 150
    assert rows[0]["share"] == 0  # 0 of 150 leaves an upper end of 2 %
    assert rows[3]["share"] > 0.5
    for one in rows:
        assert one["loss"] == pytest.approx(one["encoder_class_f1"] - one["cascade_class_f1"])


@pytest.fixture
def store(toy, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(toy / "store"))
    return toy


SHORT = {"epochs": 1, "max_length": 16}


def test_scores_of_a_run_are_taken_and_its_test_rows_are_learnt_from(store, tmp_path):
    from slant.runs.run import run

    system = f"encoder:{store / 'checkpoint'}"
    options = {"folds": "2", "near": "1.0"}
    run("added/toy", system, tmp_path / "run", params=SHORT, options=options, jobs=1)
    out = train_detector(
        "added/toy", system, tmp_path / "kept", params=SHORT, options=options, run=tmp_path / "run"
    )
    facts = detector_facts(out)
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert facts["signature"] == scores["signature"]
    assert facts["scores"]["scores"] == scores["tasks"]["added/toy"]["scores"]
    # Half of 240 is tested, an eighth of the other half is dev: all but these 15 are learnt from.
    assert facts["rows"] == {"train": 225, "dev": 15, "test": 0}
    with pytest.raises(RunError, match=r"its system is .*epochs=1.*, not .*epochs=2"):
        train_detector(
            "added/toy", system, tmp_path / "other", params={**SHORT, "epochs": 2},
            options=options, run=tmp_path / "run",
        )  # fmt: skip
    assert not (tmp_path / "other").exists()


def test_what_cannot_be_kept_is_refused_before_any_training(store, tmp_path):
    with pytest.raises(OptionError, match="tfidf-lr leaves no checkpoint"):
        train_detector("added/toy", "tfidf-lr", tmp_path / "x")
    with pytest.raises(OptionError, match="names 9 tasks"):
        train_detector("mbib", f"encoder:{store / 'checkpoint'}", tmp_path / "x")
    with pytest.raises(RunError, match="a detector is there"):
        train_detector("added/toy", f"encoder:{store / 'checkpoint'}", store / "detector")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.doc").touch()
    with pytest.raises(RunError, match="something else is there"):
        train_detector(
            "added/toy", f"encoder:{store / 'checkpoint'}", tmp_path / "mine", fresh=True
        )


def test_a_full_disk_leaves_nothing_behind(store, tmp_path, monkeypatch):
    from slant.runs import detectors

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(detectors, "_save", full)
    with pytest.raises(WorkFailed, match="no space is left on the disk") as told:
        train_detector(
            "added/toy", f"encoder:{store / 'checkpoint'}", tmp_path / "kept", params=SHORT
        )
    assert told.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_no_detector_is_told_by_what_it_lacks(toy, tmp_path):
    with pytest.raises(DataError, match="there is no such folder"):
        detector_facts(tmp_path / "none")
    copy = shutil.copytree(toy / "detector", tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "model.bin")
    with pytest.raises(DataError, match=r"it holds no model\.safetensors"):
        load_detector(copy)
    with pytest.raises(DataError, match=r"it holds no detector\.json"):
        detector_facts(toy / "checkpoint")
    facts = json.loads((copy / "detector.json").read_text())
    (copy / "model.bin").rename(copy / "model.safetensors")
    (copy / "detector.json").write_text(json.dumps({**facts, "temperature": 0}))
    with pytest.raises(DataError, match=r"its detector\.json is damaged: its bytes are not"):
        load_detector(copy)
    (copy / ".detector.json.sum").unlink()
    with pytest.raises(DataError, match="temperature, threshold or long that cannot be"):
        detector_facts(copy)
    del facts["threshold"]
    (copy / "detector.json").write_text(json.dumps(facts))
    with pytest.raises(DataError, match=r"damaged .KeyError: 'threshold'"):
        detector_facts(copy)


def test_one_flipped_bit_of_the_weights_is_refused(toy, tmp_path):
    copy = shutil.copytree(toy / "detector", tmp_path / "copy")
    weights = copy / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-9] ^= 1
    weights.write_bytes(data)
    with pytest.raises(RunError, match=r"model\.safetensors': its bytes are not those that were"):
        load_detector(copy)


def test_a_training_is_the_same_when_it_is_done_again(store, tmp_path):
    system = f"encoder:{store / 'checkpoint'}"
    made = [train_detector("added/toy", system, tmp_path / name, params=SHORT) for name in "ab"]
    one, other = ((folder / "model.safetensors").read_bytes() for folder in made)
    assert one == other
    assert pl.DataFrame(detector_facts(made[0])["scores"]["groups"]["toy"]).equals(
        pl.DataFrame(detector_facts(made[1])["scores"]["groups"]["toy"])
    )
