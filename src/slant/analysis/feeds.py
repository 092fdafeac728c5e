"""RSS and Atom feeds -> the articles that they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from slant.analysis.article import Article
from slant.analysis.dates import told_date
from slant.analysis.elements import read_elements
from slant.analysis.pages import fragment_text
from slant.errors import DataError

_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_RSS1: Final = "{http://purl.org/rss/1.0/}"
_CONTENT: Final = "{http://purl.org/rss/1.0/modules/content/}encoded"
_DUBLIN: Final = "{http://purl.org/dc/elements/1.1/}"
_XHTML: Final = "{http://www.w3.org/1999/xhtml}"


def feed_articles(data: bytes, asked: str) -> Iterator[Article]:
    """The entries of a feed, each an article of what the feed itself holds of it.

    Rule: the content of an entry, else its summary, tags taken away and blocks as paragraphs. The
    pages that entries link to are not fetched. The outlet is the feed's title, the topic an
    entry's first category.

    Args:
        data: the feed.
        asked: what is attempted, for the error.

    Returns:
        Articles with the entry's id or none; an entry without text has `why`.

    Raises:
        DataError: no XML, or XML that is no feed.
    """
    root = read_elements(data, asked)
    if root.tag == f"{_ATOM}feed":
        outlet = _markup(root.find(f"{_ATOM}title"))
        entries = root.findall(f"{_ATOM}entry")
        yield from (_entry(one, outlet, n) for n, one in enumerate(entries, start=1))
        return
    space = _RSS1 if root.find(f"{_RSS1}channel") is not None else ""
    channel = root.find(f"{space}channel")
    if channel is None:
        name = root.tag.rpartition("}")[2][:40]
        found = f"it is XML, but no RSS or Atom feed (its root is <{name}>)"
        raise DataError(asked, found, "Give a feed, or the text in another form")
    outlet = fragment_text(channel.findtext(f"{space}title") or "")
    items = root.findall(f"{space}item") if space else channel.findall("item")
    yield from (_item(one, outlet, n, space) for n, one in enumerate(items, start=1))


def _item(item: Element, outlet: str, number: int, space: str) -> Article:
    def said(name: str) -> str:
        return (item.findtext(f"{space}{name}") or "").strip()

    link = said("link")
    content = item.findtext(_CONTENT) or said("description")
    return _article(
        number,
        said("guid") or link,
        fragment_text(content),
        title=fragment_text(said("title")),
        outlet=outlet,
        date=said("pubDate") or item.findtext(f"{_DUBLIN}date") or "",
        topic=said("category") or item.findtext(f"{_DUBLIN}subject") or "",
        url=link,
    )


def _entry(entry: Element, outlet: str, number: int) -> Article:
    links = {
        link.get("rel", "alternate"): link.get("href", "")
        for link in reversed(entry.findall(f"{_ATOM}link"))
    }
    category = entry.find(f"{_ATOM}category")
    content = _markup(entry.find(f"{_ATOM}content")) or _markup(entry.find(f"{_ATOM}summary"))
    dates = (entry.findtext(f"{_ATOM}{name}") for name in ("published", "updated"))
    return _article(
        number,
        (entry.findtext(f"{_ATOM}id") or "").strip(),
        content,
        title=_markup(entry.find(f"{_ATOM}title")),
        outlet=outlet,
        date=next((date for date in dates if date), ""),
        topic=(category.get("label") or category.get("term") or "") if category is not None else "",
        url=links.get("alternate", ""),
    )


def _article(number: int, own: str, text: str, *, title: str, outlet: str, date: str,
             topic: str, url: str) -> Article:  # fmt: skip
    return Article(
        own,
        text,
        title=_line(title),
        outlet=_line(outlet),
        date=told_date(date),
        topic=_line(topic),
        url=url if url.startswith(("http://", "https://")) else "",
        origin=f"entry {number}",
        why="" if text else "The feed holds no text of this entry.",
    )


def _markup(construct: Element | None) -> str:
    """The text of an Atom text construct, which is plain, escaped HTML, or XHTML elements."""
    if construct is None:
        return ""
    kind = construct.get("type", "text").lower()
    if kind in {"xhtml", "application/xhtml+xml"}:
        return fragment_text(ElementTree.tostring(_plain_names(construct), encoding="unicode"))
    text = construct.text or ""
    return fragment_text(text) if kind in {"html", "text/html"} else text.strip()


def _plain_names(node: Element) -> Element:
    for one in node.iter():
        one.tag = one.tag.removeprefix(_XHTML).rpartition("}")[2]
        one.attrib.clear()
    node.tail = None
    return node


def _line(text: str) -> str:
    return " ".join(text.split())
