"""Every command explains itself and stands in the documentation."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
import typer.main

from slant.cli.app import app
from slant.systems import SYSTEMS
from slant.tasks import TASKS
from slant.tasks.options import Options

ROOT = Path(__file__).parents[2]


def commands(group=None, path=()):
    """(path, command) of every command, depth first."""
    group = group or typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = list(commands())


def manual():
    return "\n".join(
        path.read_text() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    )


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(p) for p, _ in COMMANDS])
def test_a_command_has_help_with_an_example_and_stands_in_the_docs(path, command):
    line = f"slant {' '.join(path)}"
    assert command.help
    assert "Example" in command.help
    assert line in command.help
    assert line in manual()


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(p) for p, _ in COMMANDS])
def test_every_option_says_what_it_does(path, command):
    for parameter in command.params:
        assert getattr(parameter, "help", None) or parameter.name in {"help"}, parameter.name


@pytest.mark.parametrize(
    "option", [field.name for field in fields(Options) if field.name != "preset"]
)
def test_every_choice_of_the_protocol_stands_in_the_page_on_mbib(option):
    assert f"| `{option}` |" in (ROOT / "docs/benchmarks/mbib.md").read_text()


@pytest.mark.parametrize("name", [*SYSTEMS, *TASKS])
def test_every_system_and_task_stands_in_the_docs(name):
    assert f"`{name}" in manual()


def test_no_document_names_a_path_of_a_machine():
    text = manual() + (ROOT / "CONTRIBUTING.md").read_text()
    for foreign in ("/work/", "/root/", "../shared"):
        assert foreign not in text
