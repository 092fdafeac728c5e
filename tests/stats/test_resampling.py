from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from made_counts import F1, labels, made_tally

from slant.errors import DataError, OptionError
from slant.metrics.ranking import auroc_kernel
from slant.metrics.scores import accuracy, binary_kernels, micro
from slant.metrics.tallies import cluster_counts, joint_cluster_counts
from slant.stats.resampling import (
    Draws,
    combined,
    fold_scores,
    generator,
    mean_draws,
    rank_draws,
    resampled_counts,
    score_draws,
)
from slant.types import Undefined

RULES = {"resamples": 500, "seed": 42, "names": ["test"]}


def strata(folds: int, n: int = 120, seed: int = 0) -> list:
    stream = np.random.default_rng(seed)
    return [cluster_counts(made_tally(*labels(stream, n, 0.8)))[:2] for _ in range(folds)]


def test_drawing_distinct_rows_has_the_law_of_drawing_clusters() -> None:
    # tp counts of 100 draws from 30 rows with 1, 70 with 0: binomial, mean 30, variance 21
    rows = np.array([[[0, 0, 0, 1]], [[1, 0, 0, 0]]])
    found = resampled_counts(rows, np.array([70, 30]), 20_000, generator(1, ["law"]))[:, 0, 0]
    assert found.mean() == pytest.approx(30, abs=4 * (21 / 20_000) ** 0.5)
    assert found.var() == pytest.approx(21, rel=0.05)


def test_rows_that_each_cluster_has_alone_are_drawn_by_the_same_law() -> None:
    # 50 clusters with tp = 0..49: the sum of 50 draws has mean 1225 and variance 50 * 208.25
    rows = np.zeros((50, 1, 4), dtype=np.int64)
    rows[:, 0, 0] = np.arange(50)
    found = resampled_counts(rows, np.ones(50, np.int64), 20_000, generator(1, ["law"]))[:, 0, 0]
    assert found.mean() == pytest.approx(1225, abs=4 * (50 * 208.25 / 20_000) ** 0.5)
    assert found.var() == pytest.approx(50 * 208.25, rel=0.05)


def test_every_resample_has_as_many_clusters_as_the_data() -> None:
    distinct, number = strata(1)[0]
    found = resampled_counts(distinct, number, 50, generator(0, []))
    assert (found.sum(axis=(1, 2)) == 120).all()


def test_the_same_seed_and_name_give_the_same_bits_and_others_do_not() -> None:
    one = score_draws(strata(3), {"f1": F1}, combine="mean", **RULES)["f1"]
    again = score_draws(strata(3), {"f1": F1}, combine="mean", **RULES)["f1"]
    assert one.draws.tobytes() == again.draws.tobytes()
    for other in ({"seed": 43}, {"names": ["other"]}):
        draws = score_draws(strata(3), {"f1": F1}, combine="mean", **(RULES | other))["f1"].draws
        assert (draws != one.draws).any()


def test_the_order_in_which_tasks_are_scored_changes_nothing() -> None:
    tasks = {name: strata(2, seed=k) for k, name in enumerate(["a", "b", "c"])}

    def scored(order: list[str]) -> dict[str, bytes]:
        return {
            t: score_draws(tasks[t], {"f1": F1}, combine="mean", resamples=99, seed=1, names=[t])[
                "f1"
            ].draws.tobytes()
            for t in order
        }

    assert scored(["a", "b", "c"]) == scored(["c", "a", "b"])


def test_the_order_of_units_changes_no_draw() -> None:
    stream = np.random.default_rng(5)
    gold, said = labels(stream, 200, 0.7)
    cluster, order = stream.integers(0, 50, 200), stream.permutation(200)
    draws = [
        score_draws([cluster_counts(tally)[:2]], {"f1": F1}, combine="mean", **RULES)["f1"].draws
        for tally in (
            made_tally(gold, said, cluster),
            made_tally(gold[order], said[order], cluster[order]),
        )
    ]
    assert draws[0].tobytes() == draws[1].tobytes()


def test_several_scores_see_the_same_draws_as_one_alone() -> None:
    kernels = binary_kernels(0.0, "exclude", "present")
    many = score_draws(strata(2), kernels, combine="mean", **RULES)
    for name, kernel in kernels.items():
        alone = score_draws(strata(2), {name: kernel}, combine="mean", **RULES)[name]
        assert alone.draws.tobytes() == many[name].draws.tobytes()


def test_the_value_is_the_mean_over_folds_or_the_score_of_all_folds_together() -> None:
    # accuracies 3/4 over 4 units and 0/1 over 1: mean 0.375, together 3/5
    one, two = made_tally([1, 1, 0, 0], [1, 1, 0, 1]), made_tally([1], [0])
    tables = [cluster_counts(t)[:2] for t in (one, two)]
    kernel = {"accuracy": binary_kernels(None, "exclude", "present")["accuracy"]}
    for combine, value in (("mean", 0.375), ("pool", 0.6)):
        assert score_draws(tables, kernel, combine=combine, **RULES)["accuracy"].value == value
    assert fold_scores(tables, kernel["accuracy"]) == [0.75, 0.0]


