import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from slant.systems.lexicon import (
    best_threshold,
    cue_marks,
    cue_words,
    logistic_line,
    text_reading,
    verb_forms,
)


def found(text):
    return {m.category: [text[s.start : s.end] for s in m.spans] for m in cue_marks(text)[0]}


def test_marks_slice_back_to_the_cues():
    text = "Critics say the SO-CALLED reform is “absolutely” shocking — perhaps."
    got = found(text)
    assert got["loaded"] == ["SO-CALLED"]
    assert got["intensifier"] == ["absolutely"]
    assert got["sensational"] == ["shocking"]
    assert got["hedge"] == ["perhaps"]


def test_offsets_count_code_points_past_astral_and_growing_letters():
    # 'İ' grows to two characters in lower case; the emoji is one code point.
    text = "İİ 😀 corrupt"
    (mark,) = [m for m in cue_marks(text)[0] if m.category == "loaded"]
    assert [(s.start, s.end) for s in mark.spans] == [(5, 12)]


def test_cues_match_whole_words_only():
    assert found("sickle, evilness, Mayfield, uncorrupted") == {}


def test_a_cue_of_two_words_does_not_cross_a_full_stop():
    assert "partisan" in found("the far left won")
    assert "partisan" not in found("it was far. Left of it stood a tree")


def test_the_longest_cue_wins_within_a_category():
    assert found("it was a fake news story")["partisan"] == ["fake news"]
    assert found("white supremacists")["partisan"] == ["white supremacists"]


def test_a_possessive_is_the_word_itself():
    assert found("the regime’s plan and the tyrant's son")["loaded"] == ["regime", "tyrant"]


def test_the_score_is_the_share_of_cue_words_with_ten_more():
    # 6 words, of which "corrupt" and "shocking" are cues: 2 / (6 + 10).
    assert text_reading("The corrupt judge made shocking remarks", vader=False).score == 2 / 16
    assert text_reading("", vader=True).score == 0


def test_vader_adds_its_share_of_negative_words():
    # VADER: "terrible" alone in the text is all negative: neg = 1.0; cues 1 / 11.
    assert text_reading("terrible", vader=True).score == pytest.approx(1 / 11 + 1)


def test_each_category_has_forty_cues_or_more_and_each_cue_is_found():
    for category, cues in cue_words().items():
        assert len(cues) >= 40, category
        for cue in cues:
            assert cue == cue.lower()
            assert cue in found(cue).get(category, []), (category, cue)


@pytest.mark.parametrize(("verb", "forms"), [("bash", "bash bashes bashed bashing"), ("destroy", "destroy destroys destroyed destroying"), ("decry", "decry decries decried decrying")])  # fmt: skip
def test_verbs_are_inflected(verb, forms):
    assert verb_forms(verb) == tuple(forms.split())


@given(
    st.lists(st.sampled_from([*"İ😀 .’s", "Corrupt", "fake news", "shocking"]), max_size=12).map(
        " ".join
    )
)
@settings(max_examples=60, deadline=None)
def test_spans_lie_in_the_text_in_order(text):
    for mark in cue_marks(text)[0]:
        edges = [e for s in mark.spans for e in (s.start, s.end)]
        assert edges == sorted(edges)
        assert edges[-1] <= len(text)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=12))
@settings(max_examples=60, deadline=None)
def test_no_threshold_beats_the_best_one(rows):
    x = np.array([a for a, _ in rows], dtype=float)
    y = np.array([b for _, b in rows], dtype=np.int64)

    def score(cut):
        return f1_score(
            y, (x >= cut).astype(int), average="macro", labels=[0, 1], zero_division=0.0
        )

    best = max(score(cut) for cut in [*np.unique(x), np.inf])
    assert score(best_threshold(x, y)) == pytest.approx(best)


def test_more_cues_never_mean_less_bias():
    # The biased texts have the lower scores: slope 0, and the log odds of 2 in 4, which are 0.
    assert logistic_line(np.array([0.1, 0.2, 0.8, 0.9]), np.array([1, 1, 0, 0])) == (0.0, 0.0)
    assert logistic_line(np.array([0.1, 0.3, 0.2, 0.9]), np.array([0, 1, 0, 1]))[0] > 0
