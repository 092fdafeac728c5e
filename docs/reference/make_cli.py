"""Write docs/reference/cli.md from the commands' own help:

python docs/reference/make_cli.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from slant.cli.app import app

PAGE = Path(__file__).parent / "cli.md"
HEAD = """# Command line

Made by `docs/reference/make_cli.py` from what `slant COMMAND --help` says. `slant` alone shows what
one can do next, [`slant doctor`](../install.md) what is installed. Errors take one line and the
exit code 2 where something given must change, 1 where the work failed for another cause, 130 where
it was interrupted; `--json` prints one document on stdout.
"""


def commands(group: Any, path: tuple[str, ...] = ("slant",)) -> Iterator[tuple[str, Any]]:
    """(what is typed, the command) of every command, groups before what they hold."""
    for name in sorted(group.commands):
        command = group.commands[name]
        typed = (*path, name)
        yield " ".join(typed), command
        if hasattr(command, "commands"):
            yield from commands(command, typed)


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(*one) for one in commands(typer.main.get_command(app)))])


def section(typed: str, command: Any) -> str:
    """A command with its explanation, examples, arguments and options."""
    level = "##" if len(typed.split()) == 2 else "###"
    says, _, rest = (command.help or "").partition("\n\nExample")
    lines = [
        f"{level} {typed}",
        "",
        *(" ".join(part.split()) + "\n" for part in says.split("\n\n")),
    ]
    examples = [line.strip() for line in rest.splitlines() if line.strip().startswith("slant ")]
    # "Example: slant data list" stands on one line
    first = rest.split("\n")[0].partition(":")[2].strip()
    examples = [first, *examples] if first.startswith("slant ") else examples
    rows = [row for parameter in command.params if (row := described(parameter))]
    if examples:
        lines += ["```", *examples, "```", ""]
    if rows:
        lines += ["| argument or option | default | |", "| --- | --- | --- |", *rows, ""]
    return "\n".join(lines)


def described(parameter: Any) -> str | None:
    """A parameter as a row of the table; None for --help."""
    if parameter.name == "help" or getattr(parameter, "hidden", False):
        return None
    if parameter.param_type_name == "argument":
        name = parameter.name.upper()
        name = f"`{name}...`" if parameter.nargs == -1 else f"`{name}`"
    else:
        names = [*parameter.opts, *parameter.secondary_opts]
        name = ", ".join(f"`{one}`" for one in names)
    return f"| {name} | {default(parameter)} | {cell(parameter.help or '')} |"


def default(parameter: Any) -> str:
    """The default as it would be typed."""
    value = parameter.default
    if parameter.required:
        return "needed"
    if value is None or value in ("", [], ()) or callable(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"`{cell(str(value))}`"


def cell(text: str) -> str:
    """The text as it may stand in a table."""
    return " ".join(text.split()).replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
