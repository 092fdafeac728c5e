from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.systems.jsonanswers import FAULTS
from slant.systems.triggeranswers import REMARKS, answer_json, parsed_answer
from slant.types import Answer, Mark, Span

CODES = ("B01", "B02", "B04")
NAMES = {"B01": "Illusory Truth", "B02": "Negativity Bias", "B04": "Authority Bias"}
GOOD = '{"biases_present": ["B01"], "triggers": [{"bias": "B01", "spans": ["a b", "a b"]}]}'
MEANT = Answer(frozenset({"B01"}), (Mark("B01", quotes=("a b", "a b")),))


def parsed(raw, **more):
    return parsed_answer(raw, CODES, names=NAMES, **more)


def test_a_plain_answer_is_read_as_it_is_and_a_string_returned_twice_stays_twice():
    assert parsed(GOOD) == (MEANT, None, ())


@pytest.mark.parametrize(
    "raw",
    [
        f"```json\n{GOOD}\n```",
        f"Here is what I found:\n\n{GOOD}\n\nI hope {{this}} helps.",
        f"<think>Perhaps {{B01}}? The form is {{...}}.</think>{GOOD}",
        f"\ufeff{GOOD}",
    ],
)
def test_fences_and_prose_around_the_object_do_no_harm(raw):
    answer, fault, remarks = parsed(raw)
    assert (answer, fault) == (MEANT, None)
    assert remarks == ("text-around",)


@pytest.mark.parametrize(
    ("raw", "stop", "fault"),
    [
        (None, None, "no-answer"),
        ("", "stop", "empty"),
        (" \n\t", None, "empty"),
        ("", "content_filter", "refusal"),
        ("", "max_tokens", "cut-off"),
        ("I'm sorry, but I can't help with that.", "stop", "refusal"),
        ("I can\u2019t assist with this article.", None, "refusal"),
        ("The article has an authority bias.", "stop", "not-json"),
        ("The article has an", "max_tokens", "cut-off"),
        ("{biases_present: [B01]}", None, "not-json"),
        (GOOD[:30], "stop", "cut-off"),
        (GOOD[:-1], "max_tokens", "cut-off"),
        (GOOD[:-20], "stop", "cut-off"),
        (f"```json\n{GOOD[:60]}", None, "cut-off"),
        ('{"biases_present": ["B01"]}', None, "missing-fields"),
        ('{"triggers": []}', None, "missing-fields"),
        ('{"answer": ' + GOOD + "}", None, "missing-fields"),
        ('{"biases_present": [], "triggers": [{"bias": "B01"}]}', None, "missing-fields"),
        ('{"biases_present": [], "triggers": [{"spans": ["a"]}]}', None, "missing-fields"),
        ('{"biases_present": "B01", "triggers": []}', None, "wrong-type"),
        ('{"biases_present": [1], "triggers": []}', None, "wrong-type"),
        ('{"biases_present": null, "triggers": []}', None, "wrong-type"),
        ('{"biases_present": [], "triggers": {"bias": "B01"}}', None, "wrong-type"),
        ('{"biases_present": [], "triggers": ["B01"]}', None, "wrong-type"),
        ('{"biases_present": [], "triggers": [{"bias": "B01", "spans": [3]}]}', None, "wrong-type"),
        ('{"biases_present": [], "triggers": [{"bias": "B01", "spans": null}]}', None, "wrong-type"),
        ("[" * 100_000, None, "not-json"),
        ('{"a":' * 100_000, None, "not-json"),
    ],
)  # fmt: skip
def test_an_unusable_answer_has_a_named_fault_and_says_nothing(raw, stop, fault):
    assert parsed(raw, stop=stop)[:2] == (None, fault)
    assert fault in FAULTS


def test_every_cut_of_an_answer_is_a_cut_off_and_never_a_smaller_answer():
    for end in range(1, len(GOOD)):
        assert parsed(GOOD[:end]).fault == "cut-off", GOOD[:end]


def test_an_unknown_bias_is_left_out_and_the_rest_counts():
    raw = (
        '{"biases_present": ["B01", "B99"], "triggers": '
        '[{"bias": "Framing", "spans": ["x"]}, {"bias": "B01", "spans": ["a"]}]}'
    )
    answer, fault, remarks = parsed(raw)
    assert fault is None
    assert answer == Answer(frozenset({"B01"}), (Mark("B01", quotes=("a",)),))
    assert remarks == ("unknown-bias", "unknown-bias")


@pytest.mark.parametrize(
    "written", ["Illusory Truth", "illusory truth", "b01", "B01: Illusory Truth", "B01 (Illusory Truth)"]
)  # fmt: skip
def test_a_name_instead_of_a_code_is_understood(written):
    raw = json.dumps({"biases_present": [written], "triggers": []})
    answer, _, remarks = parsed(raw)
    assert answer.labels == {"B01"}
    assert "name-for-code" in remarks


