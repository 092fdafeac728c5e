"""Every command fuzzed: options, values and the files it is pointed at, in this process.

A command ends with exit code 0, 1 or 2; with 1 and 2 it tells one line, no traceback, and with 2
it has left and changed nothing.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from fuzzed.commandlines import LINES
from fuzzed.made import make, surroundings
from fuzzed.mutating import Lines
from fuzzed.running import World, harness, run, snapshot, wrong
from fuzzed.trying import bound_memory, peak
from outcomes import Row, conducted

WARM = (
    "bait run --data x --out x --model mockllm/model --estimate", "doctor --json",
    "train added/own --system encoder:x --out x", "predict x x --out x",
    "explain x", "circuit x", "serve --detector x --port 0 --no-history",
)  # fmt: skip
ABOUT = (
    "a command ends with 0, 1 or 2, one error line, no traceback, and leaves nothing where refused"
)


def every_command() -> dict[str, list[str]]:
    """The commands of the tree by their words, each with its options."""
    import typer

    from slant.cli.app import app

    found: dict[str, list[str]] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        if hasattr(command, "commands"):
            for name, one in command.commands.items():
                walk(one, (*words, name))
        else:
            found[" ".join(words)] = sorted(
                option for one in command.params for option in (*one.opts, *one.secondary_opts)
                if option.startswith("-")
            )  # fmt: skip

    walk(app if not isinstance(app, typer.Typer) else typer.main.get_command(app), ())
    return found


def campaign(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """A row for each command."""
    bound_memory()
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve() / "world"
        os.environ["HOME"] = str(folder / "cwd")
        try:
            with surroundings(folder / "store"):
                make(folder)
                world = World(folder)
                with harness():
                    warm(world, only)
                    return [
                        row_of(name, options, world, times, seed)
                        for name, options in every_command().items()
                        if not only or any(one in f"slant {name}" for one in only)
                    ]
        finally:
            os.chdir(here)


def warm(world: World, only: Sequence[str]) -> None:
    """Let what is loaded once, or taught once, be so before the tries are timed."""
    for line in WARM:
        if not only or any(one in f"slant {line}" for one in only):
            run(line.split())
            os.chdir(world.place)
    if not only or any(one in f"slant {line}" for one in only for line in ("analyze", "serve")):
        from slant.runs.lightdetector import trained_light

        trained_light()
        text = world.folder / "articles" / "page.html"
        run(["analyze", str(text), "--out", str(world.folder / "cwd" / "warm"), "--jobs", "1"])
    world.restored(snapshot(world.folder))


def row_of(name: str, options: Sequence[str], world: World, times: int, seed: int) -> Row:
    """The tries of one command."""
    lines = Lines(LINES[name], options, world.folder)
    row = Row(f"slant {name}")
    codes = {0: 0, 1: 0, 2: 0}
    longest, begin, most = 0.0, time.monotonic(), peak()
    by = Random(f"{seed} {name}")
    for number in range(times):
        arguments = [*name.split(), *lines.drawn(by, number)]
        os.chdir(world.place)
        before = world.with_inputs()
        at = time.monotonic()
        ended = run(arguments)
        longest = max(longest, time.monotonic() - at)
        codes[ended.code] = codes.get(ended.code, 0) + 1
        after = snapshot(world.folder)
        failure = wrong(ended, before, after)
        shown = shlex.join(arguments).replace(str(world.folder), "@")[:300]
        row.count(failure and f"try {number}: {failure} <- slant {shown!r}")
        world.restored(after)
    row.figures = {
        "exit 0": codes[0],
        "exit 1": codes[1],
        "exit 2": codes[2],
        "longest ms": round(1000 * longest),
        "MB grown": round((peak() - most) / 1e6),
        "s": round(time.monotonic() - begin),
    }
    print(
        f"{row.what}: {row.held:,} of {row.tried:,} held, {row.figures['s']} s",
        file=sys.stderr,
        flush=True,
    )
    return row


if __name__ == "__main__":
    sys.exit(conducted("fuzzing_commands", ABOUT, 300, campaign))
