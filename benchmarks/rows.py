"""Millions of made rows from csv to folds in the clean preset: seconds and memory against rows.

    python benchmarks/rows.py [--rows 2300000] [--most-gb 4] [--most-ratio 2.6]

Three files, of a quarter, a half and all of the rows: sentences of about 20 words drawn by Zipf's
law, 2 % exact copies, 1 % copies with a word changed, one article per 23 rows, three data sets.
Each file is made and then worked off in a process of its own, whose peak memory is measured: read,
cleaned, de-duplicated, near-duplicates found, clustered, balanced, split. Then the search for
near-duplicates against datasketch, and the folds against scikit-learn, on 20,000 rows.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from sklearn.model_selection import StratifiedGroupKFold

from ratios import say_ratio
from slant.data.near import BANDS, ROWS, SHINGLE, similar_pairs
from slant.data.rows import read_csv
from slant.data.tables import dataset_table, record_table
from slant.data.texts import key
from slant.tasks.assembly import assembled, clusters_of, joined_rows
from slant.tasks.options import CLEAN
from slant.tasks.protocols import TEST, grouped_folds
from slant.types import Array

SETS = np.array(["900"] * 6 + ["901"] * 3 + ["902"])
WORDS, LENGTH, PER_ARTICLE = 60_000, 20, 23
COPIES, EDITED = 0.02, 0.01
CHUNK = 200_000
PEER_ROWS = 20_000


def made_words(stream: np.random.Generator) -> np.ndarray:
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    shares = 1 / np.arange(1, 27) ** 0.6
    lengths = stream.integers(2, 10, WORDS)
    drawn = "".join(stream.choice(letters, lengths.sum(), p=shares / shares.sum()))
    ends = np.cumsum(lengths)
    return np.array([drawn[end - n : end] for n, end in zip(lengths, ends, strict=True)])


def made_texts(stream: np.random.Generator, words: np.ndarray, rows: int) -> list[str]:
    shares = 1 / np.arange(1, WORDS + 1)
    lengths = np.clip(stream.poisson(LENGTH, rows), 4, None)
    drawn = np.searchsorted(np.cumsum(shares / shares.sum()), stream.random(lengths.sum()))
    chosen = words[np.minimum(drawn, WORDS - 1)].tolist()
    ends = np.cumsum(lengths).tolist()
    return [
        f"{' '.join(chosen[end - n : end]).capitalize()}."
        for n, end in zip(lengths.tolist(), ends, strict=True)
    ]


def write_made_csv(path: Path, rows: int) -> None:
    stream = np.random.default_rng(7)
    words = made_words(stream)
    with path.open("wb") as file:
        for start in range(0, rows, CHUNK):
            here = min(CHUNK, rows - start)
            texts = made_texts(stream, words, here)
            kind = stream.random(here)
            for at in np.flatnonzero(kind < COPIES + EDITED).tolist():
                text = texts[stream.integers(here)]
                if kind[at] < EDITED:
                    parts = text.split(" ")
                    parts[stream.integers(1, len(parts))] = str(words[stream.integers(WORDS)])
                    text = " ".join(parts)
                texts[at] = text
            number = np.arange(start, start + here)
            article = number // PER_ARTICLE
            frame = pl.DataFrame(
                {
                    "id": number,
                    "dataset": SETS[article % len(SETS)],
                    "text": texts,
                    "label": (stream.random(here) < 0.45).astype(np.int8),
                    "article": article,
                }
            )
            frame.write_csv(file, include_header=start == 0)


def records_of(path: Path) -> dict[str, pl.DataFrame]:
    table = read_csv(path, ("id", "dataset", "text", "label", "article"))
    table = table.with_columns(pl.col("label").cast(pl.Int8), source_label="label", part="dataset")
    return {
        number: record_table(table.filter(pl.col("dataset") == number).drop("dataset"))
        for number in sorted(set(SETS.tolist()))
    }


def work_off(path: Path) -> dict[str, float]:
    marks = [time.perf_counter()]
    before = time.process_time()
    records = records_of(path)
    marks.append(time.perf_counter())
    tables = [
        dataset_table(records.pop(number), number, "clean", "minimal") for number in list(records)
    ]
    marks.append(time.perf_counter())
    made = assembled("made rows", tables, CLEAN, 42)
    marks.append(time.perf_counter())
    processor = time.process_time() - before
    rows = sum(len(table) for table in tables)
    tested = (made.roles == TEST).sum(axis=1)
    if len(made.rows) + len(made.left_out) != rows or (tested != 1).any():
        raise SystemExit("Not every row is tested once or left out with a reason")
    read, cleaned, folded = np.diff(marks).tolist()
    return {
        "rows": rows,
        "used": len(made.rows),
        "duplicates": int((made.left_out["reason"] == "duplicate").sum()),
        "clusters": made.rows["cluster"].n_unique(),
        "read": read,
        "cleaned": cleaned,
        "folded": folded,
        "seconds": marks[-1] - marks[0],
        "processor": processor,
        # Linux gives kilobytes.
        "gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9,
    }


def best_seconds(work: Callable[[], object], repeats: int) -> tuple[float, object]:
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        seconds.append(time.process_time() - start)
    return min(seconds), result


def pairs_by_datasketch(keys: list[str]) -> set[tuple[int, int]]:
    from datasketch import MinHash, MinHashLSH

    # The same sketch: 128 permutations in 32 bands of 4, over the same shingles.
    index = MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS))
    pairs = set()
    for number, text in enumerate(keys):
        raw = text.encode()
        sketch = MinHash(num_perm=BANDS * ROWS, seed=42)
        sketch.update_batch([raw[i : i + SHINGLE] for i in range(max(len(raw) - SHINGLE + 1, 1))])
        pairs |= {(other, number) for other in index.query(sketch)}
        index.insert(number, sketch)
    return pairs


def folds_by_sklearn(strata: list[str], clusters: Array) -> list[Array]:
    splitter = StratifiedGroupKFold(n_splits=5, shuffle=True, random_state=42)
    return [test for _, test in splitter.split(strata, strata, clusters)]


def compare_peers(path: Path) -> dict[str, float]:
    tables = [
        dataset_table(records, number, "clean", "minimal")
        for number, records in records_of(path).items()
    ]
    rows, _ = joined_rows(tables, CLEAN)
    keys = rows.select(key(pl.col("text"))).to_series()
    near, found = best_seconds(lambda: similar_pairs(keys, CLEAN.near), 3)
    near_peer, proposed = best_seconds(lambda: pairs_by_datasketch(keys.to_list()), 1)
    pairs = set(zip(*(side.tolist() for side in found), strict=True))
    clusters = clusters_of(rows, CLEAN)
    strata = rows.select(pl.concat_str("dataset", "label", separator="|")).to_series().to_list()
    folds, _ = best_seconds(lambda: grouped_folds(strata, clusters, 5, 42), 3)
    folds_peer, _ = best_seconds(lambda: folds_by_sklearn(strata, clusters), 1)
    return {
        "rows": len(rows),
        "near": near,
        "near_peer": near_peer,
        "pairs": len(pairs),
        "pairs_peer_proposes_too": len(pairs & proposed),
        "folds": folds,
        "folds_peer": folds_peer,
    }


STEPS: dict[str, Callable[..., object]] = {
    "make": lambda path, rows: write_made_csv(Path(path), int(rows)),
    "work": lambda path: work_off(Path(path)),
    "peers": lambda path: compare_peers(Path(path)),
}


def in_own_process(step: str, *arguments: object) -> dict[str, float]:
    command = [sys.executable, __file__, "--step", step, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The step '{step}' failed with exit code {done.returncode}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_300_000)
    parser.add_argument("--most-gb", type=float, default=4.0)
    parser.add_argument("--most-ratio", type=float, default=2.6)
    parser.add_argument("--step", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        print(json.dumps(STEPS[asked.step[0]](*asked.step[1:])))
        return
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for share in (4, 2, 1):
            path = Path(folder) / f"{share}.csv"
            in_own_process("make", path, asked.rows // share)
            size = path.stat().st_size / 1e6
            one = in_own_process("work", path)
            path.unlink()
            measured.append(one)
            print(
                f"  {one['rows']:,} rows ({size:,.0f} MB): {one['seconds']:.1f} s = read "
                f"{one['read']:.1f} + clean {one['cleaned']:.1f} + folds {one['folded']:.1f}, "
                f"{one['processor']:.1f} s of processors; "
                f"{one['rows'] / one['seconds']:,.0f} rows/s, peak {one['gb']:.2f} GB; "
                f"{one['duplicates']:,} duplicates, {one['used']:,} used in "
                f"{one['clusters']:,} clusters",
                flush=True,
            )
        path = Path(folder) / "peers.csv"
        in_own_process("make", path, PEER_ROWS)
        peers = in_own_process("peers", path)
    # On a machine that others use too, the clock measures them as well.
    ratios = [b["processor"] / a["processor"] for a, b in pairwise(measured)]
    for ratio, (_, more) in zip(ratios, pairwise(measured), strict=True):
        say_ratio(
            f"processor time, {more['rows']:,} rows to folds",
            ratio,
            "half the rows",
            most=asked.most_ratio,
        )
    print(
        f"  near-duplicates of {peers['rows']:,} rows: {peers['near']:.2f} s, datasketch "
        f"{peers['near_peer']:.2f} s; "
        f"{peers['pairs_peer_proposes_too']:,} of our {peers['pairs']:,} pairs are among its own"
    )
    rows = f"{peers['rows']:,} rows"
    say_ratio(
        f"near-duplicates of {rows}", peers["near_peer"] / peers["near"], "datasketch, MinHashLSH"
    )
    say_ratio(f"folds of {rows}", peers["folds_peer"] / peers["folds"], "StratifiedGroupKFold")
    peak = max(one["gb"] for one in measured)
    if peak > asked.most_gb:
        raise SystemExit(f"The peak was {peak:.2f} GB: it should be under {asked.most_gb:g} GB.")
    if max(ratios) > asked.most_ratio:
        raise SystemExit(
            f"Twice the rows took {max(ratios):.2f} times as long: it should be under "
            f"{asked.most_ratio:g} times."
        )


if __name__ == "__main__":
    main()
