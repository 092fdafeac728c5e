"""Keys are found before they are written, and what only resembles them passes."""

from __future__ import annotations

import pytest

from slant.errors import OptionError
from slant.runs.secretkeys import check_no_secrets, scrubbed


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


LONG = "a1B2c3D4e5F6g7H8i9J0k1L2"


@pytest.mark.parametrize(
    "args",
    [
        {"default_headers": '{"Authorization":"Bearer_sk-LEAK3"}'},
        {"default_headers": {"Authorization": "LEAK"}},
        {"extra": {"deep": [{"X-Api-Key": "LEAK"}]}},
        {"extra": '{"deep": [{"Cookie": "LEAK"}]}'},
        {"default_headers": "{X-Auth-Token: LEAK}"},
        {"headers": "Authorization: LEAK"},
        {"organization": "sk-LEAK7"},
        {"organization": LONG + "LEAK"},
        {"endpoint": "https://host/?api-key=LEAK"},
        {"endpoint": "https://me:LEAK@host/"},
        {"extra": {LONG + "LEAK": 1}},
        {"sk-LEAK1": "x"},
        {"note": "sk%2DLEAK8"},
        {"apikey": "LEAK"},
        {"auth": ("me", "LEAK")},
    ],
)
def test_keys_in_values_and_names_at_any_depth_are_refused_without_being_repeated(args):
    with pytest.raises(OptionError, match="Export the provider's variable") as refused:
        check_no_secrets(args, None)
    assert "LEAK" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8913/sk-LEAK6/v1", f"https://host/{LONG}LEAK/v1", "https://sk-LEAK6.host/v1",
     "http://[LEAK/v1"],
)  # fmt: skip
def test_addresses_with_a_key_in_a_part_of_them_are_refused(url):
    with pytest.raises(OptionError, match="base-url") as refused:
        check_no_secrets({}, url)
    assert "LEAK" not in str(refused.value)


def test_a_key_of_the_environment_is_found_whatever_its_form(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "plain-word")
    for args, url, models in (
        ({"note": "is plain-word"}, None, ()), ({}, "http://host/plain-word", ()),
        ({}, None, ["a/plain-word"]),
    ):  # fmt: skip
        with pytest.raises(OptionError) as refused:
            check_no_secrets(args, url, models)
        assert "plain-word" not in str(refused.value)


def test_what_providers_take_beside_keys_passes():
    args = {
        "max_completion_tokens": 4096, "tokenizer_path": "/models/sk-learn/vocab", "region": "us-east-1",
        "extra_body": '{"max_tokens": 10, "thinking": {"budget_tokens": 100}, "author": "me"}',
        "project": "my-project-2026", "revision": "0123456789abcdef0123456789abcdef01234567",
        "endpoint": "https://my-resource-20260101.openai.azure.com/", "responses_api": False,
        "tenant": "123e4567-e89b-12d3-a456-426614174000", "nothing": None, "share": 0.5,
    }  # fmt: skip
    models = [
        "bedrock/us.anthropic.claude-3-5-sonnet-20241022-v2:0",
        "openai/ft:gpt-4o:me::9abcDEF0",
    ]
    check_no_secrets(
        args, "https://gateway.example.org:8443/risk-desk/v1/gpt-4o-2024-08-06", models
    )


@pytest.mark.parametrize(
    "key",
    ["sk-proj-Ab3dEf6hIj9k", "sk-ant-api03-xyz_12345678", "sk-abcd****wxyz1", "gsk_1234567890ab",
     "hf_AbCdEfGhIjKl", "AIzaSyA1234567890abcdefghij", "AKIAIOSFODNN7EXAMPLE"],
)  # fmt: skip
def test_what_looks_like_a_key_is_taken_out_though_it_is_not_ours(key):
    assert scrubbed(f"wrong key: '{key}', try again") == "wrong key: '[key]', try again"


def test_words_that_only_begin_like_a_key_stay():
    said = "the task-specific risk-assessment of sk-learn failed (Bearer missing)"
    assert scrubbed(said) == said
