"""What kind of document something is: told from its first bytes and its ending."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final, Literal

from slant.data.jsonvalues import json_value
from slant.errors import DataError

Kind = Literal["text", "page", "pdf", "docx", "json", "table", "feed", "warc", "gzip"]
HEAD: Final = 1 << 16
"""Bytes of a document that its kind is told from."""
TABLES: Final = (".csv", ".tsv", ".jsonl", ".parquet")
READ: Final = "text, HTML, PDF, DOCX, JSON, csv, tsv, jsonl, parquet, RSS, Atom or WARC"
"""What is read, for advice."""
ENDINGS: Final[Mapping[str, Kind]] = {
    ".txt": "text",
    ".text": "text",
    ".md": "text",
    ".html": "page",
    ".htm": "page",
    ".xhtml": "page",
    ".pdf": "pdf",
    ".docx": "docx",
    ".json": "json",
    **dict.fromkeys(TABLES, "table"),
    ".rss": "feed",
    ".atom": "feed",
    ".xml": "feed",
    ".rdf": "feed",
    ".warc": "warc",
    ".gz": "gzip",
}
_MEDIA: Final[Mapping[str, Kind]] = {
    "text/html": "page",
    "application/xhtml+xml": "page",
    "application/pdf": "pdf",
    "application/json": "json",
    "application/rss+xml": "feed",
    "application/atom+xml": "feed",
    "application/rdf+xml": "feed",
}
_MARKS: Final[Mapping[bytes, Kind]] = {
    b"%PDF-": "pdf",
    b"PK\x03\x04": "docx",
    b"PAR1": "table",
    b"\x1f\x8b": "gzip",
    b"WARC/": "warc",
}
_FOREIGN: Final = {
    b"\xd0\xcf\x11\xe0": ("a file of old Word, Excel or PowerPoint", "Save it as .docx or .txt"),
    b"{\\rtf": ("a file of rich text", "Save it as .docx or .txt"),
    b"7z\xbc\xaf": ("an archive of 7-Zip", "Unpack it and give the files"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "Unpack it and give the file"),
    b"BZh": ("packed with bzip2", "Unpack it and give the file"),
    b"\xfd7zXZ": ("packed with xz", "Unpack it and give the file"),
    b"\x89PNG": ("an image", f"Give its text, as {READ}"),
    b"\xff\xd8\xff": ("an image", f"Give its text, as {READ}"),
    b"GIF8": ("an image", f"Give its text, as {READ}"),
    b"\x00asm": ("a program", f"Give {READ}"),
    b"\x7fELF": ("a program", f"Give {READ}"),
}
_FEED: Final = re.compile(r"<(?:rss|feed|\w+:feed|rdf:RDF)[\s>]")
_PAGE: Final = re.compile(r"<(?:!doctype\s+html|html|head|body|article|main|div|p)[\s>]", re.I)


def kind_of(head: bytes, name: str, media: str = "", asked: str = "") -> Kind:
    """The kind of a document.

    Rule: marks that a kind begins with (PDF, DOCX, Parquet, gzip, WARC) say it whatever the
    ending; then a known ending; then what the server says; then the content: `<rss` and `<feed`
    are feeds, `<html` and its parts pages, `{` and `[` JSON. All else is plain text.

    Args:
        head: its first bytes, `HEAD` of them where there are so many.
        name: file name, path or address; its ending counts.
        media: the media type that a server named, without parameters.
        asked: what is attempted, for the error.

    Raises:
        DataError: a kind that is known and not read (old Word, archives, images).

    >>> kind_of(b"%PDF-1.7", "a.txt"), kind_of(b"<html>", "news"), kind_of(b"Hello", "-")
    ('pdf', 'page', 'text')
    """
    for mark, (what, do) in _FOREIGN.items():
        if head.startswith(mark):
            raise DataError(asked or f"Reading '{name}'", f"it is {what}", do)
    for mark, kind in _MARKS.items():
        if head.startswith(mark):
            return kind
    if b"%PDF-" in head[:1024]:
        return "pdf"
    ending = ENDINGS.get(PurePosixPath(name.partition("?")[0]).suffix.lower())
    start = _start(head)
    if ending == "feed" and _PAGE.match(_past_prolog(start)):
        return "page"
    return ending or _MEDIA.get(media) or _by_content(start, media)


def is_lines_of_json(head: bytes) -> bool:
    """Whether the first of several lines is a JSON object of its own.

    >>> is_lines_of_json(b'{"a": 1}\\n{"a": 2}\\n'), is_lines_of_json(b'{"a": 1}\\n')
    (True, False)
    """
    first, _, rest = _start(head).partition("\n")
    if not rest.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json_value(first), dict)
    except ValueError:
        return False


def _start(head: bytes) -> str:
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return head.decode("utf-16" if wide else "utf-8", "replace").lstrip("\ufeff \t\r\n")


def _past_prolog(start: str) -> str:
    while start.startswith(("<?", "<!--")):
        _, found, rest = start.partition("-->" if start.startswith("<!--") else "?>")
        if not found:
            break
        start = rest.lstrip()
    return start


def _by_content(start: str, media: str) -> Kind:
    if start.startswith("<"):
        past = _past_prolog(start)
        if _FEED.match(past) or (past.startswith("<!DOCTYPE rss") and _FEED.search(past)):
            return "feed"
        if _PAGE.match(past):
            return "page"
    if media != "text/plain" and start.startswith(("{", "[")) and _is_json(start):
        return "json"
    return "text"


def _is_json(start: str) -> bool:
    # A text may begin with a bracket: "[Applause] Thank you".
    return re.match(r'\{\s*(?:"|\})|\[\s*[\[{"\]]', start) is not None
