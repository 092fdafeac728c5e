"""Addresses into private networks: whoever fetches, none is asked, however it is written.

The fetchers are those of pages (`slant analyze`, `slant serve`), of images (`slant data add`), of
published files (`slant data fetch`) and of wikis (`slant wiki crawl`).
"""

from __future__ import annotations

import http.client
import re
import socket
import threading
import urllib.error
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from slant.analysis.fetching import Bounds, check_address, fetch_page
from slant.data import hosts, imagefetch, transfers
from slant.data.cards import Download
from slant.data.fetch import fetch_file
from slant.data.imagefetch import fetch_image
from slant.data.transfers import Patience
from slant.errors import DataError, SlantError
from slant.wikis.connection import Connection, Later
from slant.wikis.visits import Manners, Visitor

PUBLIC = "93.184.215.14"
PRIVATE = (
    "127.0.0.1", "127.255.0.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0",
    "169.254.169.254", "[::1]", "[::]", "[fc00::1]", "[fd12:3456::1]", "[fe80::1]",
    "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "2130706433", "0x7f000001", "017700000001", "0x7f.1", "127.1", "0177.0.0.1",
    "10.1", "0xa9fea9fe", "2852039166", "0", "localhost", "LOCALHOST.", "a.localhost",
)  # fmt: skip
"""This machine and its neighbours, in every form that some system takes for an address."""


def by_page(url, tmp_path):
    fetch_page(url, Bounds(seconds=5, silence=1))


def by_check(url, tmp_path):
    check_address(url, "Reading")


def by_image(url, tmp_path):
    fetch_image(url, tmp_path / "image")


def by_file(url, tmp_path):
    fetch_file(Download(url, "a", "0" * 64, 10), tmp_path / "a", None, Patience(1, 1.0, 0.0))


FETCHERS = [by_page, by_check, by_image, by_file]


@pytest.fixture
def nobody(monkeypatch):
    """No connection is made: who tries is noted, with where to."""
    tried = []

    class Quiet(socket.socket):
        def connect(self, place):
            tried.append(place)
            raise OSError("no network here")

    monkeypatch.setattr(hosts.socket, "socket", Quiet)
    monkeypatch.setattr(socket, "create_connection", lambda place, *_, **__: tried.append(place))
    return tried


@pytest.mark.parametrize("host", PRIVATE)
@pytest.mark.parametrize("fetcher", FETCHERS)
def test_no_fetcher_asks_this_machine_or_its_network(nobody, tmp_path, fetcher, host):
    with pytest.raises(DataError, match=r"not public|only https"):
        fetcher(f"https://{host}/secrets", tmp_path)
    assert nobody == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fetcher", [by_page, by_image, by_file])
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "fd00::1"])
def test_a_name_that_means_a_private_host_is_refused_when_it_is_looked_up(
    nobody, tmp_path, monkeypatch, fetcher, address
):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer(address))
    with pytest.raises(DataError, match="not public"):
        fetcher("https://rebound.example/a", tmp_path)
    assert nobody == []


def answer(*addresses):
    return [
        (
            socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "",
            (one, 443, 0, 0) if ":" in one else (one, 443),
        )
        for one in addresses
    ]  # fmt: skip


@pytest.mark.parametrize("fetcher", [by_page, by_image, by_file])
def test_a_name_that_means_another_host_a_moment_later_gains_nothing(
    nobody, tmp_path, monkeypatch, fetcher
):
    answers = []

    def look_up(host, *_, flags=0, **__):
        if flags & socket.AI_NUMERICHOST:
            raise socket.gaierror(-2, "no number")
        answers.append(host)
        return answer(PUBLIC if len(answers) == 1 else "127.0.0.1")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SlantError):
        fetcher("https://rebound.example/a", tmp_path)
    # Looked up once, and connected to what was then looked at.
    assert answers == ["rebound.example"]
    assert [place[0] for place in nobody] == [PUBLIC]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/a", "gopher://a/", "data:text/html,x", "jar:http://a!/b", "//127.0.0.1/a"])  # fmt: skip
@pytest.mark.parametrize("fetcher", FETCHERS)
def test_other_protocols_are_not_spoken(nobody, tmp_path, fetcher, url):
    with pytest.raises(DataError):
        fetcher(url, tmp_path)
    assert nobody == []


@pytest.mark.parametrize("port", [22, 25, 6379 - 6000, 1023])
@pytest.mark.parametrize("fetcher", FETCHERS)
def test_ports_of_other_services_are_not_asked(nobody, tmp_path, fetcher, port):
    with pytest.raises(DataError, match=f"port {port} is not one of the web"):
        fetcher(f"https://example.org:{port}/a", tmp_path)


@pytest.mark.parametrize("fetcher", [by_page, by_check, by_image])
def test_names_and_passwords_are_not_sent(nobody, tmp_path, fetcher):
    with pytest.raises(DataError, match="holds a name or password"):
        fetcher("https://me:secret@example.org/a", tmp_path)


