"""Conversations put to language models through inspect-ai; each reply is on disk before the next
step.

Importing inspect-ai takes seconds, so that only functions do it.
"""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from slant.data.writing import check_room
from slant.errors import SlantError, WorkFailed
from slant.runs.baitanswers import StoredAnswer
from slant.runs.baitbudget import AskingLimits, Watch, cost_of
from slant.runs.baitmodels import known_key, watch_attempts
from slant.runs.baitplan import Structured
from slant.runs.modelmessages import chat_messages, formed_output, said_by
from slant.runs.secretkeys import scrubbed
from slant.systems.turns import Form, Turn

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model
    from inspect_ai.solver import Generate, Solver, TaskState


@dataclass(frozen=True, slots=True)
class Query:
    """One conversation that a model is to answer.

    Fields:
        id: unique among those of its model.
        turns: makes the conversation, once it is its turn: images are not held for all.
        form: of the answer.
        examples: ids of the worked examples.
        before: what came back at an earlier try, for the count of attempts.
        text: what inspect-ai's log shows as the input, else the id.
        facts: for inspect-ai's log.
    """

    id: str
    turns: Callable[[], list[Turn]]
    form: Form
    examples: tuple[str, ...] = ()
    before: StoredAnswer | None = None
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """What one model is to be asked.

    Fields:
        name: of the model, as inspect-ai has it, e.g. "openai/gpt-4o".
        model: opened.
        queries: those without an answer.
        keep: called with each query and what came back; its SlantError ends everything.
        again: what is sent where a reply is of no use: called with the query, the reply and the
            number of the next try, it gives None where the reply stands.
    """

    name: str
    model: Model
    queries: Sequence[Query]
    keep: Callable[[Query, StoredAnswer], None]
    again: Callable[[Query, StoredAnswer, int], list[Turn] | None] = lambda query, reply, number: (
        None
    )


def ask(
    asked: Sequence[Asked],
    what: str,
    structured: Structured,
    limits: AskingLimits,
    *,
    watch: Watch,
    logs: Path,
    told: Callable[[str], None],
) -> None:
    """Put queries to models, all models side by side; each answer is kept as it arrives.

    Args:
        asked: by model.
        what: name of inspect-ai's task.
        structured: send the form of an answer: where the provider takes it, always, never.
        limits: of the asking.
        watch: counts; its `stopped` says afterwards why queries were left.
        logs: folder for inspect-ai's own logs, which are written without images.
        told: called with the model after each query, answered or not.

    Raises:
        WorkFailed: the disk took no answer, or inspect-ai ended with an error.
        KeyboardInterrupt: interrupted; what arrived is kept.
    """
    for one in asked:
        watch_attempts(one.model, one.name, watch)
    tasks = [_task(one, what, structured, watch, told) for one in asked]
    found = evaluated(tasks, logs, limits.max_connections)
    if watch.broken is not None:
        raise watch.broken
    # After Ctrl-C inspect-ai returns the logs of the tasks that had ended, and raises nothing.
    if len(found) < len(tasks) or any(log.status == "cancelled" for log in found):
        raise KeyboardInterrupt
    for log in found:
        if log.status != "success":
            # inspect-ai keeps a log of its own, and says nothing of a disk that did not take it.
            check_room(logs if logs.is_dir() else logs.parent)
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
        with warnings.catch_warnings():
            # Said of every answer that has a key of another type than the provider's.
            warnings.filterwarnings("ignore", "Pydantic serializer warnings")
            return evaluate(
                list(tasks),
                model=None,
                log_dir=str(logs),
                log_format=log_format(time.time()),
                display="none",
                max_tasks=len(tasks),
                max_samples=max_samples,
                fail_on_error=False,
                score=False,
                ctl_server=False,
                log_realtime=False,
                log_model_api=False,
                log_images=False,
            )

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def log_format(now: float) -> Literal["eval", "json"]:
    """The form of inspect-ai's log: zip, which knows no time before 1980 as a machine without a
    battery has it, else JSON.

    Args:
        now: seconds since 1970.

    >>> log_format(0.0), log_format(1.8e9)
    ('json', 'eval')
    """
    return "eval" if time.gmtime(now).tm_year > 1980 else "json"


def _task(
    asked: Asked, what: str, structured: Structured, watch: Watch, told: Callable[[str], None]
) -> Task:
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample

    queries = {one.id: one for one in asked.queries}
    samples = [
        Sample(
            input=one.text or name,
            id=name,
            metadata={**one.facts, "examples": list(one.examples)},
        )
        for name, one in queries.items()
    ]
    solver = _solver(asked, queries, structured, watch, told)
    dataset = MemoryDataset(samples, name=what)
    return Task(dataset=dataset, solver=solver, model=asked.model, name=what, fail_on_error=False)


def _solver(
    asked: Asked,
    queries: Mapping[str, Query],
    structured: Structured,
    watch: Watch,
    told: Callable[[str], None],
) -> Solver:
    from inspect_ai.solver import solver

    price = watch.limits.prices.get(asked.name)
    secrets = known_key(asked.model)

    # Made here and without arguments: inspect-ai writes a solver's arguments into its log.
    @solver(name="asked_once")
    def asked_once() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            query = queries[str(state.sample_id)]
            if watch.halted(asked.name):
                return state
            turns, number = query.turns(), 1
            spent: dict[str, float] = {}
            while True:
                reply = await once(state, query, turns, spent)
                more = None if reply.raw is None else asked.again(query, reply, number + 1)
                if more is None or watch.halted(asked.name):
                    break
                turns, number = more, number + 1
            told(asked.name)
            try:
                asked.keep(query, reply)
            except SlantError as error:
                watch.broken = error
                raise
            if reply.raw is None:
                watch.failed(asked.name, reply.error or "")
                raise RuntimeError(reply.error)
            watch.answered(asked.name, reply.usage or {})
            return state

        async def once(
            state: TaskState, query: Query, turns: list[Turn], spent: dict[str, float]
        ) -> StoredAnswer:
            """One try; `spent` adds up what all tries of the query took."""
            begin = time.monotonic()
            state.messages = chat_messages(turns)
            try:
                output, formed = await formed_output(
                    asked.model, state.messages, query.form, structured
                )
            except Exception as error:
                return StoredAnswer(
                    None,
                    scrubbed(said_by(error), secrets),
                    _attempts(query.before),
                    query.examples,
                    usage=dict(spent),
                    seconds=time.monotonic() - begin,
                )
            watch.connected(asked.name)
            state.output = output
            state.messages.append(output.message)
            usage = output.usage.model_dump(exclude_none=True) if output.usage else {}
            if price is not None:
                usage["total_cost"] = cost_of(usage, price)
            for name, amount in usage.items():
                spent[name] = spent.get(name, 0) + amount
            unread = output.stop_reason == "model_length" and not usage.get("output_tokens")
            return StoredAnswer(
                None if unread else output.completion,
                f"too long for the model: {output.completion}" if unread else None,
                _attempts(query.before),
                query.examples,
                output.model,
                dict(spent),
                time.monotonic() - begin,
                output.stop_reason,
                formed,
            )

        return solve

    return asked_once()


def _attempts(before: StoredAnswer | None) -> int:
    """How often a query was sent: in this sample, and by what was stored before."""
    from inspect_ai.log import transcript

    now = sum(event.event == "model" for event in transcript().events)
    return now + (before.attempts if before is not None else 0)
