"""Faithfulness by erasure: what happens to a probability when words are taken out of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np

from slant.errors import DataError, OptionError
from slant.explain.words import Flags, Words
from slant.stats.resampling import generator
from slant.types import Array, Floats

Removal = Literal["delete", "mask", "unknown"]
Target = Literal["predicted", "biased"]
Probabilities = Callable[[Sequence[str]], Floats]
"""(n,) texts -> (n,) the probability of "biased", in [0, 1]."""
BINS = (0.01, 0.05, 0.10, 0.20, 0.50)
"""Shares of a text's words, as in ERASER."""
_BLANKS = re.compile(r"\s{2,}")


@dataclass(frozen=True, slots=True)
class Erasure:
    """What erasing words does to each text's probability; the class is that of `target`.

    Fields:
        removal, target, bins, draws: as asked.
        probability: (n,) of the class, for the whole text.
        sizes: (n, bins) words in the rationale of each bin.
        words: (n,) words of each text.
        comprehensiveness: (n, bins) probability lost when the highest words are taken out.
        sufficiency: (n, bins) probability lost when they alone are left.
        random_comprehensiveness, random_sufficiency: (n, bins) the same with as many random
            words, mean over the draws.
    """

    removal: Removal
    target: Target
    bins: tuple[float, ...]
    draws: int
    probability: Floats
    sizes: Array
    words: Array
    comprehensiveness: Floats
    sufficiency: Floats
    random_comprehensiveness: Floats
    random_sufficiency: Floats

    def aopc(self, name: str) -> Floats:
        """The mean over bins, for each text.

        Args:
            name: "comprehensiveness", "sufficiency", or either with "random_" before or
                "excess_": beyond the random words.

        Returns:
            (n,) in [-1, 1]. High comprehensiveness: the words were needed. Low sufficiency: they
            are enough.

        Source: DeYoung et al. 2020 (ERASER), section 4.2, equation 3, as its code has it: over
        the bins, without the empty rationale.
        """
        if name.startswith("excess_"):
            kind = name.removeprefix("excess_")
            return self.aopc(kind) - self.aopc(f"random_{kind}")
        values: Floats = getattr(self, name).mean(axis=1)
        return values


def erased(words: Words, taken: Flags, removal: Removal, token: str = "") -> str:
    """The text without some of its words.

    Rule: `delete` takes their characters away and leaves one blank where two would meet; `mask`
    and `unknown` put the model's token in the place of each word, one for a word.

    Args:
        words: of the text.
        taken: (words,) which are taken out.
        removal: how.
        token: the model's own, e.g. "[MASK]" or "[UNK]"; none for `delete`.

    Returns:
        The text.

    >>> from slant.explain.words import text_words
    >>> words = text_words("A bizarre claim.")
    >>> taken = np.array([False, True, False])
    >>> erased(words, taken, "delete"), erased(words, taken, "mask", "[MASK]")
    ('A claim.', 'A [MASK] claim.')
    """
    if (removal == "delete") != (not token):
        found = "a token was given" if token else "no token was given to put in their place"
        do = "Give the tokenizer's mask or unknown token, and none for delete"
        raise OptionError(f"Erasing words by '{removal}'", found, do)
    parts: list[str] = []
    at = 0
    for word in np.flatnonzero(taken).tolist():
        parts += [words.text[at : words.starts[word]], token]
        at = int(words.ends[word])
    text = "".join([*parts, words.text[at:]])
    return _BLANKS.sub(" ", text).strip() if removal == "delete" else text


def bin_sizes(words: int, bins: Sequence[float]) -> list[int]:
    """How many words the rationale of each bin has: its share, rounded up, so one at least.

    >>> bin_sizes(28, (0.01, 0.1, 0.5))
    [1, 3, 14]
    """
    return [min(words, ceil(words * share - 1e-9)) for share in bins]


