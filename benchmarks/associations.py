"""p-values of WEAT by permutation: against WEFE's, at equal numbers of permutations.

WEFE 1.0.1 is no dependency and pins numpy below 2: it runs in an environment of its own,

    python3 -m venv DIR && DIR/bin/pip install wefe==1.0.1
    python benchmarks/associations.py --wefe DIR/bin/python

Both get the same made vectors (8, 16 or 25 words a set, 300 dimensions) and end with a p-value.
WEFE is timed for `--peer` permutations and scaled: its time is that of a query with p-value less
that of one without. Processor seconds on one thread, the best of the repeats. Without `--wefe` the
peer is a plain Python loop over the same definition. Ends with exit code 1 below 50,000 times
WEFE's speed, or below 300 times the loop's. WEAT only; WEFE draws words with replacement, so that
its p-values are not compared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ratios import say_ratio
from slant.embeddings.association import associations
from slant.stats.permutations import Permuted, permutation_test
from slant.types import Floats

LEAST_WEFE = 50_000.0
LEAST_LOOP = 300.0
SIZES = (8, 16, 25)
Sets = tuple[Floats, Floats, Floats, Floats]

PEER = """
import json, logging, sys, time
import numpy as np
from gensim.models import KeyedVectors
from wefe.metrics import WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel
asked = json.load(sys.stdin)
sets = [np.array(s, dtype=np.float32) for s in asked["sets"]]
names = [[f"{k}{i}" for i in range(len(s))] for k, s in zip("xyab", sets)]
vectors = KeyedVectors(sets[0].shape[1])
vectors.add_vectors(sum(names, []), np.concatenate(sets))
model, query = WordEmbeddingModel(vectors, "made"), Query(names[:2], names[2:])
def spent(**more):
    start = time.process_time()
    found = WEAT().run_query(query, model, **more)
    return time.process_time() - start, found
spent()
plain, effect = spent()
slow, _ = spent(calculate_p_value=True, p_value_iterations=asked["permutations"],
                p_value_test_type="two-sided")
print(json.dumps({"seconds": slow - plain, "effect_size": effect["effect_size"]}))
"""


def made_sets(size: int) -> Sets:
    stream = np.random.default_rng(size)
    x, y, a, b = stream.normal(size=(4, size, 300))
    line = stream.normal(size=300) * 0.1
    return x + line, y - line, a + line, b - line


def ours(sets: Sets, permutations: int, method: str) -> Permuted:
    x, y, a, b = sets
    return permutation_test(
        associations(x, a, b, "cosine"), associations(y, a, b, "cosine"),
        method=method, permutations=permutations, seed=0,  # type: ignore[arg-type]
    )  # fmt: skip


def by_wefe(python: Path, sets: Sets, permutations: int) -> float:
    """Seconds of WEFE's permutations, by its own clock."""
    asked = json.dumps({"sets": [part.tolist() for part in sets], "permutations": permutations})
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-c", PEER], input=asked, capture_output=True, text=True, check=False,
        env=kept | threads,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"WEFE did not run with {python}: {done.stderr.strip()[-400:]}")
    return float(json.loads(done.stdout.splitlines()[-1])["seconds"])


def by_loop(sets: Sets, permutations: int) -> float:
    """Seconds of the same test as a loop: shuffle the words, average h over each set."""
    x, y, a, b = (part / np.linalg.norm(part, axis=1, keepdims=True) for part in sets)
    start = time.process_time()
    pool, stream, n = [*x, *y], random.Random(0), len(x)

    def difference() -> float:
        h = [float(np.mean(a @ w) - np.mean(b @ w)) for w in pool]
        return sum(h[:n]) - sum(h[n:])

    observed, extreme = difference(), 0
    for _ in range(permutations):
        stream.shuffle(pool)  # type: ignore[arg-type]
        extreme += abs(difference()) >= abs(observed)
    return time.process_time() - start


def seconds(work: Callable[[], Permuted], repeats: int) -> tuple[float, Permuted]:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wefe", type=Path, help="python of an environment with wefe 1.0.1")
    parser.add_argument("--permutations", type=int, default=100_000)
    parser.add_argument("--peer", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    peer = "WEFE" if asked.wefe else "a plain loop"
    print(f"{asked.permutations:,} permutations; the peer is {peer}, {asked.peer} scaled")
    if not asked.wefe:
        print("no --wefe: WEFE is not measured")
    ours(made_sets(8), 10, "monte-carlo")  # what the first call imports is no part of it
    ratios, least = [], LEAST_WEFE if asked.wefe else LEAST_LOOP
    for size in SIZES:
        sets = made_sets(size)
        fast, drawn = seconds(
            lambda s=sets: ours(s, asked.permutations, "monte-carlo"), asked.repeats
        )
        exact, counted = seconds(lambda s=sets: ours(s, 0, "auto"), asked.repeats)
        slow = by_wefe(asked.wefe, sets, asked.peer) if asked.wefe else by_loop(sets, asked.peer)
        ratios.append(slow / asked.peer / (fast / asked.permutations))
        print(
            f"  {size} words a set: ours {fast * 1e3:.1f} ms (p {drawn.p:.5f} +- {drawn.error:.5f})"
            f", peer {slow / asked.peer * 1e3:.2f} ms a permutation; "
            f"{counted.method} {exact * 1e3:.1f} ms (p {counted.low:.6g} to {counted.high:.6g})"
        )
        say_ratio(
            f"permutations of WEAT, {size} words a set",
            ratios[-1],
            peer,
            least,
        )
    if min(ratios) < least:
        raise SystemExit(f"The lowest ratio is {min(ratios):,.0f}: it should be {least:,.0f}")


if __name__ == "__main__":
    main()
