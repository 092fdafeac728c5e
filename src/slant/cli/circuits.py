"""slant circuit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from slant.cli.options import Data, Json, Quiet
from slant.cli.show import document, interval_text, progress, say, table
from slant.errors import OptionError

Number = TypeVar("Number", int, float)


def circuit(
    directory: Annotated[
        Path, typer.Argument(help="A run directory with models, or the folder above several.")
    ],
    k: Annotated[str, typer.Option(help="Sizes of circuits in heads.")] = "1,3,5,10,20,30",
    shares: Annotated[
        str, typer.Option(help="Sizes as shares of the model's heads; '' for none.")
    ] = "0.1,0.25,0.5",
    corruption: Annotated[
        str | None, typer.Option(help="resample (default), mask or unknown.")
    ] = None,
    readout: Annotated[str | None, typer.Option(help="probe (default) or head.")] = None,
    scale: Annotated[str | None, typer.Option(help="logit (default) or probability.")] = None,
    ranking: Annotated[str | None, typer.Option(help="signed (default) or absolute.")] = None,
    paper: Annotated[
        bool,
        typer.Option("--paper", help="The paper's choices: mask, probe, probability, absolute."),
    ] = False,
    draws: Annotated[int, typer.Option(min=0, help="Random sets of heads of each size.")] = 10,
    patching: Annotated[
        str, typer.Option(help="exact, or attribution: heads ranked by one gradient.")
    ] = "exact",
    with_attribution: Annotated[
        bool, typer.Option(help="Say how attribution patching ranks the heads, too.")
    ] = True,
    sample: Annotated[
        int, typer.Option(min=0, help="Texts with marked words of each part; 0 for all.")
    ] = 0,
    resamples: Annotated[int, typer.Option(min=100, help="Of the bootstrap.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is drawn.")] = 42,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    data: Data = None,
    fresh: Annotated[bool, typer.Option(help="Throw away all raw results first.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the heads that carry what experts marked, and verify them; the same command resumes.

    Examples:

    slant circuit runs/babe --k 1,3,5,10,20,30

    slant circuit runs/babe --paper --draws 0

    slant circuit runs/babe/encoder-minilm --k 1,5 --shares "" --corruption unknown --jobs 2

    slant circuit runs/babe --readout head --scale probability --patching attribution
    """
    from slant.runs.circuits import FILE
    from slant.runs.circuits import circuit as find_circuits

    chosen = _choices(paper, corruption=corruption, readout=readout, scale=scale, ranking=ranking)
    sizes = _numbers(k, "--k", int), _numbers(shares, "--shares", float)
    with progress(quiet or json_, "models") as told:
        found = find_circuits(
            directory,
            k=sizes[0],
            shares=sizes[1],
            draws=draws,
            patching=patching,
            with_attribution=with_attribution,
            sample=sample,
            resamples=resamples,
            seed=seed,
            jobs=jobs,
            data=data,
            fresh=fresh,
            progress=told,
            **chosen,
        )
    if json_:
        document(found)
        return
    _show(found)
    say(f"wrote {directory / FILE}")


def _choices(paper: bool, **given: str | None) -> dict[str, str]:
    from slant.runs.circuitsettings import PAPER, CircuitSettings

    if not paper:
        usual = CircuitSettings()
        return {name: value or getattr(usual, name) for name, value in given.items()}
    for name, value in given.items():
        if value not in (None, PAPER[name]):
            found = f"the paper's choice, by --paper, is {PAPER[name]}"
            raise OptionError(f"Reading --{name} {value}", found, "Give one of them")
    return dict(PAPER)


def _numbers(text: str, option: str, kind: Callable[[str], Number]) -> list[Number]:
    try:
        return [kind(part) for part in text.split(",") if text.strip()]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        do = "Write for example 1,3,5" if kind is int else "Write for example 0.1,0.25"
        raise OptionError(f"Reading {option} '{text}'", f"it is no list of {what}", do) from None


def _show(found: dict[str, Any]) -> None:
    rows = []
    for name, model in found["models"].items():
        for kind, curve in model["curves"]["corruption"].items():
            for point in curve["points"]:
                numbers = (curve["base"], *(point[key] for key in _SHOWN))
                rows.append([name, kind, f"{point['k']}", *map(interval_text, numbers)])
    title = f"against the corruption ({found['corruption']}), in {found['scale']} units"
    table(["run", "corrupted", "k", "base", *_SHOWN], rows, title)
    for name, model in found["models"].items():
        reliable, alike = model["reliability"]["value"], model["agreement"]["value"]
        texts = model["texts"][0]
        say(
            f"{name}: {model['total']} heads, {texts['dev']} development texts, "
            f"{texts['changed']} of {texts['test']} test texts changed; reliability of the ranking "
            f"{_plain(reliable)}, agreement of seeds {_plain(alike)}"
        )


_SHOWN = ("sufficiency", "completeness", "retention", "rescue")


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
