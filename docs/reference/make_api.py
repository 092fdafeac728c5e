"""Write docs/reference/api/ROOM.md for each folder of the package:

python docs/reference/make_api.py
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "slant"
FOLDER = Path(__file__).parent / "api"
UNDOCUMENTED = {"cli"}
"""Its reference is the commands' own help."""


def pages() -> dict[str, str]:
    """Name of the page -> its text: one for the package itself, one for each folder."""
    found = {"index": index()}
    for folder in rooms():
        modules = sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
        parts = [f"# slant.{folder.name}", "", said(folder / "__init__.py"), ""]
        if public(folder / "__init__.py"):
            parts += [f"::: slant.{folder.name}", ""]
        parts += [f"::: slant.{folder.name}.{path.stem}\n" for path in modules]
        found[folder.name] = "\n".join(parts)
    return found


def rooms() -> list[Path]:
    """The folders with modules, but for those that are documented elsewhere."""
    return sorted(
        path.parent for path in SOURCE.glob("*/__init__.py") if path.parent.name not in UNDOCUMENTED
    )


def index() -> str:
    """The page of the package: its verbs, its nouns, its errors, the folders."""
    listed = [
        f"| [slant.{one.name}]({one.name}.md) | {said(one / '__init__.py')} |" for one in rooms()
    ]
    head = "# Python\n\nEvery verb of the command line is a function of `slant`.\n"
    table = ["| folder | |", "| --- | --- |", *listed, ""]
    nouns = ["::: slant", "", "::: slant.types", "", "::: slant.errors", ""]
    return "\n".join([head, *table, *nouns])


def said(path: Path) -> str:
    """The docstring of a module, on one line."""
    return " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split())


def public(path: Path) -> bool:
    """Whether a folder's own module defines functions."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return any(isinstance(node, ast.FunctionDef) for node in body)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
