"""The embedded sample of articles with bias triggers: gold and two passes, all invented, CC0.

How they were written, their counts and their limits: `samples/bait/README.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from slant.data.samples import read_sample_rows, read_sample_text
from slant.types import Answer, Example, Item, Mark, Span

ANNOTATORS = ("a", "b")
"""The two who marked every article before adjudication."""


def load_bait_samples() -> list[Example]:
    """The sample articles with gold triggers and, as annotators "a" and "b", the two passes before
    adjudication.

    Returns:
        One example an article, in order of id. Spans count Unicode code points of `item.text`;
        confidence is 1 to 3, in gold the higher of the passes'; labels are the categories of the
        marks. Two examples have no trigger in gold.

    >>> first = load_bait_samples()[0]
    >>> mark = first.gold.marks[0]
    >>> [first.item.text[span.start : span.end] for span in mark.spans][0]
    'Closing the ward puts mothers in danger'
    """
    passes = {
        name: {row["id"]: row for row in read_sample_rows(f"bait/annotator-{name}.jsonl")}
        for name in ANNOTATORS
    }
    return [
        Example(
            item=Item(row["id"], row["text"]),
            gold=_answer(row),
            annotators={name: _answer(rows[row["id"]]) for name, rows in passes.items()},
        )
        for row in read_sample_rows("bait/articles.jsonl")
    ]


def sample_passes(examples: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """The two annotators' passes over articles of `load_bait_samples`, each as if it were gold.

    >>> first, second = sample_passes(load_bait_samples()[:1])
    >>> len(first[0].gold.marks), len(second[0].gold.marks)
    (4, 4)
    """
    first, second = (
        [replace(one, gold=one.annotators[who]) for one in examples] for who in ANNOTATORS
    )
    return first, second


def sample_files() -> dict[str, str]:
    """What `slant data export open/articles` writes: each article as a text, the passes, the gold.

    Returns:
        Path in the folder -> text.

    >>> sorted(sample_files())[0], "annotator-b.jsonl" in sample_files()
    ('annotator-a.jsonl', True)
    """
    rows = read_sample_rows("bait/articles.jsonl")
    passes = [f"annotator-{name}.jsonl" for name in ANNOTATORS]
    return {
        **{f"articles/{row['id']}.txt": row["text"] for row in rows},
        **{name: read_sample_text(f"bait/{name}") for name in passes},
        "gold.jsonl": read_sample_text("bait/articles.jsonl"),
    }


def _answer(row: Mapping[str, Any]) -> Answer:
    marks = tuple(
        Mark(
            category=one["bias"],
            spans=tuple(Span(span["start"], span["end"]) for span in one["spans"]),
            confidence=one["confidence"],
            id=one["id"],
            note=one.get("note", ""),
        )
        for one in row["triggers"]
    )
    return Answer(frozenset(row.get("labels", ())), marks)
