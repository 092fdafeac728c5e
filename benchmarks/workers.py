"""Two workers against one: cells of `slant run`, and shards of `slant predict`.

    python benchmarks/workers.py [--repeats 2] [--rows 4000] [--least-ratio 1.6]

Cells are the folds of the embedded sentences with encoder:minilm; the corpus is made sentences.
Both are timed as a user waits for them: preparation, start of the processes, and the loading of the
encoder in each of them count. One and two workers take turns, and the best of each counts. Seconds
are those of the clock, so that the cores must be free: two loops that only count are timed beside
one, and where they are not nearly twice as fast together, the machine is at fault and not the work.
The files that two workers leave are held against those of one.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from ratios import say_ratio

FREE = 1.85
COUNT = "for _ in range(60_000_000): pass"


def machine() -> float:
    """How many times the counting of one process two do in the same time."""

    def seconds(processes: int) -> float:
        start = time.monotonic()
        running = [subprocess.Popen([sys.executable, "-c", COUNT]) for _ in range(processes)]
        for one in running:
            one.wait()
        return time.monotonic() - start

    one, two = (min(seconds(n) for _ in range(3)) for n in (1, 2))
    return 2 * one / two


def command(*arguments: object) -> float:
    """Seconds that a command of slant takes in a process of its own."""
    start = time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "slant", *map(str, arguments)], check=True, capture_output=True
    )
    return time.monotonic() - start


def sums(folder: Path) -> dict[str, str]:
    """The hash of each Parquet file below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.parquet"))
    }


def run_cells(folder: Path, jobs: int, folds: int, epochs: int) -> float:
    """Seconds of a run whose texts are not yet prepared or in tokens."""
    os.environ["SLANT_CACHE"] = str(folder / "store")
    return command(
        "run", "open/sentences", "-s", "encoder:minilm", "--epochs", epochs, "-p", "patience=0",
        "--set", f"folds={folds}", "--jobs", jobs, "-o", folder / "run", "-q",
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--folds", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--least-ratio", type=float, default=1.6)
    asked = parser.parse_args()
    free = machine()
    print(f"  two counting processes do {free:.2f} times one", flush=True)
    missed = [] if free >= FREE else [f"the cores are not free ({free:.2f} times)"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["SLANT_CACHE"] = str(folder / "store")
        corpus, detector = folder / "corpus.parquet", folder / "detector"
        stream = np.random.default_rng(7)
        words = ["tax", "health", "says", "jobs", "voted", "never", "every", "state", "the"]
        texts = [" ".join(stream.choice(words, stream.integers(4, 41))) for _ in range(asked.rows)]
        pl.DataFrame({"text": texts}).write_parquet(corpus)
        command("train", "open/sentences", "-s", "encoder:minilm", "--epochs", 1, "-o", detector)
        for what in ("cells", "shards"):
            best: dict[int, float] = {}
            files = {}
            for turn in range(asked.repeats):
                for jobs in (1, 2):
                    here = folder / f"{what}-{turn}-{jobs}"
                    here.mkdir()
                    if what == "cells":
                        spent = run_cells(here, jobs, asked.folds, asked.epochs)
                        files[jobs] = sums(here / "run")
                    else:
                        spent = command(
                            "predict", detector, corpus, "-o", here / "out.parquet", "--jobs", jobs,
                            "--rows", max(asked.rows // 8, 1), "-q",
                        )  # fmt: skip
                        files[jobs] = sums(here)
                    best[jobs] = min(spent, best.get(jobs, spent))
            ratio = best[1] / best[2]
            n = f"{asked.folds} cells" if what == "cells" else f"{asked.rows:,} rows in 8 shards"
            print(f"  {n}: one worker {best[1]:.1f} s, two {best[2]:.1f} s", flush=True)
            say_ratio(f"two workers, {n}", ratio, "one worker", asked.least_ratio)
            if files[1] != files[2]:
                missed.append(f"{what} of two workers should be those of one")
            if ratio < asked.least_ratio:
                missed.append(f"{what} should be {asked.least_ratio:g} times as fast with two")
    if missed:
        raise SystemExit("; ".join(missed).capitalize())


if __name__ == "__main__":
    main()
