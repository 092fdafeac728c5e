"""The Python of the pages on notebooks runs, prints what they say, and their table of columns is
that of the results."""

from __future__ import annotations

import contextlib
import io
import re
from types import MappingProxyType

import pytest
from documented import ROOT, blocks
from test_documented_commands import missing

import slant.runs.results as made
from slant.cli import main
from slant.runs.results import Tabled

PAGES = ("docs/notebooks.md", "docs/tutorials/notebook.md")
RESULTS = [one for one in vars(made).values() if isinstance(one, type) and isinstance(getattr(one, "known", None), MappingProxyType)]  # fmt: skip


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_the_cells_of_a_page_print_what_stands_under_them(
    page, tmp_path, monkeypatch, own_store, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("slant.runs.run.default_jobs", lambda: 1)  # starting processes takes longer
    space = {"__name__": "__main__"}
    printed, ran = "", 0
    for block in blocks(text_of(page)):
        code = "\n".join(block.lines) + "\n"
        if block.language == "python":
            title = re.search(r'title="(\S+)"', text_of(page).splitlines()[block.first - 2])
            if title:
                (tmp_path / title[1]).write_text(code, encoding="utf-8")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, f"{page}:{block.first}", "exec"), space)
            printed, ran = out.getvalue(), ran + 1
        elif block.language == "text":
            absent = missing(tuple(block.lines), printed)
            assert absent is None, f"{page}:{block.first} does not print\n{absent}\nbut\n{printed}"
        elif block.language == "console":
            command, *shown = block.lines
            capsys.readouterr()
            with contextlib.suppress(SystemExit):
                main(command.removeprefix("$ slant ").split())
            absent = missing(tuple(shown), capsys.readouterr().out)
            assert absent is None, f"{page}:{block.first}: {absent}"
    assert ran >= 5


def test_the_page_names_every_table_and_column_that_a_result_has():
    told = set()
    for line in text_of(PAGES[0]).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and re.fullmatch(r"`\w+`", cells[1]):
            told.add((cells[1].strip("`"), tuple(re.findall(r"`(\w+)`", cells[3]))))
    assert len(RESULTS) >= 10
    for result in RESULTS:
        assert issubclass(result, Tabled)
        for name, (tidy, _) in result.known.items():
            assert (name, tuple(tidy.columns)) in told, f"{result.__name__} {name}"
