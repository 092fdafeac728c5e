"""The work of a run of associations: which cells there are, and who works them off."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from slant.embeddings.measures import MEASURES, measured
from slant.embeddings.wordsets import FactTest, SetTest
from slant.errors import RunError
from slant.runs.associationcells import Cell, Kind, Source, read_cell, tested, write_cell
from slant.runs.associationsettings import AssociationSettings, Method, digest_of
from slant.runs.associationsummary import sets_of
from slant.runs.comparedcorpora import compared
from slant.runs.corpora import Corpus
from slant.runs.engine import Progress
from slant.runs.locatedtests import UnknownSet, located
from slant.runs.outsidequantities import Quantity
from slant.runs.singlewords import single_words
from slant.runs.wordvectors import LAYOUT, Extract, Replica, extracted
from slant.runs.workers import Workers, fewer, worked_off
from slant.systems.threads import one_blas_thread
from slant.types import Floats, Undefined


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run is asked for, read and checked.

    Fields:
        source: the file of word sets.
        tests, facts: of sets and of single words.
        named: whether these were asked for by name, each alone: no battery.
        corpora: whose vectors are looked at.
        shuffled: name of a corpus -> replicas of its shuffled documents.
        pairs: of corpora that are compared.
        neighbours: words whose nearest words are wanted.
        quantity: outside quantity that single words' values are held against.
    """

    source: str
    tests: Sequence[SetTest]
    facts: Sequence[FactTest]
    named: bool
    corpora: Sequence[Corpus]
    shuffled: Mapping[str, Corpus]
    pairs: Sequence[tuple[str, str]]
    neighbours: tuple[str, ...]
    quantity: Quantity | None


def all_sources(
    asked: Asked,
    settings: AssociationSettings,
    workers: Workers,
    folder: Path,
    progress: Progress,
) -> tuple[dict[str, Source], dict[str, Source]]:
    """Take the vectors of all words of the run out of each file that has not been read yet.

    Returns:
        By corpus: where they lie; and by corpus: where those of its shuffled documents lie.
    """
    every = sets_of([*asked.tests, *asked.facts])
    words = tuple(sorted({word for one in every.values() for word in one.words}))
    corpora = [*asked.corpora, *asked.shuffled.values()]
    jobs: dict[str, list[Extract]] = {one.fingerprint: [] for one in corpora}
    for corpus in corpora:
        for file, fingerprint in zip(corpus.files, corpus.fingerprints, strict=True):
            job = Extract(
                file,
                words,
                settings.deviation == "vocabulary",
                settings.case,
                settings.outside_vocabulary,
                Path(),
            )
            facts = {name: one for name, one in asdict(job).items() if name not in ("file", "path")}
            name = f"{file.stem}.{digest_of(fingerprint, facts, LAYOUT)}.npz"
            path = folder / "cells" / "vectors" / corpus.name / name
            jobs[corpus.fingerprint].append(replace(job, path=path))
    todo = [job for one in jobs.values() for job in one]
    progress(0, len(todo), "reading vectors")
    for number, job in enumerate(worked_off(extracted, todo, fewer(workers, len(todo))), 1):
        progress(number, len(todo), f"read {job.file.name}")
    sources = [
        Source(
            corpus.name,
            tuple(job.path for job in jobs[corpus.fingerprint][: len(corpus.files)]),
            tuple(file.stem for file in corpus.files),
            corpus.fingerprint,
            corpus.replicas,
        )
        for corpus in corpora
    ]
    number = len(asked.corpora)
    return (
        {one.name: one for one in sources[:number]},
        dict(zip(asked.shuffled, sources[number:], strict=True)),
    )


def all_cells(
    asked: Asked,
    settings: AssociationSettings,
    sources: Mapping[str, Source],
    shuffled: Mapping[str, Source],
    replicas: Mapping[str, Sequence[Replica]],
    folder: Path,
) -> tuple[list[Cell], list[dict[str, str]]]:
    """The cells of a run, in the order of its records, once it is sure that none will fail.

    Returns:
        The cells; and the tests that are left out, each with "name", "vectors" and "why": of a
        file's tests that nobody named, those with a set of which a corpus knows no word.
    Raises:
        UnknownSet: such a test that was asked for by name, or no other one.
        DataError: see `located`.
    """
    cells: list[Cell] = []
    out: dict[tuple[str, str], UnknownSet] = {}

    def add(kind: Kind, test: SetTest | FactTest, method: Method, names: Sequence[str]) -> None:
        try:
            located(test, {name: replicas[name] for name in names}, settings)
        except UnknownSet as why:
            if asked.named:
                raise
            out.setdefault((test.name, " and ".join(names)), why)
            return
        of = tuple(sources[name] for name in names)
        if kind == "test" and names[0] in shuffled:
            of = (*of, shuffled[names[0]])
        quantity = asked.quantity if kind == "fact" else None
        cell = Cell(kind, test, method, of, settings, Path(), quantity)
        cells.append(replace(cell, path=folder / "cells" / kind / _cell_name(cell)))

    for test in asked.tests:
        for name in sources:
            for method in settings.methods:
                add("test", test, method, [name])
            if settings.measures:
                add("measures", test, settings.methods[0], [name])
    for fact in asked.facts:
        for name in sources:
            for method in settings.methods:
                add("fact", fact, method, [name])
    for test in asked.tests:
        for pair in asked.pairs:
            for method in settings.methods:
                add("compared", test, method, pair)
    if out and not cells:
        raise next(iter(out.values()))
    left_out = [
        {"name": test, "vectors": names, "why": why.found} for (test, names), why in out.items()
    ]
    return cells, left_out


