"""Characters of spans: how many, and how many two sets of them share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from slant.types import Span


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans from left to right, those that share a character as one.

    Spans that only touch stay two, as in the official scorers of SemEval-2020 task 11.

    >>> [(one.start, one.end) for one in joined([Span(5, 9), Span(0, 3), Span(2, 5)])]
    [(0, 5), (5, 9)]
    """
    runs: list[list[int]] = []
    for start, end in sorted({(span.start, span.end) for span in spans}):
        if runs and start < runs[-1][1]:
            runs[-1][1] = max(end, runs[-1][1])
        else:
            runs.append([start, end])
    return [Span(start, end) for start, end in runs]


def characters(runs: Sequence[Span]) -> int:
    """Number of characters of spans that share none with each other, e.g. of `joined`."""
    return sum(run.end - run.start for run in runs)


def shared_characters(first: Sequence[Span], second: Sequence[Span]) -> int:
    """Number of characters that lie in both of two sets of spans.

    Args:
        first, second: from left to right, none overlapping another of its set: of `joined`.

    >>> shared_characters([Span(0, 10), Span(20, 30)], [Span(5, 25)])
    10
    """
    i = j = shared = 0
    while i < len(first) and j < len(second):
        one, other = first[i], second[j]
        shared += overlap(one, other)
        if one.end <= other.end:
            i += 1
        else:
            j += 1
    return shared


def overlap(one: Span, other: Span) -> int:
    """Number of characters that two spans share.

    >>> overlap(Span(0, 10), Span(5, 25))
    5
    """
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def meeting(spans: Iterable[Span]) -> Callable[[int, int], bool]:
    """A test of whether a stretch shares a character with any of some spans, quick for many.

    Args:
        spans: in any order, also overlapping ones.

    Returns:
        (start, end) -> whether it does.

    >>> test = meeting([Span(0, 5), Span(20, 30), Span(2, 4)])
    >>> test(4, 20), test(5, 20), test(5, 21)
    (True, False, True)
    """
    ordered = sorted((span.start, span.end) for span in spans)
    starts = [start for start, _ in ordered]
    reach = [0, *accumulate((end for _, end in ordered), max)]
    return lambda start, end: reach[bisect_left(starts, end)] > start
