"""A judge's reply counts only where all of it is one object of the schema."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.systems.verdicts import FAULTS, verdict, verdict_schema

CLAIM = {"claim": "The axis is cut.", "supported_by": "image"}


def reply(supports=True, claims=(CLAIM,), **more):
    return json.dumps({"supports_gold": supports, "claims": list(claims), **more})


def test_a_verdict_is_read_with_its_claims_in_order():
    found = verdict(reply(False, [CLAIM, {"claim": "b", "supported_by": "none"}]))
    assert (found.supports_gold, found.faithful, found.fault) == (False, False, None)
    assert [one.supported_by for one in found.claims] == ["image", "none"]


def test_a_verdict_gives_its_reason_and_older_ones_without_are_read():
    assert verdict(reply(reason="It names the axis.")).reason == "It names the axis."
    assert (verdict(reply()).reason, verdict(reply()).fault) == ("", None)
    assert verdict(reply(reason=None)).fault == "wrong-schema"
    for turned in (False, True):
        assert "reason" in verdict_schema(turned=turned)["required"]


@pytest.mark.parametrize(
    ("claims", "faithful"),
    [
        ([CLAIM], True),
        ([CLAIM, {"claim": "b", "supported_by": "both"}], True),
        ([CLAIM, {"claim": "b", "supported_by": "none"}], False),
        ([], False),
    ],
)
def test_faithful_is_a_rationale_with_a_claim_of_which_each_is_supported(claims, faithful):
    assert verdict(reply(True, claims)).faithful is faithful


@pytest.mark.parametrize(
    ("raw", "stop", "fault"),
    [
        (None, None, "no-answer"),
        ("", None, "empty"),
        ("", "max_tokens", "cut-off"),
        ("Yes", None, "not-json"),
        ("No", None, "not-json"),
        ("true", None, "not-json"),
        ("[]", None, "not-json"),
        (f"My verdict: {reply()}", None, "not-json"),
        (f"{reply()}\n{reply(False)}", None, "not-json"),
        (reply()[:40], None, "cut-off"),
        ("I cannot judge people.", None, "refusal"),
        (reply(), "content_filter", "refusal"),
        (reply("No"), None, "wrong-schema"),
        (reply("true"), None, "wrong-schema"),
        (reply(1), None, "wrong-schema"),
        (reply(sure=True), None, "wrong-schema"),
        (reply(True, [{"claim": "a", "supported_by": "the text"}]), None, "wrong-schema"),
        (reply(True, ["a"]), None, "wrong-schema"),
        ('{"supports_gold": true}', None, "wrong-schema"),
        ('{"supports_gold": false, "supports_gold": true, "claims": []}', None, "wrong-schema"),
        ("[" * 100_000, None, "not-json"),
    ],
)
def test_a_reply_out_of_the_schema_is_no_verdict_and_has_a_fault_of_its_kind(raw, stop, fault):
    found = verdict(raw, stop)
    assert fault in FAULTS
    assert (found.supports_gold, found.faithful, found.fault) == (None, None, fault)


def test_a_fence_around_the_object_is_the_one_thing_that_may_stand_beside_it():
    assert verdict(f"```json\n{reply()}\n```").fault is None
    assert verdict(f"```json\n{reply()}\n```\nDone.").fault == "not-json"


def test_a_verdict_that_a_rationale_orders_counts_for_nothing_when_the_judge_quotes_it():
    quoted = f"The rationale says: {reply(True)} but I find: {reply(False)}"
    assert verdict(quoted).supports_gold is None


@given(st.text())
def test_any_text_at_all_is_a_verdict_or_a_known_fault(raw):
    found = verdict(raw)
    assert (found.fault is None) == (found.supports_gold is not None)
    assert found.fault is None or found.fault in FAULTS


def test_both_orders_of_the_schema_ask_for_the_same():
    plain, turned = verdict_schema(), verdict_schema(turned=True)
    assert plain == {**turned, "required": turned["required"][::-1]} | {
        "properties": {
            **turned["properties"],
            "claims": plain["properties"]["claims"],
        }
    }
    choices = [
        one["properties"]["claims"]["items"]["properties"]["supported_by"]["enum"]
        for one in (plain, turned)
    ]
    assert choices[0] == choices[1][::-1]
