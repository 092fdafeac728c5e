"""What a worker on another machine must find as the one that asks has it: folders and software."""

from __future__ import annotations

import hashlib
import platform
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

import slant
from slant.errors import RunError, SlantError

PACKAGES = ("numpy", "scipy", "scikit-learn", "polars", "torch", "transformers", "gensim")

Given = TypeVar("Given")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a worker must find as the driver has it, so that it leaves the same bits in the same
    place.

    Fields:
        shared: files and folders that it must see.
        mark: a file that the driver made in the first of them: that very folder.
        home: the driver's working directory, from which relative paths are read.
        software: name -> version of what the bits depend on.
    """

    shared: tuple[Path, ...]
    mark: Path | None
    home: Path
    software: Mapping[str, str]


@contextmanager
def marked(shared: Sequence[Path]) -> Iterator[Surroundings]:
    """The surroundings of this process, while a mark lies in the first shared folder.

    Args:
        shared: files and folders that each machine must see.
    """
    mark = shared[0] / f".seen-{uuid.uuid4().hex[:12]}" if shared else None
    if mark:
        mark.touch()
    try:
        yield Surroundings(tuple(shared), mark, Path.cwd(), software())
    finally:
        if mark:
            mark.unlink(missing_ok=True)


def work_there(
    function: Callable[[Given], Made], item: Given, around: Surroundings
) -> Made | SlantError:
    """Call the function on a worker; an error of ours is handed back, since Ray would wrap it."""
    try:
        check_surroundings(around)
        with chdir(around.home) if around.home.is_dir() else nullcontext():
            return function(item)
    except SlantError as error:
        return error


def check_surroundings(around: Surroundings) -> None:
    """Hold this machine against the driver's.

    Raises:
        RunError: other software, or a shared folder that is not there.
    """
    asked = f"Working on the machine '{platform.node()}' of the cluster"
    here = software()
    for name, wanted in around.software.items():
        if here.get(name) != wanted:
            found = f"{name} is {here.get(name)} there and {wanted} where the command was given"
            raise RunError(asked, found, "Install the same packages on every machine")
    unseen = [path for path in around.shared if not path.exists()]
    if around.mark and not around.mark.exists():
        unseen.append(around.mark.parent)
    if unseen:
        do = "Put --out, detectors and SLANT_CACHE on a file system that all machines share"
        raise RunError(asked, f"it does not see '{unseen[0]}'", do)


@cache
def software() -> dict[str, str]:
    """Version of each package that numbers depend on; of slant itself a digest of its code."""
    root = Path(slant.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return {"the code of slant": digest.hexdigest()[:12], **versions(PACKAGES)}


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Version of Python and of each package, "not installed" where it is not."""
    found = {"python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
