"""The clock of the machine set to another time, and files with times that cannot be.

The clock is set in the child alone: what it reads of the time, and when that jumps, is drawn.
"""

from __future__ import annotations

import datetime as dates
import importlib
import os
import random
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from children import load
from outcomes import Row, conducted
from rooms import Room, left, opened, tell, unlike
from writers import Writer, chosen, lines

YEAR = 365.25 * 24 * 3600
CLOCKS = {
    "1970": -56.5 * YEAR, "a year ago": -YEAR, "an hour ago": -3600.0, "tomorrow": 86400.0,
    "2100": 73.5 * YEAR,
}  # fmt: skip
TIMES = {"1970": 0.0, "1970, a second in": 1.0, "2100": 4102444800.0}
"""To which the times of files are set; beside these to times that are drawn, and all to one."""
ENDS = frozenset({"annotate new", "data add", "train"})
"""Commands that refuse what is there already."""
CHANGED = "a file with other bytes under its old size and time"
HISTORY = "the list of analyses"
WAITS = "a server that asks to wait until a date"


def clock(offset: float, jump: float, after: float) -> Callable[[], None]:
    """A function that sets the clock of this process.

    Args:
        offset: seconds between this clock and the machine's.
        jump: seconds more from then on.
        after: seconds of work until it jumps.
    """

    def put() -> None:
        began, wall, nanos = time.monotonic(), time.time, time.time_ns

        def away() -> float:
            return offset + (jump if time.monotonic() - began > after else 0.0)

        class Dates(dates.datetime):
            """A datetime that reads this clock."""

            @classmethod
            def now(cls, tz: dates.tzinfo | None = None) -> Any:
                return cls.fromtimestamp(time.time(), tz)

            @classmethod
            def utcnow(cls) -> Any:
                return cls.fromtimestamp(time.time(), dates.UTC).replace(tzinfo=None)

        time.time = lambda: max(1.0, wall() + away())
        time.time_ns = lambda: max(1, nanos() + int(away() * 1e9))
        for name, module in list(sys.modules.items()):
            known = vars(module).get("datetime") if module is not None else None
            if name.startswith(("slant", "inspect_ai")) and known is dates.datetime:
                vars(module)["datetime"] = Dates

    return put


def touch(folder: Path, draw: random.Random) -> str:
    """Set the times of all files below a folder."""
    kind = draw.choice([*TIMES, "drawn", "one"])
    now = time.time()
    for path in [*folder.rglob("*"), folder]:
        at = TIMES.get(kind, now + 7 if kind == "one" else now + draw.uniform(-1, 1) * 30 * YEAR)
        os.utime(path, (at, at), follow_symlinks=False)
    return kind


def shift(writer: Writer, room: Room, draw: random.Random, row: Row, killed: bool) -> None:
    """One try: a call under one clock, killed on the way or not; then again under another."""
    whole = room.undisturbed(writer)
    room.clear(writer)
    told, names = [], list(CLOCKS)
    bad = None
    for last in (False, True):
        name = draw.choice(names)
        jump = draw.choice([0.0, *CLOCKS.values()]) * draw.random()
        told.append(f"clock {name}, then {jump / YEAR:+.2f} years")
        put = clock(CLOCKS[name], jump, draw.uniform(0, room.seconds[writer.name]))
        child = room.begin(room.argv(writer), before=put)
        if killed and not last:
            time.sleep(draw.uniform(0, room.seconds[writer.name]))
            child.kill()
            child.wait()
            row.figures["killed"] = int(row.figures.get("killed", 0)) + 1
        else:
            ended = child.wait()
            again = last and writer.name in ENDS
            bad = bad or ended.fault(*((0, 2) if again else (0,)))
        if not last:
            told.append(f"files {touch(room.folder / 'disk', draw)}")
    bad = bad or unlike(left(room.out), whole)
    row.count(bad and f"{'; '.join(told)}: {bad}")


def alter(room: Room, draw: random.Random, row: Row) -> None:
    """One try: a file changes under its old size and time, and its sum is asked for again."""
    from slant.data import hashes

    os.environ["SLANT_CACHE"] = str(room.store)
    path = room.folder / "large.bin"
    size = hashes.REMEMBERED_FROM + draw.randrange(4096)
    content = bytearray(draw.randbytes(size))
    path.write_bytes(content)
    before = path.stat()
    first = hashes.read_sha256(path)
    place = draw.randrange(size)
    content[place] ^= 1 << draw.randrange(8)
    time.sleep(0.01)
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    row.count(f"byte {place} of {size}" if hashes.read_sha256(path) == first else None)


def keep(room: Room, draw: random.Random, row: Row) -> None:
    """One try: analyses under clocks that jump, listed latest first, and again once reopened."""
    from slant.web import history
    from slant.web.submissions import Submission

    path = room.folder / "history" / "history.sqlite3"
    shutil.rmtree(path.parent, ignore_errors=True)
    whole, ids, at = history.datetime, [], 0.0

    class Dates(dates.datetime):
        """A datetime that jumps."""

        @classmethod
        def now(cls, tz: dates.tzinfo | None = None) -> Any:
            return whole.fromtimestamp(at, tz)

    vars(history)["datetime"] = Dates
    bad = None
    try:
        for _ in range(2):
            kept = history.History(path)
            for _ in range(draw.randrange(1, 6)):
                at = draw.uniform(1, 130 * YEAR)
                ids.append(kept.add(Submission("text", "", b"A text.", "", None, None)))
            listed = [one.id for one in kept.entries(100)]
            if listed != ids[::-1]:
                bad = f"{len(ids)} analyses, listed in another order"
            kept.close()
            touch(path.parent, draw)
    finally:
        vars(history)["datetime"] = whole
    row.count(bad)


def ask(draw: random.Random, row: Row) -> None:
    """One try: a date and the server's own clock, which is another than ours."""
    from email.utils import formatdate

    from slant.wikis.visits import retry_after

    server, wanted = draw.uniform(1, 130 * YEAR), draw.randrange(0, 600)
    headers = {"retry-after": formatdate(int(server) + wanted, usegmt=True),
               "date": formatdate(int(server), usegmt=True)}  # fmt: skip
    found = retry_after(headers)
    row.count(None if found == wanted else f"{headers}: {found} s")


def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """A row for each command, then rows of what reads times by itself."""
    own: dict[str, Callable[[Room, random.Random, Row], None]] = {
        CHANGED: alter, HISTORY: keep, WAITS: lambda room, draw, row: ask(draw, row),
    }  # fmt: skip
    named = [name for name in only if name not in own]
    writers = chosen(named) if named or not only else []
    draw = random.Random(seed)
    rows: list[Row] = []
    load(lines(writers))
    importlib.import_module("slant.web.history")
    with opened("clocks", writers) as room:
        for writer in writers:
            room.undisturbed(writer)
            rows.append(Row(f"slant {writer.name}"))
            for number in range(writer.times(times)):
                shift(writer, room, draw, rows[-1], killed=bool(number % 2))
            tell(rows[-1])
        for what, trying in own.items():
            if not only or what in only:
                rows.append(Row(what))
                for _ in range(times):
                    trying(room, draw, rows[-1])
    return [row for row in rows if row.tried]


if __name__ == "__main__":
    about = (
        "under a clock that is years off and jumps, and with files of any time, a command ends "
        "with the bytes of an undisturbed one, resumed or not, and nothing old is taken for new"
    )
    sys.exit(conducted("clocks", about, 50, trial))
