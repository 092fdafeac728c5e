"""Versions of a text in which chosen words say nothing, or something else; positions stay.

A token's own embedding reaches its position past all attention heads. The position that a model is
read out at must therefore stay as it is (`hooks.protected_places`), or no head could restore it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.errors import DataError, OptionError, unknown_name
from slant.explain.hooks import Bools
from slant.systems.batches import Tokens
from slant.types import Array

Pool = Mapping[int, NDArray[np.int32]]
"""Words in tokens by their number of tokens t: an array (words, t)."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What corruptions write in: the ids of the mask and unknown token, where there are such, and
    words to draw from."""

    mask: int | None
    unknown: int | None
    pool: Pool


def vocabulary_of(tokenizer: Any, words: Sequence[str]) -> Vocabulary:
    """The special ids of a tokenizer, and words in its tokens as they stand within a text.

    Args:
        tokenizer: of transformers.
        words: to draw from; repeated ones count once, so that a word's frequency plays no part.
    """
    by_length: dict[int, list[list[int]]] = {}
    unique = list(dict.fromkeys(words))
    # Tokenizers that mark the start of a word know it by the space before it.
    spaced = [f" {word}" for word in unique]
    found = tokenizer(spaced, add_special_tokens=False)["input_ids"] if spaced else []
    for ids in found:
        if ids and tokenizer.unk_token_id not in ids:
            by_length.setdefault(len(ids), []).append(ids)
    pool = {n: np.array(rows, dtype=np.int32) for n, rows in sorted(by_length.items())}
    return Vocabulary(tokenizer.mask_token_id, tokenizer.unk_token_id, pool)


def runs_of(chosen: Bools, words: Array) -> list[slice]:
    """Stretches of chosen tokens that belong to one word.

    Args:
        chosen: (t,) which tokens.
        words: (t,) the number of the word that a token belongs to, below 0 for special tokens.

    >>> runs_of(np.array([False, True, True, True]), np.array([-1, 0, 0, 1]))
    [slice(1, 3, None), slice(3, 4, None)]
    """
    found: list[slice] = []
    start = None
    for place in range(len(chosen) + 1):
        same = start is not None and place < len(chosen) and words[place] == words[start]
        if start is not None and not (same and chosen[place]):
            found.append(slice(start, place))
            start = None
        if start is None and place < len(chosen) and chosen[place]:
            start = place
    return found


def masked(
    tokens: Tokens, chosen: Bools, words: Array, vocabulary: Vocabulary, stream: Any
) -> Tokens:
    """The text with the mask token for each chosen token.

    Raises:
        OptionError: the tokenizer has no mask token.

    Source: Chen et al., section 3.5.
    """
    return _filled(tokens, chosen, vocabulary.mask, "mask")


def unknown(
    tokens: Tokens, chosen: Bools, words: Array, vocabulary: Vocabulary, stream: Any
) -> Tokens:
    """The text with the unknown token for each chosen token.

    Raises:
        OptionError: the tokenizer has no unknown token.
    """
    return _filled(tokens, chosen, vocabulary.unknown, "unknown")


def _filled(tokens: Tokens, chosen: Bools, filler: int | None, name: str) -> Tokens:
    if filler is None:
        found = f"its tokenizer has no {name} token"
        do = "Choose corruption=resample, which needs none"
        raise OptionError(f"Corrupting texts by '{name}'", found, do)
    return np.where(chosen, np.int32(filler), tokens).astype(np.int32)


def resampled(
    tokens: Tokens, chosen: Bools, words: Array, vocabulary: Vocabulary, stream: Any
) -> Tokens:
    """The text with another word, drawn from the pool, for each chosen word.

    A word of n tokens is replaced by one of n tokens that differs from it. Where the pool has none,
    shorter ones take its place one behind the other, the longest that fits first.

    Raises:
        DataError: the pool has no words short enough.
    """
    made = tokens.copy()
    for run in runs_of(chosen, words):
        start = run.start
        while start < run.stop:
            part = _drawn(tokens[start : run.stop], vocabulary.pool, stream)
            made[start : start + len(part)] = part
            start += len(part)
    return made


def _drawn(old: Tokens, pool: Pool, stream: Any) -> Tokens:
    for length in range(len(old), 0, -1):
        rows = pool.get(length)
        if rows is None:
            continue
        other = rows[(rows != old[:length]).any(1)]
        if len(other):
            drawn: Tokens = other[stream.integers(len(other))]
            return drawn
    found = f"no word that could stand for one of {len(old)} tokens is among those to draw from"
    raise DataError("Corrupting texts by 'resample'", found, "Give more words, short ones too")


Corruption = Callable[[Tokens, Bools, Array, Vocabulary, Any], Tokens]
"""(tokens, chosen tokens, words of tokens, vocabulary, a numpy Generator) -> tokens."""

CORRUPTIONS: dict[str, Corruption] = {"mask": masked, "unknown": unknown, "resample": resampled}
"""`mask` is the paper's. Masking itself moves a model, whatever word it hits; `resample` keeps a
text one that the model knows the like of."""


def corrupted_texts(
    windows: Sequence[Tokens],
    chosen: Sequence[Bools],
    words: Sequence[Array],
    vocabulary: Vocabulary,
    corruption: str,
    seed: int,
) -> list[Tokens]:
    """Texts with their chosen words corrupted; a text's draw depends on its place and the seed.

    Args:
        windows: (n,) windows of tokens.
        chosen: for each text (t,) which tokens to corrupt; see `spared`.
        words: for each text (t,) the word that a token belongs to, below 0 for special tokens.
        vocabulary: what to write in.
        corruption: one of `CORRUPTIONS`.
        seed: of the draws.

    Returns:
        (n,) windows of the same lengths.

    Raises:
        UnknownName: there is no such corruption. OptionError, DataError: see the corruption.
    """
    if corruption not in CORRUPTIONS:
        raise unknown_name("corruption", corruption, CORRUPTIONS)
    write = CORRUPTIONS[corruption]
    return [
        write(tokens, some, own, vocabulary, np.random.default_rng([seed, place]))
        for place, (tokens, some, own) in enumerate(zip(windows, chosen, words, strict=True))
    ]


def spared(chosen: Bools, words: Array, protected: Sequence[int]) -> Bools:
    """The chosen tokens without special ones and without the words of protected positions.

    Args:
        chosen: (t,) which tokens to corrupt.
        words: (t,) the word that a token belongs to, below 0 for special tokens.
        protected: positions, from `hooks.protected_places`.

    >>> spared(np.array([True] * 3), np.array([-1, 0, 1]), (0, 2)).tolist()
    [False, True, False]
    """
    kept: Bools = chosen & (words >= 0) & ~np.isin(words, words[list(protected)])
    return kept


def random_words(
    chosen: Sequence[Bools], words: Sequence[Array], protected: Sequence[Sequence[int]], seed: int
) -> list[Bools]:
    """The control: as many words per text as are chosen, drawn from those that are not.

    Args:
        chosen: for each text (t,) the tokens whose corruption is to be controlled for.
        words: for each text (t,) the word that a token belongs to, below 0 for special tokens.
        protected: for each text the positions that stay as they are.
        seed: of the draws; each text has its own.

    Returns:
        For each text (t,) tokens. Where fewer words are left than were chosen, all of them.
    """
    made = []
    for place, (some, own, kept) in enumerate(zip(chosen, words, protected, strict=True)):
        hit = np.unique(own[some & (own >= 0)])
        free = np.setdiff1d(own[own >= 0], np.union1d(hit, own[list(kept)]))
        stream = np.random.default_rng([seed, place])
        drawn = stream.choice(free, min(len(hit), len(free)), replace=False)
        made.append(np.isin(own, drawn))
    return made
