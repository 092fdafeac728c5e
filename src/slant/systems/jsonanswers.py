"""The JSON object in what a model returned, whatever stands around it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, MutableSequence
from typing import Any, Final

_TRIED = 64
_LOOKED_AT = 400
_DECLINED = re.compile(
    r"\b(i'?m sorry|i am sorry|i apologi[sz]e|as an ai|i'?m (?:unable|not able) to|"
    r"i (?:can'?t|cannot|can not|won'?t|will not|am unable to|am not able to|must decline))\b",
    re.IGNORECASE,
)

FAULTS: Final = {
    "no-answer": "the model was asked, or was to be asked, and nothing came back",
    "empty": "the model returned nothing but white space",
    "refusal": "the model, or its provider's filter, declined",
    "not-json": "the text holds no JSON object",
    "cut-off": "the JSON object breaks off before its end",
    "missing-fields": "a required key is missing",
    "wrong-type": "a key holds another type of value than it must",
}
"""Why an answer in JSON cannot be used, whatever it was to say."""

REMARKS: Final = {
    "text-around": "there was text beside the JSON object",
    "several-objects": "there were several answers; the last one counts",
    "repeated-key": "a key stood twice in one object; the last one counts",
}
"""What was odd about an object that can be used."""


def last_object(
    raw: str | None,
    keys: Collection[str],
    stop: str | None = None,
    remarks: MutableSequence[str] | None = None,
) -> tuple[dict[str, Any] | None, str]:
    """The last JSON object with certain keys in a model's raw answer.

    Args:
        raw: the text as returned; None where nothing came back.
        keys: that an object must have to be the answer.
        stop: why the model ended, as inspect-ai says it: "content_filter" is a refusal,
            "max_tokens" a text that was cut off.
        remarks: where keys of `REMARKS` are added, "repeated-key" for each object that has the
            required ones.

    Returns:
        The object and "", or None and a key of `FAULTS`.

    >>> last_object('Well: {"label": "biased"}.', ["label"])
    ({'label': 'biased'}, '')
    >>> last_object('{"label": "bia', ["label"])
    (None, 'cut-off')
    """
    if raw is None:
        return None, "no-answer"
    odd: list[str] = []
    found, fault = _sought(raw.strip(), keys, odd)
    if remarks is not None and found is not None:
        remarks.extend(odd)
    if found is None and stop == "content_filter":
        fault = "refusal"
    elif found is None and stop == "max_tokens" and fault in {"empty", "not-json"}:
        fault = "cut-off"
    return found, fault


def object_schema(**properties: Any) -> dict[str, Any]:
    """The JSON Schema of an object: every key required and none further, which the strict modes of
    providers with structured output ask for.

    >>> object_schema(label={"type": "string"})["required"]
    ['label']
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def declined(text: str) -> bool:
    """Whether a text begins like a refusal.

    >>> declined("I’m sorry, but I can't help with that."), declined("The bars are cut.")
    (True, False)
    """
    return _DECLINED.search(text[:_LOOKED_AT].replace("’", "'")) is not None


def broken_off(text: str, error: json.JSONDecodeError) -> bool:
    """Whether JSON could not be read since it ends too early.

    Args:
        text: that was read.
        error: of reading it.
    """
    # Unterminated strings are reported where they begin, all else where it was missed.
    return error.pos >= len(text) or error.msg.startswith("Unterminated string")


def _sought(
    text: str, keys: Collection[str], remarks: list[str]
) -> tuple[dict[str, Any] | None, str]:
    if not text:
        return None, "empty"
    repeated: list[bool] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        repeated.append(len({key for key, _ in found}) < len(found))
        return dict(found)

    decoder = json.JSONDecoder(strict=False, object_pairs_hook=pairs)
    complete: list[dict[str, Any]] = []
    outside: list[str] = []
    position, last, cut, other = 0, 0, False, False
    for _ in range(_TRIED):
        start = text.find("{", position)
        if start < 0:
            break
        before = len(repeated)
        try:
            value, position = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            cut = cut or broken_off(text, error)
            position = start + 1
            continue
        except (RecursionError, ValueError):
            # Nested too deeply, or a number with more digits than Python takes.
            return None, "not-json"
        other = True
        if set(keys) <= value.keys():
            complete.append(value)
            outside.append(text[last:start])
            last = position
            if any(repeated[before:]):
                remarks.append("repeated-key")
    if complete:
        if len(complete) > 1:
            remarks.append("several-objects")
        if any(one.strip() for one in (*outside, text[last:])):
            remarks.append("text-around")
        return complete[-1], ""
    if cut or other:
        return None, "cut-off" if cut else "missing-fields"
    return None, "refusal" if declined(text) else "not-json"
