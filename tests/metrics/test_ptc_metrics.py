"""Hand-worked; the official scorers' numbers on real articles: tests/runs/test_ptcscoring.py."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.metrics.ptc import ptc_flc, ptc_si
from slant.types import Span

SPANS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda p: Span(p[0], p[0] + p[1])),
    max_size=5,
)
ARTICLES = st.dictionaries(st.sampled_from(["1", "2", "3"]), SPANS)
LABELLED = st.dictionaries(
    st.sampled_from(["1", "2"]), st.dictionaries(st.sampled_from(["Doubt", "Slogans"]), SPANS)
)


def test_credit_is_the_covered_share_of_each_span():
    found = ptc_si({"1": [Span(0, 10), Span(20, 30)]}, {"1": [Span(5, 25), Span(50, 60)]})
    # (5 + 5)/20 of two predicted spans; 5/10 + 5/10 of two gold spans
    assert (found.precision, found.recall) == (0.25, 0.5)
    assert found.f1 == pytest.approx(2 * 0.25 * 0.5 / 0.75)
    assert (found.predicted_credit, found.gold_credit) == (0.5, 1.0)


def test_spans_that_share_a_character_are_joined_first():
    found = ptc_si({"1": [Span(3, 8), Span(0, 5), Span(20, 30)]}, {"1": [Span(0, 8)]})
    assert found.gold_spans == 2
    assert (found.precision, found.recall) == (1.0, 0.5)


def test_spans_that_touch_are_not_joined():
    found = ptc_si({"1": [Span(0, 5), Span(5, 8)]}, {"1": [Span(0, 8)]})
    assert (found.gold_spans, found.precision, found.recall) == (2, 1.0, 1.0)


def test_gold_of_an_article_without_predictions_is_missed():
    found = ptc_si({"1": [Span(0, 10)], "2": [Span(0, 10)]}, {"1": [Span(0, 10)]})
    assert (found.precision, found.recall) == (1.0, 0.5)


def test_offsets_of_different_articles_never_meet():
    assert ptc_si({"1": [Span(0, 10)]}, {"2": [Span(0, 10)]}).f1 == 0.0


@pytest.mark.parametrize(
    ("gold", "said", "scores"),
    [
        ({}, {}, (0.0, 0.0, 1.0)),
        ({"1": []}, {"1": []}, (0.0, 0.0, 1.0)),
        ({"1": [Span(0, 5)]}, {}, (0.0, 0.0, 0.0)),
        ({}, {"1": [Span(0, 5)]}, (0.0, 0.0, 0.0)),
    ],
)
def test_nothing_is_worth_what_the_official_scorer_gives(gold, said, scores):
    found = ptc_si(gold, said)
    assert (found.precision, found.recall, found.f1) == scores


def test_techniques_meet_only_their_own():
    gold = {"1": {"Doubt": [Span(0, 10)], "Slogans": [Span(0, 20)]}}
    said = {"1": {"Doubt": [Span(0, 5)], "Repetition": [Span(0, 20)]}}
    whole, each = ptc_flc(gold, said)
    # Doubt: 5/5 and 5/10; two spans on either side
    assert (whole.precision, whole.recall) == (0.5, 0.25)
    assert sorted(each) == ["Doubt", "Repetition", "Slogans"]
    assert (each["Doubt"].precision, each["Doubt"].recall) == (1.0, 0.5)
    assert (each["Slogans"].gold_spans, each["Slogans"].f1) == (1, 0.0)
    assert (each["Repetition"].predicted_spans, each["Repetition"].precision) == (1, 0.0)


def test_spans_of_two_techniques_are_not_joined():
    gold = {"1": {"Doubt": [Span(0, 10)], "Slogans": [Span(5, 20)]}}
    assert ptc_flc(gold, gold)[0].gold_spans == 2


def naive(gold, said):
    """By sets of characters and all pairs, joining until nothing overlaps."""

    def groups(spans):
        sets = [set(range(span.start, span.end)) for span in spans]
        while True:
            for one in sets:
                meet = [other for other in sets if other is not one and other & one]
                if meet:
                    sets = [x for x in sets if x is not one and x is not meet[0]]
                    sets.append(one | meet[0])
                    break
            else:
                return sets

    above = below = said_number = gold_number = 0
    for article in gold.keys() | said.keys():
        truth, other = groups(gold.get(article, [])), groups(said.get(article, []))
        above += sum(len(s & t) / len(s) for s in other for t in truth)
        below += sum(len(s & t) / len(t) for s in other for t in truth)
        said_number += len(other)
        gold_number += len(truth)
    return above, said_number, below, gold_number


@given(ARTICLES, ARTICLES)
def test_credits_are_those_of_sets(gold, said):
    found = ptc_si(gold, said)
    above, said_number, below, gold_number = naive(gold, said)
    assert found.predicted_credit == pytest.approx(above)
    assert found.gold_credit == pytest.approx(below)
    assert (found.predicted_spans, found.gold_spans) == (said_number, gold_number)


@given(ARTICLES, ARTICLES)
def test_exchanging_the_sides_exchanges_precision_and_recall(gold, said):
    there, back = ptc_si(gold, said), ptc_si(said, gold)
    assert there.precision == pytest.approx(back.recall)
    assert there.f1 == pytest.approx(back.f1)
    assert all(0 <= x <= 1 for x in (there.precision, there.recall, there.f1))


@given(LABELLED)
def test_copying_the_gold_scores_one(gold):
    whole, each = ptc_flc(gold, gold)
    assert whole.f1 == 1.0
    assert all(one.f1 == 1.0 for one in each.values())


@given(ARTICLES, ARTICLES, st.randoms())
def test_the_order_of_spans_and_articles_never_matters(gold, said, shuffler):
    def mixed(side):
        keys = list(side)
        shuffler.shuffle(keys)
        return {key: shuffler.sample(side[key], len(side[key])) for key in keys}

    assert ptc_si(gold, said) == ptc_si(mixed(gold), mixed(said))


@given(LABELLED, LABELLED)
def test_techniques_add_up_to_the_whole(gold, said):
    whole, each = ptc_flc(gold, said)
    assert whole.predicted_spans == sum(one.predicted_spans for one in each.values())
    assert whole.gold_credit == pytest.approx(sum(one.gold_credit for one in each.values()))
