"""Several systems in one command: names, parameters, and checks before the first run starts."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "systems"))
from tiny import save_tiny, tiny_tokenizer

from slant.errors import DataError, OptionError, RunError, SlantError, UnknownName
from slant.runs.lineups import run_lineup, run_names, shared_params, system_list
from slant.runs.run import run
from slant.runs.scoring import load_scores

needs_encoders = pytest.mark.skipif(
    not find_spec("torch"), reason="the extra encoders is not installed"
)
TASK = "open/sentences"
FOLDS = {"folds": "3"}


def test_a_comma_in_the_path_of_a_file_that_exists_is_no_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine,2.csv").touch()
    Path("a,b,c").mkdir()
    listed = "predictions:mine,2.csv,tfidf-lr,encoder:a,b,c,lexicon"
    assert system_list(listed) == ["predictions:mine,2.csv", "tfidf-lr", "encoder:a,b,c", "lexicon"]
    assert system_list("predictions:mine,2.csv") == ["predictions:mine,2.csv"]


def test_one_system_is_left_as_it_was_given():
    assert system_list("tfidf") == ["tfidf"]  # `run` says what is wrong with it


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("tfidf-lr,lexikon", UnknownName, "Did you mean lexicon"),
        ("encoder:convbert,bart", UnknownName, "the system 'bart'"),
        ("tfidf-lr,tfidf-lr", OptionError, "'tfidf-lr' is given twice"),
        ("tfidf-lr,", OptionError, "one is empty"),
        ("predictions:no,file.csv", UnknownName, "the system 'file.csv'"),
    ],
)
def test_a_list_with_a_fault_is_refused(given, error, words):
    with pytest.raises(error, match=re.escape(words)):
        system_list(given)


def test_folders_are_told_apart_by_as_much_of_the_path_as_is_needed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("x/a/m", "x/b/m", "y/a/m", "m"):
        Path(name).mkdir(parents=True)
    systems = ["encoder:x/a/m", "encoder:x/b/m", "encoder:y/a/m", "tfidf-lr", "encoder:gpt2"]
    assert run_names(systems) == [
        "encoder-x-a-m", "encoder-b-m", "encoder-y-a-m", "tfidf-lr", "encoder-gpt2",
    ]  # fmt: skip


def test_names_are_safe_and_never_alike(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    systems = [
        "encoder:a b/Ü m", "encoder:own/name", "encoder:other/NAME", "encoder:a-b/c",
        "encoder:a/b-c", "predictions:../x/mine.csv", "predictions:mine.csv", "encoder:minilm",
        "encoder:./minilm",
    ]  # fmt: skip
    names = run_names(systems)
    assert len({name.casefold() for name in names}) == len(systems)
    assert all(re.fullmatch(r"\w[\w.+-]*", name) for name in names)
    assert names[0] == "encoder-Ü-m"
    assert names[-2:] == ["encoder-minilm", "encoder-minilm-2"]


def test_a_parameter_goes_to_each_system_that_accepts_it():
    systems = ["tfidf-lr", "minilm-lr", "encoder:gpt2"]
    params = {"C": "2", "max_length": "64"}
    assert shared_params(systems, params) == [{"C": "2"}, params, {"max_length": "64"}]
    with pytest.raises(UnknownName, match=r"'epoch'.*Did you mean epochs"):
        shared_params(systems, {"epoch": "2"})


def test_each_system_has_its_run_and_the_scores_of_a_run_alone(tmp_path):
    told = []
    runs = run_lineup(
        TASK, ["majority", "lexicon"], tmp_path / "all", options=FOLDS, jobs=1,
        progress=lambda done, total, what: told.append(what),
    )  # fmt: skip
    assert [one.folder.name for one in runs] == ["majority", "lexicon"]
    alone = run(TASK, "lexicon", tmp_path / "alone", options=FOLDS, jobs=1)
    assert load_scores(runs[1].folder)[1] == load_scores(alone.folder)[1]
    assert "lexicon (2 of 2) open/sentences 42-2" in told


def test_the_same_call_again_makes_only_what_is_missing(tmp_path):
    def all_():
        return run_lineup(TASK, ["majority", "lexicon"], tmp_path, options=FOLDS, jobs=1)

    cells = {one.folder.name: sorted(one.folder.rglob("*.parquet")) for one in all_()}
    before = {path: path.stat().st_mtime_ns for own in cells.values() for path in own}
    cells["lexicon"][1].unlink()
    all_()
    after = {path: path.stat().st_mtime_ns for path in before}
    assert [path for path in before if after[path] != before[path]] == [cells["lexicon"][1]]


def refused(systems, out, error, words, **more):
    """The lineup is refused, and nothing of it was begun."""
    before = sorted(out.rglob("*")) if out.exists() else None
    with pytest.raises(error, match=words):
        run_lineup(TASK, systems, out, options=FOLDS, jobs=1, **more)
    assert (sorted(out.rglob("*")) if out.exists() else None) == before


def test_a_later_system_that_cannot_run_is_found_before_the_first_starts(tmp_path):
    out = tmp_path / "all"
    (tmp_path / "few.csv").write_text("id,label\n1,0\n")
    refused(["majority", "majority:x"], out, OptionError, "has no kinds")
    refused(["majority", "predictions:no.csv"], out, DataError, "no such file")
    refused(["majority", f"predictions:{tmp_path}/few.csv"], out, DataError, "items are missing")
    refused(["majority", "tfidf-lr"], out, SlantError, "Setting C", params={"C": "-1"})


def test_a_directory_of_another_run_is_found_before_the_first_starts(tmp_path):
    run(TASK, "majority", tmp_path / "one", options=FOLDS, jobs=1)
    refused(["majority", "random"], tmp_path / "one", RunError, "directory of one run itself")
    run(TASK, "random", tmp_path / "all" / "random", options={"folds": "4"}, jobs=1)
    refused(["majority", "random"], tmp_path / "all", RunError, "it holds another run")
    runs = run_lineup(
        TASK, ["majority", "random"], tmp_path / "all", options=FOLDS, jobs=1, fresh=True
    )
    assert all((one.folder / "scores.json").exists() for one in runs)


@needs_encoders
def test_a_later_checkpoint_that_cannot_be_read_is_found_before_the_first_starts(tmp_path):
    good = save_tiny(tmp_path / "good", "bert")
    misfit = save_tiny(tmp_path / "misfit", "bert")
    tiny_tokenizer("bert", extra=[f"word{i}" for i in range(99)]).save_pretrained(misfit)
    out = tmp_path / "all"
    refused(["majority", f"encoder:{misfit}"], out, DataError, "its tokenizer gives ids up to")
    refused(["majority", "encoder:convbertt"], out, UnknownName, "Did you mean convbert")
    refused(
        ["majority", f"encoder:{good}"], out, OptionError, "reads at most 66 tokens",
        params={"max_length": "99"},
    )  # fmt: skip


@needs_encoders
def test_a_hub_that_cannot_be_reached_is_found_before_the_first_starts(tmp_path, monkeypatch):
    import huggingface_hub

    from slant.errors import WorkFailed

    def unreachable(*arguments, **named):
        raise ConnectionError("no route")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", unreachable)
    refused(["majority", "encoder:gpt2"], tmp_path / "all", WorkFailed, "cannot be reached")
