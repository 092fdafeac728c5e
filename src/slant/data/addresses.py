"""What an address holds beside a place: names and passwords of people, keys of services."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

HIDDEN: Final = "[key]"
"""What stands in the place of a key."""

_SECRET_NAME: Final = re.compile(
    r"key(?!w|board)|token(?!i[sz])|secret|passw|credential|auth(?!or(?!i))|bearer|cookie"
    r"|(?<![a-z])(?:pwd|sig|signature|sess(?:ion)?id)(?![a-z])",
    re.IGNORECASE,
)
_COUNT_NAME: Final = re.compile(
    r"(\w+[_-])?(max|min|num|budget|thinking|completion|output)[\w-]*tokens"
)
"""How many tokens, e.g. "max_completion_tokens": no key."""
_USER: Final = re.compile(r"(?<=://)[^/\s@?#'\"]+@")
_VALUE: Final = re.compile(r"([?&;#])([^=&#;\s'\"<>]+)=([^&#;\s'\"<>]+)")


def named_like_key(name: str) -> bool:
    """Whether a name, of an argument, a header or a part of a query, speaks of a key.

    >>> named_like_key("X-Api-Key"), named_like_key("max_tokens"), named_like_key("keyword")
    (True, False, False)
    """
    return bool(_SECRET_NAME.search(name)) and not _COUNT_NAME.fullmatch(name.lower())


def without_user(url: str) -> str:
    """An address without name and password.

    >>> without_user("https://me:pass@a.org/b?c")
    'https://a.org/b?c'
    """
    return _USER.sub("", url, count=1)


def without_credentials(text: str) -> str:
    """A text whose addresses show neither name and password nor what their queries name as a key.

    Args:
        text: an address, or one that holds some.

    >>> without_credentials("https://me:pass@a.org/b?page=2&api_key=abc")
    'https://[key]@a.org/b?page=2&api_key=[key]'
    """

    def hidden(found: re.Match[str]) -> str:
        sign, name, value = found.groups()
        return f"{sign}{name}={HIDDEN if named_like_key(unquote(name)) else value}"

    if "://" not in text:
        return text
    return _VALUE.sub(hidden, _USER.sub(f"{HIDDEN}@", text))
