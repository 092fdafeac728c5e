"""An OpenAI-compatible server on 127.0.0.1: what it says is a function, and how it says it too."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-scripted-1234567890"
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@dataclass
class Reply:
    """One HTTP answer: a completion, or a status with headers."""

    content: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    stop: str = "stop"
    message: str = "scripted"


def completion(content: str | None, model: str, stop: str = "stop") -> dict[str, Any]:
    """What a server says where it answers."""
    message = {"role": "assistant", "content": content}
    return {
        "id": "1", "object": "chat.completion", "created": 1, "model": model,
        "choices": [{"index": 0, "finish_reason": stop, "message": message}], "usage": {**USAGE},
    }  # fmt: skip


def send(handler: BaseHTTPRequestHandler, reply: Reply, model: str) -> None:
    """Say it, to whoever is still there."""
    time.sleep(reply.wait)
    content = completion(reply.content, model, reply.stop)
    if reply.status != 200:
        content = {"error": {"message": reply.message, "type": "scripted", "code": None}}
    data = json.dumps(content).encode()
    with suppress(BrokenPipeError, ConnectionResetError):
        handler.send_response(reply.status)
        headers = {"content-type": "application/json", **reply.headers}
        for name, value in {**headers, "content-length": str(len(data))}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)


@contextmanager
def listening(
    posted: Callable[[BaseHTTPRequestHandler, dict[str, Any]], None],
    got: Callable[[BaseHTTPRequestHandler], None] | None = None,
    protocol: str = "HTTP/1.0",
) -> Iterator[str]:
    """The server, for as long as the block lasts; yields its address.

    Args:
        posted: called with each POST and its JSON.
        got: called with each GET.
        protocol: of its answers; connections are kept from HTTP/1.1 on.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = protocol

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            data = self.rfile.read(length)
            # Less came where the client has gone away.
            if len(data) == length:
                posted(self, json.loads(data))
            else:
                self.close_connection = True

        def do_GET(self) -> None:
            if got is None:
                self.send_error(405)
            else:
                got(self)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        # The usual five refuse connections when a busy machine lets twenty wait.
        request_queue_size = 128

        def handle_error(self, *args: Any) -> None:
            """A client that has gone away is no error."""
            if not isinstance(sys.exception(), OSError):
                super().handle_error(*args)

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
