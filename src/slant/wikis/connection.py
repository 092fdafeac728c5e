"""One connection to a web server: kept open, compressed, bounded in time and size."""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urlsplit

from slant.data.addresses import without_credentials
from slant.data.hosts import check_place, is_public
from slant.errors import DataError, WorkFailed

CHUNK = 1 << 16
LONGEST_ANSWER = 300.0
_LOCAL = ("127.0.0.1", "localhost", "::1")
_PORTS = {"http": 80, "https": 443}


class Later(Exception):
    """No answer that counts, but the same request may get one later.

    Fields:
        code: what kind of trouble: network, status-503, no-json, too-big, or the API's own code.
        after: seconds that the server asked to wait; None where it did not say.
    """

    def __init__(self, why: str, code: str, after: float | None = None) -> None:
        super().__init__(why)
        self.code, self.after = code, after


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said: the address asked, status, headers in lower case, the unpacked body."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8, foreign bytes replaced."""
        return self.body.decode("utf-8", "replace")


class Connection:
    """At most one open connection, to the server that was asked last.

    Rule: whoever names a wiki of their own network means it; but where the first server is public,
    no later one may be private, so that no redirect and no change of a name's meaning makes this
    machine ask its neighbours. What counts is the address that a connection really has, looked at
    before anything is sent.

    Args:
        agent: what User-Agent says.
        timeout: seconds of silence that end an attempt.
        largest: bytes of an unpacked answer that are taken at most.
    """

    def __init__(self, agent: str, timeout: float, largest: int) -> None:
        self.agent, self.timeout, self.largest = agent, timeout, largest
        self._open: http.client.HTTPConnection | None = None
        self._place: tuple[str, str | None, int | None] | None = None
        self._inside: bool | None = None

    def close(self) -> None:
        """End the connection; the next request opens one."""
        if self._open is not None:
            self._open.close()
        self._open = self._place = None

    def ask(self, url: str) -> Answer:
        """The answer to one GET, whatever its status; redirects are not followed.

        Raises:
            Later: no whole answer came. WorkFailed: the certificate is not trusted. DataError: a
                private host where the first was public.
        """
        parts = urlsplit(url)
        place = (parts.scheme, parts.hostname, parts.port)
        if place != self._place:
            self.close()
        kept = self._open is not None
        try:
            return self._exchange(url, parts)
        except (http.client.RemoteDisconnected, ConnectionError) as error:
            self.close()
            if not kept:
                raise _no_answer(parts, error) from None
        except ssl.SSLCertVerificationError as error:
            self.close()
            found = f"its certificate is not trusted ({error.verify_message})"
            do = "Check the address, the clock and the certificates of this machine"
            raise WorkFailed(f"Asking '{parts.hostname}'", found, do) from None
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise _no_answer(parts, error) from None
        # The server had closed the kept connection before it read the request.
        try:
            return self._exchange(url, parts)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise _no_answer(parts, error) from None

    def _exchange(self, url: str, parts: SplitResult) -> Answer:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        proxy = _proxy(parts)
        headers = {"User-Agent": self.agent, "Accept-Encoding": "gzip"}
        if self._open is None:
            self._open = _connection(parts, proxy, self.timeout)
            self._place = (parts.scheme, parts.hostname, parts.port)
            self._check_peer(self._open, parts, proxy)
        if proxy is not None and parts.scheme == "http":
            target = f"http://{parts.netloc.rpartition('@')[2]}{target}"
            headers |= _credentials(proxy)
        self._open.request("GET", target, headers=headers)
        with self._open.getresponse() as answer:
            body = self._body(answer, url)
            said = {key.lower(): value for key, value in answer.headers.items()}
            if answer.will_close:
                self.close()
            return Answer(url, answer.status, said, body)

    def _check_peer(
        self, opened: http.client.HTTPConnection, parts: SplitResult, proxy: SplitResult | None
    ) -> None:
        public = _seems_public(parts)
        if proxy is None:
            plain = socket.create_connection((opened.host, opened.port), self.timeout)
            public = is_public(str(plain.getpeername()[0]))
            opened.sock = plain
        if self._inside is None:
            self._inside = not public
        if not public and not self._inside:
            self.close()
            found = f"it leads to {parts.hostname}, which is not public"
            do = "Give the wiki's final address, if it is one of your own network"
            raise DataError(f"Asking '{parts.hostname}'", found, do)
        if proxy is None and isinstance(opened, http.client.HTTPSConnection):
            context = ssl.create_default_context()
            opened.sock = context.wrap_socket(opened.sock, server_hostname=opened.host)

    def _body(self, answer: http.client.HTTPResponse, url: str) -> bytes:
        packed = answer.headers.get("Content-Encoding", "").lower() in {"gzip", "x-gzip"}
        unpacking = zlib.decompressobj(31) if packed else None
        deadline = time.monotonic() + LONGEST_ANSWER
        pieces: list[bytes] = []
        size = 0
        while piece := answer.read1(CHUNK):
            if unpacking is not None:
                try:
                    piece = unpacking.decompress(piece, self.largest - size + 1)
                except zlib.error as error:
                    raise http.client.HTTPException(f"broken gzip: {error}") from None
            size += len(piece)
            pieces.append(piece)
            if size > self.largest:
                self.close()
                raise Later(f"the answer has more than {self.largest:,} bytes", "too-big")
            if time.monotonic() > deadline:
                self.close()
                raise Later(f"the answer took more than {LONGEST_ANSWER:.0f} s", "network")
        if answer.length or (unpacking is not None and size and not unpacking.eof):
            raise http.client.HTTPException(f"the answer ends at byte {size:,}")
        return b"".join(pieces)


