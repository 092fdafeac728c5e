"""What a server analyses with, and how much it takes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

MEGABYTE = 1_000_000
LEAST_MEMORY = 2_000 * MEGABYTE


def half_of_memory() -> int:
    """Bytes that one analysis may take: half of what the machine has, and 2 GB at least."""
    if not hasattr(os, "sysconf"):
        return LEAST_MEMORY
    return max(LEAST_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one analysis may take.

    Fields:
        size: bytes of an upload or a request.
        characters, sentences, articles: of all its articles together.
        seconds: of its work.
        memory: bytes of the process that works.
        waiting: analyses that may wait for their turn.
        silence: seconds without a byte of a request that was begun.
    """

    size: int = 20 * MEGABYTE
    characters: int = 2_000_000
    sentences: int = 20_000
    articles: int = 500
    seconds: float = 600.0
    memory: int = field(default_factory=half_of_memory)
    waiting: int = 20
    silence: float = 30.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server analyses with.

    Fields:
        detectors: folders of `slant train`, absolute; none for the light detector.
        schema: of the triggers, by name or path.
        model, base_url, max_tokens: of the model that is asked for triggers, "" for none.
        jobs: processes of one analysis; None: one per core.
        limits: of one analysis.
        loopback: whether addresses of this machine are fetched: for tests with a server of their
            own only.
    """

    detectors: tuple[str, ...] = ()
    schema: str = "bait"
    model: str = ""
    base_url: str | None = None
    max_tokens: int | None = None
    jobs: int | None = None
    limits: Limits = field(default_factory=Limits)
    loopback: bool = False
