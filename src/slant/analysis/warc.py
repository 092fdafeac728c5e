"""WARC files of web archives -> the pages and texts in them, record by record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import IO, Final, NamedTuple

from slant.analysis.article import Article
from slant.analysis.limits import MOST_BYTES
from slant.analysis.pages import page_article, page_characters
from slant.analysis.unpacking import Unpacking, decoded_body
from slant.errors import DataError

_LINE: Final = 1 << 16
_MOST_HEADERS: Final = 500
_VERSION: Final = re.compile(rb"WARC/\d\.\d+\s*$")
_HTTP: Final = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})\b")
_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
_DO: Final = "Get the file again"


class _Record(NamedTuple):
    number: int
    headers: Mapping[str, str]
    block: bytes


def warc_articles(raw: IO[bytes], asked: str) -> Iterator[Article]:
    """The articles of a WARC file, in the order of its records, one in memory at a time.

    Rule: `response` records of status 200 that are HTML (see `pages.page_article`) or plain text,
    and `conversion` and `resource` records of the same kinds; chunks and gzip of their server are
    undone. All other records (requests, images, scripts, redirects) hold no article.

    Args:
        raw: the file, packed by gzip or not.
        asked: what is attempted, for errors.

    Returns:
        Articles whose id is the address; `why` where a page has no main
        text, or cannot be read.

    Raises:
        DataError: no WARC, a broken or cut record, with its number; growing as no text does.
    """
    records = 0
    for record in _records(Unpacking(raw, asked), asked):
        records += 1
        try:
            article = _article(record, asked)
        except DataError as error:
            url = record.headers.get("warc-target-uri", "")
            why = f"{error.found[:1].upper()}{error.found[1:]}."
            article = _placed(Article("", "", url=url, why=why), record)
        if article is not None:
            yield article
    if not records:
        raise DataError(asked, "it holds no record", "Give a WARC file")


def _records(stream: Unpacking, asked: str) -> Iterator[_Record]:
    number = 0
    while (line := _next_line(stream)) is not None:
        number += 1
        here = f"{asked}, record {number}"
        if not _VERSION.match(line):
            found = f"it begins with {line[:30]!r} where 'WARC/1.0' should stand"
            raise DataError(here, found, _DO)
        headers = _headers(stream, here)
        said = headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,15}", said):
            raise DataError(here, f"its Content-Length is '{said[:20]}', no number", _DO)
        size = int(said)
        if size > MOST_BYTES:
            there = stream.skip(size)
            headers = {**headers, "too-large": f"{size:,}"}
            block = b""
        else:
            block = stream.read(size)
            there = len(block)
        if there < size:
            raise DataError(here, f"it has {there:,} of {size:,} bytes: the file is cut", _DO)
        yield _Record(number, headers, block)


def _next_line(stream: Unpacking) -> bytes | None:
    while line := stream.line(_LINE):
        if line.strip():
            return line
    return None


def _headers(stream: Unpacking, here: str) -> dict[str, str]:
    headers: dict[str, str] = {}
    for _ in range(_MOST_HEADERS):
        line = stream.line(_LINE)
        if not line.strip():
            return headers
        key, _, value = line.decode("utf-8", "replace").partition(":")
        headers[key.strip().lower()] = value.strip()
    raise DataError(here, f"it has more than {_MOST_HEADERS} headers", _DO)


def _article(record: _Record, asked: str) -> Article | None:
    kind = record.headers.get("warc-type", "")
    here = f"{asked}, record {record.number}"
    url = record.headers.get("warc-target-uri", "").strip("<>")
    if kind not in {"response", "resource", "conversion"}:
        return None
    if "too-large" in record.headers:
        found = f"it has {record.headers['too-large']} bytes, more than {MOST_BYTES:,}"
        raise DataError(here, found, "Give its page by itself")
    media = record.headers.get("content-type", "")
    body = record.block
    if kind == "response":
        head, body = _divided(body)
        status = _HTTP.match(head)
        if status is None or status[1] != b"200":
            return None
        sent = _http_headers(head)
        media = sent.get("content-type", "")
        if _kind(media) not in _PAGES | {"text/plain"}:
            return None
        if "chunked" in sent.get("transfer-encoding", "").lower():
            body = _joined(body)
        body = decoded_body(body, sent.get("content-encoding", ""), here)
    charset = _charset(media)
    if _kind(media) in _PAGES:
        article = page_article(body, here, url=url, charset=charset)
    elif _kind(media) == "text/plain":
        text = page_characters(body, charset)
        why = "" if text.strip() else "The record holds no text."
        article = Article("", text, url=url, why=why)
    else:
        return None
    return _placed(article, record)


def _placed(article: Article, record: _Record) -> Article:
    return Article(
        article.url,
        article.text,
        title=article.title,
        outlet=article.outlet,
        date=article.date,
        topic=article.topic,
        url=article.url,
        origin=f"record {record.number}",
        why=article.why,
    )


def _divided(block: bytes) -> tuple[bytes, bytes]:
    found = re.search(rb"\r?\n\r?\n", block)
    return (block[: found.start()], block[found.end() :]) if found else (block, b"")


def _http_headers(head: bytes) -> dict[str, str]:
    lines = head.decode("latin-1").splitlines()[1:]
    pairs = (line.partition(":") for line in lines)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _joined(body: bytes) -> bytes:
    """The chunks of a body as one; the body itself where some archive has joined them."""
    pieces: list[bytes] = []
    place = 0
    while True:
        end = body.find(b"\r\n", place, place + 200)
        size = re.match(rb"[0-9a-fA-F]{1,8}", body[place:end]) if end >= 0 else None
        if size is None:
            return b"".join(pieces) if pieces else body
        length = int(size[0], 16)
        if not length:
            return b"".join(pieces)
        pieces.append(body[end + 2 : end + 2 + length])
        place = end + 2 + length + 2


def _kind(media: str) -> str:
    return media.partition(";")[0].strip().lower()


def _charset(media: str) -> str:
    found = re.search(r"charset\s*=\s*[\"']?([\w-]{1,40})", media, re.I)
    return found[1] if found else ""
