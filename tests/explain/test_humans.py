from __future__ import annotations

import polars as pl
import pytest

from slant.explain.humans import answer_table, human_words
from slant.metrics.agreement import MISSING

ROWS = [
    ("3", "s1", 1, ["mad"]),
    ("9", "s1", 1, ["mad plan"]),
    ("11", "s1", 0, []),
    ("3", "s2", 0, []),
    ("9", "s2", 1, ["nowhere"]),
    ("3", None, 1, ["mad"]),
]
TEXTS = {"s1": "the mad plan of him", "s2": "a calm man"}


def table(rows=ROWS):
    names = ["annotator", "sentence", "label", "words"]
    return pl.DataFrame(rows, names, orient="row")


def test_answers_become_a_matrix_with_annotators_by_number():
    found = answer_table(table())
    assert found.annotators == ("3", "9", "11")
    assert found.sentences == ("s1", "s2")
    assert found.codes.tolist() == [[1, 1, 0], [0, 1, MISSING]]


def test_one_annotators_words_are_held_against_those_of_the_others():
    found = human_words(table(), TEXTS)
    assert list(zip(found.sentence, found.annotator, strict=True)) == [
        ("s1", "3"), ("s1", "9"), ("s1", "11"), ("s2", "3"), ("s2", "9"),
    ]  # fmt: skip
    # s1, against "3": gold mad, plan; said mad: 1 of 2 above all, 1 of 2 tied with 3: 0.5 + 0.25
    # against "9": gold mad; said mad and plan: 3 of 4 below, 1 tied: 0.875
    # against "11": gold mad, plan; said nothing: 0.5
    scores = found.plausibility
    assert scores.shown.tolist() == [0, 1, 2]
    assert scores.by_sentence["auroc"] == pytest.approx([0.75, 0.875, 0.5])
    # s2 has no word that the others marked
    assert (found.entries, found.unlocated) == (3, 1)


def test_a_word_may_have_to_be_marked_by_several_others():
    found = human_words(table(), TEXTS, votes=2)
    # only "mad", by 3 and 9, seen from 11
    assert found.plausibility.shown.tolist() == [2]


def test_only_the_sentences_that_are_asked_for_count():
    assert human_words(table(), {"s2": TEXTS["s2"]}).plausibility.sentences == 2
