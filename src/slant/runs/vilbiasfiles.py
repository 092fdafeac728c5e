"""The files of a ViLBias run that a score needs, checked where they come in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from slant.data.sums import unsummed_line
from slant.errors import RunError
from slant.runs.baitanswers import Journal, StoredAnswer, slug
from slant.runs.linejournals import Shaped
from slant.runs.store import check_sums, read_json
from slant.systems.pairprompts import Mode

RUN_AGAIN: Final = "Give the folder of `slant vilbias run`, or run its command again"
JUDGE_AGAIN: Final = "Remove this line, and judge again with `slant vilbias judge FOLDER`"

Bit = Literal[0, 1]

_RUN = re.compile(r"(closed|open)-k(\d+)(?:-(?:seed|run)(\d+))?")


class _Shape(BaseModel):
    model_config = ConfigDict(extra="allow")


class PairSystem(_Shape):
    """One system of a run."""

    name: str
    kind: str = "model"


class VilbiasRecord(_Shape):
    """run.json of a ViLBias run, as far as scoring must rely on it."""

    kind: Literal["vilbias"]
    systems: list[PairSystem]
    data: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    judges: list[str | dict[str, Any]] = []
    signature: str = "vilbias"


class GoldPair(BaseModel):
    """A line of gold.jsonl; `pair` names the twins that no bootstrap may part."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    text: str
    label: Bit
    image: str | None = None
    text_label: Bit | None = None
    image_label: Bit | None = None
    rationale: str | None = None
    outlet: str | None = None
    pair: str | None = None
    role: Literal["train", "dev", "test"] = "test"


class VerdictLine(BaseModel):
    """A line of verdicts/JUDGE/SYSTEM--RUN.jsonl: a judge's reply on a rationale. `judged` is the
    sum of the label and rationale it is about, "" where that is not known."""

    model_config = ConfigDict(extra="ignore")

    item: str
    raw: str | None
    error: str | None = None
    stop: str | None = None
    sample: int = 1
    order: str = ""
    judged: str = ""


class PlantedLine(BaseModel):
    """A line of verdicts/JUDGE/planted.jsonl: one reply on a rationale of which the truth is known;
    what is not expected of it is left out or null."""

    model_config = ConfigDict(extra="ignore")

    case: str
    kind: str
    expected: dict[str, bool | None]
    raw: str | None
    stop: str | None = None
    sample: int = 1
    order: str = ""


@dataclass(frozen=True, slots=True)
class PairRun:
    """The answers of one system in one run, by id of the pair; of pairs that were asked alone."""

    system: str
    mode: Mode
    shots: int
    run: str
    answers: Mapping[str, StoredAnswer]


@dataclass(frozen=True, slots=True)
class Judge:
    """What a judge replied.

    Fields:
        name: of the model.
        verdicts: by system and run, then by id of the pair.
        planted: on rationales of which the truth is known.
    """

    name: str
    verdicts: Mapping[tuple[str, str], Mapping[str, Sequence[VerdictLine]]]
    planted: Sequence[PlantedLine] = field(default=())


@dataclass(frozen=True, slots=True)
class VilbiasFolder:
    """What a run of ViLBias left on disk.

    Fields:
        record: its run.json.
        gold: the pairs of the test, by their ids.
        runs: of all systems, in the order of run.json.
        judges: by name.
    """

    record: VilbiasRecord
    gold: tuple[GoldPair, ...]
    runs: tuple[PairRun, ...]
    judges: tuple[Judge, ...]


def read_vilbias_folder(folder: Path) -> VilbiasFolder:
    """Everything of a run that scoring needs.

    Raises:
        RunError: no run, a damaged file (a last line that was cut off is none), a pair without
            gold, or an answer about a pair that gold lacks.
    """
    path = folder / "run.json"
    content = read_json(path, "the run")
    try:
        record = VilbiasRecord.model_validate(content)
    except ValidationError as error:
        key = ".".join(map(str, error.errors()[0]["loc"]))
        found = f"it is no record of `slant vilbias run` (its key '{key}' is wrong)"
        raise RunError(f"Reading '{path}'", found, RUN_AGAIN) from None
    check_sums(folder, RUN_AGAIN, without=("scores.json", "outcomes.jsonl"))
    gold = read_gold(folder)
    tested = tuple(one for _, one in sorted(gold.items()) if one.role == "test")
    if not tested:
        found = "no pair of gold.jsonl has the role test"
        raise RunError(f"Reading the run '{folder}'", found, RUN_AGAIN)
    runs = [run for one in record.systems for run in _runs(folder, one.name, gold)]
    judges = _judges(folder, record, runs, gold)
    return VilbiasFolder(record, tested, tuple(runs), judges)


