"""Work spread over the machines of a Ray cluster; a worker that is lost loses nothing."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from itertools import chain, islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from slant.errors import OptionError, SlantError, WorkFailed
from slant.runs.surroundings import marked, work_there

if TYPE_CHECKING:
    from slant.runs.workers import Workers

KNOCKING = 5.0
CONNECTING = 24.0
"""Seconds for a port to open, and for a cluster to answer; Ray by itself tries for minutes."""
TRIES_AGAIN = 3
"""How often an item whose worker died is given to another."""
PATIENCE = 600.0
"""Seconds without any worker at all after which work is given up."""
LOOK = 10.0

Given = TypeVar("Given")
Made = TypeVar("Made")


def check_address(address: str) -> None:
    """Knock at the address of a cluster.

    Args:
        address: "HOST:PORT", "ray://HOST:PORT", or "auto", which is left to Ray.

    Raises:
        OptionError: it is no address, or nobody opens.
    """
    if address == "auto":
        return
    asked = f"Reading --address '{address}'"
    do = "Write HOST:PORT, ray://HOST:PORT or auto"
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError as why:
        raise OptionError(asked, str(why), do) from None
    if parts.scheme not in ("", "ray") or not host or not port:
        raise OptionError(asked, "it is no host with a port", do)
    try:
        socket.create_connection((host, port), timeout=KNOCKING).close()
    except OSError as why:
        raise _unreachable(address, why.strerror or str(why)) from None


def _unreachable(address: str, why: str) -> OptionError:
    do = "Start one by `ray start --head`, or see docs/clusters.md on addresses"
    return OptionError(f"Reaching the Ray cluster '{address}'", f"none answers ({why})", do)


@contextmanager
def _connected(address: str) -> Iterator[None]:
    """A connection to the cluster; one that the caller already has is used and kept."""
    import ray

    if ray.is_initialized():
        yield
        return
    with _aside():
        _connect(address)
    try:
        yield
    finally:
        with _aside():
            ray.shutdown()


def _aside() -> redirect_stdout[Any]:
    """What Ray prints of workers that died goes to stderr: stdout is for the answer."""
    return redirect_stdout(sys.stderr)


def _connect(address: str) -> None:
    import ray

    failed: list[BaseException] = []

    def attempt() -> None:
        # A busy head at times turns a first client away ("Initialization failure from server").
        for _ in range(2):
            try:
                ray.init(address=address, log_to_driver=False, logging_level="ERROR")
                failed.clear()
                return
            # Ray also ends its thread by SystemExit.
            except BaseException as why:
                failed.append(why)
                ray.shutdown()

    # Ray takes no bound on this, and takes no interrupt meanwhile: a thread can be left behind.
    thread = Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(CONNECTING)
    if thread.is_alive():
        raise _unreachable(address, f"no Ray cluster spoke within {CONNECTING:.0f} seconds")
    if failed:
        # Of a traceback of the server, which Ray may send, the last line says what it was.
        raise _unreachable(address, ((str(failed[-1]).strip() or "no reason").splitlines())[-1])


def worked_on_cluster(
    function: Callable[[Given], Made],
    items: Iterable[Given],
    workers: Workers,
    shared: Sequence[Path],
) -> Iterator[Made]:
    """What a function makes of each item, by workers of a Ray cluster; see `worked_off`.

    As many items are under way as there are workers. An item whose worker or machine died goes to
    another one.

    Raises:
        SlantError: of the first item that failed. RunError: a machine that has other software, or
            does not see a shared folder. OptionError: the cluster cannot be reached or has none of
            what a worker needs. WorkFailed: workers died with the same item, or all of them.
    """
    rest = iter(items)
    first = list(islice(rest, 1))
    if not first:
        return
    with _connected(workers.address), marked(shared) as around:
        import ray

        _check_room(workers)
        # Without max_calls Ray would start a process, and load a model, for each item on a GPU.
        task = ray.remote(num_cpus=1, num_gpus=workers.gpus, max_retries=TRIES_AGAIN, max_calls=0)(
            work_there
        )
        sent = ray.put(function)
        yield from _gathered(
            lambda item: task.remote(sent, item, around), chain(first, rest), workers
        )


def _gathered(send: Callable[[Any], Any], items: Iterator[Any], workers: Workers) -> Iterator[Any]:
    import ray

    pending: list[Any] = []
    own, more, seen = _cores_of_driver(workers), True, time.monotonic()
    try:
        while True:
            room = _room(workers)
            while more and len(pending) < (workers.jobs or max(1, room - own)):
                drawn = [send(item) for item in islice(items, 1)]
                pending += drawn
                more = bool(drawn)
            if not pending:
                return
            with _aside():
                ready, pending = ray.wait(pending, timeout=LOOK)
                made = [_result(one, workers) for one in ready]
            if ready or room:
                seen = time.monotonic()
            elif time.monotonic() - seen > PATIENCE:
                found = f"it has had no worker for {PATIENCE:.0f} seconds"
                raise _lost(workers, found)
            yield from made
    finally:
        with suppress(Exception):
            for one in pending:
                ray.cancel(one, force=True)


def _result(reference: Any, workers: Workers) -> Any:
    import ray

    try:
        made = ray.get(reference)
    except ray.exceptions.RayTaskError as why:
        raise why.cause from why
    except ray.exceptions.RayError as why:
        found = f"a worker died {TRIES_AGAIN + 1} times with the same work"
        raise _lost(workers, f"{found} ({str(why).strip().splitlines()[0]})") from why
    if isinstance(made, SlantError):
        raise made
    return made


def _lost(workers: Workers, found: str) -> WorkFailed:
    do = "What is finished is kept: run the same command again, with more memory for each worker"
    return WorkFailed(f"Working on the Ray cluster '{workers.address}'", found, do)


def _room(workers: Workers) -> int:
    """How many workers the cluster has processors, and GPUs, for; busy ones count."""
    import ray

    there = ray.cluster_resources()
    room = int(there.get("CPU", 0))
    return min(room, int(there.get("GPU", 0)) // workers.gpus) if workers.gpus else room


def _check_room(workers: Workers) -> None:
    if _room(workers):
        return
    need = f"a CPU and {workers.gpus} GPU for a worker" if workers.gpus else "a CPU for a worker"
    raise OptionError(
        f"Working on the Ray cluster '{workers.address}'",
        f"it has not {need}",
        "Start machines by `ray start --address ...`, or give a smaller --gpus-per-worker",
    )


def _cores_of_driver(workers: Workers) -> int:
    """1 where the cluster has all cores of the driver's own machine: one is left to the driver."""
    import ray

    if workers.address.startswith("ray://"):
        return 0
    here = ray.get_runtime_context().get_node_id()
    cores = [node["Resources"].get("CPU", 0) for node in ray.nodes() if node["NodeID"] == here]
    return int(sum(cores) >= (os.cpu_count() or 1))
