"""A BAIT run: articles, gold, models asked about them at several numbers of examples, baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slant.errors import OptionError
from slant.runs.askedfolders import asked_folder, joined
from slant.runs.baitbaselines import check_baselines, write_baseline
from slant.runs.baitbudget import AskingLimits, check_limits
from slant.runs.baitdata import BaitData, bait_data
from slant.runs.baitfolder import BaitSystem, grown, read_record, systems_of, write_folder
from slant.runs.baitplan import (
    BaitSettings,
    call_estimate,
    check_settings,
    planned_runs,
    questions,
)
from slant.runs.modelruns import (
    Notice,
    Progress,
    asked_questions,
    asking_outcome,
    counted,
    folder_watch,
    opened,
    run_journals,
    unanswered,
)
from slant.runs.results import AskedQuestions
from slant.runs.secretkeys import check_no_secrets, scrubbed
from slant.systems.prompts import answer_form, conversation


def estimate_bait(
    data: BaitData,
    folder: Path,
    models: Sequence[str],
    settings: BaitSettings,
    limits: AskingLimits,
) -> list[dict[str, Any]]:
    """What asking would take, for each model, before anything is sent or written.

    Args:
        data, models, settings, limits: as for `run_bait`.
        folder: whose answers need not be asked for again; it need not exist.

    Returns:
        For each model its "model" and what `call_estimate` gives.
    """
    check_settings(settings, len(data.examples) if models else None)
    grown(folder, settings, data.schema, data.examples)
    found = []
    for name in models:
        journals = run_journals(folder, name, planned_runs(settings))
        asked = unanswered(questions(data.examples, settings), journals)
        estimate = call_estimate(asked, data.schema, data.examples, limits.prices.get(name))
        found.append({"model": name, **estimate})
    return found


def run_bait(
    data: BaitData | str,
    folder: Path | str,
    *,
    models: Sequence[str] = (),
    baselines: Sequence[str] = (),
    settings: BaitSettings | None = None,
    limits: AskingLimits | None = None,
    model_args: Mapping[str, Any] | None = None,
    base_url: str | None = None,
    command: str = "",
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> AskedQuestions:
    """Ask models about articles, keep every answer, and ask nothing twice.

    Rule: the folder is bound to its data, schema, prompt and settings; models, baselines, numbers
    of examples, zero-shot runs and articles may be added. Questions without an answer, those that
    failed before too, are asked; each answer is on disk the moment it arrives.

    Args:
        data: the annotated articles, or what `bait_data` reads: a path, or "bait/sample".
        folder: of the run; made, or gone on with.
        models: as inspect-ai names them, e.g. "openai/gpt-4o".
        baselines: names of `slant.systems.triggerbaselines.BASELINES`.
        settings: of the questions.
        limits: of the asking.
        model_args: for the constructor of each model, e.g. {"max_retries": 0}.
        base_url: of the models' server, where it is not the provider's.
        command: the command, for the record.
        progress: called with (done, total, model).
        notice: called with a line for the person, e.g. that a server is asked again and why.

    Returns:
        "asked", "stored" (answered before), "failed", "left" and "unbegun" (of the left, those of
        runs without any answer; counts), "errors" (the first ones of the failed: model, run,
        article, error), "stopped" (why questions were left, by model).

    Raises:
        OptionError, RunError, DataError, MissingExtra: before anything is sent or written.
        WorkFailed: the disk took no answer. What arrived is kept.
    """
    settings, limits = settings or BaitSettings(), limits or AskingLimits()
    args = dict(model_args or {})
    told = progress or (lambda done, total, what: None)
    names = list(dict.fromkeys(models))
    if not names and not baselines:
        raise OptionError("Running BAIT", "it names no system", "Give --model or --baselines")
    folder, data = Path(folder), bait_data(data) if isinstance(data, str) else data
    check_settings(settings, len(data.examples) if names else None)
    check_limits(limits, names)
    check_no_secrets(args, base_url, names)
    check_baselines(baselines)
    with asked_folder(folder, read_record):
        found = _run(
            data, folder, names, baselines, settings, limits, args, base_url, scrubbed(command),
            told, notice,
        )  # fmt: skip
    return AskedQuestions(found)


def _run(
    data: BaitData,
    folder: Path,
    models: Sequence[str],
    baselines: Sequence[str],
    asked: BaitSettings,
    limits: AskingLimits,
    args: Mapping[str, Any],
    base_url: str | None,
    command: str,
    told: Progress,
    notice: Notice | None,
) -> dict[str, Any]:
    settings = grown(folder, asked, data.schema, data.examples)
    before = systems_of(folder)
    params = {name: str(value) for name, value in args.items()}
    systems = joined(
        folder,
        before,
        [
            *(BaitSystem(name=name, kind="model", params=params) for name in models),
            *(BaitSystem(name=name, kind="baseline") for name in baselines),
        ],
    )
    # The folder may know more runs and articles; this command asks what it names, and no more.
    journals = {name: run_journals(folder, name, planned_runs(asked)) for name in models}
    every = list(questions(data.examples, asked))
    waiting = {name: unanswered(every, journals[name]) for name in models}
    open_models = opened(
        [name for name in models if waiting[name]],
        asked.temperature, asked.max_tokens, limits, args, base_url,
    )  # fmt: skip
    write_folder(
        folder,
        command=command,
        schema=data.schema,
        path=data.path,
        examples=data.examples,
        settings=settings,
        systems=systems,
    )
    for name in baselines:
        write_baseline(name, data.examples, asked.limit, data.schema, folder, told)
    watch = folder_watch(folder, limits, notice)
    if open_models:
        from slant.runs.modelasking import ask

        form, total = answer_form(data.schema), sum(map(len, waiting.values()))
        ask(
            [
                asked_questions(
                    name, model, waiting[name], journals[name], "article",
                    turns=lambda one: conversation(data.schema, one.item, one.examples),
                    form=lambda one: form,
                    text=lambda one: one.item.text,
                )
                for name, model in open_models.items()
            ],
            "bait", asked.structured, limits,
            watch=watch, logs=folder / "logs", told=counted(told, total, next(iter(open_models))),
        )  # fmt: skip
    return asking_outcome(waiting, journals, watch, len(models) * len(every), "article")
