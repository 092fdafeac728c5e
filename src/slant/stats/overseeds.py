"""Means over seeds whose texts overlap, with intervals from one bootstrap over all their texts.

Models of several seeds are tested on parts of the same texts. A resample draws clusters of texts
once, and each seed takes its own texts as often as their clusters were drawn; so a text that
stands in three seeds' tests weighs alike in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slant.errors import DataError
from slant.stats.resampling import generator
from slant.types import Array, Floats

Statistic = Callable[[Floats], Floats]
"""(resamples, n) how often each text counts -> (resamples,) a number, NaN where undefined."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Resamples of clusters of texts.

    Fields:
        places: of each cluster, by name.
        counts: (resamples, clusters) how often each was drawn.
    """

    places: dict[str, int]
    counts: Array

    def weights(self, clusters: Sequence[str]) -> Floats:
        """How often each text counts, (1 + resamples, n): first the data themselves.

        Args:
            clusters: (n,) of the texts.
        """
        own = np.array([self.places[name] for name in clusters], np.int64)
        drawn = self.counts[:, own].astype(np.float64)
        return np.concatenate([np.ones((1, len(own))), drawn])


def drawn_clusters(
    clusters: Iterable[str], resamples: int, seed: int, names: Sequence[str]
) -> Drawn:
    """Draw as many clusters as there are, with replacement, many times.

    Args:
        clusters: of all texts of all seeds; repeated ones count once.
        resamples: how many times.
        seed, names: of the stream; see `resampling.generator`.

    >>> drawn = drawn_clusters(["a", "b", "a"], 2, 42, ["test"])
    >>> drawn.counts.sum(1).tolist(), drawn.weights(["b", "b"]).shape
    ([2, 2], (3, 2))
    """
    every = sorted(set(clusters))
    size = len(every)
    if not size:
        raise DataError("Resampling texts", "there is none", "Give one or more")
    picked = generator(seed, names).integers(size, size=(resamples, size))
    counts = np.stack([np.bincount(row, minlength=size) for row in picked]).astype(np.int64)
    return Drawn({name: place for place, name in enumerate(every)}, counts)


@dataclass(frozen=True, slots=True)
class Overall:
    """A number for each seed, and their mean on the data and on each resample.

    Fields:
        seeds: (s,) each seed's own.
        draws: (resamples,) the mean over seeds, NaN where a seed's is undefined.
    """

    seeds: tuple[float, ...]
    draws: Floats

    @property
    def value(self) -> float:
        """The mean over seeds; NaN where one is undefined."""
        return float(np.mean(self.seeds))

    @property
    def spread(self) -> float | None:
        """The standard deviation over seeds (n - 1); None of one seed."""
        return float(np.std(self.seeds, ddof=1)) if len(self.seeds) > 1 else None

    def minus(self, other: Overall) -> Overall:
        """The paired difference: seed by seed, and resample by resample."""
        own = tuple(a - b for a, b in zip(self.seeds, other.seeds, strict=True))
        return Overall(own, self.draws - other.draws)

    def bounds(self, level: float) -> tuple[float, float] | None:
        """The percentile interval; None where more resamples are undefined than its tails hold."""
        known = self.draws[~np.isnan(self.draws)]
        if self.draws.size - known.size > (1 - level) * self.draws.size or not known.size:
            return None
        low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)

    def p(self) -> float | None:
        """The two-sided bootstrap p-value of 0, (b + 1) / (m + 1) at least; None if undefined.

        Source: Davison and Hinkley 1997, section 4.4, by inverting the percentile interval.
        """
        known = self.draws[~np.isnan(self.draws)]
        if not known.size:
            return None
        least = min(int((known <= 0).sum()), int((known >= 0).sum()))
        return float(min(1.0, 2 * (least + 1) / (known.size + 1)))


def over_seeds(seeds: Sequence[tuple[Sequence[str], Statistic]], drawn: Drawn) -> Overall:
    """A statistic of each seed's texts, and its mean over seeds.

    Args:
        seeds: for each seed the clusters (n,) of its texts and the statistic of them.
        drawn: resamples of all clusters.
    """
    found = np.stack([statistic(drawn.weights(clusters)) for clusters, statistic in seeds])
    return Overall(tuple(found[:, 0].tolist()), found[:, 1:].mean(0))


def mean_of(values: Floats) -> Statistic:
    """The mean of values of texts, as a statistic; NaN where none is drawn.

    >>> mean_of(np.array([1.0, 4.0]))(np.array([[1, 1], [2, 1]])).tolist()
    [2.5, 2.0]
    """

    def of(weights: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            found: Floats = weights @ values / weights.sum(1)
        return found

    return of


def estimate(found: Overall, level: float, why: str = "it is undefined here") -> dict[str, Any]:
    """A number over seeds as a result file has it: value, low, high, seeds, spread.

    Args:
        found: the number.
        level: of the interval.
        why: said where there is no number.
    """
    bounds = found.bounds(level)
    if np.isnan(found.value):
        return {"value": None, "low": None, "high": None, "seeds": None, "spread": None, "why": why}
    low, high = bounds or (None, None)
    return {
        "value": found.value, "low": low, "high": high,
        "seeds": list(found.seeds), "spread": found.spread,
    }  # fmt: skip
