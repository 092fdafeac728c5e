"""https through urllib to public hosts alone, each step of a redirect included."""

from __future__ import annotations

import http.client
import time
import urllib.request
from collections.abc import Callable
from typing import Any, cast

from slant.data.hosts import connected


class PublicHandler(urllib.request.HTTPSHandler):
    """Opens https by connections that `hosts.connected` made: to an address that was looked at.

    Through a proxy it cannot be seen where a request ends; whoever must not go through one adds
    `ProxyHandler({})` beside this.

    Args:
        asked: what is attempted, for errors.
    """

    def __init__(self, asked: str) -> None:
        super().__init__()
        self.asked = asked

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer to a request."""
        asked = self.asked

        class Public(http.client.HTTPSConnection):
            def connect(self) -> None:
                mine = cast(Any, self)
                if mine._tunnel_host:
                    super().connect()
                    return
                silence = float(self.timeout or 30.0)
                plain = connected(
                    self.host, self.port, asked=asked, until=time.monotonic() + silence,
                    silence=silence,
                )  # fmt: skip
                try:
                    self.sock = mine._context.wrap_socket(plain, server_hostname=self.host)
                except OSError:
                    plain.close()
                    raise

        opening = cast(Callable[..., http.client.HTTPResponse], self.do_open)
        return opening(Public, req)
