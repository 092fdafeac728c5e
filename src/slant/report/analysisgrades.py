"""Grades of probability: the line under a sentence, its sign, and what it is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Read = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Grade:
    """How sentences of a range of probabilities are marked.

    Fields:
        sign: stands before the sentence.
        name: in the key.
        line: style of the line under the sentence, empty where there is none.
        below: the probability that it ends before.
    """

    sign: str
    name: str
    line: str
    below: float = 0.0


UNREAD: Final = 0
PLAIN: Final = 1
ABSTAINED: Final = 6
GRADES: Final = (
    Grade("", "not scored", ""),
    Grade("", "below 0.25", "", 0.25),
    Grade("◔", "0.25 to 0.5", "dotted", 0.5),
    Grade("◑", "0.5 to 0.75", "dashed", 0.75),
    Grade("◕", "0.75 to 0.9", "solid", 0.9),
    Grade("●", "0.9 and above", "double", float("inf")),
    Grade("?", "no verdict", "wavy"),
)
"""In the order of their numbers."""
SHOWN: Final = (2, 3, 4, 5, ABSTAINED)
"""Grades that are marked."""
TRIGGER_SIGNS: Final = {"cue found": "△", "trigger found": "▲"}


def grade_of(sentence: Read, detector: str) -> int:
    """The number of a sentence's grade by one detector.

    Rule: abstention comes before probability; without a probability there is no grade.

    Args:
        sentence: of an analysis.
        detector: its name.

    >>> grade_of({"probabilities": {"d": {"value": 0.8}}, "abstained": {}}, "d")
    4
    """
    estimate = sentence["probabilities"].get(detector)
    if detector in sentence["abstained"]:
        return ABSTAINED
    if not estimate or estimate["value"] is None:
        return UNREAD
    return next(i for i in range(PLAIN, ABSTAINED) if estimate["value"] < GRADES[i].below)


def is_marked(sentence: Read, grades: list[int]) -> bool:
    """Whether there is something to see at a sentence: a grade, a cue or a trigger.

    Args:
        sentence: of an analysis.
        grades: of it, by each detector.
    """
    return bool(any(grade in SHOWN for grade in grades) or sentence["cues"] or sentence["triggers"])


def verdict(estimate: Read | None, abstains: bool, threshold: float) -> str:
    """What a detector says in a word.

    >>> verdict({"value": 0.8}, False, 0.5), verdict({"value": 0.5}, True, 0.5)
    ('biased', 'no verdict')
    """
    if abstains or not estimate or estimate["value"] is None:
        return "no verdict"
    return "biased" if estimate["value"] >= threshold else "not biased"
