"""Majorities of annotators' votes, held against counting by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data.votes import majority, multimodal_label

WORDS = {"Likely": 1, "Unlikely": 0}
L, U = "Likely", "Unlikely"


def test_most_votes_decide_and_ties_are_counted():
    # 3:2, 1:4, 1:1 (a tie), nobody, 2:1 of those that read as a label
    votes = [
        (L, L, L, U, U),
        (L, U, U, U, U),
        (L, U, "", "", ""),
        ("",) * 5,
        (L, U, L, "Maybe", ""),
    ]
    found = majority(list("abcde"), votes, WORDS, ties="drop")
    assert found.labels == (1, 0, None, None, 1)
    assert (found.voted, found.ties, found.unread) == (4, 1, 1)
    assert found.share_of_ties == 0.25


def test_a_tie_goes_as_its_rule_says():
    votes = [(U, L), (L, U)]
    assert majority(["a", "b"], votes, WORDS, ties="first").labels == (0, 1)
    assert majority(["a", "b"], votes, WORDS, ties="drop").labels == (None, None)
    assert "first annotator" in majority(["a"], votes[:1], WORDS, ties="first").rule
    assert majority(["a"], votes[:1], WORDS, seed=7).rule == "drawn with seed 7"


def test_a_drawn_tie_is_the_same_whatever_stands_around_it_and_falls_both_ways():
    ids = [f"{n}" for n in range(2000)]
    drawn = majority(ids, [(L, U)] * 2000, WORDS, kind="image").labels
    assert majority(ids[::-1], [(U, L)] * 2000, WORDS, kind="image").labels == drawn[::-1]
    assert majority(ids, [(L, U)] * 2000, WORDS, kind="text").labels != drawn
    assert majority(ids, [(L, U)] * 2000, WORDS, kind="image", seed=1).labels != drawn
    # A fair coin: 1,000 of 2,000, standard deviation 22; five of them are 112.
    assert abs(sum(drawn) - 1000) < 112


@given(st.lists(st.sampled_from([L, U, "", "?"]), min_size=1, max_size=5))
def test_a_majority_is_what_a_counter_calls_most_common(votes):
    counts = Counter(vote for vote in votes if vote in WORDS)
    found = majority(["x"], [votes], WORDS, ties="drop")
    if counts[L] == counts[U]:
        assert found.labels == (None,)
        assert found.ties == bool(counts)
    else:
        assert found.labels == (WORDS[counts.most_common(1)[0][0]],)


@pytest.mark.parametrize(
    ("text", "image", "both"),
    [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1), (None, 1, 1), (1, None, 1), (0, None, None), (None, None, None)],
)  # fmt: skip
def test_a_pair_is_biased_if_either_part_is_and_open_if_that_is_not_known(text, image, both):
    assert multimodal_label(text, image) == both
