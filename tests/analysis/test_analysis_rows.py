"""Rows for csv and parquet."""

from __future__ import annotations

import math
from dataclasses import replace

import polars as pl
import pytest
from made_detectors import made_kinds, made_linear

from slant.analysis.article import Article
from slant.analysis.comparing import grouped, same_events
from slant.analysis.reading import analysed
from slant.analysis.rows import (
    EVENT_COLUMNS,
    GROUP_COLUMNS,
    PROFILE_COLUMNS,
    SENTENCE_COLUMNS,
    event_rows,
    group_rows,
    kind_columns,
    profile_rows,
    sentence_rows,
)
from slant.analysis.summaries import summary
from slant.data.schemas import load_schema
from slant.types import Estimate

TEXT = "A vile plan of old.\n\nUnknown words here."


def made(detectors, texts=(TEXT,)):
    articles = [Article(f"a{i}", text, outlet="Elm") for i, text in enumerate(texts)]
    return analysed(articles, detectors, load_schema("bait"))


def test_each_sentence_has_a_row_for_each_detector():
    rows = sentence_rows(made([made_linear("x"), made_linear("y")])[0])
    assert [(row["sentence"], row["detector"]) for row in rows] == [
        (1, "x"), (1, "y"), (2, "x"), (2, "y")
    ]  # fmt: skip
    assert all(tuple(row) == SENTENCE_COLUMNS for row in rows)
    assert TEXT[rows[0]["start"] : rows[0]["end"]] == rows[0]["text"] == "A vile plan of old."
    assert (rows[0]["verdict"], rows[0]["cues"]) == ("biased", "vile (loaded)")
    assert rows[0]["words"].startswith("vile +2.1")
    assert rows[0]["trigger_cues"].split("; ")[0] == "B02 vile"
    assert (rows[2]["probability"], rows[2]["verdict"]) == (None, "no verdict")


def test_a_row_has_its_detector_s_task_and_f1_and_a_column_for_each_kind():
    first, second = (made_kinds() for _ in range(2))
    f1 = Estimate(0.7, 0.6, 0.8, level=0.95, n=9, method="")
    first = replace(first, facts=replace(first.facts, f1=f1))
    second = replace(second, facts=replace(second.facts, name="second", task="b", kinds=()))
    (analysis,) = made([first, second], ["A vile plan, nice.\n\nNice nice plan."])
    rows = sentence_rows(analysis)
    columns = (*SENTENCE_COLUMNS, "kind:racial-bias")
    assert [tuple(row) == columns for row in rows] == [True] * 4
    assert kind_columns(analysis.detectors) == ("kind:racial-bias",)
    told = [(row["task"], row["f1"], row["f1_low"], row["verdict"]) for row in rows]
    # vile and nice cancel out (0.5), nice alone is not biased: neither has a kind
    assert told[0] == ("a task", 0.7, 0.6, "no verdict")
    assert told[1] == ("b", None, None, "no verdict")
    assert [row["kind:racial-bias"] for row in rows] == [None] * 4
    (analysis,) = made([first], ["A vile plan."])
    # log odds 1 + 2 / sqrt 2 for the kind, as vile and plan weigh 1 / sqrt 2
    (row,) = sentence_rows(analysis)
    assert row["kind:racial-bias"] == pytest.approx(1 / (1 + math.exp(-1 - math.sqrt(2))))


def test_without_a_detector_a_sentence_still_has_its_row():
    rows = sentence_rows(made([])[0])
    assert [(row["sentence"], row["detector"], row["verdict"]) for row in rows] == [
        (1, None, None), (2, None, None)
    ]  # fmt: skip


def test_profiles_groups_and_events_have_their_columns():
    analyses = made([made_linear()], [TEXT, TEXT + " More.", "Nothing here."])
    summaries = [summary(one) for one in analyses]
    profile = profile_rows(analyses[0])
    assert all(tuple(row) == PROFILE_COLUMNS for row in profile)
    assert {row["key"] for row in profile} >= {"quoted", "biased:made", "cues:loaded"}
    groups = group_rows(grouped(summaries, "outlet"))
    assert all(tuple(row) == GROUP_COLUMNS for row in groups)
    assert {row["n"] for row in groups} == {3}
    events = event_rows(same_events(summaries))
    assert all(tuple(row) == EVENT_COLUMNS for row in events)
    assert [(row["event"], row["article"]) for row in events] == [(1, "a0"), (1, "a1")]
    for rows in (profile, groups, events):
        assert pl.DataFrame(rows, infer_schema_length=None).height == len(rows)
