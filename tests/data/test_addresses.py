"""Addresses are shown without what opens a door."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data.addresses import named_like_key, without_credentials, without_user

NAMES = st.sampled_from(["token", "access_token", "api-key", "X-Amz-Signature", "sig", "sessionid"])
VALUES = st.text("abcXYZ0189-_.~%+", min_size=1, max_size=30)


@given(NAMES, VALUES)
def test_what_a_query_names_as_a_key_is_hidden_and_the_rest_stays(name, value):
    shown = without_credentials(f"see https://a.org/b?page=2&{name}={value}&c=3 there")
    assert shown == f"see https://a.org/b?page=2&{name}=[key]&c=3 there"


@given(VALUES)
def test_name_and_password_are_hidden_in_every_address_of_a_text(value):
    text = f"'https://me:{value}@a.org/b' leads to http://{value}@b.org"
    assert without_credentials(text) == "'https://[key]@a.org/b' leads to http://[key]@b.org"
    assert without_user(f"https://me:{value}@a.org/b@c") == "https://a.org/b@c"


@pytest.mark.parametrize(
    "text",
    ["https://en.wikipedia.org/w/index.php?title=Key_West&action=raw#History",
     "https://a.org/search?keyword=bridge&author=me&max_tokens=7", "mail me@a.org: token=abc",
     "https://a.org/@user/1", "https://a.org/b?next=me@a.org"],
)  # fmt: skip
def test_what_is_no_key_stays(text):
    assert without_credentials(text) == text


def test_names_of_keys_and_counts_are_told_apart():
    keys = ["api_key", "Authorization", "X-Auth-Token", "pwd", "sig", "client_secret", "Cookie"]
    others = ["author", "keywords", "tokenizer", "max_tokens", "signal", "design", "session"]
    assert all(map(named_like_key, keys))
    assert not any(map(named_like_key, others))
