"""WEFAT: by hand, by its p-values, and the published correlation with the share of women."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from caliskan_items import glove, items

from slant.embeddings.wefat import similarities, wefat_values, word_associations
from slant.runs.outsidequantities import read_quantity
from slant.stats.correlations import weighted_correlation
from slant.types import Undefined


def test_values_by_hand_for_both_measures():
    # w = (1, 0); cosines with A: 1, .6; with B: 0, -.6; mean difference .8 - -.3 = 1.1;
    # mean .25, squares .5625 + .1225 + .0625 + .7225 = 1.47
    a, b = [[2.0, 0.0], [3.0, 4.0]], [[0.0, 1.0], [-6.0, 8.0]]
    assert wefat_values([[1.0, 0.0]], a, b, "cosine") == pytest.approx([1.1 / sqrt(1.47 / 3)])
    # dot products: 2, 3, 0, -6; difference 2.5 + 3 = 5.5; mean -.25, squares
    # 5.0625 + 10.5625 + .0625 + 33.0625 = 48.75; w's length cancels
    for length in (1.0, 7.0):
        found = wefat_values([[length, 0.0]], a, b, "projection")
        assert found == pytest.approx([5.5 / sqrt(48.75 / 3)])


def test_exchanging_a_and_b_negates_the_values_and_leaves_p():
    stream = np.random.default_rng(0)
    w, a, b = (stream.normal(size=(n, 6)) for n in (4, 5, 3))
    here, there = (word_associations(w, *pair, "cosine", seed=0) for pair in ((a, b), (b, a)))
    for one, other in zip(here, there, strict=True):
        assert one.value == pytest.approx(-other.value)
        assert one.h == pytest.approx(-other.h)
        assert one.permuted.p == other.permuted.p


def test_p_of_a_word_counts_the_splits_of_its_similarities():
    stream = np.random.default_rng(1)
    w, a, b = (stream.normal(size=(n, 6)) for n in (3, 4, 4))
    for vector, found in zip(w, word_associations(w, a, b, "projection", seed=0), strict=True):
        dots = np.concatenate([a, b]) @ vector
        apart = [abs(2 * dots[list(c)].sum() - dots.sum()) for c in combinations(range(8), 4)]
        expected = np.mean([value >= apart[0] - 1e-9 for value in apart])
        assert found.permuted.p == pytest.approx(expected)


def test_replicas_are_averaged():
    stream = np.random.default_rng(2)
    w, a, b = (stream.normal(size=(3, n, 6)) for n in (2, 4, 4))
    found = word_associations(w, a, b, "cosine", seed=0)
    values = wefat_values(w, a, b, "cosine")
    assert [word.value for word in found] == pytest.approx(values.mean(axis=0))
    mean = np.concatenate([similarities(w, s, "cosine").mean(axis=0) for s in (a, b)], axis=1)
    apart = [abs(2 * mean[0, list(c)].sum() - mean[0].sum()) for c in combinations(range(8), 4)]
    assert found[0].permuted.p == pytest.approx(np.mean(np.array(apart) >= apart[0] - 1e-9))


def test_large_attribute_sets_are_relabelled_together_by_monte_carlo():
    stream = np.random.default_rng(3)
    w, a, b = (stream.normal(size=(n, 6)) for n in (3, 120, 120))
    found = word_associations(w, a, b, "cosine", permutations=500, seed=0)
    assert {word.permuted.method for word in found} == {"monte-carlo"}


def test_a_word_alike_to_all_or_one_word_a_set_has_no_value():
    (flat,) = word_associations(
        [[0.0, 0.0, 1.0]], [[1.0, 0, 0]] * 2, [[0, 1.0, 0]], "cosine", seed=0
    )
    assert isinstance(flat.value, Undefined)
    assert (flat.h, flat.permuted.p) == (0.0, 1.0)
    (one,) = word_associations([[1.0, 0.0]], [[1.0, 0.0]], [[0.0, 1.0]], "cosine", seed=0)
    assert "1.41" in one.value.why


def test_occupations_follow_the_share_of_women_as_published(real_data):
    vectors, sets = glove(real_data), items(real_data)
    table = real_data / "weat/wefat/professionsBLS2015.tsv"
    women = read_quantity(f"{table}:Women:TotalEmployed")
    words = sets["WEFAT1", "Careers"]
    w, a, b = (
        np.array([vectors[word] for word in sets["WEFAT1", name]])
        for name in ("Careers", "FemaleAttributes", "MaleAttributes")
    )
    values = wefat_values(w, a, b, "cosine")
    share = [women.values[word] for word in words]
    found = weighted_correlation(values, share, seed=0)
    assert found.n == 50
    assert found.value == pytest.approx(0.903, abs=5e-4)
    assert found.low < 0.9 < found.high
    nurse = word_associations(w[[words.index("nurse")]], a, b, "cosine", seed=0)[0]
    assert nurse.value > 0
    assert nurse.permuted.p < 0.001
