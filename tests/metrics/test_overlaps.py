from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from slant.metrics.overlaps import characters, joined, meeting, overlap, shared_characters
from slant.types import Span

SPANS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda p: Span(p[0], p[0] + p[1])),
    max_size=8,
)


def letters(spans):
    return {place for span in spans for place in range(span.start, span.end)}


@given(SPANS, SPANS)
def test_characters_are_those_of_sets(first, second):
    one, other = joined(first), joined(second)
    assert characters(one) == len(letters(first))
    assert shared_characters(one, other) == len(letters(first) & letters(second))


@given(SPANS)
def test_joined_spans_cover_the_same_and_share_no_character(spans):
    runs = joined(spans)
    assert letters(runs) == letters(spans)
    assert all(one.end <= other.start for one, other in pairwise(runs))


def test_spans_that_touch_stay_two():
    assert joined([Span(5, 9), Span(0, 5)]) == [Span(0, 5), Span(5, 9)]


def test_spans_that_touch_share_nothing():
    assert overlap(Span(0, 5), Span(5, 9)) == 0


@given(SPANS, SPANS)
def test_a_stretch_meets_spans_that_share_a_letter_with_it(spans, stretches):
    meets = meeting(spans)
    for one in stretches:
        assert meets(one.start, one.end) == bool(letters([one]) & letters(spans))
