"""The desk: analyses wait for their turn, are worked on one at a time, and are told about."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from slant.analysis.fetching import check_address
from slant.errors import SlantError, WorkFailed
from slant.web.history import Entry, History
from slant.web.outputs import GIVEN, made_files
from slant.web.refusals import WAIT, Refusal
from slant.web.settings import Settings
from slant.web.submissions import Submission
from slant.web.workers import Begun, Worker

STOPPED: Final = "The server stops"


@dataclass(slots=True)
class Progress:
    """How far the analysis is that is worked on now.

    Fields:
        id: of the analysis.
        began: moment of `time.monotonic` at which its work began.
        done, total, what: as `runs.analysing.analyse` tells them.
        since: moment and number done at which this kind of work began.
    """

    id: str
    began: float = field(default_factory=time.monotonic)
    done: float = 0
    total: int = 0
    what: str = "reading"
    since: tuple[float, float] = (0.0, 0.0)

    def told(self, done: float, total: int, what: str) -> None:
        """Take note of a step; where other work has begun, time left is reckoned from there."""
        if what != self.what or total != self.total:
            self.since = (time.monotonic(), done)
        self.done, self.total, self.what = done, total, what

    def json(self) -> dict[str, Any]:
        """done, total, what, seconds since the beginning, and left, None where unknown."""
        now = time.monotonic()
        begin, first = self.since
        steps = self.done - first
        left = (
            (now - begin) / steps * (self.total - self.done) if steps > 0 and self.total else None
        )
        return {"done": int(self.done), "total": self.total, "what": self.what,
                "seconds": now - self.began, "seconds_left": left}  # fmt: skip


class Desk:
    """Takes what is given, keeps it, and has it analysed.

    Args:
        history: where analyses are kept.
        settings: of the server.
        kept: where the history lies, "" where nothing is kept.
        teaching: see `Worker`.
    """

    def __init__(
        self,
        history: History,
        settings: Settings,
        kept: str = "",
        teaching: Begun = lambda: None,
    ) -> None:
        self.history, self.settings, self.kept = history, settings, kept
        self.worker = Worker(settings, teaching)
        self._waiting: list[str] = []
        self._begun: Progress | None = None
        self._working: asyncio.Task[None] | None = None
        self._loop: asyncio.Task[None] | None = None
        self._more = asyncio.Event()

    async def open(self) -> None:
        """Load the detectors and begin to work.

        Raises:
            SlantError: a detector cannot be loaded.
        """
        await asyncio.to_thread(self.history.interrupt)
        await self.worker.ready()
        self._loop = asyncio.create_task(self._work_on())

    async def close(self) -> None:
        """Stop the work, and mark what is not finished as interrupted."""
        for task in (self._loop, self._working):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        self._loop = None
        await self.worker.stop()
        await asyncio.to_thread(self.history.interrupt)

    async def take(self, given: Submission) -> str:
        """Keep what is given and let it wait for its turn; gives its id.

        Raises:
            DataError: an address that cannot be one of the public web; nothing of it is kept.
            Refusal: 429 where too many wait, 503 while the server stops.
        """
        if given.kind == "address":
            # What was sent is not said again: it may hold a password.
            check_address(given.name, "Reading the address", loopback=self.settings.loopback)
        self._check_room()
        own = await asyncio.to_thread(self.history.add, given)
        self._queue(own)
        return own

    async def again(self, id_: str) -> None:
        """Let an analysis that was interrupted or failed wait for its turn again.

        Raises:
            Refusal: 404 where there is none, 409 where it is not so, 429 where too many wait.
        """
        entry = await asyncio.to_thread(self.history.entry, id_)
        if entry.state not in {"interrupted", "failed"}:
            raise Refusal(409, "Starting an analysis again", f"it is {entry.state}",
                          "Start again what was interrupted or failed")  # fmt: skip
        self._check_room()
        await asyncio.to_thread(self.history.set_state, id_, "waiting")
        self._queue(id_)

    async def drop(self, id_: str | None) -> None:
        """Delete an analysis, or all of them; one that is worked on is stopped.

        Raises:
            Refusal: 404 where there is none.
        """
        if id_ is not None:
            await asyncio.to_thread(self.history.entry, id_)
        self._waiting = [one for one in self._waiting if id_ is not None and one != id_]
        await asyncio.to_thread(self.history.delete, id_)
        if self._begun is not None and id_ in {None, self._begun.id} and self._working is not None:
            self._working.cancel()

    def standing(self, entry: Entry) -> dict[str, Any] | None:
        """How far an analysis is that works or waits; None for another."""
        if self._begun is not None and self._begun.id == entry.id:
            return self._begun.json()
        if entry.id in self._waiting:
            before = self._waiting.index(entry.id) + (self._begun is not None)
            return {"done": 0, "total": 0, "what": "waiting", "seconds": 0.0, "seconds_left": None,
                    "before": before}  # fmt: skip
        return None

    def _check_room(self) -> None:
        if self._loop is None:
            raise Refusal(503, "Analysing", STOPPED, "Try again when it runs", WAIT)
        if len(self._waiting) >= self.settings.limits.waiting:
            found = f"{len(self._waiting)} others wait for their turn"
            raise Refusal(429, "Analysing", found, "Try again in a while", WAIT)

    def _queue(self, id_: str) -> None:
        if id_ not in self._waiting and (self._begun is None or self._begun.id != id_):
            self._waiting.append(id_)
            self._more.set()

    async def _work_on(self) -> None:
        while True:
            await self._more.wait()
            if not self._waiting:
                self._more.clear()
                continue
            self._begun = Progress(self._waiting.pop(0))
            self._working = asyncio.create_task(self._analyse(self._begun))
            try:
                await asyncio.wait([self._working])
            finally:
                self._begun = None

    async def _analyse(self, begun: Progress) -> None:
        """One analysis from beginning to end; what goes wrong is kept with it."""
        seconds = self.settings.limits.seconds
        folder = Path(tempfile.mkdtemp(prefix="slant-serve-"))
        try:
            given = await asyncio.to_thread(self.history.submission, begun.id)
            await asyncio.to_thread(self.history.set_state, begun.id, "working")
            await asyncio.to_thread((folder / GIVEN).write_bytes, given.content)
            job = {key: value for key, value in asdict(given).items() if key != "content"}
            made = await asyncio.wait_for(
                self.worker.work({**job, "folder": str(folder)}, begun.told), seconds
            )
            files = await asyncio.to_thread(made_files, folder)
            await asyncio.to_thread(
                self.history.finish, begun.id, made["title"], made["summary"], files
            )
        except TimeoutError:
            await self.worker.stop()
            late = WorkFailed(f"Analysing '{given.title}'", f"it takes more than {seconds:g} s",
                              "Give less at once, or use `slant analyze`")  # fmt: skip
            await self._failed(begun.id, late)
        except SlantError as error:
            await self._failed(begun.id, error)
        except OSError as error:
            fault = WorkFailed("Analysing", f"the system says '{error.strerror or error}'",
                               "Look at the disk of the server")  # fmt: skip
            await self._failed(begun.id, fault)
        except asyncio.CancelledError:
            await self.worker.stop()
            raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def _failed(self, id_: str, error: SlantError) -> None:
        with suppress(SlantError):
            await asyncio.to_thread(self.history.set_state, id_, "failed", error)
