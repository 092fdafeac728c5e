"""What the bytes of a file were when it was written: a sum beside it, hidden, that tells damage."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from slant.data.writing import replacing

_SUM = re.compile(r"[0-9a-f]{64}")


def sum_path(path: Path) -> Path:
    """Where the sum of a file lies.

    >>> sum_path(Path("run/scores.json")).as_posix()
    'run/.scores.json.sum'
    """
    return path.with_name(f".{path.name}.sum")


def sum_text(content: bytes) -> str:
    """What lies there, of a file with these bytes."""
    return hashlib.sha256(content).hexdigest() + "\n"


def note_sum(path: Path, written: Path) -> None:
    """Keep what the bytes of a file are; called just before it takes its name.

    Killed between the two, the file still has the bytes before these: their sum is kept, too.

    Args:
        path: the file.
        written: where its bytes lie now; `path` itself where it has its name already.

    Raises:
        WorkFailed: the disk does not take it.
    """
    sums = [_sum(written)]
    with suppress(OSError):
        if not is_altered(path):
            sums.append(_sum(path))
    with replacing(sum_path(path)) as temporary:
        temporary.write_text("\n".join(dict.fromkeys(sums)) + "\n", "utf-8")


def is_altered(path: Path, content: bytes | None = None) -> bool:
    """Whether the bytes of a file are others than were noted; False where none were.

    Args:
        path: the file.
        content: its bytes, where they are read already.

    Raises:
        OSError: it cannot be read.
    """
    try:
        known = _SUM.findall(sum_path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        return False
    if not known:
        return False
    found = _sum(path) if content is None else hashlib.sha256(content).hexdigest()
    return found not in known


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def summed_line(path: Path, text: str) -> str:
    """A JSON object with the sum of itself, and of the file it is for, as its last key.

    Args:
        path: the file; its name and its folder's count, so that a folder can be moved as a whole.
        text: the object, in one line, with a key at least.

    >>> summed_line(Path("answers/a.jsonl"), '{"article": "1"}')
    '{"article": "1", "sum": "84503905c5843787"}'
    """
    return f'{text[:-1]}, "sum": "{_line_sum(path, text.encode())}"}}'


def unsummed_line(path: Path, line: bytes) -> bytes | None:
    """The object that `summed_line` was given; None where its bytes or its file are others.

    A line without a sum is as it is: older versions wrote none.
    """
    found = _SUMMED.fullmatch(line.rstrip(b"\r\n"))
    if found is None:
        return line
    text = found[1] + b"}"
    return text if _line_sum(path, text).encode() == found[2] else None


_SUMMED = re.compile(rb'(.*), "sum": "([^"]*)"\}', re.DOTALL)


def _line_sum(path: Path, text: bytes) -> str:
    place = f"{path.parent.name}/{path.name}\n"
    return hashlib.sha256(place.encode() + text).hexdigest()[:16]
