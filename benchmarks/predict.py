"""`slant predict` against transformers' own pipeline, and the cascade.

    SLANT_DATA=DIR python benchmarks/predict.py [--rows 20000] [--peer 2000] [--onnx]

A detector is trained on a share of RedditBias (mbib/075, clean, fold 0). The corpus is a random
draw from LIAR (mbib/072) and from the texts of RedditBias that the detector neither learns from nor
is tested on. The peer is `pipeline("text-classification")` as it comes (float32, one text at a
time), and the same with batches of 8; it works off the first `--peer` texts, which are a random
subsample since the corpus is a random order. Ours is the whole call: the corpus checked and hashed,
the model loaded, shards written and joined. Seconds are those of the processor, one thread.

The cascade is taught on other texts of the same draw, without their labels. Its bound is chosen on
the detector's dev rows by a rule that stands here: the largest of `BOUNDS` at which class F1 falls
by at most `CHOSEN_LOSS` there. Its class F1 is then measured once, on the test rows of the fold,
which neither the detector, nor the linear model, nor the choice has seen.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ratios import say_ratio
from slant.types import Array

PIPELINE = "transformers' pipeline as it comes"
MAX_LENGTH = 128
BOUNDS = (0.01, 0.02, 0.05, 0.1)
CHOSEN_LOSS = 0.01


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


def labelled(train_share: str, role: int) -> tuple[list[str], Array]:
    """Texts and labels of the detector's dev or test rows."""
    from slant.tasks.options import chosen_options
    from slant.tasks.prepare import prepared

    options = chosen_options("clean", {"train_share": train_share})
    rows = pl.read_parquet(prepared("mbib/075", options, 42, None, {}).rows)
    rows = rows.filter(pl.col("role_0") == role)
    return rows["text"].to_list(), rows["label"].to_numpy().astype(np.int64)


def cascade_losses(
    detector: Path, bounds: Sequence[float], rows: tuple[list[str], Array]
) -> dict[float, dict[str, Any]]:
    """What the cascade answers on labelled rows with each bound, and the class F1 that it loses."""
    from slant.runs.cascade import chosen_bands, load_student, measured
    from slant.runs.detectors import STUDENT
    from slant.runs.folders import detector_facts
    from slant.runs.predicting import encoder_answers

    facts, student = detector_facts(detector), load_student(detector / STUDENT)
    said = encoder_answers(detector, "torch", str(facts["long"]), rows[0]).probability
    threshold = facts["threshold"]
    return {
        bound: measured(
            student, chosen_bands(student, threshold, bound), rows[0], said, rows[1], threshold
        )
        for bound in bounds
    }


