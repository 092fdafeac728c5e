from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score
from worked import CODES, EMPTY, GOLD, LOCATED, MERGED, SAID, answers, article, tallies, trigger

from slant.errors import UnknownName
from slant.metrics.triggerscores import (
    article_scores,
    bias_scores,
    macro_f1,
    score_kernels,
    trigger_scores,
)
from slant.types import Undefined

NAMES = [
    "detection_micro_f1", "detection_macro_f1", "subset_accuracy", "characters_f1", "spans_f1",
    "triggers_f1", "triggers_f1_jaccard", "triggers_f1_max",
]  # fmt: skip


def scores(gold, said, **options):
    return trigger_scores(tallies(gold, said), **options)


def test_the_worked_example_has_the_scores_of_the_page():
    found = scores([GOLD, EMPTY], [SAID, EMPTY])
    assert list(found) == NAMES
    assert found == pytest.approx(
        {
            "detection_micro_f1": 4 / 5,  # 2*2 / (2*2 + 1 + 0) = 0.800
            "detection_macro_f1": 2 / 3,  # B01 1, B02 1, B04 0; B03 is nowhere
            "subset_accuracy": 1 / 2,  # the second article
            "characters_f1": 64 / 98,  # 0.653
            "spans_f1": 6 / 9,  # 0.667
            "triggers_f1": 4 / 6,  # 0.667
            "triggers_f1_jaccard": 2 / 6,  # 0.333
            "triggers_f1_max": 2 / 6,
        }
    )
    rounded = {name: round(value, 3) for name, value in found.items()}
    assert rounded["characters_f1"] == 0.653
    assert rounded["spans_f1"] == 0.667


def test_the_worked_example_with_its_triggers_merged():
    # dice 2/1/0: 4 / 5
    assert scores([GOLD, EMPTY], [MERGED, EMPTY])["triggers_f1"] == pytest.approx(0.8)


@pytest.mark.parametrize("said", [SAID, MERGED])
def test_the_worked_example_scores_the_same_with_its_sides_exchanged(said):
    assert scores([GOLD, EMPTY], [said, EMPTY]) == scores([said, EMPTY], [GOLD, EMPTY])


def test_the_worked_example_without_its_first_bias():
    found = scores([GOLD, EMPTY], [SAID, EMPTY], without=["B01"])
    assert found == pytest.approx(
        {
            "detection_micro_f1": 2 / 3,  # 1/1/0
            "detection_macro_f1": 1 / 2,
            "subset_accuracy": 1 / 2,
            "characters_f1": 24 / 48,  # 12/16/8
            "spans_f1": 2 / 4,  # 1/2/0: 2 / (2 + 2)
            "triggers_f1": 2 / 3,  # 1/1/0
            "triggers_f1_jaccard": 2 / 3,
            "triggers_f1_max": 2 / 3,
        }
    )


def test_the_worked_example_by_article_is_right_where_both_sides_are_empty():
    found = article_scores(tallies([GOLD, EMPTY], [SAID, EMPTY]))
    assert list(found) == NAMES
    whole = scores([GOLD], [SAID])
    for name, values in found.items():
        assert values.tolist() == pytest.approx([whole[name], 1.0])


def test_the_worked_example_by_bias():
    found = bias_scores(tallies([GOLD, EMPTY], [SAID, EMPTY]))
    assert list(found) == list(CODES)
    assert found["B01"] == pytest.approx(
        {
            "detection_f1": 1.0,
            "characters_f1": 40 / 50,  # 20/0/10
            "spans_f1": 4 / 5,  # 2/0/1
            "triggers_f1": 2 / 3,  # 1/1/0
            "triggers_f1_jaccard": 0.0,  # 0/2/1
            "triggers_f1_max": 0.0,
        }
    )
    assert found["B02"]["characters_f1"] == pytest.approx(24 / 38)  # 12/6/8
    assert found["B04"]["detection_f1"] == 0.0
    assert all(isinstance(value, Undefined) for value in found["B03"].values())
    assert "B03" in found["B03"]["spans_f1"].why


def test_the_main_overlap_is_chosen_by_name_and_the_others_stay():
    found = scores([GOLD, EMPTY], [SAID, EMPTY], trigger_overlap="jaccard")
    assert found["triggers_f1"] == pytest.approx(1 / 3)
    assert found["triggers_f1_dice"] == pytest.approx(2 / 3)
    assert "triggers_f1_max" in found
    assert "triggers_f1_jaccard" not in found
    by_article = article_scores(tallies([GOLD], [SAID]), trigger_overlap="jaccard")
    assert by_article["triggers_f1"].tolist() == pytest.approx([1 / 3])
    by_bias = bias_scores(tallies([GOLD], [SAID]), trigger_overlap="jaccard")
    assert by_bias["B01"]["triggers_f1_dice"] == pytest.approx(2 / 3)


def test_nothing_on_either_side_is_undefined_over_a_corpus_and_right_on_an_article():
    found = scores([EMPTY], [EMPTY])
    assert found.pop("subset_accuracy") == 1.0
    assert all(isinstance(value, Undefined) for value in found.values())
    assert "0/0" in found["characters_f1"].why
    by_article = article_scores(tallies([EMPTY], [EMPTY]))
    assert {float(values[0]) for values in by_article.values()} == {1.0}


def test_no_article_has_no_score():
    assert all(isinstance(value, Undefined) for value in scores([], []).values())


