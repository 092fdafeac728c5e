from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from slant.errors import DataError
from slant.metrics.rationale import (
    average_precision,
    chosen_words,
    iou_f1,
    plausibility,
    token_f1,
)
from slant.types import Undefined

sentences = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=2, max_size=12)


def two_classes(words):
    gold = [g for g, _ in words]
    return 0 < sum(gold) < len(gold)


@settings(max_examples=60, deadline=None)
@given(sentences.filter(two_classes))
def test_rank_scores_equal_scikit_learns_ties_included(words):
    gold, scores = np.array(words).T
    found = plausibility([gold], [scores])
    assert found.mean("auroc") == pytest.approx(roc_auc_score(gold, scores))
    assert found.mean("average_precision") == pytest.approx(average_precision_score(gold, scores))


@settings(max_examples=60, deadline=None)
@given(sentences.filter(two_classes), st.randoms(use_true_random=False))
def test_no_score_but_the_runs_depends_on_the_order_of_equal_words(words, random):
    again = list(words)
    random.shuffle(again)
    one, other = (plausibility([g], [s]) for g, s in (zip(*words), zip(*again)))  # noqa: B905
    for name in ("auroc", "average_precision", "token_f1"):
        assert one.mean(name) == pytest.approx(other.mean(name))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 1), min_size=2, max_size=10), st.integers(0, 99))
def test_token_f1_without_ties_is_the_f1_of_the_chosen_words(gold, seed):
    if not 0 < sum(gold) < len(gold):
        return
    scores = np.random.default_rng(seed).permutation(len(gold))
    chosen = chosen_words(scores, sum(gold))
    assert token_f1(gold, scores) == pytest.approx(f1_score(gold, chosen))


def test_the_rationale_itself_is_perfect_and_its_opposite_is_worst():
    gold = [0, 1, 1, 0, 1]
    best, worst = plausibility([gold], [gold]), plausibility([gold], [[1 - g for g in gold]])
    for name in best.by_sentence:
        assert best.mean(name) == 1
        assert best.pooled[name] == 1
    assert worst.mean("auroc") == 0
    # the last of the five orders the marked words 3rd to 5th: (1/3 + 2/4 + 3/5) / 3; here all
    # three enter together, at 3/5
    assert worst.mean("average_precision") == pytest.approx(3 / 5)


def test_average_precision_by_hand_with_a_tie():
    # 0.9: 1 of 1 right; 0.5 twice: 2 of 3 right; 0.1: 3 of 4: (1 * 1 + 1 * 2/3 + 1 * 3/4) / 3
    assert average_precision([1, 1, 0, 1], [0.9, 0.5, 0.5, 0.1]) == pytest.approx(29 / 36)


def test_equal_scores_give_what_a_random_choice_gives_on_average():
    assert token_f1([1, 0, 0, 0, 1], [3] * 5) == pytest.approx(2 / 5)
    assert average_precision([1, 0, 0, 0, 1], [3] * 5) == pytest.approx(2 / 5)


@pytest.mark.parametrize(
    ("chosen", "value"),
    [
        # marked runs [0, 3) and [5, 6)
        ([1, 1, 1, 0, 0, 1, 0], 1.0),
        ([0, 1, 1, 0, 0, 1, 0], 1.0),  # overlap 2/3 of the first
        ([0, 0, 1, 0, 0, 1, 0], 0.5),  # 1/3: no hit; 1 of 2 chosen, 1 of 2 marked
        ([0, 0, 0, 0, 0, 1, 1], 2 / 3),  # 1/2 reaches the threshold: 1 of 1, 1 of 2
        ([1, 1, 1, 1, 1, 1, 1], 0.0),  # 3/7
        ([0, 0, 0, 0, 0, 0, 0], 0.0),
    ],
)
def test_iou_f1_counts_runs_that_reach_half_of_both(chosen, value):
    assert iou_f1([1, 1, 1, 0, 0, 1, 0], chosen) == pytest.approx(value)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=12))
def test_iou_f1_equals_the_sets_of_eraser(words):
    """The rule of the ERASER paper written with sets of positions."""
    gold, chosen = np.array(words).T
    if not 0 < gold.sum() < len(gold):
        return

    def runs(mask):
        parts, run = [], set()
        for n, one in enumerate([*mask, 0]):
            if one:
                run.add(n)
            elif run:
                parts.append(run)
                run = set()
        return parts

    truth, said = runs(gold), runs(chosen)
    hits = sum(max(len(p & t) / len(p | t) for t in truth) >= 0.5 for p in said)
    precision, recall = hits / len(said) if said else 0, hits / len(truth)
    expected = 2 * precision * recall / (precision + recall) if hits else 0
    assert iou_f1(gold, chosen) == pytest.approx(expected)


def test_a_sentence_with_one_class_of_words_is_undefined_and_in_no_mean():
    for of in (average_precision, token_f1, iou_f1):
        for gold in ([0, 0], [1, 1]):
            assert isinstance(of(gold, [1, 0]), Undefined)
    found = plausibility([[0, 0], [1, 0], [1, 1]], [[1, 2], [2, 1], [1, 1]])
    assert found.shown.tolist() == [1]
    assert (found.sentences, found.words, found.marked) == (3, 2, 1)
    assert found.mean("auroc") == 1
    assert isinstance(found.spread("auroc"), Undefined)
    nothing = plausibility([[0, 0]], [[1, 2]])
    assert isinstance(nothing.mean("auroc"), Undefined)
    assert isinstance(nothing.pooled["iou_f1"], Undefined)


def test_pooling_ranks_all_words_together_and_adds_up_choices_and_runs():
    gold, scores = [[1, 0], [1, 0, 1]], [[0.1, 0.0], [0.9, 0.8, 0.7]]
    found = plausibility(gold, scores)
    assert found.mean("auroc") == pytest.approx((1 + 0.5) / 2)
    # marked 0.1 0.9 0.7 against 0.0 0.8: pairs won 1 + 2 + 1 of 6
    assert found.pooled["auroc"] == pytest.approx(4 / 6)
    # 1 of 1 and 1 of 2 chosen words are marked
    assert found.pooled["token_f1"] == pytest.approx(2 / 3)
    # chosen runs [0, 1) and [0, 2); marked [0, 1), and [0, 1) [2, 3): 1 hit, and 1 of half: 2
    assert found.pooled["iou_f1"] == pytest.approx(2 * 1 * (2 / 3) / (1 + 2 / 3))
    assert found.spread("auroc") == pytest.approx(np.std([1, 0.5], ddof=1))


def test_scores_that_do_not_fit_the_words_are_refused():
    with pytest.raises(DataError, match="2 words and 3 scores"):
        plausibility([[1, 0]], [[1, 2, 3]])
    with pytest.raises(DataError, match="1 scores are not numbers"):
        token_f1([1, 0], [np.nan, 1])
