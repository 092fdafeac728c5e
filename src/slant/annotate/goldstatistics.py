"""What a set of annotated articles holds: articles, triggers, spans and their lengths."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

import numpy as np

from slant.annotate.passes import found_codes, said
from slant.data.words import word_ranges
from slant.errors import DataError
from slant.types import Array, Example, Mark


def gold_statistics(
    examples: Sequence[Example], codes: Sequence[str] | None = None
) -> dict[str, Any]:
    """The label distribution of a gold set, per bias and in total.

    Rule: an article counts for a bias that its labels or a trigger have; a trigger of n spans
    counts n spans, a quote that was not located as one; the length of a span is the number of
    words that share a character with it (`slant.data.words`); share is of all spans.

    Args:
        examples: the articles with their gold.
        codes: the categories, in order; None for those that occur.

    Returns:
        JSON-able: "articles", "empty" (no bias at all), "words" {"mean", "median"} of articles,
        "biases" {code: "articles", "triggers", "spans", "share" (0 to 1), "mean_words",
        "multi_span" (triggers of two or more spans)}, and "total" likewise, its articles having at
        least one bias. "mean_words" and "share" are None where there is no span.

    Raises:
        DataError: no article, or a category that `codes` lacks.

    Source: BAIT, table 3 and the appendix's table 5.

    >>> from slant.types import Answer, Item, Span
    >>> mark = Mark("B01", (Span(0, 5), Span(7, 16)))
    >>> found = gold_statistics([Example(Item("x", "Lost. All is lost."), Answer(marks=(mark,)))])
    >>> found["biases"]["B01"]["mean_words"], found["total"]["multi_span"]  # (1 + 3) / 2
    (2.0, 1)
    """
    asked = "Counting annotations"
    if not examples:
        raise DataError(asked, "there is no article", "Give annotated articles")
    known = found_codes(examples) if codes is None else tuple(codes)
    for example in examples:
        foreign = sorted(said(example.gold) - set(known))
        if foreign:
            found = f"article '{example.item.id}' has the category '{foreign[0]}'"
            do = f"Name a schema that has it; this one has {', '.join(known)}"
            raise DataError(asked, found, do)
    words = [word_ranges(example.item.text) for example in examples]
    lengths: dict[str, list[int]] = {code: [] for code in known}
    for example, ranges in zip(examples, words, strict=True):
        for mark in example.gold.marks:
            lengths[mark.category] += _lengths(mark, ranges)
    every = [length for code in known for length in lengths[code]]
    marks = [mark for example in examples for mark in example.gold.marks]
    biases = {
        code: _row(
            sum(code in said(example.gold) for example in examples),
            [mark for mark in marks if mark.category == code],
            lengths[code],
            len(every),
        )
        for code in known
    }
    having = sum(bool(said(example.gold)) for example in examples)
    sizes = [len(ranges) for ranges in words]
    return {
        "articles": len(examples),
        "empty": len(examples) - having,
        "words": {"mean": fmean(sizes), "median": float(median(sizes))},
        "biases": biases,
        "total": _row(having, marks, every, len(every)),
    }


def _lengths(mark: Mark, words: Array) -> list[int]:
    # words stand in order and share no character: those before a span's end, less those that end
    # at its start or before
    first = np.searchsorted(words[:, 1], [span.start for span in mark.spans], "right")
    behind = np.searchsorted(words[:, 0], [span.end for span in mark.spans], "left")
    return [*map(int, behind - first)] + [len(word_ranges(quote)) for quote in mark.quotes]


def _row(
    articles: int, marks: Sequence[Mark], lengths: Sequence[int], spans: int
) -> dict[str, Any]:
    return {
        "articles": articles,
        "triggers": len(marks),
        "spans": len(lengths),
        "share": len(lengths) / spans if spans else None,
        "mean_words": fmean(lengths) if lengths else None,
        "multi_span": sum(len(mark.spans) + len(mark.quotes) > 1 for mark in marks),
    }
