"""Sentences and their places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data.sentences import sentence_spans


def parts(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("One line", ["One line"]),
        ("He lied. She knew!", ["He lied.", "She knew!"]),
        ("He lied.She knew", ["He lied.She knew"]),
        ("Title\r\n\r\nBody one. Body two", ["Title", "Body one.", "Body two"]),
        ("“Why?” he asked.", ["“Why?”", "he asked."]),
        ("He said “No.” Then (at last.) Silence", ["He said “No.”", "Then (at last.)", "Silence"]),
        ("Dr. A. Marsh of the U.S. Army left.", ["Dr. A. Marsh of the U.S. Army left."]),
        ("So did I. They left.", ["So did I.", "They left."]),
        ("It cost 3.5 million. Nobody paid.", ["It cost 3.5 million.", "Nobody paid."]),
        ("Wait... Really?! Yes.", ["Wait...", "Really?!", "Yes."]),
        ("approx. five of them", ["approx. five of them"]),
        ("😀. 😀", ["😀.", "😀"]),
    ],
)
def test_sentences_end_where_readers_see_an_end(text, expected):
    assert parts(text) == expected


@given(st.text(alphabet="aA. \r\n!”é\u0301?", max_size=60))
def test_sentences_hold_every_visible_character_once_and_in_order(text):
    spans = sentence_spans(text)
    assert "".join("".join(parts(text)).split()) == "".join(text.split())
    assert all(one.start < one.end for one in spans)
    assert all(one.end <= two.start for one, two in pairwise(spans))
