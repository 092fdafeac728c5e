"""The nearest words of a run of associations: found once for each corpus and kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slant.data.writing import intact, sealed
from slant.embeddings.neighbours import Near, neighbours_of
from slant.embeddings.vectors import Case, Outside, read_vectors
from slant.errors import RunError
from slant.runs.associationsettings import AssociationSettings, digest_of
from slant.runs.corpora import Corpus
from slant.runs.workers import Workers, fewer, worked_off

NEIGHBOURS = 10


@dataclass(frozen=True, slots=True)
class Nearest:
    """What is looked for in one corpus.

    Fields:
        corpus: its name.
        files: one for each replica.
        words: whose neighbours.
        case, outside: how they are looked up.
        path: of the file that is left.
    """

    corpus: str
    files: tuple[Path, ...]
    words: tuple[str, ...]
    case: Case
    outside: Outside
    path: Path


def neighbours_record(
    words: Sequence[str],
    corpora: Sequence[Corpus],
    settings: AssociationSettings,
    workers: Workers,
    folder: Path,
) -> dict[str, dict[str, Near]]:
    """Word -> corpus -> its nearest words by the cosine, mean over replicas; a corpus that has no
    vector for the word is left out.

    Args:
        words: whose neighbours.
        corpora: whose vectors are looked at.
        settings: of the run.
        workers: who look.
        folder: of the run.
    """
    jobs = []
    for corpus in corpora if words else ():
        rule = (settings.case, settings.outside_vocabulary)
        name = f"{digest_of(corpus.fingerprint, words, rule, NEIGHBOURS)}.json"
        path = folder / "cells" / "neighbours" / corpus.name / name
        jobs.append(Nearest(corpus.name, corpus.files, tuple(words), *rule, path))
    found: dict[str, dict[str, Near]] = {word: {} for word in words}
    for job in worked_off(_look, jobs, fewer(workers, len(jobs))):
        for word, near in _read(job.path).items():
            if near is not None:
                found[word][job.corpus] = near
    return {word: {job.corpus: by[job.corpus] for job in jobs if job.corpus in by}
            for word, by in found.items()}  # fmt: skip


def _look(job: Nearest) -> Nearest:
    from threadpoolctl import threadpool_limits

    if intact(job.path) is None:
        # One thread: sums of floats come out the same whatever the number of workers.
        with threadpool_limits(limits=1):
            near = neighbours_of(
                (read_vectors(file) for file in job.files), job.words,
                top=NEIGHBOURS, case=job.case, outside=job.outside,
            )  # fmt: skip
        sealed(
            job.path, lambda path: path.write_text(json.dumps(near, ensure_ascii=False), "utf-8")
        )
    return job


def _read(path: Path) -> dict[str, Near | None]:
    content = intact(path)
    if content is None:
        found = "it is absent or damaged"
        raise RunError(f"Reading '{path}'", found, "Run the same command again")
    return {
        word: None if near is None else [(other, cosine) for other, cosine in near]
        for word, near in json.loads(content).items()
    }
