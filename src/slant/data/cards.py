"""The facts on each data set and task, read from the TOML files beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from slant.errors import DataError, unknown_name
from slant.types import Preset

Access = Literal["public", "on request", "gone"]
Members = Literal["script", "published", "table2"]
BENCHMARK = "mbib"
ADDED = "added"
BELOW = {"mediaeval": "vilbias", "vldbench": "vilbias"}
"""Data sets of a benchmark of their own that stand below another one: vilbias/vldbench."""
_FOLDER = files("slant.data") / "cards"
PRESETS: tuple[Preset, ...] = get_args(Preset)


def _public(url: str) -> str:
    if not url.startswith("https://"):
        raise ValueError(f"an address must start with https://, not {url!r}")
    return url


Url = Annotated[str, AfterValidator(_public)]


class _Facts(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Citation(_Facts):
    """Whom to cite."""

    authors: str
    year: int
    title: str
    venue: str
    url: Url
    doi: str | None = None


class FilePattern(_Facts):
    """One file of a form, or a family of files, as a glob relative to the data set's folder.

    Fields:
        sha256, size: of the published file, for a single one; `size` in bytes.
        count: how many files match when the form is complete; `many` where that isn't known.
        rows: records in the file when complete, as published.
        marker, marks: a byte string that stands `marks` times in the complete file.
        at_least: bytes below which the file can only be an excerpt.
        optional: read where it is there, never missed.
        url: where the file is published, byte for byte; needs `sha256` and `size`.
    """

    pattern: str
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    size: int | None = None
    count: int = 1
    many: bool = False
    rows: int | None = None
    marker: str | None = None
    marks: int | None = None
    at_least: int | None = None
    optional: bool = False
    url: Url | None = None

    @model_validator(mode="after")
    def _consistent(self) -> FilePattern:
        if self.url is not None and (self.sha256 is None or self.size is None):
            raise ValueError(f"{self.pattern} has an address but no checksum or size")
        if (self.marker is None) != (self.marks is None):
            raise ValueError(f"{self.pattern} must state marker and marks together")
        return self


class Form(_Facts):
    """One form in which a data set is published.

    Fields:
        presets: those that read it; none where it is published for comparison alone.
        columns: names that must stand in the first line of the csv files.
        unit: what is counted, e.g. "articles".
        fingerprint: of the complete form, where it consists of many files.
        excerpt: what part of the data set it is, for forms that are never complete.
        apart: each file can be read without the others.
        beside: no preset reads it, but it is fetched and kept with the others.
        note: what its user must know even if it is complete.
    """

    name: str
    presets: tuple[Preset, ...]
    files: tuple[FilePattern, ...]
    columns: tuple[str, ...] = ()
    unit: str = "rows"
    encoding: str = "utf-8"
    fingerprint: str | None = None
    excerpt: str | None = None
    apart: bool = False
    beside: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Download:
    """One published file: its address, where it goes in the data set's folder, and its bytes."""

    url: str
    path: str
    sha256: str
    size: int


class Card(_Facts):
    """What is known of one data set. Rows and labels: `rows_paper` by task (table 2 of the
    paper), `rows_official` in total and by label (the official csv)."""

    number: str
    name: str
    short: str
    folder: str
    language: str
    licence: str
    redistributable: bool
    home: Url | None
    repository: Url | None
    access: Access
    how_to_get: str
    feature_level: str
    feature_source: str
    label_categories: str
    label_source: str
    one_class: tuple[Preset, ...]
    rule_official: str
    rule_clean: str
    quirks: tuple[str, ...]
    why_rows_differ: tuple[str, ...]
    citation: Citation | None
    rows_paper: Mapping[str, int]
    rows_official: Mapping[str, int] | None = None
    forms: tuple[Form, ...]
    tasks: tuple[str, ...] = ()

    @property
    def public_name(self) -> str:
        """What a user types: "mbib/072", or "babe"."""
        return public_name(self.number)

    @property
    def place(self) -> str:
        """The published folder, relative to a store."""
        return f"{BENCHMARK}/{self.folder}" if self.number.isdigit() else self.folder

    @property
    def downloads(self) -> tuple[Download, ...]:
        """The files that can be fetched and that something reads, each once."""
        found = {
            f.pattern: Download(f.url, f.pattern, f.sha256, f.size)
            for form in self.forms
            if form.presets or form.beside
            for f in form.files
            if f.url and f.sha256 and f.size
        }
        return tuple(found.values())

    def form(self, name: str) -> Form:
        """The form of that name."""
        for form in self.forms:
            if form.name == name:
                return form
        raise unknown_name(f"form of {self.number}", name, [form.name for form in self.forms])


