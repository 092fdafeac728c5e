"""One setting of a trigger baseline, chosen on the other articles' gold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from slant.types import Answer, Array, Example, Item, Mark, Span

Marker = Callable[[Item, int], Sequence[Mark]]
"""The marks of one bias on an article under the n-th setting."""


def left_out_marks(
    articles: Sequence[Item],
    train: Sequence[Example],
    bias: str,
    marker: Marker,
    settings: int,
    default: int,
) -> list[Sequence[Mark]]:
    """The marks of one bias, under the setting that is best on the other articles.

    Best: the highest F1 of marked characters, pooled over the articles of `train` but the one that
    is answered (the same id); of equal ones the first. Where no setting marks a character of gold
    there, nothing is marked; where there is no other article, the default is taken.

    Args:
        articles: to be marked.
        train: articles with gold; they may be the same ones.
        bias: its code.
        marker: what is tried.
        settings: how many there are.
        default: the setting without any train.

    Returns:
        The marks of each article.
    """
    counts = np.stack(
        [
            character_counts(example, bias, [marker(example.item, n) for n in range(settings)])
            for example in train
        ]
        or [np.zeros((settings, 3), np.int64)]
    )
    total = counts.sum(axis=0)
    rows: dict[str, list[int]] = {}
    for row, example in enumerate(train):
        rows.setdefault(example.item.id, []).append(row)
    answers: list[Sequence[Mark]] = []
    for article in articles:
        own = rows.get(article.id, [])
        if len(own) == len(train):
            answers.append(marker(article, default))
            continue
        setting = best_setting(total - counts[own].sum(axis=0))
        answers.append(() if setting is None else marker(article, setting))
    return answers


def best_setting(counts: Array) -> int | None:
    """The setting of highest F1, the first of equal ones, None where every F1 is 0.

    Args:
        counts: (settings, 3) characters that are true positive, false positive, false negative.

    >>> best_setting(np.array([[5, 5, 0], [4, 1, 1], [0, 0, 5]]))  # 10/15, 8/10, 0
    1
    """
    hits = 2 * counts[:, 0]
    f1 = hits / np.maximum(hits + counts[:, 1] + counts[:, 2], 1)
    return int(f1.argmax()) if f1.max() > 0 else None


def character_counts(example: Example, bias: str, tries: Sequence[Sequence[Mark]]) -> Array:
    """Characters that are true positive, false positive and false negative under each setting.

    Args:
        example: an article with gold.
        bias: the code that is counted.
        tries: the marks under each setting.

    Returns:
        (settings, 3).
    """
    gold = _marked(example.gold, bias, len(example.item.text))
    rows = [_marked(Answer(marks=tuple(one)), bias, gold.size) for one in tries]
    return np.array(
        [((gold & row).sum(), (row & ~gold).sum(), (gold & ~row).sum()) for row in rows], np.int64
    )


def _marked(answer: Answer, bias: str, size: int) -> NDArray[np.bool_]:
    mask = np.zeros(size, np.bool_)
    spans: list[Span] = [s for mark in answer.marks if mark.category == bias for s in mark.spans]
    for span in spans:
        mask[span.start : span.end] = True
    return mask
