"""Answers about triggers as JSON: what a model returned -> an answer, gold -> a worked example."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from slant.data.documents import sound
from slant.systems.jsonanswers import REMARKS as JSON_REMARKS
from slant.systems.jsonanswers import last_object
from slant.types import Answer, Mark, Span

PRESENT, TRIGGERS, BIAS, SPANS = "biases_present", "triggers", "bias", "spans"
"""The keys of an answer."""

REMARKS: Final = {
    "unknown-bias": "a code or name that the schema does not have was left out",
    "name-for-code": "a bias was given by its name or in another spelling, and understood",
    "trigger-without-span": "a trigger without any passage: its bias counts as present",
    "blank-span": "a passage of white space alone was left out",
    "bare-span": "a passage stood where a list of passages must, and was taken as one",
    **JSON_REMARKS,
    "sets-differ": "`biases_present` and the triggers name different biases; their union counts",
}
"""What was odd about a usable answer."""


class ParsedAnswer(NamedTuple):
    """What an answer says, or why it says nothing.

    Fields:
        answer: its marks hold quotes as they were returned; None where it is unusable.
        fault: a key of `slant.systems.jsonanswers.FAULTS`; None where it is usable. An unusable
            answer scores as empty, and is counted by kind.
        remarks: keys of `REMARKS`, one for each occurrence.
    """

    answer: Answer | None
    fault: str | None
    remarks: tuple[str, ...] = ()


def parsed_answer(
    raw: str | None,
    codes: Sequence[str],
    *,
    names: Mapping[str, str] | None = None,
    stop: str | None = None,
) -> ParsedAnswer:
    """What a model's raw answer says of an article.

    Rule: the last JSON object that has both required keys counts, whatever stands around it. An
    object without them, or with a value of the wrong type anywhere in it, is unusable as a whole.
    A bias that the schema does not have is left out, and the rest of the answer counts. Passages
    returned twice stay twice: they may stand for two places.

    Args:
        raw: the text as returned; None where nothing came back.
        codes: of the schema.
        names: code -> name, so that a bias may be given by its name.
        stop: why the model ended, as `slant.systems.jsonanswers.last_object` takes it.

    Source: BAIT, appendix B, "From output to prediction".

    >>> parsed_answer('{"biases_present": ["B1"], "triggers": []}', ["B1"]).answer.labels
    frozenset({'B1'})
    >>> parsed_answer('{"biases_present": ["B1"], "trig', ["B1"]).fault
    'cut-off'
    """
    remarks: list[str] = []
    content, fault = last_object(raw, (PRESENT, TRIGGERS), stop, remarks)
    if content is None:
        return ParsedAnswer(None, fault)
    try:
        return ParsedAnswer(
            _answer(content, _known(codes, names or {}), remarks), None, tuple(remarks)
        )
    except KeyError:
        return ParsedAnswer(None, "missing-fields")
    except TypeError:
        return ParsedAnswer(None, "wrong-type")


def answer_json(answer: Answer, text: str, codes: Iterable[str]) -> str:
    """An answer as the JSON that a model should return for it.

    Args:
        answer: e.g. the gold of an example; its spans index `text`.
        text: the article.
        codes: of the schema, in order: the order of `biases_present`.

    Returns:
        One line; triggers by the place of their first span, spans by their place, quotes last.

    >>> gold = Answer(frozenset({"B2"}), (Mark("B1", (Span(4, 7), Span(0, 3))),))
    >>> answer_json(gold, "one two", ["B1", "B2"])
    '{"biases_present": ["B1", "B2"], "triggers": [{"bias": "B1", "spans": ["one", "two"]}]}'
    """
    order = {code: number for number, code in enumerate(codes)}
    present = answer.labels | {mark.category for mark in answer.marks}
    triggers = []
    for mark in sorted(answer.marks, key=lambda one: _place(one, len(text), order)):
        passages = [text[span.start : span.end] for span in _in_order(mark.spans)]
        if passages or mark.quotes:
            triggers.append({BIAS: mark.category, SPANS: [*passages, *mark.quotes]})
    return json.dumps(
        {PRESENT: sorted(present, key=lambda code: _rank(code, order)), TRIGGERS: triggers},
        ensure_ascii=False,
    )


def _in_order(spans: Iterable[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: (span.start, span.end))


def _rank(code: str, order: Mapping[str, int]) -> tuple[int, str]:
    return order.get(code, len(order)), code


def _place(mark: Mark, end: int, order: Mapping[str, int]) -> tuple[int, tuple[int, str]]:
    return min((span.start for span in mark.spans), default=end), _rank(mark.category, order)


def _answer(content: Mapping[str, Any], known: Mapping[str, str], remarks: list[str]) -> Answer:
    present, triggers = content[PRESENT], content[TRIGGERS]
    if not isinstance(present, list) or not isinstance(triggers, list):
        raise TypeError
    labels = {code for one in present if (code := _code(one, known, remarks)) is not None}
    marks = []
    unlocated = set()
    for trigger in triggers:
        if not isinstance(trigger, dict):
            raise TypeError
        spans = _passages(trigger[SPANS], remarks)
        code = _code(trigger[BIAS], known, remarks)
        if code is None:
            continue
        if spans:
            marks.append(Mark(code, quotes=spans))
        else:
            remarks.append("trigger-without-span")
            unlocated.add(code)
    if labels != {mark.category for mark in marks} | unlocated:
        remarks.append("sets-differ")
    return Answer(frozenset(labels | unlocated), tuple(marks))


def _passages(value: Any, remarks: list[str]) -> tuple[str, ...]:
    if isinstance(value, str):
        remarks.append("bare-span")
        value = [value]
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TypeError
    filled = tuple(sound(one) for one in value if one.strip())
    remarks.extend(["blank-span"] * (len(value) - len(filled)))
    return filled


def _code(value: Any, known: Mapping[str, str], remarks: list[str]) -> str | None:
    if not isinstance(value, str):
        raise TypeError
    code = known.get(_plain(value))
    if code is None:
        remarks.append("unknown-bias")
    elif code != value:
        remarks.append("name-for-code")
    return code


def _known(codes: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
    """Every spelling that is understood -> the code; a code goes before a name."""
    known: dict[str, str] = {}
    for code in codes:
        name = names.get(code, "")
        for spelling in (code, name, f"{code}{name}", f"{name}{code}"):
            if plain := _plain(spelling):
                known.setdefault(plain, code)
    known.update({_plain(code): code for code in codes if _plain(code)})
    return known


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
