from __future__ import annotations

from dataclasses import fields

import pytest

from slant.errors import OptionError, UnknownName
from slant.runs.signature import signature
from slant.tasks.options import CLEAN, OFFICIAL, Options, chosen_options


def test_the_presets_are_the_protocols_that_they_are_named_for():
    assert (OFFICIAL.balance, OFFICIAL.strata, OFFICIAL.dev, OFFICIAL.f1) == (
        "task",
        "dataset",
        "quarter",
        "weighted",
    )
    assert (CLEAN.balance, CLEAN.strata, CLEAN.dev, CLEAN.f1) == (
        "dataset",
        "dataset+label",
        "eighth",
        "class",
    )
    assert OFFICIAL.groups == "none"
    assert CLEAN.groups == "near+article+pair"


@pytest.mark.parametrize("preset", [OFFICIAL, CLEAN])
def test_every_choice_stands_in_the_signature(preset):
    line = signature(["mbib/racial-bias"], preset, "3f2a91c0ffff", [42], "tfidf-lr@1")
    parts = dict(part.split(":", 1) for part in line.split("|")[1:])
    named = {field.name.replace("_", "-") for field in fields(Options)}
    later = {"train-rows", "split", "test-share", "dev-share", "split-seed", "target", "votes"}
    later.add("train-on")
    assert named - set(parts) == later
    assert parts["data"] == "3f2a91c0"
    assert parts["system"] == "tfidf-lr@1"
    assert line.startswith("mbib|task:racial-bias|preset:")


def test_a_stated_sample_of_train_stands_in_the_signature_where_it_is_asked_for():
    asked = chosen_options("clean", {"train_rows": "2000"})
    assert "|train-rows:2000|" in signature(["mbib/072"], asked, "3f2a91c0ffff", [42], "majority@1")


def test_a_changed_choice_changes_the_signature():
    changed = chosen_options("clean", {"near": "0.8", "groups": "article+pair", "folds": "10"})
    assert (changed.near, changed.groups, changed.folds) == (0.8, "article+pair", 10)
    sign = signature(["mbib/fake-news"], changed, "00", [1, 2], "majority@1")
    assert "|near:0.8|" in sign
    assert "|groups:article+pair|" in sign
    assert "|seeds:1+2|" in sign


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("balanse", "task", "Did you mean balance?"),
        ("preset", "official", "no option has this name"),
        ("balance", "rows", "Use task or dataset or none"),
        ("folds", "five", "'five' is not a whole number"),
        ("folds", "1", "1 is too few"),
        ("near", "1.5", "outside \\(0, 1\\]"),
        ("groups", "near+author", "unknown group"),
    ],
)
def test_a_wrong_choice_says_what_would_be_right(name, value, message):
    with pytest.raises((OptionError, UnknownName), match=message):
        chosen_options("clean", {name: value})


def test_an_unknown_preset_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean official"):
        chosen_options("offical", {})
