from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worked import (
    CODES,
    EMPTY,
    GOLD,
    LOCATED,
    MERGED,
    RULES,
    SAID,
    answers,
    article,
    cells,
    counted,
    tallies,
    trigger,
)

from slant.errors import DataError, OptionError, UnknownName
from slant.metrics.triggers import TALLIES, trigger_tallies
from slant.types import Mark, Span


def test_the_worked_example_has_the_counts_of_the_page():
    found = tallies([GOLD, EMPTY], [SAID, EMPTY])
    assert {name: cells(tally) for name, tally in found.items()} == {
        # B01 and B02 are on both sides, B04 is predicted alone
        "detection": (2, 1, 0),
        # B01 20 of 30, B02 [12, 24) of [12, 32) and six unlocated, B04 ten: 20 + 12 / 6 + 10 / 10 + 8
        "characters": (32, 16, 18),
        # [0,10), [80,90), and [12,24) with an IoU of 12/20; the unlocated and B04's; [40,50)
        "spans": (3, 2, 1),
        # B01: 2*1 / (1 + 3) = 1/2 for either trigger, one gold trigger; B02: 2*1 / (2 + 1) = 2/3
        "triggers_dice": (2, 2, 0),
        # B01: 1 / (1 + 3 - 1) = 1/3, B02: 1 / (2 + 1 - 1) = 1/2
        "triggers_jaccard": (1, 3, 1),
        # B01: 1/3, B02: 1/2
        "triggers_max": (1, 3, 1),
    }


def test_two_triggers_merged_into_one_match_better():
    found = tallies([GOLD, EMPTY], [MERGED, EMPTY])
    # B01: 2*2 / (2 + 3) = 4/5; jaccard 2 / (2 + 3 - 2) = 2/3; max 2/3
    for overlap in ("dice", "jaccard", "max"):
        assert cells(found[f"triggers_{overlap}"]) == (2, 1, 0)
    assert cells(found["spans"]) == (3, 2, 1)


@pytest.mark.parametrize(("said", "spans", "characters"), [
    ((0, 10), (1, 0, 0), (10, 0, 0)),
    ((0, 5), (1, 0, 0), (5, 0, 5)),  # IoU 5/10
    ((0, 4), (0, 1, 1), (4, 0, 6)),  # IoU 4/10
    ((0, 20), (1, 0, 0), (10, 10, 0)),  # IoU 10/20
    ((5, 15), (0, 1, 1), (5, 5, 5)),  # IoU 5/15
    ((10, 20), (0, 1, 1), (0, 10, 10)),
])  # fmt: skip
def test_partial_overlap_counts_by_characters_and_from_half_on_as_a_span(said, spans, characters):
    found = counted(article(trigger("B01", (0, 10))), article(trigger("B01", said)))
    assert found["spans"] == spans
    assert found["characters"] == characters
    assert found["triggers_dice"] == spans
    assert found["detection"] == (1, 0, 0)


def test_two_spans_in_one_trigger_of_which_one_is_found():
    found = counted(article(trigger("B01", (0, 10), (20, 30))), article(trigger("B01", (0, 10))))
    assert found["spans"] == (1, 0, 1)
    # dice 2/3, jaccard 1/2, max 1/2
    assert [found[name] for name in TALLIES[3:]] == [(1, 0, 0)] * 3


def test_one_string_returned_twice_at_one_place_counts_once_as_characters_and_twice_as_spans():
    found = counted(article(trigger("B01", (0, 10))), article(trigger("B01", (0, 10), (0, 10))))
    assert found["characters"] == (10, 0, 0)
    assert found["spans"] == (1, 1, 0)
    # dice 2*1 / (2 + 1), jaccard 1/2, max 1/2
    assert [found[name] for name in TALLIES[3:]] == [(1, 0, 0)] * 3


def test_an_unlocated_string_costs_its_characters_and_one_span():
    found = counted(article(trigger("B01", (0, 10))), article(trigger("B01", (0, 10), "naïve 🎈")))
    assert found["characters"] == (10, 7, 0)
    assert found["spans"] == (1, 1, 0)
    assert found["triggers_dice"] == (1, 0, 0)


def test_a_trigger_that_is_unlocated_whole_still_detects_its_bias():
    found = counted(article(trigger("B01", (0, 10))), article(trigger("B01", "lost")))
    assert found == {
        "detection": (1, 0, 0),
        "characters": (0, 4, 10),
        "spans": (0, 1, 1),
        **dict.fromkeys(TALLIES[3:], (0, 1, 1)),
    }


def test_equal_unlocated_strings_on_both_sides_do_not_match():
    found = counted(article(trigger("B01", "lost")), article(trigger("B01", "lost")))
    assert found["characters"] == (0, 4, 4)
    assert found["spans"] == (0, 1, 1)


