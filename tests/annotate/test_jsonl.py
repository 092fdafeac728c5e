"""slant's own lines: what they hold, and what they refuse."""

from __future__ import annotations

import json

import pytest

from slant.annotate.formats import read_annotated, write_annotated
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span

TEXT = "Café 😀  so\r\n"


def file_of(tmp_path, *rows):
    path = tmp_path / "gold.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def row(**more):
    return {"id": "a", "text": TEXT, "triggers": [], **more}


def trigger(start, end, text=None, **more):
    held = {} if text is None else {"text": text}
    return {"bias": "B01", "spans": [{"start": start, "end": end, **held}], **more}


def test_the_line_of_the_documentation(tmp_path):
    example = Example(
        Item("a", TEXT),
        Answer(
            frozenset({"B02", "B01"}),
            (
                Mark("B01", (Span(0, 4), Span(5, 6)), ("gone",), 3, "T1", "see 2"),
                Mark("B02", (Span(8, 10),)),
            ),
        ),
    )
    assert write_annotated([example], tmp_path / "x", format="jsonl") == []
    assert json.loads((tmp_path / "x").read_text("utf-8")) == {
        "id": "a",
        "text": TEXT,
        "labels": ["B01", "B02"],
        "triggers": [
            {
                "id": "T1",
                "bias": "B01",
                "spans": [
                    {"start": 0, "end": 4, "text": "Café"},
                    {"start": 5, "end": 6, "text": "😀"},
                ],
                "quotes": ["gone"],
                "confidence": 3,
                "note": "see 2",
            },
            {"bias": "B02", "spans": [{"start": 8, "end": 10, "text": "so"}]},
        ],
    }
    assert read_annotated(tmp_path / "x") == [example]


def test_a_release_without_texts_needs_the_articles(tmp_path):
    path = file_of(tmp_path, {"id": "a", "triggers": [trigger(8, 10, "so")]})
    with pytest.raises(DataError, match="line 1 has no text for the article 'a'"):
        read_annotated(path)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.txt").write_bytes(TEXT.encode())
    assert read_annotated(path, articles=tmp_path / "texts")[0].gold.marks[0].spans == (
        Span(8, 10),
    )
    # The same article with one space less: the first difference is at 9, where 'o' was expected.
    (tmp_path / "texts/a.txt").write_bytes(TEXT.replace("  ", " ").encode())
    with pytest.raises(DataError, match=r"trigger number 1.*offset 8: expected 'so', found 'o\\r'"):
        read_annotated(path, articles=tmp_path / "texts")


def test_a_text_that_differs_from_the_article_is_refused_with_double_spaces_shown(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.txt").write_bytes(b"one two")
    path = file_of(tmp_path, {"id": "a", "text": "one  two", "triggers": []})
    with pytest.raises(DataError) as refused:
        read_annotated(path, articles=tmp_path / "texts")
    assert "offset 4, expected 'one\\x20\\x20two', found 'one two'" in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([row(), "{"], "line 2 is no JSON"),
        ([row(), "[1]"], "line 2 does not fit at 'the line'"),
        ([row(), "", row(id="b")], "line 2 is no JSON"),
        ([row(), row()], "line 2 has the article 'a' a second time"),
        ([{"id": "a", "text": "x"}], "line 1 does not fit at 'triggers'"),
        ([row(id=7)], "does not fit at 'id'"),
        ([row(source="x")], "does not fit at 'source'"),
        ([row(triggers=[trigger(0, 4, "Cafe")])], r"line 1, trigger number 1.*offset 3"),
        ([row(triggers=[trigger(0, 99)])], "span 0-99, and the article has 12 characters"),
        ([row(triggers=[trigger(4, 4)])], "span 4-4"),
        ([row(triggers=[trigger(0.0, 4)])], "does not fit at 'triggers.0.spans.0.start'"),
        ([row(triggers=[trigger(True, 4)])], "does not fit at 'triggers.0.spans.0.start'"),
        ([row(triggers=[trigger(0, 4, confidance=3)])], "does not fit at 'triggers.0.confidance'"),
        ([row(triggers=[{"bias": "B01"}])], "has neither a span nor a quote"),
        ([row(triggers=[trigger(0, 4, id="T1"), trigger(0, 4, id="T1")])], r"two triggers of B01 .* 'T1'"),
        (['{"id": "a", "text": "\\ud83d", "triggers": []}'], "half of a surrogate pair"),
        (['{"id": "a", "text": "abc", "triggers": [{"bias": "B", "quotes": ["x"],'
          ' "confidence": NaN}]}'], "does not fit at 'triggers.0.confidence'"),
    ],
)  # fmt: skip
def test_a_broken_line_is_named_with_its_key(tmp_path, lines, said):
    with pytest.raises(DataError, match=said):
        read_annotated(file_of(tmp_path, *lines), format="jsonl")


def test_two_biases_may_share_an_id(tmp_path):
    triggers = [trigger(0, 4, id="T1"), {**trigger(0, 4, id="T1"), "bias": "B02"}]
    [example] = read_annotated(file_of(tmp_path, row(triggers=triggers)))
    assert [mark.category for mark in example.gold.marks] == ["B01", "B02"]
