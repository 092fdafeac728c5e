"""Baselines that mark triggers without a language model."""

from __future__ import annotations

import numpy as np
import pytest

from slant.data.schemas import load_schema, plain_schema
from slant.errors import OptionError, UnknownName
from slant.systems import repeatedclaims
from slant.systems.leftout import best_setting, left_out_marks
from slant.systems.triggerbaselines import BASELINES, baseline_answers
from slant.types import Answer, Example, Item, Mark, Span

BAIT = load_schema("bait")


def example(name: str, text: str, **marks: str) -> Example:
    """An article in which the given passages are triggers."""
    found = tuple(
        Mark(code, (Span(text.index(one), text.index(one) + len(one)),))
        for code, one in marks.items()
    )
    return Example(Item(name, text), Answer(frozenset(marks), found))


def asked(name: str, examples: list[Example], schema=BAIT) -> list[Answer]:
    return baseline_answers(name, [one.item for one in examples], examples, schema, 1)


def test_the_most_frequent_biases_are_those_of_more_than_half_of_the_other_articles():
    examples = [
        example("a", "x y", B01="x"),
        example("b", "x y", B01="x", B02="y"),
        example("c", "x y", B01="x", B02="y"),
        example("d", "x y", B02="y"),
    ]
    # without a: B01 2 of 3, B02 3 of 3; without b or c: 2 and 2 of 3; without d: 3 and 2 of 3
    assert [sorted(one.labels) for one in asked("most-frequent", examples)] == [["B01", "B02"]] * 4
    assert all(not one.marks for one in asked("most-frequent", examples))


def test_an_article_does_not_vote_on_its_own_answer():
    examples = [example("a", "x", B05="x"), example("b", "x", B03="x"), example("c", "x", B03="x")]
    assert [sorted(one.labels) for one in asked("most-frequent", examples)] == [
        ["B03"],  # 2 of 2
        ["B03"],  # B03 and B05 1 of 2 each, not more than half: the most, the first in the schema
        ["B03"],
    ]


def test_without_other_articles_there_is_no_most_frequent_bias():
    assert asked("most-frequent", [example("a", "x", B01="x")]) == [Answer()]
    assert asked("most-frequent", [Example(Item(n, "x"), Answer()) for n in "ab"]) == [Answer()] * 2


def test_marking_the_whole_article_says_the_same_biases():
    examples = [example("a", "x y", B01="x"), example("b", "x yz", B01="x")]
    assert asked("whole-article", examples)[1] == Answer(
        frozenset({"B01"}), (Mark("B01", (Span(0, 4),)),)
    )


CALM = "The park has forty trees. It opens at eight."


def test_sentences_with_cues_are_marked_one_trigger_each():
    text = "An expert spoke. The park has trees. A study said so."
    answers = baseline_answers("cues", [Item("a", text)], [], BAIT, 1)
    spans = [mark.spans for mark in answers[0].marks if mark.category == "B04"]
    assert spans == [(Span(0, 16),), (Span(37, 53),)]
    assert answers[0].labels == {mark.category for mark in answers[0].marks}


def test_how_many_cues_are_needed_is_learnt_from_the_other_articles():
    # one cue alone is never a trigger there, two are: two cues have F1 1
    text = "An expert spoke. The professor cited a study. The park has trees."
    two = "The professor cited a study."
    examples = [example(name, text, B04=two) for name in "abc"]
    marked = [
        [text[m.spans[0].start : m.spans[0].end] for m in answer.marks if m.category == "B04"]
        for answer in asked("cues", examples)
    ]
    assert marked == [[two]] * 3


def test_a_bias_that_no_other_article_shows_is_not_marked():
    examples = [example("a", "An expert spoke."), example("b", "An expert spoke.")]
    assert asked("cues", examples) == [Answer(), Answer()]


def test_the_best_setting_has_the_highest_f1_and_the_first_of_equal_ones():
    # F1: 2*5/(2*5+5) = 0.67, 2*4/(2*4+2) = 0.8, 0.8, 0
    assert best_setting(np.array([[5, 5, 0], [4, 1, 1], [4, 2, 0], [0, 1, 5]])) == 1
    assert best_setting(np.array([[0, 3, 5], [0, 0, 5]])) is None


def test_an_article_that_is_its_own_only_train_gets_the_default():
    one = example("a", "x y", B01="x")

    def marker(item, setting):
        return [Mark("B01", (Span(setting, setting + 1),))]

    assert left_out_marks([one.item], [one], "B01", marker, 3, default=2) == [marker(one.item, 2)]
    other = example("b", "x y", B01="x")
    assert left_out_marks([one.item], [other], "B01", marker, 3, default=2) == [marker(one.item, 0)]


def test_sentences_that_say_the_same_are_one_trigger():
    claim, again = (
        "The new tax will ruin every small shop in town.",
        "Every small shop in town will be ruined by the new tax.",
    )
    text = f"{claim} The park has forty old trees and a pond. {again}"
    answer = baseline_answers("repeated-claims", [Item("a", text)], [], BAIT, 1)[0]
    assert answer.labels == {"B01"}
    assert [[text[s.start : s.end] for s in mark.spans] for mark in answer.marks] == [
        [claim, again]
    ]


def test_articles_that_repeat_nothing_and_empty_ones_have_no_repeated_claim():
    items = [Item("a", CALM), Item("b", ""), Item("c", "\r\n")]
    assert baseline_answers("repeated-claims", items, [], BAIT, 1) == [Answer()] * 3


def test_the_bound_is_learnt_from_the_other_articles(monkeypatch):
    """Vectors are made: sentences of one letter have the cosine 0.78, others 0."""

    def made(texts, tokens):
        vectors = np.zeros((len(texts), 60), np.float32)
        for row, text in enumerate(texts):
            letter = ord(text[0]) - ord("A")
            own = 26 + int(text.split()[1])
            vectors[row, letter], vectors[row, own] = 0.78**0.5, 0.22**0.5
        return vectors

    monkeypatch.setattr(repeatedclaims, "encode_texts", made)
    text = "A 1 one two. A 2 one two. B 3 one two."
    gold = Answer(frozenset({"B01"}), (Mark("B01", (Span(0, 12), Span(13, 25))),))
    examples = [Example(Item(name, text), gold) for name in "abc"]
    # bounds up to 0.75 give F1 1, higher ones nothing
    assert asked("repeated-claims", examples) == [gold] * 3


def test_many_sentences_are_compared_in_parts(monkeypatch):
    vectors = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = repeatedclaims.claim_clusters(vectors, 0.8)
    monkeypatch.setattr(repeatedclaims, "_ROWS", 7)
    assert whole
    assert repeatedclaims.claim_clusters(vectors, 0.8) == whole


@pytest.mark.parametrize("name", ["cues", "repeated-claims"])
def test_a_schema_without_such_biases_is_refused_with_the_names_that_would_do(name):
    with pytest.raises(OptionError, match="Illusory Truth"):
        asked(name, [example("a", "x")], plain_schema(["Doubt"]))


@pytest.mark.parametrize("name", sorted(BASELINES))
def test_every_baseline_answers_every_article_and_an_empty_list(name):
    examples = [example("a", CALM), example("b", "")]
    assert len(asked(name, examples)) == 2
    assert asked(name, []) == []


def test_an_unknown_baseline_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean cues"):
        asked("cue", [])
