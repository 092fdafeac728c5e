"""Where words stand, in scripts that write vowels and accents as marks of their own."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data.words import word_ranges


def words(text):
    return [text[start:end] for start, end in word_ranges(text).tolist()]


@pytest.mark.parametrize(
    "text",
    ["हिन्दी पाठ", "தமிழ் உரை", "ਪੰਜਾਬੀ ਪਾਠ", "שָׁלוֹם עֲלֵיכֶם", "می\u200cخواهم کتاب", "क्\u200dष त्र"],
)
def test_vowel_signs_points_and_joiners_stay_inside_a_word(text):
    assert words(text) == text.split()


@pytest.mark.parametrize("text", ["Café déjà vu", "Ångström’s so-called naïveté"])
def test_a_decomposed_word_is_the_composed_one_with_its_marks(text):
    apart = unicodedata.normalize("NFD", text)
    assert [unicodedata.normalize("NFC", one) for one in words(apart)] == text.split()
    assert words(text) == text.split()


def test_what_begins_with_a_mark_or_a_joiner_is_no_word_and_ends_none():
    # a heart and its variation selector, an emoji family, a joiner behind a word
    assert words("\u2764\ufe0f love \U0001f469\u200d\U0001f467 end\u200d \u0301") == ["love", "end"]


@given(st.text(alphabet="aZ0é_ -’'.…\n"))
def test_without_marks_words_are_runs_joined_by_apostrophes_hyphens_and_points(text):
    expected = re.findall(r"[^\W_]+(?:['’\-‐‑.][^\W_]+)*", text)
    assert words(text) == expected
