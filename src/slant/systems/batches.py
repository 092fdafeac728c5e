"""Texts -> tokens in windows that the model can read -> batches of like length.

Texts are tokenised once and kept in the user's store. A text longer than the model's limit is
split at the ends of its sentences, or cut.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slant.systems.encoder import (
    cache_folder,
    keep_rows,
    open_store,
    store_failed,
    stored_rows,
    text_keys,
)
from slant.types import Floats

STEP = 8  # widths are multiples of this: matrix kernels are faster there
BUDGET = 2048  # tokens of a batch that is only predicted, padding included
AT_ONCE = 2000  # texts tokenised between two commits
SENTENCE_END = re.compile(r"""[.!?…][)"'”’\]]*(?=\s)|\n+""")

OFFSET = ("roberta", "xlm-roberta", "camembert", "mpnet")

Tokens = NDArray[np.int32]


class Text(NamedTuple):
    """A text's windows, each with the special tokens, and how many tokens were cut off."""

    windows: tuple[Tokens, ...]
    cut: int


def longest_window(config: Any) -> int:
    """How many tokens a model can read at once, special ones included.

    Args:
        config: its configuration; a million where that names no end.
    """
    positions = getattr(config, "max_position_embeddings", None) or 10**6
    # RoBERTa and MPNet count their positions from behind the padding token's.
    offset = (config.pad_token_id or 0) + 1 if config.model_type in OFFSET else 0
    return int(positions) - offset


class Frame(NamedTuple):
    """The special tokens that a tokenizer puts before and behind one text."""

    before: tuple[int, ...]
    behind: tuple[int, ...]


def frame_of(tokenizer: Any) -> Frame:
    """The special tokens around a text, found on a probe."""
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    for start in range(len(whole) - len(bare) + 1):
        if whole[start : start + len(bare)] == bare:
            return Frame(tuple(whole[:start]), tuple(whole[start + len(bare) :]))
    return Frame((), ())


def sentence_ends(text: str) -> list[int]:
    """Offsets in characters behind the end of each sentence, the last at the text's end.

    A sentence ends with a full stop, question or exclamation mark before white space, or with a
    line. Abbreviations count as ends too: a window then closes early, and nothing is lost.

    >>> sentence_ends("He lied. She knew!")
    [8, 18]
    """
    ends = [found.end() for found in SENTENCE_END.finditer(text)]
    return ends if ends and ends[-1] == len(text) else [*ends, len(text)]


def window_ends(ends: Sequence[int], tokens: int, room: int) -> list[int]:
    """Where windows of at most `room` tokens end: at the last sentence end that fits.

    A sentence longer than a window is split at the window's length.

    Args:
        ends: ascending numbers of tokens at which sentences end.
        tokens: of the text.
        room: tokens of a window, above 0.

    Returns:
        Ascending ends, the last of them `tokens`.

    >>> window_ends([4, 7, 12], 12, 8)
    [7, 12]
    """
    done: list[int] = []
    start = 0
    while tokens - start > room:
        fitting = [end for end in ends if start < end <= start + room]
        start = fitting[-1] if fitting else start + room
        done.append(start)
    return [*done, tokens]


