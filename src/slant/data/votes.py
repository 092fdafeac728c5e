"""Labels out of annotators' votes: majorities with a stated rule for ties, and the label of a pair
out of those of its text and its image."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Ties = Literal["seeded", "first", "drop"]
"""A tie is drawn by a seed, goes as the first of the tied annotators voted, or leaves no label."""
VOTE_SEED = 42


@dataclass(frozen=True, slots=True)
class Majority:
    """The majority of the votes on each item.

    Fields:
        labels: (n,) 1, 0, or None where nobody voted, or a tie was dropped.
        voted: items with at least one vote that counts.
        ties: items with as many votes for 1 as for 0, however they were settled.
        unread: votes that are neither word, blank ones left aside.
        rule: how ties were settled, in words.
    """

    labels: tuple[int | None, ...]
    voted: int
    ties: int
    unread: int
    rule: str

    @property
    def share_of_ties(self) -> float:
        """Ties among the items with a vote, in [0, 1]; 0 where there is no vote."""
        return self.ties / self.voted if self.voted else 0.0


def majority(
    ids: Sequence[str],
    votes: Sequence[Sequence[str]],
    words: Mapping[str, int],
    *,
    ties: Ties = "seeded",
    seed: int = VOTE_SEED,
    kind: str = "",
) -> Majority:
    """The label that most of the votes on each item are for.

    Rule: of the votes that are one of `words`, blanks at their ends aside. A tie is drawn by the
    lowest bit of the sha256 of "SEED|KIND|ID" (`seeded`: the same for an item whatever the others
    are, and for every run), goes as the first vote does (`first`), or leaves None (`drop`).

    Args:
        ids: (n,) of the items.
        votes: (n, annotators) as published; "" where an annotator did not vote.
        words: what votes for 1 and 0 read like.
        ties, seed: as above.
        kind: what is voted on, e.g. "image", so that text and image have coins of their own.

    Returns:
        Labels and counts.

    >>> words = {"Likely": 1, "Unlikely": 0}
    >>> found = majority(["a", "b"], [["Likely"], ["Unlikely", "Likely"]], words, ties="first")
    >>> found.labels, found.ties, found.share_of_ties
    ((1, 0), 1, 0.5)
    """
    labels: list[int | None] = []
    voted = tied = unread = 0
    for number, cast in zip(ids, votes, strict=True):
        given = [vote.strip() for vote in cast if vote.strip()]
        counted = [words[vote] for vote in given if vote in words]
        unread += len(given) - len(counted)
        voted += bool(counted)
        lead = 2 * sum(counted) - len(counted)
        if not counted:
            labels.append(None)
        elif lead:
            labels.append(int(lead > 0))
        else:
            tied += 1
            labels.append(_settled(counted, ties, seed, kind, number))
    return Majority(tuple(labels), voted, tied, unread, _RULES[ties].format(seed=seed))


_RULES: dict[Ties, str] = {
    "seeded": "drawn with seed {seed}",
    "first": "settled as the first annotator voted",
    "drop": "left without a label",
}


def _settled(counted: Sequence[int], ties: Ties, seed: int, kind: str, number: str) -> int | None:
    if ties == "drop":
        return None
    if ties == "first":
        return counted[0]
    return hashlib.sha256(f"{seed}|{kind}|{number}".encode()).digest()[-1] & 1


def multimodal_label(text: int | None, image: int | None) -> int | None:
    """The label of a pair: biased if its text or its image is.

    Args:
        text, image: 1, 0, or None where there is no label.

    Returns:
        1 if either is 1, 0 if both are 0, else None: what is missing could still be 1.

    Source: the annotation scripts of ViLBias (`label` out of both majority votes).

    >>> [multimodal_label(*pair) for pair in ((0, 1), (0, 0), (0, None), (None, 1))]
    [1, 0, None, 1]
    """
    if 1 in (text, image):
        return 1
    return 0 if text == image == 0 else None
