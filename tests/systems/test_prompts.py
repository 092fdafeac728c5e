from __future__ import annotations

import json

import pytest

from slant.data.schemas import load_schema, plain_schema
from slant.systems.prompts import (
    answer_schema,
    conversation,
    prompt_sha256,
    system_message,
)
from slant.systems.triggeranswers import parsed_answer
from slant.types import Answer, Example, Item, Mark, Span

BAIT = load_schema("bait")
TEXT = "One claim. Another 🌉 thing. One claim."
GOLD = Answer(marks=(Mark("B01", (Span(28, 38), Span(0, 10))), Mark("B02", (Span(19, 20),))))


def test_the_instructions_hold_every_code_with_its_one_line_definition():
    told = system_message(BAIT)
    for bias in BAIT.biases:
        assert f"- {bias.code} {bias.name}: {bias.line}\n" in told


def test_the_instructions_never_show_the_annotators_codebook():
    told = system_message(BAIT)
    for bias in BAIT.biases:
        assert bias.boundary
        assert bias.boundary not in told
        assert bias.positive
        assert bias.positive not in told


def test_biases_that_commonly_have_several_spans_are_named_in_the_rule_about_them():
    assert "(as is common with B01)" in system_message(BAIT)
    assert "as is common" not in system_message(plain_schema(["Doubt", "Slogans"]))


def test_the_form_that_the_instructions_show_is_itself_an_answer_without_any_trigger():
    shown = system_message(BAIT).rsplit("answer ", 1)[1].rstrip(".")
    assert parsed_answer(shown, BAIT.codes) == (Answer(), None, ())


def test_the_instructions_are_the_same_whatever_the_number_of_examples():
    example = Example(Item("b", TEXT), GOLD)
    item = Item("a", "Text.")
    assert conversation(BAIT, item)[0] == conversation(BAIT, item, [example])[0]


def test_examples_are_turns_and_the_article_comes_last_as_it_was_read():
    example = Example(Item("b", TEXT), GOLD)
    item = Item("secret-id", "First.\r\nSecond e\u0301 🌉.")
    sent = conversation(BAIT, item, [example])
    assert [one.role for one in sent] == ["system", "user", "assistant", "user"]
    assert sent[1].text == TEXT
    assert json.loads(sent[2].text)["triggers"][0]["spans"] == ["One claim.", "One claim."]
    assert sent[3].text == item.text
    assert not any("secret-id" in one.text for one in sent)


def test_an_article_among_its_own_examples_is_refused():
    with pytest.raises(ValueError, match="own examples"):
        conversation(BAIT, Item("a", TEXT), [Example(Item("a", TEXT), GOLD)])


def test_the_sum_of_the_prompt_changes_with_a_definition_and_with_nothing_else():
    from dataclasses import replace

    other = replace(BAIT, biases=(replace(BAIT.biases[0], line="Else."), *BAIT.biases[1:]))
    assert prompt_sha256(other) != prompt_sha256(BAIT)
    unseen = replace(BAIT, biases=(replace(BAIT.biases[0], boundary="Else."), *BAIT.biases[1:]))
    assert prompt_sha256(unseen) == prompt_sha256(BAIT)


def test_braces_in_a_definition_of_the_user_stay_as_they_are():
    from dataclasses import replace

    own = replace(BAIT, biases=(replace(BAIT.biases[0], line="Says {this} and {}."),))
    assert "Says {this} and {}." in system_message(own)


def test_the_json_schema_of_an_answer_fits_what_strict_modes_ask_for():
    """Every object names all of its keys as required, and forbids others."""

    def check(part):
        if part["type"] == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
            for inner in part["properties"].values():
                check(inner)
        if part["type"] == "array":
            check(part["items"])

    form = answer_schema(load_schema("ptc"))
    check(form)
    assert form["properties"]["biases_present"]["items"]["enum"] == list(load_schema("ptc").codes)
