"""brat's standoff files, written by hand as its server writes them."""

from __future__ import annotations

import pytest

from slant.annotate.formats import read_annotated, read_reported, write_annotated
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span

#       0         1         2         3         4
#       0123456789012345678901234567890123456789012345
TEXT = "Experts agree.\nThey always agree, always 😀 so.\n"


def folder_of(tmp_path, lines, text=TEXT, name="a"):
    (tmp_path / f"{name}.txt").write_bytes(text.encode())
    (tmp_path / f"{name}.ann").write_bytes("".join(f"{one}\n" for one in lines).encode())
    return tmp_path


def marks_of(tmp_path, lines, text=TEXT):
    [example] = read_annotated(folder_of(tmp_path, lines, text))
    return example.gold.marks


def test_a_discontinuous_line_is_one_trigger(tmp_path):
    # text[20:26] and text[34:40] are "always"
    [mark] = marks_of(tmp_path, ["T1\tB01 20 26;34 40\talways always"])
    assert mark == Mark("B01", (Span(20, 26), Span(34, 40)), id="T1")


def test_relations_equivalences_and_groups_join_spans_of_one_category(tmp_path):
    lines = [
        "T1\tB01 0 7\tExperts",
        "T2\tB01 20 26\talways",
        "T3\tB01 34 40\talways",
        "T4\tB02 0 7\tExperts",
        "T5\tB01 41 42\t😀",
        "R1\tSameTrigger Arg1:T1 Arg2:T2",
        "*\tSameTrigger T2 T3",
        "A1\tGroup T4 g",
        "A2\tGroup T5 g",
    ]
    first, second, third = marks_of(tmp_path, lines)
    assert first == Mark("B01", (Span(0, 7), Span(20, 26), Span(34, 40)), id="T1")
    # One group, two categories: two triggers. The emoji is one character.
    assert (second.category, second.spans) == ("B02", (Span(0, 7),))
    assert (third.category, third.spans) == ("B01", (Span(41, 42),))


def test_a_relation_between_two_categories_joins_nothing_and_is_told(tmp_path):
    lines = ["T1\tB01 0 7\tExperts", "T2\tB02 0 7\tExperts", "R1\tCauses Arg1:T1 Arg2:T2"]
    reading = read_reported(folder_of(tmp_path, lines))
    assert len(reading.examples[0].gold.marks) == 2
    assert [(one.what, one.count) for one in reading.losses] == [
        ("relations between two categories", 1)
    ]


def test_attributes_and_notes_belong_to_their_trigger(tmp_path):
    lines = [
        "T7\tB01 0 7\tExperts",
        "A1\tConfidence T7 high",
        "#1\tAnnotatorNotes T7\tno name, no\tnumber",
        "#2\tAnnotatorNotes T7\tsee codebook",
        "T8\tB02 34 40\talways",
        "A2\tConfidence T8 2",
    ]
    first, second = marks_of(tmp_path, lines)
    assert first.note == "no name, no\tnumber\nsee codebook"
    assert (first.confidence, second.confidence) == (3, 2)


def test_what_has_no_place_in_a_trigger_is_told(tmp_path):
    lines = [
        "T1\tB01 0 7\tExperts and more",
        "E1\tClaim:T1 Who:T1",
        "N1\tReference T1 Wikidata:Q1\texpert",
        "A1\tNegated T1",
        "A2\tConfidence E1 3",
        "#1\tAnnotationError T1\tbad",
    ]
    losses = {one.what: one.count for one in read_reported(folder_of(tmp_path, lines)).losses}
    assert losses == {
        "words after the text of T lines": 1,
        "events": 1,
        "normalisations": 1,
        "attributes 'Negated'": 1,
        "attributes and notes of E lines": 1,
        "notes 'AnnotationError'": 1,
    }


def test_a_span_across_lines_is_written_in_fragments_as_brat_itself_does(tmp_path):
    # "agree.\nThey" is text[8:19]: fragments 8-14 and 15-19, joined by a space
    example = Example(Item("a", TEXT), Answer(marks=(Mark("B01", (Span(8, 19),), id="T1"),)))
    assert write_annotated([example], tmp_path / "x", format="brat") == []
    assert (tmp_path / "x/a.ann").read_text() == "T1\tB01 8 14;15 19\tagree. They\n"
    assert read_annotated(tmp_path / "x") == [example]


def test_other_tools_write_a_span_across_lines_as_one(tmp_path):
    [mark] = marks_of(tmp_path, ["T1\tB01 8 19\tagree. They"])
    assert mark.spans == (Span(8, 19),)


def test_spans_out_of_order_or_over_one_another_become_lines_joined_by_an_equivalence(tmp_path):
    mark = Mark("B01", (Span(20, 26), Span(0, 7), Span(4, 13)), confidence=2, id="T5")
    example = Example(Item("a", TEXT), Answer(marks=(mark,)))
    assert write_annotated([example], tmp_path / "x", format="brat") == []
    assert (tmp_path / "x/a.ann").read_text("utf-8").splitlines() == [
        "T5\tB01 20 26\talways",
        "T6\tB01 0 7\tExperts",
        "T7\tB01 4 13\trts agree",
        "*\tSameTrigger T5 T6 T7",
        "A1\tConfidence T5 2",
    ]
    assert read_annotated(tmp_path / "x") == [example]


