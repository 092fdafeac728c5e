"""Vectors of texts by a frozen checkpoint: the mean of its last layer, kept in the user's store."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np

from slant.systems.batches import Tokens, tokenised
from slant.systems.checkpoints import Encoder, code_fingerprint
from slant.systems.encoder import (
    ROWS,
    STEP,
    Vectors,
    cache_folder,
    keep_rows,
    one_thread,
    open_store,
    store_failed,
    stored_rows,
    text_keys,
)
from slant.systems.memory import within_memory

COMMIT = 256  # texts between two commits
TABLE = "textvectors"


def checkpoint_vectors(model: Encoder, texts: Sequence[str], max_length: int) -> Vectors:
    """The vectors of texts: the mean of the last layer over the tokens of all of a text's windows.

    A vector is a function of its text alone, to the bit: every batch has the same number of rows,
    and its width follows from the window's own length.

    Args:
        model: a checkpoint; its head is not used.
        texts: (n,) texts; equal ones are encoded once.
        max_length: tokens of a window, or the model's limit where that is less.

    Returns:
        (n, d) float32.

    Raises:
        WorkFailed: the store cannot be read or written, or memory ran out.
    """
    length = min(max_length, model.limit)
    code = code_fingerprint(f"mean pooling {ROWS} {STEP}")
    keys = text_keys(f"1 {model.fingerprint} {code} {length} ", texts)
    first = dict(zip(reversed(keys), reversed(texts), strict=True))
    folder = cache_folder()
    try:
        with closing(open_store(folder, TABLE)) as store:
            known = {
                key: np.frombuffer(value, dtype="<f4").astype(np.float32, copy=False)
                for key, value in stored_rows(store, TABLE, list(first))
            }
            new = sorted((key for key in first if key not in known), key=lambda k: len(first[k]))
            for start in range(0, len(new), COMMIT):
                here = new[start : start + COMMIT]
                made = _encoded(model, [first[key] for key in here], length)
                rows = [(k, v.astype("<f4").tobytes()) for k, v in zip(here, made, strict=True)]
                keep_rows(store, TABLE, rows)
                known |= dict(zip(here, made, strict=True))
    except sqlite3.Error as why:
        raise store_failed(folder, TABLE, why) from why
    return np.stack([known[key] for key in keys])


def _encoded(model: Encoder, texts: Sequence[str], length: int) -> Vectors:
    read = tokenised(texts, model.tokenizer, model.fingerprint, length, "window")
    windows = [window for text in read for window in text.windows]
    owner = np.repeat(np.arange(len(read)), [len(text.windows) for text in read])
    widths = np.array([min(-(-len(one) // STEP) * STEP, model.limit) for one in windows])
    sums: Any = None
    with one_thread(), within_memory(f"Reading texts with '{model.name}'"):
        for width in np.unique(widths).tolist():
            same = np.flatnonzero(widths == width).tolist()
            for start in range(0, len(same), ROWS):
                batch = same[start : start + ROWS]
                made = _summed(model, [windows[i] for i in batch], max(width, 1))
                if sums is None:
                    sums = np.zeros((len(windows), made.shape[1]), dtype=np.float32)
                sums[batch] = made
    sizes = np.array([len(window) for window in windows], dtype=np.float32)
    starts = np.searchsorted(owner, np.arange(len(read)))
    total = np.add.reduceat(sizes, starts)
    vectors: Vectors = (np.add.reduceat(sums, starts, axis=0) / total[:, None]).astype(np.float32)
    return vectors


def _summed(model: Encoder, windows: Sequence[Tokens], width: int) -> Vectors:
    """The sum of the last layer over each window's tokens."""
    import torch

    ids = np.full((ROWS, width), model.tokenizer.pad_token_id, dtype=np.int64)
    mask = np.zeros((ROWS, width), dtype=np.int64)
    mask[:, 0] = 1  # a spare row must have a token
    for row, window in enumerate(windows):
        ids[row, : len(window)] = window
        mask[row, : len(window)] = 1
    with torch.inference_mode():
        real = torch.from_numpy(mask)
        body = model.model.base_model.eval()
        hidden = body(input_ids=torch.from_numpy(ids), attention_mask=real).last_hidden_state
        vectors: Vectors = (hidden * real.unsqueeze(-1).float()).sum(1).float().numpy()
    return vectors[: len(windows)]
