"""`slant assoc run` as a user types it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "runs"))
from called import slant
from made_vectors import LISTS, TEST, made_vectors, write_lists, write_replicas, write_vectors

NAMED = {"name", "method", "d", "p", "p_method", "p_min", "low", "high", "n_x", "n_y", "n_a",
         "n_b", "missing"}  # fmt: skip
QUICK = ("--resamples", 100, "--jobs", 1, "--quiet")


def test_one_document_has_what_a_test_found_and_nothing_is_kept_without_a_place(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    file = write_vectors(tmp_path / "v.txt", made_vectors(1, lean=2.0))
    sets = write_lists(tmp_path / "s.json")
    code, out, err = slant(capsys, "assoc", "run", file, "--sets", sets, "--tests", TEST, "--json",
                           "--resamples", 100, "--jobs", 1)  # fmt: skip
    assert code == 0, err
    test = json.loads(out)["tests"][0]
    assert test.keys() >= NAMED
    assert (test["name"], test["method"], test["n_x"], test["n_y"]) == (TEST, "weat", 4, 5)
    assert (test["p_method"], test["p_min"]) == ("enumeration", 1 / 126)
    assert test["low"] < test["d"] < test["high"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.json", "v.txt"]


def test_the_published_items_run_by_name_from_the_published_table(capsys, real_data):
    weat = real_data / "weat"
    code, out, err = slant(
        capsys, "assoc", "run", weat / "glove840b_items_shared.txt", "--sets",
        weat / "cbn_items.tsv", "--tests", "WEAT6,WEAT9", "--alternative", "greater", *QUICK,
    )  # fmt: skip
    assert code == 0, err
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert header[:5] == ["test", "vectors", "method", "d", "p"]
    assert [row[3][:5] for row in rows] == ["1.814", "1.383"]
    assert [row[4] for row in rows] == ["7.77e-05", "0.00433"]


def test_a_run_is_a_table_a_file_and_one_document_of_the_same_numbers(capsys, tmp_path):
    sets = write_lists(tmp_path / "s.json")
    folders = [write_replicas(tmp_path / name, range(2)) for name in ("one", "two")]
    (tmp_path / "q.csv").write_text("word,value\nx1,1\nx2,2\nx3,3\n")
    asked = (
        "assoc", "run", *folders, "--sets", sets, "--tests", f"{TEST},x:a/b", "--method",
        "weat,weatvec", "--deviation", "population", "--unequal", "cut", "--case", "any",
        "--outside-vocabulary", "drop", "--permutations", 500, "--seed", 7, "--family", 192,
        "--correction", "holm", "--against", "two", "--neighbours", "x1,none", "--measures",
        "rnd,same", "--outside", f"{tmp_path / 'q.csv'}:value", "--strict", "--out",
        tmp_path / "run", *QUICK,
    )  # fmt: skip
    code, out, err = slant(capsys, *asked)
    assert code == 0, err
    assert f"wrote {tmp_path / 'run' / 'associations.json'}" in err
    assert "r with value over 3 words" in err
    assert "x1 in one: " in err
    assert "none has no vector in one" in err
    assert "one - two" in out
    code, out, _ = slant(capsys, *asked, "--json")
    there = json.loads((tmp_path / "run" / "associations.json").read_text())
    assert json.loads(out) == there
    assert (there["family"], there["correction"], there["seed"]) == (192, "holm", 7)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--sets", "none.json"), "no such file"),
        (("--tests", "x/y:a/c"), "Looking for the word set 'c'"),
        (("--tests", "x/x:a/b"), "share 'x1'"),
        (("--tests", "WEAT6"), "no test has this name"),
        (("--method", "weat,wefat"), "Looking for the method 'wefat'"),
        (("--deviation", "std"), "Looking for the deviation 'std'"),
        (("--alternative", "both"), "Looking for the alternative 'both'"),
        (("--case", "upper"), "Looking for the case rule 'upper'"),
        (("--measures", "rnt"), "Did you mean rnd"),
        (("--outside", "none.csv"), "no such file"),
        (("--family", 0), "--family"),
    ],
)
def test_a_wrong_choice_is_one_line_and_code_two(capsys, tmp_path, more, words):
    file = write_vectors(tmp_path / "v.txt", made_vectors(1))
    given = dict(zip(more[::2], more[1::2], strict=True))
    asked = {"--sets": write_lists(tmp_path / "s.json"), "--tests": TEST, **given}
    options = [part for pair in asked.items() for part in pair]
    code, out, err = slant(
        capsys, "assoc", "run", file, *options, "--out", tmp_path / "run", *QUICK
    )
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not (tmp_path / "run" / "associations.json").exists()


def test_unknown_sets_missing_replicas_and_empty_files_are_one_line(capsys, tmp_path):
    sets = write_lists(tmp_path / "s.json", {**LISTS, "y": ["nobody", "knows"]})
    file = write_vectors(tmp_path / "v.txt", made_vectors(1))
    folder = write_replicas(tmp_path / "emb", range(3))
    (folder / "2.bin").unlink()
    (tmp_path / "empty.txt").write_text("")
    for vectors, words in (
        (file, "none of the 2 words of its set 'y' is known"),
        (folder, "1 of its 3 replicas are missing (2.bin)"),
        (tmp_path / "empty.txt", "it is empty"),
        (tmp_path / "none", "no such file or folder"),
    ):
        code, out, err = slant(
            capsys, "assoc", "run", vectors, "--sets", sets, "--tests", TEST, "--json", *QUICK
        )
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
