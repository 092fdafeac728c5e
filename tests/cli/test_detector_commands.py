"""`slant train` and `slant predict` as a user types them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest

sys.path.append(str(Path(__file__).parents[1] / "systems"))
from called import slant
from tiny import save_tiny


def test_a_detector_is_trained_kept_and_used(capsys, tmp_path):
    checkpoint = save_tiny(tmp_path / "checkpoint", "bert")
    kept, out = tmp_path / "kept", tmp_path / "out.parquet"
    capsys.readouterr()
    code, told, err = slant(
        capsys, "train", "open/sentences", "-s", f"encoder:{checkpoint}", "-o", kept,
        "-p", "epochs=1", "-p", "max_length=32", "--set", "folds=3", "--seed", "7", "-q",
    )  # fmt: skip
    assert code == 0, err
    assert told.startswith("class_f1\t0.")
    assert "seeds:7" in err
    assert (kept / "README.md").exists()
    (tmp_path / "corpus.csv").write_text("sentence,id\nHe lied.,a\n,b\n")
    arguments = ("predict", kept, tmp_path / "corpus.csv", "--text", "sentence", "--jobs", 1)
    code, told, err = slant(capsys, *arguments, "-o", out)
    assert code == 0, err
    assert told.startswith(f"{out}\t2 rows\t")
    assert "1 rows have no text" in err
    code, told, _ = slant(capsys, *arguments, "-o", out, "--json")
    assert code == 0
    assert json.loads(told)["rows"] == 2
    assert pl.read_parquet(out)["id"].to_list() == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("predict", "none", "a.txt", "-o", "o.parquet"), "there is no such file"),
        (("train", "open/sentences", "-s", "tfidf-lr", "-o", "kept"), "leaves no checkpoint"),
        (("train", "open/sentences", "-s", "encoder:minilmm", "-o", "kept"), "Did you mean minilm"),
        (("train", "open/sentence", "-s", "encoder:minilm", "-o", "kept"), "open/sentence"),
        (
            ("train", "open/sentences", "-s", "encoder:minilm", "-o", "kept", "--distil", "no.txt"),
            "there is no such file",
        ),
    ],
)
def test_a_fault_is_one_line_and_exit_code_2(capsys, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    code, out, err = slant(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert words in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
