"""Shares of predicted spans by fate, and cues in misplaced ones against chance."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from slant.errors import OptionError
from slant.stats.cueanalysis import CueCase, cue_analysis, random_stretches
from slant.stats.resampling import generator
from slant.types import Span

TEXT = "an expert said it rained and an expert said it snowed"  # 11 words
OTHER = "nobody knew what was going on there"


def has_cue(code: str, passage: str) -> bool:
    return "expert" in passage


def case(span, fate, bias="B04", article="a", in_gold=True, text=TEXT):
    return CueCase(article, text, bias, span and Span(*span), fate, in_gold)


CASES = [
    case((0, 9), "matched"),
    case((0, 14), "unmarked"),  # an expert said: with the cue
    case((15, 24), "unmarked"),  # it rained: without
    case((0, 6), "unmarked", article="b", in_gold=False, text=OTHER),  # nobody: without
    case((25, 38), "same-bias"),
    case(None, "unlocated"),
    case((0, 6), "other-bias", bias="B01"),
]


def value(found: dict, name: str) -> float | None:
    return found[name]["value"]


def test_shares_are_counted_over_all_predicted_spans_of_the_bias():
    found = cue_analysis(CASES, has_cue, ["B04"], seed=1)["biases"]["B04"]
    # six spans: one matched, one of the same bias, three on unmarked text, one nowhere
    assert found["spans"] == 6
    assert [value(found, name) for name in ("matched", "same_bias", "other_bias", "unmarked", "unlocated")] == [
        1 / 6, 1 / 6, 0.0, 3 / 6, 1 / 6,
    ]  # fmt: skip
    assert value(found, "in_articles_without") == 1 / 6
    # of the three on unmarked text one holds "expert"
    assert (found["misplaced"], value(found, "with_cue")) == (3, 1 / 3)


def test_biases_without_cues_have_fates_alone_and_are_pooled_apart():
    found = cue_analysis(CASES, has_cue, ["B04"], seed=1)
    assert "with_cue" not in found["biases"]["B01"]
    assert (found["groups"]["cued"]["spans"], found["groups"]["others"]["spans"]) == (6, 1)
    assert value(found["groups"]["others"], "other_bias") == 1.0


def test_the_random_share_is_the_chance_of_a_stretch_to_hold_the_cue():
    # stretches of 9 characters that start at one of the 11 words and end in the text (53):
    # starts 0 3 10 15 18 25 29 32 39 44, and 47 would end at 56. "expert" at [3, 9), [32, 38) is
    # inside those from 0, 3, 29, 32: 4 of 10
    cases = [case((15, 24), "unmarked")] * 2000
    found = cue_analysis(cases, has_cue, ["B04"], seed=3)["biases"]["B04"]
    assert value(found, "random_with_cue") == pytest.approx(0.4, abs=0.02)  # 10,000 draws
    # anywhere: 45 starts 0 to 44; from 0 to 3 and from 29 to 32, 8 of 45
    found = cue_analysis(cases, has_cue, ["B04"], seed=3, word_aligned=False)["biases"]["B04"]
    assert value(found, "random_with_cue") == pytest.approx(8 / 45, abs=0.02)


def test_neither_the_order_of_predictions_nor_other_biases_change_a_number():
    mixed = [*CASES]
    random.Random(0).shuffle(mixed)
    assert cue_analysis(mixed, has_cue, ["B04"], seed=5) == cue_analysis(
        CASES, has_cue, ["B04"], seed=5
    )
    alone = [one for one in CASES if one.bias == "B04"]
    assert (
        cue_analysis(alone, has_cue, ["B04"], seed=5)["biases"]["B04"]
        == cue_analysis(CASES, has_cue, ["B04"], seed=5)["biases"]["B04"]
    )


def test_another_seed_draws_other_stretches():
    many = [case((15, 24), "unmarked")] * 20
    shares = {
        value(cue_analysis(many, has_cue, ["B04"], seed=seed)["biases"]["B04"], "random_with_cue")
        for seed in range(6)
    }
    assert len(shares) > 1


def test_intervals_resample_articles():
    # ten articles of two spans, all matched or all not: the share is a mean of ten coins, and its
    # interval is that of ten, not of twenty: 0.5 +- 1.96 * sqrt(0.25 / 10) = 0.19 to 0.81
    cases = [
        case((0, 9), "matched" if n % 2 else "unmarked", article=f"a{n}")
        for n in range(10) for _ in range(2)
    ]  # fmt: skip
    share = cue_analysis(cases, has_cue, ["B04"], seed=1)["biases"]["B04"]["matched"]
    assert share["value"] == 0.5
    assert (share["low"], share["high"]) == (
        pytest.approx(0.2, abs=0.05),
        pytest.approx(0.8, abs=0.05),
    )


def test_an_article_without_predictions_is_resampled_too():
    cases = [case((0, 9), "matched", article=f"a{n}") for n in range(3)]
    found = cue_analysis(cases, has_cue, ["B04"], seed=1, articles=["a0", "a1", "a2", "a3"])
    assert found["articles"] == 4


def test_no_predictions_give_no_shares_and_everything_is_json():
    found = cue_analysis([], has_cue, ["B04"], seed=1)
    assert found["biases"] == {}
    assert value(found["groups"]["cued"], "matched") is None
    json.dumps(cue_analysis(CASES, has_cue, ["B04"], seed=1), allow_nan=False)


def test_a_stretch_as_long_as_its_text_is_the_text():
    stream = generator(1, ["test"])
    assert random_stretches(" ab ", 4, 2, True, stream) == [Span(0, 4)] * 2


def test_no_stretch_starts_at_a_letter_after_a_combining_mark_or_a_joiner():
    # one word each; a heart with its variation selector (a mark too) is no letter before "love"
    for text, starts in (
        ("हिन्दी पाठ", {0, 7}), ("mañana".replace("ñ", "n\u0303"), {0}),
        ("می\u200cخواهم", {0}), ("\u2764\ufe0flove", {2}), ("so-called it's", {0, 3, 10}),
    ):  # fmt: skip
        spans = random_stretches(text, 1, 200, True, generator(1, ["test"]))
        assert {one.start for one in spans} == starts, text


def test_stretches_have_the_length_and_lie_inside():
    stream = generator(1, ["test"])
    spans = random_stretches(TEXT, 20, 200, False, stream)
    assert {one.end - one.start for one in spans} == {20}
    starts = np.array([one.start for one in spans])
    assert starts.min() == 0
    assert starts.max() == len(TEXT) - 20


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (case((0, 9), "matchd"), "the fate is 'matchd'"),
        (case((0, 99), "unmarked"), "lies outside a text of 53 characters"),
        (case(None, "unmarked"), "Give both or neither"),
        (case((0, 9), "unlocated"), "Give both or neither"),
    ],
)
def test_cases_that_cannot_be_are_refused(wrong, says):
    with pytest.raises(OptionError, match=says):
        cue_analysis([wrong], has_cue, ["B04"], seed=1)


def test_at_least_one_stretch_is_drawn():
    with pytest.raises(OptionError, match="Give 1 or more"):
        cue_analysis(CASES, has_cue, ["B04"], seed=1, draws=0)
