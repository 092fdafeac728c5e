"""Krippendorff's alpha for unitising, by hand and against its definition over pairs of units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.errors import DataError
from slant.metrics.unitising import unit_counts, unitising_alpha, unitising_kernel
from slant.types import Span, Undefined

GAP = None


def spans(*pairs):
    return [Span(start, end) for start, end in pairs]


def segments(units, length):
    """A partition of the continuum: (start, end, marked or gap)."""
    found, at = [], 0
    for unit in sorted(units, key=lambda u: u.start):
        if unit.start > at:
            found.append((at, unit.start, GAP))
        found.append((unit.start, unit.end, "x"))
        at = unit.end
    return found + ([(at, length, GAP)] if at < length else [])


def by_definition(continua):
    """u-alpha of Krippendorff et al. 2016 for any number of annotators, from its coincidences.

    Args:
        continua: texts, each a list of annotators' partitions.
    """
    m = len(continua[0])
    values = [GAP, "x"]
    observed = {(c, k): 0.0 for c in values for k in values}
    for partitions in continua:
        for i, one in enumerate(partitions):
            for j, other in enumerate(partitions):
                if i == j:
                    continue
                for start, end, c in one:
                    for begin, stop, k in other:
                        shared = max(0, min(end, stop) - max(start, begin))
                        observed[c, k] += shared / (m - 1)
    every = [s for partitions in continua for one in partitions for s in one]
    own = {
        c: sum((e - s) ** 2 if c else e - s for s, e, value in every if value == c) for c in values
    }
    margin = {c: sum(observed[c, k] for k in values) for c in values}
    total = sum(margin.values())
    below = total**2 - sum(own.values())
    expected = {
        (c, k): total * (margin[c] * margin[k] - (own[c] if c == k else 0)) / below
        for c in values
        for k in values
    }
    apart = [(c, k) for c in values for k in values if c != k]
    return 1 - sum(observed[p] for p in apart) / sum(expected[p] for p in apart)


def by_simulated_pairing(first, second, length):
    """Expected disagreement by listing every permitted pair of characters of both annotators."""
    points = []
    for who, units in enumerate((first, second)):
        for number, (start, end, value) in enumerate(segments(units, length)):
            points += [(who, number if value else (number, at), value) for at in range(start, end)]
    permitted = [(a[2], b[2]) for a in points for b in points if (a[0], a[1]) != (b[0], b[1])]
    expected = np.mean([c != k for c, k in permitted])
    marked = [{at for u in units for at in range(u.start, u.end)} for units in (first, second)]
    return 1 - len(marked[0] ^ marked[1]) / length / expected


@st.composite
def continuum(draw):
    length = draw(st.integers(4, 24))
    sides = []
    for _ in range(2):
        cuts = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
        pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
        sides.append([Span(start, end) for start, end in pairs])
    return sides[0], sides[1], length


def test_one_shifted_unit_by_hand():
    # Ten characters; [2, 6) and [4, 8): b = 2, f = s = 2, n = 4. T = 20, K = 8, G = 12,
    # S = 16 + 16 = 32: 1 - 4 * (400 - 32 - 12) / (20 * 8 * 12) = 1 - 1424 / 1920
    value = unitising_alpha(spans((2, 6)), spans((4, 8)), 10)
    assert value == pytest.approx(1 - 1424 / 1920)


def test_the_same_stretches_are_full_agreement_and_none_in_common_is_below_chance():
    assert unitising_alpha(spans((2, 6), (7, 9)), spans((2, 6), (7, 9)), 20) == 1.0
    assert unitising_alpha(spans((0, 5)), spans((10, 15)), 20) < 0


def test_one_long_unit_agrees_less_by_chance_than_the_same_characters_in_many():
    # A unit is never paired with itself, so that long units make agreement rarer by chance.
    whole = unitising_alpha(spans((0, 6)), spans((2, 8)), 20)
    pieces = unitising_alpha(
        spans(*((n, n + 1) for n in range(6))), spans(*((n, n + 1) for n in range(2, 8))), 20
    )
    assert whole > pieces


@given(continuum())
def test_it_is_the_definition_over_pairs_of_segments(made):
    first, second, length = made
    value = unitising_alpha(first, second, length)
    if isinstance(value, Undefined):
        marked = sum(s.end - s.start for s in (*first, *second))
        assert marked in {0, 2 * length}
        return
    expected = by_definition([[segments(first, length), segments(second, length)]])
    assert value == pytest.approx(expected)
    assert value == pytest.approx(unitising_alpha(second, first, length))


@given(continuum())
def test_it_is_the_count_over_every_permitted_pair_of_characters(made):
    first, second, length = made
    value = unitising_alpha(first, second, length)
    if not isinstance(value, Undefined):
        assert value == pytest.approx(by_simulated_pairing(first, second, length))


@given(continuum(), continuum())
def test_texts_in_a_row_are_their_counts_added(one, other):
    counts = unit_counts(*one) + unit_counts(*other)
    value = float(unitising_kernel(counts))
    if not np.isnan(value):
        texts = [[segments(side, made[2]) for side in made[:2]] for made in (one, other)]
        assert value == pytest.approx(by_definition(texts))


def test_marks_of_one_annotator_that_overlap_are_one_unit_and_those_that_touch_are_two():
    assert unit_counts(spans((0, 4), (2, 6)), [], 10).tolist() == [0, 0, 6, 4, 36]
    assert unit_counts(spans((0, 4), (4, 6)), [], 10).tolist() == [0, 0, 6, 4, 16 + 4]


def test_a_text_without_marks_or_without_gaps_has_no_alpha():
    assert isinstance(unitising_alpha([], [], 10), Undefined)
    assert isinstance(unitising_alpha(spans((0, 10)), spans((0, 10)), 10), Undefined)


@pytest.mark.parametrize("pair", [(3, 3), (-1, 2), (5, 11), (6, 4)])
def test_a_mark_outside_its_text_is_refused(pair):
    with pytest.raises(DataError, match="no stretch of 10 characters"):
        unit_counts(spans(pair), [], 10)
