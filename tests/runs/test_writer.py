"""A directory that was held and in which nothing was done."""

from __future__ import annotations

import pytest

from slant.errors import DataError
from slant.runs.parts import Part
from slant.runs.store import only_writer


def refused():
    raise DataError("Reading it", "it is damaged", "Mend it")


@pytest.mark.parametrize("part", [None, Part(1, 2)])
def test_a_directory_that_an_error_left_empty_is_taken_away_with_those_above(tmp_path, part):
    with pytest.raises(DataError), only_writer(tmp_path / "a" / "b", part):
        refused()
    assert list(tmp_path.iterdir()) == []


def test_one_that_was_there_and_one_that_holds_something_stay(tmp_path):
    (tmp_path / "there").mkdir()
    with pytest.raises(DataError), only_writer(tmp_path / "there"):
        refused()
    assert (tmp_path / "there").is_dir()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "cell").write_text("work")
    with pytest.raises(DataError), only_writer(tmp_path / "new"):
        refused()
    assert (tmp_path / "new" / "cell").read_text() == "work"
    with only_writer(tmp_path / "empty"):
        pass
    assert (tmp_path / "empty").is_dir()
