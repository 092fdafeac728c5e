"""What an analysis asks of a detector, and when a probability gives no verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol

import numpy as np

from slant.analysis.analyses import DetectorFacts, Sentence
from slant.types import Array, Floats

Verdict = Literal["biased", "not biased", "no verdict"]
VERDICTS: Final[tuple[Verdict, ...]] = ("biased", "not biased", "no verdict")
Contributions = list[tuple[int, int, float]]
"""Words of one text: start, end, weight; above 0 towards biased."""

BAND: Final = 0.1
"""A probability nearer than this to one half gives no verdict."""
LEVEL: Final = 0.95


class LoadedDetector(Protocol):
    """A detector in memory.

    Fields:
        facts: what is shown beside its probabilities.
        weighs_from: the probability from which on its words are weighed; 0 for all texts.
    """

    @property
    def facts(self) -> DetectorFacts:
        """What is known of it."""
        ...

    @property
    def weighs_from(self) -> float:
        """The least probability at which words are weighed."""
        ...

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """(n, 3) calibrated probability of biased, low and high of its interval.

        Low and high are NaN where the detector has no interval; all three are NaN for a text of
        which it knows no word.
        """
        ...

    def contributions(self, texts: Sequence[str]) -> list[Contributions] | None:
        """The words of each text that carry its probability; None where it cannot tell."""
        ...

    def known_words(self, texts: Sequence[str]) -> Array:
        """(n,) how many different words of each text it knows; asked where `facts.least_words`."""
        ...

    def kind_probabilities(self, texts: Sequence[str]) -> Floats:
        """(n, k) calibrated probability of each of `facts.good_kinds`; not asked without any."""
        ...


def no_verdicts(
    said: Floats, threshold: float, known: Array | None = None, least_words: int = 0
) -> list[str]:
    """Why each probability gives no verdict; "" where it gives one.

    Rule: none where the detector knows fewer different words than it needs, or where the
    probability lies within 0.1 of one half, or between one half and the detector's threshold, or
    where its interval holds one half, or where there is none. So a verdict agrees with the
    threshold that the detector's F1 was measured at and with the side of one half that the
    probability is on, other training texts would seldom turn it, and no single word decides it.

    Args:
        said: (n, 3) of `LoadedDetector.probabilities`.
        threshold: biased from it on.
        known: (n,) of `LoadedDetector.known_words`; None where it reads every word.
        least_words: that a verdict needs.

    >>> no_verdicts(np.array([[0.45, 0.3, 0.7], [0.8, 0.4, 0.9], [0.9, 0.7, 0.95]]), 0.5)
    ['the probability is within 0.1 of one half', 'its interval holds one half', '']
    """
    low, high = min(threshold, 0.5 - BAND), max(threshold, 0.5 + BAND)
    reasons = []
    words = [least_words] * len(said) if known is None else known.tolist()
    for (p, least, most), number in zip(said.tolist(), words, strict=True):
        if np.isnan(p):
            reasons.append("it knows no word of this sentence")
        elif number < least_words:
            reasons.append(
                f"it knows {number} word of this sentence, and a verdict needs {least_words}"
            )
        elif low <= p < high and abs(p - 0.5) > BAND:
            reasons.append(f"the probability lies between one half and {threshold:.3f}")
        elif low <= p < high:
            reasons.append(f"the probability is within {BAND:g} of one half")
        elif least <= 0.5 <= most:
            reasons.append("its interval holds one half")
        else:
            reasons.append("")
    return reasons


def verdict(sentence: Sentence, detector: DetectorFacts) -> Verdict:
    """What a detector says of a sentence, or that it says nothing.

    >>> from slant.types import Estimate, Undefined
    >>> told = Estimate(0.8, None, None, level=0.95, n=1, method="")
    >>> facts = DetectorFacts("d", "t", "", Undefined(""), "", 0.5, "")
    >>> verdict(Sentence(0, 9, probabilities={"d": told}), facts), verdict(Sentence(0, 9), facts)
    ('biased', 'no verdict')
    """
    told = sentence.probabilities.get(detector.name)
    if told is None or detector.name in sentence.abstained:
        return "no verdict"
    return "biased" if told.value >= detector.threshold else "not biased"
