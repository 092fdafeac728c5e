"""Statistics of a gold set."""

from __future__ import annotations

import pytest
from made_passes import TEXT, article, mark, word

from slant.annotate.goldstatistics import gold_statistics
from slant.data.words import word_ranges
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span


def test_articles_triggers_spans_shares_and_lengths_by_hand():
    found = gold_statistics(
        [
            article("1", TEXT, mark("B01", word(0, 1), word(4)), mark("B02", word(0, 3))),
            article("2", TEXT, mark("B01", word(2)), labels=["B01", "B02"]),
            article("3", "One two."),
        ],
        ["B01", "B02", "B03"],
    )
    # B01: spans of 2, 1 and 1 words; B02: one of 4; four spans in all
    assert found["biases"]["B01"] == {
        "articles": 2, "triggers": 2, "spans": 3, "share": 0.75, "mean_words": pytest.approx(4 / 3),
        "multi_span": 1,
    }  # fmt: skip
    assert found["biases"]["B02"] == {
        "articles": 2, "triggers": 1, "spans": 1, "share": 0.25, "mean_words": 4.0, "multi_span": 0,
    }  # fmt: skip
    assert found["biases"]["B03"]["mean_words"] is None
    assert found["total"] == {
        "articles": 2, "triggers": 3, "spans": 4, "share": 1.0, "mean_words": 2.0, "multi_span": 1,
    }  # fmt: skip
    assert (found["articles"], found["empty"]) == (3, 1)
    assert found["words"] == {"mean": pytest.approx(22 / 3), "median": 10.0}


def test_a_quote_that_stands_nowhere_is_a_span_of_its_words():
    found = gold_statistics([article("1", TEXT, mark("B01", word(0), quotes=["not in the text"]))])
    assert found["total"]["spans"] == 2
    assert found["total"]["mean_words"] == 2.5
    assert found["total"]["multi_span"] == 1


def test_a_gold_set_without_any_trigger_has_statistics_and_none_without_articles():
    found = gold_statistics([article("1", TEXT)])
    assert (found["empty"], found["total"]["spans"], found["total"]["share"]) == (1, 0, None)
    with pytest.raises(DataError, match="there is no article"):
        gold_statistics([])
    with pytest.raises(DataError, match="article '1' has the category 'B09'"):
        gold_statistics([article("1", TEXT, labels=["B09"])], ["B01"])


def test_the_words_of_a_span_are_those_that_share_a_character_with_it():
    text = "One, two-three; “four” fi\u0301ve."
    words = word_ranges(text)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            gold = Answer(marks=(Mark("B01", (Span(start, end),)),))
            row = gold_statistics([Example(Item("a", text), gold)])["biases"]["B01"]
            assert row["mean_words"] == sum(a < end and start < b for a, b in words.tolist())
