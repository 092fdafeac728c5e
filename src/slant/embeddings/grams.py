"""Character n-grams: what fastText lets two words share, whatever they mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def grams_of(word: str, minn: int = 3, maxn: int = 6) -> set[str]:
    """The n-grams of a word from which fastText makes its vector.

    The word stands between "<" and ">"; n-grams are of characters, and a mark alone is
    none of them.

    Args:
        word: a word.
        minn, maxn: characters of an n-gram, least and most.

    Source: Bojanowski et al. 2017, Enriching Word Vectors with Subword Information, 3.2.

    >>> sorted(grams_of("god", 3, 4))
    ['<go', '<god', 'god', 'god>', 'od>']
    """
    marked = f"<{word}>"
    return {
        marked[begin : begin + size]
        for size in range(minn, maxn + 1)
        for begin in range(len(marked) - size + 1)
        if size > 1 or 0 < begin < len(marked) - 1
    }


def shared_grams(first: str, second: str, minn: int = 3, maxn: int = 6) -> float:
    """The share of two words' n-grams that they have in common.

    |A and B| / |A or B| for the sets of n-grams A and B (Jaccard). Words that share n-grams have
    similar vectors before any text says so.

    Args:
        first, second: two words.
        minn, maxn: see `grams_of`.

    Returns:
        In [0, 1]; 1 for equal words; 0 also where neither has an n-gram.

    >>> shared_grams("cat", "car", 3, 3)
    0.2
    """
    a, b = grams_of(first, minn, maxn), grams_of(second, minn, maxn)
    return len(a & b) / len(a | b) if a | b else 0.0


def overlaps(
    words: Sequence[str],
    others: Sequence[str] | None = None,
    minn: int = 3,
    maxn: int = 6,
    top: int = 10,
) -> list[tuple[str, str, float]]:
    """The pairs of words that share most n-grams.

    Args:
        words: a word set.
        others: a second one: pairs are of one word each; None: pairs within the first.
        minn, maxn: see `grams_of`.
        top: pairs at most.

    Returns:
        Pairs that share any, largest share first; equal words are no pair.

    >>> overlaps(["atheism", "atheist", "sun"], top=1)
    [('atheism', 'atheist', 0.4666666666666667)]
    """  # fmt: skip
    first = list(dict.fromkeys(words))
    second = None if others is None else list(dict.fromkeys(others))
    grams = {word: grams_of(word, minn, maxn) for word in [*first, *(second or [])]}
    pairs = combinations(first, 2) if second is None else ((a, b) for a in first for b in second)
    shares = [
        (a, b, len(grams[a] & grams[b]) / len(grams[a] | grams[b]))
        for a, b in pairs
        if a != b and grams[a] & grams[b]
    ]
    return sorted(shares, key=lambda one: (-one[2], one[0], one[1]))[:top]
