"""Images from addresses, fetched only where a user asked for it: https, public hosts, of limited
size, and never anything that a page then names."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from slant import __version__
from slant.data.addresses import without_credentials
from slant.data.hosts import check_place
from slant.data.images import MOST_BYTES
from slant.data.publicweb import PublicHandler
from slant.errors import DataError, WorkFailed

TIMEOUT = 20.0
"""Seconds of silence, and a third of what one image may take in all."""
_CHUNK = 1 << 16
_DO = "Look at the address, or get the image by other means and name its file"


def is_address(cell: str) -> bool:
    """Whether a cell names an address and no path.

    >>> is_address("https://a.org/b.png"), is_address("images/b.png")
    (True, False)
    """
    return "://" in cell


def fetch_image(url: str, target: Path, *, private: bool = False, timeout: float = TIMEOUT) -> Path:
    """Fetch one image, whatever it turns out to be: `images.checked_image` says that.

    Rule: hosts are looked up and checked at each step of a redirect, and connected to by the very
    address that was checked; proxies of the environment are not used, since through one it could
    not be checked where a request ends.

    Args:
        url: https.
        target: where its bytes go.
        private: whether http and hosts of this machine or its network are let pass.
        timeout: seconds of silence.

    Returns:
        `target`.

    Raises:
        DataError: an address that is not https, or of a host that is not public.
        WorkFailed: no answer, a refusal, more than `images.MOST_BYTES`.
    """
    asked = f"Fetching the image '{without_credentials(url)}'"
    check_public(url, asked, private)
    request = urllib.request.Request(url, headers={"User-Agent": f"slant/{__version__}"})
    handlers: list[Any] = [_Redirects(asked, private), urllib.request.ProxyHandler({})]
    if not private:
        handlers.append(PublicHandler(asked))
    opener = urllib.request.build_opener(*handlers)
    until = time.monotonic() + 3 * timeout
    data = bytearray()
    try:
        with opener.open(request, timeout=timeout) as answer:
            while piece := answer.read1(_CHUNK):
                data += piece
                if len(data) > MOST_BYTES:
                    raise WorkFailed(asked, f"it has more than {MOST_BYTES:,} bytes", _DO)
                if time.monotonic() > until:
                    raise WorkFailed(asked, f"it takes more than {3 * timeout:.0f} s", _DO)
    except urllib.error.HTTPError as error:
        with error:
            raise WorkFailed(asked, f"the server answers {error.code}", _DO) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = str(getattr(error, "reason", None) or error or type(error).__name__)
        raise WorkFailed(asked, f"no answer ({reason})", _DO) from None
    target.write_bytes(data)
    return target


def check_public(url: str, asked: str, private: bool = False) -> None:
    """Refuse an address that is not https, or of whose host it is plain, without asking anybody,
    that it is not public: a data file must not make this machine ask its own or its neighbours'
    services. What a name means is looked at when it is connected to.

    Args:
        url: the address.
        asked: what is attempted, for the error.
        private: whether such hosts, and http, are let pass.
    """
    do = "Name an address that starts with https:// and is public, or a file"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 443
    except ValueError as error:
        raise DataError(asked, f"it is no address ({error})", do) from None
    if parts.scheme not in (("https", "http") if private else ("https",)) or not host:
        raise DataError(asked, "only https is allowed", do)
    if parts.username is not None or parts.password is not None:
        raise DataError(asked, "it holds a name or password", do)
    if private:
        return
    check_place(host, port, asked=asked)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows to allowed addresses only."""

    def __init__(self, asked: str, private: bool) -> None:
        self.asked, self.private = asked, private

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The request for the new address."""
        check_public(newurl, self.asked, self.private)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
