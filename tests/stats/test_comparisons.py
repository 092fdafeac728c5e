from __future__ import annotations

import numpy as np
import pytest
from made_counts import F1, labels, made_tally
from scipy import stats as scipy_stats

from slant.errors import DataError, OptionError
from slant.metrics.scores import binary_kernels
from slant.metrics.tallies import joint_cluster_counts
from slant.stats.comparisons import mcnemar, paired_bootstrap, randomisation_test
from slant.types import Array, Undefined

ACCURACY = binary_kernels(None, "exclude", "present")["accuracy"]
BOOT = {
    "combine": "mean",
    "level": 0.95,
    "resamples": 1000,
    "seed": 1,
    "names": ["t"],
    "method": "percentile",
}
SWAP = {"combine": "mean", "permutations": 1000, "seed": 1, "names": ["t"]}


def pair(gold: Array, a: Array, b: Array, clusters: Array | None = None) -> tuple[Array, Array]:
    return joint_cluster_counts([made_tally(gold, a, clusters), made_tally(gold, b, clusters)])[:2]


def two_systems(seed: int, n: int, right_a: float, right_b: float) -> tuple[Array, Array, Array]:
    stream = np.random.default_rng(seed)
    gold, a = labels(stream, n, right_a)
    return gold, a, np.where(stream.random(n) < right_b, gold, 1 - gold)


def test_a_system_against_itself_has_no_difference_and_p_of_one() -> None:
    gold, a, _ = two_systems(0, 200, 0.8, 0.8)
    found = paired_bootstrap([pair(gold, a, a)], F1, **BOOT)
    assert (found.estimate.value, found.estimate.low, found.estimate.high) == (0, 0, 0)
    assert found.test.p == 1
    assert randomisation_test([pair(gold, a, a)], F1, **SWAP).p == 1


def test_a_clear_difference_is_found_by_both() -> None:
    gold, a, b = two_systems(0, 500, 0.9, 0.7)
    found = paired_bootstrap([pair(gold, a, b)], F1, **BOOT)
    assert found.estimate.low > 0.1
    assert found.estimate.value == found.a - found.b
    # no draw at or below 0: 2 (1 + 0) / 1001
    assert found.test.p == pytest.approx(2 / 1001)
    assert randomisation_test([pair(gold, a, b)], F1, **SWAP).p == pytest.approx(1 / 1001)


def test_exchanging_the_systems_turns_the_sign_and_keeps_p() -> None:
    gold, a, b = two_systems(3, 300, 0.8, 0.77)
    one, two = (paired_bootstrap([pair(gold, *s)], F1, **BOOT) for s in ((a, b), (b, a)))
    assert one.estimate.value == -two.estimate.value
    assert (one.a, one.b) == (two.b, two.a)
    assert one.estimate.low == pytest.approx(-two.estimate.high, abs=0.01)
    first, second = (randomisation_test([pair(gold, *s)], F1, **SWAP) for s in ((a, b), (b, a)))
    assert first.p == pytest.approx(second.p, abs=0.07)


def test_p_is_below_5_percent_where_the_95_percent_interval_leaves_zero_out() -> None:
    for seed in range(30):
        gold, a, b = two_systems(seed, 200, 0.8, 0.74)
        found = paired_bootstrap([pair(gold, a, b)], F1, **BOOT)
        if not 0.04 < found.test.p < 0.06:
            outside = found.estimate.low > 0 or found.estimate.high < 0
            assert outside == (found.test.p < 0.05)


def test_pairing_makes_the_interval_narrower_than_two_samples_would() -> None:
    # b copies a but for 5 % of the units: the difference varies with these alone
    stream = np.random.default_rng(0)
    gold, a = labels(stream, 1000, 0.8)
    b = np.where(stream.random(1000) < 0.05, 1 - a, a)
    found = paired_bootstrap([pair(gold, a, b)], ACCURACY, **BOOT)
    # two samples: 2 * 1.96 * sqrt(2 * 0.16 / 1000) = 0.070; paired: about sqrt(0.05 / 0.32) of it
    assert found.estimate.high - found.estimate.low < 0.035


def test_randomisation_agrees_with_scipys_exact_permutation_test() -> None:
    # 12 units, 6 of them discordant: all 2**12 exchanges by scipy
    gold, a, b = two_systems(11, 12, 0.9, 0.5)
    right = ((a == gold).astype(float), (b == gold).astype(float))
    exact = scipy_stats.permutation_test(
        right, lambda x, y, axis: x.mean(axis) - y.mean(axis), permutation_type="samples",
        vectorized=True, n_resamples=np.inf,
    ).pvalue  # fmt: skip
    ours = randomisation_test([pair(gold, a, b)], ACCURACY, **(SWAP | {"permutations": 20_000})).p
    assert ours == pytest.approx(exact, abs=0.012)


