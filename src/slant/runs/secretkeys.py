"""Keys of providers among what is written down of a run: found before anything is written."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from slant.errors import OptionError

_WRITTEN: Final = "it looks like a key, and arguments are written into the run folder"
_EXPORT: Final = "Export the provider's variable instead, e.g. OPENAI_API_KEY"

_SECRET_VARIABLE = re.compile(r"(_KEY|_TOKEN|_SECRET|_PASSWORD|_CREDENTIALS?)$")
_LEAST_SECRET = 6

_SECRET_NAME = re.compile(
    r"key|token(?!i[sz])|secret|passw|credential|auth(?!or(?!i))|bearer|cookie", re.IGNORECASE
)
_COUNT_NAME = re.compile(r"(\w+[_-])?(max|min|num|budget|thinking|completion|output)[\w-]*tokens")
"""How many tokens, e.g. "max_completion_tokens": no key."""
_SUM_NAME = re.compile(r"(\w+_)?revision")
"""An argument whose value is the sum of a commit."""

_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk[-_](?!learn)[A-Za-z0-9]{4}"
    r"|bearer[\W_]+\S{4}|basic +[A-Za-z0-9+/]{8}"
    r"|(?:pk-|rk_|gsk_|hf_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|xai-|pplx-|nvapi-|r8_|AIza|ya29\."
    r"|eyJ)[\w-]{12}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{12}"
    r"|-----BEGIN )",
    re.IGNORECASE,
)
_KEY_LIKE = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|ghp|pplx|nvapi|key)[-_][\w*-]{8,}|\bAIza[\w-]{20,}|\bAKIA[A-Z\d]{12,}"
    r"|(?<=\bBearer )[\w.~+/=-]{8,}"
)
"""What servers tell of in errors: keys of others than those that they were sent."""
_NAMED = re.compile(r"([\w-]+)[\"']?\s*[:=](?!//)\s*[\"']?[^\s\"']")
"""A name and its value inside of a text, as in a header, a query or YAML."""
_USER = re.compile(r"://[^/\s@]+@")
_RUN = re.compile(r"[A-Za-z0-9_]{20,}")


def check_no_secrets(
    model_args: Mapping[str, Any], base_url: str | None, models: Sequence[str] = ()
) -> None:
    """Refuse keys among what is recorded: they belong into the environment.

    Rule: an argument, or what it holds at any depth, must not be named like a key or a header that
    carries one, nor look like a key; a base URL must be an address alone, of whose path no part
    looks like a key. A key looks like one where it is that of a variable of the environment, begins
    as those of known providers do ("sk-", "Bearer ", ...), or is an unbroken run of twenty or more
    letters and digits, of both.

    Args:
        model_args: for the constructor of each model.
        base_url: of the models' server, if given.
        models: names.

    Raises:
        OptionError: there is one; it is not repeated.
    """
    for name, value in model_args.items():
        if looks_like_key(name):
            raise OptionError("Reading --model-arg", _WRITTEN, _EXPORT)
        if _named_like_key(name) or any(
            _named_like_key(inner) or looks_like_key(text, run=not _SUM_NAME.fullmatch(inner))
            for inner, text in _told(name, value)
        ):
            raise OptionError(f"Reading --model-arg {name}=...", _WRITTEN, _EXPORT)
    for name in models:
        if looks_like_key(name, run=False):
            found = "the name looks like a key, and it is written into the run folder"
            raise OptionError("Reading the name of a model", found, _EXPORT)
    if base_url:
        _check_address(base_url)


def _check_address(url: str) -> None:
    do = "Give scheme, host, port and path, and export the key in the provider's variable"
    try:
        parts = urlsplit(url)
        more = parts.username or parts.password or parts.query or parts.fragment
    except ValueError:
        raise OptionError("Reading --base-url", "it is no address", do) from None
    if more:
        found = "it holds more than an address, and it is written into the run folder"
        raise OptionError("Reading --base-url", found, do)
    host, path = parts.netloc, f"{parts.scheme}/{parts.path}"
    if looks_like_key(path) or looks_like_key(host, run=False):
        found = "a part of it looks like a key, and it is written into the run folder"
        raise OptionError("Reading --base-url", found, do)


def looks_like_key(text: str, *, run: bool = True) -> bool:
    """Whether a text holds what looks like a key.

    Args:
        text: any.
        run: a long run of letters and digits counts, too.

    >>> looks_like_key("Bearer abcdef"), looks_like_key("claude-3-5-sonnet-20241022")
    (True, False)
    """
    plain = unquote(text)
    if _KEY.search(plain) or _USER.search(plain) or scrubbed(plain) != plain:
        return True
    return run and any(
        sum(sign.isdigit() for sign in one) >= 2 and sum(sign.isalpha() for sign in one) >= 2
        for one in _RUN.findall(plain)
    )


def scrubbed(text: str, secrets: Sequence[str] = ()) -> str:
    """A text without the keys of this process, and without what looks like anybody's.

    Args:
        text: e.g. what a server said, which may hold the key that it was sent.
        secrets: keys known otherwise than from the environment.

    >>> scrubbed("no such key: abc-123456", ["abc-123456"])
    'no such key: [key]'
    """
    known = {value for name, value in os.environ.items() if _SECRET_VARIABLE.search(name)}
    for value in sorted({*known, *secrets}, key=len, reverse=True):
        if len(value) >= _LEAST_SECRET:
            text = text.replace(value, "[key]")
    return _KEY_LIKE.sub("[key]", text)


def _named_like_key(name: str) -> bool:
    return bool(_SECRET_NAME.search(name)) and not _COUNT_NAME.fullmatch(name.lower())


def _told(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every name and text of an argument, at any depth; JSON inside of texts is read, too."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            yield name, value
            yield from ((found, "") for found in _NAMED.findall(value))
            return
        if isinstance(value, str):
            yield name, value
            return
    if isinstance(value, Mapping):
        for inner, one in value.items():
            yield str(inner), str(inner)
            yield from _told(str(inner), one)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from _told(name, one)
    else:
        yield name, str(value)
        yield from ((found, "") for found in _NAMED.findall(str(value)))
