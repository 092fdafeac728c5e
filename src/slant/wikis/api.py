"""A client of MediaWiki's api.php: what the wiki is, its content pages, their HTML or wikitext."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from slant.errors import DataError, WorkFailed
from slant.wikis.replies import reply
from slant.wikis.visits import Visitor

MOST_IDS = 50
"""Pages that one request may name, for whoever is not logged in."""


class Revision(NamedTuple):
    """A page at one of its versions: `content` is HTML or wikitext, None where nobody may read it,
    or where it is not of wikitext."""

    id: int
    title: str
    number: int
    content: str | None
    redirect: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """One answer of a list of pages: (id, latest revision) of each; `next` is what to ask to go
    on, None at the end."""

    pages: tuple[tuple[int, int], ...]
    next: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Wiki:
    """What a wiki says of itself.

    Fields:
        api: address of its api.php.
        name, language, generator: such as "RationalWiki", "en", "MediaWiki 1.39.17".
        licence, licence_url: of its texts; "" where it does not say.
        articles: its own count of content pages, which may be off.
        namespaces: numbers of the namespaces that hold content.
    """

    api: str
    name: str
    language: str
    generator: str
    licence: str
    licence_url: str
    articles: int
    namespaces: tuple[int, ...]


class Api:
    """Requests to one api.php.

    Args:
        url: its address.
        visitor: how they are sent.
    """

    def __init__(self, url: str, visitor: Visitor) -> None:
        self.url, self.visitor = url, visitor

    def ask(self, **params: str | int) -> dict[str, Any]:
        """The JSON answer to one request, asked again while the wiki is busy.

        Raises:
            Refusal: an error that comes again. NoAnswer: attempts are used up.
            DataError: the wiki wants a login, or its API is disabled.
        """
        return self.visitor.patiently(f"Asking {self.url}", lambda: self.ask_once(**params))

    def ask_once(self, **params: str | int) -> dict[str, Any]:
        """As `ask`, in one attempt.

        Raises:
            Later: no answer that counts.
        """
        # The action first: a robots.txt may allow api.php?action= and nothing else.
        query = {**params, "format": "json", "formatversion": 2}
        query["maxlag"] = self.visitor.manners.lag
        return reply(self.visitor.ask(f"{self.url}?{urlencode(query, safe='|')}"))


def read_wiki(api: Api) -> Wiki:
    """What the wiki says of itself.

    Raises:
        DataError: it is no MediaWiki, or one too old (before 1.21, of 2013).
    """
    said = api.ask(
        action="query", meta="siteinfo", siprop="general|namespaces|statistics|rightsinfo"
    )
    asked = f"Asking {api.url} what it is"
    query = said.get("query")
    general = query.get("general") if isinstance(query, dict) else None
    if not isinstance(query, dict) or not isinstance(general, dict):
        raise DataError(asked, "it answers as no MediaWiki does", "Give the address of a wiki")
    generator = str(general.get("generator", ""))
    if _version(generator) < (1, 21):
        found = f"it is '{generator}', which cannot be asked page after page"
        raise DataError(asked, found, "Use a dump of the wiki (slant wiki dump)")
    with _understood(api):
        spaces = query.get("namespaces") or {}
        rights = query.get("rightsinfo") or {}
        content = sorted(int(number) for number, one in spaces.items() if _flag(one, "content"))
        return Wiki(
            api.url,
            str(general.get("sitename", "")),
            str(general.get("lang", "")),
            generator,
            str(rights.get("text") or ""),
            str(rights.get("url") or ""),
            int((query.get("statistics") or {}).get("articles") or 0),
            tuple(content) or (0,),
        )


def content_pages(
    api: Api, namespace: int, start: Mapping[str, str] | None = None
) -> Iterator[Listing]:
    """All pages of a namespace that are no redirects, answer by answer.

    Args:
        api: whom to ask.
        namespace: its number.
        start: the `next` of a listing that is here; None: from the beginning.

    Raises:
        WorkFailed: the wiki's continuation goes in a circle.
    """
    fixed: dict[str, str | int] = {
        "action": "query",
        "generator": "allpages",
        "gapnamespace": namespace,
        "gapfilterredir": "nonredirects",
        "gaplimit": "max",
        "prop": "info",
    }
    following = dict(start) if start is not None else {"continue": ""}
    while True:
        said = api.ask(**fixed, **following)
        with _understood(api):
            pages = tuple(
                (_whole(one, "pageid", api), _whole(one, "lastrevid", api))
                for one in _pages(said)
                if not _flag(one, "redirect") and one.get("contentmodel", "wikitext") == "wikitext"
            )
            after = _following(said)
        if after == following:
            found = f"the list of pages goes on at the same place ({json.dumps(after)[:100]})"
            raise WorkFailed(f"Asking {api.url}", found, "Tell the wiki's people, or use a dump")
        yield Listing(pages, after)
        if after is None:
            return
        following = after


def page_html(api: Api, id_: int) -> Revision:
    """A page as the wiki shows it, without edit links and table of contents.

    Raises:
        Refusal: the page is gone, or may not be read.
    """
    said = api.ask(
        action="parse",
        pageid=id_,
        prop="text|revid",
        disableeditsection=1,
        disabletoc=1,
        disablelimitreport=1,
    ).get("parse")
    if not isinstance(said, dict):
        raise _unlike(api, f"the answer for page {id_} has no 'parse'")
    html = said.get("text")
    html = html.get("*") if isinstance(html, dict) else html
    if not isinstance(html, str):
        raise _unlike(api, f"the answer for page {id_} has no text")
    number = _whole(said, "revid", api)
    return Revision(id_, str(said.get("title", "")), number, html, 'class="redirectMsg"' in html)


def page_wikitexts(api: Api, ids: Sequence[int]) -> dict[int, Revision]:
    """The wikitext of up to `MOST_IDS` pages; one that is gone is left out of the answer."""
    fixed: dict[str, str | int] = {
        "action": "query",
        "pageids": "|".join(map(str, ids)),
        "prop": "revisions|info",
        "rvprop": "ids|content",
        "rvslots": "main",
    }
    found: dict[int, dict[str, Any]] = {}
    following: dict[str, str] | None = {"continue": ""}
    while following is not None:
        said = api.ask(**fixed, **following)
        with _understood(api):
            for one in _pages(said):
                if not (_flag(one, "missing") or _flag(one, "invalid")):
                    found.setdefault(_whole(one, "pageid", api), {}).update(one)
            # A long answer stops before the limit and goes on here.
            following = _following(said)
    with _understood(api):
        return {
            id_: _revision(api, id_, found[id_])
            for id_ in ids
            if id_ in found and found[id_].get("revisions")
        }


def _revision(api: Api, id_: int, page: Mapping[str, Any]) -> Revision:
    latest = page["revisions"][0]
    slot = (latest.get("slots") or {}).get("main", latest)
    content = slot.get("content", slot.get("*"))
    if slot.get("contentmodel", "wikitext") != "wikitext":
        content = None
    number = _whole(latest, "revid", api)
    return Revision(id_, str(page.get("title", "")), number, content, _flag(page, "redirect"))


@contextmanager
def _understood(api: Api) -> Iterator[None]:
    """Within the block, an answer that is built as no wiki builds it is one clear error."""
    try:
        yield
    except (AttributeError, TypeError, KeyError, IndexError, ValueError, OverflowError) as error:
        raise _unlike(api, f"its answer has no known form ({type(error).__name__})") from error


def _following(said: Mapping[str, Any]) -> dict[str, str] | None:
    further = said.get("continue")
    return {key: str(value) for key, value in further.items()} if further else None


def _pages(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    # A list since version 1.25, before it an object whose keys are the ids.
    pages = (said.get("query") or {}).get("pages") or []
    return list(pages.values()) if isinstance(pages, dict) else list(pages)


def _flag(one: Mapping[str, Any], name: str) -> bool:
    # True or false since version 1.25, before it there with "" or not there.
    return one.get(name, False) not in (False, None)


def _whole(one: Mapping[str, Any], name: str, api: Api) -> int:
    value = one.get(name)
    if not isinstance(value, int) or value < 0:
        raise _unlike(api, f"a page has the {name} {value!r}")
    return value


def _version(generator: str) -> tuple[int, ...]:
    name, _, number = generator.partition(" ")
    parts = number.split(".")[:2]
    if name != "MediaWiki" or len(parts) < 2:
        return (0,)
    return tuple(int("".join(sign for sign in part if sign.isdecimal()) or 0) for part in parts)


def _unlike(api: Api, found: str) -> WorkFailed:
    return WorkFailed(f"Asking {api.url}", found, "Try again later, or use a dump of the wiki")
