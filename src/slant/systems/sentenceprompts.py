"""What a model is told about single texts - a sentence, a post - of a binary task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from slant.metrics.pairs import BIASED_LABEL, FAIR_LABEL
from slant.systems.pairanswers import LABEL, pair_answer_json, pair_answer_schema
from slant.systems.turns import Form, Turn, sha256_of

_SYSTEM: Final = """\
The user sends one text from a news article or a post. Decide whether it is biased.

LABELS
- {biased}: the wording takes a side. It judges, insinuates or stirs feelings where it should \
tell, or states as a fact what is an opinion or disputed.
- {fair}: the text tells the matter plainly. A grave event, or loaded words within a quotation \
that is marked as one, are no bias.

ANSWER
Answer with one JSON object and nothing before or after it:
{{"{label}": "{biased}"}} or {{"{label}": "{fair}"}}"""


def system_text() -> str:
    """The instructions, the same at every number of examples.

    >>> '{"label": "biased"} or {"label": "not biased"}' in system_text()
    True
    """
    return _SYSTEM.format(label=LABEL, biased=BIASED_LABEL, fair=FAIR_LABEL)


def answer_form() -> Form:
    """The form of an answer, for structured output."""
    return Form("answer_on_a_text", pair_answer_schema(False))


def prompt_sha256() -> str:
    """What a log records of the prompt: its hex SHA-256."""
    return sha256_of(system_text())


def text_conversation(text: str, examples: Sequence[tuple[str, int]] = ()) -> list[Turn]:
    """All that a model is sent for one text.

    Args:
        text: that is asked about.
        examples: (text, label) of each worked example, 1 = biased; each is a turn of the user and
            the answer to it.

    >>> [one.text for one in text_conversation("Rents rise.", [("Greedy!", 1)])][1:]
    ['TEXT\\nGreedy!', '{"label": "biased"}', 'TEXT\\nRents rise.']
    """
    turns = [Turn("system", (system_text(),))]
    for shown, label in examples:
        turns.append(Turn("user", (f"TEXT\n{shown}",)))
        turns.append(Turn("assistant", (pair_answer_json(label),)))
    turns.append(Turn("user", (f"TEXT\n{text}",)))
    return turns
