"""Head circuits of all models below a folder: checked, measured, summed up in circuit.json."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import slant
from slant.errors import DataError
from slant.explain.hooks import blocks_of
from slant.explain.patching import readout_logits
from slant.explain.readouts import own_readout
from slant.runs.circuitscores import LEVEL
from slant.runs.circuitsettings import (
    KS,
    SHARES,
    CircuitSettings,
    check_sizes,
    checked_settings,
)
from slant.runs.circuitsummary import Shape, model_summary
from slant.runs.circuittexts import versions_of, vocabulary_for
from slant.runs.circuitwork import Job
from slant.runs.engine import Cell, Progress, default_jobs
from slant.runs.explained import Trained, parts_of, trained_runs, with_marks
from slant.runs.headcircuits import Files, measured
from slant.runs.results import Circuits
from slant.runs.run import quiet
from slant.runs.steps import watched_steps
from slant.runs.store import only_writer, write_json
from slant.runs.workers import PROCESSES, fewer, ready_workers, worked_off
from slant.systems import fitting_workers
from slant.systems.checkpoints import Encoder

FILE = "circuit.json"


def circuit(
    folder: Path | str,
    *,
    k: Sequence[int] = KS,
    shares: Sequence[float] = SHARES,
    corruption: str = "resample",
    readout: str = "probe",
    scale: str = "logit",
    ranking: str = "signed",
    draws: int = 10,
    patching: str = "exact",
    with_attribution: bool = True,
    sample: int = 0,
    resamples: int = 1000,
    seed: int = 42,
    jobs: int | None = None,
    data: Path | None = None,
    fresh: bool = False,
    progress: Progress = quiet,
) -> Circuits:
    """Find the heads that carry what experts marked, and verify them on other texts.

    What each choice changes stands in docs/circuits.md, the protocol in `headcircuits`. Raw results
    lie in each run directory below circuits/; those that are there are not made again.

    Args:
        folder: a run directory, or the folder above several, trained with their models kept.
        k, shares: sizes of circuits, in heads and as shares of the model's heads.
        corruption: "resample", "mask" or "unknown".
        readout: "probe" or "head".
        scale: "logit" or "probability".
        ranking: "signed" or "absolute".
        draws: random sets of heads of each size.
        patching: "exact", or "attribution" to rank heads by the gradient's estimate.
        with_attribution: with exact effects, estimate them too.
        sample: texts with marked words of each part that a model is asked for; 0 for all.
        resamples: of the bootstrap.
        seed: of all that is drawn.
        jobs: processes; None: as many as cores, or as memory holds.
        data: folder with the data; None: SLANT_DATA, then the user's store.
        fresh: throw away circuit.json and all raw results first.
        progress: called with models done (a fraction inside one), models in all, and what is done.

    Returns:
        The content of FOLDER/circuit.json, which is written.

    Raises:
        SlantError: bad options, data or models, before the long work starts; or see `measured`.
    """
    settings = checked_settings(
        CircuitSettings(
            k=tuple(k),
            shares=tuple(shares),
            corruption=corruption,  # type: ignore[arg-type]
            readout=readout,  # type: ignore[arg-type]
            scale=scale,  # type: ignore[arg-type]
            ranking=ranking,  # type: ignore[arg-type]
            draws=draws,
            patching=patching,  # type: ignore[arg-type]
            with_attribution=with_attribution,
            sample=sample,
            resamples=resamples,
            seed=seed,
        )
    )
    # Absolute: processes that joblib kept from an earlier run may stand in another folder.
    runs = trained_runs(Path(folder).resolve(), data)
    shapes = []
    for number, one in enumerate(runs):
        progress(number, len(runs), f"checking {one.name}")
        shapes.append(_checked(one, settings))
    todo = [
        Job(one, model, settings, shape.total)
        for one, shape in zip(runs, shapes, strict=True)
        for model in one.models
    ]
    if jobs is None:
        most = min(
            fitting_workers(f"encoder:{one.models[0].folder}", default_jobs()) for one in runs
        )
    else:
        most = jobs
    workers = fewer(ready_workers(jobs, most, PROCESSES, None, 0), len(todo))
    with only_writer(Path(folder)):
        if fresh:
            for one in runs:
                shutil.rmtree(one.folder / "circuits", ignore_errors=True)
            (Path(folder) / FILE).unlink(missing_ok=True)
        left = _worked(todo, workers, progress)
        summaries = {
            one.name: model_summary(one, shape, settings, [left[m.folder] for m in one.models])
            for one, shape in zip(runs, shapes, strict=True)
        }
        content = _content(settings, runs[0].models[0].task, summaries)
        write_json(Path(folder) / FILE, content)
    return Circuits(content)


def _content(settings: CircuitSettings, task: str, models: Mapping[str, Any]) -> dict[str, Any]:
    """What circuit.json says."""
    return {
        "slant": slant.__version__,
        "level": LEVEL,
        "resamples": settings.resamples,
        "task": task,
        "corruption": settings.corruption,
        "readout": settings.readout,
        "scale": settings.scale,
        "ranking": settings.ranking,
        "patching": settings.patching,
        "seed": settings.seed,
        "discovery": "dev",
        "verification": "test",
        "draws": settings.draws,
        "sample": settings.sample,
        "models": dict(models),
    }


def _worked(todo: Sequence[Job], workers: Any, progress: Progress) -> dict[Path, Files]:
    """The files of each model, by its folder."""
    cells = [
        Cell(job.trained.name, job.model.seed, job.model.fold, Path(), job.path) for job in todo
    ]
    left: dict[Path, Files] = {}
    with watched_steps(cells, progress) as told:
        for job, files in worked_off(measured, todo, workers):
            left[job.model.folder] = files
            name = f"{job.trained.name} {job.model.seed}-{job.model.fold}"
            told(len(left), len(todo), name)
    return left


def _checked(trained: Trained, settings: CircuitSettings) -> Shape:
    """What heads a run's models have, once it is sure that nothing will stop the long work."""
    encoder = trained.models[0].encoder()
    blocks = blocks_of(encoder.model)
    shape = Shape(
        tuple(block.name for block in blocks),
        tuple(block.heads for block in blocks),
        len({id(block.layer) for block in blocks}),
    )
    check_sizes(settings.k, shape.total, trained.name)
    for number in range(len(trained.models)):
        _check_parts(trained, number, encoder, settings)
    return shape


def _check_parts(
    trained: Trained, number: int, encoder: Encoder, settings: CircuitSettings
) -> None:
    model = trained.models[number]
    asked = f"Finding the circuits of '{trained.name}', seed {model.seed}, fold {model.fold}"
    parts = parts_of(trained, model)
    vocabulary = vocabulary_for(encoder, parts.train)
    for name in ("train", "dev", "test"):
        examples = getattr(parts, name)
        if name != "dev" and len({one.gold.biased for one in examples}) < 2:
            found = f"the labels of its {name} part are of one class"
            raise DataError(asked, found, "Train on texts of both classes")
        if name == "train":
            continue
        marked = with_marks(examples)
        texts = versions_of(
            encoder, marked, vocabulary, settings.corruption, trained.max_length, settings.seed
        )
        if not texts.changed.any():
            read = ", at least none that the model reads" if marked else ""
            found = f"no text of its {name} part has a marked word{read}"
            raise DataError(asked, found, "Train on a task with marked words, such as babe")
        if name == "test" and number == 0 and settings.readout == "head":
            readout_logits(encoder.model, texts.clean[:1], own_readout(encoder.model))
