"""Logits of runs with circuits isolated and eliminated -> shares of what a model tells apart.

The arithmetic is `slant.metrics.faithfulness`. Every gap is the mean over seeds (of each seed over
its folds) of each model's own; shares are of these means, as in the paper's table E1, since a seed
whose gap is near 0 has a share of any size. An interval is the percentile interval of the same over
resamples of clusters of test texts, drawn once for all models, so that a text which stands in the
tests of several seeds is drawn alike in each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slant.explain.hooks import Bools
from slant.metrics.faithfulness import GAPS, completeness, rescue, retention, sufficiency
from slant.metrics.scores import class_f1
from slant.stats.intervals import interval
from slant.stats.overseeds import drawn_clusters
from slant.stats.resampling import Draws
from slant.types import Array, Floats

LEVEL = 0.95
NUMBERS = ("sufficiency", "completeness", "retention", "rescue")
BAND = ("low", "median", "high")


@dataclass(frozen=True, slots=True)
class SetLogits:
    """What a readout says of n test texts under one corruption, all on one scale.

    Fields:
        corrupt: (n,) of the corrupted texts.
        isolated, eliminated: (m, n) with m circuits isolated and eliminated.
    """

    corrupt: Floats
    isolated: Floats
    eliminated: Floats


@dataclass(frozen=True, slots=True)
class TestRuns:
    """The verification of one model.

    Fields:
        seed, fold: which.
        clusters: (n,) the unit that is resampled.
        labels: (n,) 0/1, 1 = biased.
        changed: (n,) which texts the corruption of the marked words changes.
        clean: (n,) of the texts as they are.
        by: "words" and "random_words".
        random: of random heads under "words", (draws, m, n) each; None without draws.
    """

    __test__ = False

    seed: int
    fold: int
    clusters: Sequence[str]
    labels: Array
    changed: Bools
    clean: Floats
    by: Mapping[str, SetLogits]
    random: SetLogits | None


@dataclass(frozen=True, slots=True)
class Sample:
    """How often each text counts: column 0 once, the others as often as a resample drew it.

    Fields:
        counts: for each model (1 + resamples, n).
        clusters: that were drawn from.
        seeds: of each model.
    """

    counts: tuple[Array, ...]
    clusters: int
    seeds: tuple[int, ...]

    def over_seeds(self, numbers: Floats) -> Floats:
        """Numbers of models, (models, ...), as those of seeds, (seeds, ...): means over folds."""
        own = np.array(self.seeds)
        return np.stack([_mean(numbers[own == seed]) for seed in dict.fromkeys(self.seeds)])


def sample_of(runs: Sequence[TestRuns], resamples: int, seed: int, task: str) -> Sample:
    """Draw clusters with replacement, as many as there are, once for all models.

    Args:
        runs: of all models.
        resamples: how many.
        seed, task: what the stream of random numbers belongs to.
    """
    drawn = drawn_clusters(
        (name for one in runs for name in one.clusters),
        resamples, seed, ["bootstrap", "circuit", task],
    )  # fmt: skip
    counts = tuple(drawn.weights(one.clusters).astype(np.int64) for one in runs)
    return Sample(counts, len(drawn.places), tuple(one.seed for one in runs))


def shown(
    sample: Sample, numbers: Floats, why: str = "", overall: Floats | None = None
) -> dict[str, Any]:
    """An estimate: value, interval, the numbers of the seeds and their standard deviation.

    Args:
        sample: whose draws they are of.
        numbers: (models, 1 + resamples), the first column the numbers themselves.
        why: a reason for which there is no such number.
        overall: (1 + resamples) of all seeds together; None: the mean over seeds.

    Returns:
        value, low, high, seeds, spread; all null and `why` where it is undefined.
    """
    seeds = sample.over_seeds(numbers)
    own = seeds[:, 0]
    whole = _mean(seeds) if overall is None else overall
    if why or np.isnan(own).any() or np.isnan(whole[0]):
        why = why or "it is undefined (0/0) for a seed"
        return {**plain([float("nan")] * len(own), why)}
    draws = Draws(float(whole[0]), whole[1:], sample.clusters, 1)
    found = interval(draws, LEVEL, "percentile")
    return {**plain(own.tolist()), "value": found.value, "low": found.low, "high": found.high}


def plain(numbers: Sequence[float], why: str = "") -> dict[str, Any]:
    """Numbers of seeds, their mean and standard deviation (n - 1), without an interval.

    >>> plain([1.0, 3.0])
    {'value': 2.0, 'low': None, 'high': None, 'seeds': [1.0, 3.0], 'spread': 1.4142135623730951}
    """
    own = np.array(numbers, dtype=np.float64)
    known = bool(own.size) and not np.isnan(own).any()
    made: dict[str, Any] = {
        "value": float(own.mean()) if known else None,
        "low": None,
        "high": None,
        "seeds": [None if np.isnan(one) else float(one) for one in own],
        "spread": float(own.std(ddof=1)) if known and own.size > 1 else None,
    }
    return made if known else {**made, "why": why or "it is undefined for a seed"}


def readout_score(runs: Sequence[TestRuns], sample: Sample, threshold: float) -> dict[str, Any]:
    """Class F1 of the readout on the clean test texts.

    Args:
        runs: of all models.
        sample: of their texts.
        threshold: biased from it on: 0 for logits, 0.5 for probabilities.
    """
    numbers = []
    for one, counts in zip(runs, sample.counts, strict=True):
        said, gold = one.clean >= threshold, one.labels == 1
        cells = np.stack([said & gold, said & ~gold, ~said & gold, ~said & ~gold], -1)
        numbers.append(class_f1(counts @ cells.astype(np.int64), 0.0))
    return shown(sample, np.stack(numbers))


def curves(
    runs: Sequence[TestRuns], sample: Sample, sizes: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Both readings of what is told apart, for both corruptions and what the first has over the
    second.

    "classes" is over all test texts, "corruption" over those that the corruption changes. The
    excess is taken of base, circuit and none, text by text, before any share.

    Args:
        runs: of all models.
        sample: of their texts.
        sizes: of each circuit what its point begins with.
    """
    found: dict[str, Any] = {}
    for reading in GAPS:
        gaps = {name: _gaps(runs, sample, reading, name) for name in ("words", "random_words")}
        pairs = zip(gaps["words"], gaps["random_words"], strict=True)
        base, circuit, none = (one - other for one, other in pairs)
        gaps["excess"] = (base, circuit, none)
        bands = _random_gaps(runs, reading)
        found[reading] = {
            name: _curve(sample, own, sizes, bands if name == "words" else None)
            for name, own in gaps.items()
        }
    return found


