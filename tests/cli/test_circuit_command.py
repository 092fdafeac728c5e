"""`slant circuit` as a user types it."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "runs"))
from called import slant
from made_babe import train_tiny, write_babe

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("command")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(folder / "store"))
        data = write_babe(folder / "data", 120)
        train_tiny("distilbert", data, folder / "runs" / "one", folder / "checkpoints")
    return folder


def test_circuits_are_a_table_a_file_and_one_document(capsys, home):
    asked = ("circuit", home / "runs", "--k", "1,4", "--shares", "", "--draws", 0, "--resamples",
             100, "--jobs", 1, "--data", home / "data", "--quiet")  # fmt: skip
    code, out, err = slant(capsys, *asked)
    assert code == 0, err
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert header == ["run", "corrupted", "k", "base", "sufficiency", "completeness", "retention",
                      "rescue"]  # fmt: skip
    kinds = [(kind, k) for kind in ("words", "random_words", "excess") for k in ("1", "4")]
    assert [tuple(row[:3]) for row in rows] == [("one", *pair) for pair in kinds]
    assert f"wrote {home / 'runs' / 'circuit.json'}" in err
    assert "one: 4 heads" in err
    code, out, _ = slant(capsys, *asked, "--json")
    assert code == 0
    there = json.loads((home / "runs" / "circuit.json").read_text())
    assert json.loads(out) == there
    assert (there["corruption"], there["ranking"], there["scale"]) == (
        "resample",
        "signed",
        "logit",
    )
    code, _, err = slant(capsys, *asked, "--paper", "--no-with-attribution", "--json")
    assert code == 0, err
    there = json.loads((home / "runs" / "circuit.json").read_text())
    assert (there["corruption"], there["ranking"]) == ("mask", "absolute")
    assert there["models"]["one"]["attribution_patching"] is None


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--k", "1,two"), "it is no list of whole numbers"),
        (("--shares", "half"), "it is no list of numbers"),
        (("--paper", "--scale", "logit"), "the paper's choice, by --paper, is probability"),
        (("--k", "99"), "the models of 'one' have 4 heads"),
        (("--corruption", "delete"), "no corruption has this name"),
        (("--patching", "fast"), "no patching has this name"),
    ],
)
def test_a_wrong_option_is_one_line_and_nothing_is_written(capsys, home, tmp_path, more, words):
    before = sorted(home.rglob("*"))
    code, out, err = slant(
        capsys, "circuit", home / "runs", "--data", home / "data", *more, "--quiet"
    )
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert words in err
    assert [path for path in sorted(home.rglob("*")) if "store" not in path.parts] == [
        path for path in before if "store" not in path.parts
    ]


def test_a_folder_without_models_is_one_line(capsys, tmp_path):
    code, _, err = slant(capsys, "circuit", tmp_path / "nothing", "--quiet")
    assert code == 2
    assert "there is no such folder" in err
