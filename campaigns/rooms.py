"""Where commands are called and what they leave: the same paths in every try, the same bytes."""

from __future__ import annotations

import hashlib
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from children import Child, Ended, begun
from outcomes import Row
from provisions import decide, served, write_inputs
from writers import JUDGE, PREPARED, Writer, lines


@dataclass
class Room:
    """Where commands are called: the same paths in every try, so that the same bytes come of it.

    Fields:
        folder: of everything.
        servers: their addresses by name.
        whole: by writer, what an undisturbed call leaves.
        growth: by writer, pages and files that an undisturbed call adds, bytes of the largest.
        seconds: by writer, how long an undisturbed call takes.
        killing: whether processes are killed now, which leave what they were writing.
    """

    folder: Path
    servers: Mapping[str, str]
    whole: dict[str, dict[str, str]] = field(default_factory=dict)
    growth: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    killing: bool = False

    @property
    def inputs(self) -> Path:
        """What commands read."""
        return self.folder / "in"

    @property
    def out(self) -> Path:
        """What commands write to."""
        return self.folder / "disk" / "out"

    @property
    def store(self) -> Path:
        """The user's own folder for caches."""
        return self.folder / "disk" / "store"

    def argv(self, writer: Writer) -> list[str]:
        """The arguments of a command here."""
        places = {"in": str(self.inputs), "out": str(self.out), **self.servers}
        return [word.format(**places) for word in writer.words]

    def env(self) -> dict[str, str]:
        """The environment of a command here."""
        return {
            "SLANT_CACHE": str(self.store), "TMPDIR": str(self.folder / "tmp"),
            "XDG_DATA_HOME": str(self.folder / "home"), "HOME": str(self.folder / "home"),
            "SCRIPTED_API_KEY": "sk-scripted", "COLUMNS": "100",
        }  # fmt: skip

    def begin(
        self, argv: Sequence[str], who: str = "said", before: Callable[[], object] = lambda: None
    ) -> Child:
        """Start a command."""
        return begun(argv, self.folder / who, self.env(), before)

    def call(self, writer: Writer, before: Callable[[], object] = lambda: None) -> Ended:
        """Call a command to its end."""
        return self.begin(self.argv(writer), before=before).wait()

    def clear(self, writer: Writer) -> None:
        """Make the place ready for a first call."""
        for path in (self.out, self.store, self.folder / "tmp", self.folder / "home"):
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir(parents=True)
        if writer.light:
            shutil.copytree(self.inputs / "store" / "analysis", self.store / "analysis")
        for name in writer.there:
            shutil.copytree(self.inputs / name, self.out / Path(name).name)

    def undisturbed(self, writer: Writer) -> dict[str, str]:
        """What an undisturbed call leaves, made and timed once."""
        if writer.name not in self.whole:
            self.clear(writer)
            began = time.monotonic()
            fault = self.call(writer).fault(0)
            self.seconds[writer.name] = time.monotonic() - began
            if fault:
                raise RuntimeError(f"slant {writer.name}, undisturbed: {fault}")
            self.whole[writer.name] = left(self.out)
        return self.whole[writer.name]


VOLATILE = re.compile(
    rb'"(created|seconds|asked_at|time|when)": ("[^"]*"|[-0-9.e]+)|"created": "[^"]*"'
)


def left(folder: Path, hidden: bool = False) -> dict[str, str]:
    """Each file below a folder and a sum of its bytes, moments taken out; the lines of journals
    in any order, of a PDF the size.

    Args:
        folder: to look at.
        hidden: those alone whose own or whose folder's name begins with a dot, locks left out.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        below = any(part.startswith(".") for part in place.parts)
        if place.suffix in (".lock", ".eval") or "logs" in place.parts:
            continue
        if path.is_file() and below == hidden:
            content = VOLATILE.sub(b"", path.read_bytes())
            if path.suffix == ".jsonl":
                content = b"\n".join(sorted(content.split(b"\n")))
            elif path.suffix == ".pdf":
                # Its writer orders fonts and names anew in every process; only the size stays.
                content = str(len(content)).encode()
            found[str(place)] = hashlib.sha256(content).hexdigest()
    return found


def unlike(found: Mapping[str, str], wanted: Mapping[str, str]) -> str | None:
    """How what is there differs from what should be; None where it does not."""
    missing = sorted(wanted.keys() - found.keys())
    more = sorted(found.keys() - wanted.keys())
    other = sorted(name for name in wanted.keys() & found.keys() if wanted[name] != found[name])
    told = [f"{what} {names[:4]}" for what, names in
            (("missing", missing), ("more", more), ("other bytes", other)) if names]  # fmt: skip
    return "; ".join(told) or None


def prepare(room: Room, writers: Sequence[Writer]) -> None:
    """Make all that some commands read, in a store of its own."""
    room.inputs.mkdir(parents=True)
    needed = lines(writers)
    write_inputs(room.inputs, needed)
    made = {name: line for name, line in PREPARED if name in needed}
    for name, line in made.items():
        _make(room, line.replace("{out}", "{in}"), name)
    if "planted" in made:
        shutil.copy(room.inputs / "planted" / "planted.jsonl", room.inputs)
    if "merged" in made:
        decide(room.inputs / "merged")
    if "judged" in needed:
        shutil.copytree(room.inputs / "vilbias", room.inputs / "judged" / "vilbias")
        _make(room, JUDGE.replace("{out}", "{in}/judged"), "judged")
    if any(one.light for one in writers):
        words = "analyze {in}/articles/a0.txt --language en --json --jobs 1 -q"
        _make(room, words, "light")
        shutil.copytree(room.store / "analysis", room.inputs / "store" / "analysis")


def _make(room: Room, line: str, name: str) -> None:
    room.clear(Writer("", ""))
    if fault := room.call(Writer(name, line)).fault(0):
        raise RuntimeError(f"making {name}: {fault}")


@contextmanager
def opened(name: str, writers: Sequence[Writer], pause: float = 0.0) -> Iterator[Room]:
    """A room with its servers and all that some commands read; an interrupt ends the block.

    Args:
        name: of the campaign.
        writers: the commands.
        pause: seconds before each answer of a model.
    """
    folder = tempfile.TemporaryDirectory(prefix=f"slant-{name}-")
    with folder as place, served(pause) as servers, _stoppable():
        room = Room(Path(place), servers)
        prepare(room, writers)
        yield room


@contextmanager
def _stoppable() -> Iterator[None]:
    """Within the block an interrupt ends the tries; the rows so far are kept."""
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    for one in before:
        signal.signal(one, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def tell(row: Row) -> None:
    """Say how a row ended, for who watches."""
    told = (row.what, row.held, "of", row.tried, row.figures, *row.failures[:2])
    print(*told, file=sys.stderr, flush=True)
