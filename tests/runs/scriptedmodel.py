"""An OpenAI-compatible server on 127.0.0.1 that answers as a script says, and counts."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from slant.systems.triggeranswers import answer_json
from slant.types import Answer, Example, Item, Mark, Span

CODES = ("B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B09")
MODEL = "openai-api/scripted/small"
KEY = "sk-scripted-1234567890"


@dataclass
class Reply:
    """One HTTP answer: a completion, or a status with headers."""

    content: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    stop: str = "stop"
    message: str = "scripted"


@dataclass
class Scripted:
    """What the server does and has seen.

    Fields:
        reply: (article text, how often this conversation came before, request) -> reply.
        asked: by (article text, number of examples), how many requests.
        requests: the bodies.
    """

    reply: Callable[[str, int, dict], Reply]
    asked: Counter = field(default_factory=Counter)
    conversations: Counter = field(default_factory=Counter)
    requests: list[dict] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    url: str = ""


@contextmanager
def scripted_server(reply):
    """The server, for as long as the block lasts."""
    script = Scripted(reply)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args):
            """Say nothing."""

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            text = body["messages"][-1]["content"]
            seen = json.dumps(body["messages"])
            with lock:
                before = script.conversations[seen]
                script.conversations[seen] += 1
                script.asked[text, (len(body["messages"]) - 2) // 2] += 1
                script.requests.append(body)
                script.keys.add(self.headers["authorization"].removeprefix("Bearer "))
            one = script.reply(text, before, body)
            if one.wait:
                time.sleep(one.wait)
            if one.status != 200:
                content = {"error": {"message": one.message, "type": "scripted", "code": None}}
            else:
                content = {
                    "id": "1", "object": "chat.completion", "created": 1, "model": "small-2026",
                    "choices": [
                        {"index": 0, "finish_reason": one.stop,
                         "message": {"role": "assistant", "content": one.content}}
                    ],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
                }  # fmt: skip
            sent = json.dumps(content).encode()
            try:
                self.send_response(one.status)
                for name, value in {"content-type": "application/json", **one.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)
            except (BrokenPipeError, ConnectionResetError):
                return

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        # The usual five refuse connections when a busy machine lets twenty wait.
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def made_articles(number: int) -> list[Example]:
    """Short annotated articles: one trigger of two spans in every second one."""
    found = []
    for n in range(1, number + 1):
        claim = f"Bridge {n} will fall."
        text = f"Report {n}. {claim} The council met on Monday.\r\nAgain: {claim} 🌉 End of {n}."
        first, second = text.index(claim), text.rindex(claim)
        marks = (
            Mark(
                "B01", (Span(first, first + len(claim)), Span(second, second + len(claim))), id="T1"
            ),
        )
        gold = Answer(frozenset({"B01"}), marks) if n % 2 else Answer()
        found.append(Example(Item(f"article-{n}", text), gold))
    return found


def right(examples):
    """The reply of a model that knows the gold."""
    answers = {one.item.text: answer_json(one.gold, one.item.text, CODES) for one in examples}
    return lambda text, before, body: Reply(answers[text])
