"""Keys are found before they are written, and what only resembles them passes."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote

import pytest

from slant.errors import OptionError
from slant.runs.secretkeys import check_no_secrets, looks_like_key, scrubbed, without_keys


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


OWN = "p@ss/wo:rd+0123456789=tail"


@pytest.mark.parametrize(
    "told",
    [OWN, quote(OWN, safe=""), quote(OWN, safe="").replace("%2F", "%2f"), OWN.encode().hex(),
     "".join(f"%{byte:02X}" for byte in OWN.encode()), OWN[:9] + "\n" + OWN[9:],
     OWN[:9] + "\\n  " + OWN[9:]],
)  # fmt: skip
def test_a_key_is_found_however_a_server_writes_it(told):
    assert scrubbed(f"unknown: {told}, he said", [OWN]) == "unknown: [key], he said"


@pytest.mark.parametrize("before", ["", "u", "us", "user:", "someone:"])
def test_a_key_is_found_in_base64_whatever_goes_before_it(before):
    """Three bytes are four signs: at most the sign on each edge speaks of something else, too."""
    told = b64encode(f"{before}{OWN}".encode()).decode()
    clean = without_keys(f"<{told}>", [OWN])
    assert "[key]" in clean
    assert len(clean) <= len("<[key]>") + -(-len(before) * 4 // 3) + 4


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("http://me:proxy-pass%2B1@proxy:3128", "proxy-pass+1"),
        ("http://me:proxy-pass%2B1@proxy:3128", "proxy-pass%2B1"),
        ("https://lonely-user-1@host/v1", "lonely-user-1"),
        ("https://host/v1?api_key=abc-123456", "abc-123456"),
        (f"https://host/{LONG}/v1", LONG),
    ],
)
def test_what_an_address_in_the_environment_holds_beside_a_place_is_taken_out(
    monkeypatch, address, part
):
    monkeypatch.setenv("SOME_ADDRESS", address)
    assert scrubbed(f"it was {part} at host") == "it was [key] at host"


def test_what_an_address_in_the_environment_says_of_the_place_stays(monkeypatch):
    monkeypatch.setenv(
        "SOME_BASE_URL", "https://my-gateway.example.org/openai?api-version=2024-06-01"
    )
    said = "my-gateway.example.org/openai answers 2024-06-01"
    assert scrubbed(said) == said


@pytest.mark.parametrize(
    "key",
    ["Bearer abc-12345", "Basic bWU6cGFzc3dvcmQ=", "xai-Ab3dEf6hIj9k", "xoxb-123456789-abc",
     "ghp_Ab3dEf6hIj9k", "r8_Ab3dEf6hIj9k", "key-0a1b2c3d4e", "ya29.a0AfH6SMBx-yz12",
     "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END", "sk-LEAK7"],
)  # fmt: skip
def test_what_is_refused_as_an_argument_is_taken_out_of_what_is_said(key):
    assert looks_like_key(key)
    clean = scrubbed(f"no: {key}")
    assert clean.endswith("[key]")
    assert not set(key.split()[-1].split("-")) & set(clean.split("-"))


def test_addresses_in_what_is_said_lose_their_credentials():
    said = "GET https://me:hunter22@host/a?token=abcdef&page=2 failed"
    assert scrubbed(said) == "GET https://[key]@host/a?token=[key]&page=2 failed"


def test_a_long_word_is_looked_through_once():
    # Each letter of a word was once the beginning of a search of its own: 20,000 squared steps.
    check_no_secrets({"note": "a" * 200_000 + " x"}, None)
    with pytest.raises(OptionError):
        check_no_secrets({"note": "a" * 200_000 + " my-api-key: x"}, None)
