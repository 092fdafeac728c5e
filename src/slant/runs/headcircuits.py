"""The head circuits of one model: its raw results, one file for each step.

The protocol is that of Chen et al., section 3.5, with its choices named:

- probe: a logistic regression on the standardised states of all clean training texts at the
  readout position (the paper: on "a sampled subset");
- counterfactual: marked words are corrupted; beside it, as the control, as many other words of the
  same texts ("random_words"), which the paper lacks;
- discovery, on development texts with marked words: each head of the corrupted text alone puts out
  what it does for the clean one; heads are ranked by the mean effect of the marked words;
- verification, on all test texts: the first k heads isolated and eliminated, in the control the
  same heads; and sets of random heads of the same size. A text without marked words has no
  corrupted version: in every run it is what it is.

A file's name holds a hash of everything that it depends on, so that a killed run goes on, and
other sizes or another scale cost no discovery again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from slant.explain.circuits import (
    first_heads,
    head_runs,
    random_heads,
    ranked_heads,
    scaled,
    set_runs,
)
from slant.explain.hooks import Bools
from slant.explain.patching import readout_logits
from slant.explain.slopes import attribution_patching
from slant.runs.circuitsettings import CircuitSettings, sizes_of
from slant.runs.circuittexts import Versions, derived
from slant.runs.circuitwork import Job, Work, kept_probe, told_batches
from slant.runs.explained import digest
from slant.runs.steps import written_steps
from slant.types import Array, Floats

WORDS = ("words", "random_words")
"""What is corrupted: the marked words, and as many others of the same text."""


@dataclass(frozen=True, slots=True)
class Files:
    """What a job left. `discovery` or `estimates` is None where that step was not asked for."""

    discovery: Path | None
    estimates: Path | None
    verification: Path


def measured(job: Job) -> tuple[Job, Files]:
    """Discover and verify the circuits of one model; what is there is not made again.

    Args:
        job: which model, and how.

    Returns:
        The job, and the files that it left: rows are texts, columns runs, logits as they are.

    Raises:
        SlantError: see `versions_of`, `fitted_probe`, `own_readout`.
    """
    from threadpoolctl import threadpool_limits

    # One thread: sums of floats come out the same whatever the number of workers.
    with threadpool_limits(limits=1), written_steps(job.path):
        work = Work(job)
        discovery = _discovery(work) if job.settings.patching == "exact" else None
        both = job.settings.patching == "attribution" or job.settings.with_attribution
        estimates = _estimates(work) if both else None
        effects = ranking_effects(discovery, estimates, job.settings)["words"]
        order = ranked_heads(effects, job.settings.ranking)
        verification = _verification(work, order)
        if job.settings.readout == "probe":
            kept_probe(work)  # made again where it was damaged, though nothing else asks for it
    return job, Files(discovery, estimates, verification)


def ranking_effects(
    discovery: Path | None, estimates: Path | None, settings: CircuitSettings
) -> dict[str, Floats]:
    """The effects that heads are ranked by, (heads, texts), by the words that were corrupted.

    Args:
        discovery: its file, if there is one.
        estimates: theirs, which count where there is no discovery.
        settings: with the scale.
    """
    if discovery is None:
        assert estimates is not None
        return estimated_effects(estimates)
    table = pl.read_parquet(discovery, glob=False)
    return {
        name: scaled(matrix(table, f"{name}_patched"), settings.scale)
        - scaled(table[name].to_numpy(), settings.scale)
        for name in WORDS
    }


def estimated_effects(path: Path) -> dict[str, Floats]:
    """The gradient's estimates of effects, (heads, texts), by the words that were corrupted."""
    table = pl.read_parquet(path, glob=False)
    return {name: matrix(table, name) for name in WORDS}


def matrix(table: pl.DataFrame, column: str) -> Floats:
    """A column of lists, one of each text, as (length of a list, texts)."""
    return np.array(table[column].to_list(), dtype=np.float64).T


