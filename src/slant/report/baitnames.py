"""What scores, steps, faults, systems and biases of a run of BAIT are called for a reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from slant.report.escaping import one_line
from slant.report.tables import counted, numbered

SCORE_NAMES = {
    "detection_micro_f1": "detection micro F1",
    "detection_macro_f1": "detection macro F1",
    "subset_accuracy": "subset accuracy",
    "characters_f1": "character F1",
    "spans_f1": "span F1",
    "triggers_f1": "trigger F1",
    "triggers_f1_jaccard": "trigger F1 by Jaccard",
    "triggers_f1_max": "trigger F1 by maximum",
}
BOARD = tuple(SCORE_NAMES)[:6]
"""The scores of table 4, in its order."""
LEVEL_NAMES = {
    "detection_f1": "detection",
    "characters_f1": "characters",
    "spans_f1": "spans",
    "triggers_f1": "triggers",
}
STEP_NAMES = {
    "exact": "exact",
    "case": "ignoring case",
    "space": "tolerating white space",
    "fuzzy": "by similarity",
    "unlocated": "not located",
}
FAULT_NAMES = {
    "no-answer": "no answer came",
    "empty": "empty",
    "not-json": "no JSON",
    "cut-off": "cut off",
    "missing-fields": "fields missing",
    "wrong-type": "wrong type",
    "unknown-bias": "unknown bias",
    "refusal": "refused",
}
_SHORT = 6


def system_labels(systems: Sequence[tuple[str, str]]) -> list[str]:
    """What systems are called: a model without its provider where no other has the same name.

    Args:
        systems: name and kind of each.

    >>> system_labels([("openai/gpt-4o", "model"), ("a/b", "model"), ("c/b", "model")])
    ['gpt-4o', 'a/b', 'c/b']
    """
    ends = [name.rpartition("/")[2] if kind == "model" else name for name, kind in systems]
    labels = [
        end if end and ends.count(end) == 1 else name
        for end, (name, _) in zip(ends, systems, strict=True)
    ]
    return [one_line(label) for label in labels]


def short_codes(codes: Sequence[str]) -> dict[str, str]:
    """What stands for each code where room is scarce; no two are alike.

    Rule: codes of at most six characters as they are; of longer ones the initials, or the first
    three letters of a single word, with a number where another has them.

    >>> short_codes(["B01", "Loaded_Language", "Low_Life", "Repetition"])
    {'B01': 'B01', 'Loaded_Language': 'LL', 'Low_Life': 'LL2', 'Repetition': 'Rep'}
    """
    found: dict[str, str] = {}
    for code in codes:
        words = re.findall(r"\w+", code.replace("_", " "))
        if len(code) <= _SHORT:
            short = code
        elif len(words) > 1:
            short = "".join(word[0].upper() for word in words)[:_SHORT]
        else:
            short = code[:3]
        number, first = 1, short
        while short in found.values():
            number += 1
            short = f"{first}{number}"
        found[code] = short
    return found


def shots_text(shots: int) -> str:
    """A number of worked examples, for a sentence.

    >>> shots_text(0), shots_text(1), shots_text(10)
    ('no examples', '1 example', '10 examples')
    """
    return f"{counted(shots) if shots else 'no'} example{'' if shots == 1 else 's'}"


def articles_text(n: int) -> str:
    """How many articles, for a sentence.

    >>> articles_text(1), articles_text(50)
    ('1 article', '50 articles')
    """
    return numbered(n, "article")


def score_name(name: str) -> str:
    """A score's name for a reader; one that is not known is called by its key."""
    return SCORE_NAMES.get(name, name.replace("_", " "))


def family_name(family: str) -> str:
    """A family of tests for a reader, scores called by their names.

    >>> family_name("pairs of models, spans_f1, 10 examples")
    'Pairs of models, span F1, 10 examples'
    """
    words = [score_name(word) if word in SCORE_NAMES else word for word in family.split(", ")]
    said = ", ".join(words)
    return said[:1].upper() + said[1:]


def shown_scores(found: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Which scores any of these mappings has, those of table 4 first."""
    having = dict.fromkeys(name for scores in found for name in scores)
    return tuple([name for name in SCORE_NAMES if name in having]
                 + [name for name in having if name not in SCORE_NAMES])  # fmt: skip
