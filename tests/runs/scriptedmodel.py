"""A server that answers questions about articles as a script says, and counts."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field

from scriptedserver import KEY, Reply, listening, send

from slant.systems.triggeranswers import answer_json
from slant.types import Answer, Example, Item, Mark, Span

__all__ = ["KEY", "Reply"]

CODES = ("B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B09")
MODEL = "openai-api/scripted/small"


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

    def posted(handler, body):
        text = body["messages"][-1]["content"]
        seen = json.dumps(body["messages"])
        with lock:
            before = script.conversations[seen]
            script.conversations[seen] += 1
            script.asked[text, (len(body["messages"]) - 2) // 2] += 1
            script.requests.append(body)
            script.keys.add(handler.headers["authorization"].removeprefix("Bearer "))
        send(handler, script.reply(text, before, body), "small-2026")

    with listening(posted) as script.url:
        yield script


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
