from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from made_counts import F1, labels, made_tally
from scipy import stats as scipy_stats
from scipy.special import ndtri
from sklearn.metrics import f1_score

from slant.errors import OptionError
from slant.metrics.ranking import auroc, auroc_kernel
from slant.metrics.scores import binary_kernels, class_f1, group_f1
from slant.metrics.tallies import cluster_counts
from slant.stats.intervals import bootstrap, bootstrap_auroc, bootstrap_many, interval, wilson
from slant.stats.resampling import Draws
from slant.types import Estimate, Undefined

RULES = {"level": 0.95, "resamples": 2000, "seed": 42, "names": ["test"], "method": "percentile"}


def width(estimate: Estimate | Undefined) -> float:
    assert isinstance(estimate, Estimate)
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


def test_the_interval_is_that_of_scipys_bootstrap() -> None:
    gold, said = labels(np.random.default_rng(1), 400, 0.8)
    ours = bootstrap([cluster_counts(made_tally(gold, said))[:2]], F1, combine="mean", **RULES)
    theirs = scipy_stats.bootstrap(
        (gold, said), lambda g, s: f1_score(g, s, average="macro"), paired=True, vectorized=False,
        n_resamples=500, method="percentile", rng=np.random.default_rng(0),
    )  # fmt: skip
    # standard error 0.02; each end of 500 draws is known to about 0.0024 (two of them: 0.007)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.008)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.008)


@pytest.mark.parametrize("method", ["percentile", "basic"])
def test_the_95_percent_interval_holds_the_truth_in_92_to_98_of_100_samples(method) -> None:
    # both classes equally frequent, 80 % right in each: F1 of both classes is 0.8
    stream, hits, samples = np.random.default_rng(7), 0, 600
    rules = RULES | {"resamples": 600, "method": method}
    for k in range(samples):
        tally = made_tally(*labels(stream, 300, 0.8))
        found = bootstrap([cluster_counts(tally)[:2]], F1, combine="mean", **(rules | {"seed": k}))
        hits += found.low <= 0.8 <= found.high
    assert 0.92 <= hits / samples <= 0.98


