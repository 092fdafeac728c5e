"""What a folder holds, so that two can be compared: sums of bytes, without what tells the time."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TIMES = frozenset({"created", "seconds", "made", "ended", "started", "fetched", "sum"})
"""Keys of JSON objects that say when or how long, or are sums of such lines; not what."""
DATE = re.compile(rb"\d{4}-\d\d-\d\dT?[ \d:.+Z-]*")


LOGS = re.compile(r"[^/]+/logs/[^/]+\.eval")
"""What inspect-ai notes of each call of a command, named for its moment and read by nobody."""


def sums(root: Path, ignored: Iterable[str] = (), unordered: Iterable[str] = ()) -> dict[str, str]:
    """The sha256 of each file below a folder, by its path in it.

    Args:
        root: the folder.
        ignored: patterns of paths whose bytes are not compared, only that they are there.
        unordered: patterns of files of lines that concurrent work writes in any order.
    """
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_dir() or LOGS.fullmatch(name.as_posix()):
            continue
        if path.suffix == ".pdf" or any(name.match(pattern) for pattern in ignored):
            # vl-convert puts the parts of a PDF into another order each time.
            found[name.as_posix()] = "not compared"
            continue
        data = path.read_bytes()
        if any(name.match(pattern) for pattern in unordered):
            data = b"\n".join(sorted(timeless(line) for line in data.splitlines()))
        elif path.name.startswith(".") and path.suffix == ".sum":
            data = b""  # of bytes with times in them
        elif path.suffix in (".json", ".jsonl"):
            data = b"\n".join(
                map(timeless, data.splitlines() if path.suffix == ".jsonl" else [data])
            )
        elif path.suffix == ".html":
            data = DATE.sub(b"", data)
        found[name.as_posix()] = hashlib.sha256(data).hexdigest()
    return found


def timeless(text: bytes) -> bytes:
    """A JSON document without its times; other bytes as they are."""
    try:
        return json.dumps(_without(json.loads(text))).encode()
    except ValueError:
        return text


def _without(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _without(one) for key, one in content.items() if key not in TIMES}
    if isinstance(content, list):
        return [_without(one) for one in content]
    return content


def difference(whole: dict[str, str], found: dict[str, str]) -> str | None:
    """What of a folder is not as it must be: too much, too little, or other bytes; else None."""
    more = sorted(found.keys() - whole.keys())
    less = sorted(whole.keys() - found.keys())
    other = sorted(name for name in whole.keys() & found.keys() if whole[name] != found[name])
    parts = {"left over": more, "missing": less, "other bytes": other}
    said = [f"{what}: {', '.join(names[:4])}" for what, names in parts.items() if names]
    return "; ".join(said) or None
