"""Which of a classifier's own labels means biased, and the two rows that this makes."""

from __future__ import annotations

import pytest

from slant.errors import OptionError, UnknownName
from slant.systems.heads import Rows, own_rows


def config(*labels, **more):
    return {"id2label": {str(k): label for k, label in enumerate(labels)}, **more}


@pytest.mark.parametrize(
    ("labels", "biased", "rows"),
    [
        (("LABEL_0", "LABEL_1"), "", (0, 1)),
        (("a", "b"), "", (0, 1)),
        (("Biased", "Non-biased"), "", (1, 0)),
        (("BIASED", "NEUTRAL"), "", (1, 0)),
        (("slanted", "Not_Biased"), "", (1, 0)),
        (("unbiased", "bias"), "", (0, 1)),
        (("LABEL_0", "LABEL_1"), "0", (1, 0)),
        (("LABEL_0", "LABEL_1"), "label_0", (1, 0)),
        (("Biased", "Non-biased"), "1", (0, 1)),
        (("1", "0"), "1", (1, 0)),  # a name goes before a number
        (("LABEL_0",), "", (None, 0)),
    ],
)
def test_the_label_that_means_biased_is_named_or_told(labels, biased, rows):
    assert own_rows(config(*labels), biased, "x") == Rows(*rows)


def test_labels_that_do_not_exclude_each_other_give_their_own_log_odds():
    multiple = config("toxic", "biased", "sexist", problem_type="multi_label_classification")
    assert own_rows(multiple, "", "x") == Rows(None, 1)
    assert own_rows(multiple, "sexist", "x") == Rows(None, 2)


@pytest.mark.parametrize(
    ("labels", "biased", "more", "error", "words"),
    [
        (("l", "c", "r"), "", {}, OptionError, "the labels 0 l, 1 c, 2 r, and none is biased"),
        (("left", "biased", "right"), "", {}, OptionError, "3 labels that exclude each other"),
        (("a", "b", "c"), "b", {}, OptionError, "fine-tune it as encoder:NAME"),
        (("fair", "slanted"), "slantd", {}, UnknownName, "Did you mean slanted"),
        (("fair", "slanted"), "2", {}, UnknownName, "no label of classifier:x has this name"),
        (("score",), "", {"problem_type": "regression"}, OptionError, "to give a number"),
    ],
)
def test_a_head_without_two_such_classes_is_refused(labels, biased, more, error, words):
    with pytest.raises(error, match=words):
        own_rows(config(*labels, **more), biased, "x")
