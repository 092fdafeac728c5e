"""Training with marked words as a user types it: own data, and every fault one clear line."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

sys.path.append(str(Path(__file__).parents[1] / "systems"))
from called import slant
from tiny import CALM, HARSH, save_tiny, save_tiny_classifier

if not find_spec("torch"):
    pytest.skip("the extra encoders is not installed", allow_module_level=True)

QUICK = ("--set", "split=holdout", "--jobs", 1, "--quiet")
FAST = ("--epochs", 2, "--lr", "3e-3", "--max-length", 32)


def write_marked(folder, words=HARSH, biased=(0, 1)):
    """240 texts, each unlike the others; the harsh words of the biased ones are marked."""
    rows = []
    for n in range(240):
        label = biased[n % 2]
        own = [(CALM, HARSH)[label][(n // 2 + k * (1 + n // 16)) % 8] for k in range(3)]
        text = f"the {own[0]} of x{n} y{n * 7} z{n * 13} and {own[1]} was {own[2]} v{n * 17} ."
        marks = [word for word in own if word in words] if label else []
        rows.append({"text": text, "label": label, "why": marks})
    path = folder / "news.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def marked(capsys, tmp_path):
    file = write_marked(tmp_path)
    code, out, err = slant(
        capsys, "data", "add", "mine", file, "--text", "text", "--label", "label", "--marks", "why"
    )
    assert code == 0, err
    assert out == "added/mine: 240 rows, in a task of its own\n"
    assert "120 rows have a located mark; 0 of 360 marks stand nowhere" in err
    return "added/mine"


def test_own_marked_words_are_learnt_on_one_holdout(capsys, tmp_path, marked):
    checkpoint = save_tiny(tmp_path / "tiny", "bert")
    found = []
    for weight in (0, 5):
        code, _, err = slant(
            capsys, "run", marked, "-s", f"encoder:{checkpoint}", *FAST,
            "-p", f"attention_lambda={weight}", "-o", tmp_path / f"run{weight}", *QUICK,
        )  # fmt: skip
        assert code == 0, err
        found.append(pl.read_parquet(tmp_path / f"run{weight}/cells/{marked}/42-0.parquet"))
        run = json.loads((tmp_path / f"run{weight}/run.json").read_text())
        assert run["options"]["split"] == "holdout"
        assert "|split:holdout|" in run["signature"]
        # 15 % of 240 texts, one cell.
        assert len(found[-1]) == 36
        assert len(list((tmp_path / f"run{weight}/cells").rglob("*.parquet"))) == 1
    assert not found[0]["probability"].equals(found[1]["probability"])


def test_a_classifier_runs_as_it_is_and_is_kept_for_explaining(capsys, tmp_path, marked):
    from slant.runs.explained import parts_of, trained_runs
    from slant.runs.run import run
    from slant.systems.finetuned import head_predictions

    folder = save_tiny_classifier(tmp_path / "own", "bert", ["BIASED", "NEUTRAL"])
    command = ("run", marked, "-s", f"classifier:{folder}", "--max-length", 32, *QUICK)
    code, _, err = slant(capsys, *command, "-o", tmp_path / "run")
    assert code == 0, err
    assert not (tmp_path / "run" / "models").exists()
    run(
        marked, f"classifier:{folder}", tmp_path / "kept", params={"max_length": 32}, jobs=1,
        options={"split": "holdout"}, keep=True,
    )  # fmt: skip
    cell = f"cells/{marked}/42-0.parquet"
    plain, kept = (pl.read_parquet(tmp_path / name / cell) for name in ("run", "kept"))
    assert plain.equals(kept)
    (trained,) = trained_runs(tmp_path / "kept")
    (model,) = trained.models
    test = [one.item for one in parts_of(trained, model).test]
    again = head_predictions(model.encoder(), 0, test, "float32", 32, "window")
    assert [one.id for one in again] == kept["id"].to_list()
    assert [one.probability for one in again] == pytest.approx(
        kept["probability"].to_list(), abs=1e-5
    )
    assert model.training["log"] == []


@pytest.mark.parametrize(
    ("labels", "more", "words"),
    [
        (["left", "centre", "right"], (), "Name the one that means biased by --param biased"),
        (["left", "centre", "right"], ("-p", "biased=left"), "3 labels that exclude each other"),
        (["fair", "slanted"], ("-p", "biased=slantd"), "Did you mean slanted?"),
    ],
)
def test_a_head_that_cannot_be_read_is_one_line_and_nothing_is_written(
    capsys, tmp_path, labels, more, words
):
    folder = save_tiny_classifier(tmp_path / "own", "bert", labels)
    code, out, err = slant(
        capsys, "run", "open/sentences", "-s", f"classifier:{folder}", *more, "-o", tmp_path / "r",
        "--quiet",
    )  # fmt: skip
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert words in err
    assert not (tmp_path / "r").exists()


def slow(folder):
    """A checkpoint whose tokenizer is written in Python and knows no offsets."""
    from transformers import ByT5Tokenizer

    save_tiny(folder, "bert", vocab_size=400)
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        (folder / name).unlink(missing_ok=True)
    ByT5Tokenizer().save_pretrained(folder)
    (folder / "vocab.txt").write_text("")
    return folder


def attentionless(folder):
    """A checkpoint that mixes its tokens without attention."""
    import torch
    from transformers import AutoModel, FNetConfig

    save_tiny(folder, "bert")
    size = {"hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 64}
    config = FNetConfig(
        vocab_size=json.loads((folder / "config.json").read_text())["vocab_size"],
        max_position_embeddings=66, pad_token_id=0, **size,
    )  # fmt: skip
    with torch.random.fork_rng():
        AutoModel.from_config(config).save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("make", "more", "words"),
    [
        (slow, (), "its tokenizer does not say where its tokens stand"),
        (attentionless, (), "its model, fnet, returns no attention weights"),
        (None, ("--lr", "1e30"), "the loss is nan in epoch 1, step"),
    ],
)
def test_a_fault_of_training_with_rationales_is_one_line(
    capsys, tmp_path, marked, make, more, words
):
    folder = make(tmp_path / "odd") if make else save_tiny(tmp_path / "odd", "bert")
    lr = more or ("--lr", "3e-3")
    code, out, err = slant(
        capsys, "run", marked, "-s", f"encoder:{folder}", "--max-length", 32, *lr,
        "-p", "attention_lambda=0.5", "-o", tmp_path / "run", *QUICK,
    )  # fmt: skip
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("error: ")
    assert words in err


@pytest.mark.parametrize("make", [slow, attentionless])
def test_a_checkpoint_whose_attention_cannot_be_taught_is_refused_before_a_file_is_written(
    capsys, tmp_path, marked, make
):
    folder = make(tmp_path / "odd")
    code, out, err = slant(
        capsys, "train", marked, "-s", f"encoder:{folder}", "--seeds", "42,43", "--lr", "3e-3",
        "--attention-lambda", "0.5", "-o", tmp_path / "study", "--quiet",
    )  # fmt: skip
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert "where to attend" in err
    assert not (tmp_path / "study").exists()


def test_words_that_never_occur_and_labels_of_one_class_are_one_line(capsys, tmp_path):
    add = ("data", "add", "odd", "--text", "text", "--label", "label", "--marks", "why")
    file = write_marked(tmp_path)
    strange = tmp_path / "strange.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    strange.write_text(
        "".join(json.dumps(row | {"why": [f"q{w}" for w in row["why"]]}) + "\n" for row in rows)
    )
    code, out, err = slant(capsys, *add, strange)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "none of the words in the column 'why' stands in its text" in err
    single = tmp_path / "single.jsonl"
    single.write_text("".join(json.dumps(row | {"label": 1}) + "\n" for row in rows))
    assert slant(capsys, *add, single)[0] == 0
    checkpoint = save_tiny(tmp_path / "tiny", "bert")
    code, out, err = slant(
        capsys, "run", "added/odd", "-s", f"encoder:{checkpoint}", "-p", "attention_lambda=0.5",
        "-o", tmp_path / "run", *QUICK,
    )  # fmt: skip
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "all 240 rows (odd) are biased: one class cannot be told apart" in err
    assert not (tmp_path / "run").exists()
