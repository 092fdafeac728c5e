"""Several articles: intervals over articles, no order by share, articles on one event."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from made_detectors import made_linear

from slant.analysis.analysisjson import analysis_json
from slant.analysis.article import Article
from slant.analysis.comparing import RESAMPLES, SAME_EVENT, UNREAD_DATE, grouped, same_events
from slant.analysis.reading import analysed
from slant.analysis.summaries import Summary, read_summary, summary
from slant.data.schemas import load_schema
from slant.errors import DataError, UnknownName
from slant.stats.intervals import wilson


def made(
    name, outlet="A", found=1, of=4, date="2020-01-02", opening="", key=None, topic="t",
    undated=False,
):  # fmt: skip
    return Summary(
        id=name, title="", outlet=outlet, date=date, topic=topic, url="", origin="",
        key=key or name, opening=opening or name, sentences=of, counts={"cues:loaded": (found, of)},
        undated=undated,
    )  # fmt: skip


def test_a_share_is_over_all_sentences_of_the_group():
    # 1 of 2 and 3 of 18 sentences: 4 of 20, not the mean of the shares
    (group,) = grouped([made("a", found=1, of=2), made("b", found=3, of=18)], "outlet")
    assert group.profile[0].estimate.value == 0.2
    assert (group.articles, group.texts, group.sentences) == (2, 2, 20)


def test_fewer_than_three_texts_have_no_interval():
    (two,) = grouped([made("a"), made("b", found=3)], "outlet")
    (three,) = grouped([made("a"), made("b", found=3), made("c", found=2)], "outlet")
    assert two.profile[0].estimate.low is None
    assert "fewer than 3" in two.profile[0].estimate.method
    assert three.profile[0].estimate.low < 0.5 < three.profile[0].estimate.high
    assert three.profile[0].estimate.n == 3


def test_the_interval_over_articles_is_that_of_a_brute_force_bootstrap():
    stream = np.random.default_rng(1)
    # none or all sentences of an article: so unlike one another that Wilson's interval is narrower
    pairs = [(k * int(stream.integers(0, 2)), k) for k in stream.integers(10, 30, 30).tolist()]
    (group,) = grouped([made(f"a{i}", found=k, of=n) for i, (k, n) in enumerate(pairs)], "outlet")
    counts = np.array(pairs)
    drawn = counts[stream.integers(30, size=(20_000, 30))].sum(axis=1)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
    found = group.profile[0].estimate
    assert found.low == pytest.approx(low, abs=0.01)
    assert found.high == pytest.approx(high, abs=0.01)
    assert f"{RESAMPLES:,} resamples" in found.method


def test_nothing_found_in_few_articles_is_not_known_to_be_nowhere():
    # 0 of 131 sentences: every resample says 0; Wilson's upper end is 3.8415 / (131 + 3.8415)
    some = [made(f"a{i}", found=0, of=of) for i, of in enumerate((40, 41, 50))]
    found = grouped(some, "outlet")[0].profile[0].estimate
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(0.0285, abs=5e-5)
    assert "no narrower than Wilson" in found.method


def test_the_interval_of_five_articles_holds_a_known_share_in_nine_of_ten_trials():
    # 5 articles of 20 sentences whose own shares scatter around 0.2, intraclass correlation 0.02:
    # a beta distribution with a + b = 1 / 0.02 - 1 = 49
    stream, trials, held = np.random.default_rng(3), 150, 0
    for trial in range(trials):
        counts = stream.binomial(20, stream.beta(0.2 * 49, 0.8 * 49, 5)).tolist()
        some = [made(f"a{i}", f"o{trial}", found=k, of=20) for i, k in enumerate(counts)]
        found = grouped(some, "outlet")[0].profile[0].estimate
        held += found.low <= 0.2 <= found.high
    assert held / trials >= 0.9


def test_a_mean_of_probabilities_is_as_wide_as_a_share_of_that_size():
    # three articles of 10 sentences, each with a sum of 4.5: every resample says 0.45
    some = [replace(made(f"a{i}"), counts={"probability:d": (4.5, 10)}) for i in range(3)]
    found = grouped(some, "outlet")[0].profile[0].estimate
    # 13.5 of 30 is rounded to the outside
    assert (found.low, found.high) == (wilson(13, 30, 0.95).low, wilson(14, 30, 0.95).high)


def test_a_date_that_was_not_read_is_another_thing_than_none():
    some = [made("1", date="2020-02-03"), made("2", date=""), made("3", date="", undated=True)]
    assert [one.name for one in grouped(some, "date")] == ["2020-02", UNREAD_DATE, ""]
    assert [one.name for one in grouped(some, "outlet")] == ["A"]


def test_copies_of_an_article_make_no_interval_narrower():
    some = [made("a", found=0), made("b", found=2), made("c", found=4)]
    copies = [made(f"{one.id}{i}", found=int(one.counts["cues:loaded"][0]), key=one.key)
              for one in some for i in range(50)]  # fmt: skip
    (plain,), (copied,) = grouped(some, "outlet"), grouped(copies, "outlet")
    assert copied.profile[0].estimate.low == plain.profile[0].estimate.low
    assert (copied.articles, copied.texts) == (150, 3)


def test_groups_stand_by_name_and_the_nameless_last():
    some = [made("1", "b", 4), made("2", "", 2), made("3", "C", 1), made("4", "A", 3)]
    assert [one.name for one in grouped(some, "outlet")] == ["A", "b", "C", ""]
    months = [made("1", date="2020-02-03"), made("2", date="2019-12-31"), made("3", date="")]
    assert [one.name for one in grouped(months, "date")] == ["2019-12", "2020-02", ""]
    assert [one.name for one in grouped(some, "topic")] == ["t"]
    with pytest.raises(UnknownName, match="outlet"):
        grouped(some, "outlets")


def test_articles_without_a_sentence_are_in_no_group():
    assert grouped([made("a", of=0, found=0)], "outlet") == ()


def test_the_order_of_articles_changes_nothing():
    some = [made(f"a{i}", found=i % 4) for i in range(12)]
    assert grouped(some, "outlet") == grouped(some[::-1], "outlet")


QUAKE = "Earthquake strikes Port Ansel as harbour walls collapse"
VOTE = "Council votes on bus lanes along Ferry Street"


def test_articles_of_one_event_stand_together_and_others_apart():
    some = [
        made("a", "A", opening=QUAKE + " on Monday", date="2020-01-02"),
        made("b", "B", opening=QUAKE + " this week", date="2020-01-01"),
        made("c", "C", opening=VOTE),
        made("d", "A", opening="A recipe for soup with beans"),
    ]
    (event,) = same_events(some)
    assert event.articles == ("b", "a")  # by date
    assert event.outlets == ("A", "B")
    assert SAME_EVENT <= event.similarity < 1


def test_no_chain_of_likenesses_joins_two_events():
    # b is like a and like c, which are not like one another: b leads; with a chain d would join
    some = [made("a", opening="red green"), made("b", opening="green blue"),
            made("c", opening="blue white"), made("d", opening="white black")]  # fmt: skip
    events = same_events(some, 0.2)
    assert all(len(one.articles) <= 3 for one in events)
    assert {events[0].lead} <= {"b", "c"}


def test_no_article_stands_in_two_events_and_each_holds_its_lead():
    # groups share no article, hold their lead, and the largest comes first
    words = ["x a", "x a b", "x b", "x c", "q r", "q r s"]
    some = [made(str(i), opening=" ".join(["base", one])) for i, one in enumerate(words)]
    events = same_events(some, 0.25)
    taken = [article for one in events for article in one.articles]
    assert len(taken) == len(set(taken))
    assert all(one.lead in one.articles for one in events)
    assert [len(one.articles) for one in events] == sorted(
        (len(one.articles) for one in events), reverse=True
    )


def test_copies_and_empty_articles_make_no_event():
    some = [made("a", opening=QUAKE), made("b", opening=QUAKE, key="a"), made("c", opening="!!")]
    assert same_events(some) == ()
    assert same_events([]) == ()


def test_a_summary_is_the_same_from_memory_and_from_the_file():
    articles = [Article("a", "Rain\n\nA vile 0.9. “So 0.9,” he 0.1.", "Rain", "Elm", "2020-01-02T10:00"),
                Article("b", "", why="It is empty.")]  # fmt: skip
    for one in analysed(articles, [made_linear()], load_schema("bait")):
        assert summary(one) == read_summary(analysis_json(one))
        assert len(summary(one).date) in (0, 10)


def test_a_profile_without_an_end_is_no_analysis():
    (one,) = analysed([Article("a", "A vile 0.9.")], [made_linear()], load_schema("bait"))
    content = json.loads(json.dumps(analysis_json(one)))
    content["profile"][0]["value"] = math.inf
    content["profile"][0]["key"] = "share:x"
    with pytest.raises(DataError, match="cannot convert float infinity"):
        read_summary(content)


def test_a_line_that_is_no_analysis_is_named():
    with pytest.raises(DataError, match=r"row 3.*profile"):
        read_summary({"article": {}}, "analyses.jsonl, row 3")
