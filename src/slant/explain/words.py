"""Words, tokens and marked words of a text laid over one another, all by character offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from slant.data.spans import marked
from slant.data.words import word_ranges
from slant.errors import DataError, OptionError
from slant.types import Array, Floats, Span

Aggregation = Literal["max", "sum", "mean", "first"]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text.

    Fields:
        text: the text.
        starts, ends: (words,) half-open ranges of code points, from left to right.
    """

    text: str
    starts: Array
    ends: Array

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def strings(self) -> list[str]:
        """The words as they stand in the text."""
        ranges = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [self.text[start:end] for start, end in ranges]


def text_words(text: str) -> Words:
    """The words of a text, whatever model will read it.

    Rule: as `slant.data.words.word_ranges`.

    Args:
        text: any text.

    >>> text_words("The U.S. “so-called” regime's plan …").strings
    ['The', 'U.S', 'so-called', "regime's", 'plan']
    """
    ranges = word_ranges(text)
    return Words(text, ranges[:, 0], ranges[:, 1])


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a model reads of a text.

    Fields:
        ids: (tokens,) int64, special tokens included.
        starts, ends: (tokens,) half-open ranges of code points; empty for special tokens.
        special: (tokens,) whether the tokenizer added it.
        cut: whether the text went on behind the last token.
    """

    ids: Array
    starts: Array
    ends: Array
    special: Flags
    cut: bool


def tokens_of(tokenizer: Any, texts: Sequence[str], max_length: int) -> list[Tokens]:
    """The tokens of each text, with where they stand.

    Args:
        tokenizer: of transformers, a fast one.
        texts: (n,).
        max_length: tokens kept of a text, special ones included.

    Returns:
        (n,).

    Raises:
        OptionError: a tokenizer without offsets.
    """
    if not getattr(tokenizer, "is_fast", False):
        raise OptionError(
            f"Laying words over the tokens of {type(tokenizer).__name__}",
            "it gives no character offsets, since it is no fast tokenizer",
            "Give a checkpoint that has a tokenizer.json",
        )
    if not texts:
        return []
    asked = tokenizer(
        list(texts), truncation=True, max_length=max_length, return_offsets_mapping=True,
        return_special_tokens_mask=True, verbose=False,
    )  # fmt: skip
    found = []
    for row in range(len(texts)):
        offsets = np.array(asked["offset_mapping"][row], np.int64).reshape(-1, 2)
        special = np.array(asked["special_tokens_mask"][row], np.bool_)
        offsets[special] = 0
        cut = bool(asked.encodings[row].overflowing)
        ids = np.array(asked["input_ids"][row], np.int64)
        found.append(Tokens(ids, offsets[:, 0], offsets[:, 1], special, cut))
    return found


@dataclass(frozen=True, slots=True)
class Aligned:
    """A text's words and tokens laid over one another.

    Fields:
        words: those of which the model reads at least one token, so that each has a score.
        tokens: all that the model reads.
        word_of: (tokens,) index of each token's word; -1 for special tokens and for what stands
            between words.
        lost: words behind the cut.
    """

    words: Words
    tokens: Tokens
    word_of: Array
    lost: int


def aligned(tokenizer: Any, texts: Sequence[str], max_length: int) -> list[Aligned]:
    """Words and tokens of each text.

    Args:
        tokenizer, texts, max_length: as in `tokens_of`.

    Returns:
        (n,); how many texts were cut is `cut_texts` of it.

    Raises:
        OptionError: a tokenizer without offsets.
    """
    return [
        _laid_over(text_words(text), tokens)
        for text, tokens in zip(texts, tokens_of(tokenizer, texts, max_length), strict=True)
    ]


def cut_texts(alignments: Sequence[Aligned]) -> int:
    """How many texts went on behind what the model reads."""
    return sum(one.tokens.cut for one in alignments)


def word_scores(scores: Floats, word_of: Array, words: int, by: Aggregation = "max") -> Floats:
    """Scores of words from those of their tokens; tokens of no word are left out.

    Args:
        scores: (tokens,).
        word_of: (tokens,) of `Aligned`.
        words: how many words there are; each has a token.
        by: of a word's tokens the `max`, `sum`, `mean`, or the `first` alone.

    Returns:
        (words,).

    >>> word_scores(np.array([9.0, 1.0, 3.0, 2.0]), np.array([-1, 0, 0, 1]), 2, "mean").tolist()
    [2.0, 2.0]
    """
    inside = word_of >= 0
    places = word_of[inside]
    count = np.bincount(places, minlength=words)
    if len(scores) != len(word_of) or (count == 0).any():
        raise DataError(
            "Adding up the scores of tokens to words",
            f"{len(scores)} scores stand beside {len(word_of)} tokens and {words} words",
            "Give one score for each token, and words that have a token",
        )
    values = np.asarray(scores, np.float64)[inside]
    if by == "max":
        highest = np.full(words, -np.inf)
        np.maximum.at(highest, places, values)
        return highest
    if by == "first":
        _, first = np.unique(places, return_index=True)
        leading: Floats = values[first]
        return leading
    total = np.bincount(places, weights=values, minlength=words).astype(np.float64)
    return total / count if by == "mean" else total


def rationale_words(words: Words, spans: Sequence[Span]) -> Array:
    """(words,) which words of a text are marked: those that share a character with a span."""
    return marked(words.starts, words.ends, spans)


def _laid_over(words: Words, tokens: Tokens) -> Aligned:
    # Words do not overlap, so that the first that ends behind a token's beginning is the first
    # that the token can touch.
    first = np.searchsorted(words.ends, tokens.starts, side="right")
    begins = np.append(words.starts, np.iinfo(np.int64).max)[first]
    touches = (begins < tokens.ends) & (tokens.ends > tokens.starts) & ~tokens.special
    word_of = np.where(touches, first, -1)
    seen = np.unique(word_of[touches])
    kept = Words(words.text, words.starts[seen], words.ends[seen])
    # The last place is that of tokens without a word.
    place = np.full(len(words) + 1, -1, np.int64)
    place[seen] = np.arange(len(seen))
    return Aligned(kept, tokens, place[word_of], len(words) - len(seen))
