"""Answers of a server: pages of its own, JSON, files, and refusals as either."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import quote

from starlette.responses import HTMLResponse, RedirectResponse, Response

from slant.report.webpages import error_page, script_digest
from slant.web.outputs import MEDIA
from slant.web.refusals import Refusal, error_json

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_DIGEST: Final = re.compile(rb"script-src '(sha256-[A-Za-z0-9+/=]{44})'")
_HEAD: Final = 2_000


def json_answer(
    content: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A document of JSON, numbers unrounded."""
    body = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return Response(body.encode("utf-8", "replace"), status, headers, "application/json")


def page_answer(page: str, status: int = 200) -> Response:
    """A page of the server's own, whose one script may run."""
    policy = POLICY.format(scripts=f"'sha256-{script_digest()}'")
    return HTMLResponse(page.encode("utf-8", "replace"), status,
                        {"content-security-policy": policy})  # fmt: skip


def file_answer(name: str, content: bytes) -> Response:
    """A file that an analysis made: a page is shown, all else is kept as a file."""
    path = PurePosixPath(name)
    headers = {}
    if path.suffix == ".html":
        # A page names the one script that may run in it before any word of a text.
        own = _DIGEST.search(content[:_HEAD])
        scripts = f"'{own[1].decode()}'" if own else "'none'"
        headers["content-security-policy"] = POLICY.format(scripts=scripts)
    else:
        headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(path.name)}"
    return Response(content, 200, headers, MEDIA.get(path.suffix, "application/octet-stream"))


def see(address: str) -> Response:
    """Leads a browser to another page of the server."""
    return RedirectResponse(address, 303)


def refusal_answer(refusal: Refusal, path: str) -> Response:
    """A refusal: JSON under /api/, else a page; without a token, the page to give it."""
    headers = {}
    if refusal.retry:
        headers["retry-after"] = str(refusal.retry)
    if path.startswith("/api/"):
        if refusal.status == 401:
            headers["www-authenticate"] = "Bearer"
        return json_answer(error_json(refusal), refusal.status, headers)
    if refusal.status == 401:
        return see("/login")
    answer = page_answer(error_page(error_json(refusal)), refusal.status)
    answer.headers.update(headers)
    return answer
