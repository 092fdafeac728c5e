"""From what a user types to full task names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slant.data.added import load_added
from slant.data.cards import ADDED, card_numbers, own_benchmarks, public_name
from slant.data.files import data_homes
from slant.data.names import parse_name
from slant.tasks import TASKS
from slant.tasks.members import (
    Member,
    card_member,
    mbib_members,
    open_members,
    open_pair_members,
    own_members,
    vilbias_members,
)
from slant.tasks.options import Options
from slant.tasks.pairs import OPEN_PAIRS


def task_names(asked: Sequence[str], data: Path | None) -> tuple[list[str], bool]:
    """The tasks that names stand for.

    Args:
        asked: "mbib", "mbib/racial-bias", "mbib/072", "babe", "vilbias/mediaeval",
            "open/sentences", "added/NAME".
        data: `--data DIR`.

    Returns:
        Full names, each once, in order; and whether every name was a whole benchmark, so that
        tasks without data may be left out.

    Raises:
        UnknownName: with the nearest names.

    >>> task_names(["open/sentences"], None)
    (['open/sentences'], False)
    """
    names: list[str] = []
    whole = True
    for text in asked:
        if text in ("open", "open/sentences", OPEN_PAIRS):
            names.append(OPEN_PAIRS if text == OPEN_PAIRS else "open/sentences")
            whole = False
            continue
        name = parse_name(text, [card.name for card in load_added(data_homes(data))])
        if name.task is None and name.dataset is None:
            names += [task for task in TASKS if task.startswith("mbib/")]
            continue
        whole = False
        own = name.dataset in own_benchmarks() and name.benchmark != ADDED
        full = f"{name.benchmark}/{name.task or name.dataset}"
        names.append(public_name(str(name.dataset)) if own else full)
    return list(dict.fromkeys(names)), whole


def members_of(task: str, options: Options, data: Path | None) -> list[Member]:
    """The data sets of a task by its full name.

    Args:
        task: as `task_names` gives it.
        options: the protocol.
        data: `--data DIR`.

    Returns:
        Members in order, absent ones included.
    """
    benchmark, _, name = task.partition("/")
    if benchmark == "open":
        return open_pair_members() if task == OPEN_PAIRS else open_members()
    if benchmark == ADDED:
        return own_members(name, data, options)
    if task == "vilbias":
        return vilbias_members(options, data)
    own = name or benchmark
    if benchmark in own_benchmarks() or own in card_numbers():
        return [card_member(own, None, options, data)]
    return mbib_members(name, options, data)
