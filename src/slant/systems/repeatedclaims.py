"""The trigger baseline that marks sentences which say the same again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from slant.data.schemas import Schema
from slant.data.sentences import sentence_spans
from slant.errors import OptionError
from slant.systems.cues import cue_keys, packaged_cues
from slant.systems.encoder import Vectors, encode_texts, require_encoders
from slant.systems.leftout import left_out_marks
from slant.types import Answer, Example, Item, Mark, Span

COSINES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
"""From which similarity on two sentences say the same: what is tried on the other articles."""

DEFAULT = COSINES.index(0.7)
WORDS = 4
"""Shorter sentences (headings, by-lines, "He agreed.") are no claims."""

TOKENS = 128
_ROWS = 1024


def repeated_claims(
    articles: Sequence[Item], train: Sequence[Example], schema: Schema, seed: int
) -> list[Answer]:
    """Sentences that say the same are one trigger of repetition.

    Two sentences of an article say the same where the cosine of their MiniLM vectors reaches a
    bound; sentences linked by such pairs are the spans of one trigger. The bound is chosen on the
    other articles (`left_out_marks`); without any it is 0.7. Other biases are never marked.

    Args:
        articles: to be answered.
        train: articles with gold.
        schema: the bias of repeated claims is recognised by its name, e.g. "Illusory Truth".
        seed: not used, as nothing is drawn.

    Returns:
        One answer an article.

    Raises:
        OptionError: the schema has no bias of repeated claims.
        MissingExtra: the packages of the extra `encoders` are not installed.
    """
    code = next((code for code, key in cue_keys(schema).items() if key == "B01"), None)
    if code is None:
        raise OptionError(
            f"Looking for repeated claims by the schema '{schema.name}'",
            f"none of its {len(schema.biases)} biases is known as one of repetition",
            "Leave the baseline 'repeated-claims' out, or name the bias "
            + " or ".join(packaged_cues()["B01"].names),
        )
    require_encoders("repeated-claims")
    texts = sorted({item.text for item in articles} | {example.item.text for example in train})
    sentences = {text: _claims(text) for text in texts}
    vectors = encode_texts(
        [text[span.start : span.end] for text in texts for span in sentences[text]], TOKENS
    )
    ends = np.cumsum([0, *(len(sentences[text]) for text in texts)]).tolist()
    clusters = {
        text: [claim_clusters(vectors[start:end], least) for least in COSINES]
        for text, (start, end) in zip(texts, pairwise(ends), strict=True)
    }
    marker = partial(_repeated, code, sentences, clusters)
    found = left_out_marks(articles, train, code, marker, len(COSINES), DEFAULT)
    return [Answer(frozenset(mark.category for mark in own), tuple(own)) for own in found]


def claim_clusters(vectors: Vectors, least: float) -> list[list[int]]:
    """Sentences linked by a chain of pairs whose cosine is at least `least`.

    Args:
        vectors: (sentences, dimensions), each of length 1.
        least: in [-1, 1].

    Returns:
        Clusters of two or more, by their first sentence; indices ascend.

    >>> claim_clusters(np.array([[1.0, 0.0], [0.0, 1.0], [0.8, 0.6]], np.float32), 0.7)
    [[0, 2]]
    """
    from slant.data.near import linked

    size = len(vectors)
    pairs: list[tuple[int, int]] = []
    for start in range(0, size, _ROWS):
        rows, columns = np.nonzero(vectors[start : start + _ROWS] @ vectors.T >= least)
        above = rows + start < columns
        pairs += zip((rows[above] + start).tolist(), columns[above].tolist(), strict=True)
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    clusters: dict[int, list[int]] = {}
    for index, cluster in enumerate(linked(size, first, second).tolist()):
        clusters.setdefault(cluster, []).append(index)
    return [cluster for cluster in clusters.values() if len(cluster) > 1]


def _claims(text: str) -> list[Span]:
    spans = sentence_spans(text)
    return [span for span in spans if len(text[span.start : span.end].split()) >= WORDS]


def _repeated(
    code: str,
    sentences: dict[str, list[Span]],
    clusters: dict[str, list[list[list[int]]]],
    article: Item,
    setting: int,
) -> list[Mark]:
    spans = sentences[article.text]
    found = clusters[article.text][setting]
    return [Mark(code, tuple(spans[index] for index in cluster)) for cluster in found]
