"""How a model's server misbehaves: each kind of fault, and whether a whole answer came with it."""

from __future__ import annotations

import gzip
import json
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from scripted import completion

TIMEOUT: Final = 30
"""Seconds of one attempt where the fault is that it takes longer."""
MODEL: Final = "faulty-2026"
GIANT: Final = 300_000
Handler = BaseHTTPRequestHandler
Words = Callable[[str, int], str]
"""(the right answer, a number of the conversation) -> what is answered instead."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to misbehave.

    Fields:
        whole: whether what the client gets is an HTTP answer with a completion, which it keeps.
        send: puts it on the wire: (handler, the right answer, number of the conversation).
        content: what the model says where it says something else than the right answer.
        stop: why it ended then.
    """

    whole: bool
    send: Callable[[Handler, str, int], None]
    content: Words | None = None
    stop: str = "stop"


def body_of(content: str | None, **more: Any) -> bytes:
    """A completion as bytes; `more` replaces its keys."""
    return json.dumps({**completion(content, MODEL), **more}).encode()


def put(handler: Handler, data: bytes, status: str = "200 OK", **headers: str | None) -> None:
    """An answer as it is told to be; None leaves a header out."""
    given = {"content_type": "application/json", "content_length": str(len(data)), **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in given.items() if value]
    raw(handler, "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode() + data)


def raw(handler: Handler, data: bytes) -> None:
    """Bytes on the wire."""
    handler.wfile.write(data)
    handler.wfile.flush()


def closing(send: Callable[[Handler, str, int], None]) -> Callable[[Handler, str, int], None]:
    """The same, and the connection is closed without a word."""

    def closed(handler: Handler, right: str, number: int) -> None:
        send(handler, right, number)
        handler.close_connection = True

    return closed


def whole(send: Callable[[Handler, str, int], None], words: Words | None = None) -> Fault:
    """A fault with which a whole answer comes."""
    return Fault(True, send, words)


def none(send: Callable[[Handler, str, int], None]) -> Fault:
    """A fault with which no answer comes."""
    return Fault(False, send)


def said(words: Words, **more: Any) -> Fault:
    """A whole answer with other words."""
    return whole(lambda h, right, n: put(h, body_of(words(right, n), **more)), words)


def bodied(**more: Any) -> Fault:
    """The right answer, with other facts beside it."""
    return whole(lambda h, right, n: put(h, body_of(right, **more)))


def ended(reason: str, words: Words) -> Fault:
    """A whole answer that ended for a reason of its own."""

    def send(handler: Handler, right: str, number: int) -> None:
        content = completion(words(right, number), MODEL)
        content["choices"][0]["finish_reason"] = reason
        put(handler, json.dumps(content).encode())

    return Fault(True, send, words, reason)


def status(line: str, **headers: str) -> Fault:
    """An error of the server, as providers word it."""
    error = {"error": {"message": f"scripted {line}", "type": "scripted", "code": None}}
    data = json.dumps(error).encode()
    return none(lambda h, right, n: put(h, data, line, **headers))


def _reset(handler: Handler, right: str, number: int) -> None:
    raw(handler, b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{")
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()
    handler.close_connection = True


def _late(handler: Handler, right: str, number: int) -> None:
    time.sleep(TIMEOUT + 0.5)
    put(handler, body_of(right))


def _dribbled(handler: Handler, right: str, number: int) -> None:
    data = body_of(right)
    raw(handler, f"HTTP/1.1 200 OK\r\ncontent-length: {len(data)}\r\n\r\n".encode())
    until, step = time.monotonic() + TIMEOUT + 0.5, 0
    while time.monotonic() < until:
        raw(handler, data[step : step + 1])
        step += 1
        time.sleep(0.2)
    handler.close_connection = True


def _slow(handler: Handler, right: str, number: int) -> None:
    time.sleep(number % 8 / 10)
    put(handler, body_of(right))


def _chunked(handler: Handler, right: str, number: int) -> None:
    data = body_of(right)
    broken = [b"zz\r\n" + data, b"%x\r\n" % len(data) + data + b"\r\n", b"%x\r\n" % 9000 + data]
    head = (
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    raw(handler, head + broken[number % 3])


def _twice(handler: Handler, right: str, number: int) -> None:
    first, second = body_of(right), body_of("an answer that nobody asked for")
    head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n"
    raw(handler, b"".join(head.format(len(one)).encode() + one for one in (first, second)))


def _choices(handler: Handler, right: str, number: int) -> None:
    one = completion(right, MODEL)["choices"][0]
    put(handler, body_of(right, choices=[one, {**one, "index": 1}]))


def _giant(right: str, number: int) -> str:
    mass = ("lorem ipsum " * (GIANT // 12), "{" * GIANT, "[" * GIANT, '{"a":' * (GIANT // 5))
    return [*mass, f"{mass[0]}\n{right}", right + " " * GIANT, '"' * GIANT][number % 7]


def _of_another(right: str, number: int) -> str:
    other = f"bridge {number}"
    shown = json.loads(right)
    shown |= {name: other for name in ("rationale", "reason") if name in shown}
    if "triggers" in shown:
        shown = {"biases_present": ["B02"], "triggers": [{"bias": "B02", "spans": [other]}]}
    return json.dumps(shown)


def _wrong_words(right: str, number: int) -> str:
    wrong = ['{"answer": 42}', "[]", "null", '{"label": 1, "rationale": []}', '"biased"']
    wrong += ['{"biases_present": "B01", "triggers": {}}', '{"supports_gold": "No", "claims": 3}']
    return wrong[number % len(wrong)]


def _wrong_body(handler: Handler, right: str, number: int) -> None:
    bodies = ['{"answer": 42}', "[]", "null", '"text"', "3", '{"choices": 7}', '{"choices": [7]}']
    bodies += ['{"choices": []}', '{"id": 1, "choices": [{"index": 0}]}', '{"error": "busy"}']
    put(handler, bodies[number % len(bodies)].encode())


def _usage(number: int) -> Any:
    more = [{"prompt_tokens": 10**30}, {"total_tokens": 10**400}, {"prompt_tokens": "many"}]
    more += [{"completion_tokens": None}, {"total_tokens": 1.5}, {"prompt_tokens_details": 3}]
    more += [{"prompt_tokens_details": {"cached_tokens": "x"}}, {"completion_tokens": [1]}]
    full = completion(None, MODEL)["usage"]
    return [None, {}, [], "free", 7, *({**full, **one} for one in more)][number % 13]


def _counted(handler: Handler, right: str, number: int) -> None:
    put(handler, body_of(right, usage=_usage(number)))


def _closed_later(handler: Handler, right: str, number: int) -> None:
    put(handler, body_of(right))
    handler.connection.settimeout(0.01)


HTML = b"<!doctype html><html><title>502 Bad Gateway</title><body><h1>nginx</h1></body></html>"
ABSURD = ("1000000000", "-5", "soon", "Wed, 21 Oct 2099 07:28:00 GMT", "nan", "1e99")
FAULTS: Final[dict[str, Fault]] = {
    "slow": whole(_slow),
    "slower than the timeout": none(_late),
    "a byte now and then": none(_dribbled),
    "content-length too long": none(closing(lambda h, right, n: put(
        h, body_of(right), content_length=str(len(body_of(right)) + 50)))),
    "content-length too short": none(lambda h, right, n: put(
        h, body_of(right), content_length=str(len(body_of(right)) - 50))),
    "content-length missing": whole(closing(lambda h, right, n: put(
        h, body_of(right), content_length=None, connection="close"))),
    "chunks broken": none(closing(_chunked)),
    "dropped before a byte": none(closing(lambda h, right, n: None)),
    "dropped in the headers": none(closing(lambda h, right, n: raw(h, b"HTTP/1.1 200 OK\r\ncont"))),
    "dropped in the body": none(closing(lambda h, right, n: raw(
        h, b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n" + body_of(right)[:99]))),
    "reset in the body": none(_reset),
    "no HTTP at all": none(closing(lambda h, right, n: raw(h, b"SSH-2.0-OpenSSH_9.6\r\n"))),
    "another language": said(lambda right, n: (
        "В этой статье нет предвзятости.", "这篇文章没有偏见。", "لا يوجد تحيز")[n % 3]),
    "JSON of another schema": said(_wrong_words),
    "a body of another schema": none(_wrong_body),
    "giant text": said(_giant),
    "invalid UTF-8": none(lambda h, right, n: put(
        h, body_of("x").replace(b'"x"', b'"\xff\xfe\xc3("'))),
    "half a character": said(lambda right, n: f"\ud83d {right}"),
    "usage negative": bodied(usage={
        "prompt_tokens": -5, "completion_tokens": -9, "total_tokens": -10**9}),
    "usage missing": bodied(usage=None),
    "usage huge": bodied(usage={
        "prompt_tokens": 10**15, "completion_tokens": 10**15, "total_tokens": 2 * 10**15}),
    "usage of any kind": whole(_counted),
    "finish_reason length": ended("length", lambda right, n: right[: len(right) // 2]),
    "finish_reason content_filter": ended("content_filter", lambda right, n: ""),
    "finish_reason unknown": ended("banana", lambda right, n: right),
    "400": status("400 Bad Request"),
    "401": status("401 Unauthorized"),
    "403": status("403 Forbidden"),
    "404": status("404 Not Found"),
    "408": status("408 Request Timeout"),
    "409": status("409 Conflict"),
    "413": status("413 Payload Too Large"),
    "422": status("422 Unprocessable Entity"),
    "429": status("429 Too Many Requests"),
    "429, retry-after": status("429 Too Many Requests", retry_after="0.05"),
    "429, retry-after absurd": none(lambda h, right, n: put(
        h, b'{"error": {"message": "slow down"}}', "429 Too Many Requests",
        retry_after=ABSURD[n % len(ABSURD)])),
    "500": status("500 Internal Server Error"),
    "502": status("502 Bad Gateway"),
    "503": status("503 Service Unavailable"),
    "redirected in a circle": none(lambda h, right, n: put(
        h, b"", "307 Temporary Redirect", location=h.path)),
    "redirected to nowhere": none(lambda h, right, n: put(h, b"", "302 Found", location="/none")),
    "empty body": none(lambda h, right, n: put(h, b"")),
    "HTML instead of an answer": none(lambda h, right, n: put(h, HTML, content_type="text/html")),
    "HTML error page": none(lambda h, right, n: put(
        h, HTML, "502 Bad Gateway", content_type="text/html")),
    "packed wrongly": none(lambda h, right, n: put(
        h, gzip.compress(body_of(right))[:-20], content_encoding="gzip")),
    "the answer to another question": said(_of_another),
    "answered twice": whole(_twice),
    "two choices": whole(_choices),
    "keep-alive closed": whole(closing(lambda h, right, n: put(
        h, body_of(right), connection="keep-alive"))),
    "keep-alive closed a moment later": whole(_closed_later),
}  # fmt: skip