def chosen_bound(detector: Path, train_share: str) -> float:
    """The largest bound that loses at most `CHOSEN_LOSS` of class F1 on dev, else the smallest."""
    from slant.tasks.protocols import DEV

    dev = labelled(train_share, DEV)
    losses = cascade_losses(detector, BOUNDS, dev)
    for bound, row in losses.items():
        print(f"    dev, bound {bound}: {json.dumps(row)}", flush=True)
    return max((b for b in BOUNDS if losses[b]["loss"] <= CHOSEN_LOSS), default=BOUNDS[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--peer", type=int, default=2000)
    parser.add_argument("--sample", type=int, default=12_000)
    parser.add_argument("--train-share", default="0.15")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--least-ratio", type=float, default=2.0)
    parser.add_argument("--least-cascade", type=float, default=6.0)
    parser.add_argument("--most-loss", type=float, default=0.01)
    parser.add_argument("--onnx", action="store_true")
    parser.add_argument("--detector", type=Path, help="One that an earlier run kept.")
    parser.add_argument("--keep", type=Path, help="Keep the detector here.")
    asked = parser.parse_args()
    if not os.environ.get("SLANT_DATA"):
        print("  SLANT_DATA is not set: nothing is measured", flush=True)
        return
    with tempfile.TemporaryDirectory() as name:
        os.environ["SLANT_CACHE"] = str(Path(name) / "store")
        speed(asked, Path(name))


def by_onnx(detector: Path, corpus: Path, folder: Path, own: float) -> None:
    """Print the speed of onnxruntime against that of torch, and how many labels are equal."""
    ours(detector, corpus, folder / "warm.parquet", runtime="onnx")
    onnx, _ = ours(detector, corpus, folder / "onnx.parquet", runtime="onnx")
    p, q = (
        pl.read_parquet(folder / f"{name}.parquet")["probability"].to_numpy()
        for name in ("torch", "onnx")
    )
    print(f"  onnx: labels equal to torch {np.mean((p >= 0.5) == (q >= 0.5)):.2%}", flush=True)
    say_ratio("slant predict --runtime onnx", onnx / own, "--runtime torch")


def speed(asked: argparse.Namespace, folder: Path) -> None:
    import torch

    from slant.runs.detectors import train_detector
    from slant.runs.folders import detector_facts
    from slant.tasks.protocols import TEST

    torch.set_num_threads(1)
    stream = np.random.default_rng(7)
    free = sorted({*texts_of("072"), *unlabelled(asked.train_share)})
    stream.shuffle(free)
    real = free[asked.sample : asked.sample + asked.rows]
    taught, corpus = folder / "taught.parquet", folder / "corpus.parquet"
    pl.DataFrame({"text": free[: asked.sample]}).write_parquet(taught)
    pl.DataFrame({"text": real}).write_parquet(corpus)
    detector = asked.detector or asked.keep or folder / "detector"
    if not asked.detector:
        spent, _ = seconds_of(
            lambda: train_detector(
                "mbib/075", "encoder:minilm", detector,
                params={"epochs": asked.epochs, "max_length": MAX_LENGTH},
                options={"train_share": asked.train_share}, distil=taught, sample=asked.sample,
            )
        )  # fmt: skip
        print(f"  trained and distilled in {spent:.0f} s", flush=True)
    facts = detector_facts(detector)
    f1 = facts["scores"]["scores"]["micro_class_f1"]
    print(f"  class F1 on held-out rows {f1['value']:.3f} [{f1['low']:.3f}, {f1['high']:.3f}], "
          f"rows {facts['rows']}", flush=True)  # fmt: skip
    chosen = chosen_bound(detector, asked.train_share)

    own, done = ours(detector, corpus, folder / "torch.parquet")
    table = pl.read_parquet(folder / "torch.parquet")
    labels = [facts["labels"][int(p >= 0.5)] for p in table["probability"][: asked.peer]]
    theirs, said = peers(detector, real[: asked.peer], None)
    theirs8, _ = peers(detector, real[: asked.peer], 8)
    equal = np.mean([a == b for a, b in zip(labels, said, strict=True)])
    print(f"  {len(real):,} sentences: torch {own:.1f}/s; pipeline on {len(said):,} of them "
          f"{theirs:.1f}/s, in batches of 8 {theirs8:.1f}/s; equal labels {equal:.2%}; "
          f"{done['split']} split", flush=True)  # fmt: skip
    say_ratio("slant predict, sentences", own / theirs, PIPELINE, asked.least_ratio)
    say_ratio("slant predict, sentences", own / theirs8, f"{PIPELINE}, batches of 8")
    if asked.onnx:
        by_onnx(detector, corpus, folder, own)
    quick, told = ours(
        detector, corpus, folder / "cascade.parquet", runtime="cascade", max_disagreement=chosen
    )
    unlike = (pl.read_parquet(folder / "cascade.parquet")["biased"] != table["biased"]).mean()
    row = cascade_losses(detector, [chosen], labelled(asked.train_share, TEST))[chosen]
    print(f"  cascade, bound {chosen} chosen on dev: {quick:.1f}/s; answered "
          f"{told['share_linear']:.1%}, disagreement {unlike:.2%}", flush=True)  # fmt: skip
    print(f"  cascade on labelled test rows: {json.dumps(row)}", flush=True)
    say_ratio("slant predict --runtime cascade", quick / theirs, PIPELINE, asked.least_cascade)
    missed = []
    if own / theirs < asked.least_ratio:
        missed.append(f"torch should be at least {asked.least_ratio:g} times the pipeline")
    if equal < 1:
        missed.append("labels should be equal")
    if quick / theirs < asked.least_cascade:
        missed.append(f"the cascade should be at least {asked.least_cascade:g} times the pipeline")
    if row["loss"] > asked.most_loss:
        missed.append(f"the cascade should lose at most {asked.most_loss:g} of class F1")
    if missed:
        raise SystemExit("; ".join(missed).capitalize())


if __name__ == "__main__":
    main()
