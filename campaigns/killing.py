"""Commands in forked children that have all libraries read already, and their death by kill -9."""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.util
import os
import pkgutil
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

for _threads in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ.setdefault(f"{_threads}_NUM_THREADS", "1")

WRITES = frozenset(
    {
        "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.chmod",
        "shutil.rmtree", "shutil.copyfile", "tempfile.mkdtemp", "tempfile.mkstemp",
    }
)  # fmt: skip
"""What Python says before it changes a file system; opening to write is told by its mode."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True)
class Moment:
    """When to kill: `seconds` after the start, or the `write`-th write: before it takes place, or
    with `after` as soon as another process has been told of it."""

    seconds: float | None = None
    write: int | None = None
    after: bool = False


NEVER = Moment()


@dataclass(frozen=True)
class Ended:
    """What became of one try; `code` is None where it was killed."""

    code: int | None
    seconds: float
    writes: int
    first_write: float
    said: str


LIGHT = ("sklearn.linear_model", "scipy.stats", "pyarrow", "jinja2")
HEAVY = ("torch", "transformers", "safetensors.torch", "inspect_ai", "openai", "gensim.models",
         "nltk")  # fmt: skip


def read_libraries(heavy: bool) -> None:
    """Import every module of slant, and what its commands import late, before anything is forked.

    Args:
        heavy: also what trains encoders, embeds words and asks models; else a child that needs one
            of these reads it itself.
    """
    import slant

    for found in pkgutil.walk_packages(slant.__path__, "slant."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    for name in (*LIGHT, *(HEAVY if heavy else ())):
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # else each child's first collection copies all that it shares


def forked(work: Callable[[], int], place: Path, said: Path) -> int:
    """The number of a child, in a session of its own, that does the work in a folder and ends."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(place)
        out = os.open(said, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        for number in (1, 2):
            os.dup2(out, number)
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115
        code = work()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def watched(root: Path, told: int, moment: Moment) -> Callable[[], None]:
    """What a child calls first: from then on each write below a folder is told through a pipe, and
    at the one that was asked for the child kills its whole group."""
    below = os.fspath(root)

    def begin() -> None:
        count = 0

        def heard(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal count
            if event == "open":
                if not isinstance(arguments[2], int) or not arguments[2] & _WRITING:
                    return
            elif event not in WRITES:
                return
            path = next((a for a in arguments if isinstance(a, str | bytes | os.PathLike)), "")
            where = os.path.abspath(os.fsdecode(path))
            if not where.startswith(below):
                return
            count += 1
            if count == moment.write and not moment.after:
                os.killpg(0, signal.SIGKILL)
            os.write(told, b"w")

        sys.addaudithook(heard)

    return begin


def tried(
    argv: Sequence[str],
    place: Path,
    said: Path,
    env: Mapping[str, str],
    moment: Moment,
    first: Callable[[], None],
) -> Ended:
    """Call the command line in a child, and kill the child with all of its own at a moment.

    Args:
        argv: the arguments of `slant`.
        place: the folder it stands in, below which its writes are counted.
        said: the file that takes what it prints.
        env: variables that it has besides.
        moment: of the kill; none: it is left to end.
        first: what the child does before.
    """
    hear, tell = os.pipe()
    begin = watched(place, tell, moment)

    def work() -> int:
        os.close(hear)
        os.environ.update(env)
        first()
        begin()
        from slant.cli import main

        try:
            main(argv)
        except SystemExit as exit_:
            return exit_.code if isinstance(exit_.code, int) else 0
        return 0

    start = time.monotonic()
    child = forked(work, place, said)
    os.close(tell)
    writes, began, killed, code = 0, 0.0, False, None
    limit = start + (moment.seconds if moment.seconds is not None else 600.0)
    over = False
    try:
        while not over:
            ready, _, _ = select.select(
                [hear], [], [], min(0.02, max(0.0, limit - time.monotonic()))
            )
            if ready:
                news = os.read(hear, 1 if moment.after else 4096)
                began = began or (time.monotonic() - start if news else 0.0)
                writes += len(news)
            if time.monotonic() >= limit or (moment.after and writes == moment.write):
                os.killpg(child, signal.SIGKILL)
            number, status = os.waitpid(child, os.WNOHANG)
            if number:
                over = True
                killed = os.WIFSIGNALED(status)
                code = None if killed else os.waitstatus_to_exitcode(status)
    finally:
        os.close(hear)
        seconds = time.monotonic() - start
        with_its_own(child)
    return Ended(code, seconds, writes, began, said.read_text("utf-8", "replace"))


def with_its_own(group: int) -> None:
    """Kill what is left of a group, and wait until nothing is."""
    for _ in range(500):
        try:
            os.killpg(group, signal.SIGKILL)
            os.waitpid(-group, os.WNOHANG)
        except (ProcessLookupError, PermissionError):
            return
        except ChildProcessError:
            time.sleep(0.01)


def adopt_orphans() -> None:
    """Become the parent of what killed children leave, so that they are seen to be gone."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def drawn_moment(random: Random, whole: Ended) -> Moment:
    """A moment drawn over an undisturbed try: by the clock from shortly before its first write to
    its end, or at one of its writes."""
    kind = random.randrange(3)
    if kind == 0 or not whole.writes:
        start = 0.9 * whole.first_write
        return Moment(seconds=start + random.random() * (1.02 * whole.seconds - start))
    return Moment(write=random.randint(1, whole.writes), after=kind == 2)
