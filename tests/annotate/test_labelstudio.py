"""Exports of Label Studio, by hand, as its task format and its editor have them."""

from __future__ import annotations

import json

import pytest

from slant.annotate.formats import read_annotated, read_reported, write_annotated
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span

TEXT = "💩This is an annotation.\r\nAnd more."


def region(start, end, text, label, key, **more):
    value = {"start": start, "end": end, "text": text, "labels": [label]}
    return {"id": key, "from_name": "label", "to_name": "text", "type": "labels", "value": value,
            "origin": "manual", **more}  # fmt: skip


def control(key, name, kind, said):
    return {"id": key, "from_name": name, "to_name": "text", "type": kind, "value": {kind: said}}


def relation(one, other):
    return {"type": "relation", "from_id": one, "to_id": other, "direction": "right"}


def annotation(*results, **more):
    return {"id": 9, "completed_by": 1, "result": list(results), "was_cancelled": False,
            "ground_truth": False, "created_at": "2026-01-01", "lead_time": 5.2, **more}  # fmt: skip


def file_of(tmp_path, *annotations, data=None):
    task = {"id": 31, "data": data or {"text": TEXT}, "annotations": list(annotations),
            "predictions": [], "project": 2}  # fmt: skip
    path = tmp_path / "project.json"
    path.write_text(json.dumps([task]), "utf-8")
    return path


def marks_of(tmp_path, *results):
    return read_annotated(file_of(tmp_path, annotation(*results)))[0].gold.marks


def test_offsets_are_code_points(tmp_path):
    # "annotation" is TEXT[12:22]: the example of the issue in which offsets were off by one
    [mark] = marks_of(tmp_path, region(12, 22, "annotation", "B01", "x1"))
    assert mark == Mark("B01", (Span(12, 22),), id="x1")


def test_older_versions_counted_utf16_which_the_words_show(tmp_path):
    old = [region(13, 23, "annotation", "B01", "x1"), region(30, 34, "more", "B01", "x2")]
    assert [mark.spans for mark in marks_of(tmp_path, *old)] == [(Span(12, 22),), (Span(29, 33),)]
    # One that fits code points beside one that fits UTF-16: neither reading is right.
    mixed = [region(12, 22, "annotation", "B01", "x1"), region(30, 34, "more", "B01", "x2")]
    with pytest.raises(DataError, match=r"region x2 marks other words.*offset 30"):
        marks_of(tmp_path, *mixed)


@pytest.mark.parametrize(
    "shown", ["annotation.\r\nAnd", "annotation.\n\nAnd", "annotation.\\n\\nAnd"]
)
def test_line_ends_are_compared_as_the_editor_shows_them(tmp_path, shown):
    [mark] = marks_of(tmp_path, region(12, 28, shown, "B01", "x1"))
    assert mark.spans == (Span(12, 28),)


def test_relations_join_and_controls_of_a_region_say_more(tmp_path):
    first, second = marks_of(
        tmp_path,
        region(1, 5, "This", "B01", "x1", meta={"text": ["see rule 3", "and 4"]}),
        region(12, 22, "annotation", "B01", "x2"),
        region(1, 5, "This", "B02", "x3"),
        relation("x2", "x1"),
        control("x1", "confidence", "rating", 3),
        control("x3", "confidence", "choices", ["low"]),
    )
    assert first == Mark(
        "B01", (Span(1, 5), Span(12, 22)), confidence=3, id="x1", note="see rule 3\nand 4"
    )
    assert second == Mark("B02", (Span(1, 5),), confidence=1, id="x3")


def test_choices_of_the_task_named_biases_are_document_level_labels(tmp_path):
    path = file_of(
        tmp_path,
        annotation(
            control("c1", "biases", "choices", ["B01", "B04"]),
            control("c2", "difficulty", "choices", ["hard"]),
        ),
    )
    reading = read_reported(path)
    assert reading.examples[0].gold.labels == {"B01", "B04"}
    assert [(one.what, one.count) for one in reading.losses] == [
        ("results of 'difficulty' (choices)", 1)
    ]


