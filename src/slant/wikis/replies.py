"""What api.php answers: JSON, or one of its many ways to refuse."""

from __future__ import annotations

from typing import Any

from slant.data.jsonvalues import json_value
from slant.errors import DataError
from slant.wikis.connection import Answer, Later
from slant.wikis.visits import retry_after

_AGAIN = ("maxlag", "ratelimited", "readonly", "internal_api_error", "timeout")
_LOGIN = {"readapidenied", "mustbeloggedin", "badaccess-groups"}
_DISABLED = {"moduledisabled", "module-disabled", "apidisabled"}
_GONE = {"missingtitle", "nosuchpageid", "nosuchrevid", "pagecannotexist"}


class Refusal(DataError):
    """The wiki answers a request by an error of its own, which comes again. `code`: its name."""

    code = ""

    @property
    def gone(self) -> bool:
        """Whether it says that the page is not there any more."""
        return self.code in _GONE


class Blocked(DataError):
    """The server refuses the address of an api.php, or has nothing there."""


def reply(answer: Answer) -> dict[str, Any]:
    """The JSON object in an answer of api.php, whose errors come with any status.

    Raises:
        Later, Refusal, DataError: see `Api.ask`.
    """
    asked = f"Asking {answer.url.partition('?')[0]}"
    try:
        content = json_value(answer.body)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise _no_json(answer, asked)
    error = content.get("error")
    if error is None:
        if answer.status >= 400:
            raise Later(f"the server answers {answer.status}", f"status-{answer.status}")
        return content
    error = error if isinstance(error, dict) else {}
    code = str(error.get("code", "unknown"))
    said = " ".join(str(error.get("info", "")).split())[:200]
    if code.startswith(_AGAIN):
        raise Later(f"the wiki answers '{code}' ({said})", code, retry_after(answer.headers))
    if code in _LOGIN:
        raise _wants_login(asked, f"it answers '{code}' ({said})")
    if code in _DISABLED:
        raise _disabled(asked, f"it answers '{code}' ({said})")
    refusal = Refusal(asked, f"the wiki answers '{code}' ({said})", "Look up this error, or use a "
                      "dump of the wiki (slant wiki dump)")  # fmt: skip
    refusal.code = code
    raise refusal


def _no_json(answer: Answer, asked: str) -> Exception:
    begin = " ".join(answer.text[:400].split())[:60]
    if "API is not enabled" in answer.text[:4000]:
        return _disabled(asked, "the wiki says that its API is not enabled")
    if answer.status in {401, 407} or "userlogin" in answer.url.lower():
        return _wants_login(asked, f"the server answers {answer.status} and asks who we are")
    if answer.status in {403, 404, 410}:
        found = f"the server answers {answer.status}, so that its API is blocked or not there"
        do = "Give --contact if you did not, ask the wiki's people, or use a dump (slant wiki dump)"
        return Blocked(asked, found, do)
    found = f"the server answers {answer.status} with '{begin}', which is no JSON"
    code = "no-json" if answer.status < 400 else f"status-{answer.status}"
    return Later(found, code, retry_after(answer.headers))


def _wants_login(asked: str, found: str) -> DataError:
    do = "slant reads what everybody may read; ask the wiki's people for a dump (slant wiki dump)"
    return DataError(asked, f"this wiki wants a login: {found}", do)


def _disabled(asked: str, found: str) -> DataError:
    do = "Ask the wiki's people to enable it, or for a dump (slant wiki dump)"
    return DataError(asked, f"the API is disabled: {found}", do)
