"""Disk full at a random moment of every command that writes, and folders that take no file.

As root the disk is a real one: a tmpfs with room for so many pages or files. Elsewhere a limit on
the size of a file stands in its place, and the rows say so.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from children import Ended, load
from outcomes import Row, conducted
from privileges import limited_files, without_privileges
from rooms import Room, left, opened, tell, unlike
from writers import Writer, chosen, lines

PAGE = 4096
WIDE = "size=1g,nr_inodes=1000000"
HALF = re.compile(r"\.tmp$|\.part$|(^|/)\.(new|adding|unpacked)-|\.incoming(/|$)")
"""Names of files that are not whole yet."""
GROWING = re.compile(r"^(bait|vilbias)/(answers|verdicts)/.*\.jsonl$")
"""Files to which a line is added at a time."""
FAULTS = ("read-only", "a file for a folder", "a name too long", "a path too long", "no permission")
Sums = Mapping[str, str]


def mount(*words: str) -> None:
    """Call mount, which says nothing."""
    subprocess.run(["mount", *words], check=True, capture_output=True)


def can_mount() -> bool:
    """Whether a tmpfs can be had here."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder)
        except (OSError, subprocess.CalledProcessError):
            return False
        subprocess.run(["umount", folder], check=True)
        return True


@contextmanager
def disk(room: Room, real: bool) -> Iterator[Path]:
    """A disk of its own for output and caches; within the block it can be made small."""
    place = room.folder / "disk"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    if real:
        mount("-t", "tmpfs", "-o", WIDE, "tmpfs", str(place))
    try:
        yield place
    finally:
        if real:
            subprocess.run(["umount", "-l", str(place)], check=True)


def used(place: Path) -> tuple[int, int]:
    """Pages and files of a disk that are taken."""
    told = os.statvfs(place)
    return told.f_blocks - told.f_bfree, told.f_files - told.f_ffree


def halves(room: Room) -> str | None:
    """Files that a command began and left, on the disk or among its temporary ones."""
    there = [*left(room.out, hidden=True), *left(room.store, hidden=True), *left(room.out)]
    found = [name for name in there if HALF.search(name)]
    found += [path.name for path in (room.folder / "tmp").iterdir()]
    return f"left behind: {sorted(found)[:4]}" if found else None


def torn(found: Sums, before: Sums, whole: Sums) -> str | None:
    """Visible files that are neither what they were nor what they shall be."""
    bad = [
        name for name, own in found.items()
        if own not in (before.get(name), whole.get(name)) and not GROWING.search(name)
    ]  # fmt: skip
    lost = [name for name in before if name not in found and name in whole]
    told = [f"{what}: {names[:4]}" for what, names in (("torn", bad), ("lost", lost)) if names]
    return "; ".join(told) or None


def unclear(told: Ended, place: Path) -> str | None:
    """Why the answer to a fault is not one line with a path of the disk, and exit 2."""
    if fault := told.fault(2):
        return fault
    return None if str(place) in told.told else f"the line names no path: {told.told[:300]}"


def goes_on(writer: Writer, room: Room) -> str | None:
    """What was wrong with the same command on a healthy disk."""
    if fault := room.call(writer).fault(0):
        return f"again: {fault}"
    other = unlike(left(room.out), room.whole[writer.name])
    return f"again: {other}" if other else halves(room)


def measure(writer: Writer, room: Room, real: bool) -> None:
    """Note what an undisturbed call leaves, and how much of a disk it takes."""
    with disk(room, real) as place:
        room.clear(writer)
        first = used(place)
        room.undisturbed(writer)
        last = used(place)
        sizes = [path.stat().st_size for path in room.out.rglob("*") if path.is_file()]
        room.growth[writer.name] = (last[0] - first[0], last[1] - first[1], max(sizes))


