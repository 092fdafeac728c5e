"""explain.json and circuit.json as they must be: checked before a page is made of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from slant.errors import RunError
from slant.runs.records import read_result

Number = FiniteFloat | None
Count = Annotated[int, Field(ge=0)]
Score = Literal["auroc", "average_precision", "token_f1", "iou_f1"]
Removal = Literal["delete", "mask", "unknown"]
Words = Literal["words", "random_words", "excess"]
Grid = list[list[Number]]
FILES = {"explain.json": "slant explain", "circuit.json": "slant circuit"}
"""The files of a study, and the commands that make them."""


class _Shape(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Estimated(_Shape):
    value: Number
    low: Number = None
    high: Number = None
    why: str = ""
    seeds: list[Number] = []
    spread: Number = None


class _Plausible(_Estimated):
    within: Number = None
    pooled: Number = None


class _Class(_Shape):
    precision: _Estimated
    recall: _Estimated
    f1: _Estimated


class _Classification(_Shape):
    class_f1: _Estimated
    biased: _Class
    unbiased: _Class


class _Dev(_Shape):
    class_f1: _Estimated
    auroc: dict[str, _Estimated] = {}


class _Sentences(_Shape):
    seed: int
    fold: int
    test: Count
    marked: Count
    shown: Count
    cut: Count


class _Erased(_Shape):
    comprehensiveness: _Estimated
    random_comprehensiveness: _Estimated
    excess_comprehensiveness: _Estimated
    sufficiency: _Estimated
    random_sufficiency: _Estimated
    excess_sufficiency: _Estimated


class _Example(_Shape):
    seed: int
    id: str
    text: str
    label: Literal[0, 1]
    probability: Number
    marked: list[tuple[int, int]]
    words: list[tuple[int, int]]
    scores: dict[str, list[Number]]

    @model_validator(mode="after")
    def _words_lie_in_the_text(self) -> _Example:
        end = 0
        for word in self.words:
            if not end <= word[0] < word[1] <= len(self.text):
                raise ValueError(f"word {list(word)} is not behind the one before it in the text")
            end = word[1]
        for method, scores in self.scores.items():
            if len(scores) != len(self.words):
                raise ValueError(f"{method} has {len(scores)} scores for {len(self.words)} words")
        return self


class _Params(_Shape):
    attention_lambda: FiniteFloat = 0.0


class _Subject(_Shape):
    signature: str
    system: str
    params: _Params
    seeds: list[int]


class _Explained(_Subject):
    folds: Count = 1
    classification: _Classification
    dev: _Dev | None = None
    sentences: list[_Sentences]
    plausibility: dict[str, dict[Score, _Plausible]]
    erasure: dict[str, dict[Removal, _Erased]] = {}
    examples: list[_Example] = []


class _HumanWords(_Shape):
    auroc: Number
    token_f1: Number
    answers: Count
    votes: int = 1


class _Humans(_Shape):
    alpha: Number
    labels_class_f1: Number
    words: _HumanWords | None = None


class _Difference(_Shape):
    model: str
    method: str | None = None
    against_model: str | None = None
    against: str | None = None
    score: str
    value: Number
    low: Number = None
    high: Number = None
    p: Number = None
    p_holm: Number = None
    why: str = ""


class _Study(_Shape):
    slant: str
    level: Annotated[FiniteFloat, Field(gt=0, lt=1)]
    resamples: Count
    task: str


class ExplainRecord(_Study):
    """explain.json, as far as a reader must be able to rely on its shape."""

    part: str
    unit: str
    aggregation: str
    target: str
    models: Annotated[dict[str, _Explained], Field(min_length=1)]
    baselines: dict[str, dict[Score, _Plausible]]
    humans: _Humans | None = None
    differences: list[_Difference] = []

    @model_validator(mode="after")
    def _names_are_known(self) -> ExplainRecord:
        for row in self.differences:
            for name in (row.model, row.against_model):
                if name is not None and name not in self.models:
                    raise ValueError(f"differences name the model '{name}', which is not here")
        return self


class _Texts(_Shape):
    seed: int
    fold: int
    dev: Count
    test: Count
    changed: Count


class _Band(_Shape):
    low: Number
    median: Number
    high: Number


class _Bands(_Shape):
    sufficiency: _Band
    completeness: _Band
    retention: _Band
    rescue: _Band


class _Point(_Shape):
    k: Count
    share: FiniteFloat
    asked: Literal["k", "share"] = "k"
    circuit: _Estimated
    none: _Estimated
    sufficiency: _Estimated
    completeness: _Estimated
    retention: _Estimated
    rescue: _Estimated
    random: _Bands


class _Curve(_Shape):
    base: _Estimated
    points: list[_Point]


class _Circuit(_Subject):
    layers: Count
    blocks: list[str]
    heads: list[Count]
    total: Count
    texts: list[_Texts]
    effects: dict[Words, Grid]
    reliability: _Estimated
    agreement: _Estimated
    attribution_patching: dict[Literal["spearman"], _Estimated] | None = None
    probe: dict[Literal["class_f1"], _Estimated]
    curves: dict[Literal["classes", "corruption"], dict[Words, _Curve]]

    @model_validator(mode="after")
    def _effects_have_the_heads(self) -> _Circuit:
        if len(self.blocks) != len(self.heads):
            raise ValueError(f"{len(self.blocks)} blocks, but heads of {len(self.heads)}")
        for name, grid in self.effects.items():
            if [len(row) for row in grid] != self.heads:
                raise ValueError(f"effects.{name} is not one number for each of its heads")
        return self


class CircuitRecord(_Study):
    """circuit.json, as far as a reader must be able to rely on its shape."""

    corruption: str
    readout: str
    scale: Literal["logit", "probability"]
    ranking: str
    discovery: str
    verification: str
    draws: Count
    models: Annotated[dict[str, _Circuit], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class StudyRead:
    """What was read from the folder of a study; None where the file is not there."""

    explain: dict[str, Any] | None
    circuit: dict[str, Any] | None


def is_study(folder: Path) -> bool:
    """Whether a folder holds a study of explanations or of heads."""
    return any((folder / name).exists() for name in FILES)


def read_study(folder: Path) -> StudyRead:
    """The files of a study, checked, as they are.

    Args:
        folder: with explain.json, circuit.json or both.

    Raises:
        RunError: neither is there, or one is damaged or of another shape; the first wrong key is
            named.
    """
    if not is_study(folder):
        raise RunError(
            f"Reading the study '{folder}'",
            "it has neither explain.json nor circuit.json",
            f"Make them with `slant explain {folder}` and `slant circuit {folder}`",
        )
    return StudyRead(
        _read(folder / "explain.json", ExplainRecord), _read(folder / "circuit.json", CircuitRecord)
    )


def _read(path: Path, shape: type[BaseModel]) -> dict[str, Any] | None:
    if not path.exists():
        return None
    again = f"Make it again with `{FILES[path.name]} {path.parent}`"
    return read_result(path, "the study", shape, again, "models")
