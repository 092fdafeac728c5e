"""The gate of a server: every request is looked at here first, every answer gets its headers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import replace
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from slant.web.access import Access
from slant.web.answers import POLICY, refusal_answer
from slant.web.refusals import Refusal
from slant.web.settings import Limits

LOGIN: Final = "/login"
_HEADERS: Final = {
    "content-security-policy": POLICY.format(scripts="'none'"),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
_FRAME: Final = 1 << 16
"""Bytes beside a file that a form may have."""
_THROWN: Final = 10
"""Times the limit that is read and thrown away, so that the sender hears the refusal."""
_THROWN_SECONDS: Final = 20.0
_Wrapped = Callable[[], Awaitable[MutableMapping[str, Any]]]


class Guard:
    """Refuses what may not ask or sends too much; in front of an application.

    Args:
        app: the application.
        access: who may ask.
        limits: of a request.
    """

    def __init__(self, app: ASGIApp, access: Access, limits: Limits) -> None:
        self._app, self._access, self._limits = app, access, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection of ASGI."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        try:
            await self._check(scope, receive)
        except Refusal as refusal:
            answer = refusal_answer(refusal, scope["path"])
            await answer(scope, receive, send)
            return
        await self._app(scope, _bounded(receive, self._limits_of(scope)), send)

    def _limits_of(self, scope: Scope) -> Limits:
        # Whoever shows no token yet may send no more than one.
        return replace(self._limits, size=0) if scope["path"] == LOGIN else self._limits

    async def _check(self, scope: Scope, receive: Receive) -> None:
        headers, limits = Headers(scope=scope), self._limits_of(scope)
        self._access.check_host(headers.get("host", ""))
        self._access.check_origin(scope["method"], headers)
        if scope["path"] != LOGIN and not self._access.knows(headers):
            raise Refusal(401, "Asking this server", "it needs a token",
                          "Give the token that it said when it started")  # fmt: skip
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limits.size + _FRAME:
            await _throw_away(receive, limits)
            raise too_large(limits)


def too_large(limits: Limits) -> Refusal:
    """The refusal of a request that has more bytes than the limit."""
    found = f"it has more than {limits.size / 1_000_000:g} MB"
    return Refusal(413, "Taking what was sent", found, "Give less at once, or use `slant analyze`")


def _bounded(receive: Receive, limits: Limits) -> _Wrapped:
    """The same body, counted as it comes and never waited for for long."""
    size, whole = 0, False

    async def bounded() -> Message:
        nonlocal size, whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), limits.silence)
        except TimeoutError:
            raise Refusal(408, "Taking what was sent", "the rest of it does not come",
                          "Send it again") from None  # fmt: skip
        size += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if size > limits.size + _FRAME:
            if not whole:
                await _throw_away(receive, limits)
            whole = True
            raise too_large(limits)
        return message

    return bounded


async def _throw_away(receive: Receive, limits: Limits) -> None:
    """Read on for a while: a browser that may not send to the end shows no answer."""
    size, until = 0, time.monotonic() + _THROWN_SECONDS
    while size < _THROWN * limits.size and time.monotonic() < until:
        try:
            message = await asyncio.wait_for(receive(), 1.0)
        except TimeoutError:
            return
        size += len(message.get("body", b""))
        if not message.get("more_body", False):
            return


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
