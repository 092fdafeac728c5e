"""Sums beside files and in lines: what is as it was written, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data.sums import is_altered, note_sum, sum_path, summed_line, unsummed_line
from slant.data.writing import replacing


def written(path, text):
    with replacing(path) as temporary:
        temporary.write_text(text)
        note_sum(path, temporary)
    return path


def test_a_file_is_as_it_was_written_until_a_bit_of_it_changes(tmp_path):
    path = written(tmp_path / "a.json", "{}\n")
    assert not is_altered(path)
    path.write_bytes(b"{~\n")
    assert is_altered(path)
    written(path, "{}\n")
    assert not is_altered(path)


def test_a_file_without_a_sum_or_with_one_that_says_nothing_is_taken_as_it_is(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("{}")
    assert not is_altered(path)
    sum_path(path).write_bytes(b"\xff\x00")
    assert not is_altered(path)


def test_killed_between_the_sum_and_the_file_both_the_old_and_the_new_bytes_are_known(tmp_path):
    path = written(tmp_path / "a.json", "old")
    new = tmp_path / "new"
    new.write_text("new")
    note_sum(path, new)
    assert not is_altered(path)
    new.replace(path)
    assert not is_altered(path)


def test_bytes_that_were_damaged_are_not_taken_for_those_before(tmp_path):
    path = written(tmp_path / "a.json", "old")
    path.write_text("bad")
    new = tmp_path / "new"
    new.write_text("new")
    note_sum(path, new)
    assert is_altered(path)


LINE = summed_line(Path("answers/k0.jsonl"), '{"article": "1", "raw": "none, \\"sum\\": \\"x\\""}')


def test_a_line_comes_back_as_it_was_given_and_only_from_its_own_file():
    given_ = b'{"article": "1", "raw": "none, \\"sum\\": \\"x\\""}'
    assert unsummed_line(Path("moved/answers/k0.jsonl"), LINE.encode() + b"\n") == given_
    assert unsummed_line(Path("answers/k3.jsonl"), LINE.encode()) is None
    assert unsummed_line(Path("other/k0.jsonl"), LINE.encode()) is None


@given(place=st.integers(0, len(LINE) - 1), bit=st.integers(0, 7))
def test_no_flipped_bit_of_a_line_is_taken_for_what_was_written(place, bit):
    """What is left of the sum's own key is a line without a sum, whose other bytes are whole."""
    data = bytearray(LINE.encode())
    data[place] ^= 1 << bit
    found = unsummed_line(Path("answers/k0.jsonl"), bytes(data))
    whole = LINE.encode()[: LINE.rindex(', "sum"')]
    assert found is None or found.startswith(whole)


@pytest.mark.parametrize("line", [b'{"article": "1"}', b"{}", b"no json", b""])
def test_lines_of_older_versions_have_no_sum_and_are_as_they_are(line):
    assert unsummed_line(Path("a/b.jsonl"), line) == line
