"""A judge's verdict on a rationale as JSON, read strictly."""

from __future__ import annotations

import json
import re
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from slant.data.documents import sound
from slant.data.jsonvalues import json_value
from slant.systems.jsonanswers import broken_off, declined, object_schema

FAULTS: Final = {
    "no-answer": "the judge was asked, and nothing came back",
    "empty": "the judge returned nothing but white space",
    "refusal": "the judge, or its provider's filter, declined",
    "not-json": "the reply is not one JSON object and nothing else",
    "cut-off": "the reply breaks off before its end",
    "wrong-schema": "the object is not of the schema",
}
"""Why a verdict cannot be read. It then does not vote, and is counted by kind."""

SUPPORTS, REASON, CLAIMS = "supports_gold", "reason", "claims"
CLAIM, SUPPORTED_BY = "claim", "supported_by"
"""The keys of a verdict."""

Support = Literal["text", "image", "both", "none"]
SUPPORTS_OF: Final[tuple[Support, ...]] = ("text", "image", "both", "none")

_FENCED = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)


class Claim(NamedTuple):
    """A claim of a rationale, and what it is supported by."""

    claim: str
    supported_by: Support


class Verdict(NamedTuple):
    """What a judge says of a rationale, or why it says nothing.

    Fields:
        supports_gold: whether the rationale supports the right label; None where it cannot be read.
        claims: of the rationale.
        fault: a key of `FAULTS`; None where it can be read.
        reason: why it supports that label or does not; "" where an older verdict gives none.
    """

    supports_gold: bool | None
    claims: tuple[Claim, ...] = ()
    fault: str | None = None
    reason: str = ""

    @property
    def faithful(self) -> bool | None:
        """Whether there is a claim, and each is supported by text or image."""
        if self.fault:
            return None
        return bool(self.claims) and all(one.supported_by != "none" for one in self.claims)


class _Claim(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    claim: str
    supported_by: Support


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    supports_gold: bool
    # verdicts that were stored before judges were asked for it have none
    reason: str = ""
    claims: list[_Claim]


def verdict(raw: str | None, stop: str | None = None) -> Verdict:
    """What a judge's raw reply says; the whole reply must be one object of the schema.

    Rule: nothing stands before or after the object but white space, or the fence of a code block
    around it: a judge that quotes what a rationale orders, or adds a verdict of its own to it, has
    not answered. Each key once, none missing but the reason, none further, types as they are ("No"
    is no bool).

    Args:
        raw: the text as returned; None where nothing came back.
        stop: why the judge ended, as inspect-ai says it.

    >>> verdict('{"supports_gold": true, "claims": []}').faithful
    False
    >>> verdict("No").fault
    'not-json'
    """
    content, fault = _content(raw, stop)
    if fault:
        return Verdict(None, fault=fault)
    try:
        found = _Verdict.model_validate(content)
    except ValidationError:
        return Verdict(None, fault="wrong-schema")
    claims = tuple(Claim(sound(one.claim), one.supported_by) for one in found.claims)
    return Verdict(found.supports_gold, claims, reason=sound(found.reason))


def verdict_schema(*, turned: bool = False) -> dict[str, Any]:
    """The JSON Schema of a verdict, for providers with structured output.

    Args:
        turned: keys and choices in the other order.
    """
    order = -1 if turned else 1
    support = {"type": "string", "enum": list(SUPPORTS_OF)[::order]}
    claim = object_schema(**{CLAIM: {"type": "string"}, SUPPORTED_BY: support})
    properties = {
        SUPPORTS: {"type": "boolean"},
        REASON: {"type": "string"},
        CLAIMS: {"type": "array", "items": claim},
    }
    return object_schema(**{name: properties[name] for name in list(properties)[::order]})


def _content(raw: str | None, stop: str | None) -> tuple[Any, str]:
    """The one object of a reply and "", or None and the fault."""
    text = "" if raw is None else raw.strip()
    if raw is None or stop == "content_filter":
        return None, "no-answer" if raw is None else "refusal"
    if not text:
        return None, "cut-off" if stop == "max_tokens" else "empty"
    fenced = _FENCED.fullmatch(text)
    text = fenced[1].strip() if fenced else text
    content, fault = None, "not-json"
    try:
        content = json_value(text, _once)
    except json.JSONDecodeError as error:
        if stop == "max_tokens" or (text.startswith("{") and broken_off(text, error)):
            fault = "cut-off"
        elif declined(text):
            fault = "refusal"
    except ValueError:
        fault = "wrong-schema"
    return content, "" if isinstance(content, dict) else fault


def _once(found: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in found}) < len(found):
        raise ValueError("a key stands twice")
    return dict(found)
