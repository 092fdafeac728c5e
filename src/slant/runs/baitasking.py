"""Articles put to language models through inspect-ai; each answer is on disk before the next step.

Importing inspect-ai takes seconds, so that only functions do it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from slant.data.schemas import Schema
from slant.errors import SlantError, WorkFailed
from slant.runs.baitanswers import Journal, StoredAnswer
from slant.runs.baitbudget import AskingLimits, Watch, cost_of, scrubbed
from slant.runs.baitmodels import asked_output, chat_messages, known_key
from slant.runs.baitplan import BaitSettings, Question
from slant.systems.prompts import conversation

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model
    from inspect_ai.solver import Generate, Solver, TaskState


@dataclass(frozen=True, slots=True)
class Asked:
    """What one model is to be asked.

    Fields:
        name: of the model, as inspect-ai has it, e.g. "openai/gpt-4o".
        questions: those without an answer.
        journals: by run, where the answers go.
    """

    name: str
    questions: Sequence[Question]
    journals: Mapping[str, Journal]


Told = Callable[[str], None]
"""Called with the model after each question, answered or not."""


def ask_models(
    asked: Sequence[Asked],
    models: Sequence[Model],
    schema: Schema,
    settings: BaitSettings,
    limits: AskingLimits,
    *,
    watch: Watch,
    logs: Path,
    told: Told,
) -> None:
    """Put questions to models, all models side by side; each answer is kept as it arrives.

    Args:
        asked, models: what and whom, in the same order.
        schema, settings, limits: of the run.
        watch: counts; its `stopped` says afterwards why questions were left.
        logs: folder for inspect-ai's own logs.
        told: for progress.

    Raises:
        WorkFailed: the disk took no answer, or inspect-ai ended with an error.
        KeyboardInterrupt: interrupted; what arrived is kept.
    """
    tasks = [
        _task(one, model, schema, settings, watch, told)
        for one, model in zip(asked, models, strict=True)
    ]
    found = evaluated(tasks, logs, limits.max_connections)
    if watch.broken is not None:
        raise watch.broken
    # After Ctrl-C inspect-ai returns the logs of the tasks that had ended, and raises nothing.
    if len(found) < len(tasks) or any(log.status == "cancelled" for log in found):
        raise KeyboardInterrupt
    for log in found:
        if log.status != "success":
            said = log.error.message if log.error is not None else f"its status is {log.status}"
            raise WorkFailed(
                f"Asking '{log.eval.model}' through inspect-ai",
                scrubbed(said),
                f"What arrived is kept; see '{logs}', and run the same command again",
            )


def evaluated(tasks: list[Task], logs: Path, max_samples: int) -> list[EvalLog]:
    """inspect-ai's `eval`, also from inside a running event loop (a notebook), where it fails."""
    from inspect_ai import eval as evaluate

    def run() -> list[EvalLog]:
        return evaluate(
            list(tasks),
            model=None,
            log_dir=str(logs),
            log_format="eval",
            display="none",
            max_tasks=len(tasks),
            max_samples=max_samples,
            fail_on_error=False,
            score=False,
            ctl_server=False,
            log_realtime=False,
            log_model_api=False,
        )

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def _task(
    asked: Asked, model: Model, schema: Schema, settings: BaitSettings, watch: Watch, told: Told
) -> Task:
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample

    questions = {f"{one.run.name} {one.item.id}": one for one in asked.questions}
    samples = [
        Sample(
            input=one.item.text,
            id=name,
            metadata={
                "run": one.run.name,
                "article": one.item.id,
                "examples": [example.item.id for example in one.examples],
            },
        )
        for name, one in questions.items()
    ]
    solver = _solver(asked, questions, model, schema, settings, watch, told)
    dataset = MemoryDataset(samples, name="bait")
    return Task(dataset=dataset, solver=solver, model=model, name="bait", fail_on_error=False)


def _solver(
    asked: Asked,
    questions: Mapping[str, Question],
    model: Model,
    schema: Schema,
    settings: BaitSettings,
    watch: Watch,
    told: Told,
) -> Solver:
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    price = watch.limits.prices.get(asked.name)
    secrets = known_key(model)

    # Made here and without arguments: inspect-ai writes a solver's arguments into its log.
    @solver(name="asked_once")
    def asked_once() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            question = questions[str(state.sample_id)]
            journal = asked.journals[question.run.name]
            state.messages = chat_messages(conversation(schema, question.item, question.examples))
            stored = journal.answered(question.item.id)
            if stored is None and not watch.halted(asked.name):
                stored = await ask(state, question, journal.answers.get(question.item.id))
                told(asked.name)
                try:
                    journal.add(question.item.id, stored)
                except SlantError as error:
                    watch.broken = error
                    raise
                if stored.raw is None:
                    watch.failed(asked.name, stored.error or "")
                    raise RuntimeError(stored.error)
                watch.answered(asked.name, stored.usage or {})
            if stored is not None and not state.output.completion:
                state.output = ModelOutput.from_content(asked.name, stored.raw or "")
            return state

        async def ask(
            state: TaskState, question: Question, before: StoredAnswer | None
        ) -> StoredAnswer:
            begin = time.monotonic()
            examples = tuple(one.item.id for one in question.examples)
            try:
                output, structured = await asked_output(state.messages, schema, settings.structured)
            except Exception as error:
                return StoredAnswer(
                    None,
                    scrubbed(_said(error), secrets),
                    attempts_so_far(before),
                    examples,
                    seconds=time.monotonic() - begin,
                )
            state.output = output
            state.messages.append(output.message)
            usage = output.usage.model_dump(exclude_none=True) if output.usage else {}
            if price is not None:
                usage["total_cost"] = cost_of(usage, price)
            unread = output.stop_reason == "model_length" and not usage.get("output_tokens")
            return StoredAnswer(
                None if unread else output.completion,
                f"too long for the model: {output.completion}" if unread else None,
                attempts_so_far(before),
                examples,
                output.model,
                usage,
                time.monotonic() - begin,
                output.stop_reason,
                structured,
            )

        return solve

    return asked_once()


def attempts_so_far(before: StoredAnswer | None) -> int:
    """How often the article was sent: in this sample, and by what was stored before."""
    from inspect_ai.log import transcript

    now = sum(event.event == "model" for event in transcript().events)
    return now + (before.attempts if before is not None else 0)


def _said(error: Exception) -> str:
    """What an error says, without the request that inspect-ai adds, in one line."""
    attempt = getattr(error, "last_attempt", None)
    if attempt is not None and attempt.exception() is not None:
        error = attempt.exception()
    text = getattr(error, "provider_message", None) or str(error)
    return " ".join(f"{type(error).__name__}: {text}".split())[:500]
