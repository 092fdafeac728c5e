"""Any address of a wiki -> its api.php."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

from slant.data.addresses import without_credentials
from slant.errors import DataError
from slant.wikis.api import Api, Wiki, read_wiki
from slant.wikis.connection import Answer, Later, checked_address
from slant.wikis.replies import Blocked, reply
from slant.wikis.visits import Forbidden, Visitor, retry_after

USUAL = ("/w/api.php", "/api.php", "/wiki/api.php", "/mediawiki/api.php")
_LINK = re.compile(r"<link\b[^>]{0,2000}>", re.IGNORECASE)
_ADDRESS = re.compile(r"""\bhref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_GENERATOR = re.compile(r"""<meta\b[^>]{0,200}content=["'](MediaWiki [^"']{1,40})""", re.IGNORECASE)


def find_wiki(url: str, visitor: Visitor) -> Wiki:
    """The wiki that an address belongs to.

    Args:
        url: of its front page, any of its pages, or its api.php; https:// may be left out.
        visitor: how servers are asked.

    Returns:
        What the wiki says of itself, with the address of its api.php.

    Raises:
        DataError: no MediaWiki is there, its API is disabled or wants a login.
        NoAnswer: the server does not answer.
    """
    given = checked_address(url)
    if urlsplit(given).path.endswith("/api.php"):
        return read_wiki(Api(given.partition("?")[0], visitor))
    asked = f"Finding the wiki at '{without_credentials(url)}'"
    page = visitor.patiently(asked, lambda: _looked_at(given, visitor))
    linked = linked_api(page)
    candidates = dict.fromkeys([*([linked] if linked else []), *usual_places(page.url)])
    refused: list[DataError] = []
    for candidate in candidates:
        try:
            if _answers(candidate, visitor, asked):
                return read_wiki(Api(candidate, visitor))
        except (Forbidden, Blocked) as error:
            refused.append(error)
    generator = _GENERATOR.search(page.text)
    if refused and (generator or linked or page.status == 403):
        raise refused[0]
    if "userlogin" in page.url.lower() or page.status == 401:
        found = "it asks for a login, and shows no API without"
        raise DataError(asked, found, "slant reads what everybody may read; ask for a dump")
    if generator or linked:
        found = (
            f"it is a {generator[1] if generator else 'MediaWiki'}, but its API is not to be had"
        )
        raise DataError(asked, found, "Give the address of its api.php, or use a dump")
    status = "" if page.status == 200 else f" (the server answers {page.status})"
    found = f"no MediaWiki is there{status}"
    raise DataError(asked, found, "Check the address, or give that of the wiki's api.php")


def linked_api(page: Answer) -> str | None:
    """The api.php that a page of a wiki names in its EditURI link, on the page's own server.

    >>> from slant.wikis.connection import Answer
    >>> link = b'<link rel="EditURI" href="//wiki.example/w/api.php?action=rsd"/>'
    >>> linked_api(Answer("https://www.wiki.example/wiki/A", 200, {}, link))
    'https://www.wiki.example/w/api.php'
    """
    for link in _LINK.findall(page.text):
        address = _ADDRESS.search(link)
        if address and re.search(r"\brel\s*=\s*[\"']?EditURI", link, re.IGNORECASE):
            try:
                path = urlsplit(urljoin(page.url, unescape(address[1]))).path
            except ValueError:
                continue
            # The host that a wiki believes it has is often not the one that it is reached by.
            return urljoin(page.url, path) if path.endswith("/api.php") else None
    return None


def usual_places(url: str) -> list[str]:
    """Where the api.php of a page's wiki may be, the likeliest first.

    >>> usual_places("https://a.example/kb/index.php/Main_Page")[:2]
    ['https://a.example/kb/api.php', 'https://a.example/w/api.php']
    """
    path = urlsplit(url).path
    before, found, _ = path.partition("/index.php")
    own = [f"{before}/api.php"] if found else []
    if "/wiki/" in path and not found:
        above = path.partition("/wiki/")[0]
        own = [f"{above}/w/api.php", f"{above}/api.php", f"{above}/wiki/api.php"]
    return [urljoin(url, place) for place in dict.fromkeys([*own, *USUAL])]


def _looked_at(url: str, visitor: Visitor) -> Answer:
    page = visitor.ask(url)
    if page.status in {408, 425, 429} or page.status >= 500:
        raise Later(
            f"the server answers {page.status}",
            f"status-{page.status}",
            retry_after(page.headers),
        )
    return page


def _answers(candidate: str, visitor: Visitor, asked: str) -> bool:
    """Whether something that speaks as api.php is there: it may still refuse everything."""
    answer = visitor.patiently(
        asked, lambda: _looked_at(f"{candidate}?action=query&format=json", visitor)
    )
    try:
        reply(answer)
    except Later as trouble:
        return trouble.code != "no-json" and not trouble.code.startswith("status-")
    return True
