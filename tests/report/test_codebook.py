"""The codebook of a schema, in its text, in a browser and on paper, and its commands."""

from __future__ import annotations

import html
import json
import re

import pytest
import typer
from chromium import assert_it_asks_for_itself_alone, assert_it_never_scrolls_sideways

from slant.cli import codebooks
from slant.data.schemas import load_schema, plain_schema, read_schema, read_schema_json
from slant.errors import UnknownName, WorkFailed
from slant.report.codebook import codebook, write_codebook

HARD = """
title = 'Fear & <b>loathing</b>'
rules = ["</style><script>alert(1)</script>"]
[[biases]]
code = "X<1>"
name = "Alarm"
positive = "Right-to-left \\u202e and \\u0007 bell"
[[biases]]
code = "a_code_that_is_long"
name = "Supercalifragilisticexpialidocious_supercalifragilisticexpialidocious_name"
definition = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenfabrikantenverband"
confused_with = { "X<1>" = "It is longer." }
"""


@pytest.fixture(scope="module")
def hard(tmp_path_factory):
    path = tmp_path_factory.mktemp("schema") / "hard.toml"
    path.write_text(HARD, "utf-8")
    return read_schema(path)


@pytest.fixture(scope="module")
def pages(tmp_path_factory, hard):
    out = tmp_path_factory.mktemp("codebooks")
    schemas = {"bait": load_schema("bait"), "ptc": load_schema("ptc"), "hard": hard}
    return {name: write_codebook(one, out / f"{name}.html") for name, one in schemas.items()}


def shown(page):
    return html.unescape(re.sub(r"<[^>]+>", " ", page.split("</style>")[1]))


def test_everything_that_a_schema_says_stands_on_the_page():
    schema = load_schema("bait")
    text = shown(codebook(schema))
    for rule in schema.rules:
        assert rule in text
    for bias in schema.biases:
        said = [bias.definition, bias.mechanism, bias.line, bias.positive, bias.negative]
        said += [bias.boundary, bias.reference, *bias.signals, *bias.confused_with.values()]
        for one in said:
            assert one in text, one


def test_every_link_leads_to_one_place_on_the_page(pages):
    for path in pages.values():
        page = path.read_text()
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        for target in re.findall(r'href="#([^"]+)"', page):
            assert target in ids


def test_the_form_has_a_row_and_the_contents_a_line_for_every_category(pages):
    for name, count in (("bait", 9), ("ptc", 14), ("hard", 2)):
        page = pages[name].read_text()
        assert page.count('<td class="write">') == count
        contents = page.split('<ol class="contents">')[1].split("</ol>")[0]
        assert contents.count('href="#bias-') == count


def test_what_a_schema_leaves_empty_has_no_heading():
    page = codebook(plain_schema(["Doubt"]))
    for heading in ("What it is not", "Mark it", "Confusion pairs", "One-line definitions"):
        assert heading not in page
    assert "states no rules of its own" in page
    assert "1 category." in page


def test_a_long_code_stands_apart_from_the_name(pages):
    page = shown(pages["ptc"].read_text())
    assert "Appeal_to_Authority Appeal to authority" not in " ".join(page.split())
    assert page.count("Name_Calling,Labeling") == 1


def test_text_of_a_schema_is_text_on_the_page(pages):
    page = pages["hard"].read_text()
    assert "<script" not in page.lower()
    assert "<b>" not in page
    assert "&lt;/style&gt;&lt;script&gt;" in page
    assert "\u202e" not in page
    assert "\a" not in page


def test_the_page_is_the_same_when_it_is_made_again():
    assert codebook(load_schema("bait")) == codebook(load_schema("bait"))


@pytest.mark.parametrize("name", ["bait", "ptc", "hard"])
@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_never_scrolls_sideways(browser, pages, name, width):
    assert_it_never_scrolls_sideways(browser, pages[name], width, dark=width == 400)


def test_the_page_asks_for_itself_alone(browser, pages):
    assert_it_asks_for_itself_alone(browser, pages["bait"])


def test_on_paper_every_category_begins_a_page_and_the_contents_are_printed(
    browser, pages, tmp_path
):
    browser.open(pages["bait"], 700)
    shown_on = "getComputedStyle(document.querySelector('.contents')).display"
    assert browser.value(shown_on) == "none"
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert browser.value(shown_on) == "block"
        breaks = "[...document.querySelectorAll('.bias')].map(b => getComputedStyle(b).breakBefore)"
        assert browser.value(f"{breaks}.join()") == ",".join(["page"] * 9)
        assert browser.value("getComputedStyle(document.querySelector('nav')).display") == "none"
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")
    browser.pdf(tmp_path / "codebook.pdf")
    # Title, rules, form with checklist, nine categories, pairs, lines: at least 14 pages.
    assert (tmp_path / "codebook.pdf").read_bytes().count(b"/Type /Page\n") >= 14


def test_the_command_writes_the_page_and_says_where(tmp_path, capsys):
    codebooks.codebook(out=tmp_path / "new" / "codebook.html", schema="bait")
    assert (tmp_path / "new" / "codebook.html").read_text() == codebook(load_schema("bait"))
    assert "codebook.html" in capsys.readouterr().err


def test_nothing_is_written_for_a_schema_that_nobody_knows_or_into_a_folder(tmp_path):
    with pytest.raises(UnknownName):
        codebooks.codebook(out=tmp_path / "codebook.html", schema="bate")
    with pytest.raises(WorkFailed):
        codebooks.codebook(out=tmp_path, schema="bait")
    assert list(tmp_path.iterdir()) == []


def test_the_command_lists_a_schema_and_says_what_it_lacks(capsys):
    codebooks.schema(schema="ptc", json_=False)
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1 + 14
    assert "scored also without: Loaded_Language" in err
    assert "Doubt has no mechanism, definition" in err
    codebooks.schema(schema="bait", json_=True)
    found = json.loads(capsys.readouterr().out)
    assert found.pop("gaps") == {}
    assert read_schema_json(found) == load_schema("bait")


def test_the_commands_explain_themselves_with_an_example():
    app = typer.Typer()
    app.command("codebook")(codebooks.codebook)
    app.command("schema")(codebooks.schema)
    for name, command in typer.main.get_command(app).commands.items():
        assert f"slant bait {name}" in command.help
        assert all(getattr(one, "help", None) for one in command.params)