def test_the_mean_of_five_folds_varies_as_five_independent_scores_do() -> None:
    # five folds, independent: the variance of the mean is the sum of the variances / 25
    tables = strata(5)
    rules = RULES | {"resamples": 4000}
    alone = [
        score_draws([t], {"f1": F1}, combine="mean", **rules)["f1"].draws.var() for t in tables
    ]
    mean = score_draws(tables, {"f1": F1}, combine="mean", **rules)["f1"].draws.var()
    assert mean == pytest.approx(sum(alone) / 25, rel=0.1)


def test_a_score_that_one_fold_does_not_have_is_undefined_and_names_the_fold() -> None:
    tables = [
        cluster_counts(made_tally([0, 1], [0, 1]))[:2],
        cluster_counts(made_tally([0], [0]))[:2],
    ]
    kernels = binary_kernels(None, "exclude", "present")
    found = score_draws(tables, kernels, combine="mean", **RULES)["recall"]
    assert found == Undefined("the score is undefined (0/0) in fold 2")
    assert fold_scores(tables, kernels["recall"]) == [1.0, None]
    assert score_draws(tables, kernels, combine="pool", **RULES)["recall"].value == 1.0


def test_an_empty_fold_is_undefined() -> None:
    empty = cluster_counts(made_tally([], []))[:2]
    found = score_draws(
        [empty], binary_kernels(None, "exclude", "present"), combine="mean", **RULES
    )
    assert all(isinstance(score, Undefined) for score in found.values())


def test_no_fold_is_undefined() -> None:
    assert score_draws([], {"f1": F1}, combine="mean", **RULES) == {
        "f1": Undefined("there is no fold")
    }


def test_a_second_seed_with_the_same_answers_adds_no_certainty() -> None:
    # the same clusters are drawn for both seeds, so that their mean varies as much as one
    tally = made_tally(*labels(np.random.default_rng(2), 300, 0.8))
    once = score_draws([cluster_counts(tally)[:2]], {"f1": F1}, combine="mean", **RULES)["f1"]
    twice = score_draws(
        [joint_cluster_counts([tally, tally])[:2]], {"f1": F1}, combine="mean", **RULES
    )["f1"]
    assert twice.value == once.value
    assert twice.draws == pytest.approx(once.draws)


def test_the_media_bias_score_is_the_mean_of_its_tasks_draw_by_draw() -> None:
    parts = [Draws(0.8, np.array([0.7, 0.9]), 10, 5), Draws(0.6, np.array([0.5, np.nan]), 20, 5)]
    mean = mean_draws(parts)
    assert (mean.value, mean.clusters, mean.strata) == (pytest.approx(0.7), 30, 10)
    assert mean.draws == pytest.approx([0.6, np.nan], nan_ok=True)


def test_scores_with_unequal_resamples_are_not_averaged() -> None:
    with pytest.raises(OptionError, match="all the same"):
        mean_draws([Draws(0.8, np.zeros(2), 1, 1), Draws(0.6, np.zeros(3), 1, 1)])


def test_a_table_that_is_no_count_table_is_refused() -> None:
    with pytest.raises(DataError, match=r"shape \(4,\)"):
        score_draws([(np.zeros(4), np.ones(4))], {"f1": F1}, combine="mean", **RULES)


def test_no_resamples_are_refused() -> None:
    with pytest.raises(OptionError, match="0 resamples"):
        score_draws(strata(1), {"f1": F1}, combine="mean", **(RULES | {"resamples": 0}))


def test_draws_of_an_order_do_not_depend_on_how_many_are_made_at_a_time(monkeypatch) -> None:
    stream = np.random.default_rng(0)
    folds = [
        (stream.integers(0, 2, 80), stream.random(80).round(1), np.arange(80) // 2) for _ in (1, 2)
    ]
    whole = rank_draws(folds, auroc_kernel, **RULES)
    monkeypatch.setattr("slant.stats.resampling._BLOCK", 1000)
    assert rank_draws(folds, auroc_kernel, **RULES).draws.tobytes() == whole.draws.tobytes()


def test_draws_of_counts_do_not_depend_on_how_many_are_made_at_a_time(monkeypatch) -> None:
    whole = score_draws(strata(2), {"f1": F1}, combine="mean", **RULES)["f1"].draws.tobytes()
    monkeypatch.setattr("slant.stats.resampling._BLOCK", 40)
    assert (
        score_draws(strata(2), {"f1": F1}, combine="mean", **RULES)["f1"].draws.tobytes() == whole
    )


def test_an_order_without_one_class_names_its_fold() -> None:
    good = (np.array([0, 1]), np.array([0.1, 0.9]), np.arange(2))
    bad = (np.array([1, 1]), np.array([0.1, 0.9]), np.arange(2))
    found = rank_draws([good, bad], auroc_kernel, **RULES)
    assert found == Undefined("the score is undefined in fold 2: its gold has one class")
    assert isinstance(rank_draws([], auroc_kernel, **RULES), Undefined)
    assert isinstance(rank_draws([([], [], [])], auroc_kernel, **RULES), Undefined)


def test_a_block_that_got_no_unit_is_not_in_the_mean_of_a_resample():
    # one group, two blocks: accuracy 3/4 in the first, nothing in the second, then 1/2
    counts = np.array([[[[3, 0, 1, 0]], [[0, 0, 0, 0]]], [[[3, 0, 1, 0]], [[1, 1, 0, 0]]]])
    share = partial(micro, of=partial(accuracy, undefined=0.0))
    assert combined([counts], share, "mean").tolist() == [0.75, 0.625]
