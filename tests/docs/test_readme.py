"""What the README shows is there."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_the_function_that_the_readme_shows_is_a_system(tmp_path, monkeypatch):
    code = re.search(r"```python\n(.*?)```", README, re.S)[1]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert (tmp_path / "runs/shouting/scores.json").exists()


def test_every_file_that_the_readme_links_is_there():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (Path(__file__).parents[2] / target).exists(), target
