"""Public hosts: what an address means, and what is really connected to."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data import hosts
from slant.data.hosts import check_place, connected, is_public
from slant.errors import DataError, WorkFailed

PUBLIC = "93.184.215.14"
# Networks that no request may reach, from the IANA special-purpose registries.
PRIVATE = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4", "::1/128",
    "::/128", "fc00::/7", "fe80::/10", "ff00::/8", "::ffff:0:0/96", "64:ff9b::/96", "2002::/16",
    "2001:db8::/32",
)  # fmt: skip


def answer(*addresses, port=80):
    return [
        (
            socket.AF_INET6 if ":" in one else socket.AF_INET,
            socket.SOCK_STREAM,
            6,
            "",
            (one, port, 0, 0) if ":" in one else (one, port),
        )
        for one in addresses
    ]


def connect(host="example.org", port=80, **options):
    return connected(host, port, asked="Fetching", until=time.monotonic() + 5, silence=1, **options)


@pytest.mark.parametrize("network", PRIVATE)
@given(place=st.integers(min_value=0))
def test_no_address_of_a_private_network_is_public(network, place):
    net = ipaddress.ip_network(network)
    assert not is_public(str(net[place % net.num_addresses]))


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:4700::1111", "172.32.0.1"])
def test_addresses_of_the_public_network_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0", "localhost", "::1",
     "::ffff:127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "fe80::1", "fd00::1"],
)  # fmt: skip
def test_this_machine_and_its_network_are_refused_however_they_are_written(host):
    with pytest.raises((DataError, WorkFailed), match=r"not public|is not found"):
        connect(host)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0", "localhost", "LOCALHOST.", "a.localhost",
     "::1", "::ffff:127.0.0.1", "10.1.2.3", "169.254.169.254", "fe80::1", "fd00::1"],
)  # fmt: skip
def test_numbers_and_names_of_this_machine_are_refused_without_a_look_up(host):
    with pytest.raises(DataError, match="not public"):
        check_place(host, 80, asked="Fetching")


@pytest.mark.parametrize("host", ["example.org", "localhost.example.org", "notlocalhost", PUBLIC])
def test_other_names_and_public_numbers_pass_without_a_look_up(monkeypatch, host):
    system, flags_seen = socket.getaddrinfo, []

    def look_up(*given, flags=0, **options):
        flags_seen.append(flags)
        return system(*given, flags=flags, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    check_place(host, 443, asked="Fetching")
    assert flags_seen == [socket.AI_NUMERICHOST]


def test_loopback_passes_where_it_is_let_and_ports_of_other_services_never_do():
    check_place("localhost", 8080, asked="Fetching", loopback=True)
    for host in ("127.0.0.1", "example.org"):
        with pytest.raises(DataError, match="port 25"):
            check_place(host, 25, asked="Fetching", loopback=True)


def test_a_host_with_one_private_address_among_public_ones_is_refused(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer(PUBLIC, "10.0.0.7"))
    with pytest.raises(DataError, match=r"its host example.org is 10.0.0.7, which is not public"):
        connect()


class Recording(socket.socket):
    """Connects nowhere, and remembers where it should have."""

    places: list[object]

    def connect(self, place):
        self.places.append(place)
        raise OSError("no network here")


def test_a_name_that_changes_its_meaning_after_the_check_gains_nothing(monkeypatch):
    # DNS rebinding: public at the first look-up, this machine at every later one.
    answers = [answer(PUBLIC)]
    asked = []

    def look_up(host, *_, **__):
        asked.append(host)
        return answers.pop(0) if answers else answer("127.0.0.1")

    Recording.places = []
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(hosts.socket, "socket", Recording)
    with pytest.raises(WorkFailed, match="no network here"):
        connect()
    assert Recording.places == [(PUBLIC, 80)]
    assert asked == ["example.org"]


def test_a_connection_that_ends_elsewhere_than_was_asked_is_refused(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:

        class Diverted(socket.socket):
            def connect(self, place):
                super().connect(server.getsockname())

        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer(PUBLIC))
        monkeypatch.setattr(hosts.socket, "socket", Diverted)
        with pytest.raises(DataError, match=r"is 127\.0\.0\.1, which is not public"):
            connect()


@pytest.mark.parametrize("port", [22, 25, 1023])
def test_ports_of_other_services_are_refused(port):
    with pytest.raises(DataError, match=f"port {port} is not one of the web"):
        connect(PUBLIC, port)


def test_loopback_is_let_pass_only_where_a_test_says_so_and_nothing_else_with_it(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(DataError, match="not public"):
            connect("127.0.0.1", port)
        connect("127.0.0.1", port, loopback=True).close()
    with pytest.raises(DataError, match="not public"):
        connect("10.0.0.1", loopback=True)


def test_a_look_up_that_never_ends_is_given_up(monkeypatch):
    never = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: never.wait(5) and [])
    with pytest.raises(WorkFailed, match=r"example.org is not found \(no answer\)"):
        connected("example.org", 80, asked="Fetching", until=time.monotonic() + 0.1, silence=1)
    never.set()


def test_a_name_that_no_server_knows_is_said(monkeypatch):
    def look_up(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(WorkFailed, match="Name or service not known"):
        connect()
