"""The window most like a quote: by hand, and against comparing every window."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.errors import OptionError
from slant.metrics import alignment
from slant.metrics.alignment import best_window, best_windows
from slant.types import Span


def every_window(text: str, quote: str, least: float) -> tuple[list[Span], float]:
    """The textbook distance of the quote to each window, one row of the table after the other."""
    best, found = (1, 1), []
    for start in range(len(text)):
        row = list(range(len(quote) + 1))  # distances of the quote's prefixes to an empty window
        for end in range(start + 1, len(text) + 1):
            last, row = row, [end - start]
            for i, one in enumerate(quote):
                row.append(min(row[i] + 1, last[i + 1] + 1, last[i] + (one != text[end - 1])))
            longer = max(len(quote), end - start)
            if 1 - row[-1] / longer < least - 1e-12:
                continue
            better = row[-1] * best[1] - best[0] * longer
            if not found or better < 0:
                best, found = (row[-1], longer), []
            if not found or better <= 0:
                found.append(Span(start, end))
    return found, 1 - best[0] / best[1] if found else 0.0


def misquoted(text: str, stream: random.Random, letters: str) -> str:
    start = stream.randrange(len(text))
    quote = list(text[start : start + stream.randint(1, 24)])
    for _ in range(stream.randint(0, len(quote) // 3)):
        place, change = stream.randrange(len(quote)), stream.randrange(3)
        quote[place : place + (change != 0)] = (
            [] if change == 1 and len(quote) > 1 else [stream.choice(letters)]
        )
    return "".join(quote)


@pytest.mark.parametrize("shortest_piece", [1, 3, 1000])
def test_the_best_windows_are_those_of_comparing_every_window(shortest_piece, monkeypatch):
    """With short pieces nearly all goes through regions, with long ones nothing."""
    monkeypatch.setattr(alignment, "SHORTEST_PIECE", shortest_piece)
    stream = random.Random(7)
    found = 0
    for _ in range(80):
        letters = stream.choice(["ab", "abc", "abcdefghijklmnop    "])
        text = "".join(stream.choice(letters) for _ in range(stream.randint(1, 70)))
        quote = misquoted(text, stream, letters + "z")
        least = stream.choice([0.4, 0.6, 0.8, 0.8, 0.9, 1.0])
        expected = every_window(text, quote, least)
        assert best_windows(text, quote, least) == expected, (text, quote, least)
        found += bool(expected[0])
    assert found > 50


@pytest.mark.parametrize("few_windows", [0, 10**9])
def test_aligning_the_starts_too_changes_nothing(few_windows, monkeypatch):
    monkeypatch.setattr(alignment, "FEW_WINDOWS", few_windows)
    stream = random.Random(8)
    for _ in range(50):
        text = "".join(stream.choice("abcd ") for _ in range(60))
        quote = misquoted(text, stream, "abcd ")
        assert best_windows(text, quote, 0.6) == every_window(text, quote, 0.6)


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet="aAbé e\n", max_size=25),
    st.text(alphabet="aAbé e\n", min_size=1, max_size=10),
    st.sampled_from([0.3, 0.5, 0.75, 0.8, 1.0]),
)
def test_any_text_and_quote_agree_with_every_window(text, quote, least):
    expected, similarity = every_window(text, quote, least)
    assert best_window(text, quote, least) == ((expected[0], similarity) if expected else None)


def test_a_longer_window_may_be_more_similar_than_one_with_fewer_edits():
    # quote abcde; "abXcde" (6 characters, 1 edit): 1 - 1/6 = 0.833
    # "abcd" would be 1 - 1/5 = 0.8: as many edits, but divided by less
    assert best_window("abcd.. abXcde", "abcde", 0.8) == (Span(7, 13), 1 - 1 / 6)


def test_of_equally_similar_windows_the_leftmost_then_the_shortest_is_taken():
    # four of the five letters at 0 and at 6: both 1 - 1/5
    assert best_window("abcdX abcdY", "abcde", 0.8) == (Span(0, 4), 0.8)
    # [0, 4) (one letter missing) and [0, 5) (one replaced) have the same similarity and start
    assert best_windows("abcdX", "abcde", 0.8) == ([Span(0, 4), Span(0, 5)], 0.8)


@pytest.mark.parametrize(("length", "edits"), [(5, 1), (10, 2), (15, 3), (35, 7), (100, 20)])
def test_the_bound_itself_is_reached_whatever_binary_fractions_say(length, edits):
    # 1 - 1/5 = 0.8, and so on: 5 * (1/0.8 - 1) would be 1.25 edits, 1 - 0.8 in binary 0.19999999999999996
    quote = "".join(chr(0x4E00 + i) for i in range(length))  # no two characters alike
    text = "." * 9 + quote[: length - edits] + "." * 9
    found = best_window(text, quote, 0.8)
    assert found == (Span(9, 9 + length - edits), 0.8)
    shorter = "." * 9 + quote[: length - edits - 1]
    assert best_window(shorter, quote, 0.8) is None


def test_offsets_count_code_points():
    text = "👩‍👩‍👧 cafe\u0301 😀 the new tax will ruin them\r\n"
    start = text.index("the")
    assert best_window(text, "the new tax would ruin them", 0.8) == (
        Span(start, start + 26),
        # will -> would: l dropped would leave "wild"; i -> o, l -> u, l kept, d added: 3 edits of 27
        1 - 3 / 27,
    )


def test_characters_that_no_encoding_holds_are_compared_like_others():
    assert best_window("a\ud83d\x00bcdefgh", "a\ud83d\x00bcdefgX", 0.8) == (Span(0, 9), 0.9)


@pytest.mark.parametrize(("text", "quote"), [("", "a"), ("a", ""), ("", ""), ("abc", "xyz")])
def test_nothing_is_found_where_there_is_nothing(text, quote):
    assert best_window(text, quote, 0.8) is None


def test_a_quote_longer_than_the_text_is_found_where_most_of_it_is_the_text():
    assert best_window("abcd", "abcde", 0.8) == (Span(0, 4), 0.8)
    assert best_window("abcd", "abcdef", 0.8) is None  # 1 - 2/6


@pytest.mark.parametrize("least", [0.0, -1.0, 1.5, float("nan")])
def test_a_least_similarity_outside_its_range_is_refused(least):
    with pytest.raises(OptionError, match=r"Give a number in \(0, 1\]"):
        best_window("text", "quote", least)
