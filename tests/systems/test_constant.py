import pytest

from slant.systems.constant import majority, random
from slant.systems.source import source_only
from slant.types import NO, YES, Example, Fold, Item


def train(*rows):
    return [Example(Item(f"t{i}", "", group=g), YES if y else NO) for i, (g, y) in enumerate(rows)]


def answers(system, examples, items, seed=42):
    fold = Fold(examples, [], items)
    return [(p.answer.biased, p.probability) for p in next(iter(system([fold], seed)))]


def test_majority_follows_train_and_gives_its_share():
    # 1 of 4 is biased.
    rows = train(("a", 1), ("a", 0), ("a", 0), ("a", 0))
    assert answers(majority(), rows, [Item("x", "")]) == [(False, 0.25)]


def test_a_tie_goes_to_biased():
    assert answers(majority(), train(("a", 1), ("a", 0)), [Item("x", "")]) == [(True, 0.5)]


def test_source_only_takes_each_data_sets_own_majority():
    # a: 2 of 3 biased, b: 0 of 3; over all 2 of 6, q = 1/3.
    # a: (2 + 2/3) / 5 = 8/15; b: (0 + 2/3) / 5 = 2/15; unknown: (2/3) / 2 = 1/3.
    rows = train(("a", 1), ("a", 1), ("a", 0), ("b", 0), ("b", 0), ("b", 0))
    got = answers(source_only(), rows, [Item(g, "", group=g) for g in "abc"])
    assert [biased for biased, _ in got] == [True, False, False]
    assert [p for _, p in got] == pytest.approx([8 / 15, 2 / 15, 1 / 3])


def test_source_only_settles_a_tied_data_set_by_the_whole_train():
    # a is tied 1:1; over all 1 of 4 is biased, so a is answered non-biased.
    rows = train(("a", 1), ("a", 0), ("b", 0), ("b", 0))
    assert [b for b, _ in answers(source_only(), rows, [Item("x", "", group="a")])] == [False]


def test_source_only_reads_no_text():
    rows = train(("a", 1), ("b", 0))
    one = answers(source_only(), rows, [Item("x", "calm", group="a")])
    assert one == answers(source_only(), rows, [Item("x", "furious", group="a")])


def test_random_answers_depend_on_seed_and_id_alone():
    items = [Item(str(i), "") for i in range(50)]
    rows = train(("a", 1), ("a", 0))
    every = answers(random(), rows, items)
    assert answers(random(), rows, items[17:18]) == every[17:18]
    assert answers(random(), rows, items, seed=43) != every


def test_random_probabilities_are_uniform():
    # 4,000 draws: the mean's standard error is sqrt(1/12/4000) = 0.0046; four of them is 0.018.
    got = answers(random(), train(("a", 1)), [Item(str(i), "") for i in range(4000)])
    assert sum(p for _, p in got) / 4000 == pytest.approx(0.5, abs=0.018)
    assert all(biased == (p >= 0.5) for biased, p in got)


def test_stratified_random_draws_trains_share():
    # 1 of 4 is biased; standard error sqrt(0.25 * 0.75 / 4000) = 0.0068, four of them 0.027.
    rows = train(("a", 1), ("a", 0), ("a", 0), ("a", 0))
    got = answers(random(stratified=True), rows, [Item(str(i), "") for i in range(4000)])
    assert sum(biased for biased, _ in got) / 4000 == pytest.approx(0.25, abs=0.027)
