"""The folder of a BAIT run: what binds it, how it may grow, and its gold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

import slant
from slant.data.schemas import Schema, schema_json
from slant.data.sums import note_sum
from slant.data.writing import replacing
from slant.runs.askedfolders import FILE, asked_record, check_bound, grown_limit
from slant.runs.baitplan import BaitSettings, accompanied
from slant.runs.store import write_json
from slant.systems.prompts import prompt_sha256, system_message
from slant.types import Example

_GROWS: Final = ("shots", "zero_shot_runs", "limit")
"""Settings that may differ from those of the folder: no answer depends on them."""


class BaitSystem(BaseModel):
    """One system of a run: a model, a baseline, or people."""

    model_config = ConfigDict(extra="forbid")

    name: str
    kind: Literal["model", "baseline", "human"]
    params: dict[str, Any] = {}


class BaitRecord(BaseModel):
    """run.json of a BAIT run. Further keys are kept for later versions."""

    model_config = ConfigDict(extra="allow")

    kind: Literal["bait"]
    slant: str
    command: str
    created: str
    schema_: dict[str, Any] = Field(alias="schema")
    data: dict[str, Any]
    settings: dict[str, Any]
    systems: list[BaitSystem]
    signature: str


def read_record(folder: Path) -> BaitRecord | None:
    """run.json of a folder, checked; None where there is no such file.

    Raises:
        RunError: it is not of a BAIT run.
    """
    return asked_record(folder, BaitRecord, "slant bait run")


def data_sha256(examples: Iterable[Example]) -> str:
    """What binds a run to its data: texts, gold and the order of the articles."""
    digest = hashlib.sha256()
    for one in examples:
        marks = [
            [mark.category, [[span.start, span.end] for span in mark.spans], list(mark.quotes)]
            for mark in one.gold.marks
        ]
        row = [one.item.id, one.item.text, sorted(one.gold.labels), marks]
        digest.update(json.dumps(row).encode())
    return digest.hexdigest()


def grown(
    folder: Path, asked: BaitSettings, schema: Schema, examples: Sequence[Example]
) -> BaitSettings:
    """The settings of a folder after it was asked for more.

    Rule: schema, data, prompt, draws, temperature, max_tokens and structured bind; numbers of
    examples are added, zero-shot runs and the articles of a limit only become more.

    Args:
        folder: of the run, which need not exist.
        asked: what is asked for now.
        schema, examples: what is asked for now, too.

    Raises:
        RunError: something that binds differs, with both values.
    """
    record = read_record(folder)
    if record is None:
        return asked
    before = record.settings
    sums = [
        ("schema", record.schema_, json.loads(json.dumps(schema_json(schema)))),
        ("data of the sum", str(record.data.get("sha256"))[:12], data_sha256(examples)[:12]),
        ("a prompt of the sum", str(before.get("prompt_sha256"))[:12], prompt_sha256(schema)[:12]),
    ]
    check_bound(folder, sums, before, asked.json(), _GROWS)
    return replace(
        asked,
        shots=tuple(sorted({*before["shots"], *asked.shots})),
        zero_shot_runs=max(int(before["zero_shot_runs"]), asked.zero_shot_runs),
        limit=grown_limit(before.get("limit"), asked.limit),
    )


def systems_of(folder: Path) -> list[BaitSystem]:
    """The systems that a folder has already."""
    record = read_record(folder)
    return [] if record is None else record.systems


def write_folder(
    folder: Path,
    *,
    command: str,
    schema: Schema,
    path: str,
    examples: Sequence[Example],
    settings: BaitSettings,
    systems: Sequence[BaitSystem],
) -> None:
    """Write run.json, prompt.txt, gold.jsonl and annotators/*.jsonl, each whole.

    Args:
        folder: of the run.
        command: that made it.
        schema, settings, systems: of the run.
        path: of the data, as it was given.
        examples: all articles; those that are asked about are written.
    """
    record = read_record(folder)
    sum_ = data_sha256(examples)
    asked = examples[: settings.limit]
    prompt = prompt_sha256(schema)
    shown = {**settings.json(), "prompt_sha256": prompt, "accompanied": accompanied(settings)}
    content = {
        "kind": "bait",
        "slant": slant.__version__,
        "command": command,
        "created": datetime.now(UTC).isoformat(timespec="seconds")
        if record is None
        else record.created,
        "schema": schema_json(schema),
        "data": {
            "path": path,
            "sha256": sum_,
            "articles": len(asked),
            "articles_in_all": len(examples),
        },
        "settings": shown,
        "systems": [one.model_dump() for one in systems],
        "signature": bait_signature(schema, sum_, prompt, settings),
    }
    # What is written first says whose folder it is, should the process be killed here.
    if record is None:
        write_json(folder / FILE, content)
    _write(folder / "gold.jsonl", asked)
    for name in asked[0].annotators:
        passes = [replace(one, gold=one.annotators[name], annotators={}) for one in asked]
        _write(folder / "annotators" / f"{name}.jsonl", passes)
    with replacing(folder / "prompt.txt") as temporary:
        temporary.write_text(system_message(schema) + "\n", "utf-8")
        note_sum(folder / "prompt.txt", temporary)
    write_json(folder / FILE, content)


def _write(path: Path, examples: Sequence[Example]) -> None:
    from slant.annotate.formats import write_annotated

    write_annotated(examples, path, format="jsonl")
    note_sum(path, path)


def bait_signature(schema: Schema, data: str, prompt: str, settings: BaitSettings) -> str:
    """What must be equal for two numbers of BAIT runs to be comparable, in one line."""
    parts: Mapping[str, Any] = {
        "schema": f"{schema.name}@{schema.version}",
        "data": data[:8],
        "prompt": prompt[:8],
        "articles": settings.limit or "all",
        "shots": "+".join(map(str, settings.shots)),
        "draws": "+".join(map(str, settings.draws)),
        "zero-shot": settings.zero_shot_runs,
        "temperature": settings.temperature,
        "max-tokens": settings.max_tokens,
        "structured": settings.structured,
        "slant": slant.__version__,
    }
    return "|".join(["bait", *(f"{name}:{value}" for name, value in parts.items())])
