from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.errors import OptionError
from slant.metrics.matching import best_pairs, matched_spans
from slant.types import Span

SPAN = st.tuples(st.integers(0, 20), st.integers(1, 10)).map(lambda p: Span(p[0], p[0] + p[1]))
FEW = st.lists(SPAN, max_size=4)
SHARE = st.sampled_from([0.1, 0.3, 1 / 3, 0.5, 0.6, 1.0])


def iou(one, other):
    a, b = set(range(one.start, one.end)), set(range(other.start, other.end))
    return Fraction(len(a & b), len(a | b))


def best_by_hand(pred, gold, least):
    """(most pairs, highest sum of IoU among those) by trying every one-to-one pairing."""
    best = (0, Fraction(0))
    for size in range(1, min(len(pred), len(gold)) + 1):
        for rows in combinations(range(len(pred)), size):
            for columns in permutations(range(len(gold)), size):
                shares = [iou(pred[i], gold[j]) for i, j in zip(rows, columns, strict=True)]
                if all(share and float(share) >= least for share in shares):
                    best = max(best, (size, sum(shares)))
    return best


@settings(max_examples=80, deadline=None)
@given(FEW, FEW, SHARE)
def test_the_matching_is_the_best_of_all_matchings(pred, gold, least):
    pairs = matched_spans(pred, gold, least)
    assert len({i for i, _ in pairs}) == len(pairs) == len({j for _, j in pairs})
    shares = [iou(pred[i], gold[j]) for i, j in pairs]
    assert all(float(share) >= least for share in shares)
    count, total = best_by_hand(pred, gold, least)
    assert len(pairs) == count
    assert abs(float(sum(shares)) - float(total)) < 1e-9


def ends(spans, pairs, others):
    """The pairs as places in the text: equal spans cannot be told apart."""
    return sorted((spans[i].start, spans[i].end, others[j].start, others[j].end) for i, j in pairs)


@given(FEW, FEW, SHARE)
def test_exchanging_the_sides_exchanges_the_pairs(pred, gold, least):
    there, back = matched_spans(pred, gold, least), matched_spans(gold, pred, least)
    assert ends(pred, there, gold) == ends(pred, [(i, j) for j, i in back], gold)


@given(st.lists(SPAN, max_size=6), st.lists(SPAN, max_size=6), st.randoms())
def test_the_order_of_the_spans_never_matters(pred, gold, shuffler):
    mixed, other = pred[:], gold[:]
    shuffler.shuffle(mixed)
    shuffler.shuffle(other)
    straight = ends(pred, matched_spans(pred, gold, 0.5), gold)
    assert ends(mixed, matched_spans(mixed, other, 0.5), other) == straight


def test_a_greedy_choice_would_lose_a_pair_and_the_symmetry():
    # [0, 10) has IoU 5/10 with [5, 10) and with [0, 5); [4, 10) has 5/6 with [5, 10) alone
    # (1/10 with [0, 5)). Taking [0, 10)-[5, 10) first leaves [4, 10) without a partner.
    pred, gold = [Span(0, 10), Span(4, 10)], [Span(5, 10), Span(0, 5)]
    assert matched_spans(pred, gold, 0.5) == [(0, 1), (1, 0)]
    assert matched_spans(gold, pred, 0.5) == [(0, 1), (1, 0)]


def test_one_span_over_two_halves_is_matched_once():
    assert len(matched_spans([Span(0, 10)], [Span(0, 5), Span(5, 10)], 0.5)) == 1
    assert len(matched_spans([Span(0, 5), Span(5, 10)], [Span(0, 10)], 0.5)) == 1


def test_more_pairs_come_before_more_overlap():
    # (0, 0) alone is worth 0.99, the other two together 0.51 + 0.5
    assert best_pairs({(0, 0): (99, 100), (0, 1): (51, 100), (1, 0): (50, 100)}) == [(0, 1), (1, 0)]
    # and even where the two are worth less than the one
    assert best_pairs({(0, 0): (99, 100), (0, 1): (1, 100), (1, 0): (1, 100)}) == [(0, 1), (1, 0)]


def test_of_equally_many_pairs_the_overlap_decides():
    # 0.5 + 0.4 against 0.6 + 0.2
    shares = {(0, 0): (5, 10), (1, 1): (4, 10), (0, 1): (6, 10), (1, 0): (2, 10)}
    assert best_pairs(shares) == [(0, 0), (1, 1)]


def test_the_count_is_exact_with_hundreds_of_competing_spans():
    # every span overlaps its neighbours, and one of each side has no partner but the farthest
    gold = [Span(n, n + 50) for n in range(300)]
    pred = [Span(n + 1, n + 51) for n in range(300)]
    random.Random(3).shuffle(pred)
    assert len(matched_spans(pred, gold, 49 / 51)) == 300


@pytest.mark.parametrize(
    ("least", "shared", "length"), [(0.6, 3, 5), (0.3, 3, 10), (0.7, 7, 10), (0.1, 1, 10)]
)
def test_a_threshold_written_as_a_decimal_is_reached(least, shared, length):
    assert matched_spans([Span(0, shared)], [Span(0, length)], least) == [(0, 0)]
    assert matched_spans([Span(0, shared), Span(90, 99)], [Span(0, length)], least) == [(0, 0)]


def test_spans_without_a_common_character_never_match():
    assert matched_spans([Span(0, 5)], [Span(5, 10)], 1e-300) == []
    assert matched_spans([], [Span(5, 10)], 0.5) == []


@pytest.mark.parametrize("least", [0.0, -0.5, 1.01, float("nan")])
def test_a_threshold_outside_its_range_is_refused(least):
    with pytest.raises(OptionError, match="Give more than 0 and at most 1"):
        matched_spans([Span(0, 1)], [Span(0, 1)], least)
