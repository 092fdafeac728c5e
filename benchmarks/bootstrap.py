"""The interval of a pooled F1 over two million rows, against drawing the rows one by one.

    python benchmarks/bootstrap.py [--rows 2000000] [--resamples 1000] [--groups 8]

Both start from one label per row in numpy and end with a 95 % percentile interval. The naive way is
timed for a few resamples and scaled up.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import numpy as np

from ratios import say_ratio
from slant.metrics.scores import class_f1, group_f1, micro
from slant.metrics.tallies import cluster_counts
from slant.stats.intervals import bootstrap_many
from slant.types import Array, Estimate, Floats, Tally, Undefined

F1 = partial(class_f1, undefined=0.0)
KERNELS = {
    "micro_f1": partial(micro, of=F1),
    "group_f1": partial(group_f1, f1=F1, one_class="exclude", denominator="present"),
}


def made_rows(rows: int, groups: int) -> tuple[Array, Array, Array]:
    stream = np.random.default_rng(0)
    gold = stream.integers(0, 2, rows)
    right = stream.random(rows) < 0.71
    return gold, np.where(right, gold, 1 - gold), stream.integers(0, groups, rows)


def made_tally(gold: Array, said: Array, group: Array, clusters: Array, groups: int) -> Tally:
    counts = np.zeros((gold.size, 1, 4), dtype=np.int64)
    counts[np.arange(gold.size), 0, (1 - gold) + 2 * (1 - said)] = 1
    names = tuple(f"set {g}" for g in range(groups))
    return Tally(counts, range(gold.size), group, clusters, group_names=names)  # type: ignore[arg-type]


def fast(tally: Tally, resamples: int) -> dict[str, Estimate | Undefined]:
    distinct, multiplicity, _ = cluster_counts(tally)
    return bootstrap_many(
        [(distinct, multiplicity)], KERNELS, combine="mean", level=0.95, resamples=resamples,
        seed=42, names=["bootstrap", "speed"], method="percentile",
    )  # fmt: skip


def naive(gold: Array, said: Array, resamples: int) -> Floats:
    stream = np.random.default_rng(1)
    scores = np.zeros(resamples)
    for r in range(resamples):
        rows = stream.integers(0, gold.size, gold.size)
        code = np.bincount((1 - gold[rows]) + 2 * (1 - said[rows]), minlength=4)
        scores[r] = F1(code)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--groups", type=int, default=8)
    asked = parser.parse_args()
    gold, said, group = made_rows(asked.rows, asked.groups)
    one, alone = np.zeros(asked.rows, dtype=np.int64), np.arange(asked.rows)
    cases = {
        "pooled, every row a cluster": (made_tally(gold, said, one, alone, 1)),
        "pooled, clusters of 5 rows": (made_tally(gold, said, one, alone // 5, 1)),
        f"{asked.groups} groups, every row a cluster": (
            made_tally(gold, said, group, alone, asked.groups)
        ),
    }
    print(f"{asked.rows:,} rows, {asked.resamples:,} resamples, from counts to interval")
    seconds = {}
    for name, tally in cases.items():
        start = time.perf_counter()
        found = fast(tally, asked.resamples)
        seconds[name] = time.perf_counter() - start
        estimate = found["micro_f1"]
        print(f"  {name}: {seconds[name]:.3f} s   micro F1 {estimate}")
    few = 5
    start = time.perf_counter()
    scores = naive(gold, said, few)
    slow = (time.perf_counter() - start) / few * asked.resamples
    first = next(iter(seconds.values()))
    print(f"  rows drawn one by one: {slow:.0f} s (from {few} resamples, mean {scores.mean():.5f})")
    say_ratio(
        f"interval of a pooled F1, {asked.rows:,} rows", slow / first, "rows drawn one by one"
    )
    if first > 1:
        raise SystemExit(f"The pooled score took {first:.2f} s: it should take less than 1 s.")


if __name__ == "__main__":
    main()
