"""associations.json as it must be: checked before a page is made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from slant.runs.records import read_result

NAME = "associations.json"
"""The file of a run of associations."""
Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Number = Finite | None
Share = Annotated[Finite, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, strict=True)]
Scored = tuple[str, Finite]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Coverage(_Shape):
    known: Count
    of: Count
    missing: list[str]
    by_grams: list[str] = []


class _Vectors(_Shape):
    files: list[str]
    replicas: Count
    words: Count | None
    dimensions: Count
    fingerprint: str | None = None
    coverage: dict[str, _Coverage]
    overlap: list[tuple[str, str, Finite]] | None = None


class _Replica(_Shape):
    name: str
    d: Number
    p: Share | None = None


class _Fisher(_Shape):
    p: Share | None
    false_positives: Share | None = None
    how: str = ""


class _LeftOut(_Shape):
    word: str
    set: str
    d: Number


class _Matched(_Shape):
    d: Number
    pairs: list[tuple[str, str]]


class _Values(_Shape):
    x: list[Scored]
    y: list[Scored]


class _Test(_Shape):
    name: str
    vectors: str
    method: str
    x: str
    y: str
    a: str
    b: str
    d: Number
    low: Number = None
    high: Number = None
    interval: str = ""
    p: Share | None
    p_low: Share | None = None
    p_high: Share | None = None
    p_method: str | None = None
    p_error: Number = None
    p_min: Share | None = None
    n_x: Count
    n_y: Count
    n_a: Count
    n_b: Count
    missing: list[str]
    adjusted: dict[str, Share | None]
    replicas: list[_Replica] = []
    spread: Number = None
    fisher: _Fisher | None = None
    leave_one_out: list[_LeftOut] = []
    split_half: Number = None
    split_half_targets: Number = None
    frequency_matched: _Matched | None = None
    both: list[str] = []
    values: _Values | None = None
    why: str = ""


class _FactWord(_Shape):
    word: str
    value: Number
    h: Number = None
    p: Share | None = None


class _Outside(_Shape):
    r: Number
    low: Number = None
    high: Number = None
    n: Count
    quantity: str = ""


class _Fact(_Shape):
    name: str
    vectors: str
    method: str
    w: str
    a: str
    b: str
    words: list[_FactWord]
    outside: _Outside | None = None


class _Measure(_Shape):
    name: str
    vectors: str
    measure: str
    sets: list[str] = []
    value: Number
    why: str = ""


class _Compared(_Shape):
    name: str
    method: str
    first: str
    second: str
    difference: Number
    low: Number = None
    high: Number = None
    p: Share | None
    p_method: str | None = None
    p_error: Number = None
    adjusted: dict[str, Share | None] = {}
    why: str = ""


class _Absent(_Shape):
    name: str
    vectors: str
    why: str


class AssociationRecord(_Shape):
    """associations.json, as far as a reader must be able to rely on its shape."""

    slant: str
    signature: str
    level: Annotated[Finite, Field(gt=0, lt=1)]
    resamples: Count
    permutations: Count
    seed: int
    alternative: str
    deviation: str
    unequal: str
    case: str
    outside: str
    correction: str
    family: Count
    sets: dict[str, list[str]]
    vectors: Annotated[dict[str, _Vectors], Field(min_length=1)]
    left_out: list[_Absent] = []
    tests: list[_Test]
    facts: list[_Fact] = []
    measures: list[_Measure] = []
    compared: list[_Compared] = []
    neighbours: dict[str, dict[str, list[Scored]]] = {}

    @model_validator(mode="after")
    def _names_are_known(self) -> AssociationRecord:
        if not self.tests and not self.facts:
            raise ValueError("tests and facts are both empty")
        for part in ("tests", "facts", "measures"):
            for i, row in enumerate(getattr(self, part)):
                self._known(row.vectors, f"{part}.{i}.vectors")
        for i, pair in enumerate(self.compared):
            for side in ("first", "second"):
                self._known(getattr(pair, side), f"compared.{i}.{side}")
        for i, test in enumerate(self.tests):
            if self.correction != "none" and self.correction not in test.adjusted:
                raise ValueError(f"tests.{i}.adjusted has no '{self.correction}'")
        return self

    def _known(self, name: str, key: str) -> None:
        if name not in self.vectors:
            raise ValueError(f"{key} is '{name}', which is not among its vectors")


def is_associations(folder: Path) -> bool:
    """Whether a folder holds a run of associations."""
    return (folder / NAME).exists()


def read_associations(folder: Path) -> dict[str, Any]:
    """A run's associations.json, checked, as it is.

    Args:
        folder: that holds it.

    Raises:
        RunError: absent, damaged or of another shape; the first wrong key is named.
    """
    again = f"Make it again with `slant assoc run ... --out {folder}`"
    return read_result(folder / NAME, "the associations", AssociationRecord, again)
