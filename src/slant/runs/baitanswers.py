"""The answers of a BAIT run on disk: one line an article, kept the moment it arrives."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from slant.data.documents import sound
from slant.data.jsonvalues import json_value
from slant.errors import RunError
from slant.runs.linejournals import append_line, shaped_lines
from slant.runs.store import read_json

NOT_ASKED: Final = "not asked"
"""The error of an article that a run has no line for."""

_RUN = re.compile(r"k(\d+)-(?:run\d+|seed(\d+))")


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What came back for one article.

    Fields:
        raw: the text of the answer, untouched; None where there is none.
        error: why there is none.
        attempts: how often inspect-ai sent it, over the processes that kept a line; repeats within
            the provider's client, and what a killed process had under way, are not counted.
        examples: ids of the worked examples, in order.
        model: as the provider names what served it.
        usage: tokens and, with prices, dollars ("total_cost").
        seconds: from sending to the end, waiting included.
        stop: why the model ended, as inspect-ai says it.
        structured: whether the JSON Schema of an answer was sent.
    """

    raw: str | None
    error: str | None = None
    attempts: int = 0
    examples: tuple[str, ...] = ()
    model: str = ""
    usage: Mapping[str, float] | None = None
    seconds: float = 0.0
    stop: str | None = None
    structured: bool = False


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """The answers of one system in one run.

    Fields:
        system, kind: as run.json names it; "model", "baseline" or "human".
        shots, run, seed: number of worked examples, name, and seed of their draw.
        answers: by id of the article, one for each article of gold.jsonl and no other.
    """

    system: str
    kind: str
    shots: int
    run: str
    seed: int | None
    answers: Mapping[str, StoredAnswer]


class ReplyLine(BaseModel):
    """What a line of a journal says of a reply, beside what the reply is about."""

    raw: str | None
    error: str | None = None
    attempts: int = 1
    examples: list[str] = []
    model: str = ""
    usage: dict[str, float | None] = {}
    seconds: float = 0.0
    stop: str | None = None
    structured: bool = False

    def stored(self) -> StoredAnswer:
        """The reply."""
        amounts = self.usage.items()
        usage = {name: one for name, one in amounts if one is not None and math.isfinite(one)}
        return StoredAnswer(
            self.raw,
            self.error,
            self.attempts,
            tuple(self.examples),
            self.model,
            usage,
            self.seconds,
            self.stop,
            self.structured,
        )


def reply_content(reply: StoredAnswer) -> dict[str, Any]:
    """A reply as a line of a journal has it, but for the worked examples."""
    return {
        "raw": None if reply.raw is None else sound(reply.raw),
        "error": None if reply.error is None else sound(reply.error),
        "attempts": reply.attempts,
        "model": reply.model,
        "usage": dict(reply.usage or {}),
        "seconds": round(reply.seconds, 3),
        "stop": reply.stop,
        "structured": reply.structured,
    }


class _Line(ReplyLine):
    article: str


class Journal:
    """The file of one system and run, to which answers are added as they arrive.

    Fields:
        path: answers/SLUG/RUN.jsonl of a run folder.
        answers: by article, the last line of each.
    """

    __slots__ = ("answers", "path")

    def __init__(self, path: Path) -> None:
        """Read what is there; a last line that was cut off is taken away on the first addition."""
        self.path = path
        lines = shaped_lines(path, _Line, "answer")
        self.answers = {one.article: one.stored() for one in lines}

    def add(self, article: str, answer: StoredAnswer) -> None:
        """Append an answer and force it to the disk; on failure nothing of it stays.

        Raises:
            WorkFailed: the disk did not take it.
        """
        content = {"article": article, **reply_content(answer)}
        append_line(self.path, {**content, "examples": list(answer.examples)})
        self.answers[article] = answer

    def answered(self, article: str) -> StoredAnswer | None:
        """The answer of an article where a text came back, else None: it is to be asked."""
        found = self.answers.get(article)
        return None if found is None or found.raw is None else found


_LONGEST = 150
"""Of the 255 bytes that a name of a folder may have on most file systems."""


def slug(system: str) -> str:
    """The folder name of a system: one for each, safe on every file system.

    >>> slug("openai/gpt-4o"), slug("cues")
    ('openai--gpt-4o', 'cues')
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", system.replace("/", "--")).strip("._-")
    if plain and plain.replace("--", "/") == system and len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST] or 'system'}-{hashlib.sha256(system.encode()).hexdigest()[:8]}"


def answers_path(folder: Path, system: str, run: str) -> Path:
    """Where the answers of a system in a run lie."""
    return folder / "answers" / slug(system) / f"{run}.jsonl"


def read_answers(folder: Path) -> list[RunAnswers]:
    """Every answer of a run folder, as it was returned.

    Rule: of several lines for an article the last counts; an article without a line has an answer
    with the error "not asked", so that none is missing in silence.

    Args:
        folder: of `slant bait run`.

    Returns:
        In the order of run.json's systems, then by number of examples and name of the run.

    Raises:
        RunError: no run.json or gold.jsonl, a line that is no answer.
    """
    record = read_json(folder / "run.json", "the run")
    articles = _article_ids(folder / "gold.jsonl")
    found = []
    for system in record.get("systems", []):
        runs = []
        for path in sorted((folder / "answers" / slug(system["name"])).glob("*.jsonl")):
            match = _RUN.fullmatch(path.stem)
            if match is None:
                raise RunError(
                    f"Reading '{path}'",
                    "no run has this name",
                    "Remove the file: runs are called k0-run1 or k3-seed17",
                )
            answers = Journal(path).answers
            missing = StoredAnswer(None, NOT_ASKED)
            runs.append(
                RunAnswers(
                    system["name"],
                    system["kind"],
                    int(match[1]),
                    path.stem,
                    int(match[2]) if match[2] else None,
                    {one: answers.get(one, missing) for one in articles},
                )
            )
        found += sorted(runs, key=lambda one: (one.shots, one.seed or 0, _number(one.run)))
    return found


def _number(run: str) -> int:
    return int(re.sub(r"\D", " ", run).split()[-1])


def _article_ids(path: Path) -> list[str]:
    try:
        lines = path.read_bytes().decode().split("\n")
        names = [json_value(line)["id"] for line in lines if line.strip()]
        if not all(isinstance(one, str) for one in names):
            raise TypeError
        return names
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise RunError(f"Reading '{path}'", found, "Give the folder of `slant bait run`") from None
    except (ValueError, KeyError, TypeError):
        found = "a line is no article with an id"
        raise RunError(f"Reading '{path}'", found, "Run the same command again") from None


def spent(journals: Sequence[Journal], name: str) -> float:
    """How much of one kind of usage the answers of some runs took, e.g. "total_tokens".

    Args:
        journals: of any systems.
        name: a key of usage.
    """
    return float(
        sum((one.usage or {}).get(name, 0) for two in journals for one in two.answers.values())
    )
