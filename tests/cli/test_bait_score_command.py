"""`slant bait score` as a user types it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from called import slant

sys.path.append(str(Path(__file__).parents[1] / "runs"))
from baitfolders import article, raw_answer, write_folder

TEXT = "The tax will ruin us. They all know that the tax will ruin us."
ROW = {
    "id": "a", "text": TEXT,
    "triggers": [
        {"bias": "B01", "spans": [{"start": 0, "end": 20}, {"start": 41, "end": 61}]},
        {"bias": "B03", "spans": [{"start": 22, "end": 35}]},
    ],
}  # fmt: skip
SAID = {
    "id": "a", "text": TEXT,
    "triggers": [
        {"bias": "B01", "quotes": ["The tax will ruin us", "the tax will ruin us"]},
        {"bias": "B02", "quotes": ["They all know"]},
    ],
}  # fmt: skip


@pytest.fixture
def sets(tmp_path):
    for name, row in (("gold", ROW), ("said", SAID)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    return tmp_path


@pytest.fixture
def ptc(tmp_path):
    for name in ("articles", "labels"):
        (tmp_path / name).mkdir()
    for one in ("1", "2"):
        (tmp_path / f"articles/article{one}.txt").write_text(TEXT)
        (tmp_path / f"labels/article{one}.task-si.labels").write_text(f"{one}\t0\t20\n")
    (tmp_path / "mine.tsv").write_text("1\t10\t20\n")
    return tmp_path


def score_ptc(capsys, folder, *more):
    return slant(
        capsys, "bait", "score", "--metric", "ptc-si", "--articles", folder / "articles",
        "--gold", folder / "labels", "--predictions", folder / "mine.tsv", *more,
    )  # fmt: skip


def test_two_sets_give_one_document(capsys, sets):
    code, out, err = slant(
        capsys, "bait", "score", "--gold", sets / "gold.jsonl", "--predictions",
        sets / "said.jsonl", "--json",
    )  # fmt: skip
    assert code == 0, err
    found = json.loads(out)
    # B01 both spans; B03 missed, B02 a false alarm
    assert found["counts"]["spans"] == {"tp": 2, "fp": 1, "fn": 1}
    assert found["scores"]["triggers_f1"] == 0.5
    assert found["located"]["exact"] == 3


def test_two_sets_give_tables_for_reading(capsys, sets):
    code, out, err = slant(
        capsys, "bait", "score", "--gold", sets / "gold.jsonl", "--predictions",
        sets / "said.jsonl", "--trigger-overlap", "jaccard", "--without", "B02", "--tau-s", "0.7",
    )  # fmt: skip
    assert code == 0, err
    assert "without B02" in out
    assert "triggers F1 dice" in out
    assert "Bandwagon Effect" in out
    assert "exact 3" in err


def test_a_string_that_stands_nowhere_is_told_as_not_located(capsys, sets):
    said = {**SAID, "triggers": [{"bias": "B01", "quotes": ["no such words at all"]}]}
    (sets / "said.jsonl").write_text(json.dumps(said) + "\n")
    code, _, err = slant(
        capsys, "bait", "score", "--gold", sets / "gold.jsonl", "--predictions", sets / "said.jsonl"
    )
    assert code == 0, err
    assert "strings: not located 1" in err
    assert "located: unlocated" not in err


def test_content_of_no_format_is_to_be_named_by_an_option_that_the_command_has(capsys, sets):
    (sets / "odd.jsonl").write_text('{"deep": [[1]]}\n')
    for words in (
        ("bait", "score", "--gold", sets / "odd.jsonl", "--predictions", sets / "said.jsonl"),
        ("annotate", "stats", sets / "odd.jsonl"),
        ("annotate", "convert", sets / "odd.jsonl", "--to", "brat", "--out", sets / "new"),
    ):
        code, _, err = slant(capsys, *words)
        assert code == 2
        assert "--format" in err
        assert "--from" not in err
        code, _, err = slant(capsys, *words, "--format", "jsonl")
        assert code == 2
        assert "No such option" not in err


@pytest.fixture
def broken(tmp_path):
    """Two models and two planned runs: one answer failed, one was not asked, one run is no file."""
    texts = {"a": TEXT, "b": f"{TEXT} Really."}
    answers = {
        ("some/model", "k0-run1"): {"a": raw_answer([("B01", ["ruin us"])]), "b": None},
        ("some/model", "k0-run2"): {"a": "no JSON at all"},
        ("other/model", "k0-run1"): {"a": raw_answer([]), "b": raw_answer([])},
    }
    gold = [article(name, text, [("B01", [(0, 20)])]) for name, text in texts.items()]
    return write_folder(tmp_path / "run", gold, answers)


def test_a_run_with_answers_missing_says_which_and_ends_with_exit_code_1(capsys, broken):
    code, out, err = slant(capsys, "bait", "score", broken, "--quiet")
    assert code == 1
    head, *rows = (line.split("\t") for line in out.splitlines())
    # no-answer twice, not-json once, of 2 runs x 2 articles
    assert {row[0]: row[head.index("unusable")] for row in rows} == {
        "some/model": "3 of 4", "other/model": "0 of 2"
    }  # fmt: skip
    assert "some/model with 0 examples: 2 of 4 never came (1 not asked)" in err
    assert "other/model has no answers of k0-run2" in err
    code, out, err = slant(capsys, "bait", "score", broken, "--json")
    assert (code, json.loads(out)["kind"]) == (1, "bait")
    assert "2 of 4 never came" in err


def test_a_run_whose_answers_all_came_ends_well(capsys, tmp_path):
    gold = [article("a", TEXT, [("B01", [(0, 20)])])]
    folder = write_folder(tmp_path / "run", gold, {("m/x", "k0-run1"): {"a": "no JSON"}})
    code, out, err = slant(capsys, "bait", "score", folder, "--quiet")
    assert code == 0, err
    assert "1 of 1" in out
    assert "never came" not in err


def test_files_of_the_propaganda_corpus_give_precision_recall_and_f1(capsys, ptc):
    code, out, err = score_ptc(capsys, ptc, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert (found["precision"], found["recall"]) == (1.0, 0.25)
    assert "1 of 2 articles have no prediction" in err


def test_the_articles_that_count_can_be_listed(capsys, ptc):
    (ptc / "ids.txt").write_text("1\n")
    code, out, err = score_ptc(capsys, ptc, "--ids", ptc / "ids.txt")
    assert code == 0, err
    assert "0.500000" in out
    assert "listed in ids.txt" in err


@pytest.mark.parametrize("more", [
    [], ["--gold", "g"], ["--gold", "g", "--predictions", "p", "--ids", "i"],
    ["run", "--gold", "g"],
    ["--metric", "ptc-si", "--gold", "g", "--predictions", "p"],
    ["--metric", "ptc-si", "--gold", "g", "--predictions", "p", "--articles", "a", "--format", "x"],
    ["--metric", "bleu", "--gold", "g", "--predictions", "p", "--articles", "a"],
])  # fmt: skip
def test_options_that_do_not_fit_together_are_refused_in_one_line(capsys, more):
    code, out, err = slant(capsys, "bait", "score", *more)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


def test_a_wrong_line_is_named_and_nothing_is_printed(capsys, ptc):
    (ptc / "mine.tsv").write_text("1\t10\t999\n")
    code, out, err = score_ptc(capsys, ptc, "--json")
    assert (code, out) == (2, "")
    assert "mine.tsv" in err
    assert "line 1" in err
