"""How work is spread: in this process, in processes beside it, or over a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from slant.errors import MissingExtra, OptionError, WorkFailed, unknown_name

PROCESSES = "processes"
RAY = "ray"
ENGINES = (PROCESSES, RAY)

Given = TypeVar("Given")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Workers:
    """Who works.

    Fields:
        jobs: how many at once; 0: as many as the cluster has room for.
        engine: "processes" on this machine, or "ray".
        address: where the cluster is: "HOST:PORT", "ray://HOST:PORT", or "auto".
        gpus: that each worker on a cluster is given for itself.
    """

    jobs: int = 1
    engine: str = PROCESSES
    address: str = ""
    gpus: int = 0


def ready_workers(
    jobs: int | None, own: int, engine: str, address: str | None, gpus: int
) -> Workers:
    """The workers that were asked for, once it is sure that they can be had.

    Args:
        jobs: how many at once, or None.
        own: processes on this machine where `jobs` is None.
        engine: "processes" or "ray".
        address: of the cluster; None: what RAY_ADDRESS says, or the one that runs here.
        gpus: of the cluster, for each worker.

    Raises:
        UnknownName: no such engine. OptionError: options that do not go together, or nobody answers
            at the address. MissingExtra: Ray is not installed.
    """
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    if engine == PROCESSES:
        for option, given in (("--address", address), ("--gpus-per-worker", gpus)):
            if given:
                found = "it is of a cluster, and --engine is processes"
                raise OptionError(f"Setting {option} {given}", found, "Give --engine ray as well")
        return Workers(jobs or own)
    from importlib.util import find_spec

    if not find_spec("ray"):
        found = "the package ray is not installed"
        raise MissingExtra("Setting --engine ray", found, 'Run pip install "slant[cluster]"')
    from slant.runs.clusters import check_address

    check_address(address or "auto")
    return Workers(jobs or 0, engine, address or "auto", gpus)


def fewer(workers: Workers, most: int) -> Workers:
    """The same workers, no more than there is work for, and at least one."""
    return replace(workers, jobs=min(workers.jobs, max(1, most)))


def worked_off(
    function: Callable[[Given], Made],
    items: Iterable[Given],
    workers: Workers,
    shared: Sequence[Path] = (),
) -> Iterator[Made]:
    """What a function makes of each item, in the order in which they become ready.

    At most two items per worker are read ahead, so that memory stays flat however many there are.

    Args:
        function: can be sent to another process, and leaves the same whoever calls it.
        items: read once, one after the other.
        workers: who calls it.
        shared: folders that the function reads or writes, which each machine must see.

    Raises:
        SlantError: of the first item that failed. WorkFailed: a worker was lost, or on a cluster
            lost again and again, with the same item.
    """
    if workers.engine == RAY:
        from slant.runs.clusters import worked_on_cluster

        yield from worked_on_cluster(function, items, workers, shared)
    elif workers.jobs == 1:
        for item in items:
            yield function(item)
    else:
        yield from _worked_in_processes(function, items, workers.jobs)


def _worked_in_processes(
    function: Callable[[Given], Made], items: Iterable[Given], jobs: int
) -> Iterator[Made]:
    from concurrent.futures import FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    from joblib.externals.loky import get_reusable_executor

    # Not joblib.Parallel: it reads on as results become ready, however slowly they are taken.
    executor = get_reusable_executor(jobs, timeout=300, env=_thread_limits(jobs))
    waiting, at_work = iter(items), set()
    try:
        for item in islice(waiting, 2 * jobs):
            at_work.add(executor.submit(_grown, function, item))
        while at_work:
            done, at_work = wait(at_work, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
                for item in islice(waiting, 1):
                    at_work.add(executor.submit(_grown, function, item))
    except BrokenProcessPool as why:
        raise WorkFailed(
            f"Working in {jobs} processes",
            "one of them was killed, most often for want of memory",
            "What is finished is kept: run the same command again, with fewer --jobs",
        ) from why
    finally:
        if at_work:
            # loky's own shutdown loses its thread where items wait; a broken pool it clears away.
            for process in list(executor._processes.values()):
                process.terminate()
            wait(at_work)


def _thread_limits(jobs: int) -> dict[str, str]:
    """How many threads numerical libraries may start in each of several processes."""
    each = str(max((os.cpu_count() or 1) // jobs, 1))
    names = ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB_MAXIMUM", "NUMEXPR", "NUMBA")
    variables = (f"{name}_NUM_THREADS" for name in names)
    return {name: os.environ.get(name, each) for name in variables}


def _grown(function: Callable[[Given], Made], item: Given) -> Made:
    """The function's value, in a process that may grow."""
    from joblib.externals.loky import process_executor

    # loky takes 300 MB more than after the first item for a leak, warns, and ends the process; a
    # model or longer texts are no leak.
    process_executor._MAX_MEMORY_LEAK_SIZE = float("inf")
    return function(item)
