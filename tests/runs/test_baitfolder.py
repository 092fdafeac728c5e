"""A run folder is bound to what its answers depend on, and may grow in everything else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from scriptedmodel import made_articles

from slant.data.schemas import load_schema, plain_schema, read_schema_json
from slant.errors import DataError, OptionError, RunError, UnknownName
from slant.runs.askedfolders import joined
from slant.runs.bait import estimate_bait, run_bait
from slant.runs.baitanswers import read_answers
from slant.runs.baitbudget import AskingLimits
from slant.runs.baitdata import BaitData, bait_data
from slant.runs.baitfolder import BaitSystem, data_sha256, grown
from slant.runs.baitplan import BaitSettings
from slant.runs.store import only_writer
from slant.systems.prompts import system_message
from slant.systems.triggeranswers import parsed_answer
from slant.types import Answer

SCHEMA = load_schema("bait")
ARTICLES = made_articles(12)
DATA = BaitData("made", SCHEMA, ARTICLES)
BASE = BaitSettings(shots=(0, 3), zero_shot_runs=2, limit=5)


@pytest.fixture
def folder(tmp_path):
    """A run with one baseline, which needs no model."""
    run_bait(DATA, tmp_path / "run", baselines=["most-frequent"], settings=BASE, command="slant x")
    return tmp_path / "run"


def test_run_json_holds_schema_settings_prompt_and_data(folder):
    record = json.loads((folder / "run.json").read_text())
    assert record["kind"] == "bait"
    assert record["command"] == "slant x"
    assert read_schema_json(record["schema"]) == SCHEMA
    assert record["data"] == {
        "path": "made", "sha256": data_sha256(ARTICLES), "articles": 5, "articles_in_all": 12,
    }  # fmt: skip
    assert record["settings"]["shots"] == [0, 3]
    assert record["settings"]["accompanied"] == {"k3-seed17": "k0-run1", "k3-seed23": "k0-run2"}
    assert record["systems"] == [{"name": "most-frequent", "kind": "baseline", "params": {}}]
    assert (folder / "prompt.txt").read_text() == system_message(SCHEMA) + "\n"
    assert len((folder / "gold.jsonl").read_text().splitlines()) == 5


def test_a_baselines_answers_are_of_the_form_of_a_models(folder):
    (run,) = read_answers(folder)
    assert (run.system, run.kind, run.shots, run.run) == ("most-frequent", "baseline", 0, "k0-run1")
    assert len(run.answers) == 5
    for one in run.answers.values():
        assert parsed_answer(one.raw, SCHEMA.codes).fault is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"temperature": 0.7}, "temperature 0.0, now 0.7"),
        ({"max_tokens": 100}, "max_tokens 8192, now 100"),
        ({"draws": (1, 2)}, "draws 17,23,29, now 1,2"),
        ({"structured": "no"}, "structured auto, now no"),
    ],
)
def test_settings_that_answers_depend_on_are_refused_with_both_values(folder, change, said):
    before = (folder / "run.json").read_bytes()
    with pytest.raises(RunError) as refused:
        run_bait(DATA, folder, baselines=["most-frequent"], settings=replace(BASE, **change))
    assert said in str(refused.value)
    assert (folder / "run.json").read_bytes() == before


def test_other_data_are_refused_be_it_one_span_of_the_gold(folder):
    other = [replace(ARTICLES[0], gold=Answer()), *ARTICLES[1:]]
    with pytest.raises(RunError, match="data of the sum"):
        run_bait(BaitData("made", SCHEMA, other), folder, baselines=["cues"], settings=BASE)


def test_another_schema_is_refused(folder):
    schema = plain_schema(SCHEMA.codes)
    with pytest.raises(RunError, match="schema another one"):
        run_bait(BaitData("made", schema, ARTICLES), folder, baselines=["cues"], settings=BASE)


def test_numbers_of_examples_runs_and_articles_only_become_more(folder):
    more = BaitSettings(shots=(10,), zero_shot_runs=6, limit=12)
    found = grown(folder, more, SCHEMA, ARTICLES)
    assert (found.shots, found.zero_shot_runs, found.limit) == ((0, 3, 10), 6, 12)
    less = BaitSettings(shots=(0,), zero_shot_runs=1, limit=2)
    found = grown(folder, less, SCHEMA, ARTICLES)
    assert (found.shots, found.zero_shot_runs, found.limit) == ((0, 3), 2, 5)
    assert grown(folder, replace(BASE, limit=None), SCHEMA, ARTICLES).limit is None


def test_more_articles_are_answered_and_those_there_are_kept(folder):
    before = read_answers(folder)[0].answers
    run_bait(DATA, folder, baselines=["most-frequent"], settings=replace(BASE, limit=None))
    after = read_answers(folder)[0].answers
    assert len(after) == 12
    assert {name: after[name] for name in before} == before


def test_a_system_is_not_asked_with_other_parameters_in_the_same_folder(tmp_path):
    before = [BaitSystem(name="a/b", kind="model", params={"stream": "True"})]
    added = BaitSystem(name="c/d", kind="model")
    assert [one.name for one in joined(tmp_path, before, [before[0], added])] == ["a/b", "c/d"]
    with pytest.raises(RunError, match="its system 'a/b'"):
        joined(tmp_path, before, [BaitSystem(name="a/b", kind="model")])


def test_a_folder_of_another_kind_of_run_is_refused(tmp_path):
    (tmp_path / "run.json").write_text('{"kind": "study"}')
    with pytest.raises(RunError, match="no record of `slant bait run`"):
        run_bait(DATA, tmp_path, baselines=["cues"], settings=BASE)


def test_a_folder_that_is_written_to_is_refused(folder):
    with only_writer(folder), pytest.raises(RunError, match="another process"):
        run_bait(DATA, folder, baselines=["cues"], settings=BASE)


def test_no_system_and_unknown_baselines_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(OptionError, match="--model or --baselines"):
        run_bait(DATA, tmp_path / "a", settings=BASE)
    with pytest.raises(UnknownName, match="Did you mean cues"):
        run_bait(DATA, tmp_path / "a", baselines=["cue"], settings=BASE)
    assert not (tmp_path / "a" / "run.json").exists()


@pytest.mark.parametrize("name", ["gold.jsonl", "prompt.txt", "notes.md"])
def test_a_folder_with_other_files_and_no_run_is_refused_and_left_as_it_is(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(RunError, match=f"it holds no run, but other files .'{name}'"):
        run_bait(DATA, tmp_path, baselines=["most-frequent"], settings=BASE)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [(name, "mine")]


def test_a_run_of_another_kind_is_refused_before_even_a_lock_is_there(tmp_path):
    (tmp_path / "run.json").write_text('{"kind": "study"}')
    with pytest.raises(RunError, match="no record of"):
        run_bait(DATA, tmp_path, baselines=["cues"], settings=BASE)
    assert [one.name for one in tmp_path.iterdir()] == ["run.json"]


def test_what_a_process_killed_at_its_start_left_is_gone_on_with(tmp_path, monkeypatch):
    """Before run.json there are locks and its temporary file; run.json is written before all else."""
    from slant.runs import baitfolder

    def killed(*args, **kwargs):
        raise KeyboardInterrupt

    for name in (".lock", ".entrance.lock", ".run.json.0123abcd-77.tmp"):
        (tmp_path / name).touch()
    monkeypatch.setattr("slant.annotate.formats.write_annotated", killed)
    with pytest.raises(KeyboardInterrupt):
        run_bait(DATA, tmp_path, baselines=["most-frequent"], settings=BASE)
    monkeypatch.undo()
    assert (tmp_path / baitfolder.FILE).exists()
    assert not (tmp_path / "gold.jsonl").exists()
    run_bait(DATA, tmp_path, baselines=["most-frequent"], settings=BASE)
    assert len(read_answers(tmp_path)[0].answers) == 5


def test_a_refused_start_leaves_no_folder_behind_but_one_that_was_there(tmp_path, monkeypatch):
    there = tmp_path / "there"
    there.mkdir()
    with pytest.raises(UnknownName):
        run_bait(DATA, tmp_path / "a" / "b", baselines=["foo"], settings=BASE)
    assert [one.name for one in tmp_path.iterdir()] == ["there"]

    def refused(*args):
        raise OptionError("Opening the model", "there is none", "Give another")

    # A model is opened when the folder is held already.
    monkeypatch.setattr("slant.runs.bait.opened", refused)
    for out in (tmp_path / "a" / "b", there):
        with pytest.raises(OptionError, match="there is none"):
            run_bait(DATA, out, models=["nosuch/x"], settings=BASE)
    assert [one.name for one in tmp_path.iterdir()] == ["there"]


def test_baselines_need_no_examples_and_models_do(tmp_path):
    two = BaitData("made", SCHEMA, ARTICLES[:2])
    run_bait(two, tmp_path / "run", baselines=["cues", "whole-article"])
    assert [len(one.answers) for one in read_answers(tmp_path / "run")] == [2, 2]
    with pytest.raises(OptionError, match="Drawing 10 examples"):
        run_bait(two, tmp_path / "run", models=["a/b"])


def test_keys_of_the_environment_are_not_in_the_command_that_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "abc-123456")
    run_bait(
        DATA, tmp_path / "run", baselines=["cues"], settings=BASE, command="slant x --data abc-123456"
    )  # fmt: skip
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["command"] == "slant x --data [key]"


def test_an_estimate_counts_what_is_not_answered_yet_and_writes_nothing(tmp_path):
    (row,) = estimate_bait(DATA, tmp_path / "none", ["a/b"], BASE, AskingLimits())
    # two runs without and three with examples, five articles each
    assert (row["model"], row["calls"], row["cost"]) == ("a/b", 25, None)
    assert not (tmp_path / "none").exists()


def test_passes_of_annotators_must_be_over_the_articles_of_the_gold(tmp_path):
    from slant.annotate.formats import write_annotated

    for name, part in (("gold", ARTICLES), ("a", ARTICLES), ("b", ARTICLES[:3])):
        write_annotated(part, tmp_path / f"{name}.jsonl", format="jsonl")
    gold, a, b = (tmp_path / f"{name}.jsonl" for name in ("gold", "a", "b"))
    both = bait_data(str(gold), annotators=[a, a]).examples[0].annotators
    assert list(both) == ["a", "a-2"]
    with pytest.raises(DataError, match=r"'article-4' of .* is not there"):
        bait_data(str(gold), annotators=[a, b])


def test_a_category_that_the_schema_does_not_have_is_refused(tmp_path):
    from slant.annotate.formats import write_annotated

    write_annotated(ARTICLES, tmp_path / "gold.jsonl", format="jsonl")
    with pytest.raises(DataError, match="B01"):
        bait_data(str(tmp_path / "gold.jsonl"), schema="ptc")
