"""What models of a run are explained on: their own train, dev and test, with marked words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from slant.errors import RunError
from slant.runs.kept import KeptModel, kept_models
from slant.runs.records import read_record
from slant.runs.scoring import prepared_again
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, examples_of
from slant.tasks.protocols import DEV, TEST, TRAIN
from slant.types import Example, Span


@dataclass(frozen=True, slots=True)
class Trained:
    """A run that kept its models.

    Fields:
        name: of its folder: what tables and figures call it.
        folder: the run directory.
        record: its run.json.
        models: one of each seed and fold.
        ready: its task, prepared, for each seed.
    """

    name: str
    folder: Path
    record: Mapping[str, Any]
    models: tuple[KeptModel, ...]
    ready: tuple[Prepared, ...]

    @property
    def system(self) -> str:
        """The versioned name of the system, without its parameters."""
        return str(self.record["system"]).partition("(")[0]

    @property
    def max_length(self) -> int:
        """Tokens of a text, special ones included."""
        return int(self.record["params"].get("max_length", 128))


@dataclass(frozen=True, slots=True)
class Parts:
    """The texts of one model, gold labels and marked words with them."""

    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    test: tuple[Example, ...]


def trained_runs(folder: Path | str, data: Path | None = None) -> list[Trained]:
    """The runs with models that lie in a directory: itself, or those below it.

    Args:
        folder: a run directory, or the folder above several.
        data: folder with the data; None: SLANT_DATA, then the user's store.

    Returns:
        In the order of their names.

    Raises:
        RunError: there is none, one has several tasks, models are missing, or the data are not
            those of the run. DataError: no text has a marked word.
    """
    folder = Path(folder)
    found = [folder] if (folder / "run.json").exists() else sorted(folder.glob("*/run.json"))
    folders = [path.parent if path.name == "run.json" else path for path in found]
    kept = [one for one in folders if (one / "models").is_dir()]
    asked = f"Explaining the models in '{folder}'"
    if not kept:
        found_there = "there is no such folder" if not folder.is_dir() else "no run there has any"
        do = "Train some: slant train babe --system encoder:minilm --seeds 5 --out DIR"
        raise RunError(asked, found_there, do)
    trained = []
    for one in kept:
        record = read_record(one)
        if len(record["tasks"]) != 1:
            do = "Train on one task with marked words, such as babe"
            raise RunError(asked, f"'{one}' has {len(record['tasks'])} tasks", do)
        ready = prepared_again(one, record, Options(**record["options"]), data)
        models = tuple(kept_models(one, record))
        trained.append(Trained(one.name, one, record, models, tuple(ready)))
    return trained


def parts_of(trained: Trained, model: KeptModel) -> Parts:
    """The texts that a model was trained, chosen and tested on."""
    return _parts(rows_of(trained, model), model.fold)


def rows_of(trained: Trained, model: KeptModel) -> Path:
    """The table of all texts of a model's task and seed."""
    return next(one.rows for one in trained.ready if one.seed == model.seed)


@lru_cache(maxsize=4)
def _parts(path: Path, fold: int) -> Parts:
    rows = pl.read_parquet(path, glob=False)
    roles = rows[f"role_{fold}"].to_list()
    examples = examples_of(rows)
    train, dev, test = (
        tuple(one for one, role in zip(examples, roles, strict=True) if role == part)
        for part in (TRAIN, DEV, TEST)
    )
    return Parts(train, dev, test)


def digest(examples: Sequence[Example]) -> str:
    """A hash of texts with their labels, clusters and marked words."""
    facts = [
        [one.item.id, one.item.text, one.gold.biased, one.cluster,
         [[span.start, span.end] for span in marked_spans(one)]]
        for one in examples
    ]  # fmt: skip
    return sha256(json.dumps(facts).encode()).hexdigest()


@lru_cache(maxsize=256)
def part_digests(rows: Path, fold: int) -> tuple[str, str, str]:
    """The hashes of train, dev and test of a fold."""
    parts = _parts(rows, fold)
    return digest(parts.train), digest(parts.dev), digest(parts.test)


def marked_spans(example: Example) -> list[Span]:
    """The ranges of a text that experts marked."""
    return [span for mark in example.gold.marks for span in mark.spans]


def with_marks(examples: Sequence[Example]) -> list[Example]:
    """The texts that have a marked word."""
    return [one for one in examples if marked_spans(one)]
