"""What an epoch learns from: temperature over tasks, batches of like length."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.systems.sampling import LikeLengths, epoch_places, task_shares


def order_of(lengths, batch, seed):
    return LikeLengths(lengths, np.zeros(len(lengths), np.int64), batch, 1.0, seed)


def test_shares_of_tasks_go_with_the_root_of_their_size():
    # 8000 and 1000 at temperature 3: cube roots 20 and 10 of 30.
    assert task_shares([8000, 1000], 3).tolist() == pytest.approx([2 / 3, 1 / 3])
    assert task_shares([8000, 1000], 1).tolist() == pytest.approx([8 / 9, 1 / 9])
    assert task_shares([8000, 1000], 1e6).tolist() == pytest.approx([0.5, 0.5], abs=1e-5)


def test_a_small_task_is_repeated_and_a_large_one_sampled():
    # Sizes 90 and 10, temperature 2: 100 rows as sqrt 90 to sqrt 10, 3 to 1, so 75 and 25.
    tasks = np.repeat([0, 1], [90, 10])
    drawn = epoch_places(tasks, 2.0, 42, 0)
    large, small = (np.bincount(drawn, minlength=100)[part] for part in (slice(90), slice(90, 100)))
    assert (large.sum(), small.sum()) == (75, 25)
    assert large.max() == 1
    assert set(small) == {2, 3}
    assert (epoch_places(tasks, 2.0, 42, 1) != drawn).any()
    assert (epoch_places(tasks, 2.0, 42, 0) == drawn).all()


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.floats(1, 10), st.integers(0, 3))
def test_an_epoch_has_as_many_rows_as_there_are(sizes, temperature, epoch):
    tasks = np.repeat(np.arange(len(sizes)), sizes)
    assert len(epoch_places(tasks, temperature, 1, epoch)) == len(tasks)
    assert (epoch_places(tasks, 1.0, 1, epoch) == np.arange(len(tasks))).all()


def test_a_batch_holds_rows_of_several_tasks():
    order = LikeLengths([8] * 200, np.repeat([0, 1], 100), 20, 1.0, 5)
    batches = np.array(list(order)).reshape(10, 20)
    assert all(0 < (batch < 100).sum() < 20 for batch in batches)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=200), st.integers(1, 9), st.integers(0, 5))
def test_an_epoch_holds_each_window_once(lengths, batch, epoch):
    order = order_of(lengths, batch, 42)
    order.set_epoch(epoch)
    assert sorted(order) == list(range(len(lengths)))
    assert list(order) == list(order)


def test_the_order_depends_on_seed_and_epoch():
    lengths = list(range(100))
    orders = []
    for seed, epoch in ((1, 0), (1, 1), (2, 0)):
        one = order_of(lengths, 4, seed)
        one.set_epoch(epoch)
        orders.append(tuple(one))
    assert len(set(orders)) == 3


def test_batches_of_like_length_waste_little_padding():
    lengths = np.random.default_rng(0).integers(4, 100, 1024)
    order = np.array(list(order_of(lengths, 32, 1)))
    like = sum(lengths[order[i : i + 32]].max() * 32 for i in range(0, 1024, 32))
    drawn = sum(lengths[i : i + 32].max() * 32 for i in range(0, 1024, 32))
    # All lengths are equally likely: a batch in file order is nearly 100 wide, where 52 are real.
    assert lengths.sum() > 0.9 * like
    assert lengths.sum() < 0.6 * drawn
