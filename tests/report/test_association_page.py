"""The page of a run of associations, in files and in a browser, and the command that writes it."""

import json

import pytest
from chromium import (
    assert_it_asks_for_itself_alone,
    assert_it_never_scrolls_sideways,
    contrast,
)
from made_associations import CORPORA, made_associations
from writtenpages import slant

from slant.report.associationpage import write_associations

TABLES = {
    "effects", "tests", "sizes", "replicas", "fisher", "robustness", "compared", "measures",
    "facts", "neighbours", "coverage", "overlap", "corpora", "settings", "fact-words-1",
    "words-science-art-male-female", "words-career-family-male-female",
}  # fmt: skip
FIGURES = {
    "words-science-art-male-female", "words-career-family-male-female", "replicas-weat",
}  # fmt: skip


def made(corpora=CORPORA[:2]):
    read = made_associations(methods=("weat",), corpora=corpora)
    return read | {"tests": [test for test in read["tests"] if test["a"] == "male"]}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    out = tmp_path_factory.mktemp("associations")
    return out, write_associations(made(), out)


def test_every_table_and_figure_is_a_file_in_each_format(page):
    out, files = page
    assert files[0] == out / "report.html"
    assert {path.stem for path in (out / "tables").iterdir()} == TABLES
    assert {path.suffix for path in (out / "tables").iterdir()} == {".csv", ".md", ".tex"}
    assert {path.stem for path in (out / "figures").iterdir()} == FIGURES
    assert {path.suffix for path in (out / "figures").iterdir()} == {".svg", ".pdf"}
    assert len(files) == 1 + 3 * len(TABLES) + 2 * len(FIGURES)


def test_every_table_stands_on_the_page_and_every_figure_names_one_that_does(page):
    html = (page[0] / "report.html").read_text()
    for name in TABLES:
        assert html.count(f'id="table-{name}"') == 1, name
    for name in html.split('href="#table-')[1:]:
        assert name.split('"')[0] in TABLES
    for target in html.split('href="#')[1:]:
        assert f'id="{target.split(chr(34))[0]}"' in html
    assert "<script" not in html.lower()
    assert "<b>einstein" not in html


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_never_scrolls_sideways(browser, page, width, dark):
    assert_it_never_scrolls_sideways(browser, page[0] / "report.html", width, dark)


def test_opening_the_page_asks_for_the_page_alone(browser, page):
    assert_it_asks_for_itself_alone(browser, page[0] / "report.html")


def test_the_numbers_are_on_the_page(browser, page):
    browser.open(page[0] / "report.html")
    row = browser.value(
        "[...document.querySelectorAll('#table-effects tbody tr')].map(r => r.innerText.replace(/\\s+/g, ' ').trim())"
    )
    # Each pair X/Y has a heading of its own only where it has several rows.
    assert row[:3] == ["science/art", "wikipedia 1.324 ***", "conservapedia 1.626 ***"]
    assert browser.value("document.querySelector('.answer').innerText").startswith(
        "Of 4 results (a test in one corpus by one method), 2 have a p below 0.05"
    )


def test_a_word_shows_its_values_when_it_is_reached_with_the_keyboard(browser, page):
    browser.open(page[0] / "report.html")
    dot = "document.querySelector('.told')"
    shown = f"getComputedStyle({dot}.nextElementSibling).display"
    assert browser.value(shown) == "none"
    browser.value(f"{dot}.focus()")
    assert browser.value("document.activeElement.classList.contains('told')")
    assert browser.value(shown) == "block"
    said = browser.value(f"{dot}.nextElementSibling.textContent")
    assert said == browser.value(f"{dot}.querySelector('title').textContent")
    assert said.startswith("math: ")
    assert "in wikipedia, " in said
    inside = browser.value(
        f"(() => {{ const t = {dot}.nextElementSibling.getBoundingClientRect(), f = {dot}.closest('.panel').getBoundingClientRect(); return t.bottom <= f.bottom && t.right <= f.right && t.left >= f.left }})()"
    )
    assert inside


@pytest.mark.parametrize("dark", [False, True])
def test_grey_can_be_read_and_told_from_ink(browser, page, dark):
    browser.open(page[0] / "report.html", dark=dark)

    def channels(selector, what):
        text = browser.value(f"getComputedStyle(document.querySelector('{selector}')).{what}")
        return [float(part) for part in text.strip("rgb()").split(",")]

    ground, ink = channels("body", "backgroundColor"), channels("body", "color")
    grey = channels(".grey", "color")
    assert contrast(grey, ground) >= 4.5
    assert contrast(ink, grey) >= 2


def test_the_page_prints_what_is_folded(browser, page, tmp_path):
    browser.open(page[0] / "report.html", 1000)
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        folded = "document.querySelector('#table-fisher')"
        assert browser.value(f"{folded}.getBoundingClientRect().height > 0")
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")
    browser.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")


def small(folder):
    """A run of single words alone, in one corpus: nothing to draw."""
    folder.mkdir()
    read = made_associations(corpora=CORPORA[:1], tests=[], measures=[], compared=[])
    (folder / "associations.json").write_text(json.dumps(read))
    return folder


def test_the_command_knows_a_run_of_associations(capsys, tmp_path):
    folder = small(tmp_path / "wikis")
    code, out, _ = slant(capsys, "report", folder, "--json")
    assert code == 0
    assert json.loads(out)["report"] == str(folder / "report.html")
    html = (folder / "report.html").read_text()
    assert 'id="table-facts"' in html
    assert 'id="effects"' not in html
    assert "correlates with percentage of women: r" in html


def test_the_command_writes_into_another_folder(capsys, tmp_path):
    folder = small(tmp_path / "wikis")
    code, out, _ = slant(capsys, "report", folder, "--out", tmp_path / "paper")
    assert (code, out) == (0, f"The report is {tmp_path / 'paper' / 'report.html'}\n")
    assert [path.name for path in folder.iterdir()] == ["associations.json"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[:500], "it is not JSON"),
        (lambda text: text.replace('"level": 0.95, ', ""), "'level'"),
        (lambda text: text.replace('"words": 51234', '"words": "many"'),
         "'vectors.wikipedia.words'"),
        (lambda text: text.replace('"correction": "', '"correction": "\\ud83d'), "half of a surrogate pair"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_one_line_and_leaves_nothing(capsys, tmp_path, change, said):
    folder = small(tmp_path / "wikis")
    path = folder / "associations.json"
    path.write_text(change(path.read_text()))
    code, out, err = slant(capsys, "report", folder)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert str(path) in err
    assert said in err
    assert [one.name for one in folder.iterdir()] == ["associations.json"]


def test_a_run_of_associations_beside_other_folders_is_refused(capsys, tmp_path):
    folder = small(tmp_path / "wikis")
    (tmp_path / "run").mkdir()
    code, _, err = slant(capsys, "report", tmp_path / "run", folder)
    assert code == 2
    assert f"'{folder}' is a run of associations" in err
