"""Readers of wikis: dumps, answers of an API, robots.txt, pages, markup, journals."""

from __future__ import annotations

import bz2
import gzip
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fuzzed.readers import Files, Reader, content, encoded, from_tests, lines, only, taken, text

ADDRESS = "https://w.example/w/api.php"
PAGE = {"pageid": 3, "title": "Cat", "lastrevid": 30, "contentmodel": "wikitext"}
REVISION = {"revid": 30, "slots": {"main": {"content": "A cat.", "contentmodel": "wikitext"}}}
SITE = {
    "query": {
        "general": {"sitename": "S", "generator": "MediaWiki 1.39.17", "lang": "en"},
        "namespaces": {"0": {"id": 0, "content": True}, "1": {"id": 1, "content": False}},
        "statistics": {"articles": 7},
        "rightsinfo": {"text": "CC0", "url": "https://cc0.example"},
    }
}
LISTED = {
    "warnings": {"error": {"code": "nosuchpageid", "info": "No page."}},
    "query": {"pages": [PAGE, PAGE | {"pageid": 4}]},
    "batchcomplete": True,
}
PARSED = {"parse": {"title": "Cat", "pageid": 3, "revid": 30, "text": "<p>A cat.</p>"}}
WRITTEN = {"query": {"pages": [PAGE | {"revisions": [REVISION]}]}}
ROBOTS = (
    "User-agent: *\nDisallow: /w/\nAllow: /w/api.php\nCrawl-delay: 5\n"
    "User-agent: slant\nDisallow: /x*$\n"
)
WIKITEXT = (
    "'''Cat''' [[animal|animals]] {{cite|a={{b}}}} <ref>x</ref>\n== Head "
    "==\n* one\n{| class=x\n|-\n"
    "| a || b\n|}\n[[File:a.jpg|thumb|''text'' [[b]]]] <!-- c --> &amp; "
    "<nowiki>[[x]]</nowiki> __TOC__\n"
)
HTML = (
    "<div><p>A <b>cat</b>.</p><table><tr><td>x</td></tr></table>"
    "<ul><li>y<ul><li>z</li></ul></li></ul><h2>H</h2></div>"
)


class Answering:
    """What asks a wiki, with answers from a file in the place of a server's."""

    def __init__(self, answers: list[bytes]) -> None:
        from slant.wikis.visits import Manners

        self.answers = answers
        self.manners = Manners()

    def ask(self, url: str) -> Any:
        from slant.wikis.connection import Answer, Later

        if not self.answers:
            raise Later("no further answer", "network")
        return Answer(url, 200, {"content-type": "application/json"}, self.answers.pop(0))

    def patiently(self, asked: str, attempt: Any) -> Any:
        from slant.errors import WorkFailed
        from slant.wikis.connection import Later

        try:
            return attempt()
        except Later as trouble:
            raise WorkFailed(asked, str(trouble), "Try again later") from None


def dump(folder: Path) -> object:
    from slant.wikis.dumps import DumpFacts, read_dump

    facts = DumpFacts()
    return list(read_dump(only(folder), facts=facts)), facts


def answers(folder: Path) -> object:
    """One answer, given to each question that is asked of a wiki."""
    from slant.wikis.api import Api, content_pages, page_html, page_wikitexts, read_wiki

    name, data = only(folder).name, content(folder)
    api: Any = Api(ADDRESS, Answering([data] * 3))  # type: ignore[arg-type]
    if name == "site":
        return read_wiki(api)
    if name == "listed":
        return next(content_pages(api, 0))
    if name == "parsed":
        return page_html(api, 3)
    return page_wikitexts(api, [3, 4])


def found(folder: Path) -> object:
    from slant.wikis.connection import Answer
    from slant.wikis.discovery import linked_api, usual_places

    answer = Answer("https://w.example/wiki/Cat", 200, {}, content(folder))
    return linked_api(answer), usual_places("https://w.example/wiki/Cat"), answer.text


def robots(folder: Path) -> object:
    from slant.wikis.robots import robots_rules
    from slant.wikis.visits import retry_after

    rules = robots_rules(text(folder), "slant")
    return rules.allows("/w/api.php?action=query"), retry_after({"retry-after": text(folder)[:40]})


def pages(folder: Path) -> object:
    from slant.wikis.pages import read_pages, read_source

    return read_source(only(folder)), list(read_pages(only(folder)))


def journal(folder: Path) -> object:
    from slant.wikis.journal import Journal

    kept = Journal(folder / "out.parquet")
    return kept.begin({"wiki": "S"}), list(kept.listings()), list(kept.pages()), kept.known()


def markup(folder: Path) -> object:
    from slant.wikis.markup import markup_text

    return markup_text(text(folder))


def html(folder: Path) -> object:
    from slant.wikis.paragraphs import page_text

    return page_text(text(folder))


def _dumps() -> list[Files]:
    made = from_tests("wikis", "test_dumps")
    plain: bytes = made.SOME
    kinds: Mapping[str, bytes] = {
        "wiki.xml": plain,
        "wiki.xml.bz2": bz2.compress(plain),
        "wiki.xml.gz": gzip.compress(plain, mtime=0),
        "wiki.xml.zst": made.zst(plain),
    }
    return [{name: one} for name, one in kinds.items()]


def _seven_zip() -> Files:
    made = from_tests("wikis", "test_dumps")
    with tempfile.TemporaryDirectory() as place:
        return {"wiki.xml.7z": made.seven_zip(Path(place) / "a", made.SOME)}


def _pages() -> Files:
    from slant.wikis.pages import Page, write_pages

    with tempfile.TemporaryDirectory() as place:
        some = [Page("1", "Dog", 10, "A dog."), Page("3", "Cat", 30, "A cat.")]
        write_pages(Path(place) / "pages.parquet", some, {"kind": "dump", "name": "S"})
        return taken(Path(place))


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    place = ".out.parquet.crawl"
    kept = {
        f"{place}/asked.json": encoded({"wiki": "S"}),
        f"{place}/listed.jsonl": lines([{"namespace": 0, "pages": [[3, 30]], "next": None}]),
        f"{place}/pages.jsonl": lines(
            [{"id": 3, "title": "Cat", "revision": 30, "text": "A."}, {"id": 4, "left_out": "gone"}]
        ),
    }
    said = {"site": SITE, "listed": LISTED, "parsed": PARSED, "written": WRITTEN}
    every: list[Files] = [{name: json.dumps(one).encode()} for name, one in said.items()]
    front = b'<html><link rel="EditURI" href="//w.example/w/api.php?action=rsd"/><body>A</body>'
    return [
        Reader("wikis: a dump", dump, _dumps(), ("wikis.dumps", "wikis.packed")),
        Reader("wikis: a dump in 7z", dump, [_seven_zip()], ("wikis.packed",)),
        Reader("wikis: answers of an API", answers, every, ("wikis.api", "wikis.replies")),
        Reader(
            "wikis: a front page", found, [{"page": front}], ("wikis.discovery", "wikis.connection")
        ),
        Reader("wikis: robots.txt", robots, [{"robots.txt": ROBOTS.encode()}], ("wikis.robots",)),
        Reader("wikis: a file of pages", pages, [_pages()], ("wikis.pages", "wikis.crawl")),
        Reader("wikis: a crawl's journal", journal, [kept], ("wikis.journal",)),
        Reader(
            "wikis: wikitext",
            markup,
            [{"text": WIKITEXT.encode()}],
            ("wikis.markup", "wikis.lines"),
        ),
        Reader("wikis: a page's HTML", html, [{"text": HTML.encode()}], ("wikis.paragraphs",)),
    ]
