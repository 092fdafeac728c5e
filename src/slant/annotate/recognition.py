"""Which format a file or folder of annotations is in, told from its content."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from slant.annotate.folders import annotation_text
from slant.data.jsonvalues import json_value
from slant.errors import OptionError

_TAB_ROW = re.compile(r"[^\t]+\t(?:[^\t]+\t)?\s*[0-9]+\t\s*[0-9]+\s*")
_WEBANNO = "#FORMAT=WebAnno TSV "
LABEL_FILES = (".labels", ".labels.tsv")


def recognised(path: Path) -> str:
    """The format of a file or folder, told from its content.

    Args:
        path: that is there.

    Returns:
        One of the names in `formats.FORMATS`.

    Raises:
        OptionError: it fits none of them, or several.
    """
    fitting = _of_folder(path) if path.is_dir() else _of_file(path)
    if len(fitting) == 1:
        return fitting[0]
    asked = f"Telling the format of '{path}'"
    choice = "by --format or format="
    if fitting:
        found = f"it can be {' or '.join(fitting)}"
        raise OptionError(asked, found, f"Say which {choice}, or give a folder of one kind")
    found = "its content fits no annotation format that is known"
    raise OptionError(asked, found, f"Say which it is {choice}")


def _of_folder(path: Path) -> list[str]:
    every = [*path.iterdir(), *path.glob("*/*")]
    names = [one for one in every if one.is_file() and one.name[0] != "."]
    fitting = []
    if any(one.name.endswith(".ann") and one.parent == path for one in names):
        fitting.append("brat")
    if any(one.name.endswith(LABEL_FILES) for one in names):
        fitting.append("ptc")
    tables = [one for one in names if one.suffix == ".tsv" and not one.name.endswith(LABEL_FILES)]
    if any(_head(one).startswith(_WEBANNO) for one in tables):
        fitting.append("webanno")
    return fitting


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(256).decode("utf-8", "replace").removeprefix("\ufeff")


def _of_file(path: Path) -> list[str]:
    if path.suffix == ".ann":
        return ["brat"]
    content = annotation_text(path)
    if content.startswith(_WEBANNO):
        return ["webanno"]
    if content.lstrip()[0] in "[{":
        return _of_json(content)
    lines = [line for line in content.splitlines() if line.strip()]
    return ["ptc"] if all(_TAB_ROW.fullmatch(line) for line in lines[:50]) else []


def _of_json(content: str) -> list[str]:
    whole = _loaded(content)
    if isinstance(whole, list):
        tasks = bool(whole) and all(_is_task(one) for one in whole)
        return ["label-studio"] if tasks else []
    if isinstance(whole, dict) and "data" in whole:
        return ["label-studio"]
    rows = [_loaded(line) for line in content.split("\n") if line.strip()]
    if not all(isinstance(row, dict) for row in rows):
        # The lines before a broken one tell the format, whose reader then names the broken one.
        rows = [row for row in rows if isinstance(row, dict)]
    fitting = []
    if rows and all("triggers" in row for row in rows):
        fitting.append("jsonl")
    if rows and all("text" in row and row.keys() & {"label", "labels", "entities"} for row in rows):
        fitting.append("doccano")
    # slant's own lines may have document-level labels, which doccano calls so too.
    return fitting[:1]


def _loaded(text: str) -> Any:
    try:
        return json_value(text)
    except ValueError:
        return None


def _is_task(one: Any) -> bool:
    if not isinstance(one, dict):
        return False
    return "data" in one or ("text" in one and ("annotation_id" in one or "lead_time" in one))
