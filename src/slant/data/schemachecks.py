"""What a schema must be: known keys of known types, codes and names once, no code without bias."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from slant.data.jsonvalues import json_value
from slant.errors import DataError

_UNPRINTED: Final = "a code or name must be one line without tabs, and not be blank"
_KINDS: Final = {
    "missing": "is missing",
    "extra_forbidden": "is not known",
    "too_short": "is empty",
    "model_type": "is wrong: it is no table of keys",
}


def _prose(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it holds half a character (a lone surrogate)")
    return " ".join(text.split())


def _label(text: str) -> str:
    _prose(text)
    if not text.strip() or len(text.splitlines()) != 1 or "\t" in text:
        raise ValueError(_UNPRINTED)
    return text.strip()


_Prose = Annotated[str, AfterValidator(_prose)]
_Label = Annotated[str, AfterValidator(_label)]


class BiasFacts(BaseModel):
    """One bias as a file has it; `code` and `name` must be there."""

    model_config = ConfigDict(extra="forbid", strict=True)

    code: _Label
    name: _Label
    group: _Prose = ""
    mechanism: _Prose = ""
    definition: _Prose = ""
    line: _Prose = ""
    signals: list[_Prose] = []
    positive: _Prose = ""
    negative: _Prose = ""
    boundary: _Prose = ""
    confused_with: dict[str, _Prose] = {}
    reference: _Prose = ""
    discontinuous: bool = False


class SchemaFacts(BaseModel):
    """A schema as a file has it; `biases` must be there."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: _Label | None = None
    version: _Label = "1"
    title: _Prose = ""
    source: _Prose = ""
    unit: _Label = "trigger"
    rules: list[_Prose] = []
    biases: Annotated[list[BiasFacts], Field(min_length=1)]
    dominant: list[str] = []


def read_schema_content(path: Path, asked: str) -> Any:
    """What a TOML or JSON file holds.

    Args:
        path: the file.
        asked: what was attempted, for the error.

    Raises:
        DataError: another ending, no such file, empty, not UTF-8, no TOML or JSON.
    """
    text = _text(path, asked)
    if path.suffix.lower() == ".toml":
        try:
            return tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise DataError(asked, f"it is no TOML ({error})", "Correct it there") from None
    try:
        return json_value(text)
    except json.JSONDecodeError as error:
        found = f"line {error.lineno}, column {error.colno} is no JSON ({error.msg})"
        raise DataError(asked, found, "Correct it there") from None


def schema_facts(content: Any, asked: str) -> SchemaFacts:
    """The checked facts of a schema.

    Args:
        content: the value of a file.
        asked: what was attempted, for the error.

    Raises:
        DataError: a key that is unknown, missing or of another type, a code or name that stands
            twice in any case of letters, a code that no bias has.
    """
    try:
        facts = SchemaFacts.model_validate(content)
    except ValidationError as error:
        raise DataError(asked, _first(error, content), "Correct it there") from None
    _check_apart(facts.biases, asked)
    codes = [bias.code for bias in facts.biases]
    named = [("dominant", code) for code in facts.dominant]
    for bias in facts.biases:
        named += [(f"confused_with of {bias.code}", other) for other in bias.confused_with]
        if bias.code in bias.confused_with:
            found = f"the key 'confused_with of {bias.code}' names {bias.code} itself"
            raise DataError(asked, found, "Name another bias")
    for key, code in named:
        if code not in codes:
            found = f"the key '{key}' names '{code}', which no bias has as its code"
            raise DataError(asked, found, f"Name one of {', '.join(codes)}")
    return facts


def _check_apart(biases: Iterable[BiasFacts], asked: str) -> None:
    # Annotation files may have either, in any case, so that no code may be another bias's name.
    owners: dict[str, tuple[int, str]] = {}
    for number, bias in enumerate(biases, 1):
        for key, label in (("code", bias.code), ("name", bias.name)):
            other, its = owners.setdefault(label.casefold(), (number, key))
            if other != number:
                found = f"the {key} '{label}' of bias {number} is already the {its} of bias {other}"
                raise DataError(asked, found, "Give every bias a code and a name of its own")


def _text(path: Path, asked: str) -> str:
    if path.suffix.lower() not in {".toml", ".json"}:
        found = f"the ending '{path.suffix}' is not known"
        raise DataError(asked, found, "Give a file that ends in .toml or .json")
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        raise DataError(asked, "there is no such file", "Check the path") from None
    except UnicodeDecodeError as error:
        found = f"byte {error.start} is not UTF-8"
        raise DataError(asked, found, "Save the file as UTF-8") from None
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise DataError(asked, found, "Check the path and its rights") from None
    if not text.strip():
        raise DataError(asked, "it is empty", "Give a file with biases")
    return text


def _first(error: ValidationError, content: Any) -> str:
    """The first thing that pydantic found, by the key as the file has it."""
    first = error.errors()[0]
    place = [str(part + 1) if isinstance(part, int) else part for part in first["loc"]]
    if not place:
        return "it holds no table of keys with 'biases'"
    where = f"the key '{place[0]}'"
    if place[0] == "biases" and len(place) > 1:
        row = content["biases"][int(place[1]) - 1]
        code = row.get("code") if isinstance(row, Mapping) else None
        where = f"bias {place[1]}" + (f" ({code})" if isinstance(code, str) else "")
        if len(place) > 2:
            where += f", key '{'.'.join(str(part) for part in place[2:])}'"
    elif len(place) > 1:
        where += f", entry {place[1]}"
    said = str(first["msg"]).removeprefix("Value error, ").lower()
    return f"{where} {_KINDS.get(first['type']) or 'is wrong: ' + said}"
