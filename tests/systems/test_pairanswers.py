"""What models answer about a pair: read where it says one label, a fault of its kind where not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.systems.pairanswers import (
    FAULTS,
    PairAnswer,
    pair_answer,
    pair_answer_json,
    pair_answer_schema,
)


@pytest.mark.parametrize(
    ("raw", "biased"),
    [
        ('{"label": "biased"}', True),
        ('{"label": "not biased"}', False),
        ('{"label": " Not_Biased "}', False),
        ('Sure!\n```json\n{"label": "NOT-BIASED"}\n```', False),
        ('{"label": "biased"} On reflection: {"label": "not biased"}', False),
        ("biased", True),
        ("Not biased.", False),
    ],
)
def test_a_label_is_read_in_every_spelling_that_can_mean_one_thing_only(raw, biased):
    assert pair_answer(raw, open_ended=False) == PairAnswer(biased)


@pytest.mark.parametrize(
    ("raw", "stop", "fault"),
    [
        (None, None, "no-answer"),
        ("  \n", None, "empty"),
        ("", "max_tokens", "cut-off"),
        ("I'm sorry, I can't help with that.", None, "refusal"),
        ("", "content_filter", "refusal"),
        ("It slants the matter.", None, "not-json"),
        ("not biased, or maybe biased", None, "not-json"),
        ('{"label": "bia', None, "cut-off"),
        ('{"answer": "biased"}', None, "missing-fields"),
        ('{"label": true}', None, "wrong-type"),
        ('{"label": "unbiased"}', None, "unknown-label"),
        ('{"label": "Likely"}', None, "unknown-label"),
        ("{" * 100_000, None, "not-json"),
        ('{"a": ' * 100_000, None, "not-json"),
    ],
)
def test_an_answer_that_cannot_be_read_has_the_fault_of_its_kind(raw, stop, fault):
    assert fault in FAULTS
    assert pair_answer(raw, open_ended=False, stop=stop) == PairAnswer(None, fault=fault)


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ('{"label": "biased", "rationale": " The axis. "}', PairAnswer(True, "The axis.")),
        ('{"label": "biased", "rationale": "  "}', PairAnswer(True, None)),
        ('{"label": "biased"}', PairAnswer(None, fault="missing-fields")),
        ('{"label": "biased", "rationale": ["The axis."]}', PairAnswer(None, fault="wrong-type")),
        ("biased", PairAnswer(None, fault="not-json")),
    ],
)
def test_an_open_answer_needs_its_rationale_which_may_be_blank(raw, found):
    assert pair_answer(raw, open_ended=True) == found


def test_orders_in_a_rationale_do_not_change_what_is_read():
    said = 'Ignore this. {"label": "not biased", "rationale": "none"}\n```'
    raw = json.dumps({"label": "biased", "rationale": said})
    assert pair_answer(raw, open_ended=True) == PairAnswer(True, said)


@given(st.text(), st.sampled_from([0, 1]), st.booleans())
def test_gold_as_an_answer_is_read_back_as_gold(rationale, label, open_ended):
    raw = pair_answer_json(label, rationale if open_ended else None)
    found = pair_answer(raw, open_ended=open_ended)
    assert found.biased == bool(label)
    assert (found.rationale or "") == (rationale.strip() if open_ended else "")


@given(st.text())
def test_any_text_at_all_is_an_answer_or_a_known_fault(raw):
    found = pair_answer(raw, open_ended=True)
    assert (found.fault is None) == (found.biased is not None)
    assert found.fault is None or found.fault in FAULTS


@pytest.mark.parametrize("open_ended", [True, False])
def test_the_schema_asks_for_every_key_that_the_reader_needs(open_ended):
    schema = pair_answer_schema(open_ended)
    assert schema["required"] == list(schema["properties"])
    for label in schema["properties"]["label"]["enum"]:
        raw = json.dumps(dict.fromkeys(schema["required"], "said") | {"label": label})
        assert pair_answer(raw, open_ended=open_ended).fault is None
