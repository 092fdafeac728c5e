"""slant annotate convert, as it is typed."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from slant.annotate.formats import read_annotated
from slant.cli.conversions import convert
from slant.errors import DataError, OptionError
from slant.types import Mark, Span

TEXT = "Experts agree. 😀 They always agree."


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "brat"
    folder.mkdir()
    (folder / "a.txt").write_text(TEXT, "utf-8")
    (folder / "a.ann").write_text(
        "T1\tB01 8 13;29 34\tagree agree\nT2\tB02 0 7\tExperts\nA1\tConfidence T1 2\n"
        "E1\tClaim:T2\n",
        "utf-8",
    )
    return folder


def called(*arguments):
    app = typer.Typer()
    app.command("convert")(convert)
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_counts_and_losses_are_printed(project, tmp_path):
    out = called(project, "--to", "ptc", "--out", tmp_path / "ptc")
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows == [
        ["what", "count"],
        ["articles", "1"],
        ["triggers", "2"],
        ["spans", "3"],
        ["left aside: events", "1"],
        ["lost: triggers of several spans, each of which becomes one", "1"],
        ["lost: confidences", "1"],
        ["lost: ids of triggers", "2"],
    ]


def test_one_json_document(project, tmp_path):
    made = json.loads(called(project, "--to", "webanno", "-o", tmp_path / "x", "--json"))
    assert made == {
        "from": "brat",
        "to": "webanno",
        "articles": 1,
        "triggers": 2,
        "spans": 3,
        "left_aside": [{"what": "events", "count": 1}],
        "lost": [],
    }
    [example] = read_annotated(tmp_path / "x")
    assert example.gold.marks[1] == Mark("B01", (Span(8, 13), Span(29, 34)), confidence=2, id="T1")


def test_the_source_is_never_written_over(project, tmp_path):
    before = (project / "a.ann").read_text("utf-8")
    for out in (project, tmp_path):
        with pytest.raises(OptionError, match="it is the source, or a folder that holds it"):
            called(project, "--to", "brat", "--out", out)
    assert (project / "a.ann").read_text("utf-8") == before


def test_a_source_that_does_not_fit_leaves_nothing_behind(project, tmp_path):
    (project / "a.txt").write_text(TEXT.replace("always", "never"), "utf-8")
    with pytest.raises(DataError, match=r"a\.ann': line 1"):
        called(project, "--to", "jsonl", "--out", tmp_path / "x.jsonl")
    assert not (tmp_path / "x.jsonl").exists()


def test_articles_may_stand_apart(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/article7.txt").write_text(TEXT, "utf-8")
    (tmp_path / "labels.tsv").write_text("7\t0\t7\n")
    out = tmp_path / "gold.jsonl"
    called(tmp_path / "labels.tsv", "--articles", tmp_path / "texts", "--to", "jsonl", "-o", out)
    row = json.loads(out.read_text("utf-8"))
    assert row["triggers"] == [
        {"bias": "propaganda", "spans": [{"start": 0, "end": 7, "text": "Experts"}]}
    ]


def test_a_schema_refuses_other_categories_and_takes_names(project, tmp_path):
    out = tmp_path / "x.jsonl"
    schema = tmp_path / "own.json"
    schema.write_text(
        json.dumps({"biases": [{"code": "B01", "name": "One"}, {"code": "X", "name": "B02"}]})
    )
    called(project, "--to", "jsonl", "-o", out, "--schema", schema)
    assert [mark.category for mark in read_annotated(out)[0].gold.marks] == ["B01", "X"]
    schema.write_text(json.dumps({"biases": [{"code": "B01", "name": "One"}]}))
    with pytest.raises(DataError, match="'a' has the category 'B02', which the schema has not"):
        called(project, "--to", "jsonl", "-o", out, "--schema", schema)
