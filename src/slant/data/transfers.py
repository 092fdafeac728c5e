"""Bytes from a server into a part file, gone on with after a break."""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from slant import __version__
from slant.data.cards import Download
from slant.data.hosts import check_place
from slant.data.jsonvalues import json_value
from slant.data.publicweb import PublicHandler
from slant.errors import DataError, WorkFailed

Progress = Callable[[str, int, int], None]
"""Told the file's name, the bytes done and the bytes in all."""

CHUNK = 1 << 16
LONGEST_WAIT = 120.0
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_LOCAL = ("127.0.0.1", "localhost", "::1")
NO_CONNECTION = "Connecting for a download"
"""What was asked where no connection stands yet."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try: attempts in a row without a new byte, seconds of silence, first pause in
    seconds, which doubles."""

    attempts: int = 4
    timeout: float = 30.0
    pause: float = 0.5


class _Retry(Exception):
    """The server may answer later. `after`: seconds it asked for."""

    def __init__(self, why: str, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


@dataclass(frozen=True, slots=True)
class Transfer:
    """One download on its way: what, into which part file, and whom to tell."""

    download: Download
    part: Path
    progress: Progress | None
    patience: Patience

    @property
    def note(self) -> Path:
        """The file beside the part that says what the part is of."""
        return self.part.with_name(f"{self.part.name}.json")

    @property
    def asked(self) -> str:
        """What is attempted, for errors."""
        return f"Fetching '{self.download.url}'"

    def drop(self) -> None:
        """Forget what arrived."""
        self.part.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


def receive(transfer: Transfer) -> bool:
    """Fill the part file to the size that the card states.

    Returns:
        Whether it is made of the bytes of more than one answer.

    Raises:
        WorkFailed: no answer, a refusal, or another size.
        OSError: of the disk alone.
    """
    failures, joined = 0, False
    while True:
        before = _size(transfer.part)
        try:
            return _receive_once(transfer) or joined
        except _Retry as trouble:
            grown = _size(transfer.part) > before
            joined = joined or _size(transfer.part) > 0
            failures = 1 if grown else failures + 1
            given = trouble.after
            wait = transfer.patience.pause * 2 ** (failures - 1) if given is None else given
            if failures >= transfer.patience.attempts or wait > LONGEST_WAIT:
                asks = f", and asks to wait {wait:.0f} s" if wait > LONGEST_WAIT else ""
                raise WorkFailed(
                    transfer.asked,
                    f"{trouble} at attempt {failures}{asks}",
                    "Look at the network and run the same command again: it goes on where it "
                    "stopped",
                ) from None
            time.sleep(wait)


def check_address(url: str, before: str | None = None) -> None:
    """Let https to public hosts pass, and http on this machine alone.

    Args:
        url: the address.
        before: the one that leads to it, if one does; only from this machine one leads to it.
    """
    parts = urlsplit(url)
    if not _is_local(url) or (before is not None and not _is_local(before)):
        check_place(parts.hostname or "", parts.port or 443, asked=f"Fetching '{url}'")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL):
        do = "Use an address that starts with https://"
        raise DataError(f"Fetching '{url}'", "only https is allowed", do)


