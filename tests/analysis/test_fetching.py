"""Addresses: what is fetched from a server of this test, and what never is."""

from __future__ import annotations

import gzip
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest
from madefiles import page

from slant.analysis.fetching import Bounds, fetch_page
from slant.errors import DataError, WorkFailed

HERE = Bounds(seconds=5, silence=2, loopback=True)
REDIRECTS = {
    "/away": "/page",
    "/circle": "/circle",
    "/private": "http://10.0.0.1/secrets",
    "/cloud": "http://169.254.169.254/latest/meta-data/",
    "/mapped": "http://[::ffff:10.0.0.1]/",
    "/file": "file:///etc/passwd",
    "/ftp": "ftp://example.org/x",
    "/named": "http://me:secret@127.0.0.1/",
    "/nowhere": "",
}


class Pages(BaseHTTPRequestHandler):
    asked: ClassVar[list[tuple[str, dict[str, str]]]] = []

    def do_GET(self):
        self.asked.append((self.path, dict(self.headers)))
        if self.path in REDIRECTS:
            self.send_response(302)
            if REDIRECTS[self.path]:
                self.send_header("Location", REDIRECTS[self.path])
            self.end_headers()
        elif self.path == "/page":
            self.answer(page(), ("Content-Type", 'Text/HTML; charset="utf-8"'))
        elif self.path == "/packed":
            self.answer(gzip.compress(page()), ("Content-Encoding", "gzip"))
        elif self.path == "/bomb":
            self.answer(gzip.compress(bytes(60_000_000)), ("Content-Encoding", "gzip"))
        elif self.path == "/long":
            self.answer(bytes(50_000))
        elif self.path == "/cut":
            self.answer(b"half", ("Content-Length", "4000"))
        elif self.path in {"/drip", "/drip-head"}:
            self.drip()
        else:
            self.send_error(404)

    def answer(self, body, *headers):
        self.send_response(200)
        for key, value in headers:
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    def drip(self):
        try:
            if self.path == "/drip":
                self.send_response(200)
                self.end_headers()
            while True:
                self.wfile.write(b"x")
                time.sleep(0.02)
        except OSError:
            return

    def log_message(self, *_):
        return


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as running:
        running.daemon_threads = True
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


def test_a_page_comes_with_its_media_type_and_charset(server):
    got = fetch_page(f"{server}/page#part", HERE)
    assert (got.url, got.media, got.charset) == (f"{server}/page", "text/html", "utf-8")
    assert got.body == page()
    path, headers = Pages.asked[-1]
    assert path == "/page"
    assert headers["User-Agent"].startswith("slant/")
    assert not {"Cookie", "Authorization", "Referer"} & set(headers)


def test_a_redirect_is_followed_and_the_last_address_is_named(server):
    assert fetch_page(f"{server}/away", HERE).url == f"{server}/page"


def test_a_packed_page_is_unpacked(server):
    assert fetch_page(f"{server}/packed", HERE).body == page()


def test_a_server_on_this_machine_is_refused_unless_a_test_allows_it(server):
    with pytest.raises(DataError, match=r"its host 127\.0\.0\.1 is not public"):
        fetch_page(f"{server}/page")
    with pytest.raises(DataError, match="which is not public"):
        fetch_page(server.replace("127.0.0.1", "localhost") + "/page")


@pytest.mark.parametrize("path", ["/private", "/cloud", "/mapped"])
def test_a_redirect_to_a_private_host_is_refused(server, path):
    with pytest.raises(DataError, match=r"which leads to 'http://.*is not public"):
        fetch_page(server + path, HERE)


@pytest.mark.parametrize("path", ["/file", "/ftp"])
def test_a_redirect_to_a_file_or_another_protocol_is_refused(server, path):
    with pytest.raises(DataError, match="only addresses of http and https"):
        fetch_page(server + path, HERE)


def test_passwords_in_addresses_are_refused_before_and_after_redirects(server):
    for url in (f"{server}/named", "http://me:secret@example.org/"):
        with pytest.raises(DataError, match="it holds a name or password"):
            fetch_page(url, HERE)
    with pytest.raises(DataError) as refused:
        fetch_page("http://me:secret@example.org/?token=secret", HERE)
    assert "secret" not in str(refused.value)


def test_redirects_end(server):
    with pytest.raises(WorkFailed, match="leads on more than 5 times"):
        fetch_page(f"{server}/circle", HERE)
    with pytest.raises(WorkFailed, match="answers 302 and names no address"):
        fetch_page(f"{server}/nowhere", HERE)


def test_size_is_bounded_packed_and_unpacked(server):
    with pytest.raises(WorkFailed, match="more than 40,000 bytes"):
        fetch_page(f"{server}/long", Bounds(size=40_000, loopback=True))
    with pytest.raises(DataError, match="unpack"):
        fetch_page(f"{server}/bomb", HERE)


@pytest.mark.parametrize("path", ["/drip", "/drip-head"])
def test_a_server_that_sends_a_byte_now_and_then_is_ended_by_the_clock(server, path):
    before = time.monotonic()
    with pytest.raises(WorkFailed, match=r"no whole answer|takes more than"):
        fetch_page(server + path, Bounds(seconds=0.3, silence=5, loopback=True))
    assert time.monotonic() - before < 4


def test_a_cut_answer_and_a_missing_page_are_said(server):
    with pytest.raises(WorkFailed, match="no whole answer"):
        fetch_page(f"{server}/cut", HERE)
    with pytest.raises(WorkFailed, match="the server answers 404"):
        fetch_page(f"{server}/none", HERE)


def test_proxies_of_the_environment_are_not_used(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert fetch_page(f"{server}/page", HERE).body == page()


@pytest.mark.parametrize(
    "url",
    ["http://", "http:///x", "https://[::1", "http://a\nb/", "http://exa mple.org", "gopher://a",
     "http://a:99999/", "http://a:0/", "http://\ud800/", "http://" + "a" * 300 + "/"],
)  # fmt: skip
def test_what_is_no_address_is_one_clear_error(url):
    with pytest.raises(DataError):
        fetch_page(url)
