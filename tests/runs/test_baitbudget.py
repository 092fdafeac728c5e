from __future__ import annotations

import pytest

from slant.errors import DataError, OptionError
from slant.runs.baitbudget import (
    AskingLimits,
    Watch,
    check_limits,
    check_no_secrets,
    cost_of,
    read_prices,
    scrubbed,
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


@pytest.mark.parametrize("name", ["api_key", "API_KEY", "auth_token", "client_secret", "password"])
def test_keys_among_the_arguments_are_refused_without_being_repeated(name):
    with pytest.raises(OptionError) as refused:
        check_no_secrets({name: "sk-123456789"}, None)
    assert "sk-123456789" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["https://me:pass@host/v1", "https://me@host/v1", "https://host/v1?key=abc", "https://host/#abc"],
)  # fmt: skip
def test_addresses_with_credentials_are_refused_without_being_repeated(url):
    with pytest.raises(OptionError) as refused:
        check_no_secrets({}, url)
    assert "pass" not in str(refused.value)
    assert "abc" not in str(refused.value)


def test_plain_addresses_and_arguments_pass():
    check_no_secrets({"max_retries": 0, "stream": True}, "http://127.0.0.1:8201/v1")


def test_keys_of_the_environment_are_taken_out_of_what_a_server_says(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "abc-123456")
    monkeypatch.setenv("SOME_TOKEN", "abc-123456-longer")
    monkeypatch.setenv("SHORT_KEY", "none")
    said = "keys abc-123456-longer and abc-123456 are none of ours"
    assert scrubbed(said) == "keys [key] and [key] are none of ours"


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
