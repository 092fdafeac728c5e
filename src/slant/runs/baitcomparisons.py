"""The tests of a BAIT run: examples against none, and every pair of models, by named families.

Articles are the units. A condition's score on an article is the mean over its runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from slant.runs.baitscores import SUBSET, Counted, Kernels, scores_by_article
from slant.stats.corrections import holm
from slant.stats.paired import Flipped, PairedT, paired_t, sign_flip_tests
from slant.types import Floats

LOCALISATION: Final = ("characters_f1", "spans_f1", "triggers_f1")

Settings = Mapping[tuple[str, int], Counted]
"""The counts of each model with each number of examples."""


@dataclass(frozen=True, slots=True)
class Side:
    """One condition of a comparison: the scores on each article, (runs, articles)."""

    system: str
    shots: int
    runs: tuple[str, ...]
    scores: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison that a family asks for."""

    family: str
    score: str
    first: Side
    second: Side


def comparisons(
    settings: Settings,
    *,
    kernels: Kernels,
    beside: Mapping[str, str],
    level: float,
    permutations: int,
    seed: int,
) -> list[dict[str, Any]]:
    """All tests of a run, each with its p-values as they are and after Holm in its family.

    Families: detection, all models with each number of examples against none (figure 2);
    localisation at three granularities, the same (figure 3, one family); subset accuracy, the
    same; and for each score the pairs of models at the largest number of examples.

    Args:
        settings: of the models alone: neither baselines nor people are tested.
        kernels: of `slant.metrics.triggerscores.score_kernels`.
        beside: run with examples -> the zero-shot run that accompanies it. A setting is held
            against those of its runs; against all zero-shot runs where one of its runs has none.
        level: of the t intervals.
        permutations, seed: of the sign-flip tests, see `slant.stats.paired.sign_flip_tests`.

    Returns:
        Per comparison: family, score, first, second (system, shots, runs), n, difference, low,
        high, t, p, p_holm, p_permutation, p_permutation_holm, permutation, differing, better,
        worse, equal, and why where there is no t test: it then counts as p = 1 in its family.

    Source: BAIT, section 6, section 7.3 and the appendix on scoring.
    """
    asked = [*_gains(settings, kernels, beside), *_pairs(settings, kernels)]
    if not asked:
        return []
    means = [
        (one.first.scores[one.score].mean(axis=0), one.second.scores[one.score].mean(axis=0))
        for one in asked
    ]
    tests = [paired_t(first, second, level=level) for first, second in means]
    flips = sign_flip_tests(
        np.stack([first - second for first, second in means]),
        permutations=permutations, seed=seed, names=["bait"],
    )  # fmt: skip
    rows = [_row(*found) for found in zip(asked, tests, flips, strict=True)]
    for family in dict.fromkeys(one.family for one in asked):
        own = [row for row in rows if row["family"] == family]
        for name in ("p", "p_permutation"):
            adjusted = holm([1.0 if row[name] is None else row[name] for row in own])
            for row, value in zip(own, adjusted.tolist(), strict=True):
                row[f"{name}_holm"] = None if row[name] is None else value
    return rows


def _gains(settings: Settings, kernels: Kernels, beside: Mapping[str, str]) -> list[Compared]:
    families = (
        ("detection, examples against none", ("detection_micro_f1",)),
        ("localisation, examples against none", LOCALISATION),
        ("subset accuracy, examples against none", (SUBSET,)),
    )
    models = list(dict.fromkeys(system for system, _ in settings))
    few = sorted({shots for _, shots in settings if shots > 0})
    pairs = []
    for model in models:
        none = settings.get((model, 0))
        for shots in few:
            some = settings.get((model, shots))
            if none is None or some is None:
                continue
            own = [beside[run] for run in some.runs if beside.get(run) in none.runs]
            against = none.chosen(own) if len(own) == len(some.runs) else none
            pairs.append((_side(model, shots, some, kernels), _side(model, 0, against, kernels)))
    return [
        Compared(family, score, first, second)
        for family, scores in families
        for score in scores
        for first, second in pairs
    ]


def _pairs(settings: Settings, kernels: Kernels) -> list[Compared]:
    if not settings:
        return []
    most = max(shots for _, shots in settings)
    sides = [_side(system, k, one, kernels) for (system, k), one in settings.items() if k == most]
    scores = ("detection_micro_f1", SUBSET, *LOCALISATION)
    return [
        Compared(f"pairs of models, {score}, {most} examples", score, first, second)
        for score in scores
        for first, second in combinations(sides, 2)
    ]


def _side(system: str, shots: int, counted: Counted, kernels: Kernels) -> Side:
    return Side(system, shots, counted.runs, scores_by_article(counted, kernels))


def _row(asked: Compared, test: PairedT, flipped: Flipped) -> dict[str, Any]:
    row: dict[str, Any] = {
        "family": asked.family,
        "score": asked.score,
        "first": _named(asked.first),
        "second": _named(asked.second),
        "n": test.n,
        "difference": test.difference,
        "low": test.low,
        "high": test.high,
        "t": test.t,
        "p": test.p,
        "p_holm": None,
        "p_permutation": flipped.p,
        "p_permutation_holm": None,
        "permutation": flipped.method,
        "differing": flipped.differing,
        "better": test.better,
        "worse": test.worse,
        "equal": test.equal,
    }
    return {**row, "why": test.why} if test.why else row


def _named(side: Side) -> dict[str, Any]:
    return {"system": side.system, "shots": side.shots, "runs": list(side.runs)}
