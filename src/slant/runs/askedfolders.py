"""The folders of runs that ask models: their run.json, what binds them, and how they grow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from slant.data.jsonvalues import json_value
from slant.errors import RunError
from slant.runs.store import only_writer, read_json

FILE: Final = "run.json"

LOCKS: Final = (".lock", ".entrance.lock")
_LEFT: Final = re.compile(r"\.lock|\.entrance\.lock|\.run\.json\..+\.tmp|\.run\.json\.sum")
"""What a process that was killed before it wrote run.json leaves."""
_SHOWN: Final = 3

_DO: Final = "Give the same as before, or choose another --out"

Record = TypeVar("Record", bound=BaseModel)


class Named(Protocol):
    """What a record says of a system."""

    name: str

    def model_dump(self, *, exclude: set[str]) -> dict[str, Any]:
        """As JSON."""


System = TypeVar("System", bound=Named)


def is_of(folder: Path, kind: str) -> bool:
    """Whether a folder holds a run of a kind, e.g. "bait"."""
    try:
        content = json_value((folder / FILE).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and content.get("kind") == kind


def asked_record(folder: Path, shape: type[Record], command: str) -> Record | None:
    """run.json of a folder, checked; None where there is no such file.

    Args:
        folder: of the run.
        shape: of its record.
        command: that makes such a run, for the error.

    Raises:
        RunError: it is of another kind of run.
    """
    path = folder / FILE
    if not path.exists():
        return None
    content = read_json(path, "the run")
    try:
        return shape.model_validate(content)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        found = f"it is no record of `{command}` (key '{place}')"
        raise RunError(f"Reading '{path}'", found, "Choose another --out") from None


@contextmanager
def asked_folder(folder: Path, read: Callable[[Path], Any | None]) -> Iterator[None]:
    """Hold the folder of a run for this process, refuse one that is not ours, and take away one
    that was made for nothing.

    Args:
        folder: of the run; made if absent.
        read: gives the record of the run, None where there is none; refuses another kind.

    Raises:
        RunError: it holds other files, a run of another kind, or another process has it.
        WorkFailed: it cannot be made.
    """
    if read(folder) is None and folder.is_dir():
        others = sorted(path.name for path in folder.iterdir() if not _LEFT.fullmatch(path.name))
        if others:
            shown = ", ".join(f"'{name}'" for name in others[:_SHOWN])
            found = f"it holds no run, but other files ({shown}), which might be overwritten"
            raise RunError(f"Making the run '{folder}'", found, "Choose an empty or a new --out")
    with only_writer(folder) as release:
        release()
        clear_logs(folder)
        yield


def clear_logs(folder: Path) -> None:
    """Take away what inspect-ai left in a process that was killed; no other may write there now."""
    for left in (folder / "logs").glob("*"):
        # What it was writing, and the empty file by which it sees whether it can.
        with suppress(OSError):
            if left.name.startswith(".inspect_tmp_") or not (left.suffix or left.stat().st_size):
                left.unlink()


def check_bound(
    folder: Path,
    sums: Iterable[tuple[str, Any, Any]],
    before: Mapping[str, Any],
    asked: Mapping[str, Any],
    grows: Collection[str],
) -> None:
    """Refuse to add to a folder what would not fit what is there.

    Args:
        folder: of the run.
        sums: name, value before and value now of what binds beside the settings.
        before, asked: the settings, as run.json has them.
        grows: those that may differ.

    Raises:
        RunError: something that binds differs, with both values.
    """
    bound = [(name, before.get(name), value) for name, value in asked.items() if name not in grows]
    for name, old, new in [*sums, *bound]:
        if old != new:
            said = "another one" if isinstance(new, dict) else f"{_shown(old)}, now {_shown(new)}"
            raise RunError(f"Adding to the run '{folder}'", f"it was begun with {name} {said}", _DO)


def grown_limit(before: int | None, asked: int | None) -> int | None:
    """How many of the first units a folder asks about: they only become more; None: all.

    >>> grown_limit(5, 3), grown_limit(5, 8), grown_limit(5, None), grown_limit(None, 3)
    (5, 8, None, None)
    """
    return None if before is None or asked is None else max(before, asked)


def joined(
    folder: Path, before: Sequence[System], added: Iterable[System], what: str = "system"
) -> list[System]:
    """The systems of a folder and those that are added to it.

    Args:
        folder: of the run.
        before, added: systems.
        what: they are, for the error.

    Raises:
        RunError: one is there with other parameters.
    """
    systems = {one.name: one for one in before}
    for one in added:
        known = systems.setdefault(one.name, one)
        if known != one:
            old, new = (
                json.dumps(each.model_dump(exclude={"name"}), sort_keys=True)
                for each in (known, one)
            )
            found = f"its {what} '{one.name}' was asked with {old}, now {new}"
            raise RunError(f"Adding to the run '{folder}'", found, _DO)
    return list(systems.values())


def _shown(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
