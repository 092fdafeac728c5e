"""Schemas of triggers: which biases there are, how one tells them apart, and what a model is told.

One file is the source of the annotators' codebook, of the one-line definitions in the prompt and of
the codes that every score counts by.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from slant.data.schemachecks import read_schema_content, schema_facts
from slant.errors import unknown_name

SHIPPED: Final = ("bait", "ptc")
"""The names of the schemas that the package holds."""

_TOLD: Final = (
    *("mechanism", "definition", "line", "signals", "positive", "negative", "boundary"),
    *("confused_with", "reference"),
)


@dataclass(frozen=True, slots=True)
class Bias:
    """One category of trigger.

    Fields:
        code, name: as annotation files have it ("B01") and as people call it.
        group: the heading that it stands under.
        mechanism: what happens in a reader, for the annotators.
        definition: when a passage is a trigger, for the annotators.
        line: the definition in one line, for a model.
        signals: what the wording may look like; none is sufficient.
        positive, negative: an example that is a trigger, and one close to it that is not.
        boundary: what is not yet a trigger.
        confused_with: code of another bias -> how to tell this one from it.
        reference: the foundational source, short.
        discontinuous: one trigger of it commonly has several spans.
    """

    code: str
    name: str
    group: str = ""
    mechanism: str = ""
    definition: str = ""
    line: str = ""
    signals: tuple[str, ...] = ()
    positive: str = ""
    negative: str = ""
    boundary: str = ""
    confused_with: Mapping[str, str] = field(default_factory=dict)
    reference: str = ""
    discontinuous: bool = False


@dataclass(frozen=True, slots=True)
class Schema:
    """The biases that a set of articles is annotated with, in their order.

    Fields:
        name, version, title: of the schema; a change of meaning is a new version.
        source: where its categories were defined first.
        unit: what one annotation is called, e.g. "trigger".
        rules: the rules of annotation, one sentence or two each.
        biases: at least one.
        dominant: codes so frequent that every score is also given without them.
    """

    name: str
    version: str
    title: str
    source: str
    unit: str
    rules: tuple[str, ...]
    biases: tuple[Bias, ...]
    dominant: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the biases, in their order."""
        return tuple(bias.code for bias in self.biases)

    def bias(self, code: str) -> Bias:
        """The bias of a code; an unknown one is answered with the nearest.

        >>> load_schema("bait").bias("B01").name
        'Illusory Truth'
        """
        for bias in self.biases:
            if bias.code == code:
                return bias
        raise unknown_name(f"bias of the schema {self.name}", code, self.codes)


def load_schema(name_or_path: str) -> Schema:
    """A schema of the package by its name, or one of the user by the path of its file.

    Args:
        name_or_path: "bait" (nine cognitive biases), "ptc" (14 propaganda techniques), or a path.

    Raises:
        UnknownName: neither a name of `SHIPPED` nor a path.
        DataError: as `read_schema`.

    >>> load_schema("bait").codes[:3], len(load_schema("ptc").codes)
    (('B01', 'B02', 'B03'), 14)
    """
    if name_or_path in SHIPPED:
        text = files("slant.data").joinpath("schemas", f"{name_or_path}.toml").read_bytes().decode()
        asked = f"Reading the schema '{name_or_path}' of the package"
        return _schema(tomllib.loads(text.replace("\r\n", "\n")), name_or_path, asked)
    path = Path(name_or_path)
    if path.suffix or len(path.parts) > 1 or path.exists():
        return read_schema(path)
    raise unknown_name("schema", name_or_path, SHIPPED)


def read_schema(path: Path) -> Schema:
    """The schema in a TOML or JSON file; docs/bait-schema.md has the keys.

    Rule: of each bias only `code` and `name` must be there; white space inside prose, line ends
    too, counts as one space; `line` is the definition where it is left out, `name` of the schema
    that of the file.

    Args:
        path: ends in .toml or .json.

    Raises:
        DataError: no such file, damaged, a key that is unknown, missing or of another type, a code
            or a name that stands twice, a code that no bias has.
    """
    asked = f"Reading the schema '{path}'"
    return _schema(read_schema_content(path, asked), path.stem, asked)


def plain_schema(codes: Iterable[str], name: str = "given") -> Schema:
    """A schema of nothing but codes, for labels found in data; each code is its own name.

    >>> plain_schema(["Doubt", "Slogans"]).codes
    ('Doubt', 'Slogans')
    """
    facts = {"name": name, "biases": [{"code": one, "name": one} for one in codes]}
    return _schema(facts, name, f"Making the schema '{name}' of the labels found")


def schema_json(schema: Schema) -> dict[str, Any]:
    """The whole schema as values of JSON; `read_schema_json` reads it back."""
    return {
        **asdict(schema),
        "rules": list(schema.rules),
        "biases": [{**asdict(bias), "signals": list(bias.signals)} for bias in schema.biases],
        "dominant": list(schema.dominant),
    }


def read_schema_json(content: Mapping[str, Any], where: str = "run.json") -> Schema:
    """The schema that `schema_json` wrote.

    Args:
        content: its value.
        where: the file that it stood in, for the error.

    Raises:
        DataError: as `read_schema`.

    >>> read_schema_json(schema_json(load_schema("ptc"))) == load_schema("ptc")
    True
    """
    return _schema(content, "given", f"Reading the schema in '{where}'")


def schema_gaps(schema: Schema) -> dict[str, tuple[str, ...]]:
    """What an annotator or a model would miss: code -> the empty fields of that bias.

    >>> schema_gaps(load_schema("bait"))
    {}
    >>> schema_gaps(plain_schema(["Doubt"]))["Doubt"][:2]
    ('mechanism', 'definition')
    """
    empty = {
        bias.code: tuple(name for name in _TOLD if not getattr(bias, name))
        for bias in schema.biases
    }
    return {code: names for code, names in empty.items() if names}


def _schema(content: Any, name: str, asked: str) -> Schema:
    facts = schema_facts(content, asked)
    biases = []
    for one in facts.biases:
        told = {"signals": tuple(one.signals), "line": one.line or one.definition}
        biases.append(Bias(**{**one.model_dump(), **told}))
    return Schema(
        name=facts.name or name,
        version=facts.version,
        title=facts.title or facts.name or name,
        source=facts.source,
        unit=facts.unit,
        rules=tuple(facts.rules),
        biases=tuple(biases),
        dominant=tuple(facts.dominant),
    )
