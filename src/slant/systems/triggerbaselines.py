"""Baselines that mark triggers without a language model. `BASELINES` is the whole register."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from slant.data.schemas import Schema
from slant.errors import unknown_name
from slant.systems.cueanswers import cue_answers
from slant.systems.repeatedclaims import repeated_claims
from slant.types import Answer, Example, Item, Mark, Span

Baseline = Callable[[Sequence[Item], Sequence[Example], Schema, int], list[Answer]]
"""(articles, train, schema, seed) -> one answer an article, its spans located."""


def most_frequent(
    articles: Sequence[Item], train: Sequence[Example], schema: Schema, seed: int
) -> list[Answer]:
    """The biases that most of the other articles have, and no place.

    Rule: every bias that more than half of the articles of `train` but the one that is answered
    (the same id) have; where there is none, the one that most have, of equal ones the first of the
    schema. Without other articles, or where none has any bias, nothing is answered.

    Args:
        articles: to be answered.
        train: articles with gold.
        schema: gives the order of the biases.
        seed: not used, as nothing is drawn.
    """
    had = [(example.item.id, _biases(example.gold)) for example in train]
    total = Counter(code for _, codes in had for code in codes)
    own: dict[str, Counter[str]] = {}
    for name, codes in had:
        own.setdefault(name, Counter()).update(codes)
    sizes = Counter(name for name, _ in had)
    answers = []
    for article in articles:
        counts = total - own.get(article.id, Counter())
        others = len(had) - sizes[article.id]
        labels = {code for code in schema.codes if 2 * counts[code] > others}
        if not labels:
            best = max(schema.codes, key=lambda code: counts[code])
            labels = {best} if counts[best] else set()
        answers.append(Answer(frozenset(labels)))
    return answers


def whole_article(
    articles: Sequence[Item], train: Sequence[Example], schema: Schema, seed: int
) -> list[Answer]:
    """As `most_frequent`, with the whole article as the one span of each bias.

    It shows what marking everything is worth: recall of characters 1 for these biases.
    """
    answers = most_frequent(articles, train, schema, seed)
    return [
        Answer(
            answer.labels,
            tuple(
                Mark(code, (Span(0, len(article.text)),))
                for code in schema.codes
                if code in answer.labels and article.text.strip()
            ),
        )
        for article, answer in zip(articles, answers, strict=True)
    ]


class KnownBaseline(NamedTuple):
    """One registered baseline, what it does, and the extra that it needs."""

    answers: Baseline
    says: str
    extra: str | None = None


BASELINES: Final[Mapping[str, KnownBaseline]] = {
    "most-frequent": KnownBaseline(
        most_frequent, "the biases that most of the other articles have, nowhere in particular"
    ),
    "whole-article": KnownBaseline(whole_article, "the same, each marked over the whole article"),
    "cues": KnownBaseline(cue_answers, "sentences with surface cues; how many is learnt"),
    "repeated-claims": KnownBaseline(
        repeated_claims,
        "sentences whose vectors are alike, one trigger of repetition; how alike is learnt",
        "encoders",
    ),
}


def baseline_answers(
    name: str, articles: Sequence[Item], train: Sequence[Example], schema: Schema, seed: int
) -> list[Answer]:
    """What a registered baseline answers.

    Args:
        name: in BASELINES.
        articles: to be answered.
        train: articles with gold, leave-one-out by id: they may be the same ones.
        schema: the biases.
        seed: of the run.

    Returns:
        One answer an article, in their order.

    Raises:
        UnknownName: there is no such baseline.
        OptionError: the baseline knows none of the schema's biases.
        MissingExtra: packages that it needs are not installed.
    """
    if name not in BASELINES:
        raise unknown_name("baseline", name, BASELINES)
    return BASELINES[name].answers(articles, train, schema, seed)


def _biases(answer: Answer) -> frozenset[str]:
    return answer.labels | {mark.category for mark in answer.marks}
