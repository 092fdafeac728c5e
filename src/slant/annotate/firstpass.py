"""The first pass: per article, which biases are in it at all; and an annotator's two passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from slant.annotate.formats import read_annotated
from slant.annotate.passes import said
from slant.annotate.sheets import read_sheet, sheet_bytes
from slant.data.schemas import Schema, load_schema, read_schema
from slant.data.words import word_ranges
from slant.errors import DataError, OptionError
from slant.types import Example, Item

SHEET: Final = "first-pass.csv"
SCHEMA: Final = "schema.json"
ANNOTATIONS: Final = "annotations"
YES: Final = frozenset({"1", "x", "y", "yes", "true"})
NO: Final = frozenset({"", "0", "-", "n", "no", "false"})
_TITLE = 80


def first_pass_sheet(items: Sequence[Item], codes: Sequence[str]) -> bytes:
    """The sheet of a first pass: one row per article, one column per bias, nothing ticked.

    Args:
        items: the articles in the order in which they are to be read.
        codes: of the biases.
    """
    rows = [
        {
            "order": str(n),
            "article": item.id,
            "title": f"“{_title(item.text)}”",
            "words": str(len(word_ranges(item.text))),
        }
        for n, item in enumerate(items, 1)
    ]
    return sheet_bytes(["order", "article", "title", "words", *codes, "note"], rows)


def read_first_pass(path: Path, codes: Sequence[str]) -> dict[str, frozenset[str]]:
    """What an annotator ticked: article -> biases.

    Rule: 1, x, y, yes or true ticks; 0, -, n, no, false or an empty cell does not.

    Args:
        path: the sheet.
        codes: the biases, each a column.

    Raises:
        DataError: a cell with anything else, or an article twice, with the row.
    """
    found: dict[str, frozenset[str]] = {}
    for number, row in read_sheet(path, ["article", *codes]):
        for code in codes:
            if row[code].lower() not in YES | NO:
                odd = f"row {number} has '{row[code][:40]}' in the column {code}"
                raise DataError(f"Reading '{path}'", odd, "Write 1 or 0")
        if row["article"] in found:
            twice = f"row {number} has the article '{row['article']}' a second time"
            raise DataError(f"Reading '{path}'", twice, "Keep one row per article")
        found[row["article"]] = frozenset(code for code in codes if row[code].lower() in YES)
    return found


def with_first_pass(
    examples: Sequence[Example], ticked: Mapping[str, frozenset[str]], path: Path
) -> list[Example]:
    """Articles with what the first pass ticked added to the labels of their gold.

    Args:
        examples: an annotator's articles.
        ticked: of `read_first_pass`.
        path: the sheet, for errors.
    """
    known = [example.item.id for example in examples]
    for one, other, where in ((ticked, known, "sheet"), (known, ticked, "annotations")):
        alone = sorted(set(one) - set(other))
        if alone:
            found = f"the article '{alone[0]}' stands in the {where} alone"
            raise DataError(f"Reading '{path}'", found, "Give sheet and annotations of one pass")
    return [
        replace(one, gold=replace(one.gold, labels=one.gold.labels | ticked[one.item.id]))
        for one in examples
    ]


def read_pass(
    path: Path,
    *,
    articles: Path | None = None,
    format: str | None = None,
    schema: Schema | None = None,
) -> list[Example]:
    """An annotator's two passes: a folder that `slant annotate new` made, or any annotated file.

    Args:
        path: the folder with `first-pass.csv` and the annotations beside it; or what
            `read_annotated` reads.
        articles, format: as in `read_annotated`.
        schema: its categories alone are accepted, by code or name; None: those of the schema in
            the folder, all where there is none.

    Raises:
        DataError: as `read_annotated`, `read_first_pass` and `read_schema`.
    """
    place, sheet = annotations_of(path), path / SHEET
    schema = schema or package_schema(path)
    found = read_annotated(
        place,
        articles=articles,
        format=format,
        codes=None if schema is None else schema.codes,
        names=None if schema is None else {bias.name: bias.code for bias in schema.biases},
    )
    if place == path:
        return found
    codes = _sheet_codes(sheet) if schema is None else schema.codes
    return with_first_pass(found, read_first_pass(sheet, codes), sheet)


def package_schema(path: Path) -> Schema | None:
    """The schema that a package was made with; None where the pass is no package with one."""
    carried = path / SCHEMA
    return read_schema(carried) if (path / SHEET).is_file() and carried.is_file() else None


@dataclass(frozen=True, slots=True)
class Passes:
    """Two annotators' passes as a command was given them.

    Fields:
        first, second: their articles.
        names: of the annotators.
        codes: of the schema; None where there is none.
        bias_names: code -> name; empty where there is no schema.
        untouched: names of those whose pass has no mark and no tick in any article.
    """

    first: list[Example]
    second: list[Example]
    names: tuple[str, str]
    codes: tuple[str, ...] | None
    bias_names: Mapping[str, str]
    untouched: tuple[str, ...]


def read_passes(
    first: Path,
    second: Path,
    articles: Path | None,
    format: str | None,
    schema: str | None,
    names: str | None,
) -> Passes:
    """Two passes, their annotators' names and their schema.

    Args:
        first, second: as `read_pass`.
        articles, format: as in `read_annotated`, for both.
        schema: a name or path; None: that of the packages, else the categories that occur.
        names: the annotators' names with a comma; None: see `pass_names`.

    Raises:
        DataError: as `read_pass`; packages of two schemas; no mark and no tick in either pass.
    """
    biases = _carried(first, second) if schema is None else load_schema(schema)
    who = pass_names(first, second) if names is None else _two(names)
    one, other = (
        read_pass(path, articles=articles, format=format, schema=biases) for path in (first, second)
    )
    codes = None if biases is None else biases.codes
    known = {} if biases is None else {bias.code: bias.name for bias in biases.biases}
    untouched = tuple(
        name
        for name, examples in zip(who, (one, other), strict=True)
        if not any(said(example.gold) for example in examples)
    )
    if len(untouched) == 2:
        found = f"neither {who[0]} nor {who[1]} marked or ticked anything in any article"
        raise DataError("Comparing two passes", found, "Give the passes that were sent back")
    return Passes(one, other, who, codes, known, untouched)


def _carried(first: Path, second: Path) -> Schema | None:
    """The schema of two packages, or of the one that has one."""
    one, other = package_schema(first), package_schema(second)
    if one and other and one.codes != other.codes:
        found = f"that of '{first}' has {', '.join(one.codes)}, that of '{second}' "
        found += ", ".join(other.codes)
        do = "Give packages of one schema, or name it with --schema"
        raise DataError("Reading the schemas of two packages", found, do)
    return one or other


def annotations_of(path: Path) -> Path:
    """Where the annotations of a pass stand: the path itself, or inside the folder of a package."""
    if not (path / SHEET).is_file():
        return path
    places = sorted(one for one in path.iterdir() if one.name.split(".")[0] == ANNOTATIONS)
    if len(places) != 1:
        found = f"it has {len(places)} files or folders named {ANNOTATIONS}"
        do = f"Keep one beside {SHEET}, or give the annotations themselves"
        raise DataError(f"Reading the pass in '{path}'", found, do)
    return places[0]


def pass_names(first: Path, second: Path) -> tuple[str, str]:
    """Names for two annotators from where their passes stand.

    >>> pass_names(Path("out/ann"), Path("out/ben")), pass_names(Path("a/x.json"), Path("b/x.json"))
    (('ann', 'ben'), ('a', 'b'))
    """
    for names in ((first.stem, second.stem), (first.parent.name, second.parent.name)):
        if names[0] != names[1] and all(names):
            return names
    return "a", "b"


def _two(names: str) -> tuple[str, str]:
    parts = [name.strip() for name in names.split(",")]
    if len(parts) != 2 or not all(parts):
        raise OptionError(f"Reading --names '{names}'", "these are not two names", "Write A,B")
    return parts[0], parts[1]


def _sheet_codes(path: Path) -> tuple[str, ...]:
    rows = read_sheet(path, ["article"])
    fixed = {"order", "article", "title", "words", "note", ""}
    return tuple(name for name in (rows[0][1] if rows else {}) if name not in fixed)


def _title(text: str) -> str:
    line = next((line for line in text.splitlines() if line.strip()), "")
    short = " ".join(line.split())
    return short if len(short) <= _TITLE else short[: _TITLE - 1] + "…"
