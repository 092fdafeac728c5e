"""slant data: list, show, import, fetch, check, add."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.datasets import add, counts, export, leaks, numbers_of
from slant.cli.options import Data, Json, Quiet
from slant.cli.show import document, line, progress, say, table

app = typer.Typer(
    help="The data sets: what exists, what is here, where the rest is had.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command()(export)
app.command()(counts)
app.command()(leaks)


@app.command("list")
def list_(data: Data = None, json_: Json = False) -> None:
    """List data sets and tasks: what exists, what is here, licence, where the rest is had.

    Example: slant data list
    """
    from slant.data.added import load_added
    from slant.data.cards import load_card, load_tasks, own_benchmarks, public_name
    from slant.data.files import check, data_homes
    from slant.data.samples import NAMES, SAMPLES
    from slant.tasks import TASKS

    homes = data_homes(data)
    rows = []
    for state in check(homes):
        card = load_card(state.dataset)
        rows.append(
            {
                "name": card.public_name,
                "data set": card.short,
                "state": state.state,
                "form": state.form or "",
                "tasks": ", ".join(card.tasks),
                "licence": card.licence,
                "access": card.access,
                "where": card.home or card.repository or "",
            }
        )
    rows += [
        {
            "name": f"added/{own.name}",
            "data set": own.name,
            "state": own.source.state,
            "form": "your own",
            "tasks": ", ".join(own.tasks),
            "licence": own.licence,
            "access": "here",
            "where": "",
        }
        for own in load_added(homes)
    ]
    rows += [
        {
            "name": name,
            "data set": "slant open",
            "state": "complete",
            "form": "embedded" if name in SAMPLES else "made: slant embed plant",
            "tasks": name if name in TASKS else "",
            "licence": "CC0 1.0",
            "access": "here",
            "where": "",
        }
        for name in NAMES
    ]
    here = {row["name"].removeprefix("mbib/") for row in rows if row["state"] != "absent"}
    tasks = []
    for one in load_tasks().values():
        members = [member.dataset for member in one.members("table2")]
        own = [
            row["name"] for row in rows if row["form"] == "your own" and one.name in row["tasks"]
        ]
        found = len(here.intersection(members)) + len(own)
        tasks.append(
            {
                "name": f"mbib/{one.name}",
                "title": one.title,
                "data sets here": f"{found} of {len(members) + len(own)}",
            }
        )
    cards = {public_name(number): load_card(number) for number in own_benchmarks()}
    for row in rows:
        if row["name"] in cards:
            there = int(row["state"] != "absent")
            title = cards[row["name"]].name
            tasks.append({"name": row["name"], "title": title, "data sets here": f"{there} of 1"})
    if json_:
        document({"datasets": rows, "tasks": tasks})
        return
    table(
        list(rows[0]), [list(row.values()) for row in rows], "Data sets", cut=("licence", "where")
    )
    table(list(tasks[0]), [list(row.values()) for row in tasks], "Tasks")
    say("Details: slant data show mbib/072 · what to do: slant data check")


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="mbib/072, babe, open/pairs or mbib/racial-bias.")],
    json_: Json = False,
) -> None:
    """Show a card: citation, licence, files, label rules, quirks.

    Examples:

    slant data show mbib/072

    slant data show mbib/racial-bias --json

    slant data show open/sentences
    """
    from slant.data.cards import load_card, load_tasks
    from slant.data.names import parse_name
    from slant.data.samples import NAMES, sample_card

    if name in NAMES:
        own = sample_card(name)
        if json_:
            document(own)
        else:
            line("\n".join(_lines(own)))
        return
    named = parse_name(name)
    cards: list[Any]
    if named.dataset:
        cards = [load_card(named.dataset)]
    elif named.task:
        cards = [load_tasks()[named.task]]
    else:
        cards = list(load_tasks().values())
    contents = [card.model_dump(mode="json", exclude_none=True) for card in cards]
    if json_:
        document(contents[0] if len(contents) == 1 else contents)
        return
    for content in contents:
        line("\n".join(_lines(content)))


def _lines(content: dict[str, Any], depth: int = 0) -> Iterator[str]:
    """A card as indented lines."""
    margin = "  " * depth
    for key, value in content.items():
        items = value if isinstance(value, list) else [value]
        if isinstance(value, dict):
            yield f"{margin}{key}:"
            yield from _lines(value, depth + 1)
        elif isinstance(value, list) and any(isinstance(one, dict | str) for one in items):
            yield f"{margin}{key}:"
            for one in items:
                if isinstance(one, dict):
                    first, *rest = _lines(one, depth + 2)
                    yield f"{margin}  - {first.strip()}"
                    yield from rest
                else:
                    yield f"{margin}  - {one}"
        else:
            yield f"{margin}{key}: {', '.join(str(one) for one in items) or 'none'}"


@app.command("import")
def import_(
    benchmark: Annotated[str, typer.Argument(help="mbib, babe, vilbias, vldbench or mediaeval.")],
    source: Annotated[Path, typer.Argument(help="Folder (or zip, tar) of published files.")],
    data: Annotated[
        Path | None, typer.Option("--data", help="Copy here, not to the store.")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Copy published files into the store, checked against their cards.

    Examples:

    slant data import mbib ~/Downloads/mbib

    slant data import vilbias ~/Downloads/vilbias.zip
    """
    from slant.data.cards import BENCHMARK, own_benchmarks
    from slant.data.files import store
    from slant.data.imports import import_set
    from slant.errors import unknown_name

    known = [BENCHMARK, *own_benchmarks()]
    if benchmark not in known:
        raise unknown_name("benchmark", benchmark, known)
    numbers = None if benchmark == BENCHMARK else [benchmark]
    with progress(quiet or json_, "bytes") as told:
        states = import_set(
            source, store(data), lambda name, done, all_: told(done, all_, name), numbers
        )
    _show_states(states, json_)


@app.command()
def fetch(
    names: Annotated[
        list[str], typer.Argument(help="mbib/072, babe, or mbib for all public ones.")
    ],
    data: Annotated[Path | None, typer.Option("--data", help="Store here.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Download what is public, with checksum and resume.

    Examples:

    slant data fetch mbib/072

    slant data fetch mbib
    """
    from slant.data.cards import load_card
    from slant.data.fetch import fetch_set
    from slant.data.files import store

    numbers = numbers_of(names)
    several = len(numbers) > 1
    states = []
    with progress(quiet or json_, "bytes") as told:
        for number in numbers:
            card = load_card(number)
            if several and not card.downloads:
                say(f"{card.public_name} ({card.short}) cannot be fetched: {card.how_to_get}")
                continue
            states += fetch_set(card, store(data), lambda name, done, all_: told(done, all_, name))
    _show_states(states, json_)


@app.command()
def check(
    names: Annotated[list[str] | None, typer.Argument(help="mbib/072 ...; else all.")] = None,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Say per data set: complete, partial, absent or altered, and what to do.

    Examples:

    slant data check

    slant data check babe
    """
    from slant.data.files import check as check_files
    from slant.data.files import data_homes

    numbers = numbers_of(names) if names else None
    _show_states(check_files(data_homes(data), numbers), json_)


app.command()(add)


def _show_states(states: Any, json_: bool) -> None:
    from slant.data.cards import public_name

    if json_:
        document([asdict(state) for state in states])
        return
    rows = [
        [
            public_name(one.dataset),
            one.name,
            one.state,
            one.form or "",
            "" if one.found is None else f"{one.found} of {one.expected or '?'} {one.unit}",
            one.do,
        ]
        for one in states
    ]
    table(["name", "data set", "state", "form", "here", "what to do"], rows)
