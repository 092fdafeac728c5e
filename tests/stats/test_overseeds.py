from __future__ import annotations

from statistics import mean, stdev

import numpy as np
import pytest

from slant.errors import DataError
from slant.stats.overseeds import Overall, drawn_clusters, estimate, mean_of, over_seeds


def test_a_text_of_several_seeds_counts_alike_in_each_and_clusters_go_together():
    drawn = drawn_clusters(["a", "b", "c"], 50, 42, ["test"])
    first, second = drawn.weights(["a", "b", "b"]), drawn.weights(["b", "c"])
    assert (first[:, 1] == first[:, 2]).all()
    assert (first[:, 1] == second[:, 0]).all()
    assert (first[0] == 1).all()
    assert (drawn.counts.sum(1) == 3).all()
    again = drawn_clusters(["c", "b", "b", "a"], 50, 42, ["test"])
    assert (again.counts == drawn.counts).all()


def test_the_mean_over_seeds_is_that_of_each_seed_s_texts_drawn_as_often_as_their_clusters():
    drawn = drawn_clusters("abcd", 200, 1, ["test"])
    seeds = [("abc", [1.0, 2.0, 6.0]), ("bd", [0.5, 0.0])]
    found = over_seeds([(list(c), mean_of(np.array(v))) for c, v in seeds], drawn)
    assert found.seeds == (3.0, 0.25)
    assert found.value == mean([3.0, 0.25])
    assert found.spread == stdev([3.0, 0.25])
    for row, counts in enumerate(drawn.counts):
        often = dict(zip("abcd", counts.tolist(), strict=True))
        each = []
        for clusters, values in seeds:
            texts = [v for c, v in zip(clusters, values, strict=True) for _ in range(often[c])]
            each.append(mean(texts) if texts else float("nan"))
        assert found.draws[row] == pytest.approx(mean(each), nan_ok=True)


def test_a_difference_is_paired_and_its_p_value_is_two_sided():
    # 3 of 9 draws are at or below 0: p = 2 (3 + 1) / (9 + 1)
    found = Overall((0.5,), np.array([-1.0, -2.0, 0.0, 1, 1, 1, 1, 1, 1]))
    assert found.p() == pytest.approx(0.8)
    less = found.minus(Overall((0.25,), np.full(9, 1.0)))
    assert less.seeds == (0.25,)
    assert less.draws.tolist() == [-2, -3, -1, 0, 0, 0, 0, 0, 0]
    assert Overall((0.0, 0.0), np.zeros(9)).p() == 1.0


def test_an_undefined_number_has_a_reason_and_no_interval():
    shown = estimate(Overall((float("nan"), 1.0), np.full(5, np.nan)), 0.95, "no text is left")
    assert [shown[key] for key in ("value", "low", "high")] == [None] * 3
    assert shown["why"] == "no text is left"
    some = Overall((1.0,), np.array([np.nan, *np.linspace(0, 1, 99)]))
    assert some.bounds(0.95) is not None
    assert Overall((1.0,), np.array([np.nan] * 6 + [0.5] * 94)).bounds(0.95) is None


def test_no_texts_cannot_be_resampled():
    with pytest.raises(DataError, match="there is none"):
        drawn_clusters([], 10, 1, ["test"])
