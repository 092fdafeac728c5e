from __future__ import annotations

import pytest

from slant.errors import DataError, OptionError
from slant.runs.baitbudget import (
    AskingLimits,
    Watch,
    check_limits,
    cost_of,
    read_prices,
)


def test_prices_are_read_and_cached_tokens_cost_as_others_where_nothing_is_said(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text('{"openai/gpt-4o": {"input": 2.5, "output": 10, "input_cache_read": 1.25}}')
    price = read_prices(path)["openai/gpt-4o"]
    assert price == {"input": 2.5, "output": 10.0, "read": 1.25, "write": 2.5}
    # 1000 x 2.5 + 100 x 10 + 400 x 1.25 + 200 x 2.5 = 4500 dollars per million
    usage = {
        "input_tokens": 1000, "output_tokens": 100, "input_tokens_cache_read": 400,
        "input_tokens_cache_write": 200, "total_tokens": 1700,
    }  # fmt: skip
    assert cost_of(usage, price) == pytest.approx(0.0045)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "line 1 is no JSON"),
        ('{"m": {"input": 1}}', "'m.output'"),
        ('{"m": {"input": -1, "output": 1}}', "'m.input'"),
        ('{"m": {"input": 1, "output": 1, "currency": "EUR"}}', "'m.currency'"),
        ("[]", "does not fit"),
    ],
)
def test_prices_of_another_form_are_refused_with_the_key(tmp_path, content, said):
    path = tmp_path / "prices.json"
    path.write_text(content)
    with pytest.raises(DataError, match="prices") as refused:
        read_prices(path)
    assert said in str(refused.value)


def test_a_cap_in_dollars_needs_the_price_of_every_model():
    limits = AskingLimits(max_cost=1.0, prices={"a/b": {}})
    check_limits(limits, ["a/b"])
    with pytest.raises(OptionError, match="no price of 'c/d'"):
        check_limits(limits, ["a/b", "c/d"])


def test_a_cap_of_dollars_stops_all_models_and_says_so():
    watch = Watch(AskingLimits(max_cost=0.5, prices={"m": {}}), [])
    watch.answered("m", {"total_tokens": 10, "total_cost": 0.3})
    assert not watch.halted("m")
    watch.answered("m", {"total_tokens": 10, "total_cost": 0.3})
    assert watch.halted("other")
    assert watch.stopped == {"": "$0.60 are spent, and the cap is $0.50"}


def test_a_success_begins_the_count_of_failures_anew():
    watch = Watch(AskingLimits(), [])
    for _ in range(3):
        for _ in range(9):
            watch.failed("m", "on fire")
        watch.answered("m", {})
    assert not watch.halted("m")
    for _ in range(10):
        watch.failed("m", "on fire")
    assert watch.halted("m")
    assert not watch.halted("other")


def test_a_server_that_was_never_there_is_given_up_after_three_attempts():
    watch = Watch(AskingLimits(), [])
    assert [watch.unconnected("m", "host:1", "refused") for _ in range(3)] == [False, False, True]
    assert watch.halted("m")
    assert "found no server at host:1 (refused)" in watch.stopped["m"]
    assert not watch.halted("other")


def test_a_server_that_once_said_something_is_waited_for():
    watch = Watch(AskingLimits(), [])
    watch.connected("m")
    assert not any(watch.unconnected("m", "host:1", "refused") for _ in range(20))
    assert not watch.halted("m")


def test_a_retry_is_told_of_once_for_each_kind_and_then_every_thirty_seconds(monkeypatch):
    told, now = [], [0.0]
    monkeypatch.setattr("slant.runs.baitbudget.time.monotonic", lambda: now[0])
    watch = Watch(AskingLimits(), [], told.append)
    # At 0, 10, ... 60 seconds a failure of each of two kinds: told at 0, 30 and 60.
    for now[0] in range(0, 70, 10):
        watch.retrying("m", "503", "503 busy")
        watch.retrying("m", "429", "429 slow down")
    assert told == ["retrying: 503 busy (m)", "retrying: 429 slow down (m)"] * 3