def checked_address(url: str) -> str:
    """An address with its scheme: https where none was given, but http on this machine.

    Raises:
        DataError: a scheme that is neither, no host, or a name or password, which are not sent.

    >>> checked_address("rationalwiki.org/wiki/Main_Page")
    'https://rationalwiki.org/wiki/Main_Page'
    """
    full = url.strip() if "://" in url else _with_scheme(url.strip())
    try:
        parts = urlsplit(full)
        sound = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
        str(parts.hostname).encode("idna")
    except ValueError:
        sound = False
    if not sound or any(sign.isspace() or not sign.isprintable() for sign in full):
        do = "Give one such as https://www.conservapedia.com"
        shown = without_credentials(url)
        raise DataError(f"Reading the address '{shown}'", "it is none of the web", do)
    if "@" in parts.netloc:
        found = f"it holds a name or password of {parts.hostname}"
        raise DataError("Reading the address of a wiki", found, "Leave them out")
    path, query = (quote(part, safe="/%:=&?~+!$,;'@()*[]|") for part in (parts.path, parts.query))
    return parts._replace(path=path, query=query, fragment="").geturl()


def _with_scheme(url: str) -> str:
    local = url.partition("/")[0].partition(":")[0] in _LOCAL
    return f"{'http' if local else 'https'}://{url}"


def _connection(
    parts: SplitResult, proxy: SplitResult | None, timeout: float
) -> http.client.HTTPConnection:
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    through = proxy or parts
    at, its = through.hostname or "", through.port or _PORTS.get(through.scheme, port)
    if parts.scheme == "http":
        return http.client.HTTPConnection(at, its, timeout=timeout)
    opened = http.client.HTTPSConnection(at, its, timeout=timeout)
    if proxy is not None:
        opened.set_tunnel(host, port, _credentials(proxy))
    return opened


def _proxy(parts: SplitResult) -> SplitResult | None:
    # A proxy for the outside world knows nothing of this machine's own ports.
    host = parts.hostname or ""
    given = urllib.request.getproxies().get(parts.scheme)
    if not given or host in _LOCAL or urllib.request.proxy_bypass(host):
        return None
    return urlsplit(given if "://" in given else f"http://{given}")


def _seems_public(parts: SplitResult) -> bool:
    """Whether it is not plain from its own name that a host is this machine or a private number."""
    host = parts.hostname or ""
    try:
        check_place(host, _PORTS[parts.scheme], asked=f"Asking '{host}'")
    except DataError:
        return False
    return True


def _credentials(proxy: SplitResult) -> dict[str, str]:
    if not proxy.username:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _no_answer(parts: SplitResult, error: BaseException) -> Later:
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return Later(f"no answer from {parts.hostname} ({why})", "network")