def _windowed(
    ids: Sequence[int], starts: Sequence[int], text: str, frame: Frame, max_length: int, long: str
) -> Text:
    room = max_length - len(frame.before) - len(frame.behind)
    cut = 0
    if len(ids) <= room:
        ends = [len(ids)]
    elif long == "cut":
        ends, cut = [room], len(ids) - room
    else:
        # The number of tokens that start before a sentence's end.
        marks = np.searchsorted(np.asarray(starts), sentence_ends(text), side="left")
        ends = window_ends(marks.tolist(), len(ids), room)
    parts = [ids[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    return Text(
        tuple(np.array([*frame.before, *part, *frame.behind], dtype="<i4") for part in parts), cut
    )


def _packed(text: Text) -> bytes:
    head = [text.cut, len(text.windows), *(len(window) for window in text.windows)]
    return np.concatenate([np.array(head, dtype="<i4"), *text.windows]).tobytes()


def _unpacked(data: bytes) -> Text:
    numbers = np.frombuffer(data, dtype="<i4")
    cut, count = int(numbers[0]), int(numbers[1])
    ends = np.cumsum(numbers[2 : 2 + count])
    return Text(tuple(np.split(numbers[2 + count :], ends[:-1])), cut)


def tokenised(
    texts: Sequence[str], tokenizer: Any, fingerprint: str, max_length: int, long: str
) -> list[Text]:
    """The windows of texts in tokens; those that the store knows are not tokenised again.

    Args:
        texts: (n,) texts.
        tokenizer: a tokenizer of transformers; a fast one, or its windows end between words.
        fingerprint: of the checkpoint, part of the key.
        max_length: tokens of a window, special ones included.
        long: "window", or "cut" to keep only the start of a longer text.

    Returns:
        (n,) texts; an empty one has one window of special tokens, or of padding.

    Raises:
        WorkFailed: the store cannot be read or written.
    """
    keys = text_keys(f"1 {fingerprint} {max_length} {long} ", texts)
    first = dict(zip(reversed(keys), reversed(texts), strict=True))
    folder = cache_folder()
    frame = frame_of(tokenizer)
    try:
        with closing(open_store(folder, "tokens")) as store:
            known = {k: _unpacked(v) for k, v in stored_rows(store, "tokens", list(first))}
            new = [key for key in first if key not in known]
            for start in range(0, len(new), AT_ONCE):
                here = new[start : start + AT_ONCE]
                fresh = windows_of([first[k] for k in here], tokenizer, frame, max_length, long)
                keep_rows(
                    store, "tokens", [(k, _packed(t)) for k, t in zip(here, fresh, strict=True)]
                )
                known |= dict(zip(here, fresh, strict=True))
    except sqlite3.Error as why:
        raise store_failed(folder, "tokens", why) from why
    return [known[key] for key in keys]


def windows_of(
    texts: Sequence[str], tokenizer: Any, frame: Frame, max_length: int, long: str
) -> list[Text]:
    """The windows of texts in tokens, nothing looked up or kept; arguments as in `tokenised`."""
    # A lone surrogate, which a broken decoder leaves, is no text that a tokenizer takes.
    clean = [text.encode("utf-8", "replace").decode() for text in texts]
    fast = bool(tokenizer.is_fast)
    asked = tokenizer(clean, add_special_tokens=False, return_offsets_mapping=fast, verbose=False)
    made = []
    for row, text in enumerate(clean):
        ids = asked["input_ids"][row]
        starts = [a for a, _ in asked["offset_mapping"][row]] if fast else list(range(len(ids)))
        one = _windowed(ids, starts, text, frame, max_length, long)
        if not one.windows[0].size:
            one = Text((np.array([tokenizer.pad_token_id], dtype="<i4"),), 0)
        made.append(one)
    return made


def padded(windows: Sequence[Tokens], pad: int, limit: int) -> dict[str, Any]:
    """One batch as tensors, padded to its longest window and on to a multiple of 8.

    Args:
        windows: (n,) windows of tokens.
        pad: the padding token's id.
        limit: tokens that the model can read.

    Returns:
        input_ids and attention_mask, each (n, width) int64.
    """
    import torch

    longest = max(len(window) for window in windows)
    width = max(longest, min(-(-longest // STEP) * STEP, limit))
    ids = np.full((len(windows), width), pad, dtype=np.int64)
    mask = np.zeros((len(windows), width), dtype=np.int64)
    for row, window in enumerate(windows):
        ids[row, : len(window)] = window
        mask[row, : len(window)] = 1
    return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}


def batches_by_budget(windows: Sequence[Tokens], budget: int) -> Iterator[list[int]]:
    """Places of windows in batches of like length, the longest first, under a budget of tokens.

    Equal sets of windows give equal batches whatever their order.

    Args:
        windows: (n,) windows of tokens.
        budget: tokens of a batch, padding included; one window may exceed it.
    """
    order = sorted(range(len(windows)), key=lambda i: (-len(windows[i]), windows[i].tobytes()))
    start = 0
    while start < len(order):
        width = -(-len(windows[order[start]]) // STEP) * STEP
        end = start + max(1, budget // width)
        yield order[start:end]
        start = end


def text_probabilities(texts: Sequence[Text], windows: Floats) -> Floats:
    """The probability of each text: the mean of its windows', weighted by their tokens.

    Args:
        texts: (n,) texts.
        windows: (m,) probabilities of all windows, text after text.

    Returns:
        (n,) probabilities in [0, 1].

    >>> two = Text((np.zeros(3, np.int32), np.zeros(1, np.int32)), 0)
    >>> text_probabilities([two], np.array([0.75, 0.25])).tolist()
    [0.625]
    """
    if not texts:
        return np.empty(0)
    sizes = np.array([len(window) for text in texts for window in text.windows], dtype=np.float64)
    starts = np.cumsum([0, *(len(text.windows) for text in texts[:-1])])
    joint: Floats = np.add.reduceat(sizes * windows, starts) / np.add.reduceat(sizes, starts)
    return np.clip(joint, 0.0, 1.0)
