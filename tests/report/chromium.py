"""A small client of Chromium's debugging pipe: no dependency, no port, no network."""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
]

# The browser reads its commands from descriptor 3 and answers on 4; either may be in use.
START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def chromium_path():
    """Where Chromium lies, or None."""
    return (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )


class Chromium:
    """One browser with one page; `requests` lists every address the page asked for."""

    def __init__(self, profile: Path):
        in_r, self._write = os.pipe()
        self._read, out_w = os.pipe()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-SEc",
                START,
                str(in_r),
                str(out_w),
                chromium_path(),
                *FLAGS,
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            pass_fds=(in_r, out_w),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(in_r)
        os.close(out_w)
        self._number, self._buffer, self._events = 0, b"", []
        self.requests = []
        self._session = None
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Network", "Runtime"):
            self.call(f"{domain}.enable")

    def _message(self):
        while b"\0" not in self._buffer:
            chunk = os.read(self._read, 1 << 16)
            if not chunk:
                raise RuntimeError("Chromium closed its pipe")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        if "method" in message:
            self._events.append(message["method"])
        return message

    def call(self, method, **params):
        self._number += 1
        asked = {"id": self._number, "method": method, "params": params}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._write, json.dumps(asked).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, path: Path, width=1400, height=1000, dark=False):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = "dark" if dark else "light"
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self._events.clear()
        self.call("Page.navigate", url=path.absolute().as_uri())
        while "Page.loadEventFired" not in self._events:
            self._message()

    def value(self, expression):
        """What a JavaScript expression gives in the open page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def screenshot(self, path: Path, **clip):
        options = {"clip": {**clip, "scale": 1}, "captureBeyondViewport": True} if clip else {}
        path.write_bytes(
            base64.b64decode(self.call("Page.captureScreenshot", format="png", **options)["data"])
        )

    def pdf(self, path: Path):
        path.write_bytes(
            base64.b64decode(
                self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
            )
        )

    def close(self):
        self._process.terminate()
        self._process.wait(10)
        os.close(self._read)
        os.close(self._write)


WIDTH = "document.documentElement.scrollWidth"
OPEN = "document.querySelectorAll('details').forEach(d => d.open = true)"


def assert_it_never_scrolls_sideways(browser, page, width, dark):
    """With its folds closed and open."""
    browser.open(page, width, dark=dark)
    assert browser.value(WIDTH) == width
    browser.value(OPEN)
    assert browser.value(WIDTH) == width


def assert_it_asks_for_itself_alone(browser, page):
    """No script, picture, frame or request to anywhere."""
    browser.requests.clear()
    browser.open(page)
    browser.value(OPEN)
    assert browser.requests == [page.absolute().as_uri()]
    assert browser.value("document.querySelectorAll('script, img, iframe').length") == 0


def contrast(one, other):
    """Of two colours of red, green and blue from 0 to 255, from 1 to 21, as WCAG 2 has it."""

    def light(colour):
        parts = [c / 255 for c in colour]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def opened_browser(tmp_path_factory):
    """Chromium for a session of tests; where it is not installed they are skipped, in CI they fail."""
    if chromium_path() is None:
        reason = "Chromium is not installed: no test opens a page in a browser"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    opened = Chromium(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()
