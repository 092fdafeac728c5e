"""Hosts of the public network, and connections that go to them and nowhere else."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any, Final

from slant.errors import DataError, WorkFailed

_CARRIERS: Final = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96"))
)
"""IPv6 networks whose addresses carry an IPv4 address, to which the network may pass them on."""
_DO: Final = "Name an address of the public web, or save the page and give the file"
_AGAIN: Final = "Look at the address, or save the page and give the file"


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public network.

    Rule: globally reachable by the registries of IANA; not multicast, reserved or unspecified; no
    IPv6 address that carries an IPv4 one, since it may be passed on to that.

    Args:
        address: IPv4 or IPv6, a zone (%eth0) allowed.

    >>> is_public("93.184.215.14"), is_public("10.0.0.1"), is_public("169.254.169.254")
    (True, False, False)
    >>> is_public("::ffff:127.0.0.1"), is_public("64:ff9b::7f00:1"), is_public("2606:4700::1111")
    (False, False, True)
    """
    one = ipaddress.ip_address(address.partition("%")[0])
    if one.version == 6 and (one.ipv4_mapped or any(one in carrier for carrier in _CARRIERS)):
        return False
    return one.is_global and not (one.is_multicast or one.is_reserved or one.is_unspecified)


def check_place(host: str, port: int, *, asked: str, loopback: bool = False) -> None:
    """Refuse a host that is known not to be public without asking anybody.

    Rule: numbers in any form that the system takes for an address must be public; localhost and
    names below it mean this machine (RFC 6761); other names pass, and `connected` looks them up.

    Args: as for `connected`.

    Raises:
        DataError: a host that is not public, or another port.
    """
    _check_port(port, asked)
    _check_name(host, asked, loopback)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return
    for *_, place in found:
        _check(str(place[0]), host, asked, loopback)


def connected(
    host: str, port: int, *, asked: str, until: float, silence: float, loopback: bool = False
) -> socket.socket:
    """A connection to a public host, made to an address that was itself looked at.

    The name is looked up once, and what is connected to are the addresses of that answer: a name
    that means a public host when it is checked and this machine a moment later gains nothing. If
    one of its addresses is not public, the host is refused.

    Args:
        host: name or address, as a URL has it.
        port: 80, 443, or from 1024 on.
        asked: what is attempted, for errors.
        until: moment of `time.monotonic` by which it must stand.
        silence: seconds that one attempt may take.
        loopback: whether 127.0.0.0/8 and ::1 are let pass: for tests, with a server of their own.

    Raises:
        DataError: a host that is not public, or another port.
        WorkFailed: an unknown host, no connection.
    """
    _check_port(port, asked)
    _check_name(host, asked, loopback)
    found = _looked_up(host, port, asked, until)
    for *_, place in found:
        _check(str(place[0]), host, asked, loopback)
    reason: BaseException | None = None
    for family, kind, protocol, _, place in found:
        left = until - time.monotonic()
        if left <= 0:
            break
        opened = socket.socket(family, kind, protocol)
        try:
            opened.settimeout(min(silence, left))
            opened.connect(place)
            # What the system says it is connected to, whatever it was asked for.
            _check(str(opened.getpeername()[0]), host, asked, loopback)
        except OSError as error:
            opened.close()
            reason = error
        except DataError:
            opened.close()
            raise
        else:
            return opened
    raise WorkFailed(asked, f"no answer from {host} ({reason or 'it takes too long'})", _AGAIN)


def _check_port(port: int, asked: str) -> None:
    if port not in {80, 443} and port < 1024:
        raise DataError(asked, f"port {port} is not one of the web", _DO)


def _check_name(host: str, asked: str, loopback: bool) -> None:
    if f".{host.rstrip('.').lower()}".endswith(".localhost"):
        _check("127.0.0.1", host, asked, loopback)


def _check(address: str, host: str, asked: str, loopback: bool) -> None:
    if loopback and ipaddress.ip_address(address.partition("%")[0]).is_loopback:
        return
    if not is_public(address):
        where = f"its host {host} is {address}, which" if address != host else f"its host {host}"
        raise DataError(asked, f"{where} is not public", _DO)


def _looked_up(host: str, port: int, asked: str, until: float) -> Sequence[Any]:
    # The system's own look-up knows no time limit.
    said: list[Any] = []

    def look_up() -> None:
        try:
            said.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            said.append(error)

    looking = threading.Thread(target=look_up, daemon=True)
    looking.start()
    looking.join(max(0.0, until - time.monotonic()))
    if not said or isinstance(said[0], Exception) or not said[0]:
        why = said[0] if said and said[0] else "no answer"
        raise WorkFailed(asked, f"the host {host[:80]} is not found ({why})", _AGAIN)
    found: Sequence[Any] = said[0]
    return found
