"""Keys of providers among what is written down of a run: found before anything is written."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from slant.data.addresses import HIDDEN, named_like_key, without_credentials
from slant.data.jsonvalues import json_value
from slant.errors import OptionError

_WRITTEN: Final = "it looks like a key, and arguments are written into the run folder"
_EXPORT: Final = "Export the provider's variable instead, e.g. OPENAI_API_KEY"

_SECRET_VARIABLE = re.compile(r"(_KEY|_TOKEN|_SECRET|_PASSWORD|_CREDENTIALS?)$")
_LEAST_SECRET = 6

_SUM_NAME = re.compile(r"(\w+_)?revision")
"""An argument whose value is the sum of a commit."""

_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?i:sk[-_](?!learn)[A-Za-z0-9][\w*-]{3,}"
    r"|(?:pk|rk|gsk|hf|gh[a-z]|github_pat|glpat|xox[a-z]|xai|pplx|nvapi|r8)[-_][\w*-]{8,}"
    r"|key[-_](?=[\w*-]*\d)[\w*-]{8,}|(?:AIza|ya29\.|eyJ)[\w.-]{12,}|(?:AKIA|ASIA)[A-Z\d]{12,})"
    r"|-----BEGIN .*"
    r"|(?P<before>(?i:bearer|basic)[\W_]{1,3})"
    r"(?=[\w.~+/-]*(?:\d|[a-z][A-Z]|=))[\w.~+/=-]{8,})",
    re.DOTALL,
)
"""A key whole, by how those of known providers begin, or by the word that stands before it."""
_NAMED = re.compile(r"(?<![\w-])([\w-]+)[\"']?\s*[:=](?!//)\s*[\"']?[^\s\"']")
"""A name and its value inside of a text, as in a header, a query or YAML."""
_RUN = re.compile(r"[A-Za-z0-9_]{20,}")
_SIGN = re.compile("%[0-9A-Fa-f]{2}|.", re.DOTALL)
"""One sign, or a byte as an address has it, in letters of either size."""
_BROKEN: Final = r"(?:\s|\\[nrt])*"
"""What may stand between two signs of a key that is told over several lines, or as JSON."""


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
        if named_like_key(name) or any(
            named_like_key(inner) or looks_like_key(text, run=not _SUM_NAME.fullmatch(inner))
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

    >>> looks_like_key("Bearer abc-12345"), looks_like_key("claude-3-5-sonnet-20241022")
    (True, False)
    """
    plain = unquote(text)
    if scrubbed(plain) != plain:
        return True
    return run and _is_run(plain)


def _is_run(text: str) -> bool:
    return any(
        sum(sign.isdigit() for sign in one) >= 2 and sum(sign.isalpha() for sign in one) >= 2
        for one in _RUN.findall(text)
    )


def scrubbed(text: str, secrets: Sequence[str] = ()) -> str:
    """A text without the keys of this process, and without what looks like anybody's.

    Rule: the keys are the values of the variables `..._KEY`, `_TOKEN`, `_SECRET`, `_PASSWORD` and
    `_CREDENTIALS`, and what the address in any variable (of a proxy, of a server) holds beside a
    place. They are found as they are, broken over lines, escaped for JSON or an address, in
    hexadecimal digits and in base64.

    Args:
        text: e.g. what a server said, which may hold the key that it was sent.
        secrets: keys known otherwise than from the environment.

    >>> scrubbed("no such key: abc-123456", ["abc-123456"])
    'no such key: [key]'
    """
    known = {value for name, value in os.environ.items() if _SECRET_VARIABLE.search(name)}
    for value in os.environ.values():
        known.update(beside_place(value) if "://" in value else ())
    text = without_keys(text, [*known, *secrets])
    return _KEY.sub(_hidden, without_credentials(text))


def without_keys(text: str, secrets: Sequence[str], least: int = _LEAST_SECRET) -> str:
    """A text without certain keys, in whatever form `scrubbed` knows.

    Args:
        text: e.g. what a model said.
        secrets: the keys.
        least: signs that a key must have, lest a word that stands for one is taken out.
    """
    found = _forms(frozenset(one for one in secrets if len(one) >= least))
    return text if found is None else found.sub(HIDDEN, text)


def _hidden(found: re.Match[str]) -> str:
    return f"{found['before'] or ''}{HIDDEN}"


def beside_place(address: str) -> Iterator[str]:
    """Name or password of an address, and what in its path and query is a key."""
    try:
        parts = urlsplit(address)
        user, password = parts.username, parts.password
    except ValueError:
        return
    named = [value for name, value in parse_qsl(parts.query) if named_like_key(name)]
    long = [one for one in re.split(r"[/?&=]", f"{parts.path}?{parts.query}") if _is_run(one)]
    for one in (password or user or "", *named, *long):
        yield one
        yield unquote(one)


@lru_cache(8)
def _forms(secrets: frozenset[str]) -> re.Pattern[str] | None:
    """What finds keys, however a server may have written them; None where there are none."""
    found = set()
    for one in secrets:
        data = one.encode("utf-8", "surrogateescape")
        plain = {one, quote(data, safe=""), quote_plus(data), json.dumps(one)[1:-1]}
        plain |= {"".join(f"%{byte:02x}" for byte in data)}
        found |= {_BROKEN.join(map(_sign, _SIGN.findall(each))) for each in plain}
        found |= {f"(?i:{data.hex()})"}
        found |= {re.escape(each) for shift in range(3) for each in _in_base64(data, shift)}
    return re.compile("|".join(sorted(found, key=len, reverse=True))) if found else None


def _sign(found: str) -> str:
    return f"(?i:{found})" if len(found) > 1 else re.escape(found)


def _in_base64(data: bytes, shift: int) -> Iterator[str]:
    """The signs that stand for these bytes alone where others go before them, and follow."""
    first, last = -(-shift * 4 // 3), (shift + len(data)) * 4 // 3
    for encode in (b64encode, urlsafe_b64encode):
        yield encode(b"\0" * shift + data).decode()[first:last]


def _told(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every name and text of an argument, at any depth; JSON inside of texts is read, too."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
        try:
            value = json_value(value)
        except ValueError:
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
