"""Who may ask a server: names of its machine, pages of its own, holders of the token."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from secrets import token_bytes, token_urlsafe
from typing import Final
from urllib.parse import urlsplit

from slant.errors import OptionError
from slant.web.refusals import Refusal

SHORTEST_TOKEN: Final = 16
LOCAL: Final = "localhost"
_READING: Final = frozenset({"GET", "HEAD"})
_SAME: Final = frozenset({"same-origin", "none"})
_ASKED: Final = "Asking this server"


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask.

    Fields:
        host: that the server listens on.
        token: that everybody must know; "" where it listens to this machine alone and none was
            given.
        names: of this machine.
        key: of this process, from which cookies and the marks of forms are made.
    """

    host: str
    token: str
    names: frozenset[str] = frozenset()
    key: bytes = field(default_factory=lambda: token_bytes(32), repr=False)

    def check_host(self, given: str) -> None:
        """Refuse a request that was made to a name which is not one of this machine.

        Rule: a foreign name that is made to mean this machine (DNS rebinding) lets a foreign page
        read what is here. Addresses cannot be made so; on a server of this machine alone only those
        of the loopback pass.

        Raises:
            Refusal: 403.
        """
        name = host_name(given)
        if name == LOCAL or name in self.names:
            return
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            address = None
        if address is None or (is_local(self.host) and not address.is_loopback):
            found = f"its name is not '{name[:80]}'"
            raise Refusal(403, _ASKED, found, "Use the address that it said when it started")

    def check_origin(self, method: str, headers: Mapping[str, str]) -> None:
        """Refuse a request that changes something and comes from a page of another server.

        Raises:
            Refusal: 403.
        """
        if method in _READING:
            return
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        foreign = site is not None and site not in _SAME
        if origin is not None:
            foreign = foreign or origin_host(origin) != headers.get("host", "").lower()
        if foreign:
            found = "the request comes from a page of another server"
            raise Refusal(403, _ASKED, found, "Use its own page, or a program")

    def knows(self, headers: Mapping[str, str]) -> bool:
        """Whether a request shows the token or the cookie that was given for it."""
        if not self.token:
            return True
        scheme, _, shown = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(shown.strip()):
            return True
        return same(_cookie(headers.get("cookie", ""), self.cookie), self.session)

    def is_token(self, shown: str) -> bool:
        """Whether this is the token, in constant time."""
        return bool(self.token) and same(shown, self.token)

    @property
    def cookie(self) -> str:
        """Name of the cookie; one machine may have several servers."""
        return f"slant_{self._made('name')[:8]}"

    @property
    def session(self) -> str:
        """What the cookie holds: known to nobody who does not know the token."""
        return self._made(f"session {self.token}")

    @property
    def mark(self) -> str:
        """What each form of this server carries, and no other page can know."""
        return self._made("form")

    def _made(self, what: str) -> str:
        return hmac.new(self.key, what.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def access_to(host: str, token: str | None) -> Access:
    """Who may ask a server that listens on a host; a token is made where one is needed.

    Args:
        host: an address or name.
        token: that was given.

    Raises:
        OptionError: a token that can be guessed or does not fit a header.
    """
    if token is not None and (
        len(token) < SHORTEST_TOKEN
        or not token.isascii()
        or not token.isprintable()
        or " " in token
    ):
        found = f"it is not {SHORTEST_TOKEN} or more letters, digits and signs without blanks"
        raise OptionError("Reading --token", found, "Leave it out, and one is made")
    if token is None and not is_local(host):
        token = token_urlsafe(24)
    own = socket.gethostname().lower()
    names = {own, f"{own}.local", socket.getfqdn().lower(), host.lower()} - {""}
    return Access(host, token or "", frozenset() if is_local(host) else frozenset(names))


def is_local(host: str) -> bool:
    """Whether a host is this machine and nobody else can reach it.

    >>> is_local("127.0.0.1"), is_local("localhost"), is_local("::1"), is_local("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == LOCAL


def host_name(given: str) -> str:
    """The name in a Host header, without port.

    >>> host_name("LocalHost:8421"), host_name("[::1]:80"), host_name("a.org")
    ('localhost', '::1', 'a.org')
    """
    given = given.strip().lower()
    if given.startswith("["):
        return given[1:].partition("]")[0]
    return given.partition(":")[0]


def origin_host(origin: str) -> str:
    """Host and port of an Origin header, "" where there are none.

    >>> origin_host("http://LocalHost:8421"), origin_host("null")
    ('localhost:8421', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def same(one: str, other: str) -> bool:
    """Whether two texts are the same, in a time that does not tell where they differ."""
    digests = (hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in (one, other))
    return hmac.compare_digest(*digests)


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""
