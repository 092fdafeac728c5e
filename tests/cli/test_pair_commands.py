"""Pairs of text and image from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "data"))
from called import slant
from drawn import picture


def called(capsys, *arguments, code=0):
    """Stdout and stderr of a command that ends with a code."""
    found, out, err = slant(capsys, *arguments)
    assert found == code, err
    return out, err


def pairs_file(folder, rows=60):
    """A csv of pairs, each with an image of its own."""
    lines = ["text,label,image,why"]
    for n in range(rows):
        (folder / f"p{n}.png").write_bytes(picture(color=(n, 2 * n, 255 - n)))
        word = "awful" if n % 2 else "plain"
        lines.append(f"The {word} case number {n} {'x' * (n % 7)},{n % 2},p{n}.png,since {n}")
    path = folder / "pairs.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_own_pairs_are_added_and_run_with_the_split_named(tmp_path, capsys):
    file = pairs_file(tmp_path)
    home = tmp_path / "home"
    _, err = called(
        capsys, "data", "add", "own", file, "--text", "text", "--label", "label", "--image", "image",
        "--rationale", "why", "--data", home,
    )  # fmt: skip
    assert "60 of 60 rows have an image, 60 different ones." in err
    common = ("run", "added/own", "-s", "tfidf-lr", "--data", home, "--jobs", 1, "-q")
    _, err = called(capsys, *common, "-o", tmp_path / "a", "--folds", 3, "--set", "groups=none")
    assert "Test scores, 3 folds" in err
    assert "60 of 60 images named are here." in err
    _, err = called(
        capsys, *common, "-o", tmp_path / "b", "--split", "60/20/20", "--set", "groups=none"
    )
    assert "Test scores, holdout 60/20/20" in err
    scores = json.loads((tmp_path / "b" / "scores.json").read_text())
    assert scores["tasks"]["added/own"]["n"] == 12


def test_an_added_image_whose_bytes_changed_or_that_is_gone_stops_a_run(tmp_path, capsys):
    home = tmp_path / "home"
    called(
        capsys, "data", "add", "own", pairs_file(tmp_path), "--text", "text", "--label", "label",
        "--image", "image", "--data", home,
    )  # fmt: skip
    one, other, *_ = (home / "added" / "own" / "images").iterdir()
    one.write_bytes(picture((9, 9)))
    other.unlink()
    _, err = called(
        capsys, "run", "added/own", "-s", "majority", "--data", home, "--jobs", 1, "-q", "-o",
        tmp_path / "run", "--set", "groups=none", code=2,
    )  # fmt: skip
    assert "of 60 images 2 are gone or are not what was added" in err


def test_a_split_given_twice_is_one_line(tmp_path, capsys):
    for more, found in (
        (("--split", "80/10/10", "--folds", 5), "--folds 5 were given"),
        (("--folds", 5, "--set", "folds=3"), "--set folds=3 was given too"),
        (("--split", "80/20"), "three numbers above 0"),
    ):
        _, err = called(
            capsys, "run", "open/sentences", "-s", "majority", "-o", tmp_path / "r", *more, code=2
        )
        assert found in err
        assert err.strip().count("\n") == 0


def test_the_pair_tasks_stand_in_the_list(capsys, monkeypatch):
    out, _ = called(capsys, "data", "list", "--json")
    listed = json.loads(out)
    names = {one["name"] for one in listed["datasets"]}
    assert {"open/pairs", "vilbias", "vilbias/vldbench", "vilbias/mediaeval"} <= names
    out, _ = called(capsys, "data", "show", "vilbias/mediaeval")
    assert "transfer exercise" in out


def test_the_shared_rows_run_from_the_command_line(real_data, tmp_path, capsys):
    out, err = called(
        capsys, "run", "vilbias", "-s", "tfidf-lr", "-o", tmp_path / "r", "--jobs", 1, "-q"
    )
    assert out.splitlines()[1].startswith("vilbias\t34\t")
    assert "VLDBench stand in for it" in err
    assert "Test scores, holdout 80/10/10" in err
