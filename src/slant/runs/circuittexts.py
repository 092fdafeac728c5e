"""The texts of one model in tokens, with their marked words corrupted, and as many other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slant.explain.corruptions import (
    Vocabulary,
    corrupted_texts,
    random_words,
    spared,
    vocabulary_of,
)
from slant.explain.hooks import Bools, protected_places
from slant.explain.words import Aligned, aligned, rationale_words, text_words
from slant.runs.explained import marked_spans
from slant.stats.resampling import generator
from slant.systems.batches import Tokens
from slant.systems.checkpoints import Encoder
from slant.types import Array, Example


@dataclass(frozen=True, slots=True)
class Versions:
    """Texts as a model reads them.

    Fields:
        clean: (n,) windows of tokens.
        corrupt: by the words that are corrupted, "words" (the marked ones) and "random_words" (as
            many others of the same text), (n,) windows of the same lengths.
        changed: (n,) which texts have a marked word that could be corrupted.
    """

    clean: list[Tokens]
    corrupt: dict[str, list[Tokens]]
    changed: Bools


def derived(seed: int, *names: object) -> int:
    """A seed of its own for each use, in [0, 2**32)."""
    return int(generator(seed, ["circuit", *map(str, names)]).integers(2**32))


def clean_windows(encoder: Encoder, texts: Sequence[str], max_length: int) -> list[Tokens]:
    """Texts in tokens, as `Versions.clean` has them."""
    return [_window(one, encoder) for one in aligned(encoder.tokenizer, texts, max_length)]


def vocabulary_for(encoder: Encoder, train: Sequence[Example]) -> Vocabulary:
    """What corruptions write in: the words of the training texts to draw from."""
    words = (word for one in train for word in text_words(one.item.text).strings)
    return vocabulary_of(encoder.tokenizer, list(dict.fromkeys(words)))


def versions_of(
    encoder: Encoder,
    examples: Sequence[Example],
    vocabulary: Vocabulary,
    corruption: str,
    max_length: int,
    seed: int,
) -> Versions:
    """Texts and their two corrupted versions.

    A word is corrupted whole if it shares a character with a marked range. The word of a protected
    position (the last token of GPT-2 and BART) stays as it is, and what stands behind `max_length`
    is not read.

    Args:
        encoder: whose tokenizer and readout position count.
        examples: (n,) with their marked words.
        vocabulary: from `vocabulary_for`.
        corruption: one of `corruptions.CORRUPTIONS`.
        max_length: tokens of a text, special ones included.
        seed: of the draws.

    Raises:
        OptionError: a tokenizer without offsets, or without the token of the corruption.
        DataError: no word is short enough to stand for another.
    """
    laid = aligned(encoder.tokenizer, [one.item.text for one in examples], max_length)
    clean = [_window(one, encoder) for one in laid]
    words = [_padded(one.word_of, window) for one, window in zip(laid, clean, strict=True)]
    kept = [protected_places(encoder.model, len(window)) for window in clean]
    chosen = []
    for example, one, own, places in zip(examples, laid, words, kept, strict=True):
        marked = rationale_words(one.words, marked_spans(example)).astype(np.bool_)
        hit = np.append(marked, False)[own]  # -1 is no word
        chosen.append(spared(hit, own, places))
    others = random_words(chosen, words, kept, derived(seed, "other words"))
    corrupt = {
        name: corrupted_texts(
            clean, some, words, vocabulary, corruption, derived(seed, "corruption", name)
        )
        for name, some in (("words", chosen), ("random_words", others))
    }
    pairs = zip(clean, corrupt["words"], strict=True)
    changed = np.array([not np.array_equal(a, b) for a, b in pairs], dtype=np.bool_)
    return Versions(clean, corrupt, changed)


def _window(one: Aligned, encoder: Encoder) -> Tokens:
    ids = one.tokens.ids.astype(np.int32)
    # A text without any token is read as padding, as in training.
    return ids if len(ids) else np.array([encoder.tokenizer.pad_token_id], dtype=np.int32)


def _padded(word_of: Array, window: Tokens) -> Array:
    return word_of if len(word_of) == len(window) else np.full(len(window), -1, dtype=np.int64)
