"""The pages of `slant analyze` as a reader meets them, in Chromium."""

import time

import pytest
from chromium import assert_it_never_scrolls_sideways
from made_analysis import NASTY, made_analysis, made_detector
from test_analysis_page import shown_text, write_folder

from slant.report.analysisarticles import article_page
from slant.report.analysispage import csv_link, write_analysis


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """An article with everything, one with two detectors, and an index."""
    folder = tmp_path_factory.mktemp("analysis")
    nasty = made_analysis(article={"title": "A <b>title</b>", "outlet": "An outlet", "url": "https://example.org/" + "x" * 300})  # fmt: skip
    two = made_analysis(detectors=[made_detector(), made_detector("b#2")])
    made = {"nasty": nasty, "two": two}
    for name, read in made.items():
        (folder / f"{name}.html").write_text(article_page(read, downloads=csv_link("a\n1\n", name)))
    many = folder / "many"
    many.mkdir()
    reads = [made_analysis(article={"id": f"a{i}", "outlet": "O"}) for i in range(4)]
    write_analysis(write_folder(many, reads))
    return {**{name: folder / f"{name}.html" for name in made}, "index": many / "report.html"}


def press(browser, key, shift=False):
    """A key pressed and let go."""
    codes = {"Tab": 9, "Escape": 27, "Enter": 13}
    more = {"text": "\r"} if key == "Enter" else {}
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode=codes[key], modifiers=8 if shift else 0,
                     **(more if kind == "keyDown" else {}))  # fmt: skip


ACTIVE = "document.activeElement.id"
HIDDEN = "document.getElementById('evidence').hidden"
EVIDENCE = "document.getElementById('shown').innerText"


def tab_to_the_text(browser):
    for _ in range(40):
        press(browser, "Tab")
        if browser.value("document.activeElement.classList.contains('s')"):
            return
    raise AssertionError("Tab reached no sentence")


def test_tab_goes_from_marked_sentence_to_marked_sentence_and_shows_the_evidence(browser, pages):
    browser.open(pages["nasty"])
    assert browser.value(HIDDEN)
    tab_to_the_text(browser)
    seen = [browser.value(ACTIVE)]
    assert not browser.value(HIDDEN)
    first = browser.value(EVIDENCE)
    assert "0.950 [0.870, 1.000], biased" in first
    assert "ruin +1.235" in first
    assert "Definition: Repeated & believed." in first
    assert "Not yet a trigger: Said once." in first
    for _ in range(4):
        press(browser, "Tab")
        seen.append(browser.value(ACTIVE))
    # The fifth has a probability of 0.1 and no cue: it is not marked.
    assert seen == ["s1", "s2", "s3", "s4", "s6"]
    press(browser, "Tab", shift=True)
    assert browser.value(ACTIVE) == "s4"


def test_escape_closes_the_evidence_and_keeps_the_place(browser, pages):
    browser.open(pages["nasty"])
    tab_to_the_text(browser)
    press(browser, "Escape")
    assert browser.value(HIDDEN)
    assert browser.value("document.querySelectorAll('.on').length") == 0
    assert browser.value(ACTIVE) == "s1"
    press(browser, "Tab")
    assert not browser.value(HIDDEN)


def test_enter_leads_to_the_note_and_the_note_leads_back(browser, pages):
    browser.open(pages["nasty"])
    tab_to_the_text(browser)
    press(browser, "Enter")
    assert browser.value("location.hash") == "#n1"
    browser.value("document.querySelector('#n1 a').click()")
    assert browser.value("location.hash") == "#s1"


def test_a_screen_reader_hears_of_a_sentence_what_the_note_says(browser, pages):
    browser.open(pages["nasty"])
    browser.call("Accessibility.enable")
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    node = browser.call("DOM.querySelector", nodeId=root, selector="#s1")["nodeId"]
    for _ in range(100):  # the tree of a busy browser fills up after the page is there
        (found,) = browser.call("Accessibility.getPartialAXTree", nodeId=node, fetchRelatives=False)["nodes"]  # fmt: skip
        if "description" in found:
            break
        time.sleep(0.1)
    assert found["role"]["value"] == "link"
    assert found["name"]["value"].startswith("<script>alert(1)</script> Experts")
    described = found["description"]["value"]
    assert "0.950 [0.870, 1.000], biased" in described
    assert "Cue found: Illusory <Truth>." in described
    # Signs are for the eye.
    assert "●" not in found["name"]["value"]


def at(browser, selector):
    box = browser.value(f"(r => [r.x + 5, r.y + 5])(document.querySelector('{selector}').getClientRects()[0])")  # fmt: skip
    return {"x": box[0], "y": box[1]}


def pointed(browser, place, wanted):
    # A busy machine may lay the page out after the first move of the pointer.
    for step in range(100):
        spot = at(browser, place)
        spot["x"] += step % 2
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", **spot)
        if wanted in browser.value(EVIDENCE):
            return True
        time.sleep(0.1)
    return False


def test_pointing_at_any_sentence_shows_its_evidence_and_a_click_holds_it(browser, pages):
    browser.open(pages["nasty"], height=2000)
    assert pointed(browser, "#s5", "0.100 [0.020, 0.180], not biased")
    spot = at(browser, "#s2")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **spot)
    assert browser.value("location.hash") == ""
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", **at(browser, "#s5"))
    assert "0.800 [0.720, 0.880], biased" in browser.value(EVIDENCE)


