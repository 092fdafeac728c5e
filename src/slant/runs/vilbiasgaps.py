"""What open questions cost: closed less open, on the same pairs, with interval and test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from slant.runs.vilbiasdraws import Resampled
from slant.runs.vilbiasscores import Cell, item_values
from slant.stats.corrections import holm
from slant.stats.paired import sign_flip_test
from slant.types import Floats


def gap_rows(
    cells: Sequence[Cell],
    drawn: Resampled,
    clusters: Sequence[str],
    *,
    permutations: int,
    seed: int,
) -> list[dict[str, Any]]:
    """The gaps of every system that was asked both closed and open, with as many examples.

    Rule: closed is whether the label is right; open is, measure by measure, whether the label is,
    whether the rationale supports the right label, and whether it is faithful; an answer without a
    rationale supports nothing. Each is averaged over runs. Pairs that a judge has not ruled on are
    left out of both sides. The test exchanges closed and open within clusters (sign flips of the
    sums over a cluster); Holm over the rows of a measure.

    Args:
        cells: of all systems.
        drawn: the pairs.
        clusters: (pairs,) what each belongs to.
        permutations, seed: of the test, where it cannot count all exchanges.

    Returns:
        Rows: system, shots, measure, judge (None for labels), pairs, closed, open, difference, low,
        high, p, p_holm, method; `why` where there is no difference.
    """
    rows: list[dict[str, Any]] = []
    for closed in cells:
        for opened in cells:
            same = (closed.system, closed.shots) == (opened.system, opened.shots)
            if same and (closed.mode, opened.mode) == ("closed", "open"):
                rows += _rows(closed, opened, drawn, clusters, permutations, seed)
    for measure in {row["measure"]: None for row in rows}:
        own = [row for row in rows if row["measure"] == measure and row["p"] is not None]
        for row, p in zip(own, holm([row["p"] for row in own]) if own else (), strict=True):
            row["p_holm"] = float(p)
    return rows


def _rows(
    closed: Cell,
    opened: Cell,
    drawn: Resampled,
    clusters: Sequence[str],
    permutations: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    first = closed.right(drawn.gold).mean(axis=0)
    measures: list[tuple[str, str | None, Floats]] = [
        ("label", None, opened.right(drawn.gold).mean(axis=0))
    ]
    for judge, rulings in opened.rulings.items():
        for name, key in (("reasoning", "supports"), ("faithfulness", "faithful")):
            # one run without a ruling on a pair leaves the pair out: NaN stays NaN
            measures.append((name, judge, item_values(opened, rulings, key).mean(axis=0)))
    for measure, by, second in measures:
        known = ~np.isnan(second)
        row: dict[str, Any] = {
            "system": closed.system,
            "shots": closed.shots,
            "measure": measure,
            "judge": by,
            "pairs": int(known.sum()),
            "closed": None,
            "open": None,
            "difference": None,
            "low": None,
            "high": None,
            "p": None,
            "p_holm": None,
        }
        if not known.any():
            yield {**row, "why": "no pair has a ruling"}
            continue
        values = np.where(known, first - second, np.nan)
        estimate = drawn.mean(values[None], "no pair has a ruling")
        test = sign_flip_test(
            _sums(values[known], [c for c, k in zip(clusters, known, strict=True) if k]),
            permutations=permutations,
            seed=seed,
            names=["vilbias", closed.system, str(closed.shots), measure, by or ""],
        )
        yield {
            **row,
            "closed": float(first[known].mean()),
            "open": float(second[known].mean()),
            "difference": estimate["value"],
            "low": estimate["low"],
            "high": estimate["high"],
            "p": test.p,
            "method": test.method,
        }


def _sums(values: Floats, clusters: Sequence[str]) -> Floats:
    place = {name: n for n, name in enumerate(sorted(set(clusters)))}
    return np.bincount([place[name] for name in clusters], values, len(place)).astype(np.float64)
