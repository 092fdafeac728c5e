"""The site builds without a warning, asks no other host for anything, and its made pages are those
that the scripts make today."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NEEDED = ("mkdocs", "material", "mkdocstrings")


def script(name):
    path = DOCS / "reference" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STALE = "is not what its script makes: run `make docs`"


@pytest.mark.parametrize("name", ["make_cli", "make_data"])
def test_a_made_page_is_what_its_script_makes(name):
    made = script(name)
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), f"{made.PAGE.name} {STALE}"


def test_the_pages_of_the_packages_folders_are_what_their_script_makes():
    made = script("make_api")
    wanted = made.pages()
    there = {path.stem: path.read_text(encoding="utf-8") for path in made.FOLDER.glob("*.md")}
    assert there == wanted, f"reference/api {STALE}"


def test_every_command_and_option_stands_in_the_reference():
    made = script("make_cli")
    import typer.main

    text = made.PAGE.read_text(encoding="utf-8")
    for typed, command in made.commands(typer.main.get_command(made.app)):
        section = re.search(rf"^##+ {typed}$(.*?)(?=^##|\Z)", text, re.S | re.M)
        assert section, typed
        if hasattr(command, "commands"):
            continue
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--") and option != "--help":
                    assert f"`{option}`" in section[1], f"{typed} {option}"


def test_the_worked_examples_of_the_statistics_come_out_as_they_stand_there():
    found = doctest.testfile(
        str(DOCS / "statistics.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert found.attempted > 20
    assert found.failed == 0


def test_the_page_on_citing_holds_the_citation_file():
    assert (ROOT / "CITATION.cff").read_text(encoding="utf-8").strip() in (
        DOCS / "cite.md"
    ).read_text(encoding="utf-8")


def test_every_extra_stands_in_the_page_on_installing():
    import tomllib

    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (DOCS / "install.md").read_text(encoding="utf-8")
    for extra in set(stated["optional-dependencies"]) - {"dev"}:
        assert f"| `{extra}` |" in page


LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Addresses(HTMLParser):
    """What a page loads by itself: scripts, styles, images, frames; not where its links lead."""

    def __init__(self):
        super().__init__()
        self.loaded = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "link" and given.get("rel") in {"canonical", "next", "prev"}:
            return
        self.loaded.append(given.get(LOADED.get(tag, ""), "") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f'{", ".join(missing)} not installed: pip install "slant[docs]"')
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    # the theme advertises its successor unless it is told not to
    around = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=around, capture_output=True, text=True, check=False
    )
    warned = [line for line in (done.stdout + done.stderr).splitlines() if "WARNING" in line]
    assert done.returncode == 0, done.stdout + done.stderr
    assert warned == []
    return folder


def test_the_site_builds_strictly_and_without_a_warning(site):
    assert (site / "index.html").exists()
    assert (site / "reference" / "api" / "stats.html").exists()


def test_no_page_of_the_site_loads_anything_from_another_host(site):
    for path in site.rglob("*.html"):
        page = Addresses()
        page.feed(path.read_text(encoding="utf-8"))
        foreign = [one for one in page.loaded if re.match(r"(https?:)?//", one)]
        assert foreign == [], path.name
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", text), path.name


def test_the_search_index_lies_in_the_site_and_knows_functions_and_tutorials(site):
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "permutation_test" in index
    assert "tutorials/newsroom.html" in index