class Leading(BaseHTTPRequestHandler):
    """Sends everybody on to the address that stands behind its own, and says who came."""

    def do_GET(self):
        self.server.asked.append(self.path)
        if "?to=" in self.path:
            self.send_response(302)
            self.send_header("Location", self.path.partition("?to=")[2])
            self.end_headers()
        else:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"the secret")

    def log_message(self, *_):
        return


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Leading) as running:
        running.daemon_threads = True
        running.asked = []
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        running.url = f"http://127.0.0.1:{running.server_address[1]}"
        yield running
        running.shutdown()
        thread.join()


# The server of these tests is on this machine, which is let pass to reach it.
ELSEWHERE = [host for host in PRIVATE if not re.search(r"localhost|^127|^0x7f|^0177|^2130|^017|^\[::1\]$", host, re.I)]  # fmt: skip


@pytest.mark.parametrize("host", ELSEWHERE)
def test_no_redirect_leads_a_page_into_a_private_network(server, host):
    with pytest.raises(DataError, match="not public"):
        fetch_page(f"{server.url}/a?to=http://{host}/b", Bounds(seconds=5, loopback=True))


def test_no_redirect_leads_an_image_away_from_https_and_public_hosts(tmp_path):
    leading = imagefetch._Redirects("Fetching", False)
    request = imagefetch.urllib.request.Request("https://example.org/a.png")
    for host in PRIVATE:
        with pytest.raises(DataError, match="not public"):
            leading.redirect_request(request, None, 302, "", {}, f"https://{host}/b.png")
    with pytest.raises(DataError, match="only https"):
        leading.redirect_request(request, None, 302, "", {}, "http://example.org/b.png")


def test_no_redirect_leads_a_published_file_into_a_private_network():
    leading = transfers._Redirects()
    request = imagefetch.urllib.request.Request("https://example.org/a.csv")
    for host in PRIVATE:
        for scheme in ("https", "http"):
            with pytest.raises(SlantError):
                leading.redirect_request(request, None, 302, "", {}, f"{scheme}://{host}/b.csv")
    there = leading.redirect_request(request, None, 302, "", {}, "https://example.net/b.csv")
    assert there.full_url == "https://example.net/b.csv"


def public_first(monkeypatch, server):
    """A connection whose first server is a public one: that of this test, seen from outside."""
    from slant.wikis import connection

    port = server.server_address[1]
    seen = connection.is_public
    monkeypatch.setattr(
        connection, "is_public", lambda address: address == "127.0.0.1" or seen(address)
    )
    monkeypatch.setattr(
        connection, "_seems_public", lambda parts: (parts.hostname or "") == "127.0.0.1"
    )
    return f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("host", ["[::1]", "10.0.0.1", "169.254.169.254"])
def test_no_redirect_leads_a_crawler_from_a_public_wiki_into_a_private_network(
    monkeypatch, server, host
):
    own = public_first(monkeypatch, server)
    real, tried = socket.create_connection, []

    def connect(place, *given, **options):
        tried.append(place)
        return real(("127.0.0.1", server.server_address[1]), *given, **options)

    class Peer(socket.socket):
        pass

    monkeypatch.setattr(socket, "create_connection", connect)
    named = host.strip("[]")
    monkeypatch.setattr(
        socket.socket, "getpeername",
        lambda self: (named, 80) if tried[-1][0] == named else ("127.0.0.1", 80), raising=False,
    )  # fmt: skip
    visitor = Visitor(Manners())
    before = len(server.asked)
    with pytest.raises(DataError, match="which is not public"):
        visitor.ask(f"{own}/wiki?to=http://{host}/secrets")
    visitor.close()
    # robots.txt and the page that leads on were asked for, and nothing behind it.
    assert not [path for path in server.asked[before:] if "secrets" in path.partition("?")[0]]


def test_a_wiki_of_ones_own_network_is_asked_since_its_user_named_it(server):
    connection = Connection("slant", 5, 1000)
    assert connection.ask(f"{server.url}/a").text == "the secret"
    connection.close()


@pytest.mark.parametrize("proxied", [False, True])
def test_a_crawler_that_began_outside_connects_to_nothing_inside(monkeypatch, server, proxied):
    connection = Connection("slant", 5, 1000)
    connection._inside = False
    if proxied:
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.setenv("no_proxy", "")
    before = len(server.asked)
    hosts_inside = ["10.0.0.1", "169.254.169.254"] if proxied else ["127.0.0.1", "localhost"]
    for host in hosts_inside:
        with pytest.raises(DataError, match="not public"):
            connection.ask(f"http://{host}:{server.server_address[1]}/a")
    assert len(server.asked) == before


def test_a_wiki_names_its_interface_on_its_own_server_alone():
    from slant.wikis.connection import Answer
    from slant.wikis.discovery import linked_api

    for address in ("http://127.0.0.1/api.php", "//169.254.169.254/w/api.php", "file:///api.php"):
        page = f'<link rel="EditURI" href="{address}?action=rsd"/>'.encode()
        found = linked_api(Answer("https://wiki.example/wiki/A", 200, {}, page))
        assert found is None or found.startswith("https://wiki.example/")


def test_errors_of_a_refused_host_are_no_network_errors():
    # A fetcher that takes a refusal for a broken line would ask again and again.
    assert not issubclass(DataError, OSError | http.client.HTTPException | urllib.error.URLError)
    assert not issubclass(DataError, Later)