class Member(_Facts):
    """A data set of a task, or one part of it (RedditBias)."""

    dataset: str
    part: str | None = None


class TaskCard(_Facts):
    """What is known of one task: members as the script joins them, as published, by table 2."""

    name: str
    title: str
    definition: str
    script: tuple[str, ...]
    published: tuple[str, ...]
    published_known: bool
    table2: tuple[Member, ...]
    paper_total: int | None = None
    paper_sum: int | None = None
    note: str = ""

    def members(self, by: Members) -> tuple[Member, ...]:
        """The members in order, by one of the three lists."""
        if by == "table2":
            return self.table2
        return tuple(Member(dataset=number) for number in getattr(self, by))


def validated_card(facts: Mapping[str, Any], origin: str) -> Card:
    """The card made of `facts`.

    Args:
        facts: what a card's TOML holds.
        origin: the file's name, for the error.
    """
    try:
        return Card.model_validate(facts)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the card"
        raise DataError(
            f"Reading the card '{origin}'", f"{where}: {first['msg']}", "Mend or remove the file"
        ) from None


@cache
def card_names() -> tuple[str, ...]:
    """All data sets that have a card: the numbers of MBIB's, then the names of the others."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def card_numbers() -> tuple[str, ...]:
    """The numbers of MBIB's data sets, ascending."""
    return tuple(name for name in card_names() if name.isdigit())


@cache
def own_benchmarks() -> tuple[str, ...]:
    """The data sets that are a benchmark of their own, or stand below such a one, by name.

    >>> own_benchmarks()
    ('babe', 'mediaeval', 'vilbias', 'vldbench')
    """
    return tuple(name for name in card_names() if not name.isdigit())


def public_name(dataset: str) -> str:
    """What a user types for a data set that has a card.

    >>> public_name("072"), public_name("babe"), public_name("vldbench")
    ('mbib/072', 'babe', 'vilbias/vldbench')
    """
    above = BENCHMARK if dataset.isdigit() else BELOW.get(dataset)
    return f"{above}/{dataset}" if above else dataset


@cache
def load_card(number: str) -> Card:
    """The card of one data set.

    Args:
        number: three digits of MBIB, e.g. "072", or the name of another, "babe".

    >>> load_card("072").short
    'LIAR'
    """
    if number not in card_names():
        raise unknown_name("data set", number, card_names())
    text = (_FOLDER / f"{number}.toml").read_text(encoding="utf-8")
    facts = tomllib.loads(text)
    return validated_card({**facts, "tasks": tuple(facts["rows_paper"])}, f"{number}.toml")


@cache
def load_tasks() -> Mapping[str, TaskCard]:
    """All nine tasks by name, in the paper's order of table 2 with reporting-level in its place.

    >>> [member.part for member in load_tasks()["racial-bias"].members("table2")]
    ['race_black', None]
    """
    text = (files("slant.data") / "mbib_tasks.toml").read_text(encoding="utf-8")
    tasks = [TaskCard.model_validate(facts) for facts in tomllib.loads(text)["tasks"]]
    return {task.name: task for task in tasks}
