"""Models that a run keeps beside its cells: models/TASK/SEED-FOLD, in the Hugging Face format."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slant.data.writing import replacing
from slant.errors import RunError
from slant.runs.folders import whole_folder
from slant.runs.store import cell_path, check_sums, read_json, write_json
from slant.systems.checkpoints import Encoder, load_encoder, quiet_transformers
from slant.systems.finetune import best_epoch, dev_losses
from slant.systems.keeping import Log

if TYPE_CHECKING:
    from slant.runs.engine import Cell

TRAINING = "training.json"
"""The last file written into a kept model's folder, which says how it was trained."""


def model_path(cell: Path) -> Path:
    """Where the model of a cell lies.

    >>> model_path(Path("runs/a/cells/mbib/072/42-0.parquet")).as_posix()
    'runs/a/models/mbib/072/42-0'
    """
    parts = list(cell.parts)
    place = len(parts) - 1 - parts[::-1].index("cells")
    return Path(*parts[:place], "models", *parts[place + 1 : -1], cell.stem)


def is_kept(folder: Path) -> bool:
    """Whether a model lies in a folder, whole and as it was written."""
    if not (folder / TRAINING).is_file() or not (folder / "model.safetensors").is_file():
        return False
    with suppress(RunError):
        check_sums(folder, "")
        return True
    return False


def keep_model(folder: Path, encoder: Encoder, log: Log) -> None:
    """Write a trained model, its tokenizer and its training's log, whole or not at all.

    Raises:
        DiskFull, WorkFailed: it cannot be written.
    """
    facts = {
        "checkpoint": encoder.name,
        "fingerprint": encoder.fingerprint,
        "best_epoch": best_epoch(log),
        "dev_losses": dev_losses(log),
        "log": list(log),
    }
    with whole_folder(folder, f"Keeping a model in '{folder}'") as temporary:
        with quiet_transformers():
            encoder.model.cpu().save_pretrained(temporary)
            encoder.tokenizer.save_pretrained(temporary)
        write_json(temporary / TRAINING, facts)


SAME = ("tasks", "spec", "system", "params", "options", "data", "versions")


def take_over(other: Path, asked: Mapping[str, Any], cells: Sequence[Cell]) -> None:
    """Copy finished cells and models of another run that was asked for the same.

    Args:
        other: its directory.
        asked: the run.json of the run that takes them.
        cells: those that it lacks.
    """
    there = read_json(other / "run.json", "the run") if (other / "run.json").exists() else {}
    if any(there.get(field) != asked[field] for field in SAME):
        return
    for cell in cells:
        path = cell_path(other, cell.task, cell.seed, cell.fold)
        model = model_path(path)
        if not path.exists() or not is_kept(model):
            continue
        own = model_path(cell.path)
        with whole_folder(own, f"Keeping a model in '{own}'") as temporary:
            shutil.copytree(model, temporary, dirs_exist_ok=True)
        for one in (path.with_suffix(".sha256"), path):
            with replacing(cell.path.with_suffix(one.suffix)) as temporary:
                shutil.copyfile(one, temporary)


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model that a run kept: where it lies, and of which seed and fold it is."""

    folder: Path
    task: str
    seed: int
    fold: int

    @property
    def training(self) -> dict[str, Any]:
        """How it was trained: best_epoch, dev_losses, log."""
        return read_json(self.folder / TRAINING, "how a model was trained")

    def encoder(self) -> Encoder:
        """The model with plain attention, which returns its weights."""
        check_sums(self.folder, "The command that trained it makes it again")
        return load_encoder(str(self.folder.resolve()), 0, "eager")


def kept_models(folder: Path, asked: Mapping[str, Any]) -> list[KeptModel]:
    """The models of a run, in the order of its cells.

    Args:
        folder: the run directory.
        asked: of its run.json.

    Raises:
        RunError: it keeps none, or one is missing.
    """
    models = [
        KeptModel(folder / "models" / task / f"{seed}-{fold}", task, seed, fold)
        for task in asked["tasks"]
        for seed in asked["seeds"]
        for fold in range(splits_of(asked))
    ]
    missing = [one.folder.name for one in models if not is_kept(one.folder)]
    if missing:
        none = len(missing) == len(models)
        found = "it keeps no models" if none else f"the models {', '.join(missing)} are missing"
        raise RunError(
            f"Reading the models of the run '{folder}'", found,
            "Train it by `slant train TASK --system encoder:NAME --seeds 5 --out DIR`",
        )  # fmt: skip
    return models


def splits_of(asked: Mapping[str, Any]) -> int:
    """How many folds a run's protocol has."""
    from slant.tasks.options import Options

    return Options(**asked["options"]).splits
