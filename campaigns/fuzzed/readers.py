"""What a reader under test is: a function on a folder, and folders that it can read."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

Files = Mapping[str, bytes]
TESTS = Path(__file__).resolve().parents[2] / "tests"


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader with files that it reads.

    Args:
        name: "data: given table".
        read: of the folder that holds the files; what it returns is thrown away.
        seeds: folders, each with its files by their names within; one of them is damaged.
        modules: those of src/slant whose reading this tries.
        whole: names of files that are never damaged.
    """

    name: str
    read: Callable[[Path], object]
    seeds: Sequence[Files]
    modules: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()


def from_tests(folder: str, name: str) -> ModuleType:
    """A module beside the tests that makes small files."""
    full = f"fuzzed_{folder}_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, TESTS / folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
    return sys.modules[full]


def encoded(content: Any) -> bytes:
    """Bytes, text or a JSON value as the bytes of a file."""
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def files(**contents: Any) -> Files:
    """A folder of one file each: `a__csv` is a.csv."""
    return {name.replace("__", "."): encoded(one) for name, one in contents.items()}


def one_each(name: str, contents: Iterable[Any]) -> list[Files]:
    """A folder for each content, with one file of this name."""
    return [{name: encoded(one)} for one in contents]


def lines(rows: Iterable[Any]) -> bytes:
    """JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def parquet(columns: Mapping[str, Any]) -> bytes:
    """A parquet file of these columns."""
    import polars as pl

    out = io.BytesIO()
    pl.DataFrame(columns).write_parquet(out)
    return out.getvalue()


def only(folder: Path) -> Path:
    """The one file of a folder."""
    (found,) = folder.iterdir()
    return found


def content(folder: Path) -> bytes:
    """The bytes of the one file of a folder."""
    return only(folder).read_bytes()


def text(folder: Path) -> str:
    """The one file of a folder as characters, whatever its bytes."""
    return content(folder).decode("utf-8", "replace")


def taken(folder: Path) -> Files:
    """All files below a folder, by their names within."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".lock")
    }
