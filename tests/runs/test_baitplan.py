from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from scriptedmodel import made_articles

from slant.data.schemas import load_schema
from slant.errors import OptionError
from slant.runs.baitplan import (
    BaitRun,
    BaitSettings,
    accompanied,
    call_estimate,
    check_settings,
    drawn_examples,
    planned_runs,
    questions,
)
from slant.systems.prompts import conversation

IDS = [f"a{n:02}" for n in range(30)]


def test_the_papers_settings_are_twelve_runs_of_each_model():
    # six without examples, three draws of three, three draws of ten
    names = [run.name for run in planned_runs(BaitSettings())]
    assert names == [
        *(f"k0-run{n}" for n in range(1, 7)),
        *(f"k3-seed{seed}" for seed in (17, 23, 29)),
        *(f"k10-seed{seed}" for seed in (17, 23, 29)),
    ]


def test_zero_shot_runs_one_to_three_go_with_three_examples_and_four_to_six_with_ten():
    assert accompanied(BaitSettings()) == {
        "k3-seed17": "k0-run1", "k3-seed23": "k0-run2", "k3-seed29": "k0-run3",
        "k10-seed17": "k0-run4", "k10-seed23": "k0-run5", "k10-seed29": "k0-run6",
    }  # fmt: skip


def test_without_zero_shot_runs_nothing_is_accompanied():
    assert accompanied(BaitSettings(shots=(3,))) == {}


def test_an_article_is_never_among_its_own_examples_and_none_is_drawn_twice():
    for article in IDS:
        for seed in (17, 23, 29):
            drawn = drawn_examples(IDS, article, BaitRun("k10", 10, seed))
            assert len(set(drawn)) == 10
            assert article not in drawn
            assert set(drawn) <= set(IDS)


def test_the_draw_does_not_depend_on_the_order_of_the_articles():
    mixed = IDS.copy()
    random.Random(1).shuffle(mixed)
    run = BaitRun("k10", 10, 23)
    assert drawn_examples(mixed, "a07", run) == drawn_examples(IDS, "a07", run)


def test_three_examples_are_the_first_three_of_ten():
    ten = drawn_examples(IDS, "a07", BaitRun("k10", 10, 23))
    assert drawn_examples(IDS, "a07", BaitRun("k3", 3, 23)) == ten[:3]


def test_seeds_and_articles_have_draws_of_their_own():
    draws = {
        drawn_examples(IDS, article, BaitRun("k3", 3, seed))
        for article in IDS[:10]
        for seed in (17, 23, 29)
    }
    assert len(draws) > 25


def test_every_other_article_is_drawn_about_equally_often():
    """10 of 29 others in each of 30 articles x 100 seeds: 1000 times each on average; the standard
    deviation of a binomial of 2900 with p = 10/29 is 25.6, so that 5 of them are 128."""
    counts = Counter(
        one
        for seed in range(100)
        for article in IDS
        for one in drawn_examples(IDS, article, BaitRun("k10", 10, seed))
    )
    assert all(abs(counts[one] - 1000) < 128 for one in IDS)


def test_a_limit_asks_about_the_first_articles_and_draws_from_all():
    articles = made_articles(12)
    asked = list(questions(articles, BaitSettings(shots=(10,), draws=(17,), limit=2)))
    assert [one.item.id for one in asked] == ["article-1", "article-2"]
    assert {len(one.examples) for one in asked} == {10}


@pytest.mark.parametrize(
    ("settings", "articles", "said"),
    [
        (BaitSettings(), 10, "other 9. Give at least 11 articles"),
        (BaitSettings(shots=(1,)), 1, "have 1 article,"),
        (BaitSettings(shots=()), 50, "--shots"),
        (BaitSettings(shots=(0, -1)), 50, "--shots"),
        (BaitSettings(shots=(3, 3)), 50, "--shots"),
        (BaitSettings(draws=(17, 17)), 50, "--draws"),
        (BaitSettings(draws=()), 50, "--draws"),
        (BaitSettings(draws=(-1,)), 50, "--draws"),
        (BaitSettings(zero_shot_runs=0), 50, "--zero-shot-runs"),
        (BaitSettings(limit=0), 50, "--limit"),
        (BaitSettings(structured="maybe"), 50, "--structured 'maybe'"),
    ],
)
def test_settings_that_cannot_be_followed_are_refused_with_the_option(settings, articles, said):
    with pytest.raises(OptionError, match=re.escape(said)):
        check_settings(settings, articles)


def test_eleven_articles_are_enough_for_ten_examples():
    check_settings(BaitSettings(), 11)


def test_an_estimate_is_a_quarter_of_the_characters_that_are_sent():
    schema, articles = load_schema("bait"), made_articles(4)
    asked = list(questions(articles, BaitSettings(shots=(0, 3), draws=(17,), zero_shot_runs=1)))
    found = call_estimate(asked, schema, articles, {"input": 2.0, "output": 8.0})
    sent = sum(len(m.text) for q in asked for m in conversation(schema, q.item, q.examples))
    assert found["calls"] == 8
    assert found["prompt_tokens"] == round(sent / 4)
    # dollars per million
    expected = found["prompt_tokens"] * 2e-6 + found["answer_tokens"] * 8e-6
    assert found["cost"] == pytest.approx(expected)
    assert call_estimate([], schema, articles)["calls"] == 0
