"""Profiles: what is counted, and that shares come with the interval they claim."""

from __future__ import annotations

import pytest
from made_detectors import Told

from slant.analysis.analyses import LexicalCue, Sentence
from slant.analysis.article import Article
from slant.analysis.profiles import passages, profile
from slant.analysis.reading import analysed
from slant.data.schemas import load_schema
from slant.stats.intervals import wilson
from slant.types import Estimate, Undefined


def sentence(at, p=None, voice="outlet", **more):
    told = {} if p is None else {"told": Estimate(p, None, None, level=0.95, n=1, method="")}
    return Sentence(10 * at, 10 * at + 9, voice=voice, probabilities=told, **more)


def measured(sentences, categories=(), biases=()):
    return {m.key: m.estimate for m in profile(sentences, [Told().facts], categories, biases)}


def test_verdicts_are_shares_of_the_sentences_that_are_not_quoted():
    # 4 in the outlet's voice: one biased, one not, two without a verdict; 1 quoted
    some = [sentence(0, 0.9), sentence(1, 0.1), sentence(2, 0.5, abstained={"told": "near"}),
            sentence(3), sentence(4, 0.9, "quoted")]  # fmt: skip
    found = measured(some)
    assert found["quoted"].value == 0.2
    shares = [found[f"{kind}:told"].value for kind in ("biased", "not biased", "no verdict")]
    assert shares == [0.25, 0.25, 0.5]
    assert found["biased:told"] == wilson(1, 4, 0.95)
    # mean of 0.9, 0.1 and 0.5
    assert found["probability:told"].value == pytest.approx(0.5)
    assert found["probability:told"].low < 0.1
    assert found["probability:told"].high > 0.9


def test_a_cue_in_quotation_marks_is_not_the_outlet_s():
    cues = [LexicalCue(0, 3, "loaded", "", quoted) for quoted in (True, False)]
    some = [sentence(0, cues=(cues[0],)), sentence(1, cues=(cues[1],), voice="mixed")]
    assert measured(some, ["loaded", "hedge"])["cues:loaded"].value == 0.5
    assert measured(some, ["loaded", "hedge"])["cues:hedge"].value == 0


def test_an_article_of_quotations_alone_has_no_share():
    found = measured([sentence(0, 0.9, "quoted")], ["loaded"])
    assert found["quoted"].value == 1
    assert isinstance(found["biased:told"], Undefined)
    assert isinstance(found["probability:told"], Undefined)
    assert isinstance(found["cues:loaded"], Undefined)
    assert profile([], [Told().facts], ["loaded"], []) == ()


def test_one_sentence_has_a_mean_without_an_interval():
    found = measured([sentence(0, 0.9)])["probability:told"]
    assert (found.value, found.low) == (0.9, None)


def test_the_interval_of_a_mean_is_near_that_of_the_central_limit():
    # 200 of 0 and 200 of 1: sd 0.5, standard error 0.025, so 0.5 -+ 0.049
    found = measured([sentence(i, float(i % 2)) for i in range(400)])["probability:told"]
    assert (found.low, found.high) == (pytest.approx(0.451, abs=0.004), pytest.approx(0.549, abs=0.004))  # fmt: skip


def test_equal_probabilities_make_no_interval_of_no_width():
    # every resample of 4 times 0.5 says 0.5: 2 of 4 as Wilson has it
    found = measured([sentence(i, 0.5) for i in range(4)])["probability:told"]
    assert (found.low, found.high) == (wilson(2, 4, 0.95).low, wilson(2, 4, 0.95).high)
    assert "no narrower than Wilson" in found.method


def test_the_loaded_passages_are_windows_of_three_that_share_no_sentence():
    # 18 sentences, so two passages at either end (18 // 9): 3, 4, 5 at 0.9 and 9, 10, 11 at 0.8
    values = [0.5] * 18
    values[3:6], values[9:12], values[15:18] = [0.9] * 3, [0.8] * 3, [0.1] * 3
    most, least = passages([sentence(i, p) for i, p in enumerate(values)])
    assert [(p.first, p.last) for p in most] == [(3, 5), (9, 11)]
    assert [p.loading for p in most] == [pytest.approx(0.9), pytest.approx(0.8)]
    assert (least[0].first, least[0].loading) == (15, pytest.approx(0.1))
    assert (most[0].start, most[0].end) == (30, 59)
    numbers = [set(range(p.first, p.last + 1)) for p in (*most, *least)]
    assert sum(map(len, numbers)) == len(set().union(*numbers))


def test_quoted_sentences_load_no_passage():
    some = [sentence(i, 0.9, "quoted") for i in range(3)] + [sentence(i, 0.2) for i in range(3, 6)]
    most, _ = passages(some)
    assert most[0].loading == pytest.approx(0.2)
    assert passages(some[:3]) == ((), ())
    assert passages([]) == ((), ())


def test_a_short_text_is_one_passage_and_has_no_least_one():
    most, least = passages([sentence(0, 0.9), sentence(1, 0.1)])
    assert [(p.first, p.last, p.loading) for p in most] == [(0, 1, 0.5)]
    assert least == ()


def test_detectors_are_averaged_before_sentences_are():
    text = "One 0.9. Two 0.1."
    found = analysed([Article("a", text)], [Told("x"), Told("y")], load_schema("bait"))[0]
    assert found.most[0].loading == pytest.approx(0.5)
