"""What scoring a ViLBias run leaves, scores.json and outcomes.jsonl, checked where it is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from slant.runs.askedfolders import is_of
from slant.runs.records import read_result
from slant.runs.store import check_sums
from slant.runs.vilbiasfiles import read_lines

SCORES: Final = "scores.json"
OUTCOMES: Final = "outcomes.jsonl"
HUMAN: Final = "human.json"
SCORE_AGAIN: Final = "Score the run again with `slant vilbias score FOLDER`"
READ_AGAIN: Final = "Read the marked sheet again with `slant vilbias sheet`, or remove the file"

Number = float | None


class _Shape(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Estimate(_Shape):
    value: Number
    low: Number
    high: Number


class _Judged(_Shape):
    judge: str
    asked: int
    rationales: int
    judged: int
    coverage: Number
    ties: int
    reasoning_accuracy: _Estimate
    faithfulness: _Estimate
    reasoning_accuracy_items: _Estimate
    faithfulness_items: _Estimate
    published: dict[str, float] | None = None


class _Labels(_Shape):
    scores: dict[str, _Estimate]
    published: dict[str, float]
    difference: dict[str, Number]
    confusion: dict[str, dict[str, int]]


class _Group(_Shape):
    pairs: int
    accuracy: _Estimate


class _Run(_Shape):
    run: str
    ours: dict[str, Number]
    published: dict[str, Number]


class _Setting(_Labels):
    mode: Literal["closed", "open"]
    shots: int
    runs: list[_Run]
    expected: int
    faults: dict[str, int]
    groups: dict[str, dict[str, _Group]]
    judged: list[_Judged]


class _System(_Shape):
    name: str
    kind: str
    settings: list[_Setting]


class _Control(_Labels):
    name: str


class _Gap(_Shape):
    system: str
    shots: int
    measure: str
    judge: str | None
    pairs: int
    closed: Number
    open: Number
    difference: Number
    low: Number
    high: Number
    p: Number
    p_holm: Number


class _Planted(_Shape):
    cases: int
    wrong: int
    unreadable: int
    error: _Estimate
    false_yes: _Estimate
    false_no: _Estimate


class _Preference(_Estimate):
    judges: list[str]
    kin: int
    others: int


class _Judge(_Shape):
    name: str
    rationales: int
    verdicts: int
    faults: dict[str, int]
    samples: int
    orders: list[str]
    ties: int
    kin: list[str]
    unanimous: _Estimate
    flipped: _Estimate
    planted_replies: int
    planted_faults: dict[str, int]
    planted: dict[str, _Planted] | None
    believed: bool
    self_preference: _Preference | None


class _Agreed(_Shape):
    first: str
    second: str
    rationales: int
    agreed: _Estimate
    kappa: _Estimate


class _Scores(_Shape):
    kind: Literal["vilbias"]
    slant: str
    signature: str
    pairs: int
    biased: int
    level: float
    clusters: dict[str, Any]
    notes: list[str]
    settings: dict[str, Any]
    systems: list[_System]
    controls: list[_Control]
    gaps: list[_Gap]
    judges: list[_Judge]
    judge_agreement: list[_Agreed]


class _Agreement(_Shape):
    judge: str
    question: str
    n: int
    agreed: _Estimate
    kappa: _Estimate


class _Human(_Shape):
    rows: int
    level: float
    judges: list[_Agreement]


class Outcome(BaseModel):
    """A line of outcomes.jsonl: what became of one answer."""

    model_config = ConfigDict(extra="ignore")

    item: str
    system: str
    mode: Literal["closed", "open"]
    shots: int
    run: str
    biased: bool | None
    fault: str | None
    right: bool
    rationale: str | None
    verdicts: dict[str, dict[str, Any]]


def is_vilbias(folder: Path) -> bool:
    """Whether a folder holds a run of ViLBias."""
    return is_of(folder, "vilbias")


def read_vilbias_scores(folder: Path) -> dict[str, Any]:
    """The scores.json of a run, checked.

    Raises:
        RunError: absent, damaged, or of another shape; the first wrong key is named.
    """
    check_sums(folder, SCORE_AGAIN)
    return read_result(folder / SCORES, "the scores", _Scores, SCORE_AGAIN)


def read_outcomes(folder: Path) -> Iterator[Outcome]:
    """The lines of a run's outcomes.jsonl: what became of each answer, pair by pair.

    Raises:
        RunError: absent, or a line is damaged.
    """
    for _, one in read_lines(folder / OUTCOMES, Outcome, "outcome", SCORE_AGAIN):
        yield one


def read_human(folder: Path) -> dict[str, Any] | None:
    """The human.json of a run, checked: how far judges agree with a person's marks; None where no
    sheet was read.

    Raises:
        RunError: damaged, or of another shape; the first wrong key is named.
    """
    path = folder / HUMAN
    if not path.is_file():
        return None
    return read_result(path, "the human marks", _Human, READ_AGAIN)
