"""run.json as it must be: checked where it comes in from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

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


def read_record(folder: Path) -> dict[str, Any]:
    """A run's run.json, checked.

    Raises:
        RunError: absent, damaged, or not of this version's shape; the first wrong key is named.
    """
    path = folder / "run.json"
    content = read_json(path, "the run")
    try:
        RunRecord.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise RunError(
            f"Reading the run '{path}'",
            f"its key '{key}' is wrong ({first['msg'].lower()})",
            "Run its command again with --fresh",
        ) from None
    return content
