"""The folder of a ViLBias run: what binds it, how it may grow, its gold and its images."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

import slant
from slant.data.images import checked_image, media_type, model_image
from slant.data.jsonvalues import json_value
from slant.data.sums import note_sum
from slant.data.writing import replacing
from slant.errors import RunError
from slant.runs.askedfolders import FILE, asked_record, check_bound, grown_limit
from slant.runs.linejournals import whole_lines
from slant.runs.store import write_json
from slant.runs.vilbiasdata import Pair, VilbiasData, data_sha256
from slant.runs.vilbiasfiles import RUN_AGAIN
from slant.runs.vilbiasplan import VilbiasSettings
from slant.systems.pairprompts import MODES, prompts_sha256, system_text

GOLD: Final = "gold.jsonl"
IMAGES: Final = "images"

_GROWS: Final = ("modes", "shots", "draws", "limit")
"""Settings that may differ from those of the folder: no answer depends on them."""


class AskedSystem(BaseModel):
    """A model of a run, or a judge: its name, and what it was opened with."""

    model_config = ConfigDict(extra="allow")

    name: str
    kind: str = "model"
    params: dict[str, Any] = {}


class AskedRecord(BaseModel):
    """run.json of a ViLBias run. Further keys are kept for later versions."""

    model_config = ConfigDict(extra="allow")

    kind: Literal["vilbias"]
    slant: str
    command: str
    created: str
    data: dict[str, Any]
    settings: dict[str, Any]
    systems: list[AskedSystem]
    judges: list[AskedSystem] = []
    signature: str


def read_record(folder: Path) -> AskedRecord | None:
    """run.json of a folder, checked; None where there is no such file.

    Raises:
        RunError: it is not of a ViLBias run.
    """
    return asked_record(folder, AskedRecord, "slant vilbias run")


def image_side(folder: Path) -> int:
    """How many pixels the longer side of an image has at most in the run of a folder.

    Raises:
        RunError: its record does not say.
    """
    record = read_record(folder)
    side = 1 if record is None else record.settings.get("image_side")
    if not isinstance(side, int) or side < 1:
        found = f"its image_side is {json.dumps(side, default=str)[:40]}"
        raise RunError(f"Reading '{folder / FILE}'", found, "Restore the file, or run again")
    return side


def grown(folder: Path, asked: VilbiasSettings, data: VilbiasData) -> VilbiasSettings:
    """The settings of a folder after it was asked for more.

    Rule: data, split, prompts, images and what models are called with bind; questions, numbers and
    draws of examples are added, the pairs of a limit only become more.

    Raises:
        RunError: something that binds differs, with both values.
    """
    record = read_record(folder)
    if record is None:
        return asked
    before = record.settings
    sums = [
        ("data of the sum", str(record.data.get("sha256"))[:12], data_sha256(data.pairs)[:12]),
        ("prompts of the sum", str(before.get("prompts_sha256"))[:12], prompts_sha256()[:12]),
    ]
    check_bound(folder, sums, before, asked.json(), _GROWS)
    return replace(
        asked,
        modes=tuple(mode for mode in MODES if mode in {*before["modes"], *asked.modes}),
        shots=tuple(sorted({*before["shots"], *asked.shots})),
        draws=tuple(sorted({*before["draws"], *asked.draws})),
        limit=grown_limit(before.get("limit"), asked.limit),
    )


def prepared_images(pairs: Iterable[Pair], side: int) -> dict[str, bytes]:
    """The images of pairs as models are shown them, by id; each file is checked first.

    Args:
        pairs: those without an image are left out.
        side: pixels of the longer side at most.

    Raises:
        DataError: a file that is missing, broken, too large or no image, with its pair.
    """
    shown = {}
    for one in pairs:
        if one.image is not None:
            checked_image(one.image, f"the pair '{one.id}'")
            shown[one.id] = model_image(one.image, side)
    return shown


def image_name(image: bytes) -> str:
    """Where an image lies in a run folder: its sum is its name."""
    ending = "png" if media_type(image) == "image/png" else "jpg"
    return f"{IMAGES}/{hashlib.sha256(image).hexdigest()[:32]}.{ending}"


def write_folder(
    folder: Path,
    *,
    command: str,
    data: VilbiasData,
    pairs: Sequence[Pair],
    images: Mapping[str, bytes],
    settings: VilbiasSettings,
    systems: Sequence[AskedSystem],
) -> None:
    """Write images, gold.jsonl, prompts and run.json, each whole.

    Args:
        folder: of the run.
        command: that made it.
        data: all pairs.
        pairs: those that are asked about or are examples.
        images: of `prepared_images`.
        settings, systems: of the run.

    Raises:
        RunError: a pair that the folder has already has another image now.
    """
    record = read_record(folder)
    names = {number: image_name(image) for number, image in images.items()}
    known = gold_rows(folder) if (folder / GOLD).exists() and record else {}
    for one in pairs:
        before = known.get(one.id, {}).get("image")
        if one.id in known and before != names.get(one.id):
            found = f"the image of the pair '{one.id}' is another one now"
            do = "Give the same images as before, or choose another --out"
            raise RunError(f"Adding to the run '{folder}'", found, do)
    lines = [{**one.facts(), "image": names.get(one.id)} for one in pairs]
    written = {one["id"]: one for one in [*known.values(), *lines]}
    counts = {
        role: sum(one.role == role for one in data.pairs) for role in ("train", "dev", "test")
    }
    tested = [one for one in written.values() if one["role"] == "test"]
    sum_ = data_sha256(data.pairs)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    content = {
        "kind": "vilbias",
        "slant": slant.__version__,
        "command": command,
        "created": now if record is None else record.created,
        "data": {
            "path": data.path,
            "sha256": sum_,
            "items": data.items,
            "split": data.split if data.items == "test" else None,
            "seed": data.seed if data.items == "test" else None,
            "pairs": counts,
            "asked": len(tested),
            "with_image": sum(one["image"] is not None for one in tested),
            "with_rationale": sum(bool(one["rationale"]) for one in tested),
            "notes": list(data.notes),
        },
        "settings": {**settings.json(), "prompts_sha256": prompts_sha256()},
        "systems": [one.model_dump() for one in systems],
        "judges": [one.model_dump() for one in (record.judges if record else [])],
        "signature": vilbias_signature(data, sum_, settings),
    }
    # What is written first says whose folder it is, should the process be killed here.
    if record is None:
        write_json(folder / FILE, content)
    for number, image in images.items():
        path = folder / names[number]
        if not path.is_file() or path.read_bytes() != image:
            with replacing(path) as temporary:
                temporary.write_bytes(image)
                note_sum(path, temporary)
    with replacing(folder / GOLD) as temporary:
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in written.values())
        temporary.write_text(text, "utf-8")
        note_sum(folder / GOLD, temporary)
    for mode in MODES:
        with replacing(folder / f"prompt-{mode}.txt") as temporary:
            temporary.write_text(system_text(mode) + "\n", "utf-8")
            note_sum(folder / f"prompt-{mode}.txt", temporary)
    write_json(folder / FILE, content)


def gold_rows(folder: Path) -> dict[str, dict[str, Any]]:
    """The lines of gold.jsonl, by id.

    Raises:
        RunError: absent, or a line is no pair with an id and a label.
    """
    path = folder / GOLD
    rows: dict[str, dict[str, Any]] = {}
    for number, line in whole_lines(path, "the gold"):
        try:
            one = json_value(line)
            if one["label"] not in (0, 1) or not isinstance(one["text"], str):
                raise ValueError
            rows[one["id"]] = one
        except (ValueError, KeyError, TypeError):
            found = f"line {number} is no pair with id, text and a label of 0 or 1"
            raise RunError(f"Reading '{path}'", found, RUN_AGAIN) from None
    if not rows:
        raise RunError(f"Reading '{path}'", "it holds no pair, or is not there", RUN_AGAIN)
    return rows


def vilbias_signature(data: VilbiasData, sum_: str, settings: VilbiasSettings) -> str:
    """What must be equal for two numbers of ViLBias runs to be comparable, in one line."""
    whole = data.items == "all"
    parts: dict[str, Any] = {
        "data": f"{data.path}@{sum_[:8]}",
        "split": "all" if whole else f"{data.split}+seed{data.seed}",
        "prompts": prompts_sha256()[:8],
        "pairs": settings.limit or "all",
        "images": settings.image_side if settings.images else "no",
        "modes": "+".join(settings.modes),
        "shots": "+".join(map(str, settings.shots)),
        "draws": "+".join(map(str, settings.draws)),
        "temperature": settings.temperature,
        "max-tokens": settings.max_tokens,
        "structured": settings.structured,
        "slant": slant.__version__,
    }
    return "|".join(["vilbias", *(f"{name}:{value}" for name, value in parts.items())])
