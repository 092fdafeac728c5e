"""The inclusion rule: what two passes make gold, and what a third person must see."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_passes import TEXT, article, mark, word

from slant.annotate.inclusion import Rule
from slant.annotate.merging import merged_gold
from slant.data.baitsamples import load_bait_samples
from slant.errors import DataError, OptionError


def merged(first, second, codes=None, **rule):
    sides = ([article("1", TEXT, *side)] for side in (first, second))
    return merged_gold(*sides, codes, rule=Rule(**rule))


def fates(found):
    kept = [(one.mark.category, one.who) for one in found.kept]
    return kept, [(one.kind, one.who) for one in found.open]


def placed(one):
    return [(span.start, span.end) for span in one.mark.spans]


@pytest.mark.parametrize(
    ("sure", "kept", "opened"),
    [
        (3, [("B01", ("a",))], []),
        (2, [], [("trigger", ("a",))]),
        (1, [], [("trigger", ("a",))]),
        (None, [], [("trigger", ("a",))]),
    ],
)
def test_what_one_alone_marked_is_kept_with_high_confidence_and_else_decided(sure, kept, opened):
    assert fates(merged([mark("B01", word(1), sure=sure)], [])) == (kept, opened)


def test_what_both_marked_is_kept_however_unsure_they_are():
    found = merged([mark("B01", word(1), sure=1)], [mark("B01", word(1), sure=2, note="oh")])
    assert fates(found) == ([("B01", ("a", "b"))], [])
    assert (found.kept[0].mark.confidence, found.kept[0].mark.note) == (2, "oh")


def test_the_same_words_with_another_bias_are_not_marked_by_both():
    found = merged([mark("B01", word(1), sure=2)], [mark("B02", word(1), sure=2)])
    assert fates(found) == ([], [("trigger", ("a",)), ("trigger", ("b",))])


def test_the_more_confident_annotator_sets_the_boundaries():
    found = merged([mark("B01", word(1, 3), sure=2)], [mark("B01", word(2), sure=3)])
    assert placed(found.kept[0]) == [word(2)]
    assert [(one.who, placed(one)) for one in found.dropped] == [("a", [word(1, 3)])]
    assert found.kept[0].mark.confidence == 3


def test_other_boundaries_with_equal_confidence_follow_the_option():
    sides = [mark("B01", word(1, 2), sure=3)], [mark("B01", word(2, 4), sure=3)]
    asked = merged(*sides)
    assert fates(asked) == ([], [("boundaries", ("a", "b"))])
    assert placed(asked.open[0]) == [word(1, 4)]
    assert set(asked.open[0].sides) == {"a", "b"}
    assert placed(merged(*sides, tie="union").kept[0]) == [word(1, 4)]
    assert placed(merged(*sides, tie="shorter").kept[0]) == [word(1, 2)]
    equal = merged(sides[0], [mark("B01", word(2, 3), sure=3)], tie="shorter")
    assert fates(equal) == ([], [("boundaries", ("a", "b"))])


def test_unrated_triggers_count_as_low_or_as_high():
    sides = [mark("B01", word(1))], []
    assert fates(merged(*sides)) == ([], [("trigger", ("a",))])
    assert fates(merged(*sides, unrated="high")) == ([("B01", ("a",))], [])
    # of an unrated and a rated one, the rated one sets the boundaries
    found = merged([mark("B01", word(1, 2))], [mark("B01", word(2), sure=1)])
    assert placed(found.kept[0]) == [word(2)]


def test_a_shared_character_is_enough_for_overlap_and_not_for_match():
    sides = [mark("B01", word(0, 5), sure=2)], [mark("B01", word(5, 8), sure=1)]
    assert len(merged(*sides).kept) == 1
    # IoU 2 / 26 is below a half: neither is marked by both
    assert fates(merged(*sides, both="match")) == ([], [("trigger", ("a",)), ("trigger", ("b",))])
    near = [mark("B01", word(0, 5), sure=2)], [mark("B01", word(0, 4), sure=1)]
    assert len(merged(*near, both="match").kept) == 1


def test_triggers_are_paired_one_to_one_and_as_many_as_can_be():
    # A greedy choice would pair the two long ones and leave the others alone.
    first = [mark("B01", word(0, 4), sure=1), mark("B01", word(5, 6), sure=1)]
    second = [mark("B01", word(0, 1), sure=2), mark("B01", word(3, 6), sure=2)]
    found = merged(first, second)
    assert len(found.kept) == 2
    assert not found.open


def test_a_passage_that_the_other_grouped_otherwise_goes_to_a_third_person_or_stays_twice():
    first = [mark("B01", word(0), word(5), sure=3)]
    second = [mark("B01", word(0), sure=2), mark("B01", word(5, 6), sure=1)]
    found = merged(first, second)
    assert len(found.kept) == 1
    assert [(one.kind, one.why) for one in found.open] == [
        ("trigger", "a grouped the passage otherwise")
    ]
    assert len(merged(first, second, regrouped="keep").kept) == 2


def test_a_bias_that_was_ticked_and_never_marked_is_decided_by_a_third_person():
    first = [article("1", TEXT, labels=["B01", "B02"])]
    second = [article("1", TEXT, mark("B02", word(3), sure=3), labels=["B01"])]
    found = merged_gold(first, second)
    assert fates(found) == ([("B02", ("b",))], [("first pass", ("a", "b"))])
    assert found.open[0].mark.category == "B01"


def test_quotes_that_stand_nowhere_are_the_same_when_their_words_are():
    found = merged(
        [mark("B01", quotes=["so it is"], sure=1)], [mark("B01", quotes=["so it is"], sure=1)]
    )
    assert fates(found) == ([("B01", ("a", "b"))], [])
    apart = merged([mark("B01", quotes=["so it is"], sure=1)], [mark("B01", quotes=["it"], sure=1)])
    assert len(apart.open) == 2


def test_gold_names_its_triggers_in_order_of_the_text_and_labels_follow():
    first = [mark("B02", word(6), sure=3, id="x9"), mark("B01", word(6), sure=3)]
    found = merged([*first, mark("B03", word(0), sure=3)], []).examples[0].gold
    assert [(m.id, m.category) for m in found.marks] == [
        ("T1", "B03"),
        ("T2", "B01"),
        ("T3", "B02"),
    ]
    assert found.labels == {"B01", "B02", "B03"}


@pytest.mark.parametrize("sure", [0, 4, 0.5])
def test_a_confidence_off_the_scale_is_refused(sure):
    with pytest.raises(DataError, match="the scale goes from 1 to 3"):
        merged([mark("B01", word(1), sure=sure)], [])
    assert merged([mark("B01", word(1), sure=4)], [], high=4).kept


def test_names_and_options_are_checked():
    one = [article("1", TEXT)]
    for names in (("a", "a"), ("keep", "b")):
        with pytest.raises(OptionError, match="Give two names"):
            merged_gold(one, one, names=names)
    with pytest.raises(OptionError, match="Give adjudicate, union, shorter"):
        Rule(tie="first")
    with pytest.raises(OptionError, match="more than 1"):
        Rule(high=1)


MARKS = st.lists(
    st.builds(
        lambda code, at, length, sure: mark(code, word(at, at + length), sure=sure),
        st.sampled_from(["B01", "B02"]), st.integers(0, 6), st.integers(0, 3),
        st.sampled_from([1, 2, 3, None]),
    ),
    max_size=5,
)  # fmt: skip


@settings(deadline=None)
@given(MARKS, MARKS)
def test_no_trigger_is_lost_and_the_annotators_may_change_places(first, second):
    found = merged(first, second)
    pairs = sum(len(one.who) for one in found.kept) + sum(len(one.who) for one in found.open)
    assert pairs == len(first) + len(second)
    turned = merged(second, first)
    for one, other in ((found.kept, turned.kept), (found.open, turned.open)):
        assert sorted((m.mark.category, len(m.who)) for m in one) == sorted(
            (m.mark.category, len(m.who)) for m in other
        )


def test_the_sample_passes_give_the_samples_gold_but_for_what_a_third_person_decided():
    # The sample was written by the same rule: 54 triggers, 15 marks decided, 6 of them kept.
    gold = load_bait_samples()[:16]
    sides = [[replace(e, gold=e.annotators[who]) for e in gold] for who in ("a", "b")]
    found = merged_gold(*sides, rule=Rule(tie="union"))
    regrouped = [one for one in found.open if "grouped" in one.why]
    assert len(found.kept) == 54 - 6
    assert len(found.open) - len(regrouped) == 15
    assert len(regrouped) == 1
