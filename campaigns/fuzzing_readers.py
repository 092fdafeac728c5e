"""Every reader fuzzed: whatever a file holds, it gives a result or one clear error, soon.

`--engine mutate` (as it is) damages files that can be read, by one seed, and puts in their place
what hypothesis draws; `--engine atheris` lets atheris, which is guided by the code that an input
reaches, change them: it must be installed (`pip install atheris`).
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

from fuzzed import ofannotations, ofanswers, ofarticles, ofdata, ofruns, ofsets, ofvectors, ofwikis
from fuzzed.damaging import damaged
from fuzzed.drawing import drawn_contents
from fuzzed.made import surroundings, written
from fuzzed.modules import LEFT_OUT, reading_modules, reasons, tried_modules
from fuzzed.readers import Files, Reader
from fuzzed.trying import bound_memory, peak, tried
from outcomes import Row, conducted

ABOUT = "a damaged file is read, or refused in one line, within 5 s and 400 MB"
MODULES = {
    "data:": (ofdata, ofsets), "annotate:": (ofannotations,), "analysis: web:": (ofarticles,),
    "wikis:": (ofwikis,), "embeddings:": (ofvectors,), "answers: systems: secrets:": (ofanswers,),
    "runs:": (ofruns,),
}  # fmt: skip
"""The modules that make readers, by how the names of these begin."""
ENGINES = ("mutate", "atheris")
DRAWN = 1000
"""Contents that hypothesis draws, of which each reader meets some."""


def every_reader(only: Sequence[str] = ()) -> list[Reader]:
    """The readers, or those of which a given name is a part."""
    asked = {one.partition(" ")[0] for one in only if one.partition(" ")[0].endswith(":")}
    found: list[Reader] = []
    for begins, modules in MODULES.items():
        # Making the files of a module takes seconds, and no name of it may be asked for.
        if only and all(":" in one for one in only) and not asked & set(begins.split()):
            continue
        for module in modules:
            found += [one for one in module.readers() if chosen(one.name, only)]
    return found


def chosen(name: str, only: Sequence[str]) -> bool:
    """Whether a row is among those that were asked for; no name asks for all."""
    return not only or any(one in name for one in only)


class Place:
    """The folders of one reader: one for each of its seeds, with one file damaged at a time.

    Args:
        reader: what is tried.
        place: an empty folder.
    """

    def __init__(self, reader: Reader, place: Path) -> None:
        self.reader = reader
        self.folders = [place / str(n) for n in range(len(reader.seeds))]
        for folder, contents in zip(self.folders, reader.seeds, strict=True):
            written(folder, contents)

    def names(self, number: int) -> list[str]:
        """The files of a seed that may be damaged."""
        return [name for name in self.reader.seeds[number] if name not in self.reader.whole]

    def tried(self, number: int, name: str, content: bytes) -> tuple[str, str | None]:
        """How the reader takes one content in the place of a sound file."""
        folder = self.folders[number]
        path = folder / name
        path.write_bytes(content)
        try:
            return tried(lambda: self.reader.read(folder))
        finally:
            self._restored(folder, self.reader.seeds[number])

    def _restored(self, folder: Path, contents: Files) -> None:
        # Readers may take away what is broken, and leave locks and memories.
        there = {
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        }
        for extra in there - set(contents):
            (folder / extra).unlink(missing_ok=True)
        for name, content in contents.items():
            path = folder / name
            if (
                name not in there
                or path.stat().st_size != len(content)
                or path.read_bytes() != content
            ):
                written(folder, {name: content})


def campaign(times: int, seed: int, only: Sequence[str], engine: str = "mutate") -> list[Row]:
    """A row for each reader."""
    bound_memory()
    if engine == "atheris":
        from fuzzed.coverage import guided_rows

        return guided_rows(times, seed, only)
    with tempfile.TemporaryDirectory() as place, surroundings(Path(place) / "store"):
        drawn = drawn_contents(min(DRAWN, max(times, 10)), seed)
        rows = [] if only else [modules_row()]
        return rows + [
            row_of(reader, Path(place) / f"{n}", inputs_of(reader, times, seed, drawn))
            for n, reader in enumerate(every_reader(only))
        ]


def modules_row() -> Row:
    """Whether each module that reads is tried by a row, or left out for a reason it tells."""
    row = Row("modules that read: tried, or left out for a reason")
    why, tried_ones = reasons(), tried_modules()
    for one in sorted(reading_modules()):
        row.count(None if one in tried_ones or one in why else f"{one} has no row and no reason")
    left = sorted(set(why) - tried_ones)
    told = "; ".join(f"{reason}: {', '.join(names.split())}" for reason, names in LEFT_OUT.items())
    row.figures = {"left out": len(left), "since": told}
    return row


Input = tuple[int, str, bytes]
"""Which seed, which of its files, and what stands in it."""


def inputs_of(
    reader: Reader, times: int, seed: int, drawn: Sequence[bytes]
) -> Callable[[Place], Iterable[Input]]:
    """The inputs of one reader, the first ones being its files as they are."""

    def inputs(place: Place) -> Iterable[Input]:
        by = Random(f"{seed} {reader.name}")
        for n in range(times):
            number = n if n < len(reader.seeds) else by.randrange(len(reader.seeds))
            name = by.choice(place.names(number))
            sound = reader.seeds[number][name]
            yield number, name, sound if n < len(reader.seeds) else damaged(sound, by, drawn)

    return inputs


def row_of(reader: Reader, folder: Path, inputs: Callable[[Place], Iterable[Input]]) -> Row:
    """The tries of one reader; its own files must be read."""
    place = Place(reader, folder)
    row = Row(reader.name)
    ended = {"read": 0, "refused": 0}
    longest, begin, before = 0.0, time.monotonic(), peak()
    for n, (number, name, content) in enumerate(inputs(place)):
        at = time.monotonic()
        how, failure = place.tried(number, name, content)
        longest = max(longest, time.monotonic() - at)
        if n < len(reader.seeds) and how == "refused":
            failure = failure or "a sound file was refused"
        ended[how] += 1
        row.count(failure and f"try {n}, {name}: {failure}; {content[:60]!r}")
    row.figures = {
        "read": ended["read"],
        "refused": ended["refused"],
        "longest ms": round(1000 * longest),
        "MB grown": round((peak() - before) / 1e6),
        "s": round(time.monotonic() - begin),
    }
    shutil.rmtree(folder)
    print(
        f"{row.what}: {row.held:,} of {row.tried:,} held, {row.figures['s']} s",
        file=sys.stderr,
        flush=True,
    )
    return row


def main() -> int:
    """Run it; `--engine` is this campaign's own option."""
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--engine", choices=ENGINES, default=ENGINES[0])
    given, rest = own.parse_known_args()
    sys.argv[1:] = rest

    def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
        return campaign(times, seed, only, given.engine)

    name = "fuzzing_readers" if given.engine == "mutate" else f"fuzzing_readers_{given.engine}"
    return conducted(name, f"{ABOUT} (--engine {' or '.join(ENGINES)})", 300, trial)


if __name__ == "__main__":
    sys.exit(main())
