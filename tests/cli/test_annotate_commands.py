"""slant annotate: from articles to gold."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files

import pytest
from called import slant

SAMPLES = files("slant.data").joinpath("samples", "bait")
PASSES = SAMPLES / "annotator-a.jsonl", SAMPLES / "annotator-b.jsonl"


def decide(folder, word="keep"):
    path = folder / "adjudication.csv"
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows({**row, "decision": word} for row in rows)
    path.write_bytes(out.getvalue().encode())


def test_from_two_passes_to_gold(capsys, tmp_path):
    merged, gold = tmp_path / "merged", tmp_path / "gold.jsonl"
    code, said, heard = slant(
        capsys, "annotate", "merge", *PASSES, "-o", merged, "--schema", "bait"
    )
    assert code == 0
    assert "kept: high confidence\t" in said
    assert "next: slant annotate adjudicate" in heard
    assert sorted(path.name for path in merged.iterdir()) == [
        "adjudication.csv", "adjudication.html", "gold-so-far.jsonl", "merge.json",
    ]  # fmt: skip
    code, said, heard = slant(capsys, "annotate", "adjudicate", merged, "-o", gold)
    assert (code, said) == (2, "")
    assert "cases have no decision: row 2, row 3" in heard
    assert heard.count("\n") == 1
    assert not gold.exists()
    decide(merged)
    code, said, heard = slant(capsys, "annotate", "adjudicate", merged, "-o", gold, "--json")
    assert (code, heard) == (0, "")
    assert json.loads(said)["decisions"]["keep"] == 68
    first = gold.read_bytes()
    slant(capsys, "annotate", "adjudicate", merged, "-o", gold)
    assert gold.read_bytes() == first
    code, said, _ = slant(capsys, "annotate", "stats", gold, "--json")
    assert code == 0
    assert json.loads(said)["articles"] == 34


def test_agreement_is_a_table_or_one_document(capsys, tmp_path):
    arguments = ["annotate", "agree", *PASSES, "--schema", "bait", "--resamples", 200]
    code, said, _ = slant(capsys, *arguments)
    assert code == 0
    lines = said.splitlines()
    assert lines[0].startswith("bias\tarticles annotator-a\tarticles annotator-b\tboth\tp_o\tp_e")
    assert [line.split("\t")[0] for line in lines[1:]] == [f"B0{n}" for n in range(1, 10)] + [
        "mean"
    ]
    code, said, heard = slant(capsys, *arguments, "--json", "--out", tmp_path / "a")
    assert (code, heard) == (0, "")
    assert json.loads(said) == json.loads((tmp_path / "a" / "agreement.json").read_text())
    assert json.loads(said)["annotators"] == ["annotator-a", "annotator-b"]


def test_the_samples_gold_has_its_published_counts(capsys):
    code, said, _ = slant(capsys, "annotate", "stats", SAMPLES / "articles.jsonl")
    assert code == 0
    rows = [line.split("\t") for line in said.splitlines()]
    assert rows[1][:5] == ["B01", "18", "18", "18", "54"]
    assert rows[-1][:5] == ["total", "29", "130", "38", "192"]


def test_packages_are_made_and_refused_where_they_are(capsys, tmp_path):
    arguments = ["annotate", "new", SAMPLES / "articles.jsonl", "--annotators", "ann, ben"]
    code, said, heard = slant(capsys, *arguments, "-o", tmp_path / "work")
    assert code == 0
    assert said.split() == [str(tmp_path / "work" / who) for who in ("ann", "ben")]
    assert (tmp_path / "work" / "ann" / "annotations" / "annotation.conf").is_file()
    assert "B09" in (tmp_path / "work" / "ben" / "codebook.html").read_text("utf-8")
    code, said, heard = slant(capsys, *arguments, "-o", tmp_path / "work", "--json")
    assert (code, said) == (2, "")
    assert "is there already" in heard


def test_packages_that_nobody_touched_are_refused_and_one_of_them_is_told(capsys, tmp_path):
    work, merged = tmp_path / "work", tmp_path / "merged"
    source = SAMPLES / "articles.jsonl"
    slant(capsys, "annotate", "new", source, "-o", work, "--annotators", "ann,ben")
    for words in (("agree",), ("merge", "-o", merged)):
        code, said, heard = slant(capsys, "annotate", *words, work / "ann", work / "ben")
        assert (code, said) == (2, "")
        assert "neither ann nor ben marked or ticked anything" in heard
        assert not merged.exists()
    sheet = work / "ann" / "first-pass.csv"
    lines = sheet.read_text("utf-8-sig").splitlines()
    sheet.write_text("\n".join([lines[0], lines[1] + "1", *lines[2:]]).replace(",,,1", ",1,,"))
    code, said, heard = slant(
        capsys, "annotate", "merge", work / "ann", work / "ben", "-o", merged, "--json"
    )
    assert code == 0, heard
    assert "ben marked and ticked nothing in any article" in heard
    assert "ann marked" not in heard


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["agree", PASSES[0], "no.jsonl"], "Reading 'no.jsonl': there is no such file"),
        (["agree", *PASSES, "--schema", "ptc"], "which the schema has not"),
        (["agree", *PASSES, "--names", "ann"], "these are not two names"),
        (["merge", *PASSES, "-o", "m", "--tie", "first"], "Setting tie: 'first' is none of its"),
        (["merge", *PASSES, "-o", "m", "--both", "match", "--least", "0"], "threshold is 0"),
        (["adjudicate", ".", "-o", "gold.jsonl"], "it has no merge.json"),
        (["new", PASSES[0], "-o", "w", "--annotators", "a", "--for", "word"], "tool 'word'"),
        (["new", PASSES[0], "-o", "w", "--annotators", "a", "--schema", "bias"], "schema 'bias'"),
    ],
)
def test_what_cannot_be_done_is_one_line(capsys, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    code, said, heard = slant(capsys, "annotate", *arguments)
    assert (code, said) == (2, "")
    assert heard.startswith("error: ")
    assert line in heard
    assert heard.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