def _receive_once(transfer: Transfer) -> bool:
    download = transfer.download
    start, mark = _begun(transfer)
    request = urllib.request.Request(download.url)
    request.add_header("User-Agent", f"slant/{__version__}")
    request.add_header("Accept-Encoding", "identity")
    if start:
        request.add_header("Range", f"bytes={start}-")
        if mark is not None:
            request.add_header("If-Range", mark)
    try:
        answer = _opener(download.url).open(request, timeout=transfer.patience.timeout)
    except WorkFailed as error:
        if not error.asked.startswith(NO_CONNECTION):
            raise
        raise _Retry(error.found) from None
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(transfer, error) from None
    except (OSError, http.client.HTTPException) as error:
        host = urlsplit(download.url).hostname
        raise _Retry(f"no answer from {host} ({_why(error)})") from None
    with answer:
        start = _place(answer, start, mark, transfer)
        known = {"url": download.url, "etag": answer.headers.get("ETag")}
        transfer.note.write_text(json.dumps(known), encoding="utf-8")
        with transfer.part.open("r+b" if start else "wb") as out:
            out.seek(start)
            _pour(answer, out, start, transfer)
    return start > 0


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _begun(transfer: Transfer) -> tuple[int, str | None]:
    """How many bytes are here of this address, and the mark (ETag) of the file they came from."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        known = json_value(transfer.note.read_text(encoding="utf-8"))
        size = _size(transfer.part)
        if known["url"] == transfer.download.url and 0 < size < transfer.download.size:
            return size, known["etag"]
    return 0, None


def _place(answer: Any, start: int, mark: str | None, transfer: Transfer) -> int:
    """Where the bytes of the answer belong: behind those that are here, or at the beginning."""
    size = transfer.download.size
    if answer.status == 206:
        given = answer.headers.get("Content-Range", "").replace(" ", "")
        changed = mark is not None and answer.headers.get("ETag") not in (None, mark)
        if changed or given != f"bytes{start}-{size - 1}/{size}":
            transfer.drop()
            raise _Retry("the file changed while it was fetched", 0.0)
        return start
    length = answer.headers.get("Content-Length", "")
    if length.isdigit() and int(length) != size:
        raise _wrong_size(transfer, f"the server has {int(length):,} bytes")
    return 0


def _pour(answer: Any, out: IO[bytes], start: int, transfer: Transfer) -> None:
    done, size = start, transfer.download.size
    while done < size:
        try:
            piece = answer.read1(CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise _Retry(f"the connection broke at byte {done:,} ({_why(error)})") from None
        if not piece:
            raise _Retry(f"the connection ended at byte {done:,} of {size:,}")
        done += len(piece)
        if done > size:
            raise _wrong_size(transfer, "the server sends more")
        out.write(piece)
        if transfer.progress is not None:
            transfer.progress(transfer.download.path.rsplit("/", 1)[-1], done, size)
    out.flush()
    os.fsync(out.fileno())


def _refusal(transfer: Transfer, error: urllib.error.HTTPError) -> Exception:
    if error.code in _AGAIN:
        return _Retry(f"the server answers {error.code}", _retry_after(error.headers))
    if error.code == 416:
        transfer.drop()
        return _Retry("the server has no such range", 0.0)
    return WorkFailed(
        transfer.asked,
        f"the server answers {error.code} {error.reason}",
        "Get the file from the home page that `slant data show` prints, and import it",
    )


def _retry_after(headers: Any) -> float | None:
    return waiting_time(headers.get("Retry-After") or "", headers.get("Date") or "")


def waiting_time(given: str, sent: str) -> float | None:
    """The seconds that a Retry-After asks for; None where it asks for none.

    Args:
        given: a number of seconds, or a date.
        sent: the answer's own Date, by the same clock as that date; ours may be wrong by years.
            "": by ours.

    >>> waiting_time("Fri, 01 Jan 2100 00:00:30 GMT", "Fri, 01 Jan 2100 00:00:00 GMT")
    30.0
    """
    given = given.strip()
    if given.isascii() and given.isdigit():
        return float(given)
    with contextlib.suppress(TypeError, ValueError):
        until = email.utils.parsedate_to_datetime(given).timestamp()
        now = time.time()
        with contextlib.suppress(TypeError, ValueError):
            now = email.utils.parsedate_to_datetime(sent).timestamp()
        return max(0.0, until - now)
    return None


def _wrong_size(transfer: Transfer, found: str) -> WorkFailed:
    transfer.drop()
    return WorkFailed(
        transfer.asked,
        f"{found}, the card states {transfer.download.size:,} bytes; nothing was kept",
        "Try again later; if it stays so, the published file was changed",
    )


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows to allowed addresses only."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The request for the new address."""
        try:
            check_address(newurl, req.full_url)
        except DataError as error:
            found = f"the server sends us on to '{newurl}'"
            raise WorkFailed(f"Fetching '{req.full_url}'", found, error.found) from None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener(url: str) -> urllib.request.OpenerDirector:
    # A proxy for the outside world knows nothing of this machine's own ports.
    own = [urllib.request.ProxyHandler({})] if _is_local(url) else []
    return urllib.request.build_opener(_Redirects, PublicHandler(NO_CONNECTION), *own)


def _is_local(url: str) -> bool:
    return urlsplit(url).hostname in _LOCAL


def _why(error: BaseException) -> str:
    return str(getattr(error, "reason", None) or error or type(error).__name__)