def test_two_biases_on_one_passage_count_each_for_itself():
    gold = article(trigger("B01", (0, 10)), trigger("B02", (0, 10)))
    assert counted(gold, gold)["characters"] == (20, 0, 0)
    found = counted(gold, article(trigger("B02", (0, 10)), trigger("B03", (0, 10))))
    assert found["detection"] == (1, 1, 1)
    assert found["characters"] == (10, 10, 10)
    assert found["spans"] == (1, 1, 1)


def test_overlapping_spans_of_one_trigger_are_two_spans_over_one_set_of_characters():
    gold = article(trigger("B01", (0, 10), (5, 15)))
    assert counted(gold, gold)["spans"] == (2, 0, 0)
    # one predicted [0, 15): IoU 10/15 with either, one of them; 15 characters of 15
    found = counted(gold, article(trigger("B01", (0, 15))))
    assert found["spans"] == (1, 0, 1)
    assert found["characters"] == (15, 0, 0)


def test_two_triggers_with_the_same_spans_are_two():
    twice = article(trigger("B01", (0, 10)), trigger("B01", (0, 10)))
    assert counted(twice, twice)["triggers_dice"] == (2, 0, 0)
    assert counted(twice, article(trigger("B01", (0, 10))))["triggers_dice"] == (1, 0, 1)


def test_spans_match_across_triggers_at_the_level_of_spans_alone():
    # every span is found, each in a trigger with a stranger: dice 2*1 / (2 + 2) = 1/2
    gold = article(trigger("B01", (0, 10), (20, 30)), trigger("B01", (40, 50), (60, 70)))
    said = article(trigger("B01", (0, 10), (40, 50)), trigger("B01", (20, 30), (60, 70)))
    found = counted(gold, said)
    assert found["spans"] == (4, 0, 0)
    assert found["triggers_dice"] == (2, 0, 0)
    assert found["triggers_jaccard"] == (0, 2, 2)  # 1 / (2 + 2 - 1)
    assert counted(gold, said, trigger_threshold=0.51)["triggers_dice"] == (0, 2, 2)


def test_triggers_are_paired_as_many_as_possible_not_greedily():
    # P1 {a, b} is like G1 {a, b} (dice 1) and G2 {b, c} (1/2); P2 {a} is like G1 alone (2/3).
    a, b, c = (0, 10), (20, 30), (40, 50)
    gold = article(trigger("B01", a, b), trigger("B01", b, c))
    said = article(trigger("B01", a, b), trigger("B01", a))
    assert counted(gold, said)["triggers_dice"] == (2, 0, 0)
    assert counted(said, gold)["triggers_dice"] == (2, 0, 0)


def test_a_label_without_a_trigger_counts_for_detection_alone():
    found = counted(article(labels={"B02"}), article(labels={"B02", "B03"}))
    assert found["detection"] == (1, 1, 0)
    assert {found[name] for name in TALLIES[1:]} == {(0, 0, 0)}


def test_a_trigger_without_any_span_counts_for_detection_alone():
    found = counted(article(Mark("B02")), EMPTY)
    assert found["detection"] == (0, 0, 1)
    assert {found[name] for name in TALLIES[1:]} == {(0, 0, 0)}
    assert counted(article(Mark("B02")), article(Mark("B02")))["detection"] == (1, 0, 0)


def test_labels_and_triggers_that_disagree_are_united():
    found = counted(article(labels={"B01", "B02"}), article(trigger("B01", (0, 1)), labels={"B02"}))
    assert found["detection"] == (2, 0, 0)


def test_agreed_absence_is_counted_at_detection_alone():
    found = tallies([GOLD, EMPTY], [SAID, EMPTY])
    # B03 in the first article, all four in the second
    assert found["detection"].counts[..., 3].tolist() == [[0, 0, 1, 0], [1, 1, 1, 1]]
    assert all(not found[name].counts[..., 3].any() for name in TALLIES[1:])


def letters(marks):
    return {place for mark in marks for one in mark.spans for place in range(one.start, one.end)}


def most_pairs(pairs, rows, columns):
    """Size of the largest matching, by trying all."""
    for size in range(min(rows, columns), 0, -1):
        for chosen in combinations(range(rows), size):
            for other in permutations(range(columns), size):
                if all(pair in pairs for pair in zip(chosen, other, strict=True)):
                    return size
    return 0


def matches(first, second):
    def alike(one, other):
        a, b = set(range(one.start, one.end)), set(range(other.start, other.end))
        return 2 * len(a & b) >= len(a | b)

    pairs = {(i, j) for i, one in enumerate(first) for j, o in enumerate(second) if alike(one, o)}
    return most_pairs(pairs, len(first), len(second))


