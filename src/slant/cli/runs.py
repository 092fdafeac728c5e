"""slant run, score, systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import (
    FIRST_SEED,
    Address,
    Batch,
    Changes,
    Data,
    Engine,
    Epochs,
    Folds,
    Gpus,
    Json,
    Lr,
    MaxLength,
    Parameters,
    PartOf,
    Precision,
    Preset,
    Quiet,
    Split,
    TrainOn,
    command_line,
    protocol_changes,
    seed_list,
    system_params,
)
from slant.cli.scoretables import show_lineup, show_scores
from slant.cli.show import document, progress, say, table
from slant.errors import OptionError


def run(
    tasks: Annotated[list[str], typer.Argument(help="mbib, mbib/racial-bias, mbib/072, ...")],
    system: Annotated[
        str, typer.Option("--system", "-s", help="One or more: a,b,c. See `slant systems`.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="The run directory; of several systems the folder above theirs."
        ),
    ],
    preset: Preset = "clean",
    set_: Changes = None,
    split: Split = None,
    folds: Folds = None,
    train_on: TrainOn = None,
    param: Parameters = None,
    epochs: Epochs = None,
    lr: Lr = None,
    batch: Batch = None,
    max_length: MaxLength = None,
    precision: Precision = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of balance, folds and training; else 42.")
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option(help="Several: how many (5: from 42 on), or which (42,43)."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    data: Data = None,
    fresh: Annotated[bool, typer.Option(help="Start over in --out.")] = False,
    engine: Engine = "processes",
    address: Address = None,
    gpus_per_worker: Gpus = 0,
    part: PartOf = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a system on benchmark tasks and score it; the same command again resumes.

    Examples:

    slant run mbib/racial-bias mbib/gender-bias -s minilm-lr --out runs/minilm --jobs 2

    slant run mbib/fake-news -s tfidf-lr -p C=0.5 --preset official -o runs/official

    slant run open/sentences -s predictions:mine.csv --set folds=10 -o runs/mine

    slant run mbib -s encoder:minilm -o runs/enc --engine ray --address 10.0.0.1:6379

    slant run mbib -s encoder:minilm -o runs/enc --part 3/8

    slant run mbib/racial-bias -s encoder:minilm --epochs 3 --lr 1e-4 --batch 16 -o runs/enc

    slant run vilbias -s fusion:tfidf+color --split 80/10/10 -o runs/holdout

    slant run open/pairs -s tfidf-lr --folds 5 --set target=image -o runs/images

    slant run babe -s tfidf-lr --train-on open/sentences -o runs/open-to-babe

    Several systems are all checked before the first starts. Each has a run directory below --out,
    named after it (encoder:bart: DIR/encoder-bart), and resumes by itself. A parameter goes to each
    system that accepts it; at least one must. Then `slant compare DIR/*` and `slant report DIR/*`.

    slant run mbib --system tfidf-lr,encoder:convbert,encoder:bart --epochs 3 --out runs/five
    """
    from slant.runs.lineups import run_lineup, system_list
    from slant.runs.run import run as run_tasks

    systems = system_list(system)
    params = system_params(
        param, epochs=epochs, lr=lr, batch=batch, max_length=max_length, precision=precision
    )
    with progress(quiet or json_, "cells") as told:
        same: dict[str, Any] = {
            "params": params,
            "preset": preset,
            "options": protocol_changes(set_, split, folds, train_on),
            "seeds": _seeds(seed, seeds),
            "jobs": jobs,
            "data": data,
            "fresh": fresh,
            "progress": told,
            "command": command_line(),
            "engine": engine,
            "address": address,
            "gpus_per_worker": gpus_per_worker,
            "part": part,
        }
        if len(systems) == 1:
            done = [run_tasks(tasks, system, out, **same)]
        else:
            done = run_lineup(tasks, systems, out, **same)
    if part is not None:
        say(f"part {part} is done; after the last one the same command without --part scores")
        if json_:
            document({"runs": [str(one.folder) for one in done], "part": part})
    elif len(systems) == 1:
        show_scores(done[0].folder, json_)
    else:
        show_lineup([one.folder for one in done], json_)


def _seeds(seed: int | None, seeds: str | None) -> list[int]:
    if seed is not None and seeds is not None:
        found = "--seed and --seeds are both given"
        raise OptionError(f"Reading --seeds '{seeds}'", found, "Leave one of them out")
    if seeds is not None:
        return seed_list(seeds)
    return [FIRST_SEED if seed is None else seed]


def score(
    run_directory: Annotated[Path, typer.Argument(help="A run directory.")],
    data: Data = None,
    json_: Json = False,
) -> None:
    """Score a run again from its cells, without predicting again.

    Example: slant score runs/tfidf
    """
    from slant.runs.scoring import score as score_run

    score_run(run_directory, data=data)
    show_scores(run_directory, json_)


def systems(json_: Json = False) -> None:
    """List the systems and their parameters.

    Example: slant systems
    """
    from slant.systems import SYSTEMS

    if json_:
        document(
            {
                name: {"version": one.version, "says": one.says, "extra": one.extra,
                       "parameters": [key.name for key in one.accepts]}
                for name, one in SYSTEMS.items()
            }
        )  # fmt: skip
        return
    rows = [
        [name, one.says, ", ".join(key.name for key in one.accepts), one.extra or ""]
        for name, one in SYSTEMS.items()
    ]
    table(["system", "what it does", "parameters", "extra"], rows)
