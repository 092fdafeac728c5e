"""One-to-one matching: as many pairs as there can be, and of those the ones that overlap most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from slant.errors import OptionError
from slant.metrics.overlaps import overlap
from slant.types import Span

Pair = tuple[int, int]
Shares = dict[Pair, tuple[int, int]]
"""(row, column) -> overlap of the two as numerator and denominator, of admissible pairs alone."""

_T = TypeVar("_T")
_EXACT = 1 << 53
"""Whole numbers up to this are exact in the float64 that scipy's assignment computes with."""


def matched_spans(pred: Sequence[Span], gold: Sequence[Span], least: float) -> list[Pair]:
    """Pairs of a predicted and a gold span, each span in one pair at most.

    Rule: two spans may be paired where their IoU, characters in both / characters in either, is at
    least `least`. Of all ways to pair them, one with the most pairs; of those, one with the
    highest sum of IoU. Not greedy: [0, 10) has an IoU of exactly 1/2 with [0, 5) and with [5, 10),
    so that a greedy choice would depend on the order and on the side. Exchanging the sides gives
    the same pairs exchanged; the order of the spans never matters.

    Args:
        pred, gold: spans of one article and bias, in any order, also overlapping or equal ones.
        least: in (0, 1]; reached or passed.

    Returns:
        (index in pred, index in gold), ascending.

    Raises:
        OptionError: `least` is not in (0, 1].

    Source: BAIT, section 5.2, span level; the matching is ours, the paper's is greedy.

    >>> matched_spans([Span(0, 10), Span(4, 10)], [Span(5, 10), Span(0, 5)], 0.5)
    [(0, 1), (1, 0)]
    """
    check_share(least, "IoU of spans")
    if len(pred) == 1 and len(gold) == 1:
        shared = overlap(pred[0], gold[0])
        return [(0, 0)] if shared and shared / _either(pred[0], gold[0], shared) >= least else []
    return oriented(pred, gold, _ends, lambda rows, columns: best_pairs(ious(rows, columns, least)))


def ious(first: Sequence[Span], second: Sequence[Span], least: float) -> Shares:
    """The pairs of spans whose IoU is `least` or more, which is above 0.

    Args:
        first, second: in any order.

    Returns:
        (index in first, index in second) -> characters in both, characters in either.

    >>> ious([Span(0, 10)], [Span(20, 30), Span(5, 10)], 0.5)
    {(0, 1): (5, 10)}
    """
    shares: Shares = {}
    order = sorted(range(len(second)), key=lambda n: second[n].start)
    longest = max((span.end - span.start for span in second), default=0)
    begin = 0
    for i in sorted(range(len(first)), key=lambda n: first[n].start):
        one = first[i]
        while begin < len(order) and second[order[begin]].start + longest <= one.start:
            begin += 1
        for j in order[begin:]:
            other = second[j]
            if other.start >= one.end:
                break
            shared = overlap(one, other)
            # a quotient of whole numbers is rounded once, so it equals a threshold written as 0.6
            if shared and shared / (either := _either(one, other, shared)) >= least:
                shares[i, j] = shared, either
    return shares


def oriented(
    first: Sequence[_T],
    second: Sequence[_T],
    key: Callable[[_T], tuple[object, ...]],
    pairs: Callable[[list[_T], list[_T]], list[Pair]],
) -> list[Pair]:
    """Pairs of two lists, found on sorted lists of which the smaller one comes first.

    So that which of several equally good pairings is taken depends neither on the order within a
    list nor on which list is the prediction.

    Args:
        first, second: what is paired.
        key: by which each list is sorted and the two are compared.
        pairs: of the sorted lists, in terms of places in them.

    Returns:
        (index in first, index in second), ascending.
    """
    if not first or not second:
        return []
    left = sorted(range(len(first)), key=lambda n: key(first[n]))
    right = sorted(range(len(second)), key=lambda n: key(second[n]))
    rows, columns = [first[n] for n in left], [second[n] for n in right]
    if [key(one) for one in rows] <= [key(one) for one in columns]:
        return sorted((left[i], right[j]) for i, j in pairs(rows, columns))
    return sorted((left[i], right[j]) for j, i in pairs(columns, rows))


def best_pairs(shares: Shares) -> list[Pair]:
    """The most pairs without a row or column twice; of those, the highest sum of shares.

    Rule: pairs that compete with no other are taken; each group of competing ones goes to scipy's
    assignment with whole numbers as weights, so that the count is exact, and the sum of shares
    exact but for the rounding of each share (to below 1e-9 with up to a thousand competing ones).

    Args:
        shares: the admissible pairs, each with a share above 0.

    Returns:
        (row, column), in no particular order.

    >>> best_pairs({(0, 0): (9, 10), (0, 1): (1, 2), (1, 0): (1, 2)})  # two pairs, not the best one
    [(0, 1), (1, 0)]
    """
    if len({i for i, _ in shares}) == len(shares) == len({j for _, j in shares}):
        return [*shares]
    chosen: list[Pair] = []
    for group in _competing(shares):
        chosen += group if len(group) == 1 else _assigned(group, shares)
    return chosen


def check_share(least: float, what: str) -> None:
    """Stops where a threshold is not in (0, 1]."""
    if not 0 < least <= 1:
        raise OptionError(
            f"Matching by the {what}", f"the threshold is {least}", "Give more than 0 and at most 1"
        )


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _either(one: Span, other: Span, shared: int) -> int:
    return one.end - one.start + other.end - other.start - shared


def _competing(shares: Shares) -> list[list[Pair]]:
    """The pairs in groups that have no row and no column in common."""
    of_row: dict[int, list[int]] = {}
    of_column: dict[int, list[int]] = {}
    for i, j in shares:
        of_row.setdefault(i, []).append(j)
        of_column.setdefault(j, []).append(i)
    groups: list[list[Pair]] = []
    seen: set[int] = set()
    reached: set[int] = set()
    for first in of_row:
        if first in seen:
            continue
        seen.add(first)
        rows, group = [first], []
        for i in rows:
            for j in of_row[i]:
                group.append((i, j))
                if j not in reached:
                    reached.add(j)
                    rows += [k for k in of_column[j] if k not in seen]
                    seen.update(of_column[j])
        groups.append(group)
    return groups


def _assigned(group: list[Pair], shares: Shares) -> list[Pair]:
    """The best pairs of one group, by scipy."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    rows = sorted({i for i, _ in group})
    columns = sorted({j for _, j in group})
    size = min(len(rows), len(columns))
    # One pair more outweighs all shares together, and no sum passes _EXACT.
    scale = _EXACT // (4 * (size + 1) ** 2)
    weights = np.zeros((len(rows), len(columns)))
    place = {j: n for n, j in enumerate(columns)}
    line = {i: n for n, i in enumerate(rows)}
    for i, j in group:
        above, below = shares[i, j]
        rounded = (2 * above * scale + below) // (2 * below)
        weights[line[i], place[j]] = (size + 1) * scale + rounded
    taken = zip(*linear_sum_assignment(weights, maximize=True), strict=True)
    return [(rows[i], columns[j]) for i, j in taken if weights[i, j]]
