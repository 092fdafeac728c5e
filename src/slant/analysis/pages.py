"""HTML pages -> the main text and what the page says of itself."""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any, Final

from slant.analysis.article import Article
from slant.analysis.dates import iso_date
from slant.analysis.limits import MOST_PAGE, check_packages
from slant.errors import DataError, MissingExtra

NO_MAIN_TEXT: Final = "No main text was found in the page, only navigation or none at all."
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.I)
_TITLE: Final = re.compile(r"<title[^<>]{0,200}>([^<]{0,500})", re.I)
_HEAD: Final = 1 << 18
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_BLOCK: Final = frozenset(
    """address article aside blockquote div dl dd dt figcaption figure footer h1 h2 h3 h4 h5 h6
    header hr li main nav ol p pre section table td th tr ul""".split()  # noqa: SIM905
)
_UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "iframe", "head", "svg"})
_NEST: Final = re.compile(
    r"<(/?)(?!(?:br|hr|img|input|link|meta|source|wbr|area|col|embed|param|track|p|li|td|th|tr|dt|dd"
    r"|option|optgroup|thead|tbody|tfoot|colgroup|rt|rp)\b)[a-zA-Z]"
)
"""Tags of elements that must be closed."""
_DEEPEST: Final = 200
"""Elements within one another: lxml builds 256, and what walks its trees looks up through them."""
_MOST_TAGS: Final = 30_000
"""Elements of one page: the time that trafilatura takes grows with their square. Pages of news have
some thousands."""
_OPENED: Final = re.compile(r"<[a-zA-Z]")


def page_article(data: bytes, asked: str, *, url: str = "", charset: str = "") -> Article:
    """The article that an HTML page is made for.

    Rule: the main text by trafilatura: paragraphs, each a line; no navigation, comments, tables,
    captions. Its white space is one blank, its characters are in Unicode form NFC. Title, outlet
    and date are those that the page names in its metadata; nothing is loaded.

    Args:
        data: the page as it was saved or sent.
        asked: what is attempted, for the error.
        url: where it came from.
        charset: the encoding that the server named.

    Returns:
        An article without id and origin; `why` where there is no main text.

    Raises:
        MissingExtra: trafilatura is not installed. DataError: too large, too deep, broken.
    """
    check_packages(["trafilatura"], asked)
    html = page_characters(data, charset)
    if len(html) > MOST_PAGE:
        found = f"it has {len(html):,} characters, more than the {MOST_PAGE:,} of one page"
        raise DataError(asked, found, "Give its text as a .txt file")
    _check_tags(html, asked)
    document = _extracted(html, asked)
    text = (document.text or "").strip() if document is not None else ""
    if document is None or not text:
        head = _TITLE.search(html[:_HEAD])
        title = fragment_text(head[1]) if head else ""
        return Article("", "", title=title, url=url, why=NO_MAIN_TEXT)
    return Article(
        "",
        text,
        title=document.title or "",
        outlet=document.sitename or "",
        date=iso_date(document.date),
        topic=(document.categories or [""])[0],
        url=url or document.url or "",
    )


def page_characters(data: bytes, charset: str = "") -> str:
    """The characters of a page, whose encoding is told as browsers tell it.

    Rule: a byte order mark; else what the server named; else `<meta charset>` in the first 2,048
    bytes; else UTF-8 where the bytes are that; else windows-1252. Undecodable bytes are U+FFFD.

    >>> page_characters(b"caf\\xe9"), page_characters("café".encode())
    ('café', 'café')
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    meta = _CHARSET.search(data[:2048])
    for name in (charset, meta[1].decode("ascii") if meta else ""):
        known = _text_encoding(name)
        if known:
            return data.decode(known, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("windows-1252", "replace")


def fragment_text(html: str) -> str:
    """The text of a piece of HTML, such as an entry of a feed: blocks are paragraphs.

    >>> fragment_text("<p>One &amp; <b>two</b></p><script>x()</script><p>Three</p>")
    'One & two\\n\\nThree'
    """
    pieces: list[str] = []
    unseen = ""
    place = 0
    html = _without_comments(html)
    for tag in _TAG.finditer(html):
        if not unseen:
            pieces.append(html[place : tag.start()])
        place = tag.end()
        name = tag[2].lower()
        if unseen:
            unseen = "" if tag[1] and name == unseen else unseen
        elif name in _UNSEEN and not tag[1] and not tag[3].endswith("/"):
            unseen = name
        elif name == "br":
            pieces.append("\0")
        elif name in _BLOCK:
            pieces.append("\0\0")
    if not unseen:
        pieces.append(html[place:])
    text = unescape(re.sub(r"[^\S\0]+", " ", "".join(pieces)))
    blocks = ("\n".join(map(str.strip, block.split("\0"))) for block in re.split("\0\0+", text))
    return "\n\n".join(block for block in map(str.strip, blocks) if block)


def _without_comments(html: str) -> str:
    pieces: list[str] = []
    place = 0
    while (start := html.find("<!--", place)) >= 0:
        pieces.append(html[place:start])
        end = html.find("-->", start + 4)
        place = end + 3 if end >= 0 else len(html)
    return "".join([*pieces, html[place:]])


def _text_encoding(name: str) -> str:
    try:
        found = codecs.lookup(name.strip()) if name else None
    except (LookupError, ValueError):
        return ""
    # Not those of Python that turn bytes to bytes, or names of hosts.
    sound = found is not None and getattr(found, "_is_text_encoding", False)
    return found.name if found and sound and found.name not in {"idna", "punycode"} else ""


def _check_tags(html: str, asked: str) -> None:
    depth = deepest = 0
    for tag in _NEST.finditer(html):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        deepest = max(deepest, depth)
    count = sum(1 for _ in _OPENED.finditer(html))
    if deepest > _DEEPEST or count > _MOST_TAGS:
        within = f"{_DEEPEST} elements within one another"
        found = f"it has more than {within if deepest > _DEEPEST else f'{_MOST_TAGS:,} elements'}"
        raise DataError(asked, found, "Give its text as a .txt file")


def _extracted(html: str, asked: str) -> Any:
    try:
        from trafilatura import bare_extraction
    except ImportError as error:
        found = f"trafilatura cannot be loaded ({error})"
        raise MissingExtra(asked, found, 'Run pip install "slant[analyze]"') from None
    try:
        with quiet("trafilatura", "htmldate", "courlan", "justext"):
            return bare_extraction(
                html,
                with_metadata=True,
                include_comments=False,
                include_tables=False,
                date_extraction_params={"extensive_search": False, "original_date": True},
            )
    except (Exception, RecursionError) as error:
        # A parser of strangers' pages may fail in any way: that is a fault of this page.
        found = f"its HTML cannot be read ({type(error).__name__}: {str(error)[:100]})"
        raise DataError(asked, found, "Save the page again, or give its text as .txt") from None


@contextmanager
def quiet(*names: str) -> Iterator[None]:
    """Keep the log of these packages silent: what matters of it becomes an error or a reason."""
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
