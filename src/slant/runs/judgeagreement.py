"""How judges of a ViLBias run agree with each other, and whether one favours its own family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from slant.metrics.kappas import agreed_share, kappa_kernel
from slant.runs.vilbiasdraws import Resampled
from slant.runs.vilbiasrulings import ALL_JUDGES
from slant.runs.vilbiasscores import Cell, support_values
from slant.systems.modelfamilies import same_family
from slant.types import Floats


def agreement_rows(cells: Sequence[Cell], drawn: Resampled) -> Iterator[dict[str, Any]]:
    """How far every two judges agree on whether rationales support the right label.

    Args:
        cells: of all systems.
        drawn: the pairs.

    Returns:
        Rows: first, second, rationales (that both ruled on), and as estimates agreed and kappa
        (Cohen's; no interval where one of the two says the same of every rationale).
    """
    names = sorted({name for cell in cells for name in cell.rulings} - {ALL_JUDGES})
    for one, other in combinations(names, 2):
        counts = np.zeros((len(drawn.gold), 4))
        for cell in cells:
            if one in cell.rulings and other in cell.rulings:
                a, b = (support_values(cell.rulings[judge], "supports") for judge in (one, other))
                for place, found in enumerate(((1, 1), (0, 1), (1, 0), (0, 0))):
                    counts[:, place] += ((a == found[0]) & (b == found[1])).sum(axis=0)
        pooled = np.rint(drawn.weights @ counts).astype(np.int64)
        none = "no rationale has verdicts of both"
        agreed = drawn.estimate(agreed_share(pooled)[:, None], none)
        alike = "both say the same of every rationale" if counts.any() else none
        kappa = drawn.estimate(kappa_kernel(pooled)[:, None], alike)
        whole = counts.sum(axis=0)
        if not all(whole[side].any() for side in ([0, 2], [1, 3], [0, 1], [2, 3])):
            # where one of the two always says the same, kappa is 0 whatever pairs are drawn
            kappa |= {"low": None, "high": None}
        yield {
            "first": one,
            "second": other,
            "rationales": int(whole.sum()),
            "agreed": drawn.bounded(agreed, (counts.sum(axis=1) > 0).tolist()),
            "kappa": kappa,
        }


def self_preference(judge: str, cells: Sequence[Cell], drawn: Resampled) -> dict[str, Any] | None:
    """How much better a judge thinks of its own family than other judges do.

    Rule: over the rationales that it and at least one judge of another house ruled on: its verdict
    less the mean of theirs; the mean of that over the models of its family, less the mean over all
    other models, where no judge of these models' own house is set beside it. So neither a mild
    judge nor a good model counts as preference. Families are told by name.

    Args:
        judge: its name.
        cells: of all systems.
        drawn: the pairs.

    Returns:
        judges (that it is set beside), kin, others (rationales), and the estimate in [-2, 2],
        above 0 where it favours its own; None without such rationales on either side.
    """
    beside: set[str] = set()
    sums = {True: np.zeros((len(drawn.gold), 2)), False: np.zeros((len(drawn.gold), 2))}
    for cell in cells:
        if judge not in cell.rulings:
            continue
        kin = bool(same_family(judge, cell.system))
        others = [
            name
            for name in cell.rulings
            if name not in (judge, ALL_JUDGES)
            and not same_family(name, judge)
            and not (same_family(name, cell.system) and not kin)
        ]
        if not others:
            continue
        own = support_values(cell.rulings[judge], "supports")
        theirs = np.stack([support_values(cell.rulings[name], "supports") for name in others])
        known = ~np.isnan(theirs)
        votes = known.sum(axis=0)
        mean = np.where(known, theirs, 0.0).sum(axis=0) / np.maximum(votes, 1)
        both = (votes > 0) & ~np.isnan(own)
        sums[kin][:, 0] += np.where(both, own - mean, 0.0).sum(axis=0)
        sums[kin][:, 1] += both.sum(axis=0)
        beside |= {name for name, any_ in zip(others, known, strict=True) if any_.any()}
    if not (sums[True][:, 1].any() and sums[False][:, 1].any()):
        return None
    parts = {kin: _means(drawn.weights @ found) for kin, found in sums.items()}
    return {
        "judges": sorted(beside),
        "kin": int(sums[True][:, 1].sum()),
        "others": int(sums[False][:, 1].sum()),
        **drawn.estimate((parts[True] - parts[False])[:, None], "no rationale has both verdicts"),
    }


def _means(pooled: Floats) -> Floats:
    below = pooled[:, 1]
    none = np.full(below.shape, np.nan)
    return np.asarray(np.divide(pooled[:, 0], below, out=none, where=below > 0))
