"""The human row: what the other annotators of a sentence make of one annotator's answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from slant.data.rationales import located_words
from slant.explain.words import Words, rationale_words, text_words
from slant.metrics.agreement import MISSING
from slant.metrics.rationale import Plausibility, plausibility
from slant.types import Array, Span


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Labels as a matrix: codes (sentences, annotators), `MISSING` where one did not answer."""

    codes: Array
    sentences: tuple[str, ...]
    annotators: tuple[str, ...]


def answer_table(annotations: pl.DataFrame) -> AnswerTable:
    """Each annotator's label of each sentence, for the functions of `metrics.agreement`.

    Args:
        annotations: `sentence`, `annotator`, `label` (0, 1), of `data.babe.Annotations`; rows
            without a sentence are left out.

    Returns:
        The matrix, sentences in their order, annotators by number.
    """
    known = annotations.drop_nulls("sentence")
    names = sorted(known["annotator"].unique().to_list(), key=lambda name: (len(name), name))
    wide = known.pivot(on="annotator", index="sentence", values="label")
    codes = wide.select(names).fill_null(MISSING).to_numpy().astype(np.int64)
    return AnswerTable(codes, tuple(wide["sentence"].to_list()), tuple(names))


@dataclass(frozen=True, slots=True)
class HumanWords:
    """One annotator's words against those of the others, for every answer in turn.

    Fields:
        plausibility: of all answers; its index `shown` is into the two below.
        sentence, annotator: (answers,) whose.
        entries: what annotators typed, counted by comma.
        unlocated: entries of which no word stands in the sentence.
    """

    plausibility: Plausibility
    sentence: tuple[str, ...]
    annotator: tuple[str, ...]
    entries: int
    unlocated: int


def human_words(annotations: pl.DataFrame, texts: Mapping[str, str], votes: int = 1) -> HumanWords:
    """How well one annotator's words agree with those of the others: the ceiling of plausibility.

    Rule: leave one out - gold is the words that at least `votes` of the others marked, the score
    of a word is 1 where this annotator marked it, else 0; a sentence counts once for each of its
    annotators, and only where the others' words leave both classes. Who marked nothing scores as
    chance does (AUROC 0.5).

    Args:
        annotations: `sentence`, `annotator`, `words`, of `data.babe.Annotations`.
        texts: by sentence, those to take.
        votes: how many of the others must have marked a word.

    Returns:
        Scores of every answer.
    """
    gold: list[Array] = []
    scores: list[Array] = []
    who: list[tuple[str, str]] = []
    entries = unlocated = 0
    for sentence, names, typed in _by_sentence(annotations, texts):
        words = text_words(texts[sentence])
        found = [[entry_spans(words, entry) for entry in one] for one in typed]
        entries += sum(len(one) for one in found)
        unlocated += sum(not spans for one in found for spans in one)
        masks = np.array(
            [rationale_words(words, [s for spans in one for s in spans]) for one in found]
        )
        total = masks.sum(axis=0)
        for name, own in zip(names, masks, strict=True):
            gold.append((total - own >= votes).astype(np.int64))
            scores.append(own)
            who.append((sentence, name))
    return HumanWords(
        plausibility=plausibility(gold, scores),
        sentence=tuple(sentence for sentence, _ in who),
        annotator=tuple(name for _, name in who),
        entries=entries,
        unlocated=unlocated,
    )


def entry_spans(words: Words, entry: str) -> tuple[Span, ...]:
    """Where an entry stands in a text: as it is, else each of its words by itself.

    >>> words = text_words("The hard line of hard liners")
    >>> [(s.start, s.end) for s in entry_spans(words, "hard line")]
    [(4, 13)]
    >>> [(s.start, s.end) for s in entry_spans(words, "liners line")]
    [(9, 13), (22, 28)]
    """
    whole = located_words(words.text, [entry]).spans
    return whole or located_words(words.text, entry.split()).spans


def _by_sentence(
    annotations: pl.DataFrame, texts: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[str], Sequence[Sequence[str]]]]:
    wanted = annotations.filter(pl.col("sentence").is_in(list(texts)))
    grouped = wanted.group_by("sentence", maintain_order=True).agg("annotator", "words")
    yield from grouped.iter_rows()
