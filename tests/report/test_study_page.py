"""The page of a study, in files and in a browser, and the command that writes it."""

import json

import pytest
from chromium import (
    assert_it_asks_for_itself_alone,
    assert_it_never_scrolls_sideways,
    contrast,
)
from made_study import METHODS, STANDARD, circuited, explained, made_circuit, made_explain
from writtenpages import slant

from slant.report.studypage import write_study

TABLES = {
    "models", "classes", "plausibility", "plausibility-pooled", "sentences", "lambda",
    "erasure-delete", "erasure-mask", "erasure-unknown", "differences", "heads",
    "plausibility-retention", "effects-excess", "effects-words",
    *(f"circuits-{gap}-{kind}" for gap in ("classes", "corruption")
      for kind in ("words", "random-words", "excess")),
}  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    out = tmp_path_factory.mktemp("study")
    return out, write_study(made_explain(), made_circuit(), out)


def test_every_table_and_figure_is_a_file_in_each_format(page):
    out, files = page
    assert files[0] == out / "report.html"
    assert {path.stem for path in (out / "tables").iterdir()} == TABLES
    assert {path.suffix for path in (out / "tables").iterdir()} == {".csv", ".md", ".tex"}
    drawn = {name for name in TABLES if name.startswith(("circuits-", "effects-"))}
    assert {path.stem for path in (out / "figures").iterdir()} == {
        *drawn, "plausibility-retention",
    }  # fmt: skip
    assert len(files) == 1 + 3 * len(TABLES) + 2 * (len(drawn) + 1)


def test_every_table_stands_on_the_page_and_every_figure_names_one_that_does(page):
    html = (page[0] / "report.html").read_text()
    for name in TABLES:
        assert html.count(f'id="table-{name}"') == 1, name
    for name in html.split('href="#table-')[1:]:
        assert name.split('"')[0] in TABLES
    assert "<script" not in html.lower()
    assert "<img" not in html.lower()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_never_scrolls_sideways(browser, page, width, dark):
    assert_it_never_scrolls_sideways(browser, page[0] / "report.html", width, dark)


def test_opening_the_page_asks_for_the_page_alone(browser, page):
    assert_it_asks_for_itself_alone(browser, page[0] / "report.html")


def test_the_numbers_are_on_the_page(browser, page):
    browser.open(page[0] / "report.html")
    row = browser.value(
        "document.querySelector('#table-models tbody tr').innerText.replace(/\\s+/g, ' ')"
    )
    assert row.startswith("minilm standard 0.778 ± 0.012 [0.755, 0.804]")
    assert browser.value("document.querySelector('.answer').innerText").startswith(
        "minilm (supervised, λ 0.5) has the highest class F1, 0.793 [0.770, 0.819]."
    )


def shade(browser):
    return browser.value(
        "(w => [w.innerText, getComputedStyle(w).getPropertyValue('--a'), "
        "getComputedStyle(w).backgroundImage])(document.querySelectorAll('.w')[2])"
    )


def test_another_method_shades_the_words_anew_without_a_script(browser, page):
    browser.open(page[0] / "report.html")
    word, share, ground = shade(browser)
    assert word == "reckless"
    assert float(share) == 1.0
    assert "rgba(184, 74, 0, 0.55)" in ground
    visible = "[...document.querySelectorAll('.top')].map(p => p.innerText.split(':')[0])"
    assert set(browser.value(visible)) == {"highest by CLS attention"}
    for i in range(1, len(METHODS)):
        browser.value(f"document.getElementById('method-{i}').click()")
        own = browser.value(f"document.querySelectorAll('.w')[2].style.getPropertyValue('--m{i}')")
        assert shade(browser)[1] == own
        assert len(set(browser.value(visible))) == 1
    assert set(browser.value(visible)) == {"highest by occlusion"}