def test_the_interval_holds_the_truth_as_often_when_units_come_in_clusters() -> None:
    # 100 clusters of 3 units that are right or wrong together, in five folds of 20 clusters
    stream, hits, samples = np.random.default_rng(8), 0, 300
    kernel = binary_kernels(None, "exclude", "present")["accuracy"]
    for k in range(samples):
        folds = []
        for _ in range(5):
            gold, said = (np.repeat(side, 3) for side in labels(stream, 40, 0.7))
            folds.append(cluster_counts(made_tally(gold, said, np.arange(120) // 3))[:2])
        found = bootstrap(folds, kernel, combine="mean", **(RULES | {"seed": k, "resamples": 400}))
        hits += found.low <= 0.7 <= found.high
    assert 0.91 <= hits / samples <= 0.985


def test_four_copies_of_every_row_widen_the_interval_by_the_square_root_of_four() -> None:
    # 400 rows that are 100 clusters of four equal ones know as little as 100 rows
    gold, said = labels(np.random.default_rng(3), 100, 0.75)
    gold4, said4 = np.repeat(gold, 4), np.repeat(said, 4)
    alone, together = (
        bootstrap([cluster_counts(made_tally(gold4, said4, c))[:2]], F1, combine="mean",
                  **(RULES | {"resamples": 8000}))
        for c in (np.arange(400), np.arange(400) // 4)
    )  # fmt: skip
    assert together.value == alone.value
    assert width(together) / width(alone) == pytest.approx(2, rel=0.07)
    assert (together.n, alone.n) == (100, 400)


def test_the_value_lies_on_the_data_and_within_the_percentile_interval() -> None:
    tally = made_tally(*labels(np.random.default_rng(4), 200, 0.8))
    found = bootstrap([cluster_counts(tally)[:2]], F1, combine="mean", **RULES)
    counts = tally.counts.sum(axis=(0, 1))
    assert found.value == float(class_f1(counts, None))
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.method == "percentile bootstrap, 2000 resamples of 200 clusters in 1 strata"


def test_the_basic_interval_mirrors_the_percentile_interval_at_the_value() -> None:
    table = [cluster_counts(made_tally(*labels(np.random.default_rng(4), 200, 0.9)))[:2]]
    one = bootstrap(table, F1, combine="mean", **RULES)
    two = bootstrap(table, F1, combine="mean", **(RULES | {"method": "basic"}))
    assert two.low == pytest.approx(2 * one.value - one.high)
    assert two.high == pytest.approx(2 * one.value - one.low)


def test_a_higher_level_gives_a_wider_interval() -> None:
    table = [cluster_counts(made_tally(*labels(np.random.default_rng(4), 200, 0.8)))[:2]]
    widths = [
        width(bootstrap(table, F1, combine="mean", **(RULES | {"level": level})))
        for level in (0.5, 0.8, 0.95, 0.99)
    ]
    assert widths == sorted(widths)


def test_exchanging_the_classes_keeps_the_law_of_a_symmetric_score() -> None:
    gold, said = labels(np.random.default_rng(4), 300, 0.8)
    one, two = (
        bootstrap([cluster_counts(made_tally(g, s))[:2]], F1, combine="mean", **RULES)
        for g, s in ((gold, said), (1 - gold, 1 - said))
    )
    assert one.value == pytest.approx(two.value)
    assert one.low == pytest.approx(two.low, abs=0.008)


def test_a_perfect_system_has_an_interval_of_one_point() -> None:
    gold = np.random.default_rng(1).integers(0, 2, 50)
    found = bootstrap([cluster_counts(made_tally(gold, gold))[:2]], F1, combine="mean", **RULES)
    assert (found.value, found.low, found.high) == (1, 1, 1)


def test_the_mean_over_data_sets_has_an_interval_too() -> None:
    stream = np.random.default_rng(1)
    groups = np.repeat([0, 1], [300, 40])
    table = cluster_counts(made_tally(*labels(stream, 340, 0.8), groups=groups))[:2]
    kernel = partial(
        group_f1, f1=partial(class_f1, undefined=0.0), one_class="exclude", denominator="present"
    )
    found = bootstrap_many([table], {"group": kernel, "micro": F1}, combine="mean", **RULES)
    # the small set weighs as much as the large one, which costs certainty
    assert width(found["group"]) > 1.5 * width(found["micro"])


def test_a_single_cluster_gives_a_score_but_no_interval() -> None:
    table = cluster_counts(made_tally([0, 1], [0, 1], clusters=[5, 5]))[:2]
    found = bootstrap([table], F1, combine="mean", **RULES)
    assert (found.value, found.low, found.high) == (1, None, None)
    assert found.method.endswith("too few clusters")


def test_undefined_resamples_are_left_out_and_counted() -> None:
    draws = np.append(np.linspace(0, 1, 99), np.nan)
    found = interval(Draws(0.5, draws, 50, 1), 0.9, "percentile")
    assert found.low == pytest.approx(0.05)
    assert found.method.endswith("1 undefined left out")


def test_more_undefined_resamples_than_the_tails_hold_give_no_interval() -> None:
    # 11 of 100 undefined, the tails of 90 % hold 10
    draws = np.append(np.linspace(0, 1, 89), np.full(11, np.nan))
    found = interval(Draws(0.5, draws, 50, 1), 0.9, "percentile")
    assert (found.low, found.high) == (None, None)
    assert found.method.endswith("11 undefined left out: too many undefined")


def test_a_rare_class_shows_in_the_count_of_undefined_resamples() -> None:
    # one biased unit of 30: missing from a resample with chance (29/30)**30 = 0.362
    gold = [1] + [0] * 29
    kernel = binary_kernels(None, "exclude", "present")["recall"]
    found = bootstrap([cluster_counts(made_tally(gold, gold))[:2]], kernel, combine="mean", **RULES)
    undefined = int(found.method.split(", ")[2].split()[0])
    assert undefined / 2000 == pytest.approx(0.362, abs=0.045)
    assert found.low is None


def test_auroc_gets_the_interval_that_scipys_bootstrap_gives() -> None:
    stream = np.random.default_rng(2)
    gold = stream.integers(0, 2, 300)
    said = (stream.random(300) + 0.6 * gold).round(2)
    rules = RULES | {"resamples": 1000}
    ours = bootstrap_auroc([(gold, said, np.arange(300))], auroc_kernel, **rules)
    theirs = scipy_stats.bootstrap(
        (gold, said), auroc, paired=True, vectorized=False, n_resamples=1000, method="percentile",
        rng=np.random.default_rng(0),
    )  # fmt: skip
    assert ours.value == auroc(gold, said)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.008)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.008)


def test_copies_widen_the_interval_of_auroc_as_well() -> None:
    stream = np.random.default_rng(2)
    gold = stream.integers(0, 2, 100)
    said = stream.random(100) + 0.4 * gold
    rows = (np.repeat(gold, 4), np.repeat(said, 4))
    alone, together = (
        bootstrap_auroc([(*rows, c)], auroc_kernel, **RULES)
        for c in (np.arange(400), np.arange(400) // 4)
    )
    assert width(together) / width(alone) == pytest.approx(2, rel=0.12)


def test_auroc_over_folds_is_the_mean_of_their_values() -> None:
    first = (np.array([0, 1]), np.array([0.1, 0.9]), np.arange(2))
    second = (np.array([0, 1]), np.array([0.5, 0.5]), np.arange(2))
    found = bootstrap_auroc([first, second], auroc_kernel, **RULES)
    assert found.value == 0.75  # (1 + 0.5) / 2


@pytest.mark.parametrize(("right", "n"), [(0, 10), (10, 10), (3, 7), (450, 1000), (1, 1)])
def test_wilsons_interval_is_that_of_scipy(right: int, n: int) -> None:
    found = wilson(right, n, 0.95)
    theirs = scipy_stats.binomtest(right, n).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))


def test_no_units_have_no_share() -> None:
    assert wilson(0, 0, 0.95) == Undefined("0 of 0: there is nothing to count")


def test_shares_and_levels_that_cannot_be_are_refused() -> None:
    with pytest.raises(OptionError, match="4 of 3"):
        wilson(4, 3, 0.95)
    with pytest.raises(OptionError, match="level is 95"):
        wilson(1, 3, 95)


def test_the_bias_corrected_interval_is_the_percentile_interval_where_there_is_no_bias():
    draws = Draws(0.5, np.linspace(0, 1, 1001), 9, 1)
    plain, mended = (interval(draws, 0.9, m) for m in ("percentile", "bias-corrected"))
    assert (mended.low, mended.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


def test_the_bias_corrected_interval_moves_against_the_bias_by_twice_its_size():
    # draws normal around 0.6 - 0.02 with deviation 0.02: z = 1, so the ends are the quantiles
    # Phi(2 - 1.96) and Phi(2 + 1.96), that is 0.58 + 0.02 (2 -+ 1.96) = 0.5808 and 0.6592
    made = 0.58 + 0.02 * ndtri((np.arange(200_000) + 0.5) / 200_000)
    found = interval(Draws(0.6, made, 9, 1), 0.95, "bias-corrected")
    assert (found.low, found.high) == pytest.approx((0.5808, 0.6592), abs=5e-4)
