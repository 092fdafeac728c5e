"""JSON of any kind: a value, or the one error that says there is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data.jsonvalues import json_value

BROKEN = ["", "{", '{"a"', "[" * 100_000, '{"a":' * 100_000, "9" * 5000, b"\xff\xfe\x00", b"\xff"]


@pytest.mark.parametrize("text", BROKEN)
def test_whatever_is_no_json_is_the_same_error(text):
    with pytest.raises(json.JSONDecodeError):
        json_value(text)


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_what_json_wrote_comes_back(value):
    assert json_value(json.dumps(value)) == value
    assert json_value(json.dumps(value).encode("utf-16")) == value


def test_a_hook_may_refuse_a_key_that_stands_twice_in_its_own_words():
    def once(found):
        if len(dict(found)) < len(found):
            raise ValueError("a key stands twice")
        return dict(found)

    assert json_value('{"a": 1}', once) == {"a": 1}
    with pytest.raises(ValueError, match="a key stands twice") as caught:
        json_value('{"a": 1, "a": 2}', once)
    assert not isinstance(caught.value, json.JSONDecodeError)
    with pytest.raises(json.JSONDecodeError, match="too many digits"):
        json_value("9" * 5000, once)