Gaps = tuple[Floats, Floats, Floats]
"""base (models, b), circuit and none (models, m, b); b is 1 + resamples."""


def _gaps(runs: Sequence[TestRuns], sample: Sample, reading: str, name: str) -> Gaps:
    found: tuple[list[Floats], ...] = ([], [], [])
    for one, counts in zip(runs, sample.counts, strict=True):
        said, part = one.by[name], _part(one, reading)
        for kept, values in zip(found, (one.clean, said.isolated, said.eliminated), strict=True):
            gap = GAPS[reading](
                values[..., part], one.labels[part], said.corrupt[part], counts[:, part]
            )
            kept.append(gap)
    base, circuit, none = (np.stack(kept) for kept in found)
    return base, circuit, none


def _random_gaps(runs: Sequence[TestRuns], reading: str) -> tuple[Floats, Floats] | None:
    """The gaps of random heads isolated and eliminated, each (models, draws, m)."""
    found: tuple[list[Floats], list[Floats]] = ([], [])
    for one in runs:
        if one.random is None:
            return None
        part = _part(one, reading)
        for kept, values in zip(found, (one.random.isolated, one.random.eliminated), strict=True):
            corrupt = one.random.corrupt[part]
            kept.append(GAPS[reading](values[..., part], one.labels[part], corrupt, None))
    return np.stack(found[0]), np.stack(found[1])


def _part(one: TestRuns, reading: str) -> Bools:
    return one.changed if reading == "corruption" else np.ones(len(one.labels), dtype=np.bool_)


def _curve(
    sample: Sample,
    gaps: Gaps,
    sizes: Sequence[Mapping[str, Any]],
    bands: tuple[Floats, Floats] | None,
) -> dict[str, Any]:
    def over(numbers: Floats) -> Floats:
        return _mean(sample.over_seeds(numbers))

    base, circuit, none = gaps
    shown_base = shown(sample, base)
    low, high = (np.nan if shown_base[key] is None else shown_base[key] for key in ("low", "high"))
    why = _why(shown_base)
    reasons = {
        "sufficiency": why,
        "completeness": why,
        "retention": why,
        "rescue": "",
    }
    points = []
    for place, size in enumerate(sizes):
        one, other = circuit[:, place], none[:, place]
        numbers = _numbers(base, one, other, low, high)
        whole = _numbers(over(base), over(one), over(other), low, high)
        point = {**size, "circuit": shown(sample, one), "none": shown(sample, other)}
        point |= {
            name: shown(sample, numbers[name], reasons[name], whole[name]) for name in NUMBERS
        }
        point["random"] = dict.fromkeys(NUMBERS, dict.fromkeys(BAND))
        if bands is not None:
            alone, without = (over(band[..., place]) for band in bands)
            own = _numbers(over(base[:, :1]), alone, without, low, high)
            point["random"] = {name: _band(own[name], reasons[name]) for name in NUMBERS}
        points.append(point)
    return {"base": shown_base, "points": points}


def _numbers(base: Floats, circuit: Floats, none: Floats, low: float, high: float) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "sufficiency": sufficiency(circuit, base, low, high),
            "completeness": completeness(none, base, low, high),
            "retention": retention(circuit, base),
            "rescue": rescue(circuit, none),
        }


def _why(base: Mapping[str, Any]) -> str:
    if base["low"] is None or base["high"] is None:
        return "the base has no interval"
    if base["low"] > 0 or base["high"] < 0:
        return ""
    if base["low"] == base["high"] == 0:
        return "the base is 0"
    return f"the interval of the base, {base['low']:.4f} to {base['high']:.4f}, holds 0"


def _band(draws: Floats, why: str) -> dict[str, float | None]:
    """Percentiles over draws, (draws,)."""
    if why:
        return dict.fromkeys(BAND)
    found = np.percentile(draws, [50 - 50 * LEVEL, 50, 50 + 50 * LEVEL])
    return dict(zip(BAND, found.tolist(), strict=True))


def _mean(numbers: Floats) -> Floats:
    """The mean over the first axis of what is defined; NaN where nothing is."""
    defined = ~np.isnan(numbers)
    filled = defined.sum(0)
    total = np.where(defined, numbers, 0.0).sum(0)
    mean: Floats = np.divide(total, filled, out=np.full(filled.shape, np.nan), where=filled > 0)
    return mean
