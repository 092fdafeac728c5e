"""A folder for each annotator: articles in an order of their own, sheet, codebook, instructions."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from slant.annotate.firstpass import ANNOTATIONS, SCHEMA, SHEET, first_pass_sheet
from slant.annotate.formats import write_annotated
from slant.annotate.inclusion import RESERVED
from slant.annotate.instructions import instructions
from slant.annotate.toolconfigs import TOOLS, tool_files
from slant.data.schemas import Schema, schema_json
from slant.data.writing import temporary_folder, write_failed
from slant.errors import DataError, OptionError, unknown_name
from slant.stats.resampling import generator
from slant.types import Answer, Example, Item

ENDINGS: Final = {
    "brat": "", "webanno": "", "label-studio": ".json", "doccano": ".jsonl", "jsonl": ".jsonl",
}  # fmt: skip
_NAME = re.compile(r"[^\W_][\w-]{0,39}")


def write_packages(
    items: Sequence[Item],
    out: Path,
    annotators: Sequence[str],
    schema: Schema,
    *,
    tool: str,
    seed: int,
    codebook: Mapping[str, bytes],
) -> list[Path]:
    """Write a package for each annotator, all or none.

    Args:
        items: the articles.
        out: the folder that the packages stand in, each named for its annotator.
        annotators: their names.
        schema: of the biases.
        tool: one of `TOOLS`.
        seed: of the orders; each annotator's is its own, and depends on the ids alone.
        codebook: files that go into each package, by name.

    Returns:
        The folders.

    Raises:
        OptionError: a package that is there already, unless a killed command left it as it is made
            and others are missing; or a name that no folder can have.
        DataError: no article, or two with the same id.
    """
    if tool not in TOOLS:
        raise unknown_name("annotation tool", tool, TOOLS)
    _check_names(annotators)
    _check_items(items)
    todo = [name for name in annotators if not (out / name).exists()] or list(annotators)
    files = {**codebook, **tool_files(schema, tool)}
    made, moved = not out.exists(), []
    try:
        with temporary_folder(out / "new") as staging:
            for name in annotators:
                order = in_order(items, name, seed)
                _write_package(staging / name, name, order, schema, tool, files)
            _check_untouched(out, staging, annotators, todo)
            for name in todo:
                os.replace(staging / name, out / name)
                moved.append(out / name)
    except OSError as error:
        raise write_failed(out, error) from error
    finally:
        if len(moved) < len(todo):
            for folder in moved:
                shutil.rmtree(folder, ignore_errors=True)
            if made:
                with suppress(OSError):
                    out.rmdir()
    return [out / name for name in annotators]


def _check_untouched(
    out: Path, fresh: Path, annotators: Sequence[str], todo: Sequence[str]
) -> None:
    """Refuse a package that is there, but for one that a killed command left as it is made now."""
    for name in annotators:
        there = (out / name).exists()
        if there and (name in todo or _contents(out / name) != _contents(fresh / name)):
            found = f"'{out / name}' is there already, perhaps with work in it"
            raise OptionError("Making packages", found, "Give another --out or other names")


def _contents(folder: Path) -> dict[Path, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


def in_order(items: Sequence[Item], annotator: str, seed: int) -> list[Item]:
    """The articles in the order of one annotator.

    >>> [item.id for item in in_order([Item("1", ""), Item("2", ""), Item("3", "")], "ann", 5)]
    ['3', '2', '1']
    """
    known = sorted(items, key=lambda item: item.id)
    places = generator(seed, ["annotation order", annotator]).permutation(len(known))
    return [known[place] for place in places]


def _write_package(
    folder: Path,
    name: str,
    items: Sequence[Item],
    schema: Schema,
    tool: str,
    files: Mapping[str, bytes],
) -> None:
    empty, place = [Example(item, Answer()) for item in items], f"{ANNOTATIONS}{ENDINGS[tool]}"
    write_annotated(empty, folder / place, format=tool)
    if tool == "label-studio":
        # An annotation in the import would stand beside the annotator's own in the export.
        tasks = [{"data": task["data"]} for task in json.loads((folder / place).read_bytes())]
        text = json.dumps(tasks, ensure_ascii=False, indent=1)
        (folder / place).write_bytes(text.encode() + b"\n")
    told = instructions(name, schema, tool, len(items)).encode()
    sheet = first_pass_sheet(items, schema.codes)
    carried = json.dumps(schema_json(schema), ensure_ascii=False, indent=1).encode() + b"\n"
    own = {SHEET: sheet, SCHEMA: carried, "README.md": told}
    for path, content in {**files, **own}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def _check_names(annotators: Sequence[str]) -> None:
    asked = f"Making packages for {', '.join(annotators) or 'nobody'}"
    if not annotators:
        raise OptionError(asked, "no annotator is named", "Name them, e.g. --annotators ann,ben")
    for name in annotators:
        if not _NAME.fullmatch(name) or name.casefold() in RESERVED:
            found = f"'{name}' is no name of an annotator here"
            do = "Give letters, digits, - and _, at most 40, and none of keep, drop, edit"
            raise OptionError(asked, found, do)
    if len({name.casefold() for name in annotators}) < len(annotators):
        raise OptionError(asked, "a name is there twice", "Give each annotator a name")


def _check_items(items: Sequence[Item]) -> None:
    if not items:
        raise DataError("Making packages", "there is no article", "Give articles")
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            found = f"the article '{item.id}' is there twice"
            raise DataError("Making packages", found, "Give every article an id of its own")
        if not item.text.strip():
            found = f"the article '{item.id}' has no text"
            raise DataError("Making packages", found, "Leave it out")
        seen.add(item.id)