def erasure(
    texts: Sequence[Words],
    scores: Sequence[Floats],
    probabilities: Probabilities,
    *,
    names: Sequence[str],
    removal: Removal,
    token: str = "",
    target: Target = "predicted",
    bins: Sequence[float] = BINS,
    draws: int = 3,
    seed: int = 42,
) -> Erasure:
    """Comprehensiveness and sufficiency of an attribution, beside those of random words.

    Taking words out moves a model whatever the words are, most of all where it never read such a
    text; so the same number of random words is taken out of the same text in the same way.

    Args:
        texts: (n,) the words of each, at least one.
        scores: (n,) arrays (words,), higher = more important; of equal ones the left comes first.
        probabilities: asked once, with every distinct text.
        names: (n,) of the texts, e.g. ids: random words depend on the name and the seed alone.
        removal, token: as in `erased`.
        target: the class whose probability is followed: the one `predicted` for the whole text
            (ERASER), or `biased`.
        bins: shares of the words, in (0, 1].
        draws: how many random choices per text and bin.
        seed: of the random words.

    Returns:
        Everything by text and bin.

    Raises:
        DataError: a text without words, or with other scores than words.

    Source: DeYoung et al. 2020 (ERASER), section 4.2.
    """
    _check(texts, scores, names, bins, draws)
    sizes = np.array([bin_sizes(len(words), bins) for words in texts], np.int64)
    sizes = sizes.reshape(len(texts), len(bins))
    asked = [words.text for words in texts]
    for row, words in enumerate(texts):
        order = np.argsort(-np.asarray(scores[row], np.float64), kind="stable")
        stream = generator(seed, ["erasure", names[row]])
        orders = [order, *(stream.permutation(len(words)) for _ in range(draws))]
        for size in sizes[row].tolist():
            for one in orders:
                chosen = np.zeros(len(words), np.bool_)
                chosen[one[:size]] = True
                asked += [erased(words, taken, removal, token) for taken in (chosen, ~chosen)]
    distinct = list(dict.fromkeys(asked))
    said = np.asarray(probabilities(distinct), np.float64)
    if said.shape != (len(distinct),):
        found = f"{len(distinct)} texts were given and the answer has the shape {said.shape}"
        raise DataError("Asking for probabilities", found, "Return one number for each text")
    known = dict(zip(distinct, said.tolist(), strict=True))
    answers = np.array([known[text] for text in asked], np.float64)
    whole, rest = answers[: len(texts)], answers[len(texts) :]
    rest = rest.reshape(len(texts), len(bins), 1 + draws, 2)
    if target == "predicted":
        unbiased = whole < 0.5
        whole = np.where(unbiased, 1 - whole, whole)
        rest = np.where(unbiased[:, None, None, None], 1 - rest, rest)
    lost = whole[:, None, None, None] - rest
    return Erasure(
        removal=removal,
        target=target,
        bins=tuple(bins),
        draws=draws,
        probability=whole,
        sizes=sizes,
        words=np.array([len(words) for words in texts], np.int64),
        comprehensiveness=lost[:, :, 0, 0],
        sufficiency=lost[:, :, 0, 1],
        random_comprehensiveness=lost[:, :, 1:, 0].mean(axis=2),
        random_sufficiency=lost[:, :, 1:, 1].mean(axis=2),
    )


def _check(
    texts: Sequence[Words],
    scores: Sequence[Floats],
    names: Sequence[str],
    bins: Sequence[float],
    draws: int,
) -> None:
    if draws < 1 or not bins or not all(0 < share <= 1 for share in bins):
        found = f"bins are {', '.join(map(str, bins)) or 'none'}, draws {draws}"
        do = "Give shares in (0, 1], and 1 draw or more"
        raise OptionError("Erasing words", found, do)
    for words, values, name in zip(texts, scores, names, strict=True):
        if not len(words) or len(words) != len(values):
            found = f"'{name}' has {len(words)} words and {len(values)} scores"
            raise DataError("Erasing words", found, "Give texts with words, and a score for each")
