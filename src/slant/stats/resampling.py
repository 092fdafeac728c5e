"""The bootstrap's engine: counts drawn again, and the scores of each draw.

Units of one cluster (near-duplicates, sentences of one article, minimal pairs) are not
independent, so that clusters are what is drawn, with replacement, inside each stratum (a fold).
Clusters with equal counts are exchangeable: it is enough to draw how often each *distinct* row of
counts occurs, a multinomial number, which costs the same for a thousand clusters and for millions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError, OptionError
from slant.types import Array, Floats, Kernel, Undefined

Stratum = tuple[Array, Array]
"""Distinct rows of counts (D, [blocks,] groups, 4) and how many clusters have each (D,)."""

Combine = Literal["mean", "pool"]

_BLOCK = 1 << 20
"""How many numbers are drawn at a time: 8 MB."""


@dataclass(frozen=True, slots=True)
class Draws:
    """A score on the data and on each resample of it.

    Fields:
        value: the score on the data itself.
        draws: (resamples,) the score on each resample, NaN where it is undefined there.
        clusters: how many clusters were drawn from, all strata together.
        strata: in how many strata.
    """

    value: float
    draws: Floats
    clusters: int
    strata: int


def generator(seed: int, names: Sequence[str]) -> np.random.Generator:
    """The stream of random numbers that belongs to a seed and to what it is used for.

    Args:
        seed: of the run, 0 or more.
        names: what the stream is for, e.g. ("bootstrap", "mbib/racial-bias"): streams of
            different names are independent, and no order or number of workers changes any.

    >>> int(generator(42, ["a"]).integers(100)), int(generator(42, ["b"]).integers(100))
    (8, 13)
    """
    digest = sha256("\x1f".join(names).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words])))


def score_draws(
    strata: Sequence[Stratum],
    kernels: Mapping[str, Kernel],
    *,
    combine: Combine,
    resamples: int,
    seed: int,
    names: Sequence[str],
) -> dict[str, Draws | Undefined]:
    """Several scores on the same resamples.

    Args:
        strata: one table of cluster counts per fold. A table may have an axis of blocks, counts
            of the same clusters under several conditions: with seeds whose folds share units,
            one stratum holds all clusters and a block is one fold of one seed, so that a
            cluster drawn twice is drawn twice for every seed.
        kernels: scores on (..., groups, 4), by name.
        combine: "mean" takes the mean of the scores of all blocks of all strata (the mean over
            folds, or over seeds and folds), "pool" the score of their counts added up.
        resamples: how many draws.
        seed, names: as in `generator`.

    Returns:
        By name: the score and its draws, or why the data themselves have no such score.
    """
    stream = generator(seed, names)
    if resamples < 1:
        raise OptionError("Resampling", f"{resamples} resamples were asked for", "Give 1 or more")
    if not strata:
        return {name: Undefined("there is no fold") for name in kernels}
    tables = [(_blocks(distinct), np.asarray(number)) for distinct, number in strata]
    observed = [np.tensordot(number, distinct, axes=1)[None] for distinct, number in tables]
    drawn = [resampled_counts(distinct, number, resamples, stream) for distinct, number in tables]
    clusters = int(sum(number.sum() for _, number in tables))
    found: dict[str, Draws | Undefined] = {}
    for name, kernel in kernels.items():
        value = float(combined(observed, kernel, combine)[0])
        if np.isnan(value):
            where = _undefined_at(observed, kernel) if combine == "mean" else "all folds together"
            found[name] = Undefined(f"the score is undefined (0/0) in {where}")
        else:
            found[name] = Draws(
                value, combined(drawn, kernel, combine), clusters, len(tables)
            )  # fmt: skip
    return found


def fold_scores(strata: Sequence[Stratum], kernel: Kernel) -> list[float | None]:
    """The score of each block of each stratum on the data itself, in their order.

    Returns:
        One number per fold (and seed); None where the score is undefined there.
    """
    scores = [
        kernel(np.tensordot(np.asarray(number), _blocks(distinct), axes=1))
        for distinct, number in strata
    ]
    return [None if np.isnan(x) else float(x) for row in scores for x in np.atleast_1d(row)]


def mean_draws(parts: Sequence[Draws]) -> Draws:
    """The mean of several scores, draw by draw: the media bias score over tasks.

    The draws of the parts are taken as independent, which they are as far as their streams go;
    where two tasks share texts, this leaves their covariance out.

    Returns:
        The mean of the values and of each draw; a draw is NaN where one of its parts is.
    """
    if not parts or len({part.draws.size for part in parts}) != 1:
        raise OptionError(
            f"Averaging {len(parts)} scores", "they need one number of resamples, all the same",
            "Resample every score alike",
        )  # fmt: skip
    return Draws(
        value=float(np.mean([part.value for part in parts])),
        draws=np.mean([part.draws for part in parts], axis=0),
        clusters=sum(part.clusters for part in parts),
        strata=sum(part.strata for part in parts),
    )


def rank_draws(
    folds: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike]],
    kernel: Kernel,
    *,
    resamples: int,
    seed: int,
    names: Sequence[str],
    shared: bool = False,
) -> Draws | Undefined:
    """A score of an order (AUROC) on resamples of clusters, as the mean over folds.

    Such a score needs every unit's probability, so that nothing collapses: the cost grows with
    units times resamples (1,000 resamples of 20,000 units: about a second).

    Args:
        folds: per fold (gold, probability, cluster codes), each (units,).
        kernel: a score on (..., values, 2), biased and not biased units per distinct
            probability, ascending, e.g. `slant.metrics.ranking.auroc_kernel`.
        resamples, seed, names: as in `score_draws`.
        shared: the folds share clusters (those of several seeds do): a resample draws clusters
            once for all folds, and a fold that got one class is not in its mean.
    """
    if not folds:
        return Undefined("there is no fold")
    # A stream for each fold: draws do not depend on how many are made at a time.
    streams = [generator(seed, [*names, f"fold {k}"]) for k in range(len(folds))]
    every = np.unique(np.concatenate([np.asarray(codes) for _, _, codes in folds]))
    ranked = [_ranked(*fold, every if shared else None) for fold in folds]
    for k, fold in enumerate(ranked):
        if fold.starts.size == 0:
            return Undefined(f"fold {k + 1} has no unit with a probability")
    values = [float(kernel(np.add.reduceat(fold.sides, fold.starts, axis=0))) for fold in ranked]
    if np.isnan(values).any():
        at = int(np.flatnonzero(np.isnan(values))[0]) + 1
        return Undefined(f"the score is undefined in fold {at}: its gold has one class")
    draws = np.empty(resamples)
    step = max(1, _BLOCK // (4 * max(len(fold.sides) for fold in ranked)))
    for start in range(0, resamples, step):
        number = min(step, resamples - start)
        once = _drawn_often(np.ones(every.size, np.int64), number, streams[0]) if shared else None
        scores = np.empty((len(ranked), number))
        for k, fold in enumerate(ranked):
            weights = once
            if weights is None:
                weights = _drawn_often(np.ones(fold.clusters, np.int64), number, streams[k])
            units = weights[:, fold.cluster][..., None] * fold.sides
            scores[k] = kernel(np.add.reduceat(units, fold.starts, axis=1))
        defined = ~np.isnan(scores) if shared else np.ones(scores.shape, dtype=bool)
        total, filled = np.where(defined, scores, 0.0).sum(axis=0), defined.sum(axis=0)
        draws[start : start + number] = np.divide(
            total, filled, out=np.full(number, np.nan), where=filled > 0
        )
    clusters = every.size if shared else sum(fold.clusters for fold in ranked)
    return Draws(float(np.mean(values)), draws, clusters, 1 if shared else len(ranked))


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A fold's units in the order of their probability: one column per class, where each distinct
    probability begins, and each unit's cluster."""

    sides: Array
    starts: Array
    cluster: Array
    clusters: int


