"""The raw results of a run's models -> its entry in circuit.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from slant.explain.circuits import Scale, ranked_heads, scaled
from slant.metrics.faithfulness import rank_correlation, split_half_reliability
from slant.runs.circuitscores import (
    SetLogits,
    TestRuns,
    curves,
    plain,
    readout_score,
    sample_of,
)
from slant.runs.circuitsettings import CircuitSettings, sizes_of
from slant.runs.circuittexts import derived
from slant.runs.explained import Trained
from slant.runs.headcircuits import WORDS, Files, estimated_effects, matrix, ranking_effects
from slant.types import Array, Floats

SPLITS = 100
"""Random halvings of the development texts for the reliability of a ranking."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A model's blocks of heads, how many heads each has, and its number of layers."""

    blocks: tuple[str, ...]
    heads: tuple[int, ...]
    layers: int

    @property
    def total(self) -> int:
        """All heads."""
        return sum(self.heads)


def model_summary(
    trained: Trained, shape: Shape, settings: CircuitSettings, files: Sequence[Files]
) -> dict[str, Any]:
    """What circuit.json says of the models of one run.

    Args:
        trained: the run.
        shape: its models' heads.
        settings: how they were measured.
        files: of each model, in their order.
    """
    models = trained.models
    seeds = [one.seed for one in models]
    effects = [ranking_effects(one.discovery, one.estimates, settings) for one in files]
    means = {
        name: np.stack([own[name].mean(1) for own in effects]) for name in WORDS
    }  # (models, heads)
    ranks = means["words"] if settings.ranking == "signed" else np.abs(means["words"])
    runs = [
        read_runs(one, model.seed, model.fold, settings.scale)
        for one, model in zip(files, models, strict=True)
    ]
    sample = sample_of(runs, settings.resamples, settings.seed, models[0].task)
    sizes = [
        {"k": size.k, "share": size.k / shape.total, "asked": size.asked}
        for size in sizes_of(settings, shape.total)
    ]
    mean = {name: _over_seeds(own, seeds).mean(0) for name, own in means.items()}
    mean["excess"] = mean["words"] - mean["random_words"]
    return {
        "signature": trained.record["signature"],
        "system": trained.system,
        "params": trained.record["params"],
        "seeds": list(dict.fromkeys(seeds)),
        "layers": shape.layers,
        "blocks": list(shape.blocks),
        "heads": list(shape.heads),
        "total": shape.total,
        "texts": [
            {
                "seed": one.seed,
                "fold": one.fold,
                "dev": own["words"].shape[1],
                "test": len(one.labels),
                "changed": int(one.changed.sum()),
            }
            for one, own in zip(runs, effects, strict=True)
        ],
        "effects": {name: _by_block(own, shape) for name, own in mean.items()},
        "order": {
            f"{one.seed}-{one.fold}": _places(ranked_heads(own["words"], settings.ranking), shape)
            for one, own in zip(models, effects, strict=True)
        },
        "reliability": _reliability(trained, effects, settings),
        "agreement": agreement(ranks, seeds),
        "attribution_patching": _estimated(ranks, files, seeds, settings),
        "probe": {
            "class_f1": readout_score(runs, sample, 0.0 if settings.scale == "logit" else 0.5)
        },
        "curves": curves(runs, sample, sizes),
    }


def read_runs(files: Files, seed: int, fold: int, scale: Scale) -> TestRuns:
    """The verification of one model, on a scale."""
    table = pl.read_parquet(files.verification, glob=False)

    def logits(column: str) -> Floats:
        return scaled(matrix(table, column), scale)

    by = {
        name: SetLogits(logits(name), logits(f"{name}_isolated"), logits(f"{name}_eliminated"))
        for name in WORDS
    }
    circuits = len(by["words"].isolated)
    random = None
    if "random_heads_isolated" in table.columns:
        isolated, eliminated = (
            logits(f"random_heads_{mode}").reshape(-1, circuits, len(table))
            for mode in ("isolated", "eliminated")
        )
        random = SetLogits(by["words"].corrupt, isolated, eliminated)
    return TestRuns(
        seed,
        fold,
        table["cluster"].to_list(),
        table["label"].to_numpy(),
        table["changed"].to_numpy(),
        logits("clean"),
        by,
        random,
    )


def agreement(ranks: Floats, seeds: Sequence[int]) -> dict[str, Any]:
    """How alike models of different seeds rank heads: the mean of Spearman's rank correlations.

    Args:
        ranks: (models, heads) what heads are ranked by.
        seeds: of each model.
    """
    found = [
        rank_correlation(ranks[a], ranks[b])
        for a, b in combinations(range(len(seeds)), 2)
        if seeds[a] != seeds[b]
    ]
    value = float(np.mean(found)) if found else float("nan")
    made: dict[str, Any] = {"value": None, "low": None, "high": None, "pairs": len(found)}
    if np.isnan(value):
        why = "a seed has equal effects for all heads" if found else "there is one seed"
        return {**made, "why": why}
    return {**made, "value": value}


def _reliability(
    trained: Trained, effects: Sequence[Mapping[str, Floats]], settings: CircuitSettings
) -> dict[str, Any]:
    numbers = []
    for model, own in zip(trained.models, effects, strict=True):
        seed = derived(settings.seed, model.task, model.seed, model.fold, "halves")
        absolute = settings.ranking == "absolute"
        numbers.append(split_half_reliability(own["words"], absolute, SPLITS, seed).whole)
    seeds = [one.seed for one in trained.models]
    return plain(_over_seeds(np.array(numbers), seeds).tolist(), "a half has equal effects")


def _estimated(
    ranks: Floats, files: Sequence[Files], seeds: Sequence[int], settings: CircuitSettings
) -> dict[str, Any] | None:
    """How the gradient's estimates rank heads, beside the exact effects; None without both."""
    numbers = []
    for own, one in zip(ranks, files, strict=True):
        if one.discovery is None or one.estimates is None:
            return None
        estimates = estimated_effects(one.estimates)["words"].mean(1)
        if settings.ranking == "absolute":
            estimates = np.abs(estimates)
        numbers.append(rank_correlation(own, estimates))
    return {"spearman": plain(_over_seeds(np.array(numbers), seeds).tolist())}


def _over_seeds(numbers: Floats, seeds: Sequence[int]) -> Floats:
    own = np.array(seeds)
    found: Floats = np.stack([numbers[own == seed].mean(0) for seed in dict.fromkeys(seeds)])
    return found


def _by_block(numbers: Floats, shape: Shape) -> list[list[float]]:
    ends = np.cumsum(shape.heads)[:-1]
    return [part.tolist() for part in np.split(numbers, ends)]


def _places(order: Array, shape: Shape) -> list[list[int]]:
    places = [[block, head] for block, heads in enumerate(shape.heads) for head in range(heads)]
    return [places[number] for number in order]
