"""The turns of a conversation with a model: texts, and images for one that sees, in order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its parts are texts, and images as the bytes of a PNG or JPEG."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[str | bytes, ...]

    @property
    def text(self) -> str:
        """Its texts in one."""
        return "".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Form:
    """What an answer must look like.

    Fields:
        name: what a provider's structured output calls it.
        schema: its JSON Schema, every key required.
    """

    name: str
    schema: Mapping[str, Any]


def characters(turns: Iterable[Turn]) -> int:
    """How many characters of text a conversation holds.

    >>> characters([Turn("user", ("ab", b"PNG", "c"))])
    3
    """
    return sum(len(turn.text) for turn in turns)


def images(turns: Iterable[Turn]) -> int:
    """How many images a conversation holds.

    >>> images([Turn("user", ("ab", b"PNG", "c"))])
    1
    """
    return sum(isinstance(part, bytes) for turn in turns for part in turn.parts)


def sha256_of(*texts: str) -> str:
    """Hex SHA-256 of texts in order, e.g. what a run records of its prompts.

    >>> sha256_of("a", "b") == sha256_of("ab")
    False
    """
    return hashlib.sha256("\x1f".join(texts).encode()).hexdigest()