def naive(gold, said, bias):
    """tp, fp, fn of every level but detection by sets and by trying all matchings."""
    truth = [mark for mark in gold.marks if mark.category == bias]
    other = [mark for mark in said.marks if mark.category == bias]
    lost = [sum(len(q) for mark in marks for q in mark.quotes) for marks in (truth, other)]
    both = len(letters(truth) & letters(other))
    yield both, len(letters(other)) + lost[1] - both, len(letters(truth)) + lost[0] - both
    spans = [[one for mark in marks for one in mark.spans] for marks in (truth, other)]
    sizes = [sum(len(m.spans) + len(m.quotes) for m in marks) for marks in (truth, other)]
    hits = matches(*spans)
    yield hits, sizes[1] - hits, sizes[0] - hits
    alike = {"dice": set(), "jaccard": set(), "max": set()}
    for i, one in enumerate(truth):
        for j, two in enumerate(other):
            p, g = len(one.spans) + len(one.quotes), len(two.spans) + len(two.quotes)
            m = matches(one.spans, two.spans)
            for name, share in (
                ("dice", 2 * m / (p + g)), ("jaccard", m / (p + g - m)), ("max", m / max(p, g))
            ):  # fmt: skip
                if share >= 0.5:
                    alike[name].add((i, j))
    for pairs in alike.values():
        hits = most_pairs(pairs, len(truth), len(other))
        yield hits, len(other) - hits, len(truth) - hits


@settings(max_examples=80, deadline=None)
@given(answers(), answers())
def test_counts_are_those_of_sets_and_of_all_matchings_tried(gold, said):
    found = tallies([gold], [said])
    for place, bias in enumerate(("B01", "B02")):
        counts = [tuple(found[name].counts[0, place, :3].tolist()) for name in TALLIES[1:]]
        assert counts == list(naive(gold, said, bias))


@settings(deadline=None)
@given(answers(), answers())
def test_exchanging_gold_and_predictions_exchanges_false_alarms_and_misses(gold, said):
    there, back = tallies([gold], [said]), tallies([said], [gold])
    for name in TALLIES:
        assert (there[name].counts == back[name].counts[..., [0, 2, 1, 3]]).all()


@settings(deadline=None)
@given(answers(LOCATED))
def test_copying_the_gold_leaves_nothing_wrong(gold):
    for tally in tallies([gold], [gold]).values():
        assert not tally.counts[..., 1:3].any()


@settings(deadline=None)
@given(answers(), answers(), st.randoms())
def test_the_order_of_triggers_and_spans_never_matters(gold, said, shuffler):
    def mixed(answer):
        marks = []
        for mark in answer.marks:
            spans, quotes = list(mark.spans), list(mark.quotes)
            shuffler.shuffle(spans)
            shuffler.shuffle(quotes)
            marks.append(Mark(mark.category, tuple(spans), tuple(quotes)))
        shuffler.shuffle(marks)
        return article(*marks, labels=answer.labels)

    straight, shuffled = tallies([gold], [said]), tallies([mixed(gold)], [mixed(said)])
    for name in TALLIES:
        assert (straight[name].counts == shuffled[name].counts).all()


@settings(deadline=None)
@given(st.lists(st.tuples(answers(most=2), answers(most=2)), max_size=4))
def test_articles_are_counted_each_for_itself(pairs):
    whole = tallies([gold for gold, _ in pairs], [said for _, said in pairs])
    for n, (gold, said) in enumerate(pairs):
        alone = tallies([gold], [said])
        for name in TALLIES:
            assert (whole[name].counts[n] == alone[name].counts[0]).all()


def test_articles_of_two_systems_can_be_matched_by_their_clusters():
    first, second = tallies([GOLD, EMPTY], [SAID, EMPTY]), tallies([GOLD, EMPTY], [EMPTY, EMPTY])
    for name in TALLIES:
        assert (first[name].clusters == second[name].clusters).all()
        assert len(set(first[name].clusters.tolist())) == 2
        assert first[name].categories == CODES


def test_no_article_gives_no_row():
    assert {tally.counts.shape for tally in tallies([], []).values()} == {(0, 4, 4)}


def test_any_number_of_categories_is_counted():
    codes = [f"technique {n}" for n in range(14)]
    gold = [article(trigger(code, (n, n + 5))) for n, code in enumerate(codes)]
    found = tallies(gold, gold, codes)
    assert np.diagonal(found["spans"].counts[..., 0]).tolist() == [1] * 14
    assert found["spans"].counts.sum() == 14


def test_an_unknown_bias_is_named_with_its_article():
    with pytest.raises(UnknownName, match=r"bias of article 'a0' 'B1'.*B01"):
        tallies([article(trigger("B1", (0, 5)))], [EMPTY])


@pytest.mark.parametrize("ends", [(5, 5), (9, 5), (-1, 5)])
def test_a_span_without_a_character_is_refused(ends):
    with pytest.raises(DataError, match=f"article 'a0'.*from {ends[0]} to {ends[1]}"):
        tallies([EMPTY], [article(Mark("B01", (Span(*ends),)))])


def test_sides_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="1 gold answers and 2 predictions"):
        trigger_tallies([EMPTY], [EMPTY, EMPTY], ["a"], CODES, **RULES)


@pytest.mark.parametrize("rule", ["span_threshold", "trigger_threshold"])
def test_a_threshold_of_nothing_is_refused(rule):
    with pytest.raises(OptionError, match="threshold is 0"):
        tallies([EMPTY], [EMPTY], **{rule: 0})
