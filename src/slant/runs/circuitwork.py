"""One model whose circuits are measured: its texts, its readout, and the files that it leaves."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from slant.data.writing import intact, sealed
from slant.explain.corruptions import Vocabulary
from slant.explain.hooks import equal_lengths
from slant.explain.patching import BUDGET, Readout, states_of
from slant.explain.readouts import Probe, fitted_probe, own_readout, probe_readout
from slant.runs.circuitsettings import CircuitSettings
from slant.runs.circuittexts import (
    Versions,
    clean_windows,
    derived,
    versions_of,
    vocabulary_for,
)
from slant.runs.explained import Trained, digest, marked_spans, parts_of, with_marks
from slant.runs.kept import KeptModel
from slant.stats.resampling import generator
from slant.systems.batches import Tokens
from slant.systems.checkpoints import Encoder, checkpoint_fingerprint, code_fingerprint
from slant.systems.steps import tell_share
from slant.types import Array, Example

PROTOCOL = 1
"""Raised when a change makes what is kept another result."""
SHOWN = {
    "probe": (0.0, 0.04),
    "discovery": (0.04, 0.3),
    "estimates": (0.3, 0.32),
    "verification": (0.32, 1.0),
}
"""From where to where each step goes in the share that is shown."""


@dataclass(frozen=True, slots=True)
class Job:
    """One model to be measured; `heads` is how many it has."""

    trained: Trained
    model: KeptModel
    settings: CircuitSettings
    heads: int

    @property
    def path(self) -> Path:
        """What its files are named after."""
        folder = self.trained.folder / "circuits" / self.model.task
        return folder / f"{self.model.seed}-{self.model.fold}.parquet"


class Work:
    """One model's texts, encoder, readout, each made when it is first needed."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.parts = parts_of(job.trained, job.model)
        model = job.model
        self.seed = derived(job.settings.seed, model.task, model.seed, model.fold)

    @cached_property
    def encoder(self) -> Encoder:
        """The model with its tokenizer."""
        return self.job.model.encoder()

    @cached_property
    def readout(self) -> Readout:
        """What is read off the readout position."""
        if self.job.settings.readout == "head":
            return own_readout(self.encoder.model)
        return probe_readout(kept_probe(self))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What corruptions write in."""
        return vocabulary_for(self.encoder, self.parts.train)

    def versions(self, examples: Sequence[Example], part: str) -> Versions:
        """Texts of a part and their corrupted versions."""
        return versions_of(
            self.encoder,
            examples,
            self.vocabulary,
            self.job.settings.corruption,
            self.job.trained.max_length,
            derived(self.seed, part),
        )

    @cached_property
    def test(self) -> list[Example]:
        """The test texts, or a random part of them that has as many marked ones as the sample."""
        every, sample = self.parts.test, self.job.settings.sample
        order = generator(self.model_seed, ["circuit", "test"]).permutation(len(every))
        marked = np.cumsum([bool(marked_spans(every[place])) for place in order.tolist()])
        if not sample or marked[-1] <= sample:
            return list(every)
        last = int(np.searchsorted(marked, sample))
        return [every[place] for place in np.sort(order[: last + 1]).tolist()]

    @property
    def model_seed(self) -> int:
        """The seed that the model was trained with."""
        return self.job.model.seed

    @cached_property
    def dev(self) -> tuple[list[Example], Versions]:
        """The development texts whose marked words can be corrupted."""
        examples = with_marks(self.parts.dev)
        found = self.versions(examples, "dev")
        places = self._sampled(np.flatnonzero(found.changed)).tolist()
        corrupt = {name: [some[i] for i in places] for name, some in found.corrupt.items()}
        kept = Versions([found.clean[i] for i in places], corrupt, found.changed[places])
        return [examples[i] for i in places], kept

    def _sampled(self, places: Array) -> Array:
        sample = self.job.settings.sample
        if not sample or sample >= len(places):
            return places
        order = generator(self.model_seed, ["circuit", "dev"]).permutation(len(places))
        return np.sort(places[order[:sample]])

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What every step depends on."""
        by_probe = self.job.settings.readout == "probe"
        return {
            "protocol": PROTOCOL,
            "model": checkpoint_fingerprint(str(self.job.model.folder.resolve())),
            "max_length": self.job.trained.max_length,
            "readout": self.job.settings.readout,
            "train": digest(self.parts.train) if by_probe else "",
        }

    @cached_property
    def corrupting(self) -> dict[str, Any]:
        """What the corrupted texts depend on."""
        settings = self.job.settings
        return {
            "corruption": settings.corruption,
            "sample": settings.sample,
            "seed": settings.seed,
            "words": digest(self.parts.train),
        }

    def kept(
        self, step: str, facts: dict[str, Any], make: Callable[[], dict[str, Any]]
    ) -> tuple[Path, pl.DataFrame]:
        """The table of a step, made where it is not there whole."""
        key = code_fingerprint(json.dumps([step, self.facts, facts], sort_keys=True))[:16]
        path = self.job.path.with_suffix(f".{step}.{key}.parquet")
        content = intact(path)
        if content is None:
            made = pl.DataFrame(make())
            sealed(path, partial(made.write_parquet, compression="zstd"))
            return path, made
        return path, pl.read_parquet(io.BytesIO(content))


def kept_probe(work: Work) -> Probe:
    """The probe of a model's readout, fitted where it is not there whole."""

    def make() -> dict[str, Any]:
        texts = [one.item.text for one in work.parts.train]
        windows = clean_windows(work.encoder, texts, work.job.trained.max_length)
        states: Any = [None] * len(windows)
        for places in told_batches("probe", windows):
            found = states_of(work.encoder.model, [windows[i] for i in places])
            for place, row in zip(places, found, strict=True):
                states[place] = row
        labels = np.array([one.gold.biased for one in work.parts.train], dtype=np.int64)
        probe = fitted_probe(np.stack(states), labels)
        return {"weight": [probe.weight.tolist()], "bias": [probe.bias]}

    _, table = work.kept("probe", {}, make)
    return Probe(np.array(table["weight"][0].to_list()), float(table["bias"][0]))


def told_batches(
    step: str, windows: Sequence[Tokens], begin: float = 0.0, end: float = 1.0
) -> Iterator[list[int]]:
    """Places of texts of one length, batch by batch; after each it is told how far a step is.

    Args:
        step: one of `SHOWN`.
        windows: of tokens.
        begin, end: from where to where in the step these texts go.
    """
    first, last = SHOWN[step]
    whole = sum(len(window) for window in windows)
    done = 0
    for places in equal_lengths(windows, BUDGET):
        yield places
        done += sum(len(windows[i]) for i in places)
        inside = begin + (end - begin) * done / whole
        tell_share(first + (last - first) * inside, step)
