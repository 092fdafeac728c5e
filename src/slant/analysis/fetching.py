"""Pages at addresses of the public web: every step checked, size and time bounded."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from slant import __version__
from slant.analysis.limits import MOST_BYTES
from slant.analysis.unpacking import decoded_body
from slant.data.addresses import without_credentials
from slant.data.hosts import check_place, connected
from slant.errors import DataError, WorkFailed

_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_PIECE: Final = 1 << 16
_DO: Final = "Look at the address, or save the page and give the file"
_PORTS: Final = {"http": 80, "https": 443}
_ACCEPT: Final = "text/html,application/xhtml+xml,application/pdf,application/xml;q=0.9,*/*;q=0.5"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one fetch may take.

    Fields:
        size: bytes of the answer, and of what it unpacks to.
        seconds: of the whole, redirects included.
        silence: seconds without a byte.
        redirects: followed at most.
        loopback: whether this machine may be asked: for tests with a server of their own only.
    """

    size: int = MOST_BYTES
    seconds: float = 60.0
    silence: float = 20.0
    redirects: int = 5
    loopback: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server sent: the last address, its media type and charset ("" if not said), bytes."""

    url: str
    media: str
    charset: str
    body: bytes


def is_address(target: str) -> bool:
    """Whether a target names an address of the web and no file.

    >>> is_address("https://a.org/b"), is_address("HTTP://a.org"), is_address("a/b.html")
    (True, True, False)
    """
    return target[:8].lower().startswith(("http://", "https://"))


def check_address(url: str, asked: str, *, loopback: bool = False) -> None:
    """Refuse an address of which it is plain, without asking anybody, that it is not fetched.

    Args:
        url: as for `fetch_page`.
        asked: what is attempted, for errors.
        loopback: see `Bounds`.

    Raises:
        DataError: it is malformed, of another scheme or port, holds a name or password, or its
            host is this machine or a number that is not public.
    """
    parts = _parts(url.strip(), asked)
    check_place(_name(parts), _port(parts), asked=asked, loopback=loopback)


def fetch_page(url: str, bounds: Bounds | None = None) -> Fetched:
    """Fetch what is at one address, and nothing that it then names.

    Rule: GET over http or https; hosts must be public, and at each redirect the new one is looked
    up, checked and connected to by the very address that was checked (see `data.hosts`). Neither
    cookies nor passwords are sent, proxies of the environment are not used: through one it could
    not be checked where a request ends.

    Args:
        url: http or https.
        bounds: what it may take.

    Raises:
        DataError: an address that is none or not public. WorkFailed: no answer, a refusal, or
            more than its bounds.
    """
    bounds = bounds or Bounds()
    asked = shown = f"Fetching '{without_credentials(url)}'"
    until = time.monotonic() + bounds.seconds
    here = url.strip()
    for _ in range(bounds.redirects + 1):
        parts = _parts(here, asked)
        answer = _exchange(parts, asked, bounds, until)
        if isinstance(answer, Fetched):
            return answer
        here = urljoin(parts.geturl(), answer)
        asked = f"{shown}, which leads to '{without_credentials(here)[:200]}'"
    raise WorkFailed(shown, f"it leads on more than {bounds.redirects} times", _DO)


def _parts(url: str, asked: str) -> SplitResult:
    do = "Name an address such as https://example.org/article"
    if any(sign.isspace() or not sign.isprintable() for sign in url):
        raise DataError(asked, "it holds white space or control characters", do)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except (ValueError, UnicodeError) as error:
        raise DataError(asked, f"it is no address ({error})", do) from None
    if parts.scheme not in _PORTS or not host or port == 0:
        raise DataError(asked, "only addresses of http and https are fetched", do)
    if parts.username is not None or parts.password is not None:
        raise DataError(asked, "it holds a name or password", "Leave them out")
    path, query = (quote(part, safe="/%:=&?~+!$,;'@()*[]|") for part in (parts.path, parts.query))
    return parts._replace(path=path or "/", query=query, fragment="")


def _name(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return host if host.isascii() else host.encode("idna").decode()


def _port(parts: SplitResult) -> int:
    return parts.port or _PORTS[parts.scheme]


def _exchange(parts: SplitResult, asked: str, bounds: Bounds, until: float) -> Fetched | str:
    """What is there, or the address that it leads to."""
    host, name, port = parts.hostname or "", _name(parts), _port(parts)
    opened = connected(name, port, asked=asked, until=until, silence=bounds.silence,
                       loopback=bounds.loopback)  # fmt: skip
    # A server that sends a byte now and then is never silent: only the clock ends it.
    clock = threading.Timer(max(0.0, until - time.monotonic()), _shut, [opened])
    clock.daemon = True
    clock.start()
    try:
        if parts.scheme == "https":
            opened = ssl.create_default_context().wrap_socket(opened, server_hostname=name)
        return _asked_of(opened, name, parts, asked, bounds, until)
    except ssl.SSLCertVerificationError as error:
        found = f"the certificate of {host} is not trusted ({error.verify_message})"
        raise WorkFailed(asked, found, _DO) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() >= until
        reason = f"it takes more than {bounds.seconds:.0f} s" if late else _reason(error)
        raise WorkFailed(asked, f"no whole answer from {host} ({reason})", _DO) from None
    finally:
        clock.cancel()
        opened.close()


def _asked_of(opened: socket.socket, name: str, parts: SplitResult, asked: str, bounds: Bounds,
              until: float) -> Fetched | str:  # fmt: skip
    line = http.client.HTTPConnection(name, _port(parts))
    line.sock = opened
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    line.request("GET", target, headers={
        "User-Agent": f"slant/{__version__}", "Accept": _ACCEPT, "Accept-Encoding": "gzip",
        "Connection": "close",
    })  # fmt: skip
    with line.getresponse() as answer:
        if answer.status in _MOVED:
            there = answer.headers.get("Location", "")
            if not there:
                raise WorkFailed(asked, f"it answers {answer.status} and names no address", _DO)
            return there
        if answer.status != 200:
            raise WorkFailed(asked, f"the server answers {answer.status}", _DO)
        body = bytearray()
        while piece := answer.read1(_PIECE):
            body += piece
            if len(body) > bounds.size:
                raise WorkFailed(asked, f"it has more than {bounds.size:,} bytes", _DO)
        # An answer of no stated length looks whole when the clock has shut it.
        if time.monotonic() >= until:
            raise TimeoutError
        if answer.length:
            raise http.client.IncompleteRead(b"", answer.length)
        data = decoded_body(bytes(body), answer.headers.get("Content-Encoding", ""), asked)
        said = answer.headers.get("Content-Type", "")
        charset = re.search(r"charset\s*=\s*[\"']?([\w-]{1,40})", said, re.I)
        return Fetched(parts.geturl(), said.partition(";")[0].strip().lower(),
                       charset[1] if charset else "", data)  # fmt: skip


def _shut(opened: socket.socket) -> None:
    try:
        opened.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _reason(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or error or type(error).__name__)[:120]
