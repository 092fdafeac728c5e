"""slant doctor, slant alone, and completion of the shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from called import slant

from slant.cli import starting
from slant.cli.app import app
from slant.runs.checkup import PURPOSES


def test_the_doctor_prints_tables_or_one_document_with_the_same_facts(capsys):
    code, out, err = slant(capsys, "doctor")
    assert code == 0
    assert "Nothing is broken" in err
    code, text, _ = slant(capsys, "doctor", "--json")
    found = json.loads(text)
    assert code == 0
    assert list(found) == [
        "machine", "extras", "purposes", "data", "models", "broken", "warnings",
    ]  # fmt: skip
    for one in (*found["data"], *found["models"]):
        assert f"{one['name']}\t{one['what']}" in out


def test_the_doctor_fails_where_the_core_cannot_work(capsys, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "file" / "store"))
    code, out, err = slant(capsys, "doctor")
    assert code == 1
    assert "cannot be written" in out
    assert "SLANT_CACHE" in err
    code, text, _ = slant(capsys, "doctor", "--json")
    assert code == 1
    assert json.loads(text)["broken"]


def test_slant_alone_shows_one_command_for_each_purpose(capsys):
    code, out, _ = slant(capsys)
    assert code == 0
    for purpose, command in starting.PURPOSES:
        assert f"{purpose} " in out
        assert command in out


def test_options_before_a_command_do_not_show_the_start(capsys):
    code, out, _ = slant(capsys, "--version")
    assert code == 0
    assert out.startswith("slant ")
    assert "slant doctor" not in out


def test_every_command_of_the_checkup_is_one():
    import typer.main

    names = {command.removeprefix("slant ") for command, _, _ in PURPOSES}
    assert names <= set(typer.main.get_command(app).commands)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_written_into_the_shells_own_files(shell, monkeypatch, tmp_path):
    from typer.completion import install

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    _, path = install(shell=shell, prog_name="slant", complete_var="_SLANT_COMPLETE")
    assert path.is_relative_to(tmp_path)
    assert "_SLANT_COMPLETE" in path.read_text()
