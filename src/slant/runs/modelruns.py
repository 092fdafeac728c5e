"""Runs in which models are asked: what has no answer yet, the asking, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from slant.runs.baitanswers import Journal, StoredAnswer, answers_path
from slant.runs.baitbudget import AskingLimits, Watch
from slant.runs.modelasking import Asked, Query
from slant.systems.turns import Form, Turn

ERRORS_TOLD: Final = 20

Progress = Callable[[float, int, str], None]
"""Called with (done, total, model)."""
Notice = Callable[[str], None]
"""Called with a line for the person."""
Journals = Mapping[str, Journal]
"""Of one system, by run."""


class Run(Protocol):
    """A run, by its name."""

    @property
    def name(self) -> str:
        """Unique in its folder."""


class Question(Protocol):
    """What is asked in a run: about what, and with which worked examples."""

    @property
    def run(self) -> Run:
        """In which it is asked."""

    @property
    def id(self) -> str:
        """Of what it is about."""

    @property
    def example_ids(self) -> tuple[str, ...]:
        """Of the worked examples."""


AnyQuestion = TypeVar("AnyQuestion", bound=Question)


def run_journals(folder: Path, system: str, runs: Iterable[Run]) -> dict[str, Journal]:
    """The answers of a system that a folder has, by run."""
    return {run.name: Journal(answers_path(folder, system, run.name)) for run in runs}


def folder_watch(folder: Path, limits: AskingLimits, notice: Notice | None) -> Watch:
    """What is left of the limits after all answers that a folder has, of whatever system."""
    paths = sorted((folder / "answers").glob("*/*.jsonl"))
    return Watch(limits, [Journal(one) for one in paths], notice)


def unanswered(questions: Iterable[AnyQuestion], journals: Journals) -> list[AnyQuestion]:
    """The questions without an answer, those that failed among them."""
    return [one for one in questions if journals[one.run.name].answered(one.id) is None]


def opened(
    names: Sequence[str],
    temperature: float | None,
    max_tokens: int | None,
    limits: AskingLimits,
    args: Mapping[str, Any],
    base_url: str | None,
) -> dict[str, Any]:
    """Models by name, ready to be asked; nothing is imported where there are none.

    Raises:
        MissingExtra, OptionError: as `slant.runs.baitmodels.opened_model`.
    """
    if not names:
        return {}
    from slant.runs.baitmodels import opened_model

    return {
        name: opened_model(name, temperature, max_tokens, limits, args, base_url) for name in names
    }


def asked_questions(
    name: str,
    model: Any,
    waiting: Sequence[AnyQuestion],
    journals: Journals,
    unit: str,
    turns: Callable[[AnyQuestion], list[Turn]],
    form: Callable[[AnyQuestion], Form],
    text: Callable[[AnyQuestion], str] = lambda one: "",
) -> Asked:
    """What a model is to be asked, its answers going to its journals.

    Args:
        name, model: of the model.
        waiting: its questions without an answer.
        journals: its own.
        unit: what a question is about, for inspect-ai's log: "article", "item".
        turns, form, text: of a question, as `Query` has them.
    """
    by_id = {f"{one.run.name} {one.id}": one for one in waiting}

    def keep(query: Query, answer: StoredAnswer) -> None:
        one = by_id[query.id]
        journals[one.run.name].add(one.id, answer)

    queries = [
        Query(
            id=key,
            turns=partial(turns, one),
            form=form(one),
            examples=one.example_ids,
            before=journals[one.run.name].answers.get(one.id),
            text=text(one),
            facts={"run": one.run.name, unit: one.id},
        )
        for key, one in by_id.items()
    ]
    return Asked(name, model, queries, keep)


def counted(progress: Progress | None, total: int, first: str) -> Callable[[str], None]:
    """A function to call with the name of a model after each of its questions.

    Args:
        progress: told of (done, total, model), at once of the first.
        total: questions.
        first: the model that begins.
    """
    done = 0

    def told(model: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total, model)

    if progress is not None:
        progress(0, total, first)
    return told


def asking_outcome(
    waiting: Mapping[str, Sequence[Question]],
    journals: Mapping[str, Journals],
    watch: Watch,
    planned: int,
    unit: str,
) -> dict[str, Any]:
    """What became of the questions of a command.

    Args:
        waiting: by model, those that had no answer before.
        journals: by model.
        watch: of the asking.
        planned: questions, those answered before included.
        unit: what a question is about, the key of its id among the errors.

    Returns:
        "asked", "stored", "failed", "left", "unbegun" (of the left, those of runs without any
        answer, which are in no score; counts), "errors" (the first of the failed: model, run, unit,
        error), "stopped", "tokens", "cost".
    """
    errors, left, unbegun, failed, asked = [], 0, 0, 0, 0
    for name, several in waiting.items():
        for one in several:
            journal = journals[name][one.run.name]
            found = journal.answers.get(one.id)
            if journal.answered(one.id) is not None:
                asked += 1
            elif found is None:
                left += 1
                unbegun += not journal.answers
            else:
                failed += 1
                errors.append(
                    {"model": name, "run": one.run.name, unit: one.id, "error": found.error or ""}
                )
    return {
        "asked": asked + failed,
        "stored": planned - sum(map(len, waiting.values())),
        "failed": failed,
        "left": left,
        "unbegun": unbegun,
        "errors": errors[:ERRORS_TOLD],
        "stopped": dict(watch.stopped),
        "tokens": watch.tokens,
        "cost": watch.cost or None,
    }
