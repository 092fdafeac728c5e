"""What the README shows is what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from slant.cli import main

README = (Path(__file__).parents[2] / "README.md").read_text()


def numbers(line):
    return re.findall(r"\d+\.\d{3}", line)


def test_the_run_that_the_readme_shows_gives_its_numbers(capsys, tmp_path):
    command, *shown = re.search(r"```\n\$ slant (run .*?)```", README, re.S)[1].strip().split("\n")
    arguments = command.replace("runs/lexicon", str(tmp_path / "run")).split()
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--jobs", "1"])
    assert not ended.value.code
    printed = {
        line.split("\t")[0].strip(): numbers(line) for line in capsys.readouterr().out.splitlines()
    }
    rows = {re.split(r"\s{2,}", line.strip())[0]: numbers(line) for line in shown[1:]}
    assert len(rows) == 4
    for name, values in rows.items():
        # the README leaves out the column of group F1, equal here since there is one data set
        assert values == (
            printed[name][:3] + printed[name][6:] if len(values) > 3 else printed[name][:3]
        )


def test_the_function_that_the_readme_shows_is_a_system(tmp_path, monkeypatch):
    code = re.search(r"```python\n(.*?)```", README, re.S)[1]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert (tmp_path / "runs/shouting/scores.json").exists()


def test_every_file_that_the_readme_links_is_there():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (Path(__file__).parents[2] / target).exists(), target
