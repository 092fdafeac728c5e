"""Scoring one annotated set against another: a system's triggers, or a second annotator's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slant.annotate.formats import read_annotated
from slant.annotate.standoff import Place, check_same_text
from slant.data.schemas import Schema, load_schema, plain_schema
from slant.errors import DataError, unknown_name
from slant.metrics.locate import STEPS, GoldUse, located
from slant.metrics.matching import check_share
from slant.metrics.tallies import pooled
from slant.metrics.triggers import trigger_tallies
from slant.metrics.triggerscores import Absent, article_scores, bias_scores, trigger_scores
from slant.types import Answer, Example, Tally, Undefined

FOUND = "found"
"""Named as the schema: the biases are those that the two sets have."""


def score_sets(
    gold: Path,
    predictions: Path,
    *,
    articles: Path | None = None,
    format: str | None = None,
    schema: str = "bait",
    span_threshold: float = 0.5,
    trigger_threshold: float = 0.5,
    trigger_overlap: str = "dice",
    without: Sequence[str] | None = None,
    absent: Absent = "left-out",
    least: float = 0.80,
    gold_use: GoldUse = "literal",
) -> dict[str, Any]:
    """Score annotated articles against the gold of the same articles, at all levels.

    Strings of the predictions that have no offsets are located first. An article of gold without a
    prediction counts as predicted empty.

    Args:
        gold, predictions: files or folders in any format of `slant.annotate.formats`.
        articles: the texts, where the annotations stand apart from them.
        format: of both; None: told from the content of each.
        schema: name or file of the biases; "found": those that the two sets have.
        span_threshold, trigger_threshold, trigger_overlap, absent: as in
            `slant.metrics.triggers.trigger_tallies` and `trigger_scores`.
        without: biases left out of the second set of scores; None: the schema's dominant ones.
        least, gold_use: as in `slant.metrics.locate.located`.

    Returns:
        JSON-able: counts and scores of the corpus, without some biases, by bias, by article; a
        score that is 0/0 is None, and `undefined` says why.

    Raises:
        DataError: an unreadable set, other texts than those of gold, an article that gold has not.
        UnknownName: a bias that the schema has not.
    """
    check_share(least, "similarity of strings")
    chosen = None if schema == FOUND else load_schema(schema)
    codes = None if chosen is None else chosen.codes
    names = {} if chosen is None else {bias.name: bias.code for bias in chosen.biases}
    truth = read_annotated(gold, articles=articles, format=format, codes=codes, names=names)
    texts = articles if articles is not None else _texts(gold)
    said = read_annotated(predictions, articles=texts, format=format, codes=codes, names=names)
    answers = _answers(truth, said, predictions)
    known = chosen if chosen is not None else _found([*truth, *said])
    left_out = tuple(known.dominant if without is None else without)
    for bias in left_out:
        if bias not in known.codes:
            raise unknown_name("bias to leave out", bias, known.codes)
    steps: Counter[str] = Counter()
    placed: list[Answer] = []
    for one in truth:
        answer, resolved = located(
            one.item.text, answers.get(one.item.id, Answer()), one.gold,
            least=least, gold_use=gold_use,
        )  # fmt: skip
        placed.append(answer)
        steps.update(quote.step for mark in resolved for quote in mark)
    units = [one.item.id for one in truth]
    tallies = trigger_tallies(
        [one.gold for one in truth],
        placed,
        units,
        known.codes,
        span_threshold=span_threshold,
        trigger_threshold=trigger_threshold,
    )
    by_article = article_scores(tallies, trigger_overlap=trigger_overlap, absent=absent)
    scores = trigger_scores(tallies, trigger_overlap=trigger_overlap, absent=absent)
    rest = trigger_scores(tallies, without=left_out, trigger_overlap=trigger_overlap, absent=absent)
    return {
        "articles": len(units),
        "without_predictions": sum(one not in answers for one in units),
        "settings": {
            "schema": known.name,
            "tau_s": span_threshold,
            "tau_t": trigger_threshold,
            "trigger_overlap": trigger_overlap,
            "absent": absent,
            "without": list(left_out),
            "least_similarity": least,
            "gold_use": gold_use,
        },
        "scores": _shown(scores),
        "scores_without": _shown(rest) if left_out else None,
        "undefined": {name: one.why for name, one in scores.items() if isinstance(one, Undefined)},
        "counts": {level: _cells(tally) for level, tally in tallies.items()},
        "biases": {
            bias: {"name": known.bias(bias).name, **_shown(own)}
            for bias, own in bias_scores(tallies, trigger_overlap=trigger_overlap).items()
        },
        "per_article": {
            unit: {name: float(values[n]) for name, values in by_article.items()}
            for n, unit in enumerate(units)
        },
        "located": {step: steps[step] for step in STEPS},
    }


def _texts(gold: Path) -> Path | None:
    """Gold itself as the place of the texts, where it has them in a form that can be read so."""
    if gold.is_dir():
        return gold if any(gold.glob("*.txt")) else None
    return gold if gold.suffix == ".jsonl" else None


def _answers(truth: Sequence[Example], said: Sequence[Example], path: Path) -> dict[str, Answer]:
    """The predicted answers by article, each of a text that is gold's own."""
    items = {one.item.id: one.item for one in truth}
    for one in said:
        if one.item.id not in items:
            found = f"it has the article '{one.item.id}', which gold has not"
            raise DataError(f"Scoring '{path}'", found, "Give gold of every article predicted")
        check_same_text(items[one.item.id], one.item.text, Place(path, "it"))
    return {one.item.id: one.gold for one in said}


def _found(examples: Sequence[Example]) -> Schema:
    marks = {mark.category for one in examples for mark in one.gold.marks}
    codes = sorted(marks.union(*(one.gold.labels for one in examples)))
    if not codes:
        found = "neither gold nor the predictions have any"
        raise DataError("Taking the biases from what was found", found, "Name a schema")
    return plain_schema(codes, FOUND)


def _shown(scores: Mapping[str, float | Undefined]) -> dict[str, float | None]:
    return {name: None if isinstance(x, Undefined) else x for name, x in scores.items()}


def _cells(tally: Tally) -> dict[str, int]:
    tp, fp, fn, _ = (int(cell) for cell in pooled(tally))
    return {"tp": tp, "fp": fp, "fn": fn}
