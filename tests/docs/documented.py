"""The `slant ...` lines of the code blocks of README.md and docs, and what they are parsed as."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer.main

from slant.cli.app import app

ROOT = Path(__file__).parents[2]
ENDS = {"|", "&&", "||", ";", ">", "<", "&"}
BEFORE = {"|", "&&", "||", ";", "do", "then", "--", "-", "$"}
ASSIGNED = re.compile(r"[A-Z_]+=\S*")
APPLICATION = typer.main.get_command(app)


@dataclass(frozen=True)
class Line:
    """One documented command.

    Fields:
        page, number: where it stands, relative to the project; its first line, from 1.
        words: the arguments behind `slant`.
        stdin: the file that is piped into it, "" where none is.
        shown: what the page says it prints, line by line; nothing where it shows nothing.
    """

    page: str
    number: int
    words: tuple[str, ...]
    stdin: str = ""
    shown: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.page}:{self.number}: slant {shlex.join(self.words)}"


@dataclass
class Block:
    """A code block: its language and its lines, with the number of the first."""

    language: str
    first: int
    lines: list[str] = field(default_factory=list)


def pages(root: Path = ROOT) -> list[str]:
    """README.md and every page of docs, relative to the project, in order."""
    found = sorted(path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md"))
    return ["README.md", *found]


def blocks(text: str) -> Iterator[Block]:
    """The code blocks of a page: fenced ones, and those that are indented by four blanks."""
    open_: Block | None = None
    fence, blank = "", True
    for number, line in enumerate(text.splitlines(), 1):
        marker = re.match(r"\s*(`{3,}|~{3,})\s*(\S*)", line)
        if fence:
            if marker and marker[1] == fence and not marker[2]:
                assert open_ is not None
                yield open_
                open_, fence = None, ""
            else:
                assert open_ is not None
                open_.lines.append(line)
        elif marker:
            fence, open_ = marker[1], Block(marker[2], number + 1)
        elif line.startswith("    ") and (blank or open_):
            open_ = open_ or Block("", number)
            open_.lines.append(line)
        elif open_ and line.strip():
            yield open_
            open_ = None
        blank = not line.strip()
    if open_:
        yield open_


def block_commands(page: str, block: Block) -> Iterator[Line]:
    """The commands of a block. In a block of the language `console`, what does not begin with `$`
    is the output of the command above."""
    joined: list[tuple[int, str]] = []
    for number, line in enumerate(block.lines, block.first):
        if joined and joined[-1][1].endswith("\\"):
            first, before = joined.pop()
            joined.append((first, f"{before[:-1]} {line.strip()}"))
        else:
            joined.append((number, line.rstrip()))
    if block.language != "console":
        for number, line in joined:
            yield from line_commands(page, number, line)
        return
    for at, (number, line) in enumerate(joined):
        if line.startswith("$ "):
            shown: list[str] = []
            for _, below in joined[at + 1 :]:
                if below.startswith("$ "):
                    break
                shown.append(below)
            yield from line_commands(page, number, line, tuple(shown))


def line_commands(page: str, number: int, line: str, shown: tuple[str, ...] = ()) -> Iterator[Line]:
    """The commands of a line of a shell: behind pipes, loops, assignments, or quoted whole."""
    if not re.search(r"(^|[\s\"'])slant\s", f"{line} "):
        return
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return
    words = words[1:] if words[0] == "$" else words
    stdin = words[1] if words[0] == "cat" and "|" in words else ""
    for at, word in enumerate(words):
        if re.match(r"slant\s", word):
            yield Line(page, number, tuple(shlex.split(word)[1:]))
        if word != "slant":
            continue
        if at and words[at - 1] not in BEFORE and not ASSIGNED.fullmatch(words[at - 1]):
            continue
        behind = words[at + 1 :]
        end = next((i for i, word in enumerate(behind) if word in ENDS), len(behind))
        yield Line(page, number, tuple(behind[:end]), stdin, shown)


def documented(page: str, root: Path = ROOT) -> list[Line]:
    """The commands of a page, in order."""
    text = (root / page).read_text(encoding="utf-8")
    return [line for block in blocks(text) for line in block_commands(page, block)]


def parsed(words: tuple[str, ...]) -> tuple[str, dict[str, Any], list[Any]]:
    """What the real application makes of the words, without running anything.

    Returns:
        The command ("bait run"), its parameters by name, and typer's declarations of them.

    Raises:
        Exception: typer's own, where a command or option is unknown or a value is of another type.
    """
    command: Any = APPLICATION
    rest, path = list(words), []
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        name = rest.pop(0)
        assert name in command.commands, f"slant {' '.join([*path, name])}: no such command"
        command = command.commands[name]
        path.append(name)
    if hasattr(command, "commands"):
        # `slant`, `slant --version`, `slant bait --help`: the options are read, nothing is called.
        known = {one for param in command.params for one in param.opts} | {"--help", "-h"}
        assert set(rest) <= known, f"slant {' '.join(words)}: no such option"
        return " ".join(path), {}, []
    with command.make_context(f"slant {' '.join(path)}", rest) as context:
        return " ".join(path), dict(context.params), list(command.params)
