"""doccano's two forms of JSON lines."""

from __future__ import annotations

import json

import pytest

from slant.annotate.formats import read_annotated, read_reported, write_annotated
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span


def file_of(tmp_path, *rows):
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("column", ["label", "labels"])
def test_spans_as_lists_are_triggers_of_their_own(tmp_path, column):
    row = {"id": 12, "text": "😀 so they say", column: [[2, 4, "B02"], [5, 9, "B01"], "B03"]}
    assert read_annotated(file_of(tmp_path, row)) == [
        Example(
            Item("12", "😀 so they say"),
            Answer(frozenset({"B03"}), (Mark("B02", (Span(2, 4),)), Mark("B01", (Span(5, 9),)))),
        )
    ]


def test_entities_that_a_relation_joins_are_one_trigger(tmp_path):
    # As doccano exports them, with its own number of the text and its comments.
    row = {
        "id": 3,
        "article": "a1",
        "text": "again and again, they say",
        "entities": [
            {"id": 40, "label": "B01", "start_offset": 0, "end_offset": 5},
            {"id": 41, "label": "B02", "start_offset": 17, "end_offset": 25},
            {"id": 42, "label": "B01", "start_offset": 10, "end_offset": 15},
        ],
        "relations": [
            {"id": 5, "from_id": 40, "to_id": 42, "type": "same trigger"},
            {"id": 6, "from_id": 41, "to_id": 42, "type": "cites"},
        ],
        "Comments": ["check"],
    }
    reading = read_reported(file_of(tmp_path, row))
    assert reading.examples == [
        Example(
            Item("a1", "again and again, they say"),
            Answer(
                marks=(
                    Mark("B01", (Span(0, 5), Span(10, 15)), id="40"),
                    Mark("B02", (Span(17, 25),), id="41"),
                )
            ),
        )
    ]
    assert {one.what: one.count for one in reading.losses} == {
        "columns 'Comments'": 1,
        "relations between two categories": 1,
    }


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": 1, "text": "abc", "label": [[0, 9, "x"]]}, "line 1 has the span 0-9"),
        ({"id": 1, "text": "abc", "label": [[0, 2]]}, "does not fit at 'label"),
        ({"id": 1, "text": "abc", "label": [[0, "2", "x"]]}, "does not fit at 'label"),
        ({"text": "abc", "label": []}, "neither 'article' nor 'id'"),
        ({"id": 1, "text": "abc", "label": [], "labels": []}, "has 2 of the columns"),
        ({"id": 1, "text": "abc", "entities": [], "relations": [{"from_id": 1, "to_id": 2}]},
         "relation of entity 1"),
    ],
)  # fmt: skip
def test_a_broken_line_is_named(tmp_path, row, said):
    with pytest.raises(DataError, match=said):
        read_annotated(file_of(tmp_path, row), format="doccano")


def test_a_text_that_is_not_that_of_the_article_is_refused(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/1.txt").write_bytes("Café\r\n".encode())
    path = file_of(tmp_path, {"id": 1, "text": "Café\n", "label": [[0, 4, "B01"]]})
    with pytest.raises(DataError, match=r"line 1.*offset 4, expected 'Caf\\xe9\\n'"):
        read_annotated(path, articles=tmp_path / "texts")


def test_numbers_are_kept_as_ids_and_other_ids_are_lost(tmp_path):
    marks = (Mark("B01", (Span(0, 1), Span(2, 3)), id="9"), Mark("B01", (Span(1, 2),), id="T1"))
    example = Example(Item("a", "abc"), Answer(marks=marks))
    lost = write_annotated([example], tmp_path / "x", format="doccano")
    assert [(one.what, one.count) for one in lost] == [("ids of triggers", 1)]
    row = json.loads((tmp_path / "x").read_text())
    assert [one["id"] for one in row["entities"]] == [9, 10, 11]
    assert [(one["from_id"], one["to_id"]) for one in row["relations"]] == [(9, 10)]
    assert [mark.id for mark in read_annotated(tmp_path / "x")[0].gold.marks] == ["9", "11"]
