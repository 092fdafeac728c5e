"""The other side of `laboratory`: a process is started, given work, listened to and stopped."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from slant.errors import SlantError, WorkFailed
from slant.web.settings import Settings

TOKEN: Final = "SLANT_TOKEN"
LOADING: Final = "Loading the detectors"
_LONGEST: Final = 1 << 26
_START: Final = "from slant.web.laboratory import main; main()"
Told = Callable[[float, int, str], None]
Begun = Callable[[], None]


class Worker:
    """One process that analyses, started when it is needed.

    Args:
        settings: of the server.
        teaching: called before the light detector is taught, where it is not in the cache.
    """

    def __init__(self, settings: Settings, teaching: Begun = lambda: None) -> None:
        self._settings, self._teaching = settings, teaching
        self._process: Process | None = None
        self.detectors: list[dict[str, Any]] = []

    async def ready(self) -> None:
        """Start the process where none is there, and wait until its detectors are loaded.

        Raises:
            SlantError: a detector cannot be loaded. WorkFailed: the process was lost.
        """
        if self._process is not None and self._process.returncode is None:
            return
        own = {key: value for key, value in os.environ.items() if key != TOKEN}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-c", _START, stdin=PIPE, stdout=PIPE, env=own, limit=_LONGEST,
            start_new_session=True,
        )  # fmt: skip
        await self._send(asdict(self._settings))
        said = await self._heard(LOADING)
        if "teaching" in said:
            self._teaching()
            said = await self._heard(LOADING)
        self.detectors = said["ready"]

    async def work(self, job: Mapping[str, Any], told: Told) -> dict[str, Any]:
        """Have one job done; see `laboratory.worked`.

        Args:
            job: its folder, and what was given.
            told: is told of the progress.

        Raises:
            SlantError: why it failed.
        """
        await self.ready()
        await self._send(job)
        while True:
            said = await self._heard(f"Analysing '{job['title']}'")
            if "done" in said:
                done: dict[str, Any] = said["done"]
                return done
            told(*said["progress"])

    async def stop(self) -> None:
        """End the process with all that it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()

    async def _send(self, message: Mapping[str, Any]) -> None:
        pipe = self._process.stdin if self._process else None
        assert pipe is not None
        with suppress(ConnectionError):  # what was lost is told by the silence that follows
            pipe.write(json.dumps(message).encode() + b"\n")
            await pipe.drain()

    async def _heard(self, asked: str) -> dict[str, Any]:
        pipe = self._process.stdout if self._process else None
        assert pipe is not None
        line = await pipe.readline()
        if not line.endswith(b"\n"):
            await self.stop()
            found = "its process was lost, most often for want of memory"
            raise WorkFailed(asked, found, "Give less at once, or use `slant analyze`")
        said: dict[str, Any] = json.loads(line)
        if said.get("ends"):
            await self.stop()
        if "failed" in said:
            raise SlantError(**said["failed"])
        return said
