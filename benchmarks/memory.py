"""Memory of `slant predict` over the number of rows.

    python benchmarks/memory.py [--rows 1000000] [--small 10000] [--most-ratio 1.2]

The whole command in a process of its own, once over few rows and once over many: the corpus
checked and hashed, the detector loaded, the cascade taught on 200 rows, shards scored, written and
joined. The detector is a BERT of two layers and 32 dimensions with random weights, and the cascade
may disagree with it in all texts, so that the linear model answers nearly all: what is measured is
what grows with rows, not what a detector needs. Beside it reading and writing alone, with one
answer for all. Memory is the highest resident set, as the system counts it.
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

from ratios import say_ratio

MADE, CONSTANT, WHOLE, SAVED = "made", "constant", "whole", "saved"


def saved(folder: Path) -> None:
    """Write a detector with random weights as `slant train` would."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    from slant.runs.folders import FACTS
    from slant.systems.checkpoints import quiet_transformers

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "council", "met", "on", "monday", ",",
             "number"]  # fmt: skip
    own = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, "[UNK]"))
    own.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    own.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=own, **names)
    torch.manual_seed(1)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(
        vocab_size=len(words), intermediate_size=64, max_position_embeddings=66, **size
    )
    with quiet_transformers():
        BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    facts = {"task": "made", "labels": ["non-biased", "biased"], "temperature": 1.0,
             "threshold": 0.5, "max_length": 64, "long": "window", "system": "random weights",
             "signature": "none"}  # fmt: skip
    (folder / FACTS).write_text(json.dumps(facts))


def made(corpus: Path, rows: int) -> None:
    """Write a corpus of so many rows."""
    ids = pl.Series(np.arange(rows)).cast(pl.String)
    table = pl.DataFrame({"id": ids, "text": "the council met on monday, number " + ids})
    table.write_parquet(corpus)


def constant(corpus: Path) -> None:
    """Score a corpus with one answer for all."""
    from slant.data.streams import open_corpus
    from slant.runs.predicting import ROWS, scored_corpus
    from slant.runs.shards import Answers, claimed, shard_folder
    from slant.runs.store import only_writer
    from slant.runs.workers import Workers

    def answering(texts: Any) -> Answers:
        n = len(texts)
        ones = np.ones(n, dtype=np.int64)
        return Answers(np.full(n, 0.7), ones > 0, ones, ones * 0, ones < 0)

    out = corpus.with_suffix(".constant.parquet")
    with only_writer(shard_folder(out)):
        claimed(out, {}, True)
        scored_corpus(
            open_corpus(corpus, None, None), out, answering, {},
            {"detector": "constant", "signature": "none"},
            rows=ROWS, workers=Workers(), bands=None, progress=lambda *_: None,
        )  # fmt: skip


def whole(corpus: Path) -> None:
    """The command as a user gives it, on one process."""
    from slant.cli import main as slant

    detector, out = corpus.parent / "detector", corpus.with_suffix(".whole.parquet")
    command = ["predict", detector, corpus, "--out", out, "--runtime", "cascade", "--sample", 200,
               "--max-disagreement", 1, "--jobs", 1, "--json"]  # fmt: skip
    try:
        slant([str(part) for part in command])
    except SystemExit as ended:
        if ended.code:
            raise


def alone(job: str, path: Path, rows: int = 0) -> tuple[float, float]:
    """A job in a process of its own: its highest resident megabytes, and its seconds."""
    start = time.monotonic()
    command = [sys.executable, __file__, "--job", job, "--path", str(path), "--rows", str(rows)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(told.split()[-1]) / 1024, time.monotonic() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--most-ratio", type=float, default=1.2)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    jobs = {MADE: lambda: made(asked.path, asked.rows), CONSTANT: lambda: constant(asked.path),
            WHOLE: lambda: whole(asked.path), SAVED: lambda: saved(asked.path)}  # fmt: skip
    if asked.job:
        jobs[asked.job]()
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return
    missed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["SLANT_CACHE"] = str(folder / "store")
        alone(SAVED, folder / "detector")
        for size in (asked.small, asked.rows):
            alone(MADE, folder / f"{size}.parquet", size)
        for job, what in ((CONSTANT, "reading and writing"), (WHOLE, "the whole command")):
            (small, _), (large, spent) = (
                alone(job, folder / f"{size}.parquet") for size in (asked.small, asked.rows)
            )
            print(
                f"  {what}: {asked.small:,} rows {small:.0f} MB, {asked.rows:,} rows "
                f"{large:.0f} MB in {spent:.0f} s",
                flush=True,
            )
            same = f"{asked.small:,} rows"
            say_ratio(
                f"memory of slant predict, {what}, {asked.rows:,} rows",
                large / small,
                same,
                most=asked.most_ratio,
            )
            if large > asked.most_ratio * small:
                missed.append(what)
    if missed:
        raise SystemExit(f"Memory should be flat over rows: {', '.join(missed)}")


if __name__ == "__main__":
    main()
