"""The families of tests of a BAIT run, by hand and against scipy."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from baitfolders import article, made_folder, raw_answer, write_folder
from scipy import stats

from slant.metrics.triggerscores import score_kernels
from slant.runs.baitcomparisons import comparisons
from slant.runs.baitfates import ScoringRules
from slant.runs.baitscores import Counted
from slant.runs.baitscoring import score_bait
from slant.stats.corrections import holm

QUICK = ScoringRules(resamples=20, permutations=99)
NAMES = ("one", "two", "three", "four")
TEXTS = {name: f"In {name} we read of nothing else." for name in NAMES}


def gold():
    return [article(name, text, [("B02", [(0, 12)])]) for name, text in TEXTS.items()]


def right(*names):
    """Answers that find the trigger in some articles and say nothing in the others."""
    return {
        name: raw_answer([("B02", [text[:12]])] if name in names else [])
        for name, text in TEXTS.items()
    }


def test_a_gain_is_tested_as_by_hand(tmp_path):
    answers = {
        ("m", "k0-run1"): right(),
        ("m", "k3-seed17"): right("one", "two", "three"),
    }
    rows = score_bait(write_folder(tmp_path / "run", gold(), answers), QUICK)["comparisons"]
    # d = 1, 1, 1, 0: mean 0.75, s = 0.5, t = 0.75 / (0.5 / 2) = 3 with 3 degrees of freedom
    p = 2 * stats.t.sf(3, 3)
    for row in rows:
        assert row["difference"] == pytest.approx(0.75)
        assert row["t"] == pytest.approx(3)
        assert row["p"] == pytest.approx(p)
        assert (row["better"], row["worse"], row["equal"]) == (3, 0, 1)
        assert row["p_permutation"] == 2 / 2**3
        assert row["permutation"] == "enumeration"
    # one bar of figure 2, three of figure 3 (three times the p), one of subset accuracy
    families = Counter(row["family"] for row in rows)
    assert families == {
        "detection, examples against none": 1,
        "localisation, examples against none": 3,
        "subset accuracy, examples against none": 1,
    }
    adjusted = {row["family"]: row["p_holm"] / row["p"] for row in rows}
    assert adjusted == pytest.approx(dict(families))
    assert rows[1]["p_permutation_holm"] == pytest.approx(0.75)


def test_runs_are_averaged_before_they_are_tested(tmp_path):
    answers = {
        ("m", "k0-run1"): right("one"),
        ("m", "k0-run2"): right(),
        ("m", "k3-seed17"): right("one", "two"),
        ("m", "k3-seed23"): right("two", "three"),
    }
    row = score_bait(write_folder(tmp_path / "run", gold(), answers), QUICK)["comparisons"][0]
    # by article, examples: 0.5, 1, 0.5, 0; none: 0.5, 0, 0, 0
    theirs = stats.ttest_rel([0.5, 1, 0.5, 0], [0.5, 0, 0, 0])
    assert (row["difference"], row["p"]) == pytest.approx((0.375, theirs.pvalue))
    assert row["n"] == 4


def test_zero_shot_runs_accompany_examples_or_all_are_taken(tmp_path):
    answers = {
        ("m", "k0-run1"): right("one"),
        ("m", "k0-run2"): right("one", "two"),
        ("m", "k3-seed17"): right("one", "two"),
        ("m", "k10-seed17"): right("one", "two", "three"),
    }
    folder = write_folder(tmp_path / "run", gold(), answers)
    three, ten = score_bait(folder, QUICK)["comparisons"][:2]
    assert (three["second"]["runs"], ten["second"]["runs"]) == (["k0-run1"], ["k0-run2"])
    # 2 of 4 less 1 of 4; 3 of 4 less 2 of 4
    assert (three["difference"], ten["difference"]) == (0.25, 0.25)
    every = ScoringRules(resamples=20, permutations=99, pairing="all")
    three, ten = score_bait(folder, every)["comparisons"][:2]
    assert three["second"]["runs"] == ten["second"]["runs"] == ["k0-run1", "k0-run2"]
    assert (three["difference"], ten["difference"]) == (0.125, 0.375)


def test_where_too_few_zero_shot_runs_are_there_all_are_taken(tmp_path):
    answers = {
        ("m", "k0-run1"): right("one"),
        ("m", "k3-seed17"): right("one", "two"),
        ("m", "k10-seed17"): right("one", "two", "three"),
    }
    _, ten = score_bait(write_folder(tmp_path / "run", gold(), answers), QUICK)["comparisons"][:2]
    assert ten["second"]["runs"] == ["k0-run1"]


def test_families_are_as_large_as_those_of_the_paper(tmp_path):
    folder = made_folder(
        tmp_path / "run",
        models=6,
        articles=3,
        words=60,
        shots=(0, 3, 10),
        seeds=(17,),
        passes=False,
    )
    rows = score_bait(folder, QUICK)["comparisons"]
    families = Counter(row["family"] for row in rows)
    # figure 2: six models, two numbers of examples; figure 3: the same at three granularities;
    # section 7.3: all pairs of six models within one metric
    assert families.pop("detection, examples against none") == 12
    assert families.pop("localisation, examples against none") == 36
    assert families.pop("subset accuracy, examples against none") == 12
    assert families == {
        f"pairs of models, {name}, 10 examples": 15
        for name in (
            "detection_micro_f1", "subset_accuracy", "characters_f1", "spans_f1", "triggers_f1"
        )
    }  # fmt: skip
    assert not any("cues" in (row["first"]["system"], row["second"]["system"]) for row in rows)
    for family in {row["family"] for row in rows}:
        own = [row for row in rows if row["family"] == family]
        for name in ("p", "p_permutation"):
            found = holm([1 if row[name] is None else row[name] for row in own])
            assert [row[f"{name}_holm"] for row in own] == [
                None if row[name] is None else value
                for row, value in zip(own, found.tolist(), strict=True)
            ]


def one_model(wrong):
    """Detection of one bias on each article: right or wrong, in one run."""
    levels = (
        "detection",
        "characters",
        "spans",
        "triggers_dice",
        "triggers_jaccard",
        "triggers_max",
    )
    counts = np.zeros((1, len(wrong), 1, 4), np.int64)
    counts[0, :, 0, 0] = 1 - np.array(wrong)
    counts[0, :, 0, 2] = wrong
    return Counted(("run",), ("B01",), dict.fromkeys(levels, counts))


def compared(**models):
    settings = {(name, 3): one_model(wrong) for name, wrong in models.items()}
    return comparisons(
        settings, kernels=score_kernels(), beside={}, level=0.95, permutations=2000, seed=1
    )


def test_equal_models_have_p_1_and_constant_differences_no_t_test():
    rows = compared(a=[0, 1, 0], b=[0, 1, 0], c=[1, 1, 1], d=[0, 0, 0])
    first = rows[0]
    assert (first["p"], first["p_holm"], first["difference"]) == (1, 1, 0)
    assert first["why"] == "the two are the same on every unit"
    apart = next(row for row in rows if row["first"]["system"] == "c" and row["n"] == 3)
    assert apart["second"]["system"] == "d"
    assert (apart["p"], apart["p_holm"], apart["t"], apart["low"]) == (None, None, None, None)
    assert (apart["difference"], apart["worse"]) == (-1, 3)
    assert apart["p_permutation"] == 2 / 2**3


def test_many_articles_are_compared_by_drawn_signs():
    stream = np.random.default_rng(1)
    a, b = stream.integers(0, 2, (2, 120)).tolist()
    row = compared(a=a, b=b)[0]
    theirs = stats.ttest_rel(1 - np.array(a), 1 - np.array(b))
    assert (row["t"], row["p"]) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert row["permutation"] == "monte-carlo"
    # McNemar's exact test asks the same of articles that are right or wrong
    exact = stats.binomtest(row["better"], row["better"] + row["worse"]).pvalue
    assert row["p_permutation"] == pytest.approx(exact, abs=0.03)


def test_without_models_there_is_nothing_to_test():
    assert compared() == []
