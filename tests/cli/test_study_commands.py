"""`slant train --seeds` and `slant explain` as a user types them."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "runs"))
from called import slant
from made_babe import write_babe
from tiny import save_tiny

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)

FAST = "cls-attention,rollout,gradient-attention"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Data like BABE's and a small checkpoint, with a store of their own."""
    folder = tmp_path_factory.mktemp("study-commands")
    write_babe(folder / "data", 120)
    save_tiny(folder / "tiny", "bert")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(folder / "store"))
        yield folder


def train(capsys, home, out, *more):
    return slant(
        capsys, "train", "babe", "-s", f"encoder:{home / 'tiny'}", "--out", out, "--data",
        home / "data", "--set", "near=1.0", "--max-length", 24, "--lr", "0.005", "--jobs", 1,
        "--quiet", *more,
    )  # fmt: skip


def test_from_training_to_the_page_in_three_commands(capsys, home):
    out = home / "runs"
    asked = ("--seeds", 2, "--epochs", 2, "--attention-lambda", "0,0.5")
    code, table, err = train(capsys, home, out, *asked)
    assert code == 0, err
    rows = [line.split("\t")[1] for line in table.splitlines()[1:3]]
    assert rows == ["encoder-tiny", "encoder-tiny-attention-0.5"]
    assert f"next: slant explain {out}" in err
    models = sorted(path.name for path in (out / "encoder-tiny/models/babe").iterdir())
    assert models == ["42-0", "43-0"]

    code, table, err = slant(
        capsys, "explain", out, "--methods", FAST, "--no-erase", "--resamples", 100, "--data",
        home / "data", "--jobs", 1, "--quiet",
    )  # fmt: skip
    assert code == 0, err
    header, *rows = [line.split("\t") for line in table.splitlines()]
    assert header[1:] == ["encoder-tiny", "encoder-tiny-attention-0.5"]
    assert [row[0] for row in rows] == [*FAST.split(","), "idf", "lexicon", "random", "class F1"]
    found = json.loads((out / "explain.json").read_text())
    auroc = found["models"]["encoder-tiny"]["plausibility"]["rollout"]["auroc"]["value"]
    assert rows[1][1].startswith(f"{auroc:.3f} [")

    code, said, err = slant(capsys, "report", out, "--quiet")
    assert code == 0, err
    assert said.strip() == f"The report is {out / 'report.html'}"
    page = (out / "report.html").read_text()
    assert f"{auroc:.3f}" in page
    # The same command again makes nothing new.
    kept = {path: path.stat().st_mtime_ns for path in out.rglob("model.safetensors")}
    assert train(capsys, home, out, *asked)[0] == 0
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--seeds", "five"), "it has more than whole numbers"),
        (("--seeds", "2", "--run", "runs/x"), "--seeds asks for several models"),
        (("--seeds", "2", "--attention-lambda", "much"), "Reading --attention-lambda 'much'"),
        (("--seeds", "2", "--targets", "guesses"), "targets"),
        (("--seeds", "2", "--param", "epoch=3"), "Did you mean epochs"),
    ],
)
def test_what_cannot_be_trained_is_one_line_and_leaves_nothing(capsys, home, tmp_path, more, words):
    code, _, err = train(capsys, home, tmp_path / "out", *more)
    assert code == 2
    assert words in err
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert not list((tmp_path / "out").rglob("*.safetensors"))


def test_the_explanation_of_nothing_says_how_to_have_something(capsys, home, tmp_path):
    code, _, err = slant(capsys, "explain", tmp_path, "--quiet")
    assert code == 2
    assert "slant train babe --system encoder:minilm --seeds 5" in err