def test_the_other_detector_can_be_chosen_without_a_script(browser, pages):
    browser.open(pages["two"])
    style = "getComputedStyle(document.getElementById('s2')).textDecorationStyle"
    assert browser.value(style) == "solid"
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.value("document.getElementById('kind-1').checked = true")
    assert browser.value(style) == "dashed"
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_each_grade_differs_in_line_and_colour(browser, pages):
    browser.open(pages["nasty"])
    looks = browser.value(
        "[1, 2, 4, 3].map(i => getComputedStyle(document.getElementById(`s${i}`)))"
        ".map(s => [s.textDecorationStyle, s.textDecorationColor])"
    )
    assert [style for style, _ in looks] == ["double", "solid", "dotted", "wavy"]
    assert len({colour for _, colour in looks}) == 4


@pytest.mark.parametrize("name", ["nasty", "two", "index"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_no_page_scrolls_sideways(browser, pages, name, width, dark):
    assert_it_never_scrolls_sideways(browser, pages[name], width, dark)


@pytest.mark.parametrize("name", ["nasty", "two", "index"])
def test_a_page_asks_for_itself_alone_and_no_text_runs(browser, pages, name):
    browser.requests.clear()
    browser.open(pages[name])
    assert browser.requests == [pages[name].absolute().as_uri()]
    assert browser.value("document.querySelectorAll('script, img, iframe').length") == (
        name != "index"
    )


# Of each word of a label, whether it stands on more than one line.
BROKEN = """
[...document.querySelectorAll('.facts dt, th, td:not(.long), .kinds label')].flatMap((label) => {
  const walk = document.createTreeWalker(label, NodeFilter.SHOW_TEXT), found = [];
  while (walk.nextNode())
    for (const word of walk.currentNode.data.matchAll(/[a-z]{2,20}/gi)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, word.index);
      range.setEnd(walk.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((one) => one.top)).size > 1) found.push(word[0]);
    }
  return found;
})"""


@pytest.mark.parametrize("name", ["nasty", "two", "index"])
def test_no_word_of_a_label_is_broken_on_a_phone(browser, pages, name):
    browser.open(pages[name], width=400)
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.value(BROKEN) == []


def test_the_text_is_whole_in_the_browser(browser, pages):
    browser.open(pages["nasty"])
    assert browser.value("document.querySelector('.article').textContent") == shown_text(NASTY)


def test_on_a_phone_the_evidence_never_hides_the_sentence_that_has_it(browser, pages):
    browser.open(pages["nasty"], width=400, height=700)
    tab_to_the_text(browser)
    for _ in range(5):
        low, top = browser.value(
            "[document.activeElement.getClientRects()[0].bottom, document.getElementById('evidence').getBoundingClientRect().top]"
        )
        assert low <= top
        press(browser, "Tab")


def test_on_a_phone_the_evidence_is_a_sheet_of_a_third_at_most_that_closes(browser, pages):
    browser.open(pages["nasty"], width=400, height=700)
    tab_to_the_text(browser)
    box = browser.value(
        "(r => [r.top, r.bottom, r.height])(document.getElementById('evidence').getBoundingClientRect())"
    )
    top, bottom, height = box
    assert height <= 700 / 3
    assert 0 < top < bottom <= 700
    browser.value("document.getElementById('close').focus()")
    press(browser, "Enter")
    assert browser.value(HIDDEN)
    # the place in the text is kept, and the next Tab goes on from there
    assert browser.value(ACTIVE) == "s1"
    press(browser, "Tab")
    assert browser.value(ACTIVE) == "s2"
    assert not browser.value(HIDDEN)


def test_paper_shows_the_notes_and_no_panel(browser, pages, tmp_path):
    browser.open(pages["nasty"])
    tab_to_the_text(browser)
    browser.call("Emulation.setEmulatedMedia", media="print")
    shown = browser.value(
        "['evidence', 'notes'].map(i => getComputedStyle(document.getElementById(i)).display)"
    )
    browser.call("Emulation.setEmulatedMedia", media="")
    assert shown == ["none", "block"]
    browser.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_ten_thousand_sentences_can_be_read_and_reached(browser, tmp_path):
    text = "\n".join(f"Sentence number {i} of the council." for i in range(10_000))
    page = tmp_path / "many.html"
    page.write_text(article_page(made_analysis(text)))
    browser.open(page, width=400)
    assert browser.value("document.documentElement.scrollWidth") == 400
    # The probabilities go round in sixes; the fifth of them is not marked.
    browser.value("document.getElementById('s9999').focus()")
    assert "Sentence number 9998" in browser.value(EVIDENCE)
    press(browser, "Tab")
    assert browser.value(ACTIVE) == "s10000"


@pytest.mark.parametrize(
    ("name", "width", "dark"),
    [
        *(("nasty", width, dark) for width in (400, 1400) for dark in (False, True)),
        ("two", 400, True),
        ("index", 400, False),
        ("index", 1400, True),
    ],
)
def test_axe_finds_no_violation(browser, pages, axe, name, width, dark):
    browser.open(pages[name], width, dark=dark)
    browser.value("(document.querySelector('a.s') || document.body).focus()")
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert axe(browser) == []


def test_axe_would_find_one(browser, pages, axe):
    browser.open(pages["nasty"])
    browser.value("document.querySelector('h1').style.color = '#ddd'")
    browser.value("document.querySelector('.article').innerHTML += '<img src=x>'")
    assert {rule for rule, _ in axe(browser)} == {"color-contrast", "image-alt"}
