"""What a model is told about pairs of text and image, closed and open-ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from slant.metrics.pairs import BIASED_LABEL, FAIR_LABEL
from slant.systems.pairanswers import LABEL, RATIONALE, pair_answer_json, pair_answer_schema
from slant.systems.turns import Form, Turn, sha256_of

Mode = Literal["closed", "open"]
"""The label alone, or the label and why."""

MODES: Final[tuple[Mode, ...]] = ("closed", "open")

_SYSTEM: Final = """\
The user sends a piece of news: a text and, where there is one, the image that was published \
with it. Decide whether the pair is biased.

LABELS
- {biased}: the text, the image, or the two together slant how the matter is seen. Words judge or \
insinuate where they should tell, facts that matter to one side are kept back, or the image \
exaggerates, misleads or stirs feelings for or against someone: an axis that is cut, a moment or \
a detail chosen for its effect, a comparison that is none.
- {fair}: text and image tell and show the matter plainly. A grave event, or loaded words in a \
quotation that is marked as one, are no bias.
One biased part is enough for the label {biased}.

ANSWER
Answer with one JSON object and nothing before or after it:
{form}"""

_CLOSED: Final = '{{"{label}": "{biased}"}} or {{"{label}": "{fair}"}}'

_OPEN: Final = """\
{{"{label}": "{biased}", "{rationale}": "..."}} or {{"{label}": "{fair}", "{rationale}": "..."}}
- "{rationale}" says in at most three sentences what in the text or the image the label rests on. \
Name the words, the part of the image or the numbers. State nothing that cannot be seen there."""


def system_text(mode: Mode) -> str:
    """The instructions, the same at every number of examples.

    >>> "rationale" in system_text("closed"), "rationale" in system_text("open")
    (False, True)
    """
    names = {"label": LABEL, "rationale": RATIONALE, "biased": BIASED_LABEL, "fair": FAIR_LABEL}
    form = (_OPEN if mode == "open" else _CLOSED).format(**names)
    return _SYSTEM.format(form=form, **names)


def answer_form(mode: Mode) -> Form:
    """The form of an answer, for structured output."""
    return Form(f"{mode}_answer_on_a_pair", pair_answer_schema(mode == "open"))


def prompts_sha256() -> str:
    """What a run records of its prompts: hex SHA-256 of both."""
    return sha256_of(*map(system_text, MODES))


def pair_parts(text: str, image: bytes | None) -> tuple[str | bytes, ...]:
    """A pair as parts of a turn.

    >>> pair_parts("Rents rise.", None)
    ('TEXT\\nRents rise.\\n\\nThere is no image.',)
    """
    if image is None:
        return (f"TEXT\n{text}\n\nThere is no image.",)
    return f"TEXT\n{text}\n\nIMAGE", image


def pair_conversation(
    mode: Mode,
    text: str,
    image: bytes | None,
    examples: Sequence[tuple[str, bytes | None, int, str | None]] = (),
) -> list[Turn]:
    """All that a model is sent for one pair.

    Args:
        mode: of the question.
        text, image: of the pair; None: text alone.
        examples: (text, image, label, rationale) of each worked example; each is a turn of the user
            and the answer to it. Open questions need their rationales.

    >>> [one.role for one in pair_conversation("closed", "a", None, [("b", None, 1, None)])]
    ['system', 'user', 'assistant', 'user']
    """
    turns = [Turn("system", (system_text(mode),))]
    for shown, picture, label, rationale in examples:
        turns.append(Turn("user", pair_parts(shown, picture)))
        said = (rationale or "") if mode == "open" else None
        turns.append(Turn("assistant", (pair_answer_json(label, said),)))
    turns.append(Turn("user", pair_parts(text, image)))
    return turns
