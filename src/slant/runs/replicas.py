"""The replicas of an embedding, each one unit of work."""

from __future__ import annotations

import hashlib
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from slant.data.jsonvalues import json_value
from slant.embeddings.analogies import read_questions
from slant.embeddings.encoded import Documents, drawn, read_encoded
from slant.embeddings.official import train_official
from slant.embeddings.settings import Settings
from slant.embeddings.training import epochs_record, train_replica
from slant.runs.engine import Cell
from slant.runs.steps import written_steps
from slant.runs.store import write_json
from slant.systems.steps import tell_share

Trainer = Literal["gensim", "fasttext"]
ENCODED = ".corpus"


@dataclass(frozen=True, slots=True)
class Replica:
    """One replica to be trained; what it leaves is SEED.bin and, last, SEED.json."""

    folder: Path
    seed: int
    trainer: Trainer
    settings: Settings
    documents: Documents
    questions: Path | None
    restrict: int

    @property
    def path(self) -> Path:
        """The file of its vectors."""
        return self.folder / f"{self.seed}.bin"


def train_one(replica: Replica) -> Replica:
    """Train one replica and write its vectors, then its record.

    Returns:
        The replica.

    Raises:
        SlantError: the training failed.
    """
    corpus = drawn(read_encoded(replica.folder / ENCODED), replica.documents, replica.seed)
    with written_steps(replica_cell(replica).path):
        # gensim reads sentences in a thread of its own, which does not inherit who listens.
        heard = copy_context()

        def told(share: float, what: str) -> None:
            heard.run(tell_share, share, what)

        if replica.trainer == "fasttext":
            trained = train_official(
                corpus, replica.settings, replica.seed, replica.path, told=told
            )
        else:
            fixed = replica.settings.epochs is not None
            trained = train_replica(
                corpus, replica.settings, replica.seed,
                [] if fixed else read_questions(replica.questions), replica.path,
                restrict=replica.restrict, told=told,
            )  # fmt: skip
    record = {"seed": replica.seed, **epochs_record(trained), "sha256": digest(replica.path)}
    write_json(replica.path.with_suffix(".json"), record)
    return replica


def replica_record(folder: Path, seed: int, check: bool = True) -> dict[str, Any] | None:
    """How a replica was trained; None where it is not finished, or its file is another.

    Args:
        folder: of the embedding.
        seed: of the replica.
        check: whether its file is held against its checksum.
    """
    path = folder / f"{seed}.bin"
    try:
        record = json_value(path.with_suffix(".json").read_text("utf-8"))
        whole = isinstance(record, dict) and path.is_file()
        if not whole or (check and record.get("sha256") != digest(path)):
            return None
    except (OSError, ValueError):
        return None
    return dict(record)


def replica_cell(replica: Replica) -> Cell:
    """The replica as progress names it."""
    folder = replica.folder
    return Cell(folder.name, replica.seed, 0, folder / ENCODED, replica.path)


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