def worked_cells(
    cells: Sequence[Cell], workers: Workers, progress: Progress
) -> dict[Kind, list[dict[str, Any]]]:
    """Work off the cells that are not there; the files do not depend on who does.

    Returns:
        What all cells say, by kind, in their order.
    """
    todo = [cell for cell in cells if read_cell(cell.path) is None]
    done = len(cells) - len(todo)
    progress(done, len(cells), "testing")
    for cell in worked_off(worked, todo, fewer(workers, len(todo))):
        done += 1
        names = " and ".join(one.name for one in cell.sources)
        progress(done, len(cells), f"{cell.test.name} {names}")
    left: dict[Kind, list[dict[str, Any]]] = {
        "test": [], "fact": [], "measures": [], "compared": []
    }  # fmt: skip
    for cell in cells:
        content = read_cell(cell.path)
        if content is None:
            found = "it is damaged as soon as it is written"
            raise RunError(f"Reading '{cell.path}'", found, "Check the disk, and run again")
        left[cell.kind].append(content)
    return left


def worked(cell: Cell) -> Cell:
    """Do the work of one cell and leave its file."""

    does = {"test": tested, "fact": single_words, "measures": measures, "compared": compared}
    # One thread: sums of floats come out the same whatever the number of workers.
    with one_blas_thread():
        write_cell(cell.path, does[cell.kind](cell))
    return cell


def measures(cell: Cell) -> dict[str, Any]:
    """Other measures of a test on one corpus, each the mean over replicas.

    Args:
        cell: of one source and a test of sets.

    Returns:
        "values": a record for each measure and the sets that it takes.
    """
    replicas = cell.sources[0].read()
    where = located(cell.test, {cell.sources[0].name: replicas}, cell.settings)
    names = {
        paired: [one for one in cell.settings.measures if MEASURES[one].paired is paired]
        for paired in (False, True)
    }
    pairs = _pairs(cell.test, where.words)
    each = [
        [
            *measured(_arrays(where.words, replica), names[False]),
            *measured(_arrays(pairs, replica), names[True]),
        ]
        for replica in replicas
    ]
    values = []
    for found in zip(*each, strict=True):
        numbers = [one.value for one in found if not isinstance(one.value, Undefined)]
        whole = len(numbers) == len(found)
        record = {
            "name": cell.test.name,
            "vectors": cell.sources[0].name,
            "measure": found[0].measure,
            "sets": list(found[0].sets),
            "value": sum(numbers) / len(numbers) if whole else None,
        }
        why = [one.value.why for one in found if isinstance(one.value, Undefined)]
        values.append(record if whole else record | {"why": why[0]})
    return {"values": values}


def _pairs(test: SetTest | FactTest, words: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The same sets, X and Y cut to the pairs of which both words are known."""
    found = {role: list(one) for role, one in words.items()}
    if isinstance(test, SetTest) and len(test.x.words) == len(test.y.words):
        known = [
            (x, y)
            for x, y in zip(test.x.words, test.y.words, strict=True)
            if x in words["x"] and y in words["y"]
        ]
        found["x"], found["y"] = [x for x, _ in known], [y for _, y in known]
    return found


def _arrays(words: Mapping[str, Sequence[str]], replica: Replica) -> dict[str, Floats]:
    return {
        role: np.array([replica.vectors[word] for word in one]).reshape(-1, replica.dimensions)
        for role, one in words.items()
    }


def _cell_name(cell: Cell) -> str:
    """Readable, with a digest of all that the cell depends on."""
    plain = re.sub(r"[^\w.-]+", "-", cell.test.name)[:80]
    names = "-".join(one.name for one in cell.sources)[:60]
    choices = cell.settings.fields()
    choices.pop("methods")
    if cell.kind != "measures":
        choices.pop("measures")
    facts = [
        cell.kind,
        asdict(cell.test),
        cell.method,
        [[one.name, one.fingerprint, one.replicas] for one in cell.sources],
        choices,
        None if cell.quantity is None else asdict(cell.quantity),
    ]
    return f"{plain}.{names}.{cell.method}.{digest_of(*facts)}.json"
