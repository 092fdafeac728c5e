"""A scored run of BAIT: its systems, settings and biases, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.report.baitnames import short_codes, shots_text, system_labels
from slant.report.escaping import one_line
from slant.report.tables import Cell, Kind, score_cell
from slant.stats.levels import level_percent

Read = Mapping[str, Any]

KINDS = ("model", "baseline", "human")


@dataclass(frozen=True, slots=True)
class Setting:
    """One number of worked examples under one system.

    Fields:
        shots: worked examples in the prompt.
        read: its part of scores.json.
    """

    shots: int
    read: Read

    def score(self, name: str, part: str = "scores") -> Read | None:
        """An estimate of it; None where the file has none."""
        found: Read | None = (self.read.get(part) or {}).get(name)
        return found

    @property
    def runs(self) -> Sequence[Read]:
        """Its runs, each with its name and scores."""
        return tuple(self.read.get("runs") or ())


@dataclass(frozen=True, slots=True)
class System:
    """What answered.

    Fields:
        name: as in scores.json.
        label: what it is called in every table and figure; no other has it.
        kind: model, baseline or human.
        settings: by rising number of examples.
    """

    name: str
    label: str
    kind: str
    settings: tuple[Setting, ...]

    def at(self, shots: int) -> Setting | None:
        """Its setting with so many examples."""
        return next((one for one in self.settings if one.shots == shots), None)

    @property
    def last(self) -> Setting:
        """Its setting with most examples."""
        return self.settings[-1]


@dataclass(frozen=True, slots=True)
class Category:
    """A bias of the schema: its code, its name and what stands for it where room is scarce."""

    code: str
    name: str
    short: str

    @property
    def label(self) -> str:
        """Code and name, each once."""
        return self.name if self.name == self.code else f"{self.code} {self.name}"

    @property
    def title(self) -> str:
        """What follows what stands for it: its name, and its code where that is not clear."""
        return self.name if self.short == self.code else self.label


@dataclass(frozen=True, slots=True)
class Bait:
    """A scores.json of BAIT, checked, with its systems and the biases of its schema."""

    read: Read
    systems: tuple[System, ...]
    categories: tuple[Category, ...]

    def of(self, kind: str) -> tuple[System, ...]:
        """The systems of a kind, in the order of the file."""
        return tuple(one for one in self.systems if one.kind == kind)

    @property
    def shots(self) -> tuple[int, ...]:
        """The numbers of examples that any model was asked with."""
        return tuple(sorted({one.shots for model in self.of("model") for one in model.settings}))

    @property
    def most(self) -> int:
        """The largest number of examples that a model was asked with; 0 without models."""
        return max(self.shots, default=0)

    @property
    def articles(self) -> int:
        """How many articles were scored."""
        return int(self.read["articles"])

    @property
    def settings(self) -> Read:
        """What the scoring was told."""
        found: Read = self.read.get("settings") or {}
        return found

    @property
    def signature(self) -> str:
        """What the numbers were measured by."""
        return str(self.read.get("signature", ""))

    @property
    def without(self) -> tuple[str, ...]:
        """The codes that a second set of scores leaves out."""
        return tuple(str(code) for code in self.read.get("without") or ())

    def category(self, code: str) -> Category:
        """The bias of a code; one that the schema lacks is called by its code."""
        return next((one for one in self.categories if one.code == code), Category(*[code] * 3))

    def label(self, name: str) -> str:
        """What a system of the file is called."""
        return next((one.label for one in self.systems if one.name == name), one_line(name))


def bait(read: Read) -> Bait:
    """A scores.json of BAIT as its page reads it.

    Args:
        read: checked by `runs`.
    """
    rows = read["systems"]
    labels = system_labels([(str(row["name"]), str(row["kind"])) for row in rows])
    systems = tuple(
        System(
            str(row["name"]),
            label,
            str(row["kind"]),
            tuple(
                Setting(int(one["shots"]), one)
                for one in sorted(row["settings"], key=lambda one: int(one["shots"]))
            ),
        )
        for row, label in zip(rows, labels, strict=True)
    )
    biases = read["schema"]["biases"]
    codes = [str(one["code"]) for one in biases]
    shorts = short_codes(codes)
    return Bait(
        read,
        tuple(one for one in systems if one.settings),
        tuple(
            Category(code, one_line(str(one.get("name") or code)), shorts[code])
            for code, one in zip(codes, biases, strict=True)
        ),
    )


def spread_cell(estimate: Read | None, kind: Kind = "score") -> Cell:
    """The cell of an estimate with its standard deviation over runs, where it has one."""
    return score_cell(estimate and {**estimate, "spread": estimate.get("sd")}, kind=kind)


def number_cell(value: float | None, kind: Kind, why: str) -> Cell:
    """The cell of a number without an interval; `why` there is none."""
    return Cell(None, kind, note=why) if value is None else Cell(float(value), kind)


def level_text(bait: Bait) -> str:
    """What brackets hold.

    >>> level_text(Bait({"level": 0.95}, (), ()))
    '95% intervals'
    """
    return f"{level_percent(bait.read['level'])} intervals"


def models_text(found: Bait, shots: int) -> str:
    """With how many examples models were asked, to append to a part of a caption; empty without
    models.

    >>> models_text(Bait({}, (), ()), 3)
    ''
    """
    return f"; models with {shots_text(shots)}" if found.of("model") else ""
