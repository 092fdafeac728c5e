"""Baselines of a BAIT run: systems that are computed here, kept in the form of models' answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from slant.data.schemas import Schema
from slant.runs.baitanswers import Journal, StoredAnswer, answers_path
from slant.systems.triggeranswers import answer_json
from slant.types import Example

RUN: Final = "k0-run1"
"""The one run of a baseline: it may know the other articles' gold, but nothing is drawn."""

SEED: Final = 42


def check_baselines(names: Sequence[str]) -> None:
    """Refuse a baseline that does not exist."""
    if not names:
        return
    from slant.errors import unknown_name
    from slant.systems.triggerbaselines import BASELINES

    for name in names:
        if name not in BASELINES:
            raise unknown_name("baseline", name, BASELINES)


def write_baseline(
    name: str,
    examples: Sequence[Example],
    limit: int | None,
    schema: Schema,
    folder: Path,
    told: Callable[[float, int, str], None],
) -> None:
    """Write the answers of a baseline that are not there yet.

    Args:
        name: of `slant.systems.triggerbaselines.BASELINES`.
        examples: all annotated articles; each is answered with the gold of the others known.
        limit: how many are answered.
        schema: of the annotations.
        folder: of the run.
        told: for progress.
    """
    from slant.systems.triggerbaselines import baseline_answers

    journal = Journal(answers_path(folder, name, RUN))
    asked = [one for one in examples[:limit] if journal.answered(one.item.id) is None]
    if not asked:
        return
    told(0, len(asked), name)
    begin = time.monotonic()
    answers = baseline_answers(name, [one.item for one in asked], examples, schema, SEED)
    seconds = (time.monotonic() - begin) / len(asked)
    for example, answer in zip(asked, answers, strict=True):
        raw = answer_json(answer, example.item.text, schema.codes)
        journal.add(example.item.id, StoredAnswer(raw, None, 1, model=name, seconds=seconds))
    told(len(asked), len(asked), name)
