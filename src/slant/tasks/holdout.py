"""One split into train, dev and test by shares, strata kept and no cluster divided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slant.tasks.protocols import DEV, TEST, TRAIN, Roles, Strata
from slant.types import Array, Floats


def held_out(
    strata: Strata, clusters: Array, test_share: float, dev_share: float, seed: int
) -> Roles:
    """Roles of a holdout.

    Args:
        strata: (n,) what should have the same share in each part.
        clusters: (n,) integer cluster of each row; none is in two parts.
        test_share, dev_share: of the rows, above 0, together below 1; the rest is train.
        seed: of the split.

    Returns:
        (n, 1) int8 of TRAIN, DEV, TEST.

    Source: a stratified 70/15/15 split is what BABE's explainability paper (section 3.1) has.
    """
    shares = {TEST: test_share, DEV: dev_share, TRAIN: 1 - test_share - dev_share}
    part = grouped_shares(strata, clusters, list(shares.values()), seed)
    return np.array(list(shares), np.int8)[part][:, None]


def grouped_shares(strata: Strata, clusters: Array, shares: Sequence[float], seed: int) -> Array:
    """The part of each row, parts of stated shares, strata spread evenly, no cluster in two parts.

    Clusters of several rows go first, the largest first, each to the part whose quotas are then
    filled least (sum over strata of what the part would have, as a share of its quota, times what
    the cluster brings, as a share of the stratum; ties: the lower number). Single rows then bring
    each stratum as near to its quotas as the clusters left room. Equal sizes are taken in a seeded
    order, as in `protocols.grouped_folds`.

    Args:
        strata: (n,) what should have the same share in each part.
        clusters: (n,) integer cluster of each row.
        shares: of the parts, each above 0, adding up to 1.
        seed: of both orders.

    Returns:
        (n,) int64 in [0, parts).

    >>> part = grouped_shares(["a"] * 20, np.arange(20), [0.15, 0.15, 0.7], 1)
    >>> np.bincount(part).tolist()
    [3, 3, 14]
    """
    quota = np.asarray(shares, np.float64)
    rng = np.random.default_rng([seed, 4])
    _, stratum = np.unique(np.asarray(strata), return_inverse=True)
    _, cluster, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    totals = np.bincount(stratum).astype(np.float64)
    large = np.flatnonzero(sizes > 1)
    large = large[rng.permutation(len(large))]
    large = large[np.argsort(-sizes[large], kind="stable")]
    turn = np.full(len(sizes), -1, np.int64)
    turn[large] = np.arange(len(large))
    several = sizes[cluster] > 1
    brings = np.zeros((len(large), len(totals)))
    np.add.at(brings, (turn[cluster[several]], stratum[several]), 1)

    place = np.full(len(sizes), -1, np.int64)
    filled = np.zeros((len(totals), len(quota)))
    for one, brought in zip(large.tolist(), brings, strict=True):
        fuller = (filled + brought[:, None]) / (totals[:, None] * quota)
        place[one] = int(np.argmin(brought / totals @ fuller))
        filled[:, place[one]] += brought

    part = place[cluster]
    for code in range(len(totals)):
        single = np.flatnonzero((stratum == code) & (part < 0))
        room = _filled_up(filled[code], len(single), quota)
        part[single[rng.permutation(len(single))]] = np.repeat(np.arange(len(quota)), room)
    return part


def _filled_up(have: Floats, extra: int, shares: Floats) -> Array:
    """How many of `extra` rows each part takes so that have + taken is as near to the shares as
    it can be; what a division leaves over goes to the largest remainders."""
    open_ = np.ones(len(shares), np.bool_)
    while True:
        level = (have[open_].sum() + extra) / shares[open_].sum()
        full = open_ & (have > level * shares + 1e-9)
        if not full.any():
            break
        open_ &= ~full
    ideal = np.where(open_, level * shares - have, 0.0)
    taken = np.floor(ideal + 1e-9).astype(np.int64)
    order = np.argsort(-(ideal - taken), kind="stable")
    taken[order[: extra - int(taken.sum())]] += 1
    return taken
