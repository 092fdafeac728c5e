"""Sentences shaded by scores and underlined by experts."""

import re

import pytest
from made_study import METHODS, STANDARD, SUPERVISED, explained, made_explain

from slant.report.shadings import shading
from slant.report.studies import study


def example(text, words, scores, marked=(), **more):
    return {
        "seed": 42, "id": "a", "text": text, "label": 1, "probability": 0.5,
        "marked": [list(span) for span in marked], "words": [list(span) for span in words],
        "scores": scores, **more,
    }  # fmt: skip


def shaded(*examples):
    models = [explained(), explained(lam=0.5)]
    made = {}
    for name, model in zip((STANDARD, SUPERVISED), models, strict=True):
        made[name] = {**model, "examples": list(examples) if name == STANDARD else []}
    return shading(study(made_explain(made), None))


def words(body):
    return re.findall(r'<span class="([^"]*)" style="([^"]*)" title="([^"]*)">([^<]*)</span>', body)


def test_shades_are_shares_of_the_largest_size_with_their_sign():
    found = shaded(
        example(
            "bad news, good", [(0, 3), (4, 8), (10, 14)],
            {"cls-attention": [0.2, 0.1, 0.05], "occlusion": [-0.4, None, 0.1]}, [(4, 6)],
        )
    )  # fmt: skip
    assert found.methods == ("CLS attention", "occlusion")
    body = found.sentences[0].readings[0].body
    assert words(body) == [
        ("w", "--m0:1.00;--m1:-1.00", "CLS attention 0.200\nocclusion −0.400", "bad"),
        ("w marked", "--m0:0.50;--m1:0.00",
         "marked by experts\nCLS attention 0.100\nocclusion –", "news"),
        ("w", "--m0:0.25;--m1:0.25", "CLS attention 0.050\nocclusion 0.100", "good"),
    ]  # fmt: skip
    assert body.striptags() == "bad news, good"


def test_the_highest_words_are_said_for_each_method():
    found = shaded(
        example(
            "a b c d", [(0, 1), (2, 3), (4, 5), (6, 7)],
            {"occlusion": [0.1, -0.2, 0.4, 0.3], "cls-attention": [0.4, 0.3, 0.2, 0.1]}, [(2, 3)],
        )
    )  # fmt: skip
    reading = found.sentences[0].readings[0]
    assert [words.striptags() for words in reading.highest] == [
        "a 0.400, b 0.300, c 0.200", "c 0.400, d 0.300, a 0.100",
    ]  # fmt: skip
    assert found.sentences[0].marked.striptags() == "b"
    assert reading.probability == "0.500"


def test_text_is_escaped_wherever_it_stands():
    text = '<b>x</b> & "y" \'\x00'
    found = shaded(
        example(text, [(1, 2), (3, 4), (12, 13)], {"cls-attention": [1.0, 0.0, 0.5]}, [(0, 3)])
    )
    sentence = found.sentences[0]
    body = sentence.readings[0].body
    assert body.unescape().count("<span") == 3
    assert "<b>" not in body
    assert "&lt;" in body
    assert "\x00" not in body
    assert sentence.marked == "<bdi>&lt;b&gt;</bdi>"
    hostile = shaded(example("x", [(0, 1)], {'"><i onclick=1>': [1.0]}))
    assert "<i" not in hostile.sentences[0].readings[0].body


def test_a_model_without_a_method_is_not_shaded_by_it():
    found = shaded(
        example("x", [(0, 1)], {"rollout": [0.5]}),
        example("x", [(0, 1)], {"cls-attention": [0.5]}, seed=43),
    )
    first, second = found.sentences[0].readings
    assert (first.label, second.label) == (
        "minilm (standard), seed 42",
        "minilm (standard), seed 43",
    )
    assert [text.striptags() for text in first.highest] == ["not scored", "x 0.500"]
    assert words(second.body)[0][1] == "--m0:1.00"


def test_a_sentence_without_words_or_scores_above_zero_is_shown_plainly():
    found = shaded(
        example("...", [], {"cls-attention": []}), example("x", [(0, 1)], {"lime": [0.0]})
    )
    assert found.sentences[0].readings[0].body == "..."
    assert words(found.sentences[0].readings[1].body)[0][1] == "--m1:0.00"


def test_each_method_has_its_rule_and_a_study_without_sentences_none():
    found = shading(study(made_explain(), None))
    assert len(found.methods) == len(METHODS)
    assert [sentence.id for sentence in found.sentences] == [f"babe-{100 + i}" for i in range(4)]
    assert all(len(sentence.readings) == 3 for sentence in found.sentences)
    for i in range(1, len(METHODS)):
        assert f"#method-{i}:checked) .w {{ --a: var(--m{i}, 0); }}" in found.rules
    assert shaded() is None


@pytest.mark.parametrize("gold", [0, 1])
def test_the_label_is_said_in_a_word(gold):
    found = shaded(example("x", [(0, 1)], {"lime": [0.1]}, label=gold, probability=None))
    assert found.sentences[0].gold == ("unbiased", "biased")[gold]
    assert found.sentences[0].readings[0].probability == ""
