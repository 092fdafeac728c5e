"""What is here and what is missing: packages, machine, store, data sets, models, and the commands
that each lack keeps from working. Nothing is imported to find out, and no file is hashed."""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from slant.data.cards import card_names, load_card
from slant.data.files import data_homes
from slant.data.found import Home, matches_in_place
from slant.data.hashes import user_store
from slant.errors import SlantError
from slant.runs.modelplaces import Found, model_places

LEAST_FREE = 2**30
"""Bytes of free disk below which the checkup warns."""

BUILDERS = {"dev", "docs"}
"""Extras for those who work on slant; no command needs them."""

PURPOSES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("slant run", "light systems: controls, lexicon, tfidf-lr", ()),
    ("slant run", "encoders, fine-tuned or frozen", ("encoders",)),
    ("slant run", "bge-small as an encoder", ("encoders", "bge")),
    ("slant run", "pairs of text and image", ("encoders", "vision")),
    ("slant run", "over many machines (--engine ray)", ("cluster",)),
    ("slant train", "a detector of one's own", ("encoders",)),
    ("slant predict", "a corpus scored by a detector", ("encoders",)),
    ("slant predict", "the same by onnxruntime (--runtime onnx)", ("encoders", "onnx")),
    ("slant explain", "which words count", ("encoders",)),
    ("slant explain", "lime and kernel-shap (--methods all)", ("encoders", "explain")),
    ("slant circuit", "which attention heads carry it", ("encoders",)),
    ("slant analyze", "text, tables, Word documents, feeds", ()),
    ("slant analyze", "web pages, PDF, telling languages", ("analyze",)),
    ("slant serve", "the same in a browser", ("web", "analyze")),
    ("slant annotate", "gold sets from annotators' passes", ()),
    ("slant bait", "baselines, scores, codebook", ()),
    ("slant bait", "language models asked", ("llm",)),
    ("slant bait", "a small local model", ("llm", "local")),
    ("slant vilbias", "models asked about text and image", ("llm", "vision")),
    ("slant wiki", "a wiki or its dump", ("wikis",)),
    ("slant embed", "word vectors trained and read", ("embeddings",)),
    ("slant embed", "the official fastText (--trainer fasttext)", ("embeddings", "fasttext")),
    ("slant assoc", "tests of word associations", ("embeddings",)),
)
"""Command, what of it, and the extras that this needs."""


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of the package; "" is the core.

    Fields:
        here: package -> installed version.
        missing: requirements that are not met, as pip reads them.
        do: what to type; "" where nothing is missing.
    """

    name: str
    here: dict[str, str]
    missing: tuple[str, ...]
    do: str


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a command is for, whether it works here, and else what to type."""

    command: str
    what: str
    ready: bool
    do: str


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the work is done. `memory` and `free_disk` in bytes, None if unknown; `free_disk` is
    that of the store."""

    slant: str
    python: str
    system: str
    cores: int
    memory: int | None
    store: str
    writable: bool
    free_disk: int | None


@dataclass(frozen=True, slots=True)
class Checkup:
    """All of it. `broken`: what keeps even the core from working; `warnings`: what may."""

    machine: Machine
    extras: tuple[Extra, ...]
    purposes: tuple[Purpose, ...]
    data: tuple[Found, ...]
    models: tuple[Found, ...]
    broken: tuple[str, ...]
    warnings: tuple[str, ...]


def examine_surroundings() -> Checkup:
    """Look at everything that the commands need.

    Returns:
        What was found. `broken` is empty where the core works: its packages are installed, the
        embedded data are there, the store can be written and SLANT_DATA is a folder.
    """
    extras = _extras()
    machine = _machine()
    broken, homes = [], [user_store()]
    try:
        homes = data_homes(None)
    except SlantError as error:
        broken.append(str(error))
    core = extras[0]
    if core.missing:
        broken.append(f"The core lacks {', '.join(core.missing)}. {core.do}.")
    if not machine.writable:
        do = "Give another folder in SLANT_CACHE, or mend its permissions"
        broken.append(f"The store '{machine.store}' cannot be written. {do}.")
    if not Path(__file__).parents[1].joinpath("data/samples/sentences.jsonl").is_file():
        broken.append("The embedded data are missing from the package. Install slant again.")
    warnings = []
    if machine.free_disk is not None and machine.free_disk < LEAST_FREE:
        warnings.append("Less than 1 GB is free where the store lies. Make room, or move it.")
    return Checkup(
        machine,
        extras,
        purposes(extras),
        _data(homes),
        model_places(),
        tuple(broken),
        tuple(warnings),
    )


def purposes(extras: Sequence[Extra]) -> tuple[Purpose, ...]:
    """Which purposes of the commands the extras that are here serve.

    >>> here = [Extra("web", {}, (), ""), Extra("analyze", {}, ("pypdf>=5",), "")]
    >>> [(one.ready, one.do) for one in purposes(here) if one.command == "slant serve"]
    [(False, 'pip install "slant[analyze]"')]
    """
    whole = {extra.name for extra in extras if not extra.missing}
    return tuple(
        Purpose(
            command, what, whole.issuperset(needs), _install([n for n in needs if n not in whole])
        )
        for command, what, needs in PURPOSES
    )


def _install(names: Sequence[str]) -> str:
    return f'pip install "slant[{",".join(names)}]"' if names else ""


@cache
def _requirements() -> dict[str, tuple[str, ...]]:
    """Extra -> its requirements, as the installed package states them; "" is the core."""
    found: dict[str, list[str]] = {"": []}
    for line in requires("slant") or ():
        requirement, _, condition = line.partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", condition)
        found.setdefault(extra[1] if extra else "", []).append(requirement.strip())
    return {name: tuple(sorted(found[name])) for name in sorted(found) if name not in BUILDERS}


def _extras() -> tuple[Extra, ...]:
    extras = []
    for name, requirements in _requirements().items():
        here, missing = {}, []
        for requirement in requirements:
            package = re.split(r"[\[<>=!~ ]", requirement, maxsplit=1)[0]
            try:
                here[package] = version(package)
            except PackageNotFoundError:
                missing.append(requirement)
                continue
            if too_old(here[package], requirement):
                missing.append(requirement)
        do = _install([name]) if name else "pip install slant"
        extras.append(Extra(name, here, tuple(missing), do if missing else ""))
    return tuple(extras)


def too_old(installed: str, requirement: str) -> bool:
    """Whether a version is below the lowest that a requirement allows.

    Args:
        installed: e.g. "2.13.0+cpu"; what follows the numbers is not compared.
        requirement: e.g. "torch>=2.4"; only `>=` is read.

    >>> too_old("2.13.0+cpu", "torch>=2.4"), too_old("1.9", "torch>=1.10"), too_old("1", "x")
    (False, True, False)
    """
    lowest = re.search(r">=\s*([\d.]+)", requirement)
    if not lowest:
        return False
    numbers = [
        [int(part) for part in re.findall(r"\d+", re.match(r"[\d.]*", text)[0])]  # type: ignore[index]
        for text in (installed, lowest[1])
    ]
    longest = max(map(len, numbers))
    have, need = ([*one, *[0] * (longest - len(one))] for one in numbers)
    return have < need


def _machine() -> Machine:
    store = user_store()
    there = next((one for one in (store, *store.absolute().parents) if one.exists()), None)
    return Machine(
        slant=version("slant"),
        python=platform.python_version(),
        system=platform.platform(terse=True),
        cores=len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1,
        memory=_memory(),
        store=str(store),
        writable=_writable(there),
        free_disk=shutil.disk_usage(there).free if there else None,
    )


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _writable(folder: Path | None) -> bool:
    """Whether a file can be made in the folder; it is tried, since permissions say only half."""
    if folder is None:
        return False
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _data(homes: Sequence[Path]) -> tuple[Found, ...]:
    """The data sets whose folder or files lie where they are looked for first, by name alone."""
    searched = [Home(home) for home in homes if home.is_dir()]
    found = []
    for name in card_names():
        card = load_card(name)
        hits = (
            hit[0] for home in searched for form in card.forms
            if (hit := matches_in_place(home, card, form))
        )  # fmt: skip
        place = next(hits, None)
        do = "" if place else f"slant data show {card.public_name}"
        if not place and card.downloads:
            do = f"slant data fetch {card.public_name}"
        found.append(Found(card.public_name, card.short, str(place) if place else None, do))
    return tuple(found)
