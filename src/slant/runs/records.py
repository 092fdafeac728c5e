"""run.json as it must be: checked where it comes in from outside."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from slant.errors import RunError
from slant.runs.store import read_json
from slant.tasks.options import Options


class RunRecord(BaseModel):
    """What was asked of a run. Further keys are kept for later versions.

    Fields:
        options: every choice of the protocol; the rest as in the handbook.
    """

    model_config = ConfigDict(extra="allow")

    signature: str
    command: str
    tasks: list[str]
    system: str
    spec: str
    params: dict[str, Any]
    options: Options
    seeds: list[int]
    data: list[dict[str, Any]]
    absent: list[dict[str, str]] = []

    @field_validator("options", mode="before")
    @classmethod
    def _options_are_known(cls, given: Any) -> Any:
        unknown = (
            set(given) - {one.name for one in fields(Options)} if isinstance(given, dict) else ()
        )
        if unknown:
            raise ValueError(f"no option is called '{min(unknown)[:40]}'")
        return given


class ScoresRecord(BaseModel):
    """scores.json, as far as a reader must be able to rely on its shape."""

    model_config = ConfigDict(extra="allow")

    signature: str
    system: str
    preset: str
    primary: str
    level: float
    seeds: list[int]
    tasks: dict[str, dict[str, Any]]
    overall: dict[str, dict[str, Any]]
    controls: dict[str, dict[str, dict[str, Any]]]
    controls_overall: dict[str, dict[str, Any]]
    faults: dict[str, int]
    data: list[dict[str, Any]]
    counts: dict[str, dict[str, int]]
    train_share: float


def read_scores(folder: Path) -> dict[str, Any]:
    """A run's scores.json, checked.

    Raises:
        RunError: absent, damaged, or of another shape; the first wrong key is named.
    """
    path = folder / "scores.json"
    content = read_json(path, "the scores")
    return _checked(ScoresRecord, content, path, f"Run `slant score {folder}`")


def read_record(folder: Path) -> dict[str, Any]:
    """A run's run.json, checked.

    Raises:
        RunError: absent, damaged, or not of this version's shape; the first wrong key is named.
    """
    path = folder / "run.json"
    content = read_json(path, "the run")
    return _checked(RunRecord, content, path, "Run its command again with --fresh")


def read_result(
    path: Path, what: str, shape: type[BaseModel], again: str, whole: str = ""
) -> dict[str, Any]:
    """A file of results, checked, as it is.

    Args:
        path: of the file.
        what: it holds, for the error.
        shape: that it must have.
        again: how it is made again.
        whole: the key that is named where no single one is wrong, but they do not fit together.

    Raises:
        RunError: absent, damaged or of another shape; the first wrong key is named.
    """
    try:
        content = read_json(path, what)
    except RunError as error:
        raise RunError(error.asked, error.found, again) from None
    return _checked(shape, content, path, again, whole)


def _checked(
    shape: type[BaseModel], content: dict[str, Any], path: Path, do: str, whole: str = ""
) -> dict[str, Any]:
    try:
        shape.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or whole
        said = str(first["msg"]).removeprefix("Value error, ").lower()
        found = f"its key '{key}' is wrong ({said})" if key else f"its keys do not fit: {said}"
        raise RunError(f"Reading '{path}'", found, do) from None
    return content
