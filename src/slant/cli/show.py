"""What a terminal shows: progress with time left, tables, one JSON document."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from slant.report.escaping import one_line, visible

SECONDS_BETWEEN_LINES = 20.0
CUT_WIDTH = 26


def document(content: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print the one JSON document of a command on stdout; signs that a terminal obeys, and those
    that UTF-8 cannot hold, are written as \\u and four digits."""
    text = json.dumps(content, indent=1, ensure_ascii=False, default=str)
    print(re.sub("[\x7f-\x9f\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text))


def line(text: str) -> None:
    """Print a line on stdout; signs that a terminal obeys are shown, not sent."""
    print(visible(text))


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    title: str = "",
    cut: Sequence[str] = (),
) -> None:
    """Print a table on stdout: aligned for a terminal, with the columns named in `cut` on one line
    each; tab-separated and whole for a pipe."""
    if not sys.stdout.isatty():
        print("\t".join(columns))
        for row in rows:
            print("\t".join(re.sub(r"[\t\n]", " ", visible(cell)) for cell in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(
        title=Text(visible(title)) if title else None, title_justify="left", header_style="bold"
    )
    for name in columns:
        if name in cut:
            shown.add_column(name, no_wrap=True, overflow="ellipsis", max_width=CUT_WIDTH)
        else:
            shown.add_column(name, overflow="fold")
    for row in rows:
        shown.add_row(*(Text(visible(cell)) for cell in row))
    Console().print(shown)


def say(text: str) -> None:
    """Print a line for the person on stderr, where it never mixes with results."""
    print(visible(text), file=sys.stderr)


@contextmanager
def progress(quiet: bool, unit: str) -> Iterator[Callable[[float, int, str], None]]:
    """A progress bar on stderr with time left.

    Args:
        quiet: show nothing.
        unit: what is counted, e.g. "cells".

    Yields:
        A function of (done, total, what). Where total changes or done falls, other work has begun,
        and time left is reckoned from there.
    """
    if quiet:
        yield lambda done, total, what: None
        return
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(unit)
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        number = bar.add_task("", total=None)
        before = (0.0, 0)

        def told(done: float, total: int, what: str) -> None:
            nonlocal before
            if total != before[1] or done < before[0]:
                bar.reset(number, total=total or None, completed=int(done))
            before = (done, total)
            bar.update(number, completed=done, description=one_line(what))

        yield told


def _lines(unit: str) -> Callable[[float, int, str], None]:
    """Progress for a log: a line at most every `SECONDS_BETWEEN_LINES`, and where there was one,
    the last."""
    last = time.monotonic()
    begin, before = (last, 0.0), (0.0, 0)
    begun = False

    def told(done: float, total: int, what: str) -> None:
        nonlocal last, begin, before, begun
        now = time.monotonic()
        if total != before[1] or done < before[0]:
            begin, begun = (now, done), False
        before = (done, total)
        if now - last < SECONDS_BETWEEN_LINES and not (begun and total and done >= total):
            return
        last, begun = now, True
        if not total:
            some = unit.removesuffix("s") if done == 1 else unit
            say(f"{int(done)} {some} read" if what == "reading" else f"{int(done)} {some}: {what}")
            return
        rest = ""
        if done > begin[1]:
            left = (now - begin[0]) / (done - begin[1]) * max(0.0, total - done)
            rest = f", about {left / 60:.0f} min left"
        say(f"{int(done)} of {total} {unit}{rest}: {what}")

    return told


def interval_text(one: Mapping[str, Any]) -> str:
    """An estimate with its interval, "0.812 [0.790, 0.834]"; "-" where there is no number."""
    if one.get("value") is None:
        return "-"
    if one.get("low") is None:
        return f"{one['value']:.3f}"
    return f"{one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}]"
