"""The files of a BAIT run that a score needs or leaves, checked where they come in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from slant.annotate.formats import read_annotated
from slant.data.jsonvalues import json_value
from slant.data.schemas import Schema, read_schema_json
from slant.errors import RunError
from slant.runs.askedfolders import is_of
from slant.runs.baitanswers import RunAnswers, read_answers
from slant.runs.baitfolder import BaitRecord, read_record
from slant.runs.baitplan import BaitSettings, planned_runs
from slant.runs.records import read_result
from slant.runs.store import check_sums
from slant.types import Example

SCORES = "scores.json"
FATES = "fates.jsonl"
SCORE_AGAIN = "Score the run again with `slant bait score FOLDER`"
RUN_AGAIN = "Give the folder of `slant bait run`, or run its command again"

Number = float | None


class _Shape(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Settings(_Shape):
    shots: list[int]
    draws: list[int]
    zero_shot_runs: int
    accompanied: dict[str, str] = {}


class _Estimate(_Shape):
    value: Number
    low: Number
    high: Number


class _Bias(_Shape):
    detection_f1: _Estimate
    characters_f1: _Estimate
    spans_f1: _Estimate
    triggers_f1: _Estimate
    excess_articles: _Estimate
    gold_articles: int
    predicted_articles: float
    gold_spans: int
    predicted_spans: float
    matched_spans: float


class _OneRun(_Shape):
    run: str
    scores: dict[str, Number]


class _Setting(_Shape):
    shots: int
    runs: list[_OneRun]
    scores: dict[str, _Estimate]
    scores_without: dict[str, _Estimate]
    scores_per_article: dict[str, _Estimate]
    biases: dict[str, _Bias]
    answers: int
    expected: int
    faults: dict[str, int]
    no_answer: int
    steps: dict[str, int]
    low_similarity: int
    unlocated_characters: int


class _Scored(_Shape):
    name: str
    kind: Literal["model", "baseline", "human"]
    settings: list[_Setting]


class _Comparison(_Shape):
    family: str
    score: str
    first: dict[str, Any]
    second: dict[str, Any]
    n: int
    difference: float
    low: Number
    high: Number
    p: Number
    p_holm: Number
    p_permutation: float
    p_permutation_holm: float


class _Scores(_Shape):
    kind: Literal["bait"]
    slant: str
    signature: str
    told: dict[str, Any] = Field(alias="schema")
    articles: int
    level: float
    settings: dict[str, Any]
    without: list[str]
    systems: list[_Scored]
    comparisons: list[_Comparison]
    cues: dict[str, Any] | None
    gold: dict[str, Any]
    agreement: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class BaitFolder:
    """What a run of BAIT left on disk.

    Fields:
        record: its run.json.
        schema: of the biases.
        examples: the articles that were asked about, with gold, by their ids.
        answers: of all systems and runs.
        planned: names of the runs that each model was to have.
        accompanied: run with examples -> the zero-shot run beside it.
    """

    record: BaitRecord
    schema: Schema
    examples: tuple[Example, ...]
    answers: tuple[RunAnswers, ...]
    planned: tuple[str, ...]
    accompanied: Mapping[str, str]


def is_bait(folder: Path) -> bool:
    """Whether a folder holds a run of BAIT."""
    return is_of(folder, "bait")


def read_bait_folder(folder: Path) -> BaitFolder:
    """Everything of a run that scoring needs.

    Raises:
        RunError: no run, a file that is damaged (a last line of answers that was cut off is none).
        DataError: gold.jsonl is damaged, or has a bias that the schema of the run lacks.
    """
    record = read_record(folder)
    if record is None:
        raise RunError(f"Reading the run '{folder}'", "it has no run.json", RUN_AGAIN)
    check_sums(folder, RUN_AGAIN, without=(SCORES, FATES))
    path = folder / "run.json"
    schema = read_schema_json(record.schema_, str(path))
    try:
        told = _Settings.model_validate(record.settings)
    except ValidationError as error:
        key = ".".join(["settings", *map(str, error.errors()[0]["loc"])])
        raise RunError(f"Reading '{path}'", f"its key '{key}' is wrong", RUN_AGAIN) from None
    settings = BaitSettings(tuple(told.shots), tuple(told.draws), told.zero_shot_runs)
    gold = folder / "gold.jsonl"
    if not gold.is_file():
        raise RunError(f"Reading the run '{folder}'", "it has no gold.jsonl", RUN_AGAIN)
    examples = read_annotated(gold, format="jsonl", codes=schema.codes)
    return BaitFolder(
        record,
        schema,
        tuple(sorted(examples, key=lambda one: one.item.id)),
        tuple(read_answers(folder)),
        tuple(one.name for one in planned_runs(settings)),
        told.accompanied,
    )


def read_bait_scores(folder: Path) -> dict[str, Any]:
    """The scores.json of a run, checked.

    Raises:
        RunError: absent, damaged, or of another shape; the first wrong key is named.
    """
    check_sums(folder, SCORE_AGAIN)
    return read_result(folder / SCORES, "the scores", _Scores, SCORE_AGAIN)


def read_fates(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a run's fates.jsonl: what became of each answer, article by article.

    Raises:
        RunError: absent, or a line is damaged.
    """
    path = folder / FATES
    asked = f"Reading '{path}'"
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    found = json_value(line)
                except ValueError:
                    raise RunError(asked, f"line {number} is no JSON", SCORE_AGAIN) from None
                yield found
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise RunError(asked, found, SCORE_AGAIN) from None
