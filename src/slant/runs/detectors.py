"""`slant train`: one fine-tuned detector, scored, calibrated, and kept as a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import slant
from slant.errors import DataError, OptionError
from slant.runs.calibration import calibrated, chosen_threshold, fitted_temperature
from slant.runs.engine import Progress
from slant.runs.folders import FACTS, building, check_place, detector_facts
from slant.runs.modelcards import model_card
from slant.runs.store import check_sums, write_json
from slant.systems.checkpoints import Encoder, load_encoder, quiet_transformers
from slant.systems.runtimes import said_of, torch_windows
from slant.tasks.options import chosen_options
from slant.tasks.prepare import Prepared, examples_of, fingerprint, members_used, prepared
from slant.tasks.protocols import DEV, TEST, TRAIN, fold_of
from slant.tasks.transfer import refuse_transfer
from slant.types import Array, Example, Floats

STUDENT = "cascade.safetensors"
BOUNDS = (0.005, 0.01, 0.02, 0.05)
SAMPLE = 20_000
"""Texts of a corpus that a cascade is taught on, at most."""


@dataclass(frozen=True, slots=True)
class Detector:
    """A kept detector in memory.

    Fields:
        folder: where it lies.
        facts: of its detector.json.
        encoder: tokenizer and model.
    """

    folder: Path
    facts: Mapping[str, Any]
    encoder: Encoder

    @property
    def name(self) -> str:
        """Its folder's name with the start of its fingerprint, "racial#3f2a91c0"."""
        return f"{self.folder.resolve().name}#{self.encoder.fingerprint[:8]}"


def load_detector(folder: Path | str) -> Detector:
    """A kept detector, ready to predict on the processor.

    Raises:
        DataError: the folder is not as `slant train` writes it. RunError: a file of it is damaged.
    """
    folder = Path(folder)
    facts = detector_facts(folder)
    check_sums(folder, "Restore it, or train it again with --fresh")
    return Detector(folder, facts, load_encoder(str(folder.resolve()), 0))


