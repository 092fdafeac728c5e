"""The nouns. Everything else in the package is a function from some of these to others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

BIASED = "biased"
"""The one category of a binary task."""

Array = NDArray[np.int64]
Floats = NDArray[np.float64]
Preset = Literal["official", "clean"]
Kernel = Callable[[Array], Floats]
"""A score on counts of any leading shape, (..., groups, 4) -> (...), NaN where it is undefined."""


@dataclass(frozen=True, slots=True)
class Item:
    """All that a system may see. `group` is the data set that the text came from."""

    id: str
    text: str
    image: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range of Unicode code points: text[start:end]."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mark:
    """One trigger or rationale: a category with its located spans, and quotes not located.

    Fields:
        confidence: of the annotator, on the task's own scale.
        id, note: as the annotation file has them; no score looks at either.
    """

    category: str
    spans: tuple[Span, ...] = ()
    quotes: tuple[str, ...] = ()
    confidence: float | None = None
    id: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What (labels that apply), where (marks) and why (reason). A binary answer has the label
    "biased" or none."""

    labels: frozenset[str] = frozenset()
    marks: tuple[Mark, ...] = ()
    reason: str | None = None

    @property
    def biased(self) -> bool:
        """Whether the one category of a binary task applies."""
        return BIASED in self.labels


YES = Answer(labels=frozenset({BIASED}))
NO = Answer()


@dataclass(frozen=True, slots=True)
class Example:
    """An item with its gold answer. `cluster` names the unit that never crosses folds and that
    the bootstrap resamples: near-duplicates, sentences of one article, minimal pairs."""

    item: Item
    gold: Answer
    annotators: Mapping[str, Answer] = field(default_factory=dict)
    source_label: str = ""
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """Train and dev with gold, test as items only: a system cannot peek."""

    train: Sequence[Example]
    dev: Sequence[Example]
    test: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Prediction:
    """An answer, or the fault why there is none; never dropped. `probability` is that of
    "biased" in a binary task."""

    id: str
    answer: Answer | None
    probability: float | None = None
    raw: str | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Integer counts that every count-based score is a reduction of.

    Fields:
        counts: (units, categories, 4) int64, the last axis being tp, fp, fn, tn.
        units: (units,) the ids.
        groups: (units,) index into `group_names`: the data set of each unit.
        clusters: (units,) integer code of the resampling unit.
        categories, group_names: what the axes stand for.
    """

    counts: Array
    units: Sequence[str]
    groups: Array
    clusters: Array
    categories: tuple[str, ...] = (BIASED,)
    group_names: tuple[str, ...] = ("all",)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that can be trusted: with its interval, level, sample size and method."""

    value: float
    low: float | None
    high: float | None
    level: float
    n: int
    method: str


@dataclass(frozen=True, slots=True)
class Undefined:
    """There is no such number, and why: the answer of a score to 0/0, never a silent NaN."""

    why: str


@dataclass(frozen=True, slots=True)
class Test:
    """The outcome of one test. `p_adjusted` is filled by a correction over a named family."""

    name: str
    statistic: float
    p: float
    n: int
    method: str
    p_adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """What happened, on disk: see docs/handbook.md for the files."""

    folder: Path
    tasks: tuple[str, ...]
    system: str
    params: Mapping[str, str | int | float | bool]
    seeds: tuple[int, ...]
    signature: str


Protocol = Callable[[Sequence[Example], int], list[Fold]]
System = Callable[[Sequence[Fold], int], Iterable[list[Prediction]]]
Count = Callable[[Sequence[Example], Sequence[Prediction]], Tally]
Score = Callable[[Tally], float]


@dataclass(frozen=True, slots=True)
class Task:
    """Data, protocol, what is counted and scored, and which score comes first."""

    name: str
    load: Callable[[], Sequence[Example]]
    protocol: Protocol
    count: Count
    scores: Mapping[str, Score]
    primary: str
    source: str
