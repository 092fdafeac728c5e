"""Word vectors of any format, and the vectors of a word set in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from slant.data.hashes import read_sha256
from slant.data.jsonvalues import json_value
from slant.data.sums import is_altered
from slant.errors import DataError, RunError

Case = Literal["exact", "lower", "any"]
Outside = Literal["drop", "grams"]

EMBEDDING = "embedding.json"
"""The file of an embedding folder that says how its replicas were trained."""


@dataclass(frozen=True, eq=False, slots=True)
class Vectors:
    """The vectors of the words of one embedding.

    Fields:
        name: of the corpus, or the file's name without its suffix.
        rows: word -> row of the matrix; most frequent word first where the file is in that order.
        matrix: (words, dimensions), as stored, not normalised.
        grams: the vector of any word from its character n-grams; raises KeyError where it has none.
            None but for fastText models.
        counts: occurrences of each word in the corpus; None where the file does not say.
    """

    name: str
    rows: Mapping[str, int]
    matrix: NDArray[np.float32]
    grams: Callable[[str], NDArray[np.float32]] | None = None
    counts: Mapping[str, int] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """The vectors of one word set.

    Fields:
        words: those that have a vector, as asked, in the order asked.
        matrix: (words, dimensions), one row each.
        missing: those that have none.
        by_grams: those of `words` whose vector was made from n-grams.
    """

    words: tuple[str, ...]
    matrix: NDArray[np.float64]
    missing: tuple[str, ...]
    by_grams: tuple[str, ...]


def read_vectors(path: Path, *, keep: Collection[str] | None = None) -> Vectors:
    """Read word vectors; the format is told by the content, never by the name.

    Formats: word2vec text with and without header (GloVe, fastText's .vec), word2vec binary, gensim
    (.kv or a saved model, its .npy files beside it), fastText's .bin. Text and word2vec binary may
    be compressed by gzip.

    Args:
        path: the file.
        keep: only these words are kept, in any capitalisation, so that the memory that a text or
            word2vec binary file takes is bounded; lines of other words are checked for their number
            of columns only. A model of gensim or fastText is read whole, and then cut.

    Raises:
        DataError: the file is absent, of no such format, or damaged: a line has another number of
            columns, a number is not finite, a word stands twice, the end is missing.

    Source: Identifying Biases in Politically Biased Wikis, 3.2.
    """
    from slant.embeddings import formats, models

    path = Path(path)
    kind = formats.format_of(path)
    wanted = None if keep is None else frozenset(word.lower() for word in keep)
    if kind in ("text", "binary"):
        read = formats.read_text if kind == "text" else formats.read_binary
        words, matrix = read(path, wanted)
        return Vectors(_name(path), {word: row for row, word in enumerate(words)}, matrix)
    stored = models.read_fasttext(path) if kind == "fasttext" else models.read_gensim(path)
    words, matrix = list(stored.words), stored.matrix
    if wanted is not None:
        kept = [row for row, word in enumerate(words) if word.lower() in wanted]
        words, matrix = [words[row] for row in kept], matrix[kept]
    counts = None if stored.counts is None else {word: stored.counts[word] for word in words}
    rows = {word: row for row, word in enumerate(words)}
    return Vectors(_name(path), rows, matrix, stored.grams, counts)


def _name(path: Path) -> str:
    return path.with_suffix("").stem if path.suffix == ".gz" else path.stem


def found(
    vectors: Vectors, words: Sequence[str], *, case: Case = "exact", outside: Outside = "drop"
) -> Found:
    """The vectors of the words that have one.

    Args:
        vectors: where to look.
        words: a word set; a word that stands twice is taken once.
        case: "exact": as written. "lower": in lower case. "any": as written, else in lower case,
            else in the capitalisation that is most frequent in the corpus (where counts are not
            known: that stands first in the file).
        outside: what becomes of a word that is not in the vocabulary. "drop": it is missing.
            "grams": its vector is made from its n-grams, where the vectors have such.

    Returns:
        Words and vectors in the order asked, in float64. With no word known the matrix is
        (0, dimensions).

    >>> import numpy as np
    >>> v = Vectors("v", {"he": 0, "US": 1}, np.array([[1, 0], [0, 2]], np.float32))
    >>> found(v, ["us", "He", "it"], case="any").words
    ('us', 'He')
    """
    asked = list(dict.fromkeys(words))
    places = _places(vectors, asked, case)
    known: list[str] = []
    taken: list[NDArray[np.float64]] = []
    missing: list[str] = []
    by_grams: list[str] = []
    for word in asked:
        row = places.get(word)
        vector = None if row is None else vectors.matrix[row]
        if vector is None and outside == "grams":
            vector = _from_grams(vectors, word.lower() if case == "lower" else word)
            if vector is not None:
                by_grams.append(word)
        if vector is None:
            missing.append(word)
            continue
        known.append(word)
        taken.append(np.asarray(vector, np.float64))
    matrix = np.array(taken, np.float64).reshape(len(known), vectors.matrix.shape[1])
    return Found(tuple(known), matrix, tuple(missing), tuple(by_grams))


def _from_grams(vectors: Vectors, word: str) -> NDArray[np.float32] | None:
    if vectors.grams is None:
        return None
    try:
        return vectors.grams(word)
    except KeyError:
        return None


def _places(vectors: Vectors, words: Iterable[str], case: Case) -> dict[str, int]:
    """Word as asked -> row."""
    rows = vectors.rows
    if case == "exact":
        return {word: rows[word] for word in words if word in rows}
    if case == "lower":
        return {word: rows[word.lower()] for word in words if word.lower() in rows}
    places: dict[str, int] = {}
    open_words: dict[str, list[str]] = {}
    for word in words:
        row = rows.get(word, rows.get(word.lower()))
        if row is None:
            open_words.setdefault(word.lower(), []).append(word)
        else:
            places[word] = row
    if open_words:
        best: dict[str, tuple[int, int]] = {}
        for word, row in rows.items():
            low = word.lower()
            if low in open_words:
                count = 0 if vectors.counts is None else vectors.counts[word]
                best[low] = min(best.get(low, (-count, row)), (-count, row))
        for low, (_, row) in best.items():
            places.update((word, row) for word in open_words[low])
    return places


def replica_files(folder: Path) -> list[Path]:
    """The vectors of all replicas of an embedding folder, in the order of their seeds.

    Args:
        folder: what `slant embed train --out` made.

    Raises:
        RunError: the folder is none, or a replica is missing or not as it was trained.
    """
    record = read_embedding(folder)
    files = [folder / f"{seed}.bin" for seed in record["seeds"]]
    missing = [path.name for path in files if not path.is_file()]
    if missing:
        found_ = f"{len(missing)} of its {len(files)} replicas are missing ({', '.join(missing)})"
        do = "Run the same `slant embed train` again: it trains what is missing"
        raise RunError(f"Reading the embeddings in '{folder}'", found_, do)
    for one in record.get("replicas", []):
        path = folder / f"{one.get('seed')}.bin"
        if path in files and one.get("sha256") not in (None, read_sha256(path)):
            do = "Run the same `slant embed train` again: it trains this replica anew"
            raise RunError(f"Reading '{path}'", "its bytes are not those that were trained", do)
    return files


def read_embedding(folder: Path) -> dict[str, Any]:
    """How the replicas of an embedding folder were trained: its embedding.json.

    Raises:
        RunError: there is none. DataError: it is not JSON, or names no seeds.
    """
    path = folder / EMBEDDING
    asked = f"Reading the embeddings in '{folder}'"
    try:
        data = path.read_bytes()
        record = json_value(data.decode("utf-8"))
    except FileNotFoundError:
        do = "Give a folder that `slant embed train --out` made, or a file of vectors"
        raise RunError(asked, f"it holds no {EMBEDDING}", do) from None
    except (OSError, ValueError) as error:
        raise DataError(
            f"Reading '{path}'", f"it cannot be read ({error})", "Train again"
        ) from None
    if is_altered(path, data):
        raise DataError(f"Reading '{path}'", "its bytes are not those written", "Train again")
    seeds = record.get("seeds") if isinstance(record, dict) else None
    if not isinstance(seeds, list) or not all(isinstance(one, int) for one in seeds):
        raise DataError(f"Reading '{path}'", "it names no seeds", "Train again")
    return dict(record)