def test_line_ends_at_the_edge_of_a_span_are_lost_and_counted(tmp_path):
    marks = (Mark("B01", (Span(13, 19),), id="T1"), Mark("B02", (Span(14, 15),), id="T2"))
    spans = (Mark("B01", (Span(14, 19),), id="T1"), marks[1])
    lost = write_annotated(
        [Example(Item("a", TEXT), Answer(marks=spans))], tmp_path / "x", format="brat"
    )
    assert {one.what: one.count for one in lost} == {
        "line ends at the edge of a span": 2,
        "triggers without a span": 1,
    }
    [back] = read_annotated(tmp_path / "x")
    assert [mark.spans for mark in back.gold.marks] == [(Span(15, 19),)]


def test_other_words_are_refused_with_the_first_difference(tmp_path):
    lines = ["T1\tB01 0 7\tExperts", "T2\tB01 20 26\talvays"]
    with pytest.raises(DataError) as refused:
        marks_of(tmp_path, lines)
    # "al" is equal, so that the first difference is at 20 + 2
    said = str(refused.value)
    assert "a.ann': line 2" in said
    assert "offset 22: expected 'alvays', found 'always'" in said


def test_offsets_that_count_crlf_as_one_are_refused(tmp_path):
    text = TEXT.replace("\n", "\r\n")
    # "always" begins at 21 in the file, at 20 where line ends count as one
    assert marks_of(tmp_path, ["T1\tB01 21 27\talways"], text)[0].spans == (Span(21, 27),)
    with pytest.raises(DataError, match=r"offset 20: expected 'always', found ' alway'.*CRLF"):
        marks_of(tmp_path, ["T1\tB01 20 26\talways"], text)


@pytest.mark.parametrize("start", [0, 1])
def test_a_byte_order_mark_counts_unless_the_words_say_that_it_does_not(tmp_path, start):
    lines = [f"T1\tB01 {start} {start + 7}\tExperts", f"T2\tB01 {start + 41} {start + 42}\t😀"]
    spans = [mark.spans for mark in marks_of(tmp_path, lines, "\ufeff" + TEXT)]
    assert spans == [(Span(1, 8),), (Span(42, 43),)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("T1 B01 0 7 Experts", "line 1 is no line of brat"),
        ("T1\tB01 0\tExperts", "no 'TYPE START END'"),
        ("T1\tB01 0 7", "no 'TYPE START END'"),
        ("T1\tB01 7 0\tExperts", "span 7-0"),
        ("T1\tB01 0 700\tExperts", "span 0-700, and the article has 47"),
        ("T1\tB01 -7 0\tExperts", "span -7-0"),
        ("T1\tB01 0 7\t", "expected '', found 'Experts'"),
        ("R1\tSame Arg1:T1", "is no annotation of brat that is known"),
        ("*\tSame T8 T9", "names T8, which no line has"),
        ("Z1\tSomething T1", "is no annotation of brat that is known"),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, said):
    with pytest.raises(DataError) as refused:
        marks_of(tmp_path, [line])
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["T1\tB01 0 7\tExperts"] * 2, "line 2 has the id T1 a second time"),
        (
            ["T1\tB01 0 7\tExperts", "A1\tConfidence T1 1", "A2\tConfidence T1 2"],
            "two values of Confidence",
        ),
        (["T1\tB01 0 7\tExperts", "A1\tConfidence T1 sure"], "the confidence 'sure'"),
        (
            [
                "T1\tB01 0 7\tExperts",
                "T2\tB01 20 26\talways",
                "*\tSame T1 T2",
                "A1\tConfidence T1 1",
                "A2\tConfidence T2 2",
            ],
            "parts have the confidences 1.0, 2.0",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(tmp_path, lines, said):
    with pytest.raises(DataError, match=said):
        marks_of(tmp_path, lines)


def test_a_text_without_annotations_and_the_reverse_are_refused(tmp_path):
    folder = folder_of(tmp_path, [])
    (folder / "b.txt").write_text("b")
    with pytest.raises(DataError, match=r"'b\.txt' has no \.ann file"):
        read_annotated(folder)
    (folder / "b.txt").rename(folder / "c.text")
    (folder / "b.ann").write_text("")
    with pytest.raises(DataError, match=r"no 'b\.txt'"):
        read_annotated(folder)


def test_the_articles_may_stand_elsewhere(tmp_path):
    texts = folder_of(tmp_path, ["T1\tB01 0 7\tExperts"])
    (tmp_path / "notes").mkdir()
    (texts / "a.ann").rename(tmp_path / "notes/a.ann")
    (texts / "b.txt").write_text("not annotated")
    reading = read_reported(tmp_path / "notes", articles=texts)
    assert reading.examples[0].gold.marks == (Mark("B01", (Span(0, 7),), id="T1"),)
    assert [(one.what, one.count) for one in reading.losses] == [
        ("articles without annotations", 1)
    ]


def test_a_category_with_a_space_cannot_be_a_type(tmp_path):
    example = Example(Item("a", "abc"), Answer(marks=(Mark("Loaded Language", (Span(0, 1),)),)))
    with pytest.raises(DataError, match="'Loaded Language' has white space"):
        write_annotated([example], tmp_path / "x", format="brat")
    assert not (tmp_path / "x").exists()
