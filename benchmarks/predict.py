"""`slant predict` against transformers' own pipeline, the cascade, and memory over rows.

    python benchmarks/predict.py [--rows 3000] [--sample 9000] [--train-share 0.15] [--onnx]

A detector is trained on RedditBias (mbib/075, clean, fold 0) where SLANT_DATA has it. Sentences are
those of its rows and of LIAR (mbib/072). The peer is `pipeline("text-classification")` as it comes
(float32, one text at a time), and the same with batches of 8; since its time per sentence does not
depend on how many there are, it works off some hundred. Ours is the whole call: the corpus checked
and hashed, the model loaded, shards written and joined. Seconds are those of the processor, one
thread. The cascade is taught on RedditBias texts without their labels; its speed is that on others
of these, and its F1 that on the labelled ones of the held-out fold. Memory is the highest resident
set of a process that reads and writes, with a detector that knows one answer.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

PEER = 400
SMALL, LARGE = 10_000, 1_000_000
MAX_LENGTH = 128


def texts_of(number: str) -> list[str]:
    """The texts of a data set, those that carry no label or are left out of its tasks too."""
    from slant.data.cards import load_card
    from slant.data.files import data_homes, locate
    from slant.data.mbib import READERS

    source = locate(number, data_homes(None), "clean")
    if source is None:
        raise SystemExit(f"mbib/{number} is not here: {load_card(number).how_to_get}")
    table = READERS[number](source, "clean")
    return [text for text in table["text"].unique(maintain_order=True) if text and text.strip()]


def unlabelled(train_share: str) -> list[str]:
    """RedditBias texts that no detector learns from or is tested on: those without a label, and
    those that the share of train leaves unused, their labels not looked at."""
    from slant.data.files import data_homes, locate
    from slant.data.mbib import READERS
    from slant.tasks.options import chosen_options
    from slant.tasks.prepare import prepared
    from slant.tasks.protocols import UNUSED

    table = READERS["075"](locate("075", data_homes(None), "clean"), "clean")
    labelled = set(table.drop_nulls("label")["text"])
    options = chosen_options("clean", {"train_share": train_share})
    rows = pl.read_parquet(prepared("mbib/075", options, 42, None, {}).rows)
    unused = rows.filter(pl.col("role_0") == UNUSED)["text"].to_list()
    found = [text for text in table["text"] if text and text not in labelled]
    return sorted({*found, *unused})


def seconds_of(work: Any) -> tuple[float, Any]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def peers(detector: Path, texts: list[str], batch: int | None) -> tuple[float, list[str]]:
    """Sentences per second of the processor of transformers' pipeline, and its labels."""
    from transformers import pipeline

    from slant.systems.checkpoints import quiet_transformers

    with quiet_transformers():
        plain = pipeline("text-classification", str(detector), device="cpu")
        more = {} if batch is None else {"batch_size": batch}
        spent, made = seconds_of(lambda: plain(texts, truncation=True, **more))
    return len(texts) / spent, [one["label"] for one in made]


def ours(detector: Path, corpus: Path, out: Path, **more: Any) -> tuple[float, dict[str, Any]]:
    from slant.runs.predicting import predict

    spent, done = seconds_of(lambda: predict(detector, corpus, out, jobs=1, **more))
    return done["rows"] / spent, done


def memory_of(rows: int, folder: Path) -> float:
    """Megabytes at most resident in a process that reads and writes so many rows."""
    corpus = folder / f"{rows}.parquet"
    # In processes of their own: a child's highest resident set starts at its parent's.
    for job in (["--made", str(rows)], []):
        command = [sys.executable, __file__, "--constant", str(corpus), *job]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(told) / 1024


def made(corpus: Path, rows: int) -> None:
    """Write a corpus of so many rows."""
    ids = pl.Series(np.arange(rows)).cast(pl.String)
    table = pl.DataFrame({"id": ids, "text": "the council met on monday, number " + ids})
    table.write_parquet(corpus)


