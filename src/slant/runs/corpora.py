"""The corpora of a run of associations: each a file of vectors, or a folder of trained replicas."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slant.embeddings.vectors import read_embedding, replica_files
from slant.errors import DataError, OptionError, unknown_name
from slant.stats.crossed import Replicas


@dataclass(frozen=True, slots=True)
class Corpus:
    """One corpus and the files of its vectors.

    Fields:
        name: of the folder, or of the file without its suffix.
        files: one for each replica.
        fingerprints: SHA-256 of each file.
        replicas: what tells them apart.
    """

    name: str
    files: tuple[Path, ...]
    fingerprints: tuple[str, ...]
    replicas: Replicas

    @property
    def fingerprint(self) -> str:
        """SHA-256 over those of the files."""
        return hashlib.sha256("".join(self.fingerprints).encode()).hexdigest()


def corpora_of(vectors: Sequence[Path]) -> list[Corpus]:
    """The corpora that were given.

    Args:
        vectors: each a file of vectors or a folder that `slant embed train` wrote.

    Raises:
        DataError: one is absent or cannot be read. RunError: a folder holds no embedding, or lacks
            a replica. OptionError: two have the same name.
    """
    found: dict[str, Corpus] = {}
    for path in vectors:
        asked = f"Reading the vectors '{path}'"
        if not path.exists():
            raise DataError(asked, "there is no such file or folder", "Check the path")
        # Absolute: processes that joblib kept from an earlier run may stand in another folder.
        place = path.resolve()
        files = tuple(replica_files(place)) if place.is_dir() else (place,)
        name = place.name if place.is_dir() else _stem(place)
        if name in found:
            others = f"'{found[name].files[0]}' has the name '{name}' too"
            raise OptionError(asked, others, "Give each corpus a folder or file name of its own")
        found[name] = Corpus(
            name, files, tuple(_digest(one, asked) for one in files), _kind(place, files)
        )
    if not found:
        raise OptionError("Reading vectors", "none were given", "Give one or more files or folders")
    return list(found.values())


def shuffled_of(given: Mapping[str, Path], corpora: Sequence[Corpus]) -> dict[str, Corpus]:
    """Replicas of shuffled documents that corpora are held against.

    Args:
        given: name of a corpus -> folder that `slant embed train --documents shuffled` wrote.
        corpora: of the run.

    Raises:
        UnknownName: no such corpus. OptionError: the folder's documents were not shuffled. What
            `corpora_of` raises.
    """
    found: dict[str, Corpus] = {}
    for name, folder in given.items():
        if name not in (known := [one.name for one in corpora]):
            raise unknown_name("corpus", name, known)
        (found[name],) = corpora_of([folder])
        record = read_embedding(folder) if folder.is_dir() else {}
        if record.get("documents") != "shuffled":
            asked = f"Reading --shuffled {name}={folder}"
            do = "Give a folder of `slant embed train --documents shuffled`"
            raise OptionError(asked, "its documents were not shuffled", do)
    return found


def _kind(place: Path, files: Sequence[Path]) -> Replicas:
    if not place.is_dir() or len(files) < 2:
        return "seeds"
    return "documents" if read_embedding(place).get("documents") == "bootstrap" else "seeds"


def _stem(path: Path) -> str:
    return path.with_suffix("").stem if path.suffix == ".gz" else path.stem


def _digest(path: Path, asked: str) -> str:
    """SHA-256 of a file and of the arrays that gensim keeps beside it."""
    digest = hashlib.sha256()
    try:
        for one in (path, *sorted(path.parent.glob(f"{path.name}.*npy"))):
            with one.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as why:
        found = f"the system says '{why.strerror or why}'"
        raise DataError(asked, found, "Check the file and its rights") from why
    return digest.hexdigest()
