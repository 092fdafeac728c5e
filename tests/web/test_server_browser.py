"""The server as a person meets it, in Chromium."""

import pytest
from served import TEXT, Served, until

WIDTH = "document.documentElement.scrollWidth"


class Address:
    """An address where the browser's client takes a path."""

    def __init__(self, text):
        self._text = text

    def absolute(self):
        return self

    def as_uri(self):
        return self._text


@pytest.fixture
def pages(browser, served):
    """Opens pages of the server."""

    def opened(path, **how):
        browser.open(Address(served.address.rstrip("/") + path), **how)
        return browser

    return opened


def shown(browser, expression, seconds=120):
    """What an expression gives once it is true; the page may change meanwhile."""

    def now():
        try:
            return browser.value(expression)
        except RuntimeError:
            return None

    return until(now, expression, seconds)


def press(browser, key):
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode={"Tab": 9, "Enter": 13, "Space": 32}[key],
                     **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))  # fmt: skip


@pytest.fixture
def analysed(served):
    """The path of an analysis that is done."""
    found = served.done(served.post({"text": TEXT, "language": "en"}))
    return f"/analyses/{found['id']}"


def test_paste_wait_see_the_marks_tab_to_one_and_read_its_evidence(pages, served, tmp_path):
    browser = pages("/")
    # The cursor stands in the field at once: one types or pastes.
    assert browser.value("document.activeElement.id") == "text"
    browser.call("Input.insertText", text=TEXT)
    for _ in range(30):
        press(browser, "Tab")
        if browser.value("document.activeElement.textContent") == "Analyse":
            break
    browser.value("document.getElementById('language').value = 'en'")
    press(browser, "Enter")
    shown(browser, "document.querySelectorAll('a.s').length === 3")
    assert browser.value("location.pathname").endswith("/report.html")
    for _ in range(30):
        press(browser, "Tab")
        if browser.value("document.activeElement.classList.contains('s')"):
            break
    assert "thugs" in browser.value("document.getElementById('shown').innerText")
    assert browser.value("document.getElementById('evidence').hidden") is False
    # The csv is kept as the API gives it.
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.value("document.querySelector('a[href=\"sentences.csv\"]').click()")
    file = until(lambda: [one for one in tmp_path.glob("*.csv") if one.stat().st_size], "the csv")[
        0
    ]
    own = browser.value("location.pathname").split("/")[2]
    assert file.read_bytes() == served.get(f"/api/v1/analyses/{own}/sentences.csv").body
    # The page leads back to the list, in which it stands first.
    browser.value("document.querySelector('nav a').click()")
    assert shown(browser, "document.querySelector('#history tbody a')?.textContent").startswith("The regime")  # fmt: skip


def test_a_file_is_dropped_anywhere_on_the_page(pages):
    browser = pages("/")
    browser.value(
        "const d = new DataTransfer(); d.items.add(new File(['One text. Two.'], 'dropped.txt'));"
        "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}))"
    )
    assert browser.value("document.getElementById('file').files[0].name") == "dropped.txt"
    browser.value("document.getElementById('language').value = 'en'; document.querySelector('button.main').click()")  # fmt: skip
    assert shown(browser, "document.querySelector('h1')?.textContent === 'dropped.txt' && document.querySelectorAll('a.s, .s').length === 2")  # fmt: skip


def test_what_is_too_large_or_nothing_is_said_before_it_is_sent(pages):
    browser = pages("/")
    browser.value("document.querySelector('button.main').click()")
    assert "Paste a text" in browser.value("document.getElementById('said').textContent")
    browser.value(
        "const d = new DataTransfer(); d.items.add(new File([new Uint8Array(21e6)], 'big.txt'));"
        "document.getElementById('file').files = d.files;"
        "document.getElementById('file').dispatchEvent(new Event('change'))"
    )
    assert "more than 20 MB" in browser.value("document.getElementById('said').textContent")


def test_progress_is_shown_with_and_without_scripts(pages, served):
    table = "text\n" + f'"{TEXT.strip()}"\n' * 400
    own = served.upload("many.csv", table.encode(), language="en").json["id"]
    browser = pages(f"/analyses/{own}")
    assert shown(browser, "/of 400 (articles|pages)/.test(document.getElementById('standing')?.innerText)")  # fmt: skip
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser = pages(f"/analyses/{own}")
    try:
        # The page loads anew by itself until the report is there.
        until(lambda: served.get(f"/analyses/{own}").status == 303, "the analysis to end")
        until(lambda: where(browser).endswith("/report.html"), "the report to be shown")
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


def where(browser):
    """The address of the page; empty while it changes."""
    try:
        history = browser.call("Page.getNavigationHistory")
    except RuntimeError:
        return ""
    return history["entries"][history["currentIndex"]]["url"]


def test_deleting_asks_for_no_script(pages, served, analysed):
    browser = pages("/")
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser = pages("/")
        title = "document.querySelector('#history tbody tr a').pathname"
        assert browser.value(title) == analysed
        browser.value("document.querySelector('#history tbody tr button').click()")
        until(lambda: served.get(analysed).status == 404, "it to be deleted")
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_a_page_asks_for_this_server_alone(pages, served, analysed):
    for path in ("/", "/api", f"{analysed}/report.html"):
        pages("/login").requests.clear()
        browser = pages(path)
        assert browser.requests
        assert all(one.startswith((served.address, "data:")) for one in browser.requests)


def test_with_a_token_one_logs_in_once_and_out_again(browser, store):
    with Served(token="a-token-of-this-test") as own:
        browser.open(Address(own.address))
        assert browser.value("location.pathname") == "/login"
        ready = "document.readyState === 'complete' && document.activeElement?.tagName === 'INPUT'"
        shown(browser, ready)
        browser.call("Input.insertText", text="another-token-of-this")
        press(browser, "Enter")
        shown(browser, "document.querySelector('[role=alert]')?.innerText === 'This is another token.'")  # fmt: skip
        shown(browser, ready)
        browser.call("Input.insertText", text="a-token-of-this-test")
        press(browser, "Enter")
        shown(browser, "location.pathname === '/' && !!document.getElementById('history')")
        assert browser.value("document.cookie") == ""
        browser.value("document.querySelector('nav form button').click()")
        shown(browser, "location.pathname === '/login'")


@pytest.fixture
def failed(served):
    return f"/analyses/{served.done(served.upload('a.pdf', b'%PDF-1.7 broken'))['id']}"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_axe_finds_no_violation_and_nothing_scrolls_sideways(pages, axe, analysed, failed, width, dark):  # fmt: skip
    for path in ("/", "/api", "/absent", failed, f"{analysed}/report.html"):
        browser = pages(path, width=width, dark=dark)
        browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert browser.value(WIDTH) == width, path
        assert axe(browser) == [], path


def test_axe_finds_no_violation_where_one_waits_or_logs_in(pages, browser, axe, served, store):
    table = "text\n" + f'"{TEXT.strip()}"\n' * 400
    own = served.upload("many.csv", table.encode(), language="en").json["id"]
    pages(f"/analyses/{own}")
    shown(browser, "document.getElementById('standing')?.innerText")
    # It must not change under the hands of the rules.
    browser.value("window.fetch = () => new Promise(() => {})")
    assert axe(browser) == []
    served.call("DELETE", f"/api/v1/analyses/{own}")
    with Served(token="a-token-of-this-test") as other:
        browser.open(Address(other.address))
        assert axe(browser) == []
