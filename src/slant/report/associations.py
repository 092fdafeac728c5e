"""A run of associations: its tests in groups, and what methods and choices are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.report.tables import Cell, Kind, Weight, counted
from slant.stats.levels import level_percent

Read = Mapping[str, Any]

METHOD_NAMES = {"weat": "WEAT", "weatvec": "WEATvec", "wefat": "WEFAT", "wefatvec": "WEFATvec"}
D_NAMES = {"weat": "d", "weatvec": "d_vec"}
CORRECTION_NAMES = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini-Hochberg",
    "max-t": "maxT",
}
MEASURE_NAMES = {
    "rnd": "RND",
    "rnsb": "RNSB",
    "mac": "MAC",
    "ect": "ECT",
    "ripa": "RIPA",
    "same": "SAME",
}
DEVIATION_NAMES = {
    "sample": "over X and Y, n - 1",
    "population": "over X and Y, n",
    "vocabulary": "over the whole vocabulary, n",
}
MARKS: Mapping[Weight, str] = {"grey": "n.s.", "": "*", "bold": "***"}
"""What a cell of table 1 says in signs, beside its grey or bold type."""
SIGNIFICANT, HIGHLY = 0.05, 0.001
UNSAID = "the file does not say why"


@dataclass(frozen=True, slots=True)
class Question:
    """One test over all corpora: the name and the four sets that its rows share.

    Fields:
        label: what it is called in every table and figure.
        slug: the same for a file name; no other question has it.
        tests: its rows of associations.json, in their order.
    """

    name: str
    x: str
    y: str
    a: str
    b: str
    label: str
    slug: str
    tests: tuple[Read, ...]

    def test(self, corpus: str, method: str) -> Read | None:
        """Its row of a corpus and method, None where there is none."""
        found = (t for t in self.tests if (t["vectors"], t["method"]) == (corpus, method))
        return next(found, None)


@dataclass(frozen=True, slots=True)
class Associations:
    """associations.json and its tests by question."""

    read: Read
    questions: tuple[Question, ...]

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the vectors, in their order."""
        return tuple(self.read["vectors"])

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of all tests, those of the paper first."""
        return methods_of(self.read["tests"])

    @property
    def signature(self) -> str:
        """What all numbers were measured by."""
        return str(self.read["signature"])


def associations(read: Read) -> Associations:
    """The tests of a file, checked by `runs.associationrecords`, in groups."""
    groups: dict[tuple[str, str, str, str, str], list[Read]] = {}
    for test in read["tests"]:
        x, y, a, b = (str(test[part]) for part in "xyab")
        key = (str(test["name"]), x, y, a, b)
        groups.setdefault(key, []).append(test)
    slugs: list[str] = []
    for name, *_ in groups:
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "test"
        slugs.append(slug if slug not in slugs else f"{slug}-{len(slugs) + 1}")
    questions = [
        Question(*key, label=_label(*key), slug=slug, tests=tuple(tests))
        for (key, tests), slug in zip(groups.items(), slugs, strict=True)
    ]
    return Associations(read, tuple(questions))


def _label(name: str, x: str, y: str, a: str, b: str) -> str:
    sets = f"{x}/{y} × {a}/{b}"
    plain = name.replace(" ", "")
    told = plain in {f"{x}/{y}:{a}/{b}".replace(" ", ""), sets.replace(" ", "")}
    return sets if told else f"{name} ({sets})"


def methods_of(tests: Iterable[Read]) -> tuple[str, ...]:
    """The methods of some tests, those of the package first."""
    given = dict.fromkeys(str(test["method"]) for test in tests)
    first = [method for method in METHOD_NAMES if method in given]
    return (*first, *(method for method in given if method not in METHOD_NAMES))


def method_name(method: str) -> str:
    """A method's name for a reader.

    >>> method_name("weatvec")
    'WEATvec'
    """
    return METHOD_NAMES.get(method, method)


def correction_name(correction: str) -> str:
    """A correction's name for a reader.

    >>> correction_name("max-t")
    'maxT'
    """
    return CORRECTION_NAMES.get(correction, correction)


def corrections_of(rows: Sequence[Read]) -> list[str]:
    """The corrections that rows of tests or comparisons have, those of the package first."""
    given = {key for row in rows for key in row.get("adjusted", {})}
    return [key for key in CORRECTION_NAMES if key in given] + sorted(given - set(CORRECTION_NAMES))


def correction_of(read: Read, row: Read) -> str:
    """The correction that decides over a row: the run's; Holm's where the row has not that one,
    as with maxT and comparisons; "none" where it has neither."""
    given = row.get("adjusted") or {}
    wanted = str(read["correction"])
    return next((key for key in (wanted, "holm") if key in given or key == "none"), "none")


def corrected(read: Read, row: Read) -> float | None:
    """The p of a row after the correction that decides over it; None where it is undefined."""
    key = correction_of(read, row)
    return _number(row.get("p") if key == "none" else row["adjusted"][key])


def weight_of(p: float | None) -> Weight:
    """How a value with a corrected p is set: grey from 0.05 on, bold below 0.001, as in the paper.

    Source: table 1.

    >>> weight_of(0.05), weight_of(0.0499), weight_of(0.0009), weight_of(None)
    ('grey', '', 'bold', 'grey')
    """
    if p is None or p >= SIGNIFICANT:
        return "grey"
    return "bold" if p < HIGHLY else ""


def effect_cell(read: Read, row: Read | None, key: str = "d", *, ends: bool = False) -> Cell:
    """The cell of an effect size or a difference, set and marked by its corrected p.

    Args:
        read: associations.json.
        row: of its tests or compared corpora; None where there is none.
        key: of the number.
        ends: whether its interval stands beside it.

    Returns:
        A cell; grey with "no p" where the p is undefined, a dash with a note without a value.
    """
    if row is None:
        return Cell(None, "score", note="not tested")
    if row[key] is None:
        return Cell(None, "score", note=str(row.get("why") or UNSAID))
    p = corrected(read, row)
    weight = weight_of(p)
    return Cell(
        float(row[key]),
        "difference" if key == "difference" else "score",
        row.get("low") if ends else None,
        row.get("high") if ends else None,
        mark="no p" if p is None else MARKS[weight],
        weight=weight,
    )


def number_cell(value: float | None, note: str = "", *, tail: bool = False) -> Cell:
    """The cell of a number; where it is undefined, a dash with a note."""
    kind: Kind = "tail" if tail else "score"
    if value is None:
        return Cell(None, kind, note=note or UNSAID)
    return Cell(float(value), kind)


def corrected_text(read: Read) -> str:
    """How p-values were corrected, e.g. "Bonferroni over 96 tests"."""
    if read["correction"] == "none":
        return "no correction"
    tests = counted(int(read["family"]))
    return f"{correction_name(str(read['correction']))} over {tests} tests"


def marks_text(read: Read, correction: str = "") -> str:
    """What grey, plain and bold mean, for a caption or note.

    Args:
        read: associations.json.
        correction: how p was corrected; else as the run's tests were.
    """
    name = correction or corrected_text(read)
    after = "p" if name in ("none", "no correction") else f"p after {name}"
    return (
        f"Grey and n.s.: {after} is at least {SIGNIFICANT:g}; plain and *: below "
        f"{SIGNIFICANT:g}; bold and ***: below {HIGHLY:g}."
    )


def deviation_text(read: Read) -> str:
    """What the standard deviation in d is taken over.

    >>> deviation_text({"deviation": "sample"})
    'over X and Y, n - 1'
    """
    return DEVIATION_NAMES.get(str(read["deviation"]), str(read["deviation"]))


def level_text(read: Read) -> str:
    """What brackets hold, e.g. "95% intervals (1,000 resamples)"."""
    if not read["resamples"]:
        return "no intervals, for no resamples were asked for"
    resamples = counted(int(read["resamples"]))
    return f"{level_percent(read['level'])} intervals ({resamples} resamples)"


def replicas_text(read: Read) -> str:
    """The corpora and their replicas, for a sentence.

    >>> replicas_text({"vectors": {"a": {"replicas": 8}, "b": {"replicas": 1}}})
    'a (8 replicas), b (1 replica)'
    """
    return ", ".join(
        f"{name} ({counted(int(v['replicas']))} replica{'' if v['replicas'] == 1 else 's'})"
        for name, v in read["vectors"].items()
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
