"""The scripted servers of the tests, each in a process of its own that notes what it is asked."""

from __future__ import annotations

import hashlib
import http.server
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
for _part in ("runs", "wikis", "systems"):
    sys.path.append(str(TESTS / _part))


@dataclass(frozen=True)
class Served:
    """Where a server is, and the file to which it adds a line for each question."""

    url: str
    log: Path

    def asked(self) -> list[str]:
        """A sum for each question that came, in order."""
        return self.log.read_text("utf-8").split() if self.log.exists() else []


@contextmanager
def served(kind: str, log: Path) -> Iterator[Served]:
    """A server of a kind, in a process of its own for as long as the block lasts."""
    hear, tell = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with SERVERS[kind](log) as url:
            os.write(tell, url.encode() + b"\n")
            signal.pause()
        os._exit(0)
    os.close(tell)
    with os.fdopen(hear) as lines:
        url = lines.readline().strip()
    try:
        yield Served(url, log)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _noted(log: Path, question: Any) -> None:
    line = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
    with log.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


@contextmanager
def _triggers(log: Path) -> Iterator[str]:
    from scriptedmodel import Reply, made_articles, right, scripted_server

    known = right(made_articles(ARTICLES))

    def reply(text: str, before: int, body: dict[str, Any]) -> Any:
        _noted(log, body["messages"])
        return Reply(known(text, before, body).content, wait=0.005)

    with scripted_server(reply) as script:
        yield script.url


ARTICLES = 8
"""That the scripted model knows."""


@contextmanager
def _vision(log: Path) -> Iterator[str]:
    from scriptedvision import Said, ruling, vision_server

    def reply(sent: Any, before: int) -> Any:
        _noted(log, [sent.body["model"], sent.body["messages"]])
        label = {"label": "biased", "rationale": "It is loaded."}
        text = ruling() if sent.model == "judge" else json.dumps(label)
        return Said(text, wait=0.005)

    with vision_server(reply) as server:
        yield server.url


@contextmanager
def _wiki(log: Path) -> Iterator[str]:
    from scriptedwiki import made_pages, serving

    with serving(made_pages(40)) as wiki:
        wiki.after = lambda path, params: _noted(log, [path, params])
        yield wiki.url


TABLE = b"".join(b"%d;a sentence of a table that is sent in pieces\n" % n for n in range(20_000))
"""What is fetched: some hundred thousand bytes."""


@contextmanager
def _table(log: Path) -> Iterator[str]:
    """A file that is sent in pieces, from where it is asked for."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            span = self.headers.get("Range") or "bytes=0-"
            start = int(span.removeprefix("bytes=").rstrip("-"))
            _noted(log, [self.path, start])
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(TABLE) - 1}/{len(TABLE)}")
            self.send_header("Content-Length", str(len(TABLE) - start))
            self.send_header("ETag", '"one"')
            self.end_headers()
            with suppress(OSError):
                for place in range(start, len(TABLE), 1 << 16):
                    self.wfile.write(TABLE[place : place + (1 << 16)])
                    time.sleep(0.005)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"


SERVERS: dict[str, Callable[[Path], AbstractContextManager[str]]] = {
    "triggers": _triggers,
    "vision": _vision,
    "wiki": _wiki,
    "table": _table,
}