def read_gold(folder: Path) -> dict[str, GoldPair]:
    """The pairs of gold.jsonl by id, of every role.

    Raises:
        RunError: absent, a line that is no pair with a label of 0 or 1, or an id twice.
    """
    path = folder / "gold.jsonl"
    gold: dict[str, GoldPair] = {}
    for number, one in read_lines(path, GoldPair, "pair", RUN_AGAIN):
        if one.id in gold:
            found = f"line {number} has the id '{one.id}', as another line has"
            raise RunError(f"Reading '{path}'", found, RUN_AGAIN)
        gold[one.id] = one
    return gold


def read_lines(path: Path, shape: type[Shaped], what: str, do: str) -> Iterator[tuple[int, Shaped]]:
    """The lines of a JSON Lines file, checked, each with its number.

    Rule: bytes behind the last line end are those of a process that was killed, and count only
    where they are whole.

    Raises:
        RunError: the file cannot be read, or a line is not of the shape; the key is named.
    """
    asked = f"Reading '{path}'"
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise RunError(asked, found, do) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        content = unsummed_line(path, line)
        if content is None:
            raise RunError(asked, f"line {number} is damaged: its sum is another", do)
        try:
            yield number, shape.model_validate_json(content)
        except ValidationError as error:
            if number == len(lines):
                return
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            said = f"its key '{key}': {first['msg']}" if key else first["msg"]
            found = f"line {number} is no {what} ({said.lower()})"
            raise RunError(asked, found, do) from None


def _runs(folder: Path, system: str, gold: Mapping[str, GoldPair]) -> list[PairRun]:
    found = []
    for path in sorted((folder / "answers" / slug(system)).glob("*.jsonl")):
        match = _RUN.fullmatch(path.stem)
        if match is None:
            said = "Remove the file: runs are called closed-k0 or open-k5-seed17"
            raise RunError(f"Reading '{path}'", "no run has this name", said)
        answers = Journal(path).answers
        _check_known(path, answers, gold)
        mode: Mode = "closed" if match[1] == "closed" else "open"
        order = (mode, int(match[2]), int(match[3] or 0))
        found.append((order, PairRun(system, mode, int(match[2]), path.stem, answers)))
    return [run for _, run in sorted(found, key=lambda one: one[0])]


def _judges(
    folder: Path, record: VilbiasRecord, runs: Sequence[PairRun], gold: Mapping[str, GoldPair]
) -> tuple[Judge, ...]:
    told = [one if isinstance(one, str) else str(one.get("name", "")) for one in record.judges]
    names = {slug(name): name for name in told}
    judges = []
    for place in sorted(one for one in (folder / "verdicts").glob("*") if one.is_dir()):
        verdicts: dict[tuple[str, str], dict[str, list[VerdictLine]]] = {}
        for run in runs:
            path = place / f"{slug(run.system)}--{run.run}.jsonl"
            if not path.is_file():
                continue
            last = {
                (one.item, one.sample, one.order): one
                for _, one in read_lines(path, VerdictLine, "verdict", JUDGE_AGAIN)
            }
            own: dict[str, list[VerdictLine]] = {}
            for _, one in sorted(last.items()):
                own.setdefault(one.item, []).append(one)
            _check_known(path, own, gold)
            verdicts[run.system, run.run] = own
        planted: dict[tuple[str, int, str], PlantedLine] = {}
        if (path := place / "planted.jsonl").is_file():
            for _, line in read_lines(path, PlantedLine, "planted case", JUDGE_AGAIN):
                planted[line.case, line.sample, line.order] = line
        if verdicts or planted:
            name = names.get(place.name, place.name.replace("--", "/"))
            judges.append(Judge(name, verdicts, [planted[key] for key in sorted(planted)]))
    return tuple(sorted(judges, key=lambda one: one.name))


def _check_known(path: Path, ids: Mapping[str, Any], gold: Mapping[str, GoldPair]) -> None:
    unknown = sorted(set(ids) - set(gold))
    if unknown:
        raise RunError(
            f"Reading '{path}'",
            f"it tells of the pair '{unknown[0]}', for which gold.jsonl has no gold",
            "Restore gold.jsonl, or remove the file",
        )