def test_exchanging_whole_clusters_agrees_with_every_sign_written_out() -> None:
    # ten clusters with differences d of correct units; |sum of signed d| over all 2**10 signs
    stream = np.random.default_rng(4)
    gold, a, b = two_systems(4, 60, 0.85, 0.65)
    cluster = np.sort(stream.integers(0, 10, 60))
    d = np.bincount(cluster, (a == gold).astype(int) - (b == gold).astype(int), minlength=10)
    signs = 1 - 2 * ((np.arange(1024)[:, None] >> np.arange(10)) & 1)
    exact = (np.abs(signs @ d) >= abs(d.sum())).mean()
    table = pair(gold, a, b, cluster)
    ours = randomisation_test([table], ACCURACY, **(SWAP | {"permutations": 20_000}))
    assert ours.p == pytest.approx(exact, abs=0.015)
    assert ours.n == len(np.unique(cluster))


@pytest.mark.parametrize("clustered", [False, True])
def test_both_tests_find_differences_between_equal_systems_in_5_percent_of_samples(
    clustered,
) -> None:
    # 400 samples: 0.05 -+ 3.3 sqrt(0.05 * 0.95 / 400) = [0.014, 0.086]
    samples, found = 400, np.zeros(2)
    for k in range(samples):
        stream = np.random.default_rng([9, k])
        clusters = 150
        gold, a = labels(stream, clusters, 0.75)
        b = np.where(stream.random(clusters) < 0.75, gold, 1 - gold)
        times = 3 if clustered else 1
        sides = [np.repeat(side, times) for side in (gold, a, b)]
        table = pair(*sides, np.repeat(np.arange(clusters), times))
        boot = paired_bootstrap([table], F1, **(BOOT | {"resamples": 400, "seed": k}))
        swap = randomisation_test([table], F1, **(SWAP | {"permutations": 400, "seed": k}))
        found += [boot.test.p < 0.05, swap.p < 0.05]
    assert (found / samples >= 0.014).all()
    assert (found / samples <= 0.086).all()


def test_folds_are_averaged_before_the_difference() -> None:
    # accuracy A: 1/2 and 1, B: 1/2 and 0; difference of means 0.75 - 0.25
    first = pair(np.array([0, 1]), np.array([0, 0]), np.array([1, 1]))
    second = pair(np.array([1]), np.array([1]), np.array([0]))
    found = paired_bootstrap([first, second], ACCURACY, **BOOT)
    assert (found.a, found.b, found.estimate.value) == (0.75, 0.25, 0.5)


def test_blocks_of_seeds_are_averaged_within_each_system() -> None:
    # A is right in both seeds, B in one of two: axis 1 system, axis 2 seed
    right, wrong = [[1, 0, 0, 0]], [[0, 0, 1, 0]]
    rows = np.array([[[right, right], [right, wrong]]])
    found = paired_bootstrap([(rows, np.array([30]))], ACCURACY, **BOOT)
    assert (found.a, found.b) == (1, 0.5)


def test_the_same_seed_gives_the_same_test() -> None:
    gold, a, b = two_systems(3, 300, 0.8, 0.77)
    tables = [pair(gold, a, b)]
    assert paired_bootstrap(tables, F1, **BOOT) == paired_bootstrap(tables, F1, **BOOT)
    assert randomisation_test(tables, F1, **SWAP) == randomisation_test(tables, F1, **SWAP)


def test_runs_on_other_items_are_not_compared() -> None:
    one, two = made_tally([0, 1], [0, 1]), made_tally([1, 1], [0, 1])
    table = joint_cluster_counts([one, two])[:2]
    for test, rules in ((paired_bootstrap, BOOT), (randomisation_test, SWAP)):
        with pytest.raises(DataError, match="test items or gold labels differ"):
            test([table], F1, **rules)


def test_an_undefined_score_names_its_system() -> None:
    precision = binary_kernels(None, "exclude", "present")["precision"]
    table = pair(np.array([0, 1]), np.array([0, 1]), np.array([0, 0]))
    assert paired_bootstrap([table], precision, **BOOT) == Undefined(
        "the score of system B is undefined (0/0)"
    )
    assert isinstance(randomisation_test([table], precision, **SWAP), Undefined)


def test_without_items_there_is_no_difference() -> None:
    empty = np.zeros(0, dtype=int)
    for strata in ([], [pair(empty, empty, empty)]):
        assert isinstance(randomisation_test(strata, ACCURACY, **SWAP), Undefined)
        assert isinstance(paired_bootstrap(strata, ACCURACY, **BOOT), Undefined)


def test_tables_of_one_system_and_no_draws_are_refused() -> None:
    with pytest.raises(DataError, match="shape"):
        paired_bootstrap([(np.zeros((1, 1, 4)), np.ones(1))], F1, **BOOT)
    with pytest.raises(OptionError, match="0 draws"):
        randomisation_test([], F1, **(SWAP | {"permutations": 0}))


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 0), (1, 5), (5, 1), (7, 7), (100, 140)])
def test_mcnemar_is_scipys_exact_binomial_test(only_a: int, only_b: int) -> None:
    n = only_a + only_b
    exact = scipy_stats.binomtest(only_a, n).pvalue if n else 1.0
    assert mcnemar(only_a, only_b).p == pytest.approx(exact)


def test_mcnemar_refuses_negative_counts() -> None:
    with pytest.raises(OptionError, match="-1"):
        mcnemar(-1, 2)
