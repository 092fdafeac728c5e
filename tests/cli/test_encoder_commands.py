"""`slant run` and `slant train` with encoders and with several systems, as a user types them."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

sys.path.append(str(Path(__file__).parents[1] / "systems"))
from called import slant
from tiny import save_tiny, tiny_tokenizer

from slant.cli.options import system_params
from slant.cli.show import progress
from slant.errors import OptionError

needs_encoders = pytest.mark.skipif(
    not find_spec("torch"), reason="the extra encoders is not installed"
)
QUICK = ("--set", "folds=2", "--jobs", 1, "--quiet")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    if not find_spec("torch"):
        pytest.skip("the extra encoders is not installed")
    return save_tiny(tmp_path_factory.mktemp("tiny") / "small", "bert")


def test_an_option_of_its_own_means_the_same_as_a_parameter():
    assert system_params(["lr=1e-4"], epochs="3", max_length="64", batch=None) == {
        "lr": "1e-4", "epochs": "3", "max_length": "64",
    }  # fmt: skip
    assert system_params(["epochs=3"], epochs="3") == {"epochs": "3"}
    with pytest.raises(OptionError, match=r"--max-length 64: --param max_length=32 was given too"):
        system_params(["max_length=32"], max_length="64")


def test_several_systems_share_one_table_and_one_document(capsys, tmp_path):
    command = ("run", "open/sentences", "-s", "majority,lexicon", "-o", tmp_path / "all", *QUICK)
    code, out, err = slant(capsys, *command)
    assert code == 0, err
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert header[:3] == ["task", "run", "n"]
    assert [row[:2] for row in rows] == [
        ["open/sentences", name]
        for name in ("majority", "lexicon", "control: majority", "control: source-only",
                     "control: random")
    ]  # fmt: skip
    assert f"slant compare {tmp_path}/all/*" in err
    assert f"slant report {tmp_path}/all/*" in err
    assert "system:majority@1" in err
    assert "system:lexicon@1" in err
    code, out, _ = slant(capsys, *command, "--json")
    assert code == 0
    runs = json.loads(out)["runs"]
    assert [one["run"] for one in runs] == [f"{tmp_path}/all/majority", f"{tmp_path}/all/lexicon"]
    own = json.loads((tmp_path / "all" / "lexicon" / "scores.json").read_text())
    assert {key: value for key, value in runs[1].items() if key != "run"} == own


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-s", "majority,lexikon"), "Did you mean lexicon?"),
        (("-s", "majority,lexicon", "--epochs", "2"), "no parameter of majority, lexicon has"),
        (("-s", "tfidf-lr", "--epochs", "2"), "no parameter of tfidf-lr has this name"),
        (("-s", "majority", "--epochs", "2"), "it has no parameters"),
        (("-s", "encoder:minilm", "--epochs", "2", "-p", "epochs=3"), "Give one of them"),
        (("-s", "encoder:minilm", "--precision", "half"), "Give float32 or bf16"),
        (("-s", "encoder:minilm", "--lr", "high"), "'high' was given"),
        (("-s", "encoder:minilm", "--batch", "0"), "Give a whole number from 1"),
        (("-s", "encoder:minilmm"), "Did you mean minilm?"),
        (("-s", "encodr:minilm"), "Did you mean encoder"),
    ],
)
@needs_encoders
def test_a_wrong_system_or_option_is_one_line_and_nothing_is_written(
    capsys, tmp_path, arguments, words
):
    code, out, err = slant(
        capsys, "run", "open/sentences", *arguments, "-o", tmp_path / "run", *QUICK
    )
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert words in err
    assert not (tmp_path / "run").exists()


def faulty(kind, folder, checkpoint):
    """A checkpoint with a fault."""
    if kind == "misfit":
        save_tiny(folder, "bert")
        tiny_tokenizer("bert", extra=[f"word{i}" for i in range(99)]).save_pretrained(folder)
    elif kind == "weightless":
        save_tiny(folder, "bert", weights=False)
    elif kind == "pickled":
        save_tiny(folder, "bert", weights=False)
        (folder / "pytorch_model.bin").write_bytes(b"pickle")
    elif kind == "empty":
        folder.mkdir()
    return folder if folder.exists() else checkpoint


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("weightless", (), "its folder has no weights"),
        ("pickled", (), "its weights are pytorch_model.bin, which may run code"),
        ("empty", (), "its folder is empty"),
        ("misfit", (), "its tokenizer gives ids up to"),
        ("sound", ("--max-length", 99), "the checkpoint reads at most 66 tokens"),
        ("sound", ("--lr", "1e30", "--max-length", 64), "the loss is"),
    ],
)
def test_a_checkpoint_with_a_fault_is_one_line(capsys, tmp_path, checkpoint, kind, more, words):
    folder = faulty(kind, tmp_path / "faulty", checkpoint)
    code, out, err = slant(
        capsys, "run", "open/sentences", "-s", f"encoder:{folder}", *more, "-o", tmp_path / "run",
        *QUICK,
    )  # fmt: skip
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert words in err


def test_texts_longer_than_the_model_are_counted_as_they_were_read(capsys, tmp_path, checkpoint):
    """The tokenizer gives a token for each word or sign, and two around a text."""
    from tokenizers.pre_tokenizers import BertPreTokenizer

    from slant.tasks.options import chosen_options
    from slant.tasks.prepare import prepared

    split = BertPreTokenizer()
    rows = prepared("open/sentences", chosen_options("clean", {"folds": "2"}), 42, None, {}).rows
    texts = pl.read_parquet(rows)["text"].to_list()
    longer = sum(len(split.pre_tokenize_str(text)) + 2 > 32 for text in texts)
    assert 0 < longer < len(texts)
    for long, words in (("window", "split at the ends of sentences"), ("cut", "cut")):
        command = (
            "run", "open/sentences", "-s", f"encoder:{checkpoint}", "--epochs", 1, "--max-length",
            32, "-p", f"long={long}", "-o", tmp_path / long, *QUICK,
        )  # fmt: skip
        code, _, err = slant(capsys, *command)
        assert code == 0, err
        assert f"{longer} of {len(texts)} texts longer than max_length were {words}\n" in err
    code, out, _ = slant(capsys, *command, "--json")
    scores = json.loads(out)
    assert scores["long_texts"] == {"texts": len(texts), "split": 0, "cut": longer}
    assert scores["signature"].count("(epochs=1,long=cut,max_length=32)") == 1


def test_a_log_counts_whole_cells_and_reckons_the_time_left_inside_them(capsys, monkeypatch):
    from slant.cli import show

    now = [0.0]
    monkeypatch.setattr(show.time, "monotonic", lambda: now[0])
    with progress(False, "cells") as told:
        for seconds, done, total, what in (
            (0, 0, 1, "preparing"),
            (100, 2, 5, "resumed"),  # other work: time left is reckoned from here
            (160, 2.5, 5, "a"),  # 60 s a half, so that 2.5 more take 300 s
            (170, 2.6, 5, "too soon"),
            (400, 4, 5, "b"),  # 300 s for 2, so that 1 more takes 150 s
            (500, 0, 5, "the next run"),
        ):
            now[0] = seconds
            told(done, total, what)
    assert capsys.readouterr().err.splitlines() == [
        "2 of 5 cells: resumed",
        "2 of 5 cells, about 5 min left: a",
        "4 of 5 cells, about 2 min left: b",
        "0 of 5 cells: the next run",
    ]


def test_a_log_that_told_of_some_work_tells_of_its_end(capsys, monkeypatch):
    from slant.cli import show

    now = [0.0]
    monkeypatch.setattr(show.time, "monotonic", lambda: now[0])
    with progress(False, "answers") as told:
        for seconds, done, total in (
            (0, 0, 1428),
            (21, 542, 1428),
            (30, 900, 1428),
            (35, 1428, 1428),
        ):
            now[0] = seconds
            told(done, total, "m")
        told(0, 3, "short")
        told(3, 3, "short")
    shown = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert shown == ["542 of 1428 answers", "1428 of 1428 answers"]