def test_a_prediction_for_an_empty_article_costs_all_of_that_article():
    found = article_scores(tallies([EMPTY], [article(trigger("B01", (0, 5)))]))
    assert {float(values[0]) for values in found.values()} == {0.0}


def test_labels_alone_cost_an_empty_article_at_detection_alone():
    found = article_scores(tallies([EMPTY], [article(labels={"B01"})]))
    assert {name: float(values[0]) for name, values in found.items()} == {
        name: 0.0 if name in NAMES[:3] else 1.0 for name in NAMES
    }


def test_a_bias_that_nobody_has_is_left_out_of_the_mean_or_counted_by_name():
    # B01 1, B02 1, B04 0, B03 nowhere
    found = {
        absent: scores([GOLD], [SAID], absent=absent)["detection_macro_f1"]
        for absent in ("left-out", "zero", "one")
    }
    assert found == pytest.approx({"left-out": 2 / 3, "zero": 2 / 4, "one": 3 / 4})


def test_a_false_alarm_of_a_new_bias_lowers_the_macro_score():
    said = article(*GOLD.marks, trigger("B03", (50, 60)))
    assert scores([GOLD], [GOLD])["detection_macro_f1"] == 1.0
    assert scores([GOLD], [said])["detection_macro_f1"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("options", [
    {"without": ["B1"]}, {"trigger_overlap": "Dice"}, {"absent": "skip"},
])  # fmt: skip
def test_an_unknown_name_of_an_option_is_refused(options):
    with pytest.raises(UnknownName, match=r"Did you mean|Known"):
        scores([GOLD], [SAID], **options)


def test_leaving_out_every_bias_leaves_no_score():
    found = scores([GOLD], [SAID], without=CODES)
    assert found.pop("subset_accuracy") == 1.0
    assert all(isinstance(value, Undefined) for value in found.values())


LABELS = st.lists(st.frozensets(st.sampled_from(CODES)), min_size=1, max_size=6)


@settings(deadline=None)
@given(LABELS, st.randoms())
def test_detection_agrees_with_scikit_learn(truth, shuffler):
    said = truth[:]
    shuffler.shuffle(said)
    gold, other = (
        np.array([[code in labels for code in CODES] for labels in side], int)
        for side in (truth, said)
    )
    found = scores([article(labels=one) for one in truth], [article(labels=one) for one in said],
                   absent="zero")  # fmt: skip
    macro = f1_score(gold, other, average="macro", zero_division=0)
    assert found["detection_macro_f1"] == pytest.approx(macro)
    assert found["subset_accuracy"] == pytest.approx(accuracy_score(gold, other))
    if gold.any():
        micro = f1_score(gold, other, average="micro", zero_division=0)
        assert found["detection_micro_f1"] == pytest.approx(micro)


CORPUS = st.lists(st.tuples(answers(), answers()), min_size=1, max_size=3)


@settings(deadline=None)
@given(CORPUS)
def test_scores_are_shares_and_do_not_depend_on_which_side_is_gold(pairs):
    gold, said = [one for one, _ in pairs], [one for _, one in pairs]
    there, back = scores(gold, said), scores(said, gold)
    assert there == back
    assert all(isinstance(x, Undefined) or 0 <= x <= 1 for x in there.values())
    by_article, other = article_scores(tallies(gold, said)), article_scores(tallies(said, gold))
    for name, values in by_article.items():
        assert (values == other[name]).all()
        assert ((values >= 0) & (values <= 1)).all()


@settings(deadline=None)
@given(CORPUS)
def test_the_order_of_the_articles_never_matters(pairs):
    gold, said = [one for one, _ in pairs], [one for _, one in pairs]
    assert scores(gold, said) == scores(gold[::-1], said[::-1])


@settings(deadline=None)
@given(st.lists(answers(LOCATED), min_size=1, max_size=3))
def test_copying_the_gold_scores_one_everywhere(gold):
    whole = tallies(gold, gold)
    assert all(isinstance(x, Undefined) or x == 1 for x in trigger_scores(whole).values())
    for values in article_scores(whole).values():
        assert (values == 1).all()
    for own in bias_scores(whole).values():
        assert all(isinstance(x, Undefined) or x == 1 for x in own.values())


def test_an_article_that_is_empty_on_both_sides_changes_no_pooled_f1():
    alone, beside = scores([GOLD], [SAID]), scores([GOLD, EMPTY], [SAID, EMPTY])
    assert alone.pop("subset_accuracy") == 0.0
    assert beside.pop("subset_accuracy") == 0.5
    assert alone == beside


def test_kernels_score_many_resamples_at_once():
    found = tallies([GOLD, EMPTY], [SAID, EMPTY])
    whole = trigger_scores(found)
    for name, (tally, kernel) in score_kernels().items():
        once = found[tally].counts.sum(axis=0)
        twice = np.stack([once, 2 * once, 0 * once])
        values = kernel(twice)
        assert values[:2].tolist() == pytest.approx([whole[name]] * 2)
        assert np.isnan(values[2])


def test_the_macro_score_keeps_leading_axes():
    counts = np.zeros((5, 7, 4, 4), int)
    counts[2, 3, 1, 0] = 1
    means = macro_f1(counts, "left-out")
    assert means.shape == (5, 7)
    assert means[2, 3] == 1.0
    assert np.isnan(means).sum() == 34
