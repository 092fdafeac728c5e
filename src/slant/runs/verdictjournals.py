"""The verdicts of judges on disk: one line a reply, kept the moment it arrives."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from slant.data.documents import sound
from slant.errors import RunError
from slant.runs.baitanswers import StoredAnswer, slug
from slant.runs.linejournals import append_line, whole_lines
from slant.systems.judgeprompts import Order

PLANTED: Final = "planted"


class Place(NamedTuple):
    """Which verdict: on what, the how manieth, and in which order everything was shown."""

    item: str
    sample: int
    order: Order


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """What came back of a judge.

    Fields:
        reply: as a model's answer is stored.
        tries: how often it was asked, because its replies were of no use.
        judged: sum of the rationale that it is about.
        facts: further keys of its line.
    """

    reply: StoredAnswer
    tries: int
    judged: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class _Line(BaseModel):
    model_config = ConfigDict(extra="allow")

    item: str
    raw: str | None
    error: str | None = None
    attempts: int = 1
    tries: int = 1
    sample: int = 1
    order: Order = "plain"
    judged: str = ""
    model: str = ""
    usage: dict[str, float | None] = {}
    seconds: float = 0.0
    stop: str | None = None
    structured: bool = False


class VerdictJournal:
    """The file of one judge and one run of a model, or of its planted rationales.

    Fields:
        path: verdicts/JUDGE/MODEL--RUN.jsonl of a run folder, or verdicts/JUDGE/planted.jsonl.
        verdicts: by place, the last line of each.
    """

    __slots__ = ("path", "verdicts")

    def __init__(self, path: Path) -> None:
        """Read what is there; a last line that was cut off counts as not there."""
        self.path = path
        self.verdicts: dict[Place, StoredVerdict] = {}
        for number, line in whole_lines(path, "the verdicts"):
            try:
                one = _Line.model_validate_json(line)
            except ValidationError as error:
                found = f"line {number} is no verdict ({error.errors()[0]['msg'].lower()})"
                do = "Remove this line, and run the same command again"
                raise RunError(f"Reading the verdicts '{path}'", found, do) from None
            self.verdicts[Place(one.item, one.sample, one.order)] = _stored(one)

    def add(self, place: Place, one: StoredVerdict) -> None:
        """Append a verdict and force it to the disk.

        Raises:
            WorkFailed: the disk did not take it.
        """
        reply = one.reply
        content = {
            "item": place.item,
            **one.facts,
            "raw": None if reply.raw is None else sound(reply.raw),
            "error": None if reply.error is None else sound(reply.error),
            "attempts": reply.attempts,
            "tries": one.tries,
            "sample": place.sample,
            "order": place.order,
            "judged": one.judged,
            "model": reply.model,
            "usage": dict(reply.usage or {}),
            "seconds": round(reply.seconds, 3),
            "stop": reply.stop,
            "structured": reply.structured,
        }
        append_line(self.path, content)
        self.verdicts[place] = one

    def about(self, place: Place, judged: str) -> StoredVerdict | None:
        """The verdict of a place, if it is about this rationale.

        Args:
            place: which.
            judged: of `judged_sum`.
        """
        found = self.verdicts.get(place)
        return found if found is not None and found.judged == judged else None


def judged_sum(label: int, rationale: str) -> str:
    """What ties a verdict to what it is about: a short sum of the label told and the rationale."""
    return hashlib.sha256(f"{label}\x1f{rationale}".encode()).hexdigest()[:16]


def verdicts_path(folder: Path, judge: str, system: str, run: str) -> Path:
    """Where the verdicts of a judge on the rationales of a model in a run lie."""
    return folder / "verdicts" / slug(judge) / f"{slug(system)}--{run}.jsonl"


def planted_path(folder: Path, judge: str) -> Path:
    """Where the verdicts of a judge on planted rationales lie."""
    return folder / "verdicts" / slug(judge) / f"{PLANTED}.jsonl"


def _stored(one: _Line) -> StoredVerdict:
    usage = {name: amount for name, amount in one.usage.items() if amount is not None}
    reply = StoredAnswer(
        one.raw,
        one.error,
        one.attempts,
        model=one.model,
        usage=usage,
        seconds=one.seconds,
        stop=one.stop,
        structured=one.structured,
    )
    return StoredVerdict(reply, one.tries, one.judged, one.model_extra or {})
