"""Rows for csv and parquet."""

from __future__ import annotations

import polars as pl
from made_detectors import made_linear

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
    profile_rows,
    sentence_rows,
)
from slant.analysis.summaries import summary
from slant.data.schemas import load_schema

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
