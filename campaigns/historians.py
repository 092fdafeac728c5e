"""Two servers on one history: the second is refused, a killed one leaves nothing held."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Sequence

from children import Child
from outcomes import Row
from rooms import Room

ONE_HISTORY = "slant serve: two servers on one history"


def share_history(room: Room, draw: random.Random, row: Row) -> None:
    """One try: two servers begin at a random offset, the one that holds it is killed, a third
    begins."""
    path = room.folder / "tmp" / "history.sqlite3"
    for each in path.parent.glob("history*"):
        each.unlink()
    ports = free_ports(3)
    argv = [["serve", "--history", str(path), "--port", str(port)] for port in ports]
    offset = draw.uniform(0, 0.3)
    one = room.begin(argv[0], "one")
    time.sleep(offset)
    other = room.begin(argv[1], "other")
    first, lost = winner((one, other), ports[:2])
    bad = None if first else "none of the two serves"
    if first and lost:
        ended = lost.wait(60.0)
        bad = ended.fault(2)
        bad = bad or (None if str(path) in ended.told else f"names no history: {ended.told}")
    for child in (one, other):
        child.kill()
        child.wait()
    if bad is None:
        third = room.begin(argv[2], "third")
        if not winner((third,), ports[2:])[0]:
            third.kill()
            bad = f"held after a kill: {third.wait().err[-300:]}"
        third.kill()
        third.wait()
    row.count(bad and f"{offset:.2f} s apart: {bad}")


def winner(children: Sequence[Child], ports: Sequence[int]) -> tuple[Child | None, Child | None]:
    """The first server that answers, and the one beside it."""
    end = time.monotonic() + 90
    while time.monotonic() < end:
        for number, (child, port) in enumerate(zip(children, ports, strict=True)):
            if child.poll() is None and answers(port):
                return child, children[1 - number] if len(children) > 1 else None
        if all(child.poll() for child in children):
            break
        time.sleep(0.01)
    return None, None


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as line:
        line.settimeout(0.2)
        return line.connect_ex(("127.0.0.1", port)) == 0


def free_ports(number: int) -> list[int]:
    """Ports that nobody has."""
    lines = [socket.socket() for _ in range(number)]
    for line in lines:
        line.bind(("127.0.0.1", 0))
    ports = [int(line.getsockname()[1]) for line in lines]
    for line in lines:
        line.close()
    return ports
