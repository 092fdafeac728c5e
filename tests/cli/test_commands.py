"""The commands as a user types them: results on stdout, one line per fault, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from called import slant


def liar(home, rows, name="train.tsv"):
    """A data home with one small LIAR file."""
    folder = home / "mbib" / "072_Liar" / "raw"
    folder.mkdir(parents=True, exist_ok=True)
    for file in ("train.tsv", "test.tsv", "valid.tsv"):
        lines = rows if file == name else rows[:1]
        content = "".join(
            "\t".join([f"{file[:2]}{i}.json", label, text] + ["x"] * 11) + "\n"
            for i, (label, text) in enumerate(lines)
        )
        (folder / file).write_text(content)
    return home


def test_a_path_that_the_system_refuses_is_one_line_and_exit_code_2(capsys, tmp_path):
    (tmp_path / "a.csv").write_text("text,label\nMonday rain,0\nThey lied,1\n")
    code, out, err = slant(
        capsys, "data", "add", "own", tmp_path / "a.csv", "--text", "text", "--label", "label",
        "--data", tmp_path / ("x" * 300),
    )  # fmt: skip
    assert (code, out) == (2, "")
    assert err.startswith(f"error: Opening '{tmp_path / ('x' * 300)}")
    assert "File name too long" in err
    assert err.count("\n") == 1


STATEMENTS = [
    ("false" if i % 2 else "true", f"The {noun} of district {i} costs {i * 7} coins")
    for i, noun in enumerate(["bridge", "school", "harbour", "theatre"] * 20)
]


def hash_words(number):
    """Eight letters-only words that share nothing with those of another number."""
    from hashlib import sha256

    digest = sha256(str(number).encode()).hexdigest()
    return " ".join(digest[i : i + 8] for i in range(0, 64, 8))


def test_a_command_alone_shows_what_can_be_done(capsys):
    _, out, err = slant(capsys)
    assert "Usage: slant" in out + err
    assert "run" in out + err


def test_help_answers_fast():
    """The best of three starts against the best of three starts of Python alone."""
    times = {}
    for name, command in {
        "python": [sys.executable, "-c", ""],
        "slant": [sys.executable, "-m", "slant", "--help"],
    }.items():
        spans = []
        for _ in range(3):
            begin = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            spans.append(time.perf_counter() - begin)
        times[name] = min(spans)
    assert times["slant"] < 25 * times["python"]


def test_a_run_is_shown_compared_and_reported(capsys, tmp_path):
    for system in ("majority", "tfidf-lr"):
        code, out, err = slant(
            capsys,
            "run",
            "open/sentences",
            "--system",
            system,
            "--out",
            tmp_path / system,
            "--jobs",
            1,
            "--quiet",
        )
        assert code == 0, err
        assert "open/sentences" in out
        assert "control: source-only" in out
        assert "open|task:sentences|preset:clean|" in err
    code, out, err = slant(
        capsys,
        "compare",
        tmp_path / "majority",
        tmp_path / "tfidf-lr",
        "--quiet",
        "--resamples",
        500,
        "--json",
    )
    assert code == 0, err
    (row,) = json.loads(out)["tasks"]
    assert row["difference"] == pytest.approx(row["b"] - row["a"])
    assert row["difference"] > 0.1
    assert row["p_holm"] == row["p_randomisation"] < 0.05
    code, out, err = slant(
        capsys,
        "report",
        tmp_path / "majority",
        tmp_path / "tfidf-lr",
        "--out",
        tmp_path / "report",
        "--quiet",
    )
    assert code == 0, err
    page = Path(out.strip().removeprefix("The report is "))
    assert page.exists()
    assert f"{row['b']:.3f}" in page.read_text()


def test_json_is_one_document(capsys, tmp_path):
    code, out, _ = slant(
        capsys,
        "run",
        "open/sentences",
        "-s",
        "majority",
        "-o",
        tmp_path / "m",
        "--jobs",
        1,
        "--json",
    )
    assert code == 0
    assert json.loads(out)["system"] == "majority@1"
    for command in (["data", "list"], ["data", "check"], ["data", "show", "mbib/072"], ["systems"]):
        code, out, _ = slant(capsys, *command, "--json")
        assert code == 0
        assert json.loads(out)


def test_every_task_is_listed_and_the_one_without_data_takes_a_users_own(capsys, tmp_path):
    code, out, _ = slant(capsys, "data", "list", "--json")
    assert len(json.loads(out)["tasks"]) == 13
    file = tmp_path / "own.csv"
    file.write_text("sentence,biased\n" + "".join(f"{hash_words(i)},{i % 2}\n" for i in range(60)))
    code, out, err = slant(
        capsys,
        "data",
        "add",
        "own",
        file,
        "--text",
        "sentence",
        "--label",
        "biased",
        "--task",
        "reporting-level-bias",
    )
    assert code == 0, err
    code, out, err = slant(
        capsys,
        "run",
        "mbib/reporting-level-bias",
        "-s",
        "majority",
        "-o",
        tmp_path / "run",
        "--jobs",
        1,
        "-q",
    )
    assert code == 0, err
    assert "mbib/reporting-level-bias" in out


def test_an_export_has_the_official_columns(capsys, tmp_path):
    home = liar(tmp_path / "home", STATEMENTS)
    for preset, header in {
        "official": "id,text,label,label_multiclass",
        "clean": "id,text,label,dataset,source_label,part",
    }.items():
        code, _, err = slant(
            capsys,
            "data",
            "export",
            "mbib/072",
            "--preset",
            preset,
            "--out",
            tmp_path / f"{preset}.csv",
            "--data",
            home,
        )
        assert code == 0, err
        assert (tmp_path / f"{preset}.csv").read_text().splitlines()[0] == header


def fails(capsys, *arguments, code=2):
    """The one line that a command fails with."""
    got, _, err = slant(capsys, *arguments)
    lines = [line for line in err.splitlines() if line.strip()]
    assert got == code, err
    assert "Traceback" not in err
    assert len(lines) == 1, err
    assert lines[0].startswith("error: ")
    return lines[0]


def test_wrong_names_are_answered_with_the_nearest(capsys, tmp_path):
    assert "Did you mean mbib/racial-bias" in fails(
        capsys, "run", "mbib/racial-bais", "-s", "majority", "-o", tmp_path / "r", "-q"
    )
    assert "Did you mean tfidf-lr" in fails(
        capsys, "run", "open/sentences", "-s", "tfdif-lr", "-o", tmp_path / "r", "-q"
    )
    assert "Did you mean balance" in fails(
        capsys,
        "run",
        "open/sentences",
        "-s",
        "majority",
        "--set",
        "balence=task",
        "-o",
        tmp_path / "r",
        "-q",
    )
    assert "NAME=VALUE" in fails(
        capsys,
        "run",
        "open/sentences",
        "-s",
        "majority",
        "--set",
        "balance",
        "-o",
        tmp_path / "r",
        "-q",
    )
    assert "whole numbers" in fails(
        capsys,
        "run",
        "open/sentences",
        "-s",
        "majority",
        "--seeds",
        "a",
        "-o",
        tmp_path / "r",
        "-q",
    )
    assert not (tmp_path / "r").exists()


def test_a_label_that_the_card_does_not_know_is_named_with_its_row(capsys, tmp_path):
    home = liar(tmp_path / "home", [*STATEMENTS, ("perhaps", "The mayor sleeps")])
    line = fails(
        capsys, "run", "mbib/072", "-s", "majority", "-o", tmp_path / "r", "--data", home, "-q"
    )
    assert "train.tsv" in line
    assert "81" in line
    assert "perhaps" in line


def test_a_wrong_encoding_is_named_with_byte_and_row(capsys, tmp_path):
    home = liar(tmp_path / "home", STATEMENTS)
    path = home / "mbib/072_Liar/raw/train.tsv"
    raw = path.read_bytes()
    place = raw.index(b"district 7 ")
    path.write_bytes(raw[:place] + b"\xe9" + raw[place:])
    line = fails(
        capsys, "run", "mbib/072", "-s", "majority", "-o", tmp_path / "r", "--data", home, "-q"
    )
    assert str(place) in line.replace(",", "")
    assert "train.tsv" in line


def test_an_empty_file_is_named(capsys, tmp_path):
    home = liar(tmp_path / "home", STATEMENTS)
    (home / "mbib/072_Liar/raw/train.tsv").write_text("")
    assert "train.tsv" in fails(
        capsys, "run", "mbib/072", "-s", "majority", "-o", tmp_path / "r", "--data", home, "-q"
    )


def test_a_cut_workbook_is_named(capsys, tmp_path):
    folder = tmp_path / "home/mbib/010_BABE/raw"
    folder.mkdir(parents=True)
    whole = tmp_path / "whole.xlsx"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>" * 100)
    (folder / "final_labels_SG2.xlsx").write_bytes(whole.read_bytes()[:150])
    line = fails(
        capsys,
        "run",
        "mbib/010",
        "-s",
        "majority",
        "-o",
        tmp_path / "r",
        "--data",
        tmp_path / "home",
        "-q",
    )
    assert "final_labels_SG2.xlsx" in line


def test_one_class_and_small_folds_are_refused(capsys, tmp_path):
    home = liar(tmp_path / "one", [("true", text) for _, text in STATEMENTS])
    assert "one class" in fails(
        capsys, "run", "mbib/072", "-s", "majority", "-o", tmp_path / "r", "--data", home, "-q"
    )
    home = liar(tmp_path / "few", STATEMENTS[:12])
    assert "smaller than 5" in fails(
        capsys, "run", "mbib/072", "-s", "majority", "-o", tmp_path / "r", "--data", home, "-q"
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows[:-3], "3"),
        (lambda rows: [*rows, rows[0]], "stands in line 2 too"),
        (lambda rows: [*rows, "open-nobody,1"], "open-nobody"),
        (
            lambda rows: [rows[0].replace(",0", ",maybe").replace(",1", ",maybe"), *rows[1:]],
            "maybe",
        ),
    ],
    ids=["missing", "doubled", "unknown", "bad label"],
)
def test_a_predictions_file_is_held_against_the_test_items(capsys, tmp_path, change, words):
    import re

    from slant.data.samples import load_sentences

    rows = [f"{name},{label}" for name, label in load_sentences().select("id", "label").iter_rows()]
    good = tmp_path / "good.csv"
    good.write_text("id,label\n" + "\n".join(rows) + "\n")
    code, out, err = slant(
        capsys,
        "run",
        "open/sentences",
        "-s",
        f"predictions:{good}",
        "-o",
        tmp_path / "good",
        "--jobs",
        1,
        "-q",
    )
    assert code == 0, err
    assert "1.000" in out
    bad = tmp_path / "bad.csv"
    bad.write_text("id,label\n" + "\n".join(change(rows)) + "\n")
    line = fails(
        capsys,
        "run",
        "open/sentences",
        "-s",
        f"predictions:{bad}",
        "-o",
        tmp_path / "bad",
        "--jobs",
        1,
        "-q",
    )
    assert "bad.csv" in line
    assert re.search(words, line)
    assert not (tmp_path / "bad" / "cells").exists()


def test_the_directory_of_another_run_is_refused(capsys, tmp_path):
    slant(
        capsys, "run", "open/sentences", "-s", "majority", "-o", tmp_path / "r", "--jobs", 1, "-q"
    )
    line = fails(
        capsys, "run", "open/sentences", "-s", "random", "-o", tmp_path / "r", "--jobs", 1, "-q"
    )
    assert "another run" in line
    assert "--fresh" in line


def test_runs_of_different_protocols_are_not_compared(capsys, tmp_path):
    slant(
        capsys, "run", "open/sentences", "-s", "majority", "-o", tmp_path / "a", "--jobs", 1, "-q"
    )
    slant(
        capsys,
        "run",
        "open/sentences",
        "-s",
        "majority",
        "-o",
        tmp_path / "b",
        "--set",
        "folds=4",
        "--jobs",
        1,
        "-q",
    )
    assert "they differ in folds" in fails(capsys, "compare", tmp_path / "a", tmp_path / "b", "-q")
    assert "two or more" in fails(capsys, "compare", tmp_path / "a", "-q").lower()


@pytest.mark.parametrize("content", [None, "", "{", "[]"])
def test_a_directory_without_a_sound_run_is_refused(capsys, tmp_path, content):
    folder = tmp_path / "r"
    folder.mkdir()
    if content is not None:
        (folder / "run.json").write_text(content)
    for command in (["score", folder], ["report", folder, "--out", tmp_path / "out"]):
        assert str(folder / "run.json") in fails(capsys, *command)
    assert not (tmp_path / "out").exists()


def test_added_files_are_read_strictly(capsys, tmp_path):
    file = tmp_path / "news.csv"
    file.write_text("sentence,biased\nOne,1\nTwo,0\n")
    add = ["data", "add", "news", file, "--task", "fake-news"]
    line = fails(capsys, *add, "--text", "sentense", "--label", "biased")
    assert "Did you mean sentence" in line
    line = fails(capsys, *add, "--text", "sentence", "--label", "biased", "--task", "fake-new")
    assert "Did you mean fake-news" in line
    file.write_text("sentence,biased\nOne,1\nTwo,perhaps\n")
    line = fails(capsys, *add, "--text", "sentence", "--label", "biased")
    assert "perhaps" in line
    assert "news.csv" in line
    file.write_bytes(b"sentence,biased\nOne,1\nTw\xff,0\n")
    line = fails(capsys, *add, "--text", "sentence", "--label", "biased")
    assert "news.csv" in line


@pytest.mark.parametrize(
    "command",
    [
        ["run"],
        ["run", "open/sentences"],
        ["run", "open/sentences", "-s", "majority", "-o", "x", "--jobs", "0"],
        ["bogus"],
        ["data", "bogus"],
        ["run", "open/sentences", "-s", "majority", "-o", ""],
        ["run", "open/sentences", "-s", "majority", "-o", "x", "--seeds", "-5"],
        ["data", "leaks", "open/sentences", "--seed", "-1"],
        ["data", "export", "open/sentences", "--seed", "4294967296"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_one_line_too(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    fails(capsys, *command)
    assert not list(tmp_path.iterdir())


def test_names_of_folders_may_hold_the_signs_of_patterns(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "st[o]re*"))
    out = tmp_path / "r[un"
    code, _, err = slant(capsys, "run", "open/sentences", "-s", "majority", "-o", out, "-q")
    assert code == 0, err
    assert (out / "scores.json").is_file()


def test_an_error_does_not_repeat_a_key_that_was_typed(capsys):
    line = fails(capsys, "run", "open/sentences", "--api-key=sk-Ab3dEf6hIj9kLm2")
    assert "--api-key" in line
    assert "sk-Ab3" not in line


def test_a_folder_that_is_named_is_the_only_one_searched(capsys, tmp_path):
    liar(Path(os.environ["SLANT_CACHE"]), STATEMENTS)
    empty = tmp_path / "empty"
    empty.mkdir()
    code, _, _ = slant(
        capsys, "run", "mbib/072", "-s", "majority", "-o", tmp_path / "store", "--jobs", 1, "-q"
    )
    assert code == 0
    line = fails(
        capsys, "run", "mbib/072", "-s", "majority", "-o", tmp_path / "named", "-q", "--data", empty
    )
    assert "none of its data sets (072) is here" in line


def test_data_that_are_not_the_published_ones_are_said_to_be_so(capsys, tmp_path):
    home = liar(tmp_path / "home", STATEMENTS)
    _, _, err = slant(
        capsys,
        "run",
        "mbib/072",
        "-s",
        "majority",
        "-o",
        tmp_path / "r",
        "--data",
        home,
        "--jobs",
        1,
        "-q",
    )
    assert "072 is altered" in err
    assert "train.tsv" in err


def test_a_store_that_cannot_be_written_is_one_line(capsys, tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("SLANT_CACHE", str(file))
    line = fails(capsys, "run", "open/sentences", "-s", "majority", "-o", tmp_path / "r", "-q")
    assert str(file) in line


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda run: {}, "signature"),
        (lambda run: {**run, "options": {**run["options"], "folds": "x"}}, "options.folds"),
        (lambda run: {**run, "seeds": "42"}, "seeds"),
    ],
)
def test_a_run_json_of_another_shape_is_named_by_its_key(capsys, tmp_path, change, words):
    slant(
        capsys, "run", "open/sentences", "-s", "majority", "-o", tmp_path / "r", "--jobs", 1, "-q"
    )
    path = tmp_path / "r/run.json"
    (tmp_path / "r/.run.json.sum").unlink()
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    line = fails(capsys, "score", tmp_path / "r")
    assert words in line
    assert str(path) in line


def test_a_failed_first_run_does_not_hold_the_directory(capsys, tmp_path):
    from slant.data.samples import load_sentences

    rows = [f"{name},{label}" for name, label in load_sentences().select("id", "label").iter_rows()]
    file = tmp_path / "mine.csv"
    file.write_text("id,label\n" + "\n".join(rows[:-1]) + "\n")
    fails(
        capsys,
        "run",
        "open/sentences",
        "-s",
        f"predictions:{file}",
        "-o",
        tmp_path / "r",
        "--jobs",
        1,
        "-q",
    )
    file.write_text("id,label\n" + "\n".join(rows) + "\n")
    code, _, err = slant(
        capsys,
        "run",
        "open/sentences",
        "-s",
        f"predictions:{file}",
        "-o",
        tmp_path / "r",
        "--jobs",
        1,
        "-q",
    )
    assert code == 0, err


def test_an_interruption_says_that_one_can_go_on(tmp_path):
    import signal

    command = [
        sys.executable,
        "-m",
        "slant",
        "run",
        "open/sentences",
        "-s",
        "tfidf-lr",
        "--seeds",
        ",".join(map(str, range(40))),
        "-o",
        str(tmp_path / "r"),
        "--jobs",
        "1",
        "-q",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("r/cells/*/*/*.parquet")):
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert "goes on from here" in err
    assert "Traceback" not in err


def test_a_name_that_no_file_can_have_is_one_short_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in (["report", "x" * 3000], ["systems", "x" * 3000], ["data", "show", "x" * 3000]):
        code, _, err = slant(capsys, *line)
        assert code == 2
        assert err.startswith("error: ")
        assert err.count("\n") == 1
        assert len(err) < 1300


def test_a_refused_command_leaves_no_folder(capsys, tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("A word.\n")
    odd = tmp_path / "odd.txt"
    odd.write_bytes(b"\xff\xfe")
    table = tmp_path / "table.csv"
    table.write_text("id,sentence\n1,A word.\n")
    out = tmp_path / "a" / "b"
    for line in (
        [
            "embed",
            "train",
            texts,
            "--out",
            out,
            "--minimum",
            "1000",
            "--replicas",
            "1",
            "--epochs",
            "1",
        ],
        ["data", "import", "babe", texts, "--data", out],
        ["analyze", table, "--out", out, "--text", "content"],
        ["run", "open/sentences", "--system", f"predictions:{odd}", "--out", out],
    ):
        code, _, err = slant(capsys, *line)
        assert (code, err.count("error: ")) == (2, 1), err
        assert not (tmp_path / "a").exists(), line
