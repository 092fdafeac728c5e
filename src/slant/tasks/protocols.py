"""Who is trained on, who is tuned on, who is tested: rows, strata and clusters to folds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from slant.types import Array, Example, Floats, Fold

TRAIN, DEV, TEST, UNUSED = 0, 1, 2, 3
Roles = NDArray[np.int8]
Strata = Sequence[str] | Array
"""(n,) names or numbers of what should have the same share in each fold."""


def stratified_folds(strata: Strata, folds: int, seed: int) -> Array:
    """The test fold of each row, strata spread evenly, clusters not looked at.

    Args:
        strata: (n,) what should have the same share in each fold.
        folds: number of folds, at least 2.
        seed: of the shuffle.

    Returns:
        (n,) int64 in [0, folds).

    Source: MBIB paper, section 5.1; scikit-learn's StratifiedKFold, as the official script has it.
    """
    # Done here, to the same result, since the library checks its input once for each fold; the
    # frozen generator of numpy keeps the folds the same in every release of either.
    _, begins, inverse = np.unique(np.asarray(strata), return_index=True, return_inverse=True)
    stratum = np.argsort(np.argsort(begins))[inverse]
    sizes = np.bincount(stratum)
    rng = np.random.RandomState(seed)
    fold = np.empty(len(stratum), np.int64)
    dealt = 0
    for number, size in enumerate(sizes.tolist()):
        # Rows sorted by stratum are dealt to the folds in turn.
        counts = np.bincount(np.arange(dealt, dealt + size) % folds, minlength=folds)
        block = np.repeat(np.arange(folds), counts)
        rng.shuffle(block)
        fold[stratum == number] = block
        dealt += size
    return fold


def grouped_folds(strata: Strata, clusters: Array, folds: int, seed: int) -> Array:
    """The test fold of each row, strata spread evenly, no cluster in two folds.

    Clusters of several rows go first, the largest first, each to the fold whose strata it fills
    least (sum over strata of what the fold has times what the cluster brings, both as shares of
    the stratum; ties: the fold with fewer rows, then the lower number). Single rows then level
    each stratum exactly as far as the clusters left room. Equal sizes are taken in a seeded order.

    Args:
        strata: (n,) what should have the same share in each fold.
        clusters: (n,) integer cluster of each row.
        folds: number of folds, at least 2.
        seed: of both orders.

    Returns:
        (n,) int64 in [0, folds).

    Source: StratifiedGroupKFold of scikit-learn, whose loop over every single row is what this
    spares; the tests compare the balance of the two.
    """
    rng = np.random.default_rng([seed, 1])
    _, stratum = np.unique(np.asarray(strata), return_inverse=True)
    _, cluster, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    totals = np.bincount(stratum).astype(np.float64)
    place = np.full(len(sizes), -1, np.int64)

    large = np.flatnonzero(sizes > 1)
    large = large[rng.permutation(len(large))]
    large = large[np.argsort(-sizes[large], kind="stable")]
    place[large], filled, rows = _placed(large, cluster, stratum, totals, folds)

    fold = place[cluster]
    for code in range(len(totals)):
        single = np.flatnonzero((stratum == code) & (fold < 0))
        room = _levelled(filled[code], len(single), rows, rng)
        fold[single[rng.permutation(len(single))]] = np.repeat(np.arange(folds), room)
        rows += room
    return fold


def _placed(
    large: Array, cluster: Array, stratum: Array, totals: Floats, folds: int
) -> tuple[Array, Array, Floats]:
    """The fold of each large cluster in turn, then the rows that each fold has: by stratum
    (strata, folds), and in all (folds,)."""
    count = len(totals)
    inside = np.zeros(int(cluster.max(initial=-1)) + 1, np.bool_)
    inside[large] = True
    several = inside[cluster]
    pairs, amounts = np.unique(cluster[several] * count + stratum[several], return_counts=True)
    owner, brings = np.divmod(pairs, count)
    weights = amounts / totals[brings] ** 2
    ends = np.searchsorted(owner, large, side="right").tolist()
    begins = np.searchsorted(owner, large).tolist()
    terms = list(zip(brings.tolist(), amounts.tolist(), weights.tolist(), strict=True))

    # Plain numbers: array calls on five folds cost more than the sums, and the order in which
    # BLAS adds, and with it the fold of a tie, differs between machines.
    filled = [[0] * folds for _ in range(count)]
    rows = [0.0] * folds
    numbers = range(folds)
    placed = np.empty(len(large), np.int64)
    for at, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        load = [0.0] * folds
        for code, _, weight in terms[begin:end]:
            load = [sum_ + have * weight for sum_, have in zip(load, filled[code], strict=True)]
        chosen = min(zip(load, rows, numbers, strict=True))[2]
        placed[at] = chosen
        for code, amount, _ in terms[begin:end]:
            filled[code][chosen] += amount
            rows[chosen] += amount
    return placed, np.array(filled, np.int64), np.array(rows)


def _levelled(have: Array, extra: int, rows: Floats, rng: np.random.Generator) -> Array:
    """How many of `extra` rows each fold takes so that have + taken is as level as it can be."""
    order = np.argsort(have, kind="stable")
    level = 0
    for count in range(len(have), 0, -1):
        level, rest = divmod(int(have[order[:count]].sum()) + extra, count)
        if have[order[count - 1]] <= level:
            break
    taken = np.maximum(level - have, 0)
    # The remainder of the division goes to the folds with fewest rows, seeded among equals.
    open_folds = order[:count]
    thin = open_folds[np.lexsort((rng.random(count), rows[open_folds]))]
    taken[thin[:rest]] += 1
    return taken


def held_out_quarter(fold: Array, folds: int, seed: int) -> Roles:
    """Roles where development data is a quarter of the held-out fold and the rest is tested.

    Args:
        fold: (n,) test fold of each row.
        folds: number of folds.
        seed: of the quarter.

    Returns:
        (n, folds) int8 of TRAIN, DEV, TEST.

    Source: the official MBIB evaluation script (train_test_split of the held-out fold).
    """
    roles = np.zeros((len(fold), folds), np.int8)
    for number in range(folds):
        held_out = np.flatnonzero(fold == number)
        order = held_out[np.random.RandomState(seed).permutation(len(held_out))]
        tested = math.ceil(0.75 * len(order))
        roles[order[:tested], number] = TEST
        roles[order[tested : tested + len(order) // 4], number] = DEV
    return roles


def dev_from_train(fold: Array, strata: Strata, clusters: Array, folds: int, seed: int) -> Roles:
    """Roles where the whole fold is tested and an eighth of the other folds is development data.

    Args:
        fold: (n,) test fold of each row.
        strata, clusters: (n,) as in `grouped_folds`; no cluster is in both train and dev.
        folds: number of folds.
        seed: of the eighth.

    Returns:
        (n, folds) int8 of TRAIN, DEV, TEST.
    """
    _, stratum = np.unique(np.asarray(strata), return_inverse=True)
    roles = np.zeros((len(fold), folds), np.int8)
    for number in range(folds):
        rest = np.flatnonzero(fold != number)
        eighth = grouped_folds(stratum[rest], clusters[rest], 8, seed + 1 + number)
        roles[rest[eighth == 0], number] = DEV
        roles[fold == number, number] = TEST
    return roles


def thinned(roles: Roles, clusters: Array, share: float, seed: int) -> Roles:
    """Roles with only a share of the training clusters kept: one point of a learning curve.

    Shares are nested: what is trained on at 0.25 is trained on at 0.5 too.

    Args:
        roles: (n, folds).
        clusters: (n,) cluster of each row.
        share: of training clusters kept, in (0, 1].
        seed: of the draw.

    Returns:
        (n, folds) int8; rows not kept are UNUSED.
    """
    dropped = _cluster_draw(clusters, seed) >= share
    thin = roles.copy()
    thin[(roles == TRAIN) & dropped[:, None]] = UNUSED
    return thin


def limited(roles: Roles, clusters: Array, rows: int, seed: int) -> Roles:
    """Roles with at most so many training rows in each fold: a stated sample.

    Clusters enter whole, in the order of `thinned`'s draw, up to the first that does not fit.

    Args:
        roles: (n, folds).
        clusters: (n,) cluster of each row.
        rows: the most that a fold keeps.
        seed: of the draw.

    Returns:
        (n, folds) int8; rows not kept are UNUSED.
    """
    draw = _cluster_draw(clusters, seed)
    few = roles.copy()
    for number in range(roles.shape[1]):
        train = np.flatnonzero(roles[:, number] == TRAIN)
        _, cluster, sizes = np.unique(draw[train], return_inverse=True, return_counts=True)
        few[train[np.cumsum(sizes)[cluster] > rows], number] = UNUSED
    return few


def _cluster_draw(clusters: Array, seed: int) -> Floats:
    """(n,) one number in [0, 1) for each cluster, at each of its rows."""
    draw: Floats = np.random.default_rng([seed, 2]).random(int(clusters.max(initial=0)) + 1)
    return draw[clusters]


def fold_of(examples: Sequence[Example], roles: Array | Roles) -> Fold:
    """The fold that a column of roles describes; the test part loses its gold here.

    Args:
        examples: (n,) in the order of the roles.
        roles: (n,) TRAIN, DEV, TEST or UNUSED.

    Returns:
        One Fold.
    """
    parts: dict[int, list[Example]] = {TRAIN: [], DEV: [], TEST: [], UNUSED: []}
    for example, role in zip(examples, roles.tolist(), strict=True):
        parts[role].append(example)
    return Fold(train=parts[TRAIN], dev=parts[DEV], test=[example.item for example in parts[TEST]])