def test_what_experts_marked_is_underlined_and_said(browser, page):
    browser.open(page[0] / "report.html")
    marked = browser.value(
        "[...document.querySelectorAll('.shaded > li:first-child .w')].filter(w => "
        "getComputedStyle(w).textDecorationLine === 'underline').map(w => [w.innerText, w.title])"
    )
    assert [word for word, _ in marked] == ["reckless", "slammed"] * 3
    assert all(title.startswith("marked by experts\nCLS attention 0.") for _, title in marked)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("hue", ["--up", "--down"])
def test_a_word_can_be_read_on_the_deepest_shade(browser, page, dark, hue):
    browser.open(page[0] / "report.html", dark=dark)
    root = "getComputedStyle(document.documentElement).getPropertyValue"
    shade = [float(part) for part in browser.value(f"{root}('{hue}')").split()]
    depth = float(browser.value(f"{root}('--depth')"))

    def channels(what):
        text = browser.value(f"getComputedStyle(document.body).{what}")
        return [float(part) for part in text.strip("rgb()").split(",")]

    ground = channels("backgroundColor")
    mixed = [depth * a + (1 - depth) * b for a, b in zip(shade, ground, strict=True)]
    assert contrast(channels("color"), mixed) >= 4.5


def test_the_page_prints_what_is_folded_and_the_shades(browser, page, tmp_path):
    browser.open(page[0] / "report.html", 1000)
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        folded = "document.querySelector('#table-erasure-mask')"
        assert browser.value(f"{folded}.getBoundingClientRect().height > 0")
        assert (
            browser.value("getComputedStyle(document.querySelector('.w')).printColorAdjust")
            == "exact"
        )
        assert not browser.value("document.querySelector('.choice').checkVisibility()")
        assert browser.value("document.querySelector('.top').innerText").startswith(
            "highest by CLS attention: reckless"
        )
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")
    browser.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")


def small(folder, explain=True, circuit=True):
    folder.mkdir()
    if explain:
        read = made_explain({STANDARD: explained(examples=1)})
        (folder / "explain.json").write_text(json.dumps(read))
    if circuit:
        read = made_circuit({STANDARD: circuited(layers=1)})
        for model in read["models"].values():
            model["curves"] = {"classes": {"words": model["curves"]["classes"]["words"]}}
        (folder / "circuit.json").write_text(json.dumps(read))
    return folder


@pytest.mark.parametrize("explain", [True, False])
def test_the_command_knows_a_study_by_either_file(capsys, tmp_path, explain):
    folder = small(tmp_path / "babe", explain, not explain)
    code, out, _ = slant(capsys, "report", folder, "--json")
    assert code == 0
    assert json.loads(out)["report"] == str(folder / "report.html")
    html = (folder / "report.html").read_text()
    assert ('id="table-models"' in html) == explain
    assert ('id="table-heads"' in html) == (not explain)
    assert 'id="meeting"' not in html


def test_the_command_writes_into_another_folder(capsys, tmp_path):
    folder = small(tmp_path / "babe", circuit=False)
    code, out, _ = slant(capsys, "report", folder, "--out", tmp_path / "paper")
    assert (code, out) == (0, f"The report is {tmp_path / 'paper' / 'report.html'}\n")
    assert [path.name for path in folder.iterdir()] == ["explain.json"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[:500], "it is not JSON"),
        (lambda text: text.replace('"level": 0.95, ', ""), "'level'"),
        (lambda text: text.replace('"precision": {"value"', '"precision": {"valu"'),
         f"'models.{STANDARD}.classification.biased.precision.value'"),
    ],
)  # fmt: skip
def test_a_damaged_study_is_one_line_and_leaves_nothing(capsys, tmp_path, change, said):
    folder = small(tmp_path / "babe")
    path = folder / "explain.json"
    path.write_text(change(path.read_text()))
    code, out, err = slant(capsys, "report", folder)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert str(path) in err
    assert said in err
    assert {one.name for one in folder.iterdir()} == {"explain.json", "circuit.json"}


def test_a_study_beside_other_folders_is_refused(capsys, tmp_path):
    folder = small(tmp_path / "babe")
    (tmp_path / "run").mkdir()
    code, _, err = slant(capsys, "report", tmp_path / "run", folder)
    assert code == 2
    assert f"'{folder}' is a study of explanations" in err
