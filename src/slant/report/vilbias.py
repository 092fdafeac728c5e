"""A scored run of ViLBias: its systems and settings, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from slant.report.bait import spread_cell
from slant.report.baitnames import FAULT_NAMES, shots_text, system_labels
from slant.report.escaping import one_line
from slant.report.tables import Cell, counted, numbered
from slant.stats.levels import level_percent

Read = Mapping[str, Any]

SCORE_NAMES = {
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "class_f1": "class F1",
    "weighted_f1": "weighted F1",
}
"""The first four are the paper's, of the biased class."""
MEASURE_NAMES = {
    "label": "label",
    "reasoning": "reasoning accuracy",
    "faithfulness": "faithfulness",
}
FAULTS = {**FAULT_NAMES, "unknown-label": "neither label", "wrong-schema": "not of the schema"}
ALL_JUDGES = "all judges"


@dataclass(frozen=True, slots=True)
class PairSetting:
    """One way of asking one system: its part of scores.json."""

    mode: str
    shots: int
    read: Read

    @property
    def name(self) -> str:
        """What it is called, e.g. "closed, 5 examples"."""
        return setting_name(self.mode, self.shots)


@dataclass(frozen=True, slots=True)
class PairSystem:
    """What answered; no other has its label."""

    name: str
    label: str
    settings: tuple[PairSetting, ...]


@dataclass(frozen=True, slots=True)
class Vilbias:
    """A scores.json of ViLBias, checked, with its systems."""

    read: Read
    systems: tuple[PairSystem, ...]

    @property
    def signature(self) -> str:
        """What the numbers were measured by."""
        return str(self.read["signature"])

    @property
    def level(self) -> str:
        """What brackets hold."""
        return f"{level_percent(self.read['level'])} intervals"

    @property
    def pairs(self) -> str:
        """How many pairs, for a sentence."""
        return pairs_text(int(self.read["pairs"]))

    @property
    def drawn(self) -> str:
        """What intervals draw again, and how many there are."""
        by = self.read["clusters"]
        number = int(by["number"])
        if by["by"] == "pairs":
            return f"{numbered(number, 'cluster')} of pairs (twins and near-duplicates are one)"
        return pairs_text(number) if by["by"] == "items" else f"{counted(number)} {by['by']}"

    def trusted(self, names: Iterable[str]) -> str | None:
        """Whose rulings a sentence may rest on: the majority of the judges that are believed, else
        the one of them that errs least; None where none is believed."""
        given = set(names)
        if ALL_JUDGES in given:
            return ALL_JUDGES
        believed = [
            (_known_error(one), str(one["name"]))
            for one in self.read["judges"]
            if one["believed"] and one["name"] in given
        ]
        return min(believed)[1] if believed else None

    def label(self, name: str) -> str:
        """What a system of the file is called."""
        return next((one.label for one in self.systems if one.name == name), one_line(name))

    def judge(self, name: str) -> str:
        """What a judge is called in a sentence: "all judges" are those that are believed."""
        some = name == ALL_JUDGES and not all(one["believed"] for one in self.read["judges"])
        return f"{ALL_JUDGES} that are believed" if some else one_line(name)

    def placed(self) -> Iterator[tuple[PairSystem, PairSetting]]:
        """Every system in every setting: closed before open, by number of examples."""
        every = [(system, one) for system in self.systems for one in system.settings]
        yield from sorted(every, key=lambda pair: (pair[1].mode, pair[1].shots))


def vilbias(read: Read) -> Vilbias:
    """A scores.json of ViLBias as its page reads it.

    Args:
        read: checked by `runs`.
    """
    rows = read["systems"]
    labels = system_labels([(str(row["name"]), str(row["kind"])) for row in rows])
    systems = [
        PairSystem(
            str(row["name"]),
            label,
            tuple(PairSetting(str(s["mode"]), int(s["shots"]), s) for s in row["settings"]),
        )
        for row, label in zip(rows, labels, strict=True)
    ]
    return Vilbias(read, tuple(one for one in systems if one.settings))


def _known_error(judge: Read) -> float:
    return float(judge["planted"]["all"]["error"]["value"]) if judge["planted"] else 1.0


def setting_name(mode: str, shots: int) -> str:
    """A way of asking, for a reader.

    >>> setting_name("open", 0)
    'open, no examples'
    """
    return f"{mode}, {shots_text(shots)}"


def pairs_text(n: int) -> str:
    """How many pairs, for a sentence.

    >>> pairs_text(1), pairs_text(1200)
    ('1 pair', '1,200 pairs')
    """
    return numbered(n, "pair")


def share_cell(estimate: Read | None) -> Cell:
    """The cell of an estimated share, in percent, with its standard deviation over runs where it
    has one."""
    return spread_cell(estimate, "percent")
