"""Configurations of checkpoints, looked at for what would have a library fetch and run code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slant.errors import DataError

_KERNELS = ("attn_implementation", "_attn_implementation", "experts_implementation")
_ADAPTER = "adapter_config.json"


def check_code(folder: Path, asked: str) -> None:
    """Refuse a checkpoint that names code elsewhere which `trust_remote_code=False` does not stop.

    Rule: an implementation of attention with a slash in its name is a compiled kernel of the hub,
    which transformers would download and run; a configuration of an adapter names another
    checkpoint, which would be loaded in this one's place.

    Args:
        folder: of the checkpoint.
        asked: what is attempted, for the error.

    Raises:
        DataError: such a checkpoint.
    """
    do = "Choose another checkpoint, or remove this from its files"
    if (folder / _ADAPTER).exists():
        found = f"it is an adapter: {_ADAPTER} names another checkpoint"
        raise DataError(asked, found, "Merge it into its model, and save that")
    for key, value in _entries(configuration(folder)):
        for name in value.values() if isinstance(value, dict) else [value]:
            if key in _KERNELS and isinstance(name, str) and "/" in name:
                found = f"its config.json asks for code of the hub ({key}: {name[:60]})"
                raise DataError(asked, found, do)


def needs_code(folder: Path) -> bool:
    """Whether a checkpoint brings code of its own, which is not run."""
    return "auto_map" in configuration(folder)


def configuration(folder: Path) -> dict[str, Any]:
    """What config.json says; nothing where it cannot be read."""
    try:
        content = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _entries(content: Any) -> Iterator[tuple[str, Any]]:
    todo = [content]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            yield from one.items()
            todo += one.values()
        elif isinstance(one, list):
            todo += one
