"""Scores on resamples of articles, against counting the drawn articles anew."""

from __future__ import annotations

import numpy as np
import pytest

from slant.metrics.triggers import trigger_tallies
from slant.metrics.triggerscores import article_scores, bias_scores, score_kernels, trigger_scores
from slant.runs.baitscores import (
    Counted,
    article_means,
    bias_rows,
    corpus_scores,
    resampled,
    resampled_without,
    run_scores,
    scores_by_article,
)
from slant.runs.taskscores import run_estimate
from slant.stats.overseeds import drawn_clusters
from slant.types import Answer, Mark, Span, Undefined

CODES = ("B01", "B02", "B03")
RULES = {"span_threshold": 0.5, "trigger_threshold": 0.5}
KERNELS = score_kernels()


def made_answers(seed, articles=7):
    stream = np.random.default_rng(seed)
    answers = []
    for _ in range(articles):
        marks = [
            Mark(code, tuple(Span(s, s + 6) for s in sorted(stream.integers(0, 30, 2).tolist())))
            for code in CODES
            if stream.random() < 0.6
        ]
        answers.append(Answer(marks=tuple(marks)))
    return answers


GOLD = made_answers(1)
RUNS = [made_answers(seed) for seed in (2, 3)]
IDS = [f"a{n}" for n in range(len(GOLD))]


def tallies_of(run, places=None):
    chosen = range(len(GOLD)) if places is None else places
    return trigger_tallies(
        [GOLD[n] for n in chosen], [run[n] for n in chosen],
        [f"{n}-{i}" for i, n in enumerate(chosen)], CODES, **RULES,
    )  # fmt: skip


def counted():
    tallies = [tallies_of(run) for run in RUNS]
    return Counted(
        ("r1", "r2"),
        CODES,
        {level: np.stack([one[level].counts for one in tallies]) for level in tallies[0]},
    )


def number(value):
    return None if isinstance(value, Undefined) else value


def test_each_run_has_the_scores_of_its_tallies():
    ones = np.ones((1, len(GOLD)))
    for run, found in zip(RUNS, run_scores(resampled(counted(), ones), KERNELS), strict=True):
        expected = trigger_scores(tallies_of(run))
        assert found == pytest.approx({name: number(value) for name, value in expected.items()})


def test_each_article_has_the_scores_of_its_tallies():
    found = scores_by_article(counted(), KERNELS)
    for place, run in enumerate(RUNS):
        for name, values in article_scores(tallies_of(run)).items():
            assert found[name][place] == pytest.approx(values), name


def test_a_resample_scores_what_its_articles_counted_anew_score():
    drawn = drawn_clusters(IDS, 12, 42, ["bait"])
    weights = drawn.weights(IDS)
    found = resampled(counted(), weights)
    rest = resampled_without(found, counted(), weights, ("B01",))
    for row in range(13):
        places = np.repeat(np.arange(len(GOLD)), weights[row].astype(int)).tolist()
        for place, run in enumerate(RUNS):
            for of, without in ((found, ()), (rest, ("B01",))):
                expected = trigger_scores(tallies_of(run, places), without=without)
                own = {
                    name: float(kernel(of.counts[kind][row, place]))
                    for name, (kind, kernel) in KERNELS.items()
                }
                own["subset_accuracy"] = float(of.exact[row, place])
                for name, value in expected.items():
                    theirs = np.nan if isinstance(value, Undefined) else value
                    assert own[name] == pytest.approx(theirs, nan_ok=True), name


def test_biases_have_the_scores_of_their_tallies():
    ones = drawn_clusters(IDS, 20, 42, ["bait"]).weights(IDS)
    rows = bias_rows(resampled(counted(), ones), 0.95, KERNELS)
    expected = [bias_scores(tallies_of(run)) for run in RUNS]
    for code in CODES:
        for name in ("detection_f1", "characters_f1", "spans_f1", "triggers_f1"):
            mean = np.mean([one[code][name] for one in expected])
            assert rows[code][name]["value"] == pytest.approx(mean)
        gold = sum(any(mark.category == code for mark in answer.marks) for answer in GOLD)
        said = [
            sum(any(mark.category == code for mark in answer.marks) for answer in run)
            for run in RUNS
        ]
        assert rows[code]["gold_articles"] == gold
        assert rows[code]["predicted_articles"] == pytest.approx(np.mean(said))
        assert rows[code]["excess_articles"]["value"] == pytest.approx(np.mean(said) - gold)


def test_the_interval_is_that_of_the_mean_over_runs():
    weights = drawn_clusters(IDS, 400, 42, ["bait"]).weights(IDS)
    found = corpus_scores(resampled(counted(), weights), 0.95, KERNELS)
    for name, one in found.items():
        assert one["low"] <= one["value"] <= one["high"], name
        runs = [run[name] for run in run_scores(resampled(counted(), weights), KERNELS)]
        assert one["sd"] == pytest.approx(abs(runs[0] - runs[1]) / 2**0.5)


def test_by_article_the_interval_is_that_of_student():
    # values of n articles: mean -+ t(n - 1) s / sqrt(n)
    from scipy import stats

    found = article_means(counted(), 0.95, KERNELS)["spans_f1"]
    values = scores_by_article(counted(), KERNELS)["spans_f1"].mean(axis=0)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found["value"], found["low"], found["high"]) == pytest.approx(
        (values.mean(), low, high)
    )


def test_a_score_that_some_runs_lack_has_no_mean_and_says_in_how_many():
    told = run_estimate(np.array([[0.5, np.nan], [0.5, 0.5]]), 2, 0.95)
    assert told["value"] is None
    assert told["why"].startswith("0/0 in 1 of 2 runs")
    assert run_estimate(np.array([[np.nan], [0.5]]), 2, 0.95)["why"].startswith("0/0:")


def test_one_article_gives_a_score_without_an_interval():
    told = run_estimate(np.array([[0.5], [0.5]]), 1, 0.95)
    assert (told["value"], told["low"], told["sd"]) == (0.5, None, None)
    assert "too few clusters" in told["no_interval"]


def test_equal_runs_have_no_deviation_at_all():
    # the mean of three 0.7 is rounded, so that the deviation from it would be 1.4e-16
    draws = np.full((41, 3), 0.7)
    assert draws[0].std(ddof=1) > 0
    assert run_estimate(draws, 4, 0.95)["sd"] == 0.0
    draws[0] = (0.5, 0.7, 0.9)
    assert run_estimate(draws, 4, 0.95)["sd"] == pytest.approx(0.2)
