"""The documents of a run, and whether they are as they were written."""

from __future__ import annotations

import json

import pytest

from slant.errors import RunError
from slant.runs.records import read_scores
from slant.runs.store import check_sums, read_json, write_json


def test_a_document_is_read_as_it_was_written_and_refused_once_a_digit_is_another(tmp_path):
    path = tmp_path / "scores.json"
    write_json(path, {"f1": 0.75})
    assert read_json(path, "the scores") == {"f1": 0.75}
    path.write_text(path.read_text().replace("0.75", "0.76"))
    with pytest.raises(RunError, match=r"scores\.json': its bytes are not those that were written"):
        read_json(path, "the scores")
    with pytest.raises(RunError, match="its bytes are not those"):
        read_scores(tmp_path)
    write_json(path, {"f1": 0.5})
    assert read_json(path, "the scores") == {"f1": 0.5}


def test_a_document_that_a_person_wrote_is_read_as_it_is(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"seeds": [42]}))
    assert read_json(path, "the run") == {"seeds": [42]}


def test_the_first_damaged_file_of_a_folder_is_named_unless_it_is_made_again(tmp_path):
    write_json(tmp_path / "gold.json", {"a": 1})
    write_json(tmp_path / "deep" / "scores.json", {"b": 1})
    check_sums(tmp_path, "")
    (tmp_path / "deep" / "scores.json").write_bytes(b"\0")
    check_sums(tmp_path, "", without=["scores.json"])
    with pytest.raises(RunError, match=r"deep/scores\.json.*Score it again\."):
        check_sums(tmp_path, "Score it again")
    (tmp_path / "deep" / "scores.json").unlink()
    check_sums(tmp_path, "")
