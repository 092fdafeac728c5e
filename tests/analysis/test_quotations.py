"""Quoted speech: which marks open and close it, and which are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.analysis.quotations import quotation_spans
from slant.data.samples import load_sentences


def quoted(text):
    return [text[one.start : one.end] for one in quotation_spans(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('He said "no" and "never".', ['"no"', '"never"']),
        ("He said “no” and „nein“.", ["“no”", "„nein“"]),
        ("Il a dit « non » hier.", ["« non »"]),
        ("She called it ‘a farce’ twice.", ["‘a farce’"]),
        ("She called it 'a farce' twice.", ["'a farce'"]),
        ("She called it ‹une farce› twice.", ["‹une farce›"]),
        ("Tokens : `` a farce '' , he said .", ["`` a farce ''"]),
        ('Tokens : " a farce " , he said .', ['" a farce "']),
        ("(“Yes,” she said.)", ["“Yes,”"]),
        ("“One.”“Two.”", ["“One.”", "“Two.”"]),
        ("“no“ with the wrong mark behind it", ["“no“"]),
        ("”no” as it is written elsewhere", ["”no”"]),
    ],
)
def test_each_kind_of_mark_holds_a_quotation(text, found):
    assert quoted(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "It's the workers' right, and they don't mind.",
        "It’s the workers’ right, and they don’t mind.",
        "In the '90s, 'twas rock 'n' roll that got 'em.",
        "In the ‘90s, ’twas rock ’n’ roll that got ‘em.",
        'He is 6\'2" tall; the pipe is 5" wide.',
        'A stray " mark that nothing closes.',
        'An empty "" one and “ ” too.',
        "No marks at all.",
        "",
    ],
)
def test_apostrophes_elisions_measures_and_stray_marks_hold_none(text):
    assert quoted(text) == []


def test_a_quotation_within_a_quotation_belongs_to_the_outer_one():
    assert quoted("“He said ‘no’ to me,” she said.") == ["“He said ‘no’ to me,”"]
    assert quoted("‘He said “no” to me,’ she said.") == ["‘He said “no” to me,’"]
    assert quoted("« Il a dit “non” » hier") == ["« Il a dit “non” »"]
    assert quoted("“The “best” one,” she said, “won.”") == ["“The “best” one,”", "“won.”"]


def test_an_apostrophe_inside_single_marks_does_not_end_them():
    assert quoted("He said ‘the workers’ rights don’t count’ twice.") == [
        "‘the workers’ rights don’t count’"
    ]
    assert quoted("'It doesn't count,' he said.") == ["'It doesn't count,'"]


@pytest.mark.parametrize("mark", ["“", '"'])
def test_a_quotation_of_several_paragraphs_is_one_although_each_opens_anew(mark):
    close = {"“": "”"}.get(mark, mark)
    text = f"{mark}First.\n\n{mark}Second.\n\n{mark}Third,{close} he said.\n\nThe end."
    assert quoted(text) == [f"{mark}First.\n\n{mark}Second.\n\n{mark}Third,{close}"]


def test_a_quotation_over_lines_of_one_sentence_each_ends_where_its_mark_does():
    assert quoted('He said: "First.\nSecond.\nThird," and left.\nEnd.') == [
        '"First.\nSecond.\nThird,"'
    ]


def test_a_curly_quotation_that_nothing_closes_ends_with_its_line():
    assert quoted("He said “no.\nThey said “yes” later.") == ["“no.", "“yes”"]
    assert quoted("He said “no.\n" + "A line.\n" * 9) == ["“no."]


def test_a_straight_mark_that_nothing_closes_swallows_nothing():
    assert quoted('A stray "mark.\n' + "A line.\n" * 9 + 'And "no" then.') == ['"no"']


def test_the_sample_s_quoted_speech_is_found_to_the_character():
    # what stands in single quotes is the outlet's own irony in the sample, and not marked
    frame = load_sentences()
    marked = [[tuple(span) for span in row] for row in frame["quoted"].to_list()]
    ours = [
        [(s.start, s.end) for s in quotation_spans(text) if text[s.start] == '"']
        for text in frame["text"]
    ]
    assert ours == marked
    assert sum(map(bool, marked)) > 200


@given(st.text(alphabet="ab s.\n\r\"'“”‘’«»„`‹›5", max_size=60))
def test_quotations_lie_in_the_text_from_left_to_right_without_overlap(text):
    end = 0
    for one in quotation_spans(text):
        assert end <= one.start < one.end <= len(text)
        end = one.end
