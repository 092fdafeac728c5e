"""A server that decodes the images it is sent, answers as a script says, and made pairs."""

from __future__ import annotations

import base64
import gc
import io
import json
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from scriptedserver import KEY, listening, send
from scriptedserver import Reply as Said

from slant.runs.vilbiasdata import Pair, VilbiasData
from slant.systems.pairanswers import pair_answer_json

VISION = "openai-api/scripted/vision"
JUDGE = "openai-api/scripted/judge"


@dataclass
class Sent:
    """One request: who was asked, the texts and decoded images of each turn, the body."""

    model: str
    turns: list[tuple[str, str, list[bytes]]]
    body: dict

    @property
    def text(self) -> str:
        """Of the last turn."""
        return self.turns[-1][1]

    @property
    def shots(self) -> int:
        return (len(self.turns) - 2) // 2

    @property
    def open_ended(self) -> bool:
        return '"rationale"' in self.turns[0][1]

    @property
    def images(self) -> list[bytes]:
        return [one for _, _, images in self.turns for one in images]


@dataclass
class Seen:
    """What the server does and has seen: `reply` of (request, how often it came before)."""

    reply: Callable[[Sent, int], Said]
    conversations: Counter = field(default_factory=Counter)
    requests: list[Sent] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    url: str = ""


def parts_of(content) -> tuple[str, list[bytes]]:
    """The text of a message, and the bytes of the images in its data URLs."""
    if isinstance(content, str):
        return content, []
    texts, images = [], []
    for part in content:
        if part["type"] == "text":
            texts.append(part["text"])
        else:
            head, _, data = part["image_url"]["url"].partition(",")
            assert head in ("data:image/png;base64", "data:image/jpeg;base64")
            images.append(base64.b64decode(data, validate=True))
    return "\n".join(texts), images


@contextmanager
def vision_server(reply):
    """The server, for as long as the block lasts."""
    seen = Seen(reply)
    lock = threading.Lock()

    def posted(handler, body):
        turns = [(one["role"], *parts_of(one["content"])) for one in body["messages"]]
        sent = Sent(body["model"], turns, body)
        key = json.dumps([body["model"], body["messages"]])
        with lock:
            before = seen.conversations[key]
            seen.conversations[key] += 1
            seen.requests.append(sent)
            seen.keys.add(handler.headers["authorization"].removeprefix("Bearer "))
        send(handler, seen.reply(sent, before), body["model"])

    with listening(posted) as seen.url:
        yield seen


def made_pairs(folder: Path, tested: int, trained: int = 6) -> VilbiasData:
    """Pairs with a small picture each, of one colour that no other has; every second is biased."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    pairs = []
    for n in range(1, tested + trained + 1):
        path = folder / f"{n}.png"
        Image.new("RGB", (8 + n, 6), (n * 5 % 256, 40, 200)).save(path)
        label = n % 2
        word = "shamefully" if label else "yesterday"
        pairs.append(
            Pair(
                f"pair-{n}",
                f"Report {n}. The council {word} closed bridge {n}. 🌉",
                label,
                path,
                text_label=label,
                image_label=0,
                rationale=f"The word '{word}' is what report {n} rests on.",
                pair=str(n),
                role="test" if n <= tested else "train",
            )
        )
    return VilbiasData("made", pairs)


def number_in(text: str) -> int:
    """Of the report that a turn is about."""
    return int(text.split("Report ", 1)[1].split(".", 1)[0])


def pixels(image: bytes) -> tuple[str, tuple[int, int], bytes]:
    """Format, size and pixels of an image, decoded."""
    from PIL import Image

    with Image.open(io.BytesIO(image)) as opened:
        return str(opened.format), opened.size, opened.convert("RGB").tobytes()


def knowing(data: VilbiasData):
    """The reply of a model that knows the gold."""
    gold = {number_in(one.text): one for one in data.pairs}

    def reply(sent: Sent, before: int) -> Said:
        one = gold[number_in(sent.text)]
        return Said(pair_answer_json(one.label, one.rationale if sent.open_ended else None))

    return reply


def ruling(supports: bool = True, by: str = "text") -> str:
    """A verdict in the schema."""
    claims = [{"claim": "It says so.", "supported_by": by}]
    return json.dumps({"supports_gold": supports, "claims": claims})


@contextmanager
def inspect_home(folder):
    """inspect-ai in a test module: skipped where it is not installed, its traces in a folder.

    Nothing of it is left to be collected under the warnings of another module.
    """
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_DATA_HOME", str(folder))
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    pytest.importorskip("openai", reason="openai is not installed: pip install slant[llm]")
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install slant[vision]")
    patch.setenv("SCRIPTED_API_KEY", KEY)
    yield patch
    patch.undo()
    gc.collect()
