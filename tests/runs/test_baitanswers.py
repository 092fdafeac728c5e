from __future__ import annotations

import json

import pytest

from slant.errors import RunError
from slant.runs.baitanswers import (
    NOT_ASKED,
    Journal,
    StoredAnswer,
    answers_path,
    read_answers,
    slug,
    spent,
)

KEPT = StoredAnswer(
    '{"a": "\u2028 🌉 \\u00e9"}\n', None, 2, ("b", "c"), "small", {"total_tokens": 7}, 1.5, "stop", True
)  # fmt: skip


def folder_of(tmp_path, systems=("openai/gpt-4o",), articles=("a", "b")):
    record = {"systems": [{"name": one, "kind": "model"} for one in systems]}
    (tmp_path / "run.json").write_text(json.dumps(record))
    lines = [json.dumps({"id": one, "text": "T\u2028x", "triggers": []}) for one in articles]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_an_answer_is_read_back_as_it_was_added(tmp_path):
    path = tmp_path / "answers" / "x.jsonl"
    Journal(path).add("a", KEPT)
    assert Journal(path).answers == {"a": KEPT}
    assert Journal(path).answered("a") == KEPT


def test_each_answer_is_one_line_forced_to_the_disk(tmp_path, monkeypatch):
    from slant.runs import linejournals

    synced = []
    monkeypatch.setattr(linejournals.os, "fsync", synced.append)
    journal = Journal(tmp_path / "x.jsonl")
    for n in range(3):
        journal.add(f"a{n}", KEPT)
        assert journal.path.read_bytes().count(b"\n") == n + 1
    assert len(synced) == 3


@pytest.mark.parametrize("end", [1, 10, 40, -1])
def test_a_last_line_that_was_cut_off_counts_for_nothing_and_goes_with_the_next_answer(tmp_path, end):  # fmt: skip
    path = tmp_path / "x.jsonl"
    journal = Journal(path)
    journal.add("a", KEPT)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:end])
    journal = Journal(path)
    assert list(journal.answers) == ["a"]
    journal.add("b", KEPT)
    assert list(Journal(path).answers) == ["a", "b"]


def test_a_cut_inside_an_emoji_is_no_obstacle(tmp_path):
    path = tmp_path / "x.jsonl"
    Journal(path).add("a", KEPT)
    path.write_bytes(path.read_bytes() + '{"article": "🌉'.encode()[:-2])
    assert list(Journal(path).answers) == ["a"]


def test_a_failure_is_to_be_asked_again_and_a_later_answer_takes_its_place(tmp_path):
    journal = Journal(tmp_path / "x.jsonl")
    journal.add("a", StoredAnswer(None, "on fire", 1))
    assert journal.answered("a") is None
    journal.add("a", KEPT)
    assert Journal(journal.path).answered("a") == KEPT


def test_an_empty_answer_is_an_answer(tmp_path):
    journal = Journal(tmp_path / "x.jsonl")
    journal.add("a", StoredAnswer("", attempts=1))
    assert journal.answered("a").raw == ""


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "x.jsonl"
    Journal(path).add("a", KEPT)
    path.write_bytes(path.read_bytes() + b"\0\0\0\n")
    with pytest.raises(RunError, match="line 2 is no answer"):
        Journal(path)


def test_half_a_character_is_kept_as_a_replacement(tmp_path):
    journal = Journal(tmp_path / "x.jsonl")
    journal.add("a", StoredAnswer("x\ud83d", attempts=1))
    assert Journal(journal.path).answers["a"].raw == "x\ufffd"


def test_every_article_has_an_answer_in_every_run_be_it_that_it_was_not_asked(tmp_path):
    folder = folder_of(tmp_path)
    Journal(answers_path(folder, "openai/gpt-4o", "k0-run1")).add("a", KEPT)
    Journal(answers_path(folder, "openai/gpt-4o", "k0-run1")).add("gone", KEPT)
    (run,) = read_answers(folder)
    assert run.answers == {"a": KEPT, "b": StoredAnswer(None, NOT_ASKED)}


def test_runs_come_by_number_of_examples_then_by_number_or_seed(tmp_path):
    folder = folder_of(tmp_path, ("b/x", "a/y"))
    for name in ("k10-seed17", "k3-seed29", "k3-seed17", "k0-run10", "k0-run2"):
        Journal(answers_path(folder, "b/x", name)).add("a", KEPT)
    Journal(answers_path(folder, "a/y", "k0-run1")).add("a", KEPT)
    found = [(one.system, one.run, one.shots, one.seed) for one in read_answers(folder)]
    assert found == [
        ("b/x", "k0-run2", 0, None), ("b/x", "k0-run10", 0, None), ("b/x", "k3-seed17", 3, 17),
        ("b/x", "k3-seed29", 3, 29), ("b/x", "k10-seed17", 10, 17), ("a/y", "k0-run1", 0, None),
    ]  # fmt: skip


def test_a_file_that_no_run_is_called_is_named(tmp_path):
    folder = folder_of(tmp_path)
    Journal(answers_path(folder, "openai/gpt-4o", "notes")).add("a", KEPT)
    with pytest.raises(RunError, match="notes"):
        read_answers(folder)


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(RunError, match=r"run\.json"):
        read_answers(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(RunError, match=r"gold\.jsonl"):
        read_answers(tmp_path)


def test_systems_have_folders_of_their_own_whatever_they_are_called():
    names = [
        "openai/gpt-4o", "openai--gpt-4o", "openai/gpt-4o ", "a/b/c", "a--b/c", "../..", "", "é", "è",
        "hf/meta:llama", "hf/meta-llama", ".", "x" * 30,
    ]  # fmt: skip
    slugs = [slug(one) for one in names]
    assert len(set(slugs)) == len(names)
    for one in slugs:
        assert set(one) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        assert one.strip(".")


def test_what_was_spent_is_added_up_over_answers(tmp_path):
    journal = Journal(tmp_path / "x.jsonl")
    for n in range(3):
        journal.add(f"a{n}", KEPT)
    journal.add("b", StoredAnswer(None, "on fire", 1))
    assert spent([journal, journal], "total_tokens") == 42


def test_amounts_that_are_no_number_are_forgotten_and_the_answer_stays(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"article": "a", "raw": "r", "usage": {"total_tokens": 1e999, "cost": NaN}}\n')
    assert Journal(path).answers["a"].usage == {}
    assert Journal(path).answered("a").raw == "r"


def test_a_changed_letter_in_a_kept_answer_is_refused_and_named(tmp_path):
    path = answers_path(tmp_path, "a/b", "k0-run1")
    journal = Journal(path)
    for article in ("1", "2"):
        journal.add(article, StoredAnswer('{"biases_present": ["B01"]}', None, 1))
    path.write_text(path.read_text().replace("B01", "B02", 1))
    with pytest.raises(RunError, match=r"k0-run1\.jsonl': line 1 is damaged"):
        Journal(path)


def test_the_answers_of_another_run_are_not_taken_for_those_of_this(tmp_path):
    first, other = (answers_path(tmp_path, "a/b", run) for run in ("k0-run1", "k0-run2"))
    Journal(first).add("1", StoredAnswer("{}", None, 1))
    other.write_bytes(first.read_bytes())
    with pytest.raises(RunError, match=r"k0-run2\.jsonl': line 1 is damaged"):
        Journal(other)
