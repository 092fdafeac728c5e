"""A ViLBias run: models asked about pairs of text and image, closed and open-ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from slant.errors import OptionError
from slant.runs.askedfolders import asked_folder, joined
from slant.runs.baitbudget import AskingLimits, check_limits
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
from slant.runs.vilbiasdata import Pair, VilbiasData, vilbias_data
from slant.runs.vilbiasfolder import (
    AskedSystem,
    grown,
    prepared_images,
    read_record,
    write_folder,
)
from slant.runs.vilbiasplan import (
    Question,
    VilbiasSettings,
    call_estimate,
    check_settings,
    planned_runs,
    questions,
)
from slant.systems.pairprompts import answer_form, pair_conversation
from slant.systems.turns import Turn


def estimate_vilbias(
    data: VilbiasData,
    folder: Path,
    models: Sequence[str],
    settings: VilbiasSettings,
    limits: AskingLimits,
) -> list[dict[str, Any]]:
    """What asking would take, for each model, before anything is sent or written.

    Args:
        data, models, settings, limits: as for `run_vilbias`.
        folder: whose answers need not be asked for again; it need not exist.

    Returns:
        For each model its "model" and what `call_estimate` gives.
    """
    check_settings(settings)
    grown(folder, settings, data)
    found = []
    for name in models:
        journals = run_journals(folder, name, planned_runs(settings))
        waiting = unanswered(questions(data.pairs, settings), journals)
        found.append({"model": name, **call_estimate(waiting, settings, limits.prices.get(name))})
    return found


def run_vilbias(
    data: VilbiasData | str,
    folder: Path | str,
    *,
    models: Sequence[str],
    settings: VilbiasSettings | None = None,
    limits: AskingLimits | None = None,
    model_args: Mapping[str, Any] | None = None,
    base_url: str | None = None,
    command: str = "",
    progress: Progress | None = None,
    notice: Notice | None = None,
    first: Callable[[], None] | None = None,
) -> AskedQuestions:
    """Ask models about pairs of text and image, keep every answer, and ask nothing twice.

    Rule: the folder is bound to its data, split, prompts, images and settings; models, questions
    (closed, open), numbers and draws of examples and pairs may be added. Questions without an
    answer, those that failed before too, are asked; each answer is on disk the moment it arrives.

    Args:
        data: the pairs, split, or what `vilbias_data` reads: a task of pairs, or a file.
        folder: of the run; made, or gone on with.
        models: as inspect-ai names them, e.g. "openai/gpt-4o".
        settings: of the questions.
        limits: of the asking.
        model_args: for the constructor of each model, e.g. {"max_retries": 0}.
        base_url: of the models' server, where it is not the provider's.
        command: the command, for the record.
        progress: called with (done, total, model).
        notice: called with a line for the person, e.g. that a server is asked again and why.
        first: called before the first question, where any is to be asked; its error ends all.

    Returns:
        "asked", "stored" (answered before), "failed", "left" and "unbegun" (of the left, those of
        runs without any answer; counts), "without_image" (pairs asked about as text alone),
        "errors" (the first of the failed: model, run, item, error), "stopped" (why questions were
        left, by model), "tokens", "cost".

    Raises:
        OptionError, RunError, DataError, MissingExtra: before anything is sent or written.
        WorkFailed: the disk took no answer. What arrived is kept.
    """
    settings, limits = settings or VilbiasSettings(), limits or AskingLimits()
    args = dict(model_args or {})
    names = list(dict.fromkeys(models))
    if not names:
        raise OptionError("Running ViLBias", "it names no model", "Give --model")
    check_settings(settings)
    check_limits(limits, names)
    check_no_secrets(args, base_url, names)
    folder, data = Path(folder), vilbias_data(data) if isinstance(data, str) else data
    with asked_folder(folder, read_record):
        found = _run(
            data, folder, names, settings, limits, args, base_url, scrubbed(command), progress,
            notice, first,
        )  # fmt: skip
    return AskedQuestions(found)


def _run(
    data: VilbiasData,
    folder: Path,
    names: Sequence[str],
    asked: VilbiasSettings,
    limits: AskingLimits,
    args: Mapping[str, Any],
    base_url: str | None,
    command: str,
    progress: Progress | None,
    notice: Notice | None,
    first: Callable[[], None] | None,
) -> dict[str, Any]:
    settings = grown(folder, asked, data)
    record = read_record(folder)
    params = {name: str(value) for name, value in args.items()}
    systems = joined(
        folder,
        record.systems if record is not None else (),
        [AskedSystem(name=name, params=params) for name in names],
        "model",
    )
    # The folder may know more runs and pairs; this command asks what it names, and no more.
    journals = {name: run_journals(folder, name, planned_runs(asked)) for name in names}
    every = list(questions(data.pairs, asked))
    waiting = {name: unanswered(every, journals[name]) for name in names}
    pairs = _shown(data, settings)
    images = prepared_images(pairs, settings.image_side) if settings.images else {}
    models = opened(
        [name for name in names if waiting[name]],
        asked.temperature, asked.max_tokens, limits, args, base_url,
    )  # fmt: skip
    if models and first is not None:
        first()
    write_folder(
        folder,
        command=command,
        data=data,
        pairs=pairs,
        images=images,
        settings=settings,
        systems=systems,
    )
    watch = folder_watch(folder, limits, notice)
    if models:
        from slant.runs.modelasking import ask

        total = sum(map(len, waiting.values()))
        ask(
            [
                asked_questions(
                    name, model, waiting[name], journals[name], "item",
                    turns=lambda one: _turns(one, images),
                    form=lambda one: answer_form(one.run.mode),
                )
                for name, model in models.items()
            ],
            "vilbias", asked.structured, limits,
            watch=watch, logs=folder / "logs", told=counted(progress, total, next(iter(models))),
        )  # fmt: skip
    found = asking_outcome(waiting, journals, watch, len(names) * len(every), "item")
    tested = data.tested[: asked.limit]
    return {**found, "without_image": sum(one.id not in images for one in tested)}


def _shown(data: VilbiasData, settings: VilbiasSettings) -> list[Pair]:
    """The pairs that are asked about or are examples of a whole folder, in their order."""
    ids = set()
    for one in questions(data.pairs, settings):
        ids |= {one.pair.id, *(example.id for example in one.examples)}
    return [one for one in data.pairs if one.id in ids]


def _turns(question: Question, images: Mapping[str, bytes]) -> list[Turn]:
    examples = [
        (one.text, images.get(one.id), one.label, one.rationale) for one in question.examples
    ]
    pair = question.pair
    return pair_conversation(question.run.mode, pair.text, images.get(pair.id), examples)
