"""`slant explain`: plausibility and faithfulness of attributions of the models that runs kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import slant
from slant.errors import OptionError, RunError, unknown_name
from slant.explain.methods import METHODS, SLOW
from slant.explain.words import Aggregation
from slant.runs.attributing import (
    Work,
    attribution_path,
    explained_examples,
    loaded,
    read_texts,
    read_work,
    seen_by,
    work_path,
)
from slant.runs.engine import Progress, default_jobs
from slant.runs.erasing import REMOVALS, removal_token, write_work
from slant.runs.explained import Trained, trained_runs
from slant.runs.explanations import explanations
from slant.runs.results import Explanations
from slant.runs.store import only_writer, write_json
from slant.runs.workers import fewer, ready_workers, worked_off

FAST = tuple(name for name in METHODS if name not in SLOW)
AGGREGATIONS: tuple[Aggregation, ...] = ("max", "sum", "mean", "first")
ON_DEV = ("cls-attention", "rollout", "gradient-attention")
"""The paper's three methods, whose AUROC on dev stands in the table of lambdas."""
SAMPLE = 100
RESAMPLES = 1000


def method_list(text: str) -> list[str]:
    """The methods of a comma list: "all", "fast", or names.

    Raises:
        UnknownName: there is no such method. OptionError: there is none.

    >>> method_list("rollout, cls-attention")
    ['rollout', 'cls-attention']
    """
    if text in ("all", "fast"):
        return list(METHODS if text == "all" else FAST)
    names = [part.strip() for part in text.split(",") if part.strip()]
    for name in names:
        if name not in METHODS:
            raise unknown_name("method", name, [*METHODS, "all", "fast"])
    if not names:
        raise OptionError(f"Reading --methods '{text}'", "it names none", "Write all, or names")
    return list(dict.fromkeys(names))


def explain(
    folder: Path | str,
    *,
    methods: Sequence[str] = tuple(METHODS),
    aggregation: Aggregation = "max",
    erase: bool = True,
    sample: int = SAMPLE,
    resamples: int = RESAMPLES,
    seed: int = 42,
    jobs: int | None = None,
    data: Path | None = None,
    fresh: bool = False,
    progress: Progress = lambda done, total, what: None,
) -> Explanations:
    """Explain the models of the runs in a folder, and write explain.json into it.

    Attributions are of test texts that have a marked word; the methods of `SLOW`, and erasure, see
    a sample of them. Every file that is there already is taken as it is.

    Args:
        folder: a run directory whose models are kept, or the folder above several.
        methods: names of `METHODS`.
        aggregation: how scores of tokens become those of words.
        erase: whether words are taken out, too.
        sample: texts of a model that slow methods and erasure see; 0 for all.
        resamples: of the bootstrap over clusters of texts.
        seed: of the bootstrap.
        jobs: processes; None: one per core.
        data: folder with the data; None: SLANT_DATA, then the user's store.
        fresh: make every file again.
        progress: called with (done, total, what).

    Returns:
        The content of explain.json (docs/explanations.md).

    Raises:
        SlantError: see the message.
    """
    folder = Path(folder)
    if aggregation not in AGGREGATIONS:
        raise unknown_name("aggregation", aggregation, AGGREGATIONS)
    runs = trained_runs(folder, data)
    check_alike(folder, runs)
    for run in runs:
        _check_model(run, methods)
    with only_writer(folder):
        works = [one for run in runs for one in works_of(run, methods, aggregation, erase, sample)]
        todo = [one for one in works if fresh or read_work(one.path) is None]
        workers = fewer(ready_workers(jobs, default_jobs(), "processes", None, 0), len(todo))
        done = len(works) - len(todo)
        progress(done, len(works), "resumed" if done else "")
        # Erasure reads the attributions of its model: those come first.
        for wave in (
            [one for one in todo if one.kind != "erasure"],
            [one for one in todo if one.kind == "erasure"],
        ):
            for one in worked_off(write_work, wave, workers):
                done += 1
                progress(done, len(works), f"{one.trained.name} {one.model.seed} {one.name}")
        found = explanations(runs, works, aggregation, sample, resamples, seed, data)
        found = {"slant": slant.__version__, **found}
        write_json(folder / "explain.json", found)
    return Explanations(found)


def check_alike(folder: Path, runs: Sequence[Trained]) -> None:
    """Refuse runs that cannot stand in one table: of other tasks, protocols or data.

    Raises:
        RunError: two of them differ.
    """
    first = runs[0]
    for run in runs[1:]:
        for field in ("tasks", "options"):
            if run.record[field] != first.record[field]:
                found = f"'{first.name}' and '{run.name}' have other {field}"
                do = "Put runs of one task and protocol below one folder"
                raise RunError(f"Explaining the models in '{folder}'", found, do)


def _check_model(run: Trained, methods: Sequence[str]) -> None:
    """Let each method explain one text before long work starts on them all."""
    model = run.models[0]
    examples = explained_examples(run, model, "test", 0)
    if not examples:
        found = f"no test text of '{run.name}' has a marked word"
        do = "Train on a task with marked words, such as babe"
        raise RunError(f"Explaining the models in '{run.folder}'", found, do)
    encoder = loaded(model)
    (text,) = read_texts(run, encoder, [min(examples, key=lambda one: len(one.item.text))])
    for name in methods:
        METHODS[name](encoder, [text.tokens.ids.astype("int32")], 0)


def works_of(
    run: Trained, methods: Sequence[str], aggregation: Aggregation, erase: bool, sample: int
) -> list[Work]:
    """The files that explaining the models of a run takes."""
    works = []
    for model in run.models:
        for name in methods:
            path = attribution_path(run, model, name, "test", sample)
            some = seen_by(name, sample)
            works.append(Work(run, model, "attribution", name, "test", some, path))
        for name in ON_DEV:
            if name in methods:
                path = attribution_path(run, model, name, "dev", 0)
                works.append(Work(run, model, "attribution", name, "dev", 0, path))
        path = work_path(run, model, "probability", "whole", "dev")
        works.append(Work(run, model, "probability", "whole", "dev", 0, path))
        if erase:
            works += _erasures(run, model, works[-1], tuple(methods), aggregation, sample)
    return works


def _erasures(
    run: Trained,
    model: Any,
    like: Work,
    methods: tuple[str, ...],
    aggregation: Aggregation,
    sample: int,
) -> list[Work]:
    made = []
    for removal in REMOVALS:
        try:
            removal_token(loaded(run.models[0]), removal)
        except OptionError:
            continue
        path = work_path(run, model, "erasure", removal, "test", sample, methods, aggregation)
        made.append(
            replace(
                like, kind="erasure", name=removal, part="test", sample=sample, path=path,
                methods=methods, aggregation=aggregation,
            )
        )  # fmt: skip
    return made
