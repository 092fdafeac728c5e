"""The folder in which a command is tried, as it was before and is now, and the server it asks."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from random import Random

import countedservers
import killing
from beginnings import KEY, asked
from contents import sums
from longcommands import HEAVY, Command
from outcomes import Row


class Scene:
    """The folder in which a command is tried, as it was before, and its server."""

    def __init__(self, home: Path, command: Command, served: countedservers.Served | None) -> None:
        self.command, self.served = command, served
        self.here, self.before = home / "here", home / "before"
        self.said = home / "said.txt"
        self.env = {
            "SLANT_CACHE": str(self.here / "store"), "SCRIPTED_API_KEY": KEY, "HOME": str(home),
            "XDG_DATA_HOME": str(home / "inspect"), "TMPDIR": str(home / "tmp"), "NO_COLOR": "1",
        }  # fmt: skip
        (home / "tmp").mkdir()
        self.here.mkdir()
        os.environ.pop("SLANT_DATA", None)
        url = served.url if served else ""
        self.argv = [one.replace("{url}", url) for one in command.argv]
        self._begin(url)
        shutil.copytree(self.here, self.before)

    def _begin(self, url: str) -> None:
        """Make what the command reads, in a child, so that this process stays without threads."""

        def work() -> int:
            os.environ.update(self.env)
            self.command.begin()
            if self.command.argv[:2] == ("vilbias", "judge"):
                asked(url)
            return 0

        child = killing.forked(work, self.here, self.said)
        if os.waitpid(child, 0)[1]:
            raise RuntimeError(f"what the command reads was not made: {self.said.read_text()}")

    def reset(self) -> None:
        """The folder as it was."""
        shutil.rmtree(self.here)
        shutil.copytree(self.before, self.here)
        if self.served:
            self.served.log.unlink(missing_ok=True)

    def tried(
        self, moment: killing.Moment = killing.NEVER, argv: Sequence[str] | None = None
    ) -> killing.Ended:
        """One try of the command, or of another in its folder."""
        first = partial(self.command.first, self.served.url if self.served else "")
        return killing.tried(argv or self.argv, self.here, self.said, self.env, moment, first)

    def contents(self) -> dict[str, str]:
        """What the folder holds now."""
        return sums(self.here, self.command.ignored, self.command.unordered)

    def journals(self) -> dict[str, bytes]:
        """The whole lines of what models replied, by file."""
        found = {}
        for pattern in self.command.journals:
            for path in self.here.glob(pattern):
                data = path.read_bytes()
                found[str(path.relative_to(self.here))] = data[: data.rfind(b"\n") + 1]
        return found


@contextmanager
def staged(command: Command, home: Path) -> Iterator[Scene]:
    """A scene in a new folder, and its server for as long as the block lasts."""
    home.mkdir(parents=True)
    asked_file = home / "asked.txt"
    with (
        countedservers.served(command.server, asked_file) if command.server else nullcontext()
    ) as served:
        yield Scene(home, command, served)


def tried_each(
    campaign: str,
    one: Callable[[Row, str, int, Random, Path], None],
    names: Iterable[str],
    times: int,
    seed: int,
    only: Sequence[str],
) -> list[Row]:
    """A row for each command; interrupted (SIGINT or SIGTERM), those that there are by then.

    Args:
        campaign: its name.
        one: fills the row of a command, in a folder of its own.
        names: of all commands.
        times, seed, only: as they were asked for.
    """
    for sent in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sent, signal.default_int_handler)
    killing.adopt_orphans()
    killing.read_libraries(not only or bool(HEAVY.intersection(only)))
    rows: list[Row] = []
    with (
        tempfile.TemporaryDirectory(prefix=f"slant-{campaign}-") as home,
        suppress(KeyboardInterrupt),
    ):
        for number, name in enumerate(name for name in names if not only or name in only):
            rows.append(Row(f"slant {name}"))
            try:
                one(rows[-1], name, times, Random(f"{seed} {name}"), Path(home) / str(number))
            finally:
                told = [f"{name}: {rows[-1].held} of {rows[-1].tried}", *rows[-1].failures]
                print("\n    ".join(told), file=sys.stderr, flush=True)
    return [row for row in rows if row.tried]