def fill(writer: Writer, room: Room, draw: random.Random, row: Row, real: bool) -> None:
    """One try with a full disk."""
    whole = room.whole[writer.name]
    pages, files, largest = room.growth[writer.name]
    with disk(room, real) as place:
        room.clear(writer)
        before = left(room.out)
        if not real:
            most = draw.randrange(1, largest)
            what, told = f"files up to {most} bytes", room.call(writer, limited_files(most))
        else:
            first = used(place)
            if draw.random() < 0.6:
                more = draw.randrange(0, max(2, pages))
                option, what = f"size={max(1, first[0] + more) * PAGE}", f"{more} of {pages} pages"
            else:
                more = draw.randrange(0, max(2, files))
                option, what = f"nr_inodes={max(1, first[1] + more)}", f"{more} of {files} files"
            mount("-o", f"remount,{option}", str(place))
            told = room.call(writer)
            mount("-o", f"remount,{WIDE}", str(place))
        if told.code == 0:
            row.figures["had room"] = int(row.figures.get("had room", 0)) + 1
            fault = told.fault(0) or unlike(left(room.out), whole)
        else:
            fault = unclear(told, place) or torn(left(room.out), before, whole) or halves(room)
            fault = fault or goes_on(writer, room)
        row.count(fault and f"{what}: {fault}")


def spoil(writer: Writer, fault: str, room: Room, row: Row, real: bool) -> None:
    """One try with a place that takes no file."""
    with disk(room, real) as place:
        room.clear(writer)
        before, out, argv = left(room.out), room.out, room.argv(writer)
        restore: Callable[[], object] = lambda: None  # noqa: E731
        limit = restore
        if fault == "read-only":
            mount("-o", "remount,ro", str(place))
            restore = lambda: mount("-o", "remount,rw", str(place))  # noqa: E731
        elif fault == "a file for a folder":
            out.rmdir()
            out.write_text("mine")
            restore = lambda: (out.unlink(), out.mkdir())  # noqa: E731
        elif fault in ("a name too long", "a path too long"):
            long = "x" * 300 if "name" in fault else "/".join(["x" * 200] * 25)
            argv = [word.replace(str(out), f"{out}/{long}") for word in argv]
        else:
            folders = [path for path in (out, *out.rglob("*")) if path.is_dir()]
            for path in folders:
                path.chmod(0o555)
            limit = without_privileges
            restore = lambda: [path.chmod(0o755) for path in folders]  # noqa: E731
        bad = unclear(room.begin(argv, before=limit).wait(), place)
        if fault == "a file for a folder" and out.read_text() != "mine":
            bad = bad or "the file that stood there is another"
        restore()
        bad = bad or unlike(left(room.out), before) or halves(room) or goes_on(writer, room)
        row.count(bad and f"slant {writer.name}: {bad}")


def fits(writer: Writer, fault: str, real: bool) -> bool:
    """Whether a fault can be made where a command writes."""
    return real if fault == "read-only" else fault == "no permission" or not writer.there


def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """Rows of full disks by command, then rows of the other faults over all commands."""
    named = [name for name in only if name not in FAULTS]
    writers = chosen(named)
    faults = [one for one in FAULTS if one in only] if only else list(FAULTS)
    draw, real = random.Random(seed), can_mount()
    rows: list[Row] = []
    load(lines(writers))
    with opened("disks", writers) as room:
        for writer in writers:
            measure(writer, room, real)
        for writer in writers if named or not only else ():
            rows.append(Row(f"slant {writer.name}, disk full"))
            rows[-1].figures["by"] = "tmpfs" if real else "RLIMIT_FSIZE"
            for _ in range(writer.times(times)):
                fill(writer, room, draw, rows[-1], real)
            tell(rows[-1])
        for fault in faults:
            rows.append(Row(f"a place that takes no file: {fault}"))
            for writer in writers:
                if fits(writer, fault, real):
                    spoil(writer, fault, room, rows[-1], real)
            tell(rows[-1])
    return [row for row in rows if row.tried]


if __name__ == "__main__":
    about = (
        "a full disk or a place that takes no file ends in one line that names the path and exit "
        "2, nothing half-written; the same command on a healthy disk ends with the same bytes"
    )
    sys.exit(conducted("disks", about, 50, trial))
