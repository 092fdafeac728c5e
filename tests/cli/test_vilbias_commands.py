"""slant vilbias run, judge and sheet, as a person or a script meets them."""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from slant.cli.vilbias import app
from slant.errors import OptionError, SlantError

sys.path.append(str(Path(__file__).parents[1] / "runs"))
from scriptedvision import KEY, Said, ruling, vision_server

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

MODEL = ["--model-arg", "max_retries=0", "--max-retries", "0", "--quiet"]


def run(*words):
    """The command's result; an error of the user is raised as it is."""
    result = CliRunner().invoke(app, list(map(str, words)))
    if isinstance(result.exception, SlantError):
        raise result.exception
    return result


@pytest.fixture(scope="module", autouse=True)
def inspect_here(tmp_path_factory):
    """inspect-ai, which is an extra, with a home of its own for its traces."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("inspect")))
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install slant[vision]")
    patch.setenv("SCRIPTED_API_KEY", KEY)
    yield patch
    patch.undo()
    gc.collect()


def reply(sent, before):
    """Everything is biased, and every rationale is well supported."""
    if sent.model == "judge":
        return Said(ruling())
    return Said(json.dumps({"label": "biased", "rationale": "It is loaded."}))


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A judged run, made by one command."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    with vision_server(reply) as server:
        result = run(
            "run", "-m", "openai-api/scripted/vision", "-j", "openai-api/scripted/judge",
            "--data", "open/pairs", "--items", "all", "--limit", 4, "--closed", "--open",
            "--planted", 1, "-o", folder, "--base-url", server.url, "--json", *MODEL,
        )  # fmt: skip
        yield folder, result, len(server.requests)


def test_one_command_asks_judges_and_scores(first):
    folder, result, requests = first
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    # Four pairs closed and open; four rationales and seven planted ones.
    assert (found["asking"]["asked"], found["judging"]["asked"], requests) == (8, 11, 19)
    assert found["scores"]["kind"] == "vilbias"
    assert (folder / "scores.json").is_file()


def test_a_sheet_is_made_as_csv_and_html_and_read_back(first, tmp_path):
    folder, _, _ = first
    for name in ("sheet.csv", "sheet.html"):
        assert run("sheet", folder, "--n", 3, "-o", tmp_path / name).exit_code == 0
    page = (tmp_path / "sheet.html").read_text()
    assert page.count("<article") == 3
    assert page.count("data:image/png;base64,") == 3
    text = (tmp_path / "sheet.csv").read_text().replace(",,,\n", ",yes,no,\n")
    (tmp_path / "marks.csv").write_text(text.replace(",,,\r\n", ",yes,no,\r\n"))
    found = json.loads(run("sheet", folder, "--marks", tmp_path / "marks.csv", "--json").stdout)
    assert [one["agreed"]["value"] for one in found["judges"]] == [1, 0]
    with pytest.raises(OptionError, match=r"neither \.csv nor \.html"):
        run("sheet", folder, "-o", tmp_path / "sheet.xlsx")


def test_a_judge_that_never_keeps_the_schema_is_one_line_and_exit_code_1(first, tmp_path):
    from shutil import copytree

    folder = copytree(first[0], tmp_path / "run")
    with vision_server(lambda sent, before: Said("Yes.")) as server:
        result = run(
            "judge", folder, "-j", "openai-api/scripted/other", "--planted", 0, "--tries", 1,
            "--base-url", server.url, *MODEL,
        )  # fmt: skip
    assert result.exit_code == 1
    assert "other never answered in the schema (not-json 4): no score comes of it" in result.stderr


def test_an_estimate_writes_nothing(tmp_path):
    words = ["-m", "a/b", "--data", "open/pairs", "--items", "all", "--estimate", "--json"]
    (row,) = json.loads(run("run", *words, "-o", tmp_path / "run").stdout)
    assert row["calls"] == row["images"] > 0
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--judge", "a/b"], "closed answers have no rationales"),
        (["--shots", "five"], "--shots 'five'"),
        (["--items", "some"], "neither test nor all"),
        (["--split", "80"], "--split '80'"),
        (["--max-cost", "1"], "no price"),
    ],
)
def test_options_that_do_not_fit_are_one_clear_line(tmp_path, words, said):
    given = ["-m", "a/b", "--data", "open/pairs", "-o", tmp_path / "run"]
    if "--split" not in words and "--items" not in words:
        given += ["--items", "all"]
    with pytest.raises(OptionError, match=said):
        run("run", *given, *words)
    assert not (tmp_path / "run" / "run.json").exists()


def test_a_judge_that_cannot_be_asked_is_refused_before_the_first_question(tmp_path, inspect_here):
    inspect_here.delenv("MISSING_API_KEY", raising=False)
    for judge, more, said in (
        ("nowhere/judge", [], "nowhere/judge"),
        ("openai-api/missing/judge", [], "MISSING_API_KEY"),
        ("openai-api/scripted/judge", ["--samples", 2], "samples are copies"),
    ):
        with vision_server(reply) as server, pytest.raises(SlantError, match=said):
            run(
                "run", "-m", "openai-api/scripted/vision", "-j", judge, *more, "--open",
                "--data", "open/pairs", "--items", "all", "--limit", 2, "-o", tmp_path / "run",
                "--base-url", server.url, *MODEL,
            )  # fmt: skip
        assert not server.requests
        assert not (tmp_path / "run" / "run.json").exists()


def test_a_model_that_is_stopped_is_named_and_what_a_server_tells_of_keys_is_not_kept(tmp_path):
    leak = "no such key: sk-proj-Ab3dEf6hIj9kLm2n"
    with vision_server(lambda sent, before: Said(status=500, message=leak)) as server:
        result = run(
            "run", "-m", "openai-api/scripted/vision", "--closed", "--data", "open/pairs",
            "--items", "all", "--limit", 14, "--max-connections", 1, "-o", tmp_path / "run",
            "--base-url", server.url, *MODEL,
        )  # fmt: skip
    assert result.exit_code == 1
    assert "stopped: openai-api/scripted/vision: 10 failures in a row" in result.stderr
    assert "no such key: [key]" in result.stderr
    for path in (tmp_path / "run").rglob("*"):
        assert not path.is_file() or b"Ab3dEf6hIj9kLm2n" not in path.read_bytes()


def test_one_pair_without_an_image_is_one_pair(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("id,text,label\na,one,Likely\nb,two,Unlikely\n")
    with vision_server(reply) as server:
        result = run(
            "run", "-m", "openai-api/scripted/vision", "--data", path, "--items", "all",
            "--limit", 1, "-o", tmp_path / "run", "--base-url", server.url, *MODEL,
        )  # fmt: skip
    assert "1 pair was asked about without an image" in result.stderr
