"""How steady an effect is: over replicas, without single words, over halves, at like frequency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slant.embeddings.frequencies import frequency_matched
from slant.embeddings.robustness import (
    LeftOut,
    leave_one_word_out,
    split_half,
)
from slant.runs.associationsettings import SIMILARITY, AssociationSettings, Method
from slant.runs.locatedtests import Located, vectors_of
from slant.runs.wordvectors import Replica
from slant.stats.fisher import fisher_combination
from slant.stats.relabelling import relabelled_sums
from slant.stats.resampling import generator
from slant.types import Floats, Undefined

LABELLINGS = 2000
"""Random labellings by which the type-I error of Fisher's combination is measured."""
HALVINGS = 200
ALPHA = 0.05


def fisher_check(
    hx: Floats, hy: Floats, p: Sequence[float], settings: AssociationSettings, name: str
) -> dict[str, Any] | None:
    """Fisher's combination of the replicas' p, as in the paper, and how often it is wrong.

    Replicas of one corpus are not independent, which the combination takes them to be. Its error is
    measured on the data at hand: labels are drawn at random, the same for every replica, so that
    the null hypothesis holds; each replica's p is its place among all drawn labellings; the share
    of labellings that the combination calls significant at 0.05 is the error.

    Args:
        hx, hy: (replicas, n) and (replicas, m) associations.
        p: of each replica.
        settings: of the run.
        name: of the test, for the stream of random numbers.

    Returns:
        None for one replica.
    """
    if len(p) < 2:
        return None
    both = np.concatenate([hx, hy], axis=1)
    both = both - both.mean(axis=1, keepdims=True)
    stream = generator(settings.seed, ["fisher", name])
    sums = np.concatenate(list(relabelled_sums(both, hx.shape[1], LABELLINGS, stream)), axis=-1)
    if settings.alternative == "two-sided":
        sums = np.abs(sums)
    elif settings.alternative == "less":
        sums = -sums
    # share of labellings at least as extreme, the labelling itself among them
    places = LABELLINGS - np.stack([np.searchsorted(np.sort(one), one) for one in sums])
    found = [fisher_combination(one) for one in (places / LABELLINGS).T]
    return {
        "p": fisher_combination(p),
        "false_positives": float(np.mean(np.array(found) < ALPHA)),
        "how": f"share below {ALPHA} in {LABELLINGS} random labellings, alike in all replicas",
    }


def steadiness(
    where: Located, replicas: Sequence[Replica], method: Method, settings: AssociationSettings
) -> dict[str, Any]:
    """Effects without single words, and reliability over halves of the sets: means over replicas.

    Args:
        where: a located test of sets.
        replicas: of one corpus.
        method: of association.
        settings: of the run.

    Returns:
        "leave_one_out": a record for each word; "split_half" by halves of A and B,
        "split_half_targets" by halves of X and Y; None where there is none in a replica.
    """
    measure = SIMILARITY[method]
    given = [vectors_of(where.words[role], replicas) for role in "xyab"]
    without: list[list[LeftOut]] = []
    halves: dict[str, list[float | Undefined]] = {"split_half": [], "split_half_targets": []}
    for number, replica in enumerate(replicas):
        x, y, a, b = (one[number] for one in given)
        left = leave_one_word_out(
            x, y, a, b, measure=measure, deviation=settings.over_words,
            covariance=replica.covariances.get(measure),
        )  # fmt: skip
        without.append([] if isinstance(left, Undefined) else left)
        half = split_half(x, y, a, b, measure=measure, draws=HALVINGS, seed=settings.seed)
        halves["split_half"].append(half.attributes)
        halves["split_half_targets"].append(half.targets)
    return {
        "leave_one_out": [
            {"word": where.words[one[0].set][one[0].row], "set": one[0].set,
             "d": _mean([each.d for each in one])}
            for one in zip(*without, strict=True)
        ],
        **{name: _mean(values) for name, values in halves.items()},
    }  # fmt: skip


def frequency_check(
    where: Located,
    hx: Floats,
    hy: Floats,
    replicas: Sequence[Replica],
    settings: AssociationSettings,
    spreads: Sequence[float | None],
) -> dict[str, Any] | None:
    """The effect on pairs of target words of like frequency, mean over replicas.

    Args:
        where: a located test of sets.
        hx, hy: (replicas, n) and (replicas, m) associations.
        replicas: of one corpus.
        settings: of the run.
        spreads: of each replica, the deviation over its vocabulary where that is asked.

    Returns:
        None where the corpus does not say how often words occur.
    """
    counts = [
        np.array([replicas[0].counts.get(word, 0) for word in where.words[role]], np.float64)
        for role in "xy"
    ]
    if not all(one.any() for one in counts):
        return None
    found = [
        frequency_matched(x, y, *counts, deviation=settings.over_words, spread=spread)
        for x, y, spread in zip(hx, hy, spreads, strict=True)
    ]
    first = found[0]
    return {
        "d": _mean([one.d for one in found]),
        "pairs": [[where.words["x"][i], where.words["y"][j]] for i, j in first.pairs],
        "before": None if isinstance(first.before, Undefined) else first.before,
        "after": None if isinstance(first.after, Undefined) else first.after,
    }


def _mean(values: Sequence[float | Undefined]) -> float | None:
    numbers = [one for one in values if not isinstance(one, Undefined)]
    return float(np.mean(numbers)) if numbers and len(numbers) == len(values) else None