def constant(corpus: Path) -> None:
    """Score a corpus with one answer for all; print the process's highest resident kilobytes."""
    from slant.data.streams import open_corpus
    from slant.runs.predicting import ROWS, scored_corpus
    from slant.runs.shards import Answers, claimed, shard_folder
    from slant.runs.store import only_writer
    from slant.runs.workers import Workers

    def answering(texts: Any) -> Answers:
        n = len(texts)
        ones = np.ones(n, dtype=np.int64)
        return Answers(np.full(n, 0.7), ones > 0, ones, ones * 0, ones < 0)

    out = corpus.with_suffix(".out.parquet")
    with only_writer(shard_folder(out)):
        claimed(out, {}, True)
        scored_corpus(
            open_corpus(corpus, None, None), out, answering, {},
            {"detector": "constant", "signature": "none"},
            rows=ROWS, workers=Workers(), bands=None, progress=lambda *_: None,
        )  # fmt: skip
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--sample", type=int, default=9000)
    parser.add_argument("--train-share", default="0.15")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--bound", type=float, default=0.05)
    parser.add_argument("--least-ratio", type=float, default=2.0)
    parser.add_argument("--least-cascade", type=float, default=6.0)
    parser.add_argument("--onnx", action="store_true")
    parser.add_argument("--detector", type=Path, help="One that an earlier run kept.")
    parser.add_argument("--keep", type=Path, help="Keep the detector here.")
    parser.add_argument("--constant", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--made", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.made:
        made(asked.constant, asked.made)
        return
    if asked.constant:
        constant(asked.constant)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = memory_of(SMALL, folder), memory_of(LARGE, folder)
        print(f"  memory: {SMALL:,} rows {small:.0f} MB, {LARGE:,} rows {large:.0f} MB, ratio "
              f"{large / small:.2f}", flush=True)  # fmt: skip
        if large > 1.5 * small:
            raise SystemExit("Memory should be flat over rows")
        if not os.environ.get("SLANT_DATA"):
            print("  SLANT_DATA is not set: speed is not measured", flush=True)
            return
        os.environ["SLANT_CACHE"] = str(folder / "store")
        speed(asked, folder)


def speed(asked: argparse.Namespace, folder: Path) -> None:
    import torch

    from slant.runs.detectors import train_detector
    from slant.runs.folders import detector_facts

    torch.set_num_threads(1)
    stream = np.random.default_rng(7)
    free = unlabelled(asked.train_share)
    stream.shuffle(free)
    taught = folder / "taught.parquet"
    pl.DataFrame({"text": free[: asked.sample]}).write_parquet(taught)
    detector = asked.detector or asked.keep or folder / "detector"
    if not asked.detector:
        spent, _ = seconds_of(
            lambda: train_detector(
                "mbib/075", "encoder:minilm", detector,
                params={"epochs": asked.epochs, "max_length": MAX_LENGTH},
                options={"train_share": asked.train_share}, distil=taught, sample=asked.sample,
                max_disagreement=asked.bound,
            )
        )  # fmt: skip
        print(f"  trained and distilled in {spent:.0f} s", flush=True)
    facts = detector_facts(detector)
    f1 = facts["scores"]["scores"]["micro_class_f1"]
    print(f"  class F1 on held-out rows {f1['value']:.3f} [{f1['low']:.3f}, {f1['high']:.3f}], "
          f"rows {facts['rows']}", flush=True)  # fmt: skip

    real = [*texts_of("072"), *texts_of("075")]
    real = [real[i] for i in stream.permutation(len(real))[: asked.rows]]
    corpus = folder / "corpus.parquet"
    pl.DataFrame({"text": real}).write_parquet(corpus)
    own, done = ours(detector, corpus, folder / "torch.parquet")
    p = pl.read_parquet(folder / "torch.parquet")["probability"].to_numpy()
    labels = [facts["labels"][int(one)] for one in p[:PEER] >= 0.5]
    theirs, said = peers(detector, real[:PEER], None)
    theirs8, _ = peers(detector, real[:PEER], 8)
    equal = np.mean([a == b for a, b in zip(labels, said, strict=True)])
    print(f"  {len(real):,} sentences: torch {own:.1f}/s; pipeline {theirs:.1f}/s, ratio "
          f"{own / theirs:.2f}; in batches of 8 {theirs8:.1f}/s, ratio {own / theirs8:.2f}; equal "
          f"labels {equal:.2%}; {done['split']} split", flush=True)  # fmt: skip
    if asked.onnx:
        ours(detector, corpus, folder / "warm.parquet", runtime="onnx")
        onnx, _ = ours(detector, corpus, folder / "onnx.parquet", runtime="onnx")
        q = pl.read_parquet(folder / "onnx.parquet")["probability"].to_numpy()
        print(f"  onnx {onnx:.1f}/s, {onnx / own:.2f} times torch; labels equal to torch "
              f"{np.mean((p >= 0.5) == (q >= 0.5)):.2%}", flush=True)  # fmt: skip

    rest = folder / "rest.parquet"
    pl.DataFrame({"text": free[asked.sample : asked.sample + asked.rows]}).write_parquet(rest)
    both = {}
    for runtime in ("torch", "cascade"):
        out = folder / f"rest-{runtime}.parquet"
        both[runtime] = (*ours(detector, rest, out, runtime=runtime,
                               max_disagreement=asked.bound), pl.read_parquet(out))  # fmt: skip
    quick, told, table = both["cascade"]
    slow, _, encoder = both["torch"]
    base, _ = peers(detector, free[asked.sample : asked.sample + PEER], None)
    row = next(one for one in facts["cascade"]["rows"] if one["bound"] == asked.bound)
    print(f"  cascade, bound {asked.bound}: {quick:.1f}/s, {quick / base:.2f} times the pipeline "
          f"({base:.1f}/s), {quick / slow:.2f} times torch; answered {told['share_linear']:.1%}, "
          f"disagreement {(table['biased'] != encoder['biased']).mean():.2%}; on labelled held-out "
          f"rows {json.dumps(row)}", flush=True)  # fmt: skip
    for one in facts["cascade"]["rows"]:
        print(f"    bound {one['bound']}: answered {one['share']:.1%}, disagreement "
              f"{one['disagreement']:.2%}, loss {one['loss']:+.4f}")  # fmt: skip
    if own / theirs < asked.least_ratio:
        raise SystemExit(f"torch should be at least {asked.least_ratio:g} times the pipeline")
    if equal < 1:
        raise SystemExit("Labels should be equal")
    if quick / base < asked.least_cascade or row["loss"] > 0.01:
        raise SystemExit("The cascade should be faster, or lose less")


if __name__ == "__main__":
    main()
