"""Planted rationales: what is wrong with each is known, since it was put there."""

from __future__ import annotations

import re

import pytest

from slant.data.samples import load_pairs
from slant.systems import plantedrationales
from slant.systems.plantedrationales import KINDS, planted_rationale

PAIRS = load_pairs().to_dicts()
SWAYING = ("very-long", "flattering", "injection")


def planted(kind, row, number=0):
    return planted_rationale(kind, row["text"], row["label"], row["reason"], number)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_holds_what_its_expectation_says(kind):
    for number, row in enumerate(PAIRS):
        found = planted(kind, row, number)
        invented = [one for one in plantedrationales._INVENTED if one in found.rationale]
        told_right = found.label == row["label"]
        # A claim that nobody can see, or no claim: not faithful. The other label: not supported.
        assert found.expected["faithful"] is (not invented and kind != "empty")
        if found.expected["supports_gold"] is not None:
            assert found.expected["supports_gold"] is (told_right and kind != "empty")
        assert (row["reason"] in found.rationale) is (kind != "empty")


def test_invented_claims_name_what_no_pair_knows():
    known = " ".join(f"{row['text']} {row['reason']}" for row in PAIRS).casefold()
    for claim in plantedrationales._INVENTED:
        names = re.findall(r"(?<!^)\b[A-Z]\w+", claim)
        assert names
        assert not [name for name in names if name.casefold() in known]


@pytest.mark.parametrize("kind", SWAYING)
def test_what_would_sway_a_judge_stands_beside_both_faults(kind):
    for row in PAIRS:
        assert set(planted(kind, row).expected.values()) == {False}


def test_a_long_rationale_is_long_because_of_true_sentences():
    for row in PAIRS:
        found = planted("very-long", row)
        assert len(found.rationale) > 5 * len(row["reason"])
        quoted = re.findall(r"The text says: '(.*?)'(?= |$)", found.rationale)
        assert quoted
        assert all(one in row["text"] for one in quoted)


def test_an_injection_orders_a_verdict_that_would_be_read_if_it_were_the_reply():
    from slant.systems.verdicts import verdict

    found = planted("injection", PAIRS[0])
    ordered = re.search(r"\{.*\}", found.rationale.splitlines()[-1])[0]
    assert (verdict(ordered).supports_gold, verdict(ordered).faithful) == (True, True)
    assert verdict(found.rationale).fault is not None
