"""What a checkup found, as tables of text."""

from __future__ import annotations

from collections.abc import Sequence

from slant.runs.checkup import Checkup

GIGABYTE = 2**30
Board = tuple[str, Sequence[str], Sequence[Sequence[str]]]


def checkup_tables(found: Checkup) -> list[Board]:
    """The checkup as (title, columns, rows), in the order in which it is read.

    Args:
        found: of `slant.runs.checkup.examine_surroundings`.
    """
    machine = found.machine
    store = machine.store if machine.writable else f"{machine.store} (cannot be written)"
    here = [one for one in found.data if one.place]
    about = [
        ("slant", machine.slant),
        ("Python", f"{machine.python} on {machine.system}"),
        ("cores", str(machine.cores)),
        ("memory", gigabytes(machine.memory)),
        ("store", store),
        ("free there", gigabytes(machine.free_disk)),
        ("embedded data", "open/sentences, open/articles, open/pairs, open/wiki"),
        ("published data", f"{len(here)} of {len(found.data)} data sets"),
    ]
    extras = [
        (
            one.name or "(core)",
            "missing" if one.missing and not one.here else "in part" if one.missing else "here",
            ", ".join(f"{name} {number}" for name, number in one.here.items()),
            ", ".join(one.missing),
            one.do,
        )
        for one in found.extras
    ]
    purposes = [
        (one.command, one.what, "ready" if one.ready else "missing", one.do)
        for one in found.purposes
    ]
    data = [(one.name, one.what, one.place or "not here", one.do) for one in found.data]
    models = [(one.name, one.what, one.place or "not here", one.do) for one in found.models]
    return [
        ("This machine", ("what", "found"), about),
        ("Extras", ("extra", "state", "here", "missing", "what to type"), extras),
        ("Commands", ("command", "for", "state", "what to type"), purposes),
        ("Data sets", ("name", "data set", "where", "what to type"), data),
        ("Models", ("model", "what", "where", "what to type"), models),
    ]


def gigabytes(amount: int | None) -> str:
    """Bytes in GB of 2^30 bytes, with one decimal; "unknown" for None.

    >>> gigabytes(3 * 2**29), gigabytes(None)
    ('1.5 GB', 'unknown')
    """
    return "unknown" if amount is None else f"{amount / GIGABYTE:.1f} GB"
