"""Label Studio's JSON, written: tasks with one annotation each, as its import takes them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from slant.annotate.jsonl import plain_number
from slant.annotate.standoff import Loss, losses
from slant.types import Example, Mark

LABELS, TEXT, BIASES, CONFIDENCE = "label", "text", "biases", "confidence"
"""The names of the controls: `<Labels name="label">`, `<Text name="text">`, `<Choices
name="biases">` of the whole task, `<Rating name="confidence" perRegion="true">`."""
RELATION = "same trigger"


def write_labelstudio(examples: Sequence[Example]) -> tuple[str, list[Loss]]:
    """The tasks of annotated articles, and what they cannot hold.

    Rule: every span is a region; those of one trigger are joined by relations from the first to
    each other one, and have its id in `meta.trigger`.
    """
    lost: Counter[str] = Counter()
    tasks = [_task(example, lost) for example in examples]
    return json.dumps(tasks, ensure_ascii=False, indent=1, allow_nan=False) + "\n", losses(lost)


def _task(example: Example, lost: Counter[str]) -> dict[str, Any]:
    item, gold = example.item, example.gold
    lost["reasons of answers"] += gold.reason is not None
    results: list[dict[str, Any]] = []
    if gold.labels:
        value = {"choices": sorted(gold.labels)}
        results.append(_result("biases", "choices", BIASES, value))
    for number, mark in enumerate(gold.marks, start=1):
        lost["quotes that are not located"] += len(mark.quotes)
        lost["triggers without a span"] += not mark.spans
        results += _regions(mark, f"t{number}", item.text)
    return {
        "data": {"article": item.id, "text": item.text},
        "annotations": [{"result": results, "ground_truth": False, "was_cancelled": False}],
    }


def _regions(mark: Mark, key: str, text: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    keys = [key, *(f"{key}-{n}" for n in range(2, len(mark.spans) + 1))]
    for n, (own, span) in enumerate(zip(keys, mark.spans, strict=False)):
        place = {"start": span.start, "end": span.end, "text": text[span.start : span.end]}
        region = _result(own, "labels", LABELS, {**place, "labels": [mark.category]})
        meta: dict[str, Any] = {}
        if mark.note and n == 0:
            meta["text"] = [mark.note]
        if mark.id is not None:
            meta["trigger"] = mark.id
        results.append({**region, "meta": meta} if meta else region)
        if mark.confidence is not None:
            # A rating has whole stars only.
            sure = plain_number(mark.confidence)
            kind = "rating" if isinstance(sure, int) and 0 < sure <= 10 else "number"
            results.append(_result(own, kind, CONFIDENCE, {**place, kind: sure}))
        if n:
            results.append(
                {
                    "type": "relation",
                    "from_id": keys[0],
                    "to_id": own,
                    "direction": "bi",
                    "labels": [RELATION],
                }
            )
    return results


def _result(key: str, kind: str, control: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": key, "type": kind, "from_name": control, "to_name": TEXT, "value": value}
