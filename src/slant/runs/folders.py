"""The folder of a kept detector: what it must hold, and how it is written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from slant.data.jsonvalues import json_value
from slant.data.sums import is_altered, note_sum
from slant.data.writing import refusal, temporary_folder
from slant.errors import DataError, RunError

FACTS = "detector.json"


def detector_facts(folder: Path) -> dict[str, Any]:
    """The content of a kept detector's detector.json, the weights beside it not read.

    Raises:
        DataError: it is no folder of `slant train`.
    """
    asked = f"Loading the detector '{folder}'"
    do = "Give a folder that `slant train` wrote"
    if not folder.is_dir():
        raise DataError(asked, "there is no such folder", do)
    for name in (FACTS, "config.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise DataError(asked, f"it holds no {name}", do)
    if is_altered(folder / FACTS):
        raise DataError(asked, f"its {FACTS} is damaged: its bytes are not those written", do)
    try:
        facts = json_value((folder / FACTS).read_text("utf-8"))
        known = {name: facts[name] for name in _NEEDED}
    except (OSError, ValueError, TypeError, KeyError) as why:
        found = f"its {FACTS} is damaged ({type(why).__name__}: {why})"
        raise DataError(asked, found, do) from why
    numbers = [known[name] for name in ("temperature", "threshold", "max_length")]
    sound = all(isinstance(one, int | float) for one in numbers)
    sound = sound and numbers[0] > 0 and 0 < numbers[1] < 1
    if not sound or known["long"] not in ("window", "cut"):
        found = f"its {FACTS} has a temperature, threshold or long that cannot be"
        raise DataError(asked, found, do)
    return dict(facts)


_NEEDED = ("task", "labels", "temperature", "threshold", "max_length", "long", "signature")


def check_place(folder: Path, fresh: bool) -> None:
    """Refuse a place where something else is, or a detector that is not to be replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    asked = f"Keeping a detector in '{folder}'"
    if not (folder / FACTS).is_file():
        raise RunError(asked, "something else is there", "Choose another --out")
    if not fresh:
        raise RunError(asked, "a detector is there", "Choose another --out, or give --fresh")


@contextmanager
def building(folder: Path, fresh: bool) -> Iterator[Path]:
    """A temporary folder beside `folder` that takes its place when the block ends well."""
    asked = f"Keeping a detector in '{folder}'"
    with whole_folder(folder, asked, lambda: check_place(folder, fresh)) as temporary:
        yield temporary


@contextmanager
def whole_folder(
    folder: Path, asked: str, check: Callable[[], None] = lambda: None
) -> Iterator[Path]:
    """A temporary folder that replaces `folder` when the block ends well, whole or not at all.

    Args:
        folder: to be written; what is there is removed at the end.
        asked: what is being done, for an error.
        check: called before it is put in its place.

    Raises:
        DiskFull, WorkFailed: it cannot be written.
    """
    from safetensors import SafetensorError

    try:
        with temporary_folder(folder) as temporary:
            yield temporary
            temporary.chmod(0o755)
            for path in sorted(temporary.iterdir()):
                path.chmod(0o644)  # safetensors lets only the owner read
                note_sum(path, path)
            check()
            if folder.exists():
                # By name first: a removal that is killed half way would leave what nothing takes.
                with temporary_folder(folder.with_name(f"{folder.name}.old")) as old:
                    folder.replace(old)
                    temporary.replace(folder)
            else:
                temporary.replace(folder)
    # safetensors has a class of its own for what the system says.
    except (OSError, SafetensorError) as why:
        do = "Free some space, or check the folder's rights"
        raise refusal(asked, why, do) from why
