"""The verdicts of judges on disk: one line a reply, kept the moment it arrives."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import ConfigDict

from slant.runs.baitanswers import ReplyLine, StoredAnswer, reply_content, slug
from slant.runs.linejournals import append_line, shaped_lines
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


class _Line(ReplyLine):
    model_config = ConfigDict(extra="allow")

    item: str
    tries: int = 1
    sample: int = 1
    order: Order = "plain"
    judged: str = ""


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
        for one in shaped_lines(path, _Line, "verdict"):
            self.verdicts[Place(one.item, one.sample, one.order)] = StoredVerdict(
                one.stored(), one.tries, one.judged, one.model_extra or {}
            )

    def add(self, place: Place, one: StoredVerdict) -> None:
        """Append a verdict and force it to the disk.

        Raises:
            WorkFailed: the disk did not take it.
        """
        content = {
            "item": place.item,
            **one.facts,
            "tries": one.tries,
            "sample": place.sample,
            "order": place.order,
            "judged": one.judged,
            **reply_content(one.reply),
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
