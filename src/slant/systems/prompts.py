"""What a model is told: one system message made from a schema, worked examples, the article."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from slant.data.schemas import Schema
from slant.systems.jsonanswers import object_schema
from slant.systems.triggeranswers import BIAS, PRESENT, SPANS, TRIGGERS, answer_json
from slant.systems.turns import Form, Turn, sha256_of
from slant.types import Example, Item

_SYSTEM: Final = """\
The user sends a news article. It may hold triggers: passages that do to a reader what one of the \
categories below describes.

TASKS
1. Detection: decide which of the categories occur anywhere in the article. It may be none.
2. Localisation: for every category that occurs, find each of its triggers, and the passages of \
the article that each trigger consists of.

CATEGORIES
{categories}

SPANS AND TRIGGERS
- A span is the shortest unbroken passage without which the trigger would be gone, rarely a whole \
paragraph.
- A trigger is one instance of one category. Where one instance is carried by several passages \
that stand apart in the article{typical}, put all of them into the spans of one trigger. Passages \
that do not depend on one another are triggers of their own.
- Each span belongs to exactly one trigger.
- Copy each span from the article character by character, with its spelling, its punctuation and \
its quotation marks. Do not shorten it with dots, and do not join passages into one span.

ANSWER
Answer with one JSON object and nothing before or after it:
{{"{present}": ["CODE"], "{triggers}": [{{"{bias}": "CODE", "{spans}": ["passage", "passage"]}}]}}
- "{present}" lists the codes of the categories that have at least one trigger in "{triggers}", \
each code once, and no others.
- Use the codes exactly as they stand above.
- For an article without any trigger, answer {{"{present}": [], "{triggers}": []}}."""


def system_message(schema: Schema) -> str:
    """The instructions: two tasks, the one-line definitions, the rule of triggers with several
    spans, verbatim copying and the form of the answer.

    Rule: the same at every number of examples, so that settings differ in their examples alone.

    Source: BAIT, section 6 and appendix F name its parts; the wording is ours.

    >>> from slant.data.schemas import plain_schema
    >>> print(system_message(plain_schema(["Doubt", "Slogans"])).split("CATEGORIES")[1][:18])
    <BLANKLINE>
    - Doubt
    - Slogans
    """
    lines = []
    for bias in schema.biases:
        name = "" if bias.name == bias.code else f" {bias.name}"
        lines.append(f"- {bias.code}{name}" + (f": {bias.line}" if bias.line else ""))
    several = [bias.code for bias in schema.biases if bias.discontinuous]
    typical = f" (as is common with {' and '.join(several)})" if several else ""
    return _SYSTEM.format(
        categories="\n".join(lines),
        typical=typical,
        present=PRESENT,
        triggers=TRIGGERS,
        bias=BIAS,
        spans=SPANS,
    )


def prompt_sha256(schema: Schema) -> str:
    """What a run records of its prompt: the SHA-256 of the system message, hex."""
    return sha256_of(system_message(schema))


def conversation(schema: Schema, item: Item, examples: Sequence[Example] = ()) -> list[Turn]:
    """All that a model is sent for one article.

    Args:
        schema: the categories.
        item: the article; its text is sent as it is, its id is not sent.
        examples: annotated articles; each is a turn of the user and the answer to it.

    Raises:
        ValueError: the article is among its own examples.

    >>> from slant.data.schemas import plain_schema
    >>> [one.role for one in conversation(plain_schema(["Doubt"]), Item("a", "Really?"))]
    ['system', 'user']
    """
    turns = [Turn("system", (system_message(schema),))]
    for example in examples:
        if example.item.id == item.id:
            raise ValueError(f"the article {item.id} is among its own examples")
        said = answer_json(example.gold, example.item.text, schema.codes)
        turns += [Turn("user", (example.item.text,)), Turn("assistant", (said,))]
    turns.append(Turn("user", (item.text,)))
    return turns


def answer_form(schema: Schema) -> Form:
    """The form of an answer, for structured output."""
    return Form("triggers_of_an_article", answer_schema(schema))


def answer_schema(schema: Schema) -> dict[str, Any]:
    """The JSON Schema of an answer, for providers with structured output."""
    code = {"type": "string", "enum": list(schema.codes)}
    passages = {"type": "array", "items": {"type": "string"}}
    triggers = {"type": "array", "items": object_schema(**{BIAS: code, SPANS: passages})}
    return object_schema(**{PRESENT: {"type": "array", "items": code}, TRIGGERS: triggers})
