"""Scores of labels on pairs under both recipes, and the published scoring of rationales."""

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from slant.errors import DataError
from slant.metrics.pairs import (
    CLOSED,
    closed_counts,
    label,
    label_scores,
    majority,
    published_labels,
    published_reasoning,
)

B, N, U = True, False, None
# Ten pairs, five biased and five not; three answers cannot be read.
GOLD = [B, B, B, B, B, N, N, N, N, N]
SAID = [B, B, N, U, U, N, N, B, U, N]


def test_the_ten_pairs_score_as_by_hand_under_our_recipe():
    # tp 2 (pairs 1, 2); fn 3 (3, and 4, 5 unreadable); fp 2 (8, and 9 unreadable); tn 3 (6, 7, 10)
    assert closed_counts(GOLD, SAID).sum(axis=0).tolist() == [2, 2, 3, 3]
    assert label_scores(GOLD, SAID, "ours") == pytest.approx(
        {
            "accuracy": 5 / 10,
            "precision": 2 / 4,  # 2 of 2 + 2
            "recall": 2 / 5,  # 2 of 2 + 3
            "f1": 4 / 9,  # 4 / (4 + 2 + 3)
            "class_f1": 49 / 99,  # (4 / 9 + 6 / 11) / 2, 6 / (6 + 3 + 2) being that of the others
            "weighted_f1": 49 / 99,  # five of each: the same
        }
    )


def test_the_ten_pairs_score_as_by_hand_under_the_published_recipe():
    # tp 2; fn 1 (pair 3: 4 and 5 are neither label); fp 1 (pair 8: 9 is neither); right 5 of 10
    assert label_scores(GOLD, SAID, "published") == pytest.approx(
        {"accuracy": 5 / 10, "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3}
    )


def test_the_published_recipe_gives_more_for_saying_nothing_and_ours_gives_less():
    honest = [B, B, N, N, N, N, N, B, B, N]  # wrong where SAID is unreadable
    ours, published = (
        [label_scores(GOLD, said, recipe)["f1"] for said in (honest, SAID)]
        for recipe in ("ours", "published")
    )
    assert ours[0] == ours[1]
    # honest: 4 / (4 + 2 + 3) = 4 / 9, against 2 / 3 with three answers that cannot be read
    assert published == pytest.approx([4 / 9, 2 / 3])


def test_the_published_recipe_cuts_what_is_missing_and_still_divides_by_all_of_gold():
    words = [None if one is None else label(one) for one in SAID]
    golds = [label(one) for one in GOLD]
    # the first eight: right are pairs 1, 2, 6, 7; tp 2, fp 1, fn 1 as before
    found = published_labels(words[:8], golds)
    assert (found.accuracy, found.f1) == (4 / 10, pytest.approx(2 / 3))
    # more predictions than gold: what is over is never looked at
    assert published_labels([*words, "biased", "biased"], golds) == published_labels(words, golds)
    with pytest.raises(DataError, match="10 values"):
        closed_counts(GOLD[:8], SAID)


def test_the_published_recipe_knows_two_spellings_only():
    assert published_labels(["Biased", "biased "], ["biased", "biased"]) == (0.0, 0.0, 0.0, 0.0)


def test_no_gold_divides_by_zero_in_the_published_recipe_and_is_no_number_in_ours():
    with pytest.raises(ZeroDivisionError):
        published_labels([], [])
    assert label_scores([], [], "ours") == dict.fromkeys(CLOSED)


labels = st.lists(st.tuples(st.booleans(), st.sampled_from([True, False, None])), min_size=1)


@settings(max_examples=25, deadline=None)
@given(labels)
def test_our_scores_are_scikit_learns_with_unreadable_answers_as_the_wrong_label(pairs):
    gold = [one for one, _ in pairs]
    said = [not right if said is None else said for right, said in pairs]
    found = label_scores(gold, [said for _, said in pairs], "ours")
    assert found["accuracy"] == pytest.approx(accuracy_score(gold, said))
    for name, score in (("precision", precision_score), ("recall", recall_score), ("f1", f1_score)):
        if found[name] is None:
            assert not any(said if name == "precision" else gold) or not any([*said, *gold])
        else:
            assert found[name] == pytest.approx(score(gold, said, zero_division=0))
    for name, average in (("class_f1", "macro"), ("weighted_f1", "weighted")):
        if found[name] is not None:
            options = {"labels": [True, False], "average": average, "zero_division": 0}
            assert found[name] == pytest.approx(f1_score(gold, said, **options))


@settings(max_examples=25, deadline=None)
@given(labels)
def test_published_precision_and_recall_are_scikit_learns_on_the_readable_answers_alone(pairs):
    read = [(right, said) for right, said in pairs if said is not None]
    found = label_scores([one for one, _ in pairs], [said for _, said in pairs], "published")
    gold, said = [one for one, _ in read], [one for _, one in read]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for name, score in (("precision", precision_score), ("recall", recall_score),
                            ("f1", f1_score)):  # fmt: skip
            own = score(gold, said, zero_division=0) if read else 0.0
            assert found[name] == pytest.approx(own)
    # accuracy divides by all
    assert found["accuracy"] == pytest.approx(sum(r == s for r, s in read) / len(pairs))


@given(labels)
def test_where_every_answer_can_be_read_both_recipes_agree(pairs):
    gold = [one for one, _ in pairs]
    said = [bool(one) for _, one in pairs]
    ours, published = (label_scores(gold, said, recipe) for recipe in ("ours", "published"))
    for name, value in published.items():
        assert value == pytest.approx(0.0 if ours[name] is None else ours[name])


# The page's default judge is the name of a model, and a name cannot be called.
def test_the_published_judge_is_a_string_that_is_called():
    with pytest.raises(TypeError, match="'str' object is not callable"):
        published_reasoning(["r"], ["biased"], ["t"])


def test_a_judge_that_says_no_to_everything_gives_full_marks_in_the_published_recipe():
    assert published_reasoning(["r"] * 4, ["biased"] * 4, ["t"] * 4, lambda _: "No") == (1.0, 1.0)
    assert published_reasoning(["r"] * 4, ["biased"] * 4, ["t"] * 4, lambda _: "") == (0.0, 0.0)


def test_the_published_reasoning_cuts_and_divides_by_all_of_gold():
    # 3 rationales and 2 inputs of 4 golds: 3 / 4 and 2 / 4
    assert published_reasoning(["r"] * 3, ["biased"] * 4, ["t"] * 2, lambda _: "No") == (0.75, 0.5)


def test_no_image_reaches_the_published_judge():
    asked = []
    published_reasoning(["because"], ["biased"], [("text", b"\x89PNG")], asked.append)
    # two questions, both plain text: the image is at most its bytes spelt out
    assert len(asked) == 2
    assert all(isinstance(one, str) for one in asked)


@given(st.lists(st.sampled_from([True, False, None])))
def test_a_majority_needs_more_than_half_of_the_verdicts_that_can_be_read(votes):
    yes, no = votes.count(True), votes.count(False)
    found = majority(votes)
    assert found.value == (None if yes + no == 0 else yes > no)
    assert found.tied == (yes == no > 0)
    assert majority(reversed(votes)) == found