def _ranked(
    gold: ArrayLike, probability: ArrayLike, codes: ArrayLike, every: Array | None
) -> _Ranked:
    _, place = np.unique(np.asarray(probability, float), return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    truth = np.asarray(gold)[order].astype(np.int64)
    known = np.unique(np.asarray(codes)) if every is None else every
    cluster = np.searchsorted(known, np.asarray(codes))[order]
    return _Ranked(np.stack([truth, 1 - truth], axis=-1), starts, cluster, known.size)


def resampled_counts(
    distinct: Array, multiplicity: Array, resamples: int, stream: np.random.Generator
) -> Array:
    """The counts of samples of clusters drawn with replacement, as many as there are.

    Args:
        distinct: (D, ...) distinct rows of counts.
        multiplicity: (D,) how many clusters have each.
        resamples: how many samples.
        stream: where the random numbers come from.

    Returns:
        (resamples, ...) the counts of each sample, added up.
    """
    rows = distinct.reshape(-1, prod(distinct.shape[1:])).astype(np.float64)
    out = np.zeros((resamples, rows.shape[1]), dtype=np.int64)
    step = max(1, _BLOCK // max(1, int(distinct.shape[0])))
    for start in range(0, resamples if multiplicity.sum() else 0, step):
        stop = min(start + step, resamples)
        often = _drawn_often(multiplicity, stop - start, stream)
        # integers below 2**53 are exact in the float product, whatever the order of its sums
        out[start:stop] = often.astype(np.float64) @ rows
    return out.reshape(resamples, *distinct.shape[1:])


def combined(tables: Sequence[Array], kernel: Kernel, combine: Combine) -> Floats:
    """One score per resample from its counts in every stratum.

    Args:
        tables: per stratum (resamples, blocks, groups, 4).
        kernel: a score on (..., groups, 4).
        combine: as in `score_draws`.

    Returns:
        (resamples,); NaN where the score, or one of those in the mean, is undefined. A block that
        got no unit at all in a resample (few clusters, several seeds) is not in that mean.
    """
    if combine == "pool":
        return kernel(sum((t.sum(axis=1) for t in tables[1:]), start=tables[0].sum(axis=1)))
    scores = np.concatenate([kernel(t) for t in tables], axis=1)
    filled = np.concatenate([t.sum(axis=(2, 3)) > 0 for t in tables], axis=1)
    number = filled.sum(axis=1)
    total = np.where(filled, scores, 0.0).sum(axis=1)
    mean: Floats = np.divide(total, number, out=np.full(len(number), np.nan), where=number > 0)
    return mean


def _drawn_often(multiplicity: Array, resamples: int, stream: np.random.Generator) -> Array:
    # (resamples, D): how often each distinct row is drawn. Both ways give the same law; drawing
    # cluster by cluster is quicker where nearly every cluster is a row of its own.
    size, kinds = int(multiplicity.sum()), multiplicity.size
    if 8 * kinds < size:
        return stream.multinomial(size, multiplicity / size, size=resamples)
    kind = np.repeat(np.arange(kinds), multiplicity)
    picked = kind[stream.integers(size, size=(resamples, size))]
    return np.stack([np.bincount(row, minlength=kinds) for row in picked])


def _undefined_at(observed: Sequence[Array], kernel: Kernel) -> str:
    wrong = np.flatnonzero(np.isnan(np.concatenate([kernel(t) for t in observed], axis=1)[0])) + 1
    return f"fold{'s' if wrong.size > 1 else ''} {', '.join(map(str, wrong.tolist()))}"


def _blocks(distinct: Array) -> Array:
    table = np.asarray(distinct)
    if table.ndim not in (3, 4) or table.shape[-1] != 4:
        raise DataError(
            "Resampling counts", f"a table has the shape {table.shape}",
            "Give (rows, groups, 4) or (rows, blocks, groups, 4)",
        )  # fmt: skip
    return table if table.ndim == 4 else table[:, None]
