"""An analysis of the history as values of JSON."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from slant.report.webpages import standing_text
from slant.runs.analysisfolder import ANALYSES
from slant.web.desk import Desk
from slant.web.history import Entry
from slant.web.refusals import Refusal

RETRY = 2
"""Seconds after which somebody who waits may look again."""


class Fault(BaseModel):
    """An error: what was asked, what was found, what to do."""

    asked: str
    found: str
    do: str


class Standing(BaseModel):
    """How far an analysis is that is not finished."""

    done: int = Field(description="Articles read, articles analysed or pages written.")
    total: int = Field(description="Of all, 0 where it is not known yet.")
    what: str = Field(description="waiting, reading, articles, joining or pages.")
    seconds: float = Field(description="Since its work began.")
    seconds_left: float | None = Field(description="null where unknown.")
    before: int = Field(0, description="Analyses that come first.")
    says: str = Field(description="The same in a line.")


class Summary(BaseModel):
    """An analysis, without its result."""

    model_config = ConfigDict(title="Analysis")

    id: str
    title: str
    kind: str = Field(description="text, file or address.")
    name: str = Field(description="Of the file, or the address.")
    created: str = Field(description="ISO 8601, UTC.")
    state: str = Field(description="waiting, working, done, failed or interrupted.")
    error: Fault | None = Field(description="Where it failed.")
    progress: Standing | None = Field(description="Where it is not finished.")
    articles: int | None = None
    sentences: int | None = None
    left_out: dict[str, int] | None = Field(None, description="Why -> articles not looked at.")
    undated: int | None = Field(None, description="Articles whose date could not be read.")
    verdicts: dict[str, dict[str, int]] | None = Field(
        None, description="Detector -> verdict -> sentences that are not quoted."
    )
    signature: str | None = None


class Result(Summary):
    """An analysis with its result."""

    model_config = ConfigDict(title="AnalysisWithResult")

    result: list[dict[str, Any]] | None = Field(
        None, description="An analysis an article, as `slant analyze --json` gives them."
    )


class Listing(BaseModel):
    """A piece of the history, the latest first."""

    total: int
    analyses: list[Summary]


class Detectors(BaseModel):
    """The detectors that are asked: name, task, f1 with its interval, measured, card and more."""

    detectors: list[dict[str, Any]]


def entry_json(entry: Entry, desk: Desk) -> dict[str, Any]:
    """An analysis as `Summary` has it."""
    known = entry.summary or {}
    progress = desk.standing(entry) if entry.state in {"waiting", "working"} else None
    return {
        "id": entry.id,
        "title": entry.title,
        "kind": entry.kind,
        "name": entry.name,
        "created": entry.created,
        "state": entry.state,
        "error": entry.error,
        "progress": progress and {**progress, "says": standing_text(progress)},
        **{key: known.get(key) for key in Summary.model_fields if key in _MADE},
    }


_MADE = ("articles", "sentences", "left_out", "undated", "verdicts", "signature")


def check_done(entry: Entry) -> None:
    """Refuse to give files of an analysis that is not done.

    Raises:
        Refusal: 409.
    """
    if entry.state != "done":
        waits = entry.state in {"waiting", "working"}
        raise Refusal(409, f"Reading what was found in '{entry.title}'", f"it is {entry.state}",
                      "Wait until it is done" if waits else "Start it again",
                      RETRY if waits else 0)  # fmt: skip


def result_of(desk: Desk, entry: Entry) -> bytes:
    """The analyses of a finished entry as one JSON array, numbers as they were written."""
    lines = desk.history.file(entry.id, ANALYSES).splitlines()
    return b"[" + b",".join(lines) + b"]"
