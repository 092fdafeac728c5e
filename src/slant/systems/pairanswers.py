"""Answers about a pair of text and image as JSON: a label, and to open questions a rationale."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from slant.data.documents import sound
from slant.metrics.pairs import BIASED_LABEL, FAIR_LABEL
from slant.systems.jsonanswers import FAULTS as JSON_FAULTS
from slant.systems.jsonanswers import last_object, object_schema

LABEL, RATIONALE = "label", "rationale"
"""The keys of an answer."""

FAULTS: Final = {
    **JSON_FAULTS,
    "unknown-label": "the label is neither of the two",
}
"""Why an answer cannot be read. It then counts as wrong, and is counted by kind."""

_LABELS: Final = {BIASED_LABEL: True, FAIR_LABEL: False}


class PairAnswer(NamedTuple):
    """What an answer says, or why it says nothing.

    Fields:
        biased: None where it cannot be read.
        rationale: of an open answer, None where it is blank; None where none was asked for.
        fault: a key of `FAULTS`; None where it can be read.
    """

    biased: bool | None
    rationale: str | None = None
    fault: str | None = None


def pair_answer(raw: str | None, *, open_ended: bool, stop: str | None = None) -> PairAnswer:
    """What a model's raw answer says of a pair.

    Rule: the last JSON object that has the required keys counts, whatever stands around it. The
    label must be one of the two, in any case and with any white space, hyphens or underlines
    between its words; to a closed question it may stand alone, without JSON.

    Args:
        raw: the text as returned; None where nothing came back.
        open_ended: whether a rationale was asked for.
        stop: why the model ended, as inspect-ai says it.

    Source: 001, "Input / output format".

    >>> pair_answer('{"label": "Not biased"}', open_ended=False).biased
    False
    >>> pair_answer('{"label": "maybe"}', open_ended=False).fault
    'unknown-label'
    """
    keys = (LABEL, RATIONALE) if open_ended else (LABEL,)
    content, fault = last_object(raw, keys, stop)
    if content is None:
        alone = (
            None if open_ended or fault != "not-json" else _label((raw or "").strip(" \n\t.\"'"))
        )
        return PairAnswer(alone, fault=fault if alone is None else None)
    said, rationale = content[LABEL], content.get(RATIONALE)
    if not isinstance(said, str) or (open_ended and not isinstance(rationale, str)):
        return PairAnswer(None, fault="wrong-type")
    biased = _label(said)
    if biased is None:
        return PairAnswer(None, fault="unknown-label")
    return PairAnswer(biased, sound(str(rationale)).strip() or None if open_ended else None)


def pair_answer_json(label: int, rationale: str | None = None) -> str:
    """Gold as the JSON that a model should return for it.

    Args:
        label: 1 biased, 0 not.
        rationale: None for a closed question.

    >>> pair_answer_json(1, "The axis is cut.")
    '{"label": "biased", "rationale": "The axis is cut."}'
    """
    content = {LABEL: BIASED_LABEL if label else FAIR_LABEL}
    if rationale is not None:
        content[RATIONALE] = rationale
    return json.dumps(content, ensure_ascii=False)


def pair_answer_schema(open_ended: bool) -> dict[str, Any]:
    """The JSON Schema of an answer, for providers with structured output."""
    properties: dict[str, Any] = {LABEL: {"type": "string", "enum": list(_LABELS)}}
    if open_ended:
        properties[RATIONALE] = {"type": "string"}
    return object_schema(**properties)


def _label(said: str) -> bool | None:
    return _LABELS.get(" ".join(re.split(r"[\s_-]+", said.strip().casefold())))
