from __future__ import annotations

from dataclasses import asdict

import pytest
from hypothesis import given, settings
from worked import GOLD, SAID, answers, article, cells, tallies, trigger

from slant.errors import OptionError, UnknownName
from slant.metrics.triggerfates import GOLD_FATES, PREDICTED_FATES, span_fates
from slant.types import Mark


def fates(gold, said, **options):
    return span_fates(gold, said, span_threshold=0.5, **options)


def words(side):
    return [[one.fate for one in mark.spans] for mark in side]


def test_the_worked_example_tells_each_span_its_fate():
    found = fates(GOLD, SAID)
    assert words(found.predicted) == [["matched"], ["matched"], ["matched"], ["unmarked"]]
    assert words(found.gold) == [["found", "missed", "found"], ["found"]]
    assert found.predicted[2].unlocated == ("absent",)
    # [12, 24) of [12, 32)
    assert found.predicted[2].spans[0].iou == found.gold[1].spans[0].iou == 12 / 20
    # of the two B01 triggers one is paired, B02's is, B04's is not
    assert sum(one.matched for one in found.predicted) == 2
    assert [one.matched for one in found.predicted[2:]] == [True, False]
    assert [one.matched for one in found.gold] == [True, True]


def test_a_span_lies_on_its_own_bias_on_another_or_on_unmarked_text():
    gold = article(trigger("B01", (0, 10)), trigger("B02", (5, 30)))
    said = article(trigger("B01", (8, 20), (25, 31), (30, 40), "lost"))
    found = fates(gold, said)
    one, two, three = found.predicted[0].spans
    assert (one.fate, one.biases, one.iou) == ("same-bias", ("B01", "B02"), 0.0)
    assert (two.fate, two.biases) == ("other-bias", ("B02",))
    assert (three.fate, three.biases) == ("unmarked", ())
    assert found.predicted[0].unlocated == ("lost",)
    assert words(found.gold) == [["missed"], ["missed"]]
    assert found.gold[0].spans[0].biases == ("B01",)


def test_the_second_of_two_equal_predictions_is_not_matched():
    found = fates(article(trigger("B01", (0, 10))), article(trigger("B01", (0, 10), (0, 10))))
    assert sorted(words(found.predicted)[0]) == ["matched", "same-bias"]


def test_the_chosen_overlap_decides_which_triggers_match():
    gold = article(trigger("B01", (0, 10), (20, 30), (40, 50)))
    said = article(trigger("B01", (0, 10)))
    # dice 2/4, jaccard 1/3
    assert fates(gold, said).predicted[0].matched
    assert not fates(gold, said, trigger_overlap="jaccard").predicted[0].matched
    assert not fates(gold, said, trigger_threshold=0.51).predicted[0].matched


@settings(deadline=None)
@given(answers(), answers())
def test_fates_add_up_to_the_counts(gold, said):
    found, counts = fates(gold, said), tallies([gold], [said])
    hits, alarms, missed = cells(counts["spans"])
    predicted = [fate for mark in words(found.predicted) for fate in mark]
    truth = [fate for mark in words(found.gold) for fate in mark]
    assert predicted.count("matched") == truth.count("found") == hits
    lost = [sum(len(mark.unlocated) for mark in side) for side in (found.predicted, found.gold)]
    assert len(predicted) - hits + lost[0] == alarms
    assert len(truth) - hits + lost[1] == missed
    paired, _, _ = cells(counts["triggers_dice"])
    assert sum(one.matched for one in found.predicted) == paired
    assert sum(one.matched for one in found.gold) == paired
    assert set(predicted) <= set(PREDICTED_FATES)
    assert set(truth) <= set(GOLD_FATES)


@settings(deadline=None)
@given(answers(), answers())
def test_each_mark_and_span_keeps_its_place(gold, said):
    found = fates(gold, said)
    for marks, side in ((said.marks, found.predicted), (gold.marks, found.gold)):
        assert [(mark.category, mark.quotes) for mark in marks] == [
            (one.bias, one.unlocated) for one in side
        ]
        for mark, one in zip(marks, side, strict=True):
            assert [(s.start, s.end) for s in mark.spans] == [(s.start, s.end) for s in one.spans]


def test_a_mark_without_any_span_has_a_fate_of_its_own():
    found = fates(article(Mark("B01")), article(Mark("B01"), trigger("B01", (0, 5))))
    assert [(one.matched, one.spans) for one in found.gold] == [(False, ())]
    assert [one.matched for one in found.predicted] == [False, False]


def test_fates_can_be_written_as_json():
    plain = asdict(fates(GOLD, SAID))
    assert plain["gold"][0]["spans"][1] == {
        "start": 40, "end": 50, "fate": "missed", "biases": (), "iou": 0.0,
    }  # fmt: skip


def test_an_unknown_overlap_or_threshold_is_refused():
    with pytest.raises(UnknownName):
        fates(GOLD, SAID, trigger_overlap="iou")
    with pytest.raises(OptionError):
        fates(GOLD, SAID, trigger_threshold=0)
    with pytest.raises(OptionError):
        span_fates(article(), article(), span_threshold=2)
