"""A server of models that misbehaves by plan and remembers what it gave, and what it is asked."""

from __future__ import annotations

import json
import re
import struct
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from random import Random
from typing import Any

from faultyservers import FAULTS, TIMEOUT, put
from scripted import CODES, completion, listening, made_articles
from slant.systems.triggeranswers import answer_json

Words = Callable[[dict[str, Any]], str]


@dataclass
class Served:
    """What a server did.

    Fields:
        faults: by kind.
        given: by conversation, the completion that went out whole: content and reason of its end.
        told: by number of the report asked about, the contents that went out whole, in order.
        twice: by kind that the conversation met, how often one was asked again after that.
        met: by conversation, the kind that it met.
        requests: by that kind.
        late: answers whose sending took so long that the client may have given up.
    """

    faults: Counter[str] = field(default_factory=Counter)
    given: dict[str, tuple[str, str]] = field(default_factory=dict)
    told: dict[int, list[str]] = field(default_factory=dict)
    twice: Counter[str] = field(default_factory=Counter)
    met: dict[str, str] = field(default_factory=dict)
    before: Counter[str] = field(default_factory=Counter)
    requests: Counter[str] = field(default_factory=Counter)
    late: int = 0


Strikes = Callable[[int, int], str | None]
"""(number of the report asked about, how often the conversation came before) -> kind of fault."""


def side_by_side(kinds: Sequence[str]) -> Strikes:
    """Each report has a kind of its own, which it meets when it is first asked about."""
    return lambda number, before: kinds[number % len(kinds)] if before == 0 else None


def at_random(share: float, seed: int) -> Strikes:
    """A share of all requests meets a fault of any kind."""

    def strikes(number: int, before: int) -> str | None:
        random = Random(f"{seed} {number} {before}")
        return random.choice(list(FAULTS)) if random.random() < share else None

    return strikes


def healthy(number: int, before: int) -> None:
    """No fault at all."""


def conversation(body: dict[str, Any]) -> str:
    """What tells a question: who is asked, and every turn; the form of the answer does not."""
    return sha256(json.dumps([body["model"], body["messages"]]).encode()).hexdigest()


def asked_about(body: dict[str, Any]) -> tuple[int, str]:
    """The number of the report of a question, 0 for a planted one, and its text."""
    last = body["messages"][-1]["content"]
    text = last if isinstance(last, str) else " ".join(one.get("text", "") for one in last)
    found = re.search(r"Report (\d+)\.", text)
    return (int(found[1]) if found else 0), text


@contextmanager
def faulty(
    strikes: Strikes, articles: int, replay: dict[str, tuple[str, str]] | None = None
) -> Iterator[tuple[str, Served]]:
    """A server that meets questions with faults, or repeats whole answers that another one gave."""
    served, lock = Served(), threading.Lock()
    right = right_words(articles)

    def posted(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        key, begin = conversation(body), time.monotonic()
        number, text = asked_about(body)
        with lock:
            name = None
            # One who is asked again in other words is asked another question about the same.
            if number and "Try " not in text:
                name = strikes(number, served.before[key])
            served.met.setdefault(key, name or "")
            served.before[key] += 1
            served.requests[served.met[key]] += 1
            served.twice[served.met[key]] += key in served.given
        fault, drawn = FAULTS[name] if name else None, int(key[:8], 16)
        words, stop = replay[key] if replay is not None else (right(body), "stop")
        content = words
        if fault is not None and fault.content is not None:
            content, stop = fault.content(words, drawn), fault.stop
        with lock:
            served.faults[name or ""] += 1
            if (fault is None or fault.whole) and key not in served.given:
                served.given[key] = content, stop
                served.told.setdefault(number, []).append(content)
        with suppress(OSError):
            if fault is not None:
                fault.send(handler, words, drawn)
            else:
                put(handler, json.dumps(completion(words, "faulty-2026", stop)).encode())
        if (fault is None or fault.whole) and time.monotonic() - begin > TIMEOUT / 2:
            served.late += 1

    with listening(posted, protocol="HTTP/1.1") as url:
        yield url, served


def right_words(number: int) -> Words:
    """The answers of a model that knows the gold, a judge among them."""
    articles = {
        one.item.text: answer_json(one.gold, one.item.text, CODES) for one in made_articles(number)
    }

    def words(body: dict[str, Any]) -> str:
        about, text = asked_about(body)
        if body["model"] == "judge":
            claim = {"claim": "It says so.", "supported_by": "text"}
            reason = f"It does, by {conversation(body)[:8]}."
            return json.dumps({"supports_gold": True, "reason": reason, "claims": [claim]})
        if body["model"] == "small":
            return articles[text]
        label = "biased" if about % 3 else "not biased"
        return json.dumps({"label": label, "rationale": f"The words of report {about}."})

    return words


def write_pairs(folder: Path, number: int) -> Path:
    """A table of pairs of a text and a picture of one colour, with reasons; every third is fair."""
    rows = ["id,text,image,label,rationale"]
    for n in range(1, number + 1):
        (folder / f"{n}.png").write_bytes(_picture(n * 2 % 256))
        label = "biased" if n % 3 else "not biased"
        rows.append(f"pair-{n},Report {n}. Bridge {n} fell.,{n}.png,{label},Report {n} says so.")
    path = folder / "pairs.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def _picture(grey: int, side: int = 8) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        sealed = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + sealed

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes([grey]) * side) * side)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
