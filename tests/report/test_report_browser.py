"""What a browser makes of the page."""

import pytest

WIDTH = "document.documentElement.scrollWidth"


@pytest.mark.parametrize("which", ["written", "crowded"])
@pytest.mark.parametrize("width", [360, 400, 1400])
def test_the_page_never_scrolls_sideways(browser, request, which, width):
    out, _ = request.getfixturevalue(which)
    browser.open(out / "report.html", width)
    assert browser.value(WIDTH) == width
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.value(WIDTH) == width


def test_the_numbers_are_on_the_page(browser, written):
    browser.open(written[0] / "report.html")
    rows = browser.value(
        "[...document.querySelectorAll('#table-leaderboard tbody tr')].map(r => r.innerText.replace(/\\s+/g, ' ').trim())"
    )
    assert rows[0] == "tfidf-lr 8 0.703 [0.692, 0.713] 0.648 [0.637, 0.659]"
    assert rows[3] == "source-only control 8 0.412 [0.399, 0.426] 0.387 [0.369, 0.405]"
    assert browser.value("document.querySelector('.answer').innerText").startswith(
        "tfidf-lr reaches a micro F1 of 0.703 [0.692, 0.713]"
    )


def test_opening_the_page_asks_for_the_page_alone(browser, crowded):
    browser.requests.clear()
    browser.open(crowded[0] / "report.html")
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.requests == [(crowded[0] / "report.html").absolute().as_uri()]


def test_no_text_of_the_data_becomes_an_element(browser, written):
    browser.open(written[0] / "report.html")
    assert browser.value("document.querySelectorAll('script, img, iframe').length") == 0
    assert browser.value("document.querySelectorAll('blockquote *').length") == 0
    assert browser.value("document.querySelector('#cite') !== null")


def test_a_text_written_right_to_left_turns_nothing_else_round(browser, written):
    browser.open(written[0] / "report.html", 1000)
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    # Three quotes: an unclosed override, Arabic, and a Latin one after them.
    sides = browser.value(
        "[...document.querySelectorAll('.errors blockquote')].slice(1, 4).map(q => getComputedStyle(q).direction)"
    )
    assert sides == ["ltr", "rtl", "ltr"]
    left = browser.value(
        "[...document.querySelectorAll('.errors:first-of-type .verdict')].map(p => p.getBoundingClientRect().left)"
    )
    assert len(set(left)) == 1


def test_dark_mode_turns_the_page_and_its_drawings(browser, written):
    ground = "getComputedStyle(document.body).backgroundColor"
    text = "getComputedStyle(document.querySelector('.panel text')).fill"
    browser.open(written[0] / "report.html", dark=False)
    light = browser.value(ground), browser.value(text)
    browser.open(written[0] / "report.html", dark=True)
    assert (browser.value(ground), browser.value(text)) != light
    assert browser.value(text) == browser.value("getComputedStyle(document.body).color")


def test_the_keyboard_reaches_the_contents_first_and_then_the_tables(browser, written):
    browser.open(written[0] / "report.html")
    reached = browser.value(
        "[...document.querySelectorAll('a[href], summary, [tabindex=\"0\"]')].map(e => e.getAttribute('href') || e.className)"
    )
    assert reached[:3] == ["#main", "#headline", "#leaderboard"]
    assert "scroll" in reached


def test_a_drawing_on_a_phone_is_no_wider_than_the_phone(browser, crowded):
    browser.open(crowded[0] / "report.html", 360)
    assert (
        browser.value(
            "Math.max(...[...document.querySelectorAll('.panel svg')].map(s => s.getBoundingClientRect().right))"
        )
        <= 360
    )


def test_what_is_folded_on_the_screen_is_printed(browser, written):
    browser.open(written[0] / "report.html", 1000)
    quote = "document.querySelector('.errors blockquote')"
    # Asking for the size first brings the styles up to date.
    height = f"{quote}.getBoundingClientRect().height > 0 && {quote}.checkVisibility()"
    assert browser.value("document.querySelectorAll('.errors[open]').length") == 0
    assert not browser.value(height)
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert browser.value(height)
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")


def test_the_page_prints(browser, written, tmp_path):
    browser.open(written[0] / "report.html", 1000)
    browser.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
    browser.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
