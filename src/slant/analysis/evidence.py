"""What a probability rests on: the words that carry it, and the cues of the lexicon."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from slant.analysis.analyses import LexicalCue, Sentence, Weighted
from slant.analysis.detectors import Contributions
from slant.systems.lexicon import cue_marks, cue_rules
from slant.types import Span

WORDS: Final = 12
"""Words that are kept of a sentence for each detector, the heaviest ones."""
EITHER: Final = 3
"""Of them, so many towards biased and so many towards neutral, where there are."""


def carrying_words(
    contributions: Contributions, sentence: Sentence, detector: str
) -> list[Weighted]:
    """The heaviest words of a sentence, places moved into the article.

    Args:
        contributions: places counted from the sentence's start.
        sentence: gives its place and its quoted speech.
        detector: name of who weighed.

    Returns:
        At most `WORDS`, by falling absolute weight, of equals the leftmost first; none of weight 0.
        The heaviest `EITHER` of either sign are always among them.

    >>> carrying_words([(0, 3, -0.2), (4, 9, 0.7), (10, 12, 0.0)], Sentence(100, 112), "d")[0]
    Weighted(start=104, end=109, weight=0.7, detector='d', quoted=False)
    """
    some = [one for one in contributions if one[2]]
    ordered = sorted(some, key=lambda one: (-abs(one[2]), one[0]))
    towards = [at for at, one in enumerate(ordered) if one[2] > 0][:EITHER]
    away = [at for at, one in enumerate(ordered) if one[2] < 0][:EITHER]
    sure = [*towards, *away]
    rest = [at for at in range(len(ordered)) if at not in sure]
    kept = sorted([*sure, *rest[: WORDS - len(sure)]])
    return [
        Weighted(
            start=sentence.start + start,
            end=sentence.start + end,
            weight=weight,
            detector=detector,
            quoted=stands_in(Span(sentence.start + start, sentence.start + end), sentence.quoted),
        )
        for start, end, weight in (ordered[at] for at in kept)
    ]


def lexical_cues(text: str, sentences: Sequence[Sentence]) -> list[tuple[LexicalCue, ...]]:
    """The cues of the packaged lexicon in each sentence, from left to right.

    Rule: as `slant.systems.lexicon.cue_marks`, sentence by sentence; the rule of a cue is what
    its category holds. One word may stand in two categories.

    Args:
        text: of the article.
        sentences: of it.

    >>> cue = lexical_cues("A vile plan.", [Sentence(0, 12)])[0][0]
    >>> cue.start, cue.end, cue.category, cue.rule
    (2, 6, 'loaded', 'judges a person or a thing while naming it')
    """
    rules = _rules()
    found = []
    for sentence in sentences:
        marks, _, _ = cue_marks(text[sentence.start : sentence.end])
        own = [
            LexicalCue(
                start=sentence.start + span.start,
                end=sentence.start + span.end,
                category=mark.category,
                rule=rules[mark.category],
                quoted=stands_in(
                    Span(sentence.start + span.start, sentence.start + span.end), sentence.quoted
                ),
            )
            for mark in marks
            for span in mark.spans
        ]
        found.append(tuple(sorted(own, key=lambda one: (one.start, one.end, one.category))))
    return found


def stands_in(span: Span, runs: Sequence[Span]) -> bool:
    """Whether a span lies within one of several that do not overlap.

    >>> stands_in(Span(3, 5), [Span(0, 2), Span(3, 9)]), stands_in(Span(1, 4), [Span(0, 3)])
    (True, False)
    """
    at = bisect_right(runs, span.start, key=lambda one: one.start) - 1
    return at >= 0 and runs[at].end >= span.end


@lru_cache(maxsize=1)
def _rules() -> Mapping[str, str]:
    return cue_rules()
