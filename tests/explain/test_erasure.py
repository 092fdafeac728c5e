from __future__ import annotations

import numpy as np
import pytest

from slant.errors import DataError, OptionError
from slant.explain.erasure import BINS, bin_sizes, erased, erasure
from slant.explain.words import text_words

HARSH = {"mad": 0.3, "vile": 0.2}
TEXTS = ["the mad plan of a vile man", "a calm plan", "Mad"]


def probability(texts):
    """0.2 and what harsh words add; what is masked adds nothing."""
    return np.array([0.2 + sum(HARSH.get(w.lower(), 0) for w in t.split()) for t in texts])


def run(removal="delete", token="", scores=None, **changed):
    words = [text_words(text) for text in TEXTS]
    if scores is None:
        scores = [np.array([HARSH.get(w.lower(), 0) for w in one.strings]) for one in words]
    asked = {"names": ["a", "b", "c"], "draws": 3, "seed": 1, "target": "biased", **changed}
    return erasure(words, scores, probability, removal=removal, token=token, **asked)


@pytest.mark.parametrize(
    ("taken", "deleted", "masked"),
    [
        ([1], "the plan, “vile”.", "the [MASK] plan, “vile”."),
        ([0], "mad plan, “vile”.", "[MASK] mad plan, “vile”."),
        ([3], "the mad plan, “”.", "the mad plan, “[MASK]”."),
        ([0, 1, 2, 3], ", “”.", "[MASK] [MASK] [MASK], “[MASK]”."),
        ([], "the mad plan, “vile”.", "the mad plan, “vile”."),
    ],
)
def test_words_go_and_everything_else_stays(taken, deleted, masked):
    words = text_words("the mad plan, “vile”.")
    flags = np.isin(np.arange(4), taken)
    assert erased(words, flags, "delete") == deleted
    assert erased(words, flags, "mask", "[MASK]") == masked
    assert erased(words, flags, "unknown", "<unk>") == masked.replace("[MASK]", "<unk>")


def test_bins_are_rounded_up_and_never_empty():
    # 31 words: 0.31, 1.55, 3.1, 6.2, 15.5
    assert bin_sizes(31, BINS) == [1, 2, 4, 7, 16]
    assert bin_sizes(20, BINS) == [1, 1, 2, 4, 10]
    assert bin_sizes(1, BINS) == [1] * 5


def test_comprehensiveness_and_sufficiency_by_hand():
    # Text a: 7 words, "mad" and "vile" highest; p = 0.7.
    # bins 0.1 and 0.2: 1 and 2 words. Without mad 0.4, without both 0.2; mad alone 0.5, both 0.7
    found = run(bins=(0.1, 0.2))
    assert found.probability == pytest.approx([0.7, 0.2, 0.5])
    assert found.sizes.tolist() == [[1, 2], [1, 1], [1, 1]]
    assert found.comprehensiveness[0] == pytest.approx([0.3, 0.5])
    assert found.sufficiency[0] == pytest.approx([0.2, 0.0])
    assert found.aopc("comprehensiveness")[0] == pytest.approx(0.4)
    assert found.aopc("sufficiency")[0] == pytest.approx(0.1)
    assert found.comprehensiveness[1] == pytest.approx([0, 0])


@pytest.mark.parametrize(("removal", "token"), [("mask", "[MASK]"), ("unknown", "[UNK]")])
def test_a_model_that_reads_single_words_sees_no_difference_between_ways_to_remove(removal, token):
    deleted, replaced = run(), run(removal, token)
    assert replaced.comprehensiveness == pytest.approx(deleted.comprehensiveness)
    assert replaced.random_sufficiency == pytest.approx(deleted.random_sufficiency)


def test_the_predicted_class_is_followed_where_it_is_asked_for():
    # Text b has p = 0.2, so that its class is "not biased" with 0.8; a harsh rest would lower it.
    found = run(target="predicted", bins=(0.5,))
    assert found.probability == pytest.approx([0.7, 0.8, 0.5])
    assert found.comprehensiveness[0] == pytest.approx([0.5])
    assert found.comprehensiveness[1] == pytest.approx([0])


def test_as_many_random_words_stand_beside_and_the_excess_is_the_difference():
    found = run()
    # A text of one word: every choice is the same, so that nothing is beyond chance.
    assert found.aopc("excess_comprehensiveness")[2] == pytest.approx(0)
    assert found.aopc("excess_comprehensiveness")[0] > 0
    assert found.aopc("excess_sufficiency")[0] < 0
    assert found.aopc("excess_sufficiency") == pytest.approx(
        found.aopc("sufficiency") - found.aopc("random_sufficiency")
    )


def test_random_words_in_place_of_an_attribution_are_no_better_than_random_words():
    rng = np.random.default_rng(0)
    text = " ".join(["mad" if n % 7 == 0 else "calm" for n in range(42)])
    words = [text_words(text)] * 60

    def share(texts):
        return np.array([t.split().count("mad") / 10 for t in texts])

    scores = [rng.random(42) for _ in words]
    names = [str(n) for n in range(60)]
    found = erasure(words, scores, share, names=names, removal="delete", target="biased", draws=4)
    # 6 of 42 words are mad; half of them are expected among 21: 0.3 lost, standard error 0.015
    assert found.comprehensiveness[:, -1].mean() == pytest.approx(0.3, abs=0.05)
    assert found.aopc("excess_comprehensiveness").mean() == pytest.approx(0, abs=0.03)


def test_random_words_hang_on_the_name_and_the_seed_and_not_on_the_other_texts():
    words, scores = [text_words(TEXTS[0])], [np.zeros(7)]
    rules = {"removal": "delete", "target": "biased", "draws": 1, "seed": 1}
    alone = erasure(words, scores, probability, names=["a"], **rules)
    beside = erasure(words * 2, scores * 2, probability, names=["z", "a"], **rules)
    assert alone.random_comprehensiveness[0] == pytest.approx(beside.random_comprehensiveness[1])


def test_the_model_is_asked_once_and_for_no_text_twice():
    calls = []

    def counting(texts):
        calls.append(list(texts))
        return probability(texts)

    words = [text_words(text) for text in TEXTS]
    scores = [np.zeros(len(one)) for one in words]
    erasure(words, scores, counting, names=["a", "b", "c"], removal="delete")
    assert len(calls) == 1
    assert len(set(calls[0])) == len(calls[0])


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"bins": (0.0, 0.5)}, OptionError, "bins are 0.0, 0.5"),
        ({"bins": ()}, OptionError, "bins are none"),
        ({"draws": 0}, OptionError, "draws 0"),
        ({"token": "[MASK]"}, OptionError, "a token was given"),
        ({"removal": "mask"}, OptionError, "no token was given"),
        ({"scores": [np.zeros(1)] * 3}, DataError, "'a' has 7 words and 1 scores"),
    ],
)
def test_what_cannot_be_erased_is_one_line(changed, kind, message):
    with pytest.raises(kind, match=message):
        run(**changed)


def test_a_text_without_words_is_named():
    with pytest.raises(DataError, match="'x' has 0 words"):
        erasure([text_words("…")], [np.zeros(0)], probability, names=["x"], removal="delete")


def test_an_answer_of_another_length_is_refused():
    with pytest.raises(DataError, match="the answer has the shape"):
        erasure(
            [text_words("a b")], [np.zeros(2)], lambda texts: np.zeros(1), names=["x"],
            removal="delete",
        )  # fmt: skip
