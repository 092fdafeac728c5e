"""One command run in this process as a terminal would run it, and what it left behind."""

from __future__ import annotations

import io
import os
import shutil
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzzed.trying import LONGEST_LINE, TooLong, bounded, told

SKIPPED = "store/tasks"
CACHES = (
    "cwd/.local",
    "store/tasks",
    "store/images",
    "store/checksums.json",
    "store/analysis",
    "store/encoders",
)
"""What a refused command may have made whole in the store: it is found there again."""
Snapshot = Mapping[str, tuple[int, int]]
"""Size and time of change of each file below a folder; of a folder (-1, 0)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Exit code, standard output and error, and what was wrong with time, memory or the end."""

    code: int
    out: bytes
    errors: str
    failure: str | None


def run(arguments: Sequence[str]) -> Ended:
    """Run `slant` with these arguments."""
    from slant.cli import main

    streams = io.BytesIO(), io.BytesIO()
    kept = sys.stdout, sys.stderr
    sys.stdout = io.TextIOWrapper(streams[0], "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(streams[1], "utf-8", "backslashreplace", write_through=True)
    code, failure = 0, None

    def called() -> object:
        nonlocal code
        try:
            main(list(arguments))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        return None

    try:
        _, failure = bounded(called)
    except TooLong:
        failure = "it did not end"
    except Exception as error:
        code, failure = 70, told(error)
    finally:
        texts = [one.getvalue() for one in streams]
        sys.stdout, sys.stderr = kept
    return Ended(code, texts[0], texts[1].decode("utf-8", "replace"), failure)


def wrong(ended: Ended, before: Snapshot, after: Snapshot) -> str | None:
    """What did not hold of a run; None where all did."""
    return next(_faults(ended, before, after), None)


def _faults(ended: Ended, before: Snapshot, after: Snapshot) -> Iterator[str]:
    lines = ended.errors.splitlines()
    last = lines[-1] if lines else ""
    errors = [line for line in lines if line.startswith("error: ")]
    if ended.failure:
        yield ended.failure
    if ended.code not in (0, 1, 2):
        yield f"exit code {ended.code}: {last}"
    if any("Warning: " in line or line.startswith("Traceback") for line in lines):
        yield f"more than one line of its own: {lines[:3]}"
    if ended.code == 0 and errors:
        yield f"an error and exit code 0: {errors}"
    # A run in which some answers never came is done, says so, and ends with 1.
    silent = ended.code == 0 or (ended.code == 1 and not errors)
    if not silent and (len(errors) != 1 or last != errors[0]):
        yield f"exit code {ended.code} and {len(errors)} error lines: {lines[-3:]}"
    if not silent and len(last) > LONGEST_LINE:
        yield f"an error of {len(last):,} characters: {last[:200]}"
    if ended.code == 2 and (changed := _changed(before, after)):
        yield f"refused, and left or changed {changed[:4]}"


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """What is below a folder."""
    found: dict[str, tuple[int, int]] = {}
    left = [(str(folder), "")]
    while left:
        path, name = left.pop()
        with os.scandir(path) as entries:
            for entry in entries:
                own = f"{name}{entry.name}"
                if own == SKIPPED:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    found[own] = (-1, 0)
                    left.append((entry.path, f"{own}/"))
                else:
                    facts = entry.stat(follow_symlinks=False)
                    found[own] = (facts.st_size, facts.st_mtime_ns)
    return found


def _changed(before: Snapshot, after: Snapshot) -> list[str]:
    """Files and folders that are not as they were, but for locks in folders that were there."""
    made = {name for name in after.keys() - before.keys() if not name.startswith(CACHES)}
    locks = {
        name
        for name in made
        if name.endswith(".lock") and (name.rpartition("/")[0] in before or "/" not in name)
    }
    gone = {name for name in before.keys() - after.keys() if not name.startswith(CACHES)}
    other = {
        name
        for name in before.keys() & after.keys()
        if before[name] != after[name] and not name.startswith(CACHES) and ".lock" not in name
    }
    return sorted((made - locks) | gone | other)


class World:
    """The folder of sound files, which is as it was before each run.

    Args:
        folder: that `fuzzed.made.make` filled.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = folder / "cwd" / "in"
        self.place.mkdir(parents=True)
        self.contents = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        self.before = snapshot(folder)

    def with_inputs(self) -> Snapshot:
        """What is there, with the damaged files of one try."""
        own = self.folder / "damaged"
        if not own.is_dir():
            return self.before
        made = {f"damaged/{name}": facts for name, facts in snapshot(own).items()}
        return {**self.before, "damaged": (-1, 0), **made}

    def restored(self, now: Snapshot) -> None:
        """Undo what a run did, of which this is the end; the caches of the store stay."""
        for name in sorted(now.keys() - self.before.keys(), key=len, reverse=True):
            if not name.startswith(CACHES):
                path = self.folder / name
                if now[name][0] < 0:
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
        for name, facts in sorted(self.before.items()):
            if now.get(name) == facts:
                continue
            path = self.folder / name
            if facts[0] < 0:
                if path.exists() and not path.is_dir():
                    path.unlink()
                path.mkdir(parents=True, exist_ok=True)
            else:
                if path.is_dir():
                    shutil.rmtree(path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.contents[name])
                os.utime(path, ns=(facts[1], facts[1]))
        os.chdir(self.place)


@contextmanager
def harness() -> Iterator[None]:
    """What would take long or reach beyond this machine does neither within the block: pauses,
    servers and their models end at once; the tree of commands is built once."""
    import socket

    import typer
    import uvicorn

    import slant.cli.app as cli
    from slant.web.workers import Worker

    sleep, connect, serve, app = time.sleep, socket.socket.connect, uvicorn.Server.serve, cli.app
    ready = Worker.ready

    def near(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and str(address[0]) not in ("127.0.0.1", "::1"):
            raise ConnectionRefusedError(111, "Connection refused")
        connect(self, address)

    async def ready_here(self: Any) -> None:
        # As the process of the server does before it says that it is ready.
        from slant.data.schemas import load_schema
        from slant.runs.analysing import Choice, detector_facts

        own = self._settings
        load_schema(own.schema)
        detector_facts(Choice(own.detectors, own.schema, own.model))

    async def ended(self: uvicorn.Server, sockets: Any = None) -> None:
        for one in sockets or ():
            one.close()

    time.sleep = lambda seconds: sleep(min(float(seconds), 0.001))
    socket.socket.connect = near  # type: ignore[assignment,method-assign]
    uvicorn.Server.serve = ended  # type: ignore[method-assign]
    Worker.ready = ready_here  # type: ignore[method-assign]
    cli.app = typer.main.get_command(app)  # type: ignore[assignment]
    local = _no_local_model()
    try:
        with warnings.catch_warnings():
            yield
    finally:
        time.sleep, socket.socket.connect = sleep, connect  # type: ignore[method-assign]
        uvicorn.Server.serve, cli.app = serve, app  # type: ignore[method-assign]
        Worker.ready = ready  # type: ignore[method-assign]
        local()


def _no_local_model() -> Any:
    """Take away the program that computes local models, which loads half a gigabyte."""
    before = sys.modules.get("xllamacpp")
    sys.modules["xllamacpp"] = None  # type: ignore[assignment]

    def back() -> None:
        if before is None:
            del sys.modules["xllamacpp"]
        else:
            sys.modules["xllamacpp"] = before

    return back
