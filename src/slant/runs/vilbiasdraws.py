"""The pairs of a ViLBias test drawn again, and the intervals that this gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from slant.runs.taskscores import run_estimate, shown_estimate
from slant.runs.vilbiasfiles import GoldPair
from slant.stats.intervals import wilson
from slant.types import Floats

ALIKE: Final = "every resample is the same"


@dataclass(frozen=True, slots=True)
class Resampled:
    """The pairs of the test and how they are drawn again.

    Fields:
        gold: by id.
        weights: (1 + resamples, pairs) how often each counts, first once each.
        of: (pairs,) the cluster of each, which is drawn as one.
        level: of the intervals.
    """

    gold: tuple[GoldPair, ...]
    weights: Floats
    of: Sequence[str]
    level: float

    @property
    def clusters(self) -> int:
        """How many are drawn."""
        return len(set(self.of))

    @property
    def biased(self) -> list[bool]:
        """Whether each pair is biased."""
        return [bool(one.label) for one in self.gold]

    def mean(self, values: Floats, why: str) -> dict[str, Any]:
        """The mean of known values, averaged over runs, as scores.json has it.

        Args:
            values: (runs, pairs), NaN where unknown.
            why: there is no value, where none is known.
        """
        known = ~np.isnan(values)
        below = self.weights @ known.T.astype(np.float64)
        above = self.weights @ np.where(known, values, 0.0).T
        drawn = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
        return self.estimate(drawn, why)

    def share(self, values: Floats, why: str) -> dict[str, Any]:
        """The same of values that are 0 or 1, with an interval where all are alike, too."""
        known = np.asarray(np.any(~np.isnan(values), axis=0)).tolist()
        return self.bounded(self.mean(values, why), known)

    def bounded(self, found: dict[str, Any], known: Sequence[bool]) -> dict[str, Any]:
        """A share whose resamples are all alike with Wilson's interval, over the clusters that hold
        a pair of which anything is `known` (pairs,); any other share as it is."""
        if found.get("no_interval") != ALIKE or found["value"] not in (0.0, 1.0):
            return found
        units = {name for name, one in zip(self.of, known, strict=True) if one}
        sure = shown_estimate(wilson(int(found["value"]) * len(units), len(units), self.level))
        return {**sure, "sd": found["sd"]}

    def estimate(self, drawn: Floats, why: str) -> dict[str, Any]:
        """The mean over runs of (1 + resamples, runs) numbers; `why` there is none.

        Rule: where every resample is the same, a bootstrap knows nothing of how far the number
        could be off, and there is no interval.
        """
        found = run_estimate(drawn, self.clusters, self.level)
        if found["value"] is None:
            return {**found, "why": why}
        if self.clusters > 1 and np.ptp(drawn[~np.isnan(drawn)]) == 0:
            return {**found, "low": None, "high": None, "no_interval": ALIKE}
        return found