def test_a_code_goes_before_an_equal_name_of_another_bias():
    names = {"B01": "B02", "B02": "Other"}
    raw = '{"biases_present": ["B02"], "triggers": []}'
    assert parsed_answer(raw, ("B01", "B02"), names=names).answer.labels == {"B02"}


def test_labels_and_triggers_that_differ_are_both_kept_and_remarked():
    raw = '{"biases_present": ["B02"], "triggers": [{"bias": "B01", "spans": ["a"]}]}'
    answer, fault, remarks = parsed(raw)
    assert (answer.labels, [one.category for one in answer.marks]) == ({"B02"}, ["B01"])
    assert (fault, remarks) == (None, ("sets-differ",))


def test_a_trigger_without_any_passage_says_only_that_its_bias_is_present():
    raw = '{"biases_present": [], "triggers": [{"bias": "B01", "spans": ["", " "]}]}'
    answer, _, remarks = parsed(raw)
    assert answer == Answer(frozenset({"B01"}))
    assert remarks == ("blank-span", "blank-span", "trigger-without-span", "sets-differ")


def test_a_passage_outside_a_list_is_taken_as_a_list_of_one():
    raw = '{"biases_present": ["B01"], "triggers": [{"bias": "B01", "spans": "a b"}]}'
    answer, _, remarks = parsed(raw)
    assert answer.marks == (Mark("B01", quotes=("a b",)),)
    assert remarks == ("bare-span",)


def test_of_several_answers_the_last_complete_one_counts():
    draft = '{"biases_present": ["B02"], "triggers": []}'
    answer, _, remarks = parsed(f"{draft}\nOn second thought:\n{GOOD}\n{{}}")
    assert answer == MEANT
    assert remarks == ("several-objects", "text-around")


def test_a_key_that_stands_twice_is_remarked_and_the_last_counts():
    raw = '{"biases_present": ["B02"], "biases_present": ["B01"], "triggers": []}'
    answer, _, remarks = parsed(raw)
    assert answer.labels == {"B01"}
    assert "repeated-key" in remarks


def test_line_breaks_inside_a_string_and_half_characters_are_taken():
    raw = '{"biases_present": ["B01"], "triggers": [{"bias": "B01", "spans": ["a\nb", "\\ud83d"]}]}'
    answer, fault, _ = parsed(raw)
    assert fault is None
    assert answer.marks[0].quotes[0] == "a\nb"
    answer.marks[0].quotes[1].encode()


def test_every_remark_that_is_made_is_explained():
    raws = [GOOD + "x", GOOD * 2, '{"biases_present": ["b 01", "Q"], "triggers": [{"bias": "B02", "spans": ""}]}']  # fmt: skip
    made = {remark for raw in raws for remark in parsed(raw).remarks}
    assert len(made) > 4
    assert made <= set(REMARKS)


def test_a_hostile_megabyte_of_braces_is_read_in_no_time():
    begin = time.process_time()
    assert parsed("{" * 1_000_000).fault == "not-json"
    assert parsed('{"a": "' * 150_000).fault == "not-json"
    assert time.process_time() - begin < 5


def test_the_answer_of_an_example_lists_spans_by_place_and_codes_in_order_of_the_schema():
    # "one two three": one = [0, 3), two = [4, 7), three = [8, 13)
    gold = Answer(
        frozenset({"B04", "B01"}),
        (
            Mark("B04", (Span(8, 13),)),
            Mark("B02", (Span(4, 7), Span(0, 3)), ("lost",)),
            Mark("B01"),
        ),
    )
    assert json.loads(answer_json(gold, "one two three", CODES)) == {
        "biases_present": ["B01", "B02", "B04"],
        "triggers": [
            {"bias": "B02", "spans": ["one", "two", "lost"]},
            {"bias": "B04", "spans": ["three"]},
        ],
    }


TEXT = "Aa bb 🌉 cc\r\ndd e\u0301e ff gg hh."


@given(
    st.lists(
        st.tuples(
            st.sampled_from(CODES),
            st.lists(st.integers(0, len(TEXT) - 3), min_size=1, max_size=3, unique=True),
        ),
        max_size=5,
    )
)
def test_gold_written_as_an_answer_and_read_back_quotes_the_same_passages(drawn):
    marks = tuple(
        Mark(code, tuple(Span(s, s + 2) for s in sorted(starts))) for code, starts in drawn
    )
    meant = [
        (mark.category, tuple(TEXT[s.start : s.end] for s in mark.spans))
        for mark in marks
        if any(TEXT[s.start : s.end].strip() for s in mark.spans)
    ]
    raw = answer_json(Answer(marks=marks), TEXT, CODES)
    answer, fault, _ = parsed(raw)
    assert fault is None
    filled = [(code, tuple(one for one in quotes if one.strip())) for code, quotes in meant]
    assert sorted((one.category, one.quotes) for one in answer.marks) == sorted(filled)