def train_detector(
    task: str,
    system: str,
    out: Path | str,
    *,
    params: Mapping[str, Any] | None = None,
    preset: str = "clean",
    options: Mapping[str, str] | None = None,
    seed: int = 42,
    run: Path | str | None = None,
    distil: Path | str | None = None,
    text: str | None = None,
    sample: int = SAMPLE,
    max_disagreement: float = 0.01,
    data: Path | None = None,
    fresh: bool = False,
    progress: Progress = lambda done, total, what: None,
    command: str = "",
) -> Path:
    """Train one detector on a task and keep it as a folder in the Hugging Face format.

    Fold 0 of the protocol says who is who. Dev stops the training and sets temperature and
    threshold. Without `run` the detector learns from the fold's train and its scores are those of
    itself on the fold's test. With `run`, the run of the same system on the same folds, it learns
    from train and test, and its scores are the run's, of detectors trained on less.

    Args:
        task: one name, e.g. "mbib/racial-bias".
        system: "encoder:NAME".
        out: the folder to write; must not be there.
        params: of the system. preset, options, data: as for `run`.
        seed: of balance, folds and training.
        run: a run directory to take the scores from.
        distil: a corpus of unlabelled texts to teach the cascade on. text: its column.
        sample: texts of it that are taken at most.
        max_disagreement: bound shown in the card for the cascade.
        fresh: replace a detector that is there.
        progress: called with (done, total, what).
        command: the command line, for the record.

    Returns:
        The folder.

    Raises:
        SlantError: see the message; nothing is half-written.
    """
    from slant.runs.recipes import checked_recipe, run_scores, test_scores
    from slant.systems.encoder import one_thread
    from slant.systems.finetuned import trained_encoder
    from slant.systems.steps import listening
    from slant.tasks.names import task_names

    folder = Path(out)
    check_place(folder, fresh)
    recipe = checked_recipe(system, params or {})
    names, _ = task_names([task], data)
    chosen = chosen_options(preset, options or {}, names)
    refuse_transfer(chosen, f"Training a detector on '{task}'")
    if len(names) != 1:
        found = f"it names {len(names)} tasks, a detector has one"
        raise OptionError(f"Training a detector on '{task}'", found, f"Give one, as {names[0]}")
    corpus = None
    if distil is not None:
        from slant.data.streams import open_corpus

        corpus = open_corpus(Path(distil), text, None)
    progress(0, 4, "preparing")
    ready = prepared(names[0], chosen, seed, data, {})
    taken = None if run is None else run_scores(Path(run), names[0], recipe.name, chosen, ready)
    examples, roles = _parts(ready)
    if taken is not None:
        roles = np.where(roles == TEST, TRAIN, roles)
    fold = fold_of(examples, roles)
    progress(1, 4, f"training on {len(fold.train)} texts")
    with one_thread(), listening(lambda share, what: progress(1 + share, 4, f"training: {what}")):
        encoder, log = trained_encoder(
            recipe.checkpoint, [fold], recipe.settings, seed, recipe.max_length, recipe.long
        )
    progress(2, 4, "calibrating and scoring")

    def probability(some: Sequence[str]) -> Floats:
        windows = torch_windows(encoder)
        return said_of(encoder, some, recipe.max_length, recipe.long, windows).probability

    dev = [one.item.text for one in fold.dev]
    gold = np.array([one.gold.biased for one in fold.dev], dtype=np.int64)
    on_dev = probability(dev)
    temperature = fitted_temperature(on_dev, gold)
    threshold = chosen_threshold(calibrated(on_dev, temperature), gold)
    held = [e for e, role in zip(examples, roles.tolist(), strict=True) if role == TEST]
    on_test = calibrated(probability([one.item.text for one in held]), temperature)
    scores = taken or test_scores(ready, chosen, seed, on_test, threshold, recipe.name)
    facts: dict[str, Any] = {
        "task": names[0],
        "labels": ["non-biased", "biased"],
        "temperature": temperature,
        "threshold": threshold,
        "max_length": recipe.max_length,
        "long": recipe.long,
        "system": recipe.name,
        "base": recipe.checkpoint,
        "signature": scores["signature"],
        "slant": slant.__version__,
        "data_fingerprint": fingerprint([ready]),
        "data": members_used([ready]),
        "options": asdict(chosen),
        "seed": seed,
        "rows": {"train": len(fold.train), "dev": len(fold.dev), "test": len(held)},
        "epochs": [entry for entry in log if "eval_loss" in entry],
        "scores": scores,
        "command": command,
    }
    with building(folder, fresh) as temporary:
        if corpus is not None:
            progress(3, 4, "teaching the cascade")
            labelled = held or list(fold.dev)
            facts["cascade"] = _taught(
                corpus.batches(1000), sample, probability, facts, labelled,
                on_test if held else calibrated(on_dev, temperature),
                max_disagreement, temporary, "test" if held else "dev",
            )  # fmt: skip
        _save(encoder, recipe.max_length, temporary)
        write_json(temporary / FACTS, facts)
        (temporary / "README.md").write_text(model_card(facts, folder.name), "utf-8")
    progress(4, 4, "kept")
    return folder


def _parts(ready: Prepared) -> tuple[list[Example], Array]:
    import polars as pl

    rows = pl.read_parquet(ready.rows, glob=False)
    roles = rows["role_0"].to_numpy().astype(np.int64)
    if not (roles == DEV).any():
        raise DataError(
            f"Training a detector on '{ready.task}'", "its development part is empty",
            "Give a task with more texts",
        )  # fmt: skip
    return examples_of(rows), roles


def _taught(
    batches: Iterator[Any], sample: int, probability: Any, facts: Mapping[str, Any],
    labelled: Sequence[Example], said: Floats, bound: float, folder: Path, part: str,
) -> dict[str, Any]:  # fmt: skip
    """Teach the cascade, save it, and say what it costs at several bounds."""
    from slant.runs.cascade import (
        chosen_bands,
        measured,
        sample_of,
        save_student,
        taught_student,
    )

    texts = sample_of((text for batch in batches for text in batch.texts), sample)
    student = taught_student(texts, calibrated(probability(texts), facts["temperature"]))
    save_student(student, folder / STUDENT)
    gold = np.array([one.gold.biased for one in labelled], dtype=np.int64)
    own = [one.item.text for one in labelled]
    rows = []
    for one in sorted({*BOUNDS, bound}):
        bands = chosen_bands(student, facts["threshold"], one)
        found = measured(student, bands, own, said, gold, facts["threshold"])
        rows.append({"bound": one, **found})
    return {"taught_on": len(texts), "chosen_on": len(student.scores), "part": part, "rows": rows}


def _save(encoder: Encoder, max_length: int, folder: Path) -> None:
    encoder.tokenizer.model_max_length = max_length
    with quiet_transformers():
        encoder.model.cpu().save_pretrained(folder)
        encoder.tokenizer.save_pretrained(folder)