def test_the_ground_truth_is_gold_among_several_annotations(tmp_path):
    one = annotation(region(1, 5, "This", "B01", "x1"), completed_by={"id": 1, "email": "a@x.org"})
    two = annotation(region(1, 5, "This", "B02", "x2"), completed_by=2)
    gone = annotation(was_cancelled=True)
    with pytest.raises(DataError, match="task 1 has 2 annotations, 0 of them"):
        read_annotated(file_of(tmp_path, one, two, gone))
    two["ground_truth"] = True
    [example] = read_annotated(file_of(tmp_path, one, two, gone))
    assert example.gold.marks[0].category == "B02"
    assert {who: a.marks[0].category for who, a in example.annotators.items()} == {
        "a@x.org": "B01",
        "2": "B02",
    }


def test_a_task_without_annotation_is_no_article_without_triggers(tmp_path):
    with pytest.raises(DataError, match="task 1 has no annotation"):
        read_annotated(file_of(tmp_path))
    assert read_annotated(file_of(tmp_path, annotation()))[0].gold == Answer()


@pytest.mark.parametrize(
    ("data", "identity"),
    [
        ({"text": TEXT, "article": "a1", "id": 5}, "a1"),
        ({"text": TEXT, "id": 5}, "5"),
        ({"text": TEXT}, "31"),
    ],
)
def test_the_id_is_that_of_the_data_before_that_of_the_task(tmp_path, data, identity):
    assert read_annotated(file_of(tmp_path, annotation(), data=data))[0].item.id == identity


def test_the_short_export_is_read(tmp_path):
    # JSON-MIN: the columns of the data, and each control under its name.
    rows = [
        {
            "id": 31, "text": TEXT, "article": "a1",
            "label": [{"start": 1, "end": 5, "text": "This", "labels": ["B01"]}],
            "biases": {"choices": ["B01", "B02"]},
            "annotator": 1, "annotation_id": 9, "lead_time": 3.1,
        },
        {"id": 32, "text": "none", "article": "a2", "annotator": 1, "annotation_id": 10},
    ]  # fmt: skip
    path = tmp_path / "min.json"
    path.write_text(json.dumps(rows), "utf-8")
    first, second = read_annotated(path)
    assert first.item == Item("a1", TEXT)
    assert first.gold.labels == {"B01", "B02"}
    assert [(m.category, m.spans) for m in first.gold.marks] == [("B01", (Span(1, 5),))]
    assert second == Example(Item("a2", "none"), Answer())


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([region(12, 22, "annotatiom", "B01", "x1")],
         r"task 1, region x1 marks other words.*offset 21: expected 'annotatiom', found 'annotation'"),
        ([region(12, 99, "annotation", "B01", "x1")], "region x1 has the span 12-99"),
        ([region(12, 22, "annotation", "B01", "x1")] * 2, "region x1 stands there twice"),
        ([relation("x1", "x2")], "relation of region x1"),
        ([{**region(12, 22, "annotation", "B01", "x1"), "value": {"labels": ["B01"]}}],
         "region x1 has the offsets None-None"),
        ([{**region(12, 22, "annotation", "B01", "x1"),
           "value": {"start": 12, "end": 22, "labels": ["B01", "B02"]}}], "x1 has 2 labels"),
        ([region("12", 22, "annotation", "B01", "x1")], "does not fit at 'annotations.0.result.0"),
        ([region(12, 22, "annotation", "B01", "x1"), control("x1", "confidence", "rating", 1),
          control("x1", "confidence", "number", 2)], "the confidences 1.0 and 2.0"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_task_and_region(tmp_path, results, said):
    with pytest.raises(DataError, match=said):
        marks_of(tmp_path, *results)


def test_a_text_under_another_name_is_not_guessed(tmp_path):
    with pytest.raises(DataError, match=r"no text in data\.text \(found: body\)"):
        read_annotated(file_of(tmp_path, annotation(), data={"body": "abc"}))


def test_what_is_written_is_what_the_import_of_label_studio_takes(tmp_path):
    mark = Mark("B01", (Span(1, 5), Span(12, 22)), confidence=2, id="T1", note="n")
    example = Example(Item("a", TEXT), Answer(frozenset({"B01"}), (mark,)))
    assert write_annotated([example], tmp_path / "x.json", format="label-studio") == []
    [task] = json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert task["data"] == {"article": "a", "text": TEXT}
    [made] = task["annotations"]
    kinds = [one["type"] for one in made["result"]]
    assert kinds == ["choices", "labels", "rating", "labels", "rating", "relation"]
    for one in made["result"]:
        value = one.get("value", {})
        if "labels" in value:
            assert TEXT[value["start"] : value["end"]] == value["text"]
