"""A wiki on 127.0.0.1 that does what a test's script says, and remembers what it was asked."""

from __future__ import annotations

import gzip
import http.server
import json
import threading
from collections.abc import Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from slant.wikis.visits import Manners

QUICK = Manners(contact="jo@uni.example", attempts=3, wait=0.01, longest_wait=5.0, timeout=5.0)
FRONT = (
    '<html><head><meta name="generator" content="MediaWiki 1.39.17"/>'
    '<link rel="EditURI" type="application/rsd+xml" href="//elsewhere.example/w/api.php?action=rsd"/>'
    "</head><body>A wiki</body></html>"
)


class Made(NamedTuple):
    """A page of the wiki."""

    title: str
    revision: int
    text: str
    redirect: bool = False
    model: str = "wikitext"


class Said(NamedTuple):
    """An answer that a script gives in place of the wiki's own."""

    status: int
    body: bytes | str | dict
    headers: Mapping[str, str] = MappingProxyType({})


def made_pages(count, first=1):
    """`count` pages with ids in steps of 3, their revision ten times the id."""
    return {
        id_: Made(f"Title {id_}", 10 * id_, f"Text of page {id_}, long enough to be one.")
        for id_ in range(first, first + 3 * count, 3)
    }


class ScriptedWiki(http.server.ThreadingHTTPServer):
    """A MediaWiki of a few pages; lists `limit` of them in one answer."""

    daemon_threads = True

    def __init__(self, pages):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = dict(pages)
        self.robots: str | None = None
        self.front, self.place = FRONT, "/w/api.php"
        self.limit, self.old = 4, False
        self.script = lambda path, params: None
        self.after = lambda path, params: None
        self.asked: list[dict[str, str]] = []
        self.agents: set[str] = set()
        self.connections = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def asked_pages(self):
        """Ids of all pages that were asked for, in the order of the requests."""
        ids = [one.get("pageid") or one.get("pageids", "") for one in self.asked]
        return [int(id_) for text in ids if text for id_ in text.split("|")]

    def lists(self):
        """How many times a list of pages was asked for."""
        return sum(one.get("generator") == "allpages" for one in self.asked)

    def handle_error(self, request, client_address):
        pass

    def answer(self, params):
        if params.get("meta") == "siteinfo":
            return self.siteinfo()
        if params.get("generator") == "allpages":
            return self.listed(params)
        if params.get("action") == "parse":
            return self.parsed(int(params["pageid"]))
        if params.get("prop", "").startswith("revisions"):
            return self.written([int(one) for one in params["pageids"].split("|")], params)
        return {"batchcomplete": True}

    def siteinfo(self):
        spaces = {"0": {"id": 0, "content": True}, "1": {"id": 1, "content": False}}
        if self.old:
            spaces = {"0": {"id": 0, "content": ""}, "1": {"id": 1}}
        return {
            "query": {
                "general": {
                    "sitename": "Scripted",
                    "generator": "MediaWiki 1.22.0" if self.old else "MediaWiki 1.39.17",
                    "lang": "en",
                },
                "namespaces": spaces,
                "statistics": {"articles": len(self.pages)},
                "rightsinfo": {"text": "CC0", "url": "https://cc0.example"},
            }
        }

    def listed(self, params):
        # In the order of titles, as a wiki does, which is not that of the ids.
        ids = sorted(self.pages, key=lambda id_: self.pages[id_].title)
        start = int(params.get("gapcontinue", 0))
        found = [
            {
                "pageid": id_,
                "title": self.pages[id_].title,
                "lastrevid": self.pages[id_].revision,
                "contentmodel": self.pages[id_].model,
                **({"redirect": "" if self.old else True} if self.pages[id_].redirect else {}),
            }
            for id_ in ids[start : start + self.limit]
        ]
        said = {
            "query": {"pages": {str(one["pageid"]): one for one in found} if self.old else found}
        }
        if start + self.limit < len(ids):
            assert params.get("continue", "") == ("" if start == 0 else "gapcontinue||")
            said["continue"] = {"gapcontinue": start + self.limit, "continue": "gapcontinue||"}
        return said

    def parsed(self, id_):
        if id_ not in self.pages:
            return {"error": {"code": "nosuchpageid", "info": f"There is no page with ID {id_}."}}
        page = self.pages[id_]
        html = f'<div class="mw-parser-output"><p>{page.text}</p></div>'
        if page.redirect:
            html = '<div class="redirectMsg"><p>Redirect to:</p></div>'
        said = {"title": page.title, "pageid": id_, "revid": page.revision}
        return {"parse": {**said, "text": {"*": html} if self.old else html}}

    def written(self, ids, params):
        """At most two pages an answer, as where the size of answers is limited."""
        start = int(params.get("rvcontinue", 0))
        found = []
        for at, id_ in enumerate(ids):
            if id_ not in self.pages:
                found.append({"pageid": id_, "missing": "" if self.old else True})
                continue
            page = self.pages[id_]
            one = {"pageid": id_, "title": page.title}
            if start <= at < start + 2:
                slot = {"contentmodel": page.model, "*" if self.old else "content": page.text}
                latest = {"revid": page.revision}
                one["revisions"] = [latest | (slot if self.old else {"slots": {"main": slot}})]
            found.append(one)
        said = {
            "query": {"pages": {str(one["pageid"]): one for one in found} if self.old else found}
        }
        if start + 2 < len(ids):
            said["continue"] = {"rvcontinue": start + 2, "continue": "||info"}
        return said


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.server.connections += 1

    def log_message(self, *_args):
        pass

    def do_GET(self):
        wiki, parts = self.server, urlsplit(self.path)
        params = {key: values[0] for key, values in parse_qs(parts.query, True).items()}
        wiki.asked.append({"path": parts.path, **params})
        wiki.agents.add(self.headers["User-Agent"])
        said = wiki.script(parts.path, params)
        if said is None:
            said = self.own(parts.path, params)
        self.send(said)
        wiki.after(parts.path, params)

    def own(self, path, params):
        wiki = self.server
        if path == "/robots.txt":
            kind = {"Content-Type": "text/plain"}
            return Said(404, "") if wiki.robots is None else Said(200, wiki.robots, kind)
        if path == wiki.place:
            return Said(200, wiki.answer(params))
        if path in {"/", "/wiki/Some_page"}:
            return Said(200, wiki.front, {"Content-Type": "text/html"})
        return Said(404, "<html>Not found</html>", {"Content-Type": "text/html"})

    def send(self, said):
        body = json.dumps(said.body) if isinstance(said.body, dict) else said.body
        data = body if isinstance(body, bytes) else body.encode()
        headers = dict(said.headers)
        if "gzip" in self.headers.get("Accept-Encoding", "") and "Content-Encoding" not in headers:
            data, headers["Content-Encoding"] = gzip.compress(data, 1), "gzip"
        self.send_response(said.status)
        for key, value in headers.items():
            self.send_header(key, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serving(pages):
    """The wiki, answering from a thread."""
    wiki = ScriptedWiki(pages)
    thread = threading.Thread(target=wiki.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield wiki
    finally:
        wiki.shutdown()
        wiki.server_close()
        thread.join()
