"""What a user types for data sets and tasks, and what it points at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from slant.data.cards import (
    ADDED,
    BENCHMARK,
    card_numbers,
    load_card,
    load_tasks,
    own_benchmarks,
    public_name,
)
from slant.data.samples import NAMES
from slant.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Name:
    """What a name such as "mbib/072" points at; with neither data set nor task: all tasks."""

    benchmark: str
    dataset: str | None = None
    task: str | None = None


def parse_name(name: str, added: Iterable[str] = ()) -> Name:
    """What a public name means: `mbib`, `mbib/072`, `mbib/racial-bias`, `babe`,
    `vilbias/vldbench` or `added/NAME`.

    Args:
        name: as typed.
        added: the names of the user's own data sets.

    >>> parse_name("mbib/072")
    Name(benchmark='mbib', dataset='072', task=None)
    >>> parse_name("mbib/racial-bias").task
    'racial-bias'
    """
    own = list(added)
    head, slash, rest = name.strip().strip("/").partition("/")
    if not slash and head == BENCHMARK:
        return Name(BENCHMARK)
    full = f"{head}/{rest}" if slash else head
    for dataset in own_benchmarks():
        if full == public_name(dataset):
            return Name(head, dataset=dataset)
    if head == BENCHMARK and rest in load_tasks():
        return Name(BENCHMARK, task=rest)
    if head == BENCHMARK and rest in card_numbers():
        return Name(BENCHMARK, dataset=rest)
    if head == ADDED and rest in own:
        return Name(ADDED, dataset=rest)
    raise _no_such_name(name, rest or head, [f"{ADDED}/{x}" for x in own])


def _no_such_name(name: str, tail: str, own: list[str]) -> UnknownName:
    """Names of data sets and bare numbers are what people type first, so they are sought too."""
    known = {f"{BENCHMARK}/{x}": {x} for x in (*card_numbers(), *load_tasks())}
    for number in card_numbers():
        card = load_card(number)
        known[f"{BENCHMARK}/{number}"] |= {_plain(card.short), _plain(card.folder[4:])}
    known |= {public_name(name): {name} for name in own_benchmarks()}
    if name in NAMES:
        found = "it has no table of texts and labels"
        do = f"`slant data show {name}` says what it holds"
        return UnknownName(f"Looking for the data set or task '{name}'", found, do)
    known |= {one: {one, one.partition("/")[2]} for one in NAMES}
    exact = [full for full, others in known.items() if tail in others or _plain(tail) in others]
    near = exact or get_close_matches(name, [*known, *own], n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else "`slant data list` shows all names"
    asked = f"Looking for the data set or task '{name}'"
    return UnknownName(asked, "no data set or task has this name", hint)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
