"""A language model asked for the triggers of articles that are analysed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from slant.analysis.article import Article
from slant.data.schemas import Schema
from slant.metrics.locate import located
from slant.runs.bait import run_bait
from slant.runs.baitanswers import read_answers
from slant.runs.baitbudget import AskingLimits
from slant.runs.baitdata import BaitData
from slant.runs.baitplan import BaitSettings
from slant.runs.engine import Progress
from slant.systems.triggeranswers import parsed_answer
from slant.types import Answer, Example, Item

FOLDER: Final = "triggers"
"""Beside the report: a run of `slant bait run`, with every answer as it came."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Which model is asked for triggers, and how much it may take.

    Fields:
        model: PROVIDER/MODEL as inspect-ai has it; "" asks none.
        base_url: of its server, None for the provider's own.
        max_tokens_total: no further article is asked about once the answers took so many.
    """

    model: str = ""
    base_url: str | None = None
    max_tokens_total: int | None = None


def model_answers(
    articles: Sequence[Article], schema: Schema, asking: Asking, folder: Path, command: str,
    progress: Progress,
) -> dict[str, Answer]:  # fmt: skip
    """What a model answered about articles, once each, without examples.

    Rule: as `slant bait run --shots 0 --zero-shot-runs 1`: an answer is kept the moment it
    arrives, nothing is asked twice, what failed is asked again by the next call. Quotes are
    located as there; those without a place are left out.

    Args:
        articles: with a text.
        schema: whose definitions the model is given.
        asking: who is asked.
        folder: of the run that keeps the answers.
        command: for its record.
        progress: called with (answers, questions, model).

    Returns:
        Article id -> its answer, for those with a usable one.

    Raises:
        SlantError: as `run_bait`.
    """
    if not articles:
        return {}
    examples = [Example(Item(one.id, one.text), Answer()) for one in articles]
    run_bait(
        BaitData("articles", schema, examples),
        folder,
        models=[asking.model],
        settings=BaitSettings(shots=(0,), draws=(), zero_shot_runs=1),
        limits=AskingLimits(max_tokens_total=asking.max_tokens_total),
        base_url=asking.base_url,
        command=command,
        progress=progress,
    )
    texts = {one.id: one.text for one in articles}
    names = {bias.code: bias.name for bias in schema.biases}
    found: dict[str, Answer] = {}
    for run in read_answers(folder):
        for article, said in run.answers.items():
            parsed = parsed_answer(said.raw, schema.codes, names=names, stop=said.stop)
            if run.system == asking.model and parsed.answer is not None and not parsed.fault:
                found[article], _ = located(texts[article], parsed.answer, None)
    return found
