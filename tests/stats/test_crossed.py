"""The crossed bootstrap of an effect size."""

from __future__ import annotations

import numpy as np
import pytest

from slant.errors import DataError
from slant.stats.crossed import Similarities, crossed_draws, effect, effects, standardised
from slant.stats.intervals import interval
from slant.types import Undefined


def made(stream, n=8, p=8, replicas=1, apart=1.0, kind="seeds"):
    """Similarities of words drawn from a population, with noise of words, attributes, replicas."""
    side, way = np.repeat([0.5, -0.5], n), np.repeat([0.5, -0.5], p)
    common = (
        apart * np.outer(side, way)
        + np.outer(stream.normal(size=2 * n), way)
        + 0.3 * np.outer(side, stream.normal(size=2 * p))
        + 0.8 * stream.normal(size=(2 * n, 2 * p))
    )
    noise = 0.3 * stream.normal(size=(replicas, 2 * n, 2 * p))
    return Similarities(common + noise, (n, n, p, p), replicas=kind)


def test_the_effect_size_is_the_difference_of_means_over_the_named_deviation():
    # A has 2 words, B 1: h = (0.8 + 0.4) / 2 - 0.2 = 0.4; (0.2 + 0) / 2 - 0.3 = -0.2; 0.1 - 0.5
    values = np.array([[[0.8, 0.4, 0.2], [0.2, 0.0, 0.3], [0.1, 0.1, 0.5]]])
    similar = Similarities(values, (1, 2, 2, 1))
    # means 0.4 and -0.3; overall mean -0.2 / 3, squares 0.217778 + 0.017778 + 0.111111
    assert effect(similar, "sample") == pytest.approx(0.7 / np.sqrt(0.346667 / 2), rel=1e-5)
    assert effect(similar, "population") == pytest.approx(0.7 / np.sqrt(0.346667 / 3), rel=1e-5)
    parts = standardised(similar, "sample")
    assert parts[0] - parts[1:].mean() == pytest.approx(effect(similar, "sample"))


def test_a_deviation_over_the_vocabulary_is_read_from_the_covariance_of_its_similarities():
    stream = np.random.default_rng(3)
    vocabulary, attributes = stream.normal(size=(500, 6)), stream.normal(size=(5, 6))
    near = vocabulary @ attributes.T
    h = near[:, :2].mean(axis=1) - near[:, 2:].mean(axis=1)
    covariance = np.cov(near, rowvar=False, bias=True)[None]
    similar = Similarities(near[None, :9], (4, 5, 2, 3), covariance)
    assert effect(similar, "vocabulary") == pytest.approx((h[:4].mean() - h[4:9].mean()) / h.std())


@pytest.mark.parametrize("deviation", ["sample", "population"])
def test_draws_are_the_effects_of_words_written_out_as_often_as_they_were_drawn(deviation):
    from slant.stats.resampling import generator

    n, m, p, q, replicas, resamples = 4, 6, 3, 5, 3, 40
    values = np.random.default_rng(5).normal(size=(replicas, n + m, p + q))
    similar = Similarities(values, (n, m, p, q))
    draws = crossed_draws([similar], deviation, resamples=resamples, seed=7, names=["t"])[0]
    stream = generator(7, ["t"])
    counts = [
        stream.multinomial(size, np.full(size, 1 / size), size=resamples)
        for size in (n, m, p, q, replicas)
    ]
    for number in range(resamples):
        x, y, a, b, r = (np.repeat(np.arange(len(one[number])), one[number]) for one in counts)
        each = []
        for replica in r:
            table = values[replica]
            words = np.concatenate([x, y + n])
            h = table[np.ix_(words, a)].mean(1) - table[np.ix_(words, b + p)].mean(1)
            spread = h.std(ddof=int(deviation == "sample"))
            each.append((h[:n].mean() - h[n:].mean()) / spread)
        assert draws.draws[number] == pytest.approx(np.mean(each), abs=1e-12)


def test_the_interval_holds_the_effect_of_the_population_about_as_often_as_it_says():
    stream = np.random.default_rng(11)
    truth = np.mean([effect(made(stream, n=600, p=300), "sample") for _ in range(4)])
    held = 0
    for number in range(200):
        draws = crossed_draws(
            [made(stream)], "sample", resamples=300, seed=number, names=["cover"]
        )[0]
        found = interval(draws, 0.95, "percentile")
        held += found.low <= truth <= found.high
    # 200 trials at 0.95: 0.95 +- 3 x 0.0154; small sets cost a little more, crossing gains it back
    assert 0.89 <= held / 200 <= 0.995


def test_replicas_of_seeds_are_averaged_and_replicas_of_documents_stand_for_other_corpora():
    # Sets so alike in all words that replicas are what differs: d of a replica is its own level.
    stream = np.random.default_rng(2)
    h = np.array([1.0, 1.1, -1.0, -1.1])
    levels = 1 + 0.2 * stream.normal(size=16)
    values = np.stack([np.stack([h * one, -h * one], axis=1) for one in levels])
    covariance = np.stack([np.eye(2)] * 16)
    found = {}
    for kind in ("seeds", "documents"):
        similar = Similarities(values, (2, 2, 1, 1), covariance, kind)
        draws = crossed_draws([similar], "vocabulary", resamples=4000, seed=1, names=["r"])[0]
        found[kind] = draws.draws.std()
        each = effects(similar, "vocabulary")
    # Words add 0.05 x 2 x sqrt(1 / 2) x sqrt(2) = 0.1 or so of d = 2.97; replicas 0.2 of it.
    assert found["documents"] == pytest.approx(each.std(), rel=0.1)
    assert found["seeds"] < found["documents"] / 2.5


def test_words_are_drawn_alike_for_all_corpora():
    one = made(np.random.default_rng(1))
    first, second = crossed_draws([one, one], "sample", resamples=50, seed=3, names=["pair"])
    assert np.array_equal(first.draws, second.draws)
    assert not np.array_equal(first.draws, np.full(50, first.value))


def test_one_word_in_a_target_set_gives_no_interval():
    similar = Similarities(np.random.default_rng(0).normal(size=(1, 4, 4)), (1, 3, 2, 2))
    draws = crossed_draws([similar], "sample", resamples=50, seed=3, names=["few"])[0]
    assert interval(draws, 0.95, "percentile").low is None


def test_associations_that_do_not_vary_have_no_effect():
    flat = Similarities(np.ones((1, 4, 4)), (2, 2, 2, 2))
    assert isinstance(effect(flat, "sample"), Undefined)
    draws = crossed_draws([flat], "sample", resamples=10, seed=1, names=["flat"])
    assert isinstance(draws[0], Undefined)


def test_sets_of_other_sizes_or_a_covariance_too_many_are_refused():
    values = np.ones((1, 4, 4))
    with pytest.raises(DataError, match="covariance"):
        effect(Similarities(values, (2, 2, 2, 2)), "vocabulary")
    with pytest.raises(DataError, match="shape"):
        effect(Similarities(values, (2, 3, 2, 2)), "sample")
    pair = [Similarities(values, (2, 2, 2, 2)), Similarities(values, (1, 3, 2, 2))]
    with pytest.raises(DataError, match="same words"):
        crossed_draws(pair, "sample", resamples=5, seed=1, names=["x"])
