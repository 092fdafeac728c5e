"""Fine-tuning minilm: batches of like length against padding to 128 in file order.

    python benchmarks/training.py [--sentences 1500] [--least-ratio 2.5]

Statements of mbib/072 where SLANT_DATA has them, else made ones of its lengths. The peer is the
default loop of transformers: tokens padded to 128, texts in file order. Its time per sentence does
not depend on the texts, so it works off 128 of them; ours trains on all. Then loss curves on 224
sentences, two epochs, three seeds: ours, and file order. There the peer is padded to the longest of
a batch, which gives the same sums as 128 in less time. Seconds are those of the processor, one
thread, nothing is saved.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ratios import say_ratio
from slant.systems.batches import Text, tokenised
from slant.systems.checkpoints import Encoder, load_encoder, quiet_transformers
from slant.systems.encoder import one_thread
from slant.systems.finetune import (
    Head,
    Settings,
    kept_random_state,
    log_loss,
    probabilities,
)
from slant.systems.training import make_trainer
from slant.tasks.members import card_member, member_table
from slant.tasks.options import CLEAN
from slant.types import Array

MAX_LENGTH, BATCH, SEEDS = 128, 32, (1, 2, 3)
PEER, CURVE, HELD_OUT = 128, 224, 128
SETTINGS = Settings(
    epochs=1,
    lr=1e-4,
    batch=BATCH,
    precision="float32",
    patience=0,
    warmup=0.1,
    weight_decay=0.01,
    balanced=False,
)


def sentences(n: int) -> tuple[list[str], Array]:
    """n labelled statements in the order of the file, or made ones as long."""
    if os.environ.get("SLANT_DATA"):
        table = member_table(card_member("072", None, CLEAN, None), CLEAN, {})
        table = table.drop_nulls("label").head(n)
        return table["text"].to_list(), table["label"].to_numpy().astype(np.int64)
    print("  SLANT_DATA is not set: made sentences of 4 to 40 words", flush=True)
    stream = np.random.default_rng(7)
    words = ["tax", "health", "says", "percent", "jobs", "voted", "never", "every", "state", "the"]
    texts = [" ".join(stream.choice(words, stream.integers(4, 41))) for _ in range(n)]
    return texts, stream.integers(0, 2, n)


def tokens_of(encoder: Encoder, texts: list[str]) -> list[Text]:
    return tokenised(texts, encoder.tokenizer, encoder.fingerprint, MAX_LENGTH, "window")


def ours(texts: list[str], y: Array) -> float:
    """Sentences per second of the processor, tokenisation included."""
    encoder = load_encoder("minilm", SEEDS[0])
    with tempfile.TemporaryDirectory() as folder, quiet_transformers(), kept_random_state():
        start = time.process_time()
        data = (tokens_of(encoder, texts), y)
        trainer = make_trainer(encoder, [Head(*data, [], y[:0])], SETTINGS, SEEDS[0], Path(folder))
        trainer.args.save_strategy = "no"
        trainer.train()
        return len(texts) / (time.process_time() - start)


def peers(texts: list[str], y: Array) -> float:
    """The same of the Trainer as it comes, on texts padded to 128 in file order."""
    import torch
    from transformers import PrinterCallback, Trainer, TrainingArguments, default_data_collator

    class FileOrder(Trainer):
        def _get_train_sampler(self, train_dataset: Any = None) -> Any:
            return torch.utils.data.SequentialSampler(self.train_dataset)

    encoder = load_encoder("minilm", SEEDS[0])
    with tempfile.TemporaryDirectory() as folder, quiet_transformers(), kept_random_state():
        arguments = TrainingArguments(
            output_dir=folder,
            per_device_train_batch_size=BATCH,
            num_train_epochs=1,
            learning_rate=SETTINGS.lr,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            logging_strategy="no",
            use_cpu=True,
            dataloader_pin_memory=False,
        )
        start = time.process_time()
        made = encoder.tokenizer(
            texts, padding="max_length", truncation=True, max_length=MAX_LENGTH
        )
        rows = [
            {"input_ids": ids, "attention_mask": mask, "labels": int(label)}
            for ids, mask, label in zip(made["input_ids"], made["attention_mask"], y, strict=True)
        ]
        trainer = FileOrder(encoder.model, arguments, default_data_collator, rows)
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        return len(texts) / (time.process_time() - start)


def curve(texts: list[str], y: Array, seed: int, file_order: bool) -> list[float]:
    """Loss on train in each epoch, then the log loss on held-out sentences after the last."""
    import torch

    encoder = load_encoder("minilm", seed)
    data = tokens_of(encoder, texts)
    train, held_out = (data[:CURVE], y[:CURVE]), (data[CURVE:], y[CURVE:])
    settings = replace(SETTINGS, epochs=2)
    with tempfile.TemporaryDirectory() as folder, quiet_transformers(), kept_random_state():
        trainer = make_trainer(encoder, [Head(*train, [], y[:0])], settings, seed, Path(folder))
        trainer.args.save_strategy = "no"
        if file_order:
            trainer._get_train_sampler = lambda *_: torch.utils.data.SequentialSampler(train[0])
        trainer.train()
        losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return [*losses, log_loss(probabilities(encoder, held_out[0], "float32"), held_out[1])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=1500)
    parser.add_argument("--least-ratio", type=float, default=2.5)
    asked = parser.parse_args()
    texts, y = sentences(max(asked.sentences, CURVE + HELD_OUT))
    with tempfile.TemporaryDirectory() as store, one_thread():
        os.environ["SLANT_CACHE"] = store
        theirs = peers(texts[:PEER], y[:PEER])
        own = ours(texts, y)
        print(
            f"  {len(texts):,} sentences: {own:.1f} sentences/s, padded to 128 in file order "
            f"{theirs:.1f}",
            flush=True,
        )
        say_ratio(
            "fine-tuning MiniLM, sentences",
            own / theirs,
            "the Trainer, padded to 128",
            asked.least_ratio,
        )
        some = slice(CURVE + HELD_OUT)
        curves = {
            name: np.array([curve(texts[some], y[some], seed, order) for seed in SEEDS])
            for name, order in (("like lengths", False), ("file order", True))
        }
    for name, found in curves.items():
        shown = "; ".join(
            f"{where} {column.mean():.4f} (" + ", ".join(f"{x:.4f}" for x in column) + ")"
            for where, column in zip(("epoch 1", "epoch 2", "held out"), found.T, strict=True)
        )
        print(f"  loss, {name}: {shown}")
    one, other = curves.values()
    gap = np.abs(one.mean(0) - other.mean(0))
    # The difference of two means of three has this standard error; 4 of them hold for 4 degrees
    # of freedom at 1 %, and below 0.01 nothing is told from nothing.
    noise = np.sqrt((one.var(0, ddof=1) + other.var(0, ddof=1)) / len(SEEDS))
    print(f"  {time.process_time():.0f} s of the processor in all")
    print(f"  gaps {np.round(gap, 4).tolist()}, noise of seeds {np.round(noise, 4).tolist()}")
    if own / theirs < asked.least_ratio:
        raise SystemExit(f"The ratio should be at least {asked.least_ratio:g}")
    if (gap > np.maximum(4 * noise, 0.01)).any():
        raise SystemExit("The loss curves differ by more than the noise of seeds")


if __name__ == "__main__":
    main()
