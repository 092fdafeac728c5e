"""What people make of each other's answers: the row that stands beside every model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slant.data.babe import DATASET, load_annotations
from slant.errors import DataError
from slant.explain.humans import answer_table, human_words
from slant.metrics.agreement import against_others, krippendorff_alpha
from slant.metrics.scores import class_f1
from slant.types import Undefined

VOTES = (1, 2)
"""How many of the others must have marked a word."""


def human_row(task: str, homes: Sequence[Path], texts: Mapping[str, str]) -> dict[str, Any] | None:
    """Agreement of the annotators of a task: of labels over all, of words on some texts.

    Args:
        task: only "babe" has single answers.
        homes: where the data may lie.
        texts: by id, those on whose words they are compared.

    Returns:
        alpha of the labels; class F1 of one annotator's label against the majority of the others;
        AUROC and token F1 of one's words against the others'. None where there are no answers.
    """
    if task != DATASET:
        return None
    try:
        answers = load_annotations(homes).table
    except DataError:
        return None  # the file of single answers is not needed for anything else
    codes = answer_table(answers).codes
    words = []
    for votes in VOTES:
        found = human_words(answers, texts, votes).plausibility
        own = {name: found.mean(name) for name in ("auroc", "token_f1")}
        known = {name: None if isinstance(x, Undefined) else x for name, x in own.items()}
        words.append({"votes": votes, **known, "answers": len(found.shown)})
    alpha = krippendorff_alpha(codes, 2)
    return {
        "alpha": None if isinstance(alpha, Undefined) else alpha,
        "labels_class_f1": float(class_f1(against_others(codes).sum(axis=(0, 1)), 0.0)),
        "words": words[0],
        "words_of_two": words[1],
    }
