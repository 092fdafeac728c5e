"""The trigger baseline that marks sentences with surface cues."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from slant.data.schemas import Schema
from slant.data.sentences import sentence_spans
from slant.errors import OptionError
from slant.systems.cues import cue_keys, cue_spans, packaged_cues
from slant.systems.leftout import left_out_marks
from slant.types import Answer, Example, Item, Mark, Span

LEAST_CUES = (1, 2, 3, 4)
"""How many cues a sentence must hold: what is tried on the other articles."""


def cue_answers(
    articles: Sequence[Item], train: Sequence[Example], schema: Schema, seed: int
) -> list[Answer]:
    """Each sentence that holds enough surface cues of a bias is a trigger of it.

    How many are enough is chosen for each bias on the other articles (`left_out_marks`); without
    any, one is. Biases that the package has no cues for are never marked.

    Args:
        articles: to be answered.
        train: articles with gold.
        schema: its biases are recognised by their names.
        seed: not used, as nothing is drawn.

    Returns:
        One answer an article; its labels are the biases that it marks.

    Raises:
        OptionError: no bias of the schema has surface cues.
    """
    keys = cue_keys(schema)
    if not keys:
        known = ", ".join(cues.names[0] for cues in packaged_cues().values())
        raise OptionError(
            f"Marking surface cues by the schema '{schema.name}'",
            f"none of its {len(schema.biases)} biases has any",
            f"Leave the baseline 'cues' out, or name a bias as the cues do: {known}",
        )
    texts = {item.text for item in articles} | {example.item.text for example in train}
    sentences = {text: sentence_spans(text) for text in sorted(texts)}
    marks: list[list[Mark]] = [[] for _ in articles]
    for code, key in keys.items():
        numbers = {text: _cue_numbers(key, text, spans) for text, spans in sentences.items()}
        marker = partial(_cued_sentences, code, sentences, numbers)
        found = left_out_marks(articles, train, code, marker, len(LEAST_CUES), default=0)
        for own, more in zip(marks, found, strict=True):
            own.extend(more)
    return [Answer(frozenset(mark.category for mark in own), tuple(own)) for own in marks]


def _cue_numbers(key: str, text: str, sentences: Sequence[Span]) -> list[int]:
    return [len(cue_spans(key, text[span.start : span.end])) for span in sentences]


def _cued_sentences(
    code: str,
    sentences: dict[str, list[Span]],
    numbers: dict[str, list[int]],
    article: Item,
    setting: int,
) -> list[Mark]:
    pairs = zip(sentences[article.text], numbers[article.text], strict=True)
    return [Mark(code, (span,)) for span, number in pairs if number >= LEAST_CUES[setting]]
