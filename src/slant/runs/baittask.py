"""BAIT as a task of inspect-ai: `inspect eval slant/bait --model openai/gpt-4o`.

The package's entry point for inspect-ai names this module; nothing else imports it, since
inspect-ai itself is loaded with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from slant.data.documents import sound
from slant.data.schemas import Schema
from slant.metrics.locate import located
from slant.metrics.tallies import cluster_codes
from slant.metrics.triggers import trigger_tallies
from slant.metrics.triggerscores import article_scores, trigger_scores
from slant.runs.baitdata import SAMPLE, bait_data
from slant.runs.baitmodels import guarded
from slant.runs.baitplan import BaitSettings, Question, Structured, check_settings, questions
from slant.runs.modelmessages import chat_messages, formed_output
from slant.systems.prompts import answer_form, conversation
from slant.systems.triggeranswers import parsed_answer
from slant.types import Answer, Tally

THRESHOLD: Final = 0.5
"""tau_s and tau_t of the paper."""


@task
def bait(
    data: str = SAMPLE,
    articles: str | None = None,
    schema: str = "bait",
    shots: int = 0,
    seed: int = 17,
    structured: Structured = "auto",
) -> Task:
    """Which biases does an article trigger, and where? One run of `slant bait run`, under inspect.

    Args:
        data: annotated articles in any format, or "bait/sample".
        articles: the texts, where the annotations stand apart from them.
        schema: name or path.
        shots: number of worked examples, drawn leave-one-out.
        seed: of the draw.
        structured: send the JSON Schema of an answer: "auto", "yes", "no".

    Returns:
        A task whose metrics are pooled over the articles of each epoch, and averaged over epochs.
    """
    given = bait_data(data, schema=schema, articles=None if articles is None else Path(articles))
    settings = BaitSettings((shots,), (seed,), 1, structured=structured)
    check_settings(settings, len(given.examples))
    asked = {one.item.id: one for one in questions(given.examples, settings)}
    gold = {one.item.id: one.gold for one in given.examples}
    samples = [
        Sample(
            input=one.item.text,
            id=name,
            metadata={"examples": [example.item.id for example in one.examples]},
        )
        for name, one in asked.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="bait"),
        solver=_solver(asked, given.schema, structured),
        scorer=_scorer(asked, gold, given.schema),
        config=GenerateConfig(temperature=settings.temperature, max_tokens=settings.max_tokens),
        # A sample that failed is scored as empty, never left out of the pooled scores.
        fail_on_error=False,
        score_on_error=True,
    )


def _solver(asked: Mapping[str, Question], schema: Schema, structured: Structured) -> Solver:
    @solver(name="asked_with_examples")
    def asked_with_examples() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            question = asked[str(state.sample_id)]
            state.messages = chat_messages(conversation(schema, question.item, question.examples))
            form = answer_form(schema)
            state.output, _ = await formed_output(
                guarded(get_model()), state.messages, form, structured
            )
            state.messages.append(state.output.message)
            return state

        return solve

    return asked_with_examples()


def _scorer(asked: Mapping[str, Question], gold: Mapping[str, Answer], schema: Schema) -> Scorer:
    names = {bias.code: bias.name for bias in schema.biases}

    @scorer(metrics=[pooled()], name="bait_triggers")
    def bait_triggers() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            article = str(state.sample_id)
            output = state.output
            raw = output.completion if output.choices else None
            stop = output.stop_reason if output.choices else None
            parsed = parsed_answer(raw, schema.codes, names=names, stop=stop)
            own = gold[article]
            said, _ = located(asked[article].item.text, parsed.answer or Answer(), own)
            tallies = trigger_tallies(
                [own], [said], [article], schema.codes,
                span_threshold=THRESHOLD, trigger_threshold=THRESHOLD,
            )  # fmt: skip
            return Score(
                value=float(article_scores(tallies)["triggers_f1"][0]),
                answer=None if raw is None else sound(raw),
                explanation=None if parsed.fault is None else f"unusable: {parsed.fault}",
                metadata={
                    "counts": {name: one.counts[0].tolist() for name, one in tallies.items()},
                    "codes": list(schema.codes),
                    "epoch": state.epoch,
                    "usable": parsed.fault is None,
                },
            )

        return score

    return bait_triggers()


@metric(scores="unreduced")
def pooled() -> Metric:
    """Scores whose counts are added up over the articles of an epoch before any F1 is taken.

    Returns:
        A metric: the mean over epochs of each score of `slant.metrics.triggerscores`, and
        "unusable", how many answers scored as empty. A score that is 0/0 is not there.
    """

    def pool(scores: list[SampleScore]) -> Value:
        epochs: dict[int, list[SampleScore]] = {}
        for one in scores:
            epochs.setdefault((one.score.metadata or {}).get("epoch", 1), []).append(one)
        found: dict[str, list[float]] = {}
        for several in epochs.values():
            for name, value in trigger_scores(_tallies(several)).items():
                if isinstance(value, float):
                    found.setdefault(name, []).append(value)
        unusable = sum(not (one.score.metadata or {}).get("usable", False) for one in scores)
        return {
            **{name: float(np.mean(values)) for name, values in found.items()},
            "unusable": unusable,
        }

    return pool


def _tallies(scores: Sequence[SampleScore]) -> dict[str, Tally]:
    known = [one.score.metadata for one in scores if one.score.metadata]
    units = tuple(str(one.sample_id) for one in scores if one.score.metadata)
    clusters = cluster_codes(units)
    groups = np.zeros(len(units), np.int64)
    return {
        level: Tally(
            np.array([one["counts"][level] for one in known], np.int64),
            units, groups, clusters, tuple(known[0]["codes"]),
        )
        for level in (known[0]["counts"] if known else ())
    }  # fmt: skip
