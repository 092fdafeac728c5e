"""Files to which a line is added the moment it is known, and which a kill cannot damage."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from slant.data.sums import summed_line, unsummed_line
from slant.data.writing import write_failed
from slant.errors import RunError

Shaped = TypeVar("Shaped", bound=BaseModel)


def append_line(path: Path, content: Mapping[str, Any]) -> None:
    """Add an object to a JSON Lines file and force it to the disk; on failure nothing of it stays.

    Rule: bytes after the last line end are those of a process that was killed, and are taken away.
    Behind its keys each line has a `sum` of the file's name and all before it, which tells damage.

    Raises:
        WorkFailed: the disk did not take it.
    """
    line = summed_line(path, json.dumps(content, ensure_ascii=False)) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - 1))
            if file.read() not in (b"", b"\n"):
                file.seek(0)
                end = _whole_end(file.read())
            file.truncate(end)
            try:
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise
    except OSError as error:
        raise write_failed(path, error) from error


def whole_lines(path: Path, what: str) -> Iterator[tuple[int, bytes]]:
    """The whole lines of such a file with their numbers; none where it does not exist.

    Args:
        path: the file.
        what: its role, for the error.

    Raises:
        RunError: it cannot be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise RunError(f"Reading {what} '{path}'", found, "Check the path") from None
    yield from enumerate(content[: _whole_end(content)].split(b"\n")[:-1], 1)


def shaped_lines(path: Path, shape: type[Shaped], what: str) -> Iterator[Shaped]:
    """The whole lines of such a file, checked.

    Args:
        path: the file.
        shape: of each line.
        what: a line is, for the error: "answer", "verdict".

    Raises:
        RunError: it cannot be read, or a line is of another shape or not as it was written.
    """
    for number, line in whole_lines(path, f"the {what}s"):
        content = unsummed_line(path, line)
        if content is None:
            asked, found = f"Reading the {what}s '{path}'", f"line {number} is damaged"
            do = "Restore it, or remove this line and run the same command again"
            raise RunError(asked, f"{found}: its sum is another", do)
        try:
            one = shape.model_validate_json(content)
        except ValidationError as error:
            found = f"line {number} is no {what} ({error.errors()[0]['msg'].lower()})"
            do = "Remove this line, and run the same command again"
            raise RunError(f"Reading the {what}s '{path}'", found, do) from None
        yield one


def _whole_end(content: bytes) -> int:
    return content.rfind(b"\n") + 1
