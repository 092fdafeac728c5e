"""The vectors of the words of a run, taken out of each replica once and kept beside the results."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from slant.data.writing import intact, sealed
from slant.embeddings.association import Measure
from slant.embeddings.directions import vocabulary_covariance
from slant.embeddings.vectors import Case, Outside, Vectors, found, read_vectors
from slant.errors import DataError, RunError
from slant.types import Floats

WHOLE = 1 << 30
"""Bytes: a larger file of vectors is read for the words of the tests only, if that will do."""
LAYOUT = 3
"""Of what is left; part of the file's name."""
_MEASURES: tuple[Measure, ...] = ("cosine", "projection")


@dataclass(frozen=True, slots=True)
class Extract:
    """What is taken out of one file of vectors.

    Fields:
        file: of one replica.
        words: whose vectors are wanted.
        spread: whether the covariance of the vocabulary is wanted, for the deviation "vocabulary".
        case, outside: how words are looked up.
        path: of the file that is left.
    """

    file: Path
    words: tuple[str, ...]
    spread: bool
    case: Case
    outside: Outside
    path: Path


@dataclass(frozen=True, eq=False, slots=True)
class Replica:
    """What was taken out of one file.

    Fields:
        vectors: word as asked -> its vector.
        missing, by_grams: words without one, and with one from n-grams.
        size, dimensions: of the vocabulary (None where a large file was not read whole), and of
            each vector.
        grams: whether vectors are made of n-grams, as fastText's are.
        counts: of those words whose frequency is known.
        covariances: measure -> (dimensions, dimensions) the covariance of all words' vectors, of
            length 1 for the cosine; empty where it was not wanted.
    """

    vectors: dict[str, Floats]
    missing: tuple[str, ...]
    by_grams: tuple[str, ...]
    size: int | None
    dimensions: int
    grams: bool
    counts: dict[str, int]
    covariances: dict[Measure, Floats]


def extracted(job: Extract) -> Extract:
    """Take out what is wanted and leave it in the job's file, if it is not there yet.

    Raises:
        DataError: the file is damaged, or one of the words has a zero vector. WorkFailed: the disk.
    """
    from threadpoolctl import threadpool_limits

    if intact(job.path) is None:
        # One thread: sums of floats come out the same whatever the number of workers.
        with threadpool_limits(limits=1):
            arrays, facts = _taken(job)
        text = np.frombuffer(json.dumps(facts, ensure_ascii=False).encode(), np.uint8)

        def write(path: Path) -> None:
            with path.open("wb") as file:
                np.savez(file, facts=text, **arrays)  # type: ignore[arg-type]

        sealed(job.path, write)
    return job


def read_extract(path: Path) -> Replica:
    """What `extracted` left.

    Raises:
        RunError: it is absent or damaged.
    """
    content = intact(path)
    if content is None:
        found_ = "it is absent or damaged"
        raise RunError(f"Reading '{path}'", found_, "Run the same command again")
    with np.load(io.BytesIO(content)) as arrays:
        facts = json.loads(arrays["facts"].tobytes())
        covariances: dict[Measure, Floats] = {
            measure: arrays[measure] for measure in _MEASURES if measure in arrays.files
        }
        matrix = arrays["matrix"]
    return Replica(
        dict(zip(facts["words"], matrix, strict=True)),
        tuple(facts["missing"]),
        tuple(facts["by_grams"]),
        facts["size"],
        facts["dimensions"],
        facts["grams"],
        facts["counts"],
        covariances,
    )


def _taken(job: Extract) -> tuple[dict[str, Floats], dict[str, Any]]:
    whole = job.spread or job.file.stat().st_size <= WHOLE
    vectors = read_vectors(job.file, keep=None if whole else job.words)
    of_words = found(vectors, job.words, case=job.case, outside=job.outside)
    _check_lengths(of_words.words, of_words.matrix, job.file)
    arrays: dict[str, Floats] = {"matrix": of_words.matrix}
    if job.spread:
        arrays["projection"] = vocabulary_covariance(vectors.matrix, "projection")
        arrays["cosine"] = vocabulary_covariance(vectors.matrix, "cosine")
    facts = {
        "words": of_words.words,
        "missing": of_words.missing,
        "by_grams": of_words.by_grams,
        "size": len(vectors.rows) if whole else None,
        "dimensions": vectors.matrix.shape[1],
        "grams": vectors.grams is not None,
        "counts": _counts(vectors, of_words.words),
    }
    return arrays, facts


def _check_lengths(words: Sequence[str], rows: Floats, file: Path) -> None:
    for word, row in zip(words, rows, strict=True):
        if not row.any():
            asked, found_ = f"Reading the vectors '{file}'", f"that of '{word}' is zero"
            raise DataError(asked, found_, "Leave the word out of the sets: it has no direction")


def _counts(vectors: Vectors, words: Collection[str]) -> dict[str, int]:
    counts = vectors.counts or {}
    found_ = {word: counts.get(word, counts.get(word.lower(), 0)) for word in words}
    return {word: int(count) for word, count in found_.items() if count}
