"""JSON and XML files that are broken give one clear line each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data import documents
from slant.data.documents import as_published, read_json, read_json_items, read_xml, sound, text_of
from slant.errors import DataError


def put(tmp_path, text, name="a.json"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def message(call, *args):
    with pytest.raises(DataError) as caught:
        call(*args)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_broken_json_names_line_and_column(tmp_path):
    path = put(tmp_path, '{"a": 1,\n "b": }')
    assert "line 2, column 7 is no JSON" in message(read_json, path)


def test_broken_xml_names_the_line(tmp_path):
    path = put(tmp_path, "<a>\n<p>x</a>", "a.xml")
    assert "line 2" in message(read_xml, path)
    assert [p.text for p in read_xml(put(tmp_path, "<a><p>x &amp; y</p></a>")).iter("p")] == [
        "x & y"
    ]


@given(
    items=st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=9),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(max_size=3), inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=8,
    ),
    piece=st.integers(1, 40),
    indent=st.sampled_from([None, 0, 2]),
)
def test_items_read_one_by_one_equal_the_array_read_whole(tmp_path_factory, items, piece, indent):
    # A number that is cut at a seam could pass for a shorter one, so they stand in lists here.
    items = [[item] for item in items]
    path = tmp_path_factory.mktemp("j") / "a.json"
    path.write_text(json.dumps(items, ensure_ascii=False, indent=indent), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_CHUNK", piece)
        assert list(read_json_items(path)) == items


def test_a_cut_array_names_where_it_ends(tmp_path):
    text = message(lambda p: list(read_json_items(p)), put(tmp_path, '[{"a": 1},\n{"a": '))
    assert "line 2" in text
    assert "never closed" in message(lambda p: list(read_json_items(p)), put(tmp_path, "[1, [2]"))
    assert "starts with '{'" in message(
        lambda p: list(read_json_items(p)), put(tmp_path, '{"a": 1}')
    )


def test_half_a_character_becomes_the_replacement_sign():
    assert sound("a\ud83d!") == "a\ufffd!"
    assert sound("\ud83d\ude02") == "😂"


@pytest.mark.parametrize("deep", ["[" * 100_000, "9" * 5000])
def test_json_that_is_nested_too_deeply_or_too_long_is_one_line(tmp_path, deep):
    for read, content in (
        (read_json, deep),
        (lambda path: list(read_json_items(path)), f"[{deep}]"),
    ):
        path = tmp_path / "a.json"
        path.write_text(content)
        with pytest.raises(DataError, match="is no JSON") as caught:
            read(path)
        assert "\n" not in str(caught.value)


def test_what_is_not_built_as_published_names_the_file_and_the_key(tmp_path):
    path = tmp_path / "a.json"
    told = r"a\.json': it is not built as published \(KeyError: 'b'\)"
    with pytest.raises(DataError, match=told), as_published(path):
        text_of({"a": "x"}, "b")
    with pytest.raises(DataError, match="TypeError: 'a' is no text"), as_published(path):
        text_of({"a": ["x"]}, "a")
    assert text_of({"a": "x\ud83d"}, "a") == "x\ufffd"
