"""Options that several commands take, each written once."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from slant.errors import OptionError

Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of the data (else SLANT_DATA, else the store)."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
Preset = Annotated[str, typer.Option(help="clean or official.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="One choice changed: NAME=VALUE; repeatable.")
]
Parameters = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="Of the system: NAME=VALUE.")
]
Split = Annotated[
    str | None,
    typer.Option("--split", metavar="A/B/C", help="One split into train, dev, test: 80/10/10."),
]
Folds = Annotated[
    int | None, typer.Option("--folds", min=2, help="Cross-validation; a fresh model per fold.")
]
TrainOn = Annotated[
    str | None,
    typer.Option("--train-on", metavar="TASK", help="Train on all of it, test on all of TASKS."),
]
Engine = Annotated[
    str, typer.Option("--engine", help="processes, or ray: a cluster; see docs/clusters.md.")
]
Address = Annotated[
    str | None,
    typer.Option("--address", help="Of the cluster: HOST:PORT, ray://HOST:PORT or auto."),
]
Gpus = Annotated[
    int, typer.Option("--gpus-per-worker", min=0, help="GPUs that each worker has for itself.")
]
PartOf = Annotated[
    str | None, typer.Option("--part", help="3/8: the third of eight parts, for a queue of jobs.")
]
Epochs = Annotated[
    str | None, typer.Option(metavar="N", help="Rounds over train at most, as -p epochs=N.")
]
Lr = Annotated[
    str | None, typer.Option("--lr", metavar="X", help="Highest learning rate, as -p lr=X.")
]
Batch = Annotated[str | None, typer.Option(metavar="N", help="Texts of a step, as -p batch=N.")]
MaxLength = Annotated[
    str | None, typer.Option(metavar="N", help="Tokens of a text, as -p max_length=N.")
]
Precision = Annotated[
    str | None, typer.Option(metavar="NAME", help="float32 or bf16, as -p precision=NAME.")
]

Positive = Annotated[list[str] | None, typer.Option(help="Label that means biased; repeatable.")]
Negative = Annotated[
    list[str] | None,
    typer.Option(help="Label that means not biased; repeatable, not needed where two occur."),
]


def pairs(given: list[str] | None, option: str) -> dict[str, str]:
    """NAME=VALUE arguments as a dict."""
    pairs: dict[str, str] = {}
    for text in given or []:
        name, sign, value = text.partition("=")
        if not sign or not name:
            # What is meant for a provider may be a key.
            shown = option if option == "--model-arg" else f"{option} '{text}'"
            found, do = "it has no NAME=VALUE", f"Write {option} NAME=VALUE"
            raise OptionError(f"Reading {shown}", found, do)
        pairs[name] = value
    return pairs


def protocol_changes(
    given: list[str] | None, split: str | None, folds: int | None, train_on: str | None = None
) -> dict[str, str]:
    """The choices of a protocol, given by --set, or by --split, --folds or --train-on.

    Args:
        given: the NAME=VALUE arguments.
        split, folds: as `tasks.splits.split_changes` takes them.
        train_on: the task that is trained on, None for those that are tested.

    Raises:
        OptionError: one choice is given in both ways, with two values.
    """
    from slant.tasks.splits import split_changes

    changes = pairs(given, "--set")
    for name, value in split_changes(split, folds).items():
        if changes.setdefault(name, value) != value:
            option = f"--split {split}" if split is not None else f"--folds {folds}"
            found = f"--set {name}={changes[name]} was given too"
            raise OptionError(f"Reading {option}", found, "Give one of them")
    if train_on is not None and changes.setdefault("train_on", train_on) != train_on:
        found = f"--set train_on={changes['train_on']} was given too"
        raise OptionError(f"Reading --train-on {train_on}", found, "Give one of them")
    return changes


def system_params(given: list[str] | None, **direct: str | None) -> dict[str, str]:
    """The parameters of a system, given by --param or by an option of their own.

    Args:
        given: the NAME=VALUE arguments.
        direct: the values of the options, None where one was not given.
    """
    params = pairs(given, "--param")
    for name, value in direct.items():
        if value is None:
            continue
        option = f"--{name.replace('_', '-')}"
        if params.setdefault(name, value) != value:
            raise OptionError(
                f"Reading {option} {value}", f"--param {name}={params[name]} was given too",
                "Give one of them",
            )  # fmt: skip
    return params


def command_line() -> str:
    """The command of this process without keys, for the record of what it made."""
    from slant.runs.secretkeys import scrubbed

    return scrubbed(shlex.join(["slant", *sys.argv[1:]]))


def seed_numbers(text: str) -> list[int]:
    """The seeds of --seeds, a list with commas.

    Args:
        text: as it was typed.

    Raises:
        OptionError: one is no whole number.
    """
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        found = "it is not a list of whole numbers"
        do = "Write for example 0,1,2"
        raise OptionError(f"Reading --seeds '{text}'", found, do) from None


FIRST_SEED, MOST_SEEDS = 42, 40
"""Where a number of seeds begins, and the largest: 42 alone is meant for --seed, and refused."""


def seed_list(text: str) -> list[int]:
    """The seeds of an option: how many, from 42 on, or the seeds themselves.

    Raises:
        OptionError: it is no whole number, or a list of other things.

    >>> seed_list("3"), seed_list("7,8"), seed_list("7,")
    ([42, 43, 44], [7, 8], [7])
    """
    asked = f"Reading --seeds '{text}'"
    do = "Write how many, as 5, or the seeds themselves, as 42,43 (one alone: 42,)"
    try:
        numbers = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise OptionError(asked, "it has more than whole numbers", do) from None
    if "," in text:
        return numbers
    if not numbers or not 1 <= numbers[0] <= MOST_SEEDS:
        raise OptionError(asked, f"it is no number of seeds from 1 to {MOST_SEEDS}", do)
    return list(range(FIRST_SEED, FIRST_SEED + numbers[0]))
