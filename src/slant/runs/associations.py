"""Associations of word sets in one or more corpora: tested, compared, summed up in one document."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import slant
from slant.embeddings.setfiles import read_sets
from slant.embeddings.testnames import BATTERIES, asked_tests
from slant.embeddings.wordsets import FactTest, SetTest
from slant.errors import RunError, SlantError, WorkFailed, unknown_name
from slant.runs.associationcells import Kind
from slant.runs.associationsettings import LEVEL, AssociationSettings, checked_settings
from slant.runs.associationsummary import (
    CORRECTIONS,
    association_signature,
    check_family,
    corrected,
    sets_of,
    vectors_record,
)
from slant.runs.associationwork import Asked, all_cells, all_sources, worked_cells
from slant.runs.corpora import corpora_of, shuffled_of
from slant.runs.engine import Progress, default_jobs
from slant.runs.nearestwords import neighbours_record
from slant.runs.outsidequantities import read_quantity
from slant.runs.results import Associations
from slant.runs.run import quiet
from slant.runs.store import only_writer, write_json
from slant.runs.workers import PROCESSES, Workers, ready_workers
from slant.stats.maxt import max_t

FILE = "associations.json"
MAX_T = "max-t"
MAX_T_DRAWS = 100_000


def associate(
    vectors: Sequence[Path | str],
    sets: Path | str,
    *,
    tests: Sequence[str] | None = None,
    settings: AssociationSettings | None = None,
    against: str | None = None,
    family: int | None = None,
    correction: str = "bonferroni",
    neighbours: Sequence[str] = (),
    outside: str | None = None,
    shuffled: Mapping[str, Path | str] | None = None,
    jobs: int | None = None,
    out: Path | str | None = None,
    progress: Progress = quiet,
) -> Associations:
    """Test the associations of word sets in corpora, and compare the corpora.

    What each choice changes stands in docs/associations.md. Cells - one test on one corpus by one
    method - lie in OUT/cells and are not made again, so that a killed run goes on where it was.

    Args:
        vectors: each one corpus: a file of vectors, or a folder that `slant embed train` wrote.
        sets: a file of word sets; see `setfiles.read_sets`.
        tests: which; see `testnames.asked_tests`. None: all of the file.
        settings: the choices; None: the usual ones.
        against: the corpus that each other one is compared with; None: every pair.
        family: how many tests are corrected together; None: those of this run.
        correction: which of the adjusted p-values a report shows.
        neighbours: words whose nearest words are wanted.
        outside: FILE or FILE:COLUMN or FILE:COLUMN:WEIGHT; see `outsidequantities.read_quantity`.
        shuffled: corpus -> folder of replicas of its shuffled documents, among whose effects that
            of the corpus is placed.
        jobs: processes; None: one per core.
        out: the run directory; None: nothing is kept.
        progress: called with cells done, cells in all, and what is done.

    Returns:
        The content of OUT/associations.json, which is written.

    Raises:
        SlantError: bad options, files or sets (a set of which no word is known, a word on both
            sides of a test) before the long work starts; the disk.
    """
    chosen = checked_settings(settings or AssociationSettings())
    if correction not in (known := [*CORRECTIONS, MAX_T, "none"]):
        raise unknown_name("correction", correction, known)
    read = read_sets(Path(sets))
    set_tests, facts = asked_tests(read, tests)
    corpora = corpora_of([Path(one) for one in vectors])
    asked = Asked(
        read.source,
        set_tests,
        facts,
        any(name not in BATTERIES for name in tests or ()),
        corpora,
        shuffled_of({name: Path(one) for name, one in (shuffled or {}).items()}, corpora),
        _pairs([one.name for one in corpora], against),
        tuple(dict.fromkeys(neighbours)),
        read_quantity(outside) if outside else None,
    )
    workers = ready_workers(jobs, default_jobs(), PROCESSES, None, 0)
    with _place(out) as folder:
        content = _associated(asked, chosen, family, correction, workers, folder, progress)
        if out is not None:
            write_json(folder / FILE, content)
    return Associations(content)


@contextmanager
def _place(out: Path | str | None) -> Iterator[Path]:
    if out is None:
        with tempfile.TemporaryDirectory(prefix="slant-assoc-") as temporary:
            yield Path(temporary)
        return
    folder = Path(out).resolve()
    if folder.exists() and not folder.is_dir():
        found = "a file has this name"
        raise RunError(f"Writing to the run directory '{out}'", found, "Choose another --out")
    began = not (folder / "cells").exists()
    with only_writer(folder):
        try:
            yield folder
        except WorkFailed:
            raise
        except SlantError:
            # Refused before the first test: what was taken out of the vectors is of no use.
            if began and not any((folder / "cells" / kind).exists() for kind in get_args(Kind)):
                shutil.rmtree(folder / "cells", ignore_errors=True)
            raise


def _pairs(names: Sequence[str], against: str | None) -> list[tuple[str, str]]:
    if against is None:
        return list(combinations(names, 2))
    if against not in names:
        raise unknown_name("corpus", against, names)
    return [(name, against) for name in names if name != against]


def _associated(
    asked: Asked,
    settings: AssociationSettings,
    family: int | None,
    correction: str,
    workers: Workers,
    folder: Path,
    progress: Progress,
) -> dict[str, Any]:
    sources, shuffled = all_sources(asked, settings, workers, folder, progress)
    replicas = {name: one.read() for name, one in sources.items()}
    cells, left_out = all_cells(asked, settings, sources, shuffled, replicas, folder)
    check_family(family, sum(cell.kind == "test" for cell in cells))
    left = worked_cells(cells, workers, progress)
    tests = left["test"]
    size = corrected(tests, family)
    _largest(tests, settings)
    corrected(left["compared"], None)
    every: list[SetTest | FactTest] = [*asked.tests, *asked.facts]
    return {
        "slant": slant.__version__,
        "signature": association_signature(asked.source, every, asked.corpora, settings),
        "level": LEVEL,
        "resamples": settings.resamples,
        "permutations": settings.permutations,
        "seed": settings.seed,
        "alternative": settings.alternative,
        "strict": settings.strict,
        "deviation": settings.deviation,
        "unequal": settings.unequal,
        "case": settings.case,
        "outside": settings.outside_vocabulary,
        "correction": correction,
        "family": size,
        "sets": {name: list(one.words) for name, one in sets_of(every).items()},
        "vectors": {
            corpus.name: vectors_record(corpus, replicas[corpus.name], every)
            for corpus in asked.corpora
        },
        "left_out": left_out,
        "tests": tests,
        "facts": left["fact"],
        "measures": [one for record in left["measures"] for one in record["values"]],
        "compared": left["compared"],
        "neighbours": neighbours_record(asked.neighbours, asked.corpora, settings, workers, folder),
    }


def _largest(tests: Sequence[dict[str, Any]], settings: AssociationSettings) -> None:
    """Fill `adjusted` by maxT: tests of the same words are relabelled together."""
    having = [one for one in tests if one["p"] is not None]
    samples = [tuple([h for _, h in one["values"][role]] for role in "xy") for one in having]
    words = [tuple(tuple(w for w, _ in one["values"][role]) for role in "xy") for one in having]
    draws = min(settings.permutations, MAX_T_DRAWS)
    found = max_t(
        [(x, y) for x, y in samples], words, alternative=settings.alternative,
        permutations=draws, seed=settings.seed,
    )  # fmt: skip
    for one in tests:
        one["adjusted"][MAX_T] = None
    for one, p in zip(having, found, strict=True):
        one["adjusted"][MAX_T] = float(p)