def _discovery(work: Work) -> Path:
    def make() -> dict[str, Any]:
        examples, texts = work.dev
        columns: dict[str, Any] = {"id": [one.item.id for one in examples]}
        for half, name in enumerate(WORDS):
            clean, corrupt = np.empty((2, len(examples)))
            patched = np.empty((work.job.heads, len(examples)))
            for places in told_batches("discovery", texts.clean, half / 2, (half + 1) / 2):
                pair = _pair(texts, name, places)
                runs = head_runs(work.encoder.model, *pair, work.readout)
                clean[places], corrupt[places] = runs.clean, runs.corrupt
                patched[:, places] = runs.patched
            columns |= {"clean": clean, name: corrupt, f"{name}_patched": patched.T.tolist()}
        return columns

    return work.kept("discovery", {**work.corrupting, "dev": digest(work.parts.dev)}, make)[0]


def _estimates(work: Work) -> Path:
    scale = work.job.settings.scale

    def make() -> dict[str, Any]:
        examples, texts = work.dev
        columns: dict[str, Any] = {"id": [one.item.id for one in examples]}
        for half, name in enumerate(WORDS):
            effects = np.empty((work.job.heads, len(examples)))
            for places in told_batches("estimates", texts.clean, half / 2, (half + 1) / 2):
                pair = _pair(texts, name, places)
                effects[:, places] = attribution_patching(
                    work.encoder.model, *pair, work.readout, scale
                )
            columns[name] = effects.T.tolist()
        return columns

    facts = {**work.corrupting, "dev": digest(work.parts.dev), "scale": scale}
    return work.kept("estimates", facts, make)[0]


def _verification(work: Work, order: Array) -> Path:
    settings, heads = work.job.settings, work.job.heads
    ks = [size.k for size in sizes_of(settings, heads)]

    def make() -> dict[str, Any]:
        examples = work.test
        texts = work.versions(examples, "test")
        clean = readout_logits(work.encoder.model, texts.clean, work.readout)
        columns: dict[str, Any] = {
            "id": [one.item.id for one in examples],
            "cluster": [one.cluster or one.item.id for one in examples],
            "label": [int(one.gold.biased) for one in examples],
            "changed": texts.changed,
            "clean": clean,
        }
        circuits = first_heads(order, ks)
        drawn = random_heads(heads, ks, settings.draws, derived(work.seed, "heads"))
        sets = np.concatenate([circuits, *drawn])
        share = len(sets) / (len(sets) + len(ks))
        for name, some, part in (
            ("words", sets, (0.0, share)),
            ("random_words", circuits, (share, 1.0)),
        ):
            corrupt, isolated, eliminated = _runs_of_sets(work, texts, clean, name, some, part)
            columns[name] = corrupt
            for mode, runs in (("isolated", isolated), ("eliminated", eliminated)):
                columns[f"{name}_{mode}"] = runs[: len(ks)].T.tolist()
                if len(runs) > len(ks):
                    columns[f"random_heads_{mode}"] = runs[len(ks) :].T.tolist()
        return columns

    facts = {**work.corrupting, "test": digest(work.parts.test), "order": order.tolist()}
    return work.kept("verification", {**facts, "ks": ks, "draws": settings.draws}, make)[0]


def _runs_of_sets(
    work: Work, texts: Versions, clean: Floats, name: str, sets: Bools, part: tuple[float, float]
) -> tuple[Floats, Floats, Floats]:
    # A text that the corruption leaves as it is says the same in every run.
    corrupt = clean.copy()
    isolated, eliminated = (np.tile(clean, (len(sets), 1)) for _ in range(2))
    changed = np.flatnonzero(texts.changed)
    for inside in told_batches("verification", [texts.clean[i] for i in changed], *part):
        places = changed[inside].tolist()
        runs = set_runs(work.encoder.model, *_pair(texts, name, places), sets, work.readout)
        corrupt[places] = runs.corrupt
        isolated[:, places], eliminated[:, places] = runs.isolated, runs.eliminated
    return corrupt, isolated, eliminated


def _pair(texts: Versions, name: str, places: Sequence[int]) -> tuple[list[Any], list[Any]]:
    return [texts.clean[i] for i in places], [texts.corrupt[name][i] for i in places]
