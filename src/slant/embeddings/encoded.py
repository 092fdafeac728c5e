"""A corpus as numbers on disk: tokenised once, read by every replica in every epoch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from slant.data.writing import replacing, write_failed
from slant.errors import DataError

Documents = Literal["all", "bootstrap", "shuffled"]
DOCUMENTS: tuple[Documents, ...] = ("all", "bootstrap", "shuffled")
FILES = ("tokens.i32", "ends.npz", "words.json")
"""What `encode` leaves in its folder."""
BLOCK = 1 << 20
LONGEST = 10_000
"""Words of a sentence; gensim drops what is beyond, so longer sentences are cut in pieces."""


@dataclass(frozen=True, eq=False, slots=True)
class Encoded:
    """A corpus whose words are numbers; those rarer than the minimum are left out.

    Fields:
        words: most frequent first, equally frequent ones in the order of the alphabet.
        counts: (words,), how often each occurs.
        tokens: (tokens,), places in `words`.
        sentences: (sentences,), where in `tokens` each ends.
        documents: (documents,), where in `sentences` each ends.
    """

    words: tuple[str, ...]
    counts: NDArray[np.int64]
    tokens: NDArray[np.int32]
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """The sentences that one replica is trained on.

    Fields:
        corpus: the corpus.
        documents: places of the documents, in the order in which they are read.
        tokens: (tokens,), in place of the corpus's own.
    """

    corpus: Encoded
    documents: NDArray[np.int64]
    tokens: NDArray[np.int32]

    def __iter__(self) -> Iterator[list[str]]:
        for ids in self.numbers():
            words = self.corpus.words
            yield [words[one] for one in ids.tolist()]

    def numbers(self) -> Iterator[NDArray[np.int32]]:
        """The sentences as numbers; none is empty, none longer than `LONGEST`."""
        corpus = self.corpus
        for document in self.documents:
            first = 0 if document == 0 else corpus.documents[document - 1]
            for sentence in range(int(first), int(corpus.documents[document])):
                begin = 0 if sentence == 0 else int(corpus.sentences[sentence - 1])
                end = int(corpus.sentences[sentence])
                for start in range(begin, end, LONGEST):
                    yield self.tokens[start : min(end, start + LONGEST)]

    def counts(self) -> dict[str, int]:
        """How often each word occurs in what was drawn; words that do not are left out."""
        counts = np.zeros(len(self.corpus.words), np.int64)
        for block in self._blocks():
            counts += np.bincount(block, minlength=len(counts))
        there = np.flatnonzero(counts)
        order = there[np.argsort(-counts[there], kind="stable")]
        return {self.corpus.words[place]: int(counts[place]) for place in order}

    def length(self) -> tuple[int, int]:
        """Sentences and tokens that `numbers` yields."""
        sentences = tokens = 0
        for ids in self.numbers():
            sentences += 1
            tokens += len(ids)
        return sentences, tokens

    def _blocks(self) -> Iterator[NDArray[np.int32]]:
        for document in self.documents:
            begin, end = _span(self.corpus, int(document))
            for start in range(begin, end, BLOCK):
                yield self.tokens[start : min(end, start + BLOCK)]


def _span(corpus: Encoded, document: int) -> tuple[int, int]:
    """Where a document's tokens begin and end."""
    ends = [int(corpus.documents[one]) if one >= 0 else 0 for one in (document - 1, document)]
    begin, end = (0 if one == 0 else int(corpus.sentences[one - 1]) for one in ends)
    return begin, end


def drawn(corpus: Encoded, documents: Documents, seed: int) -> Drawn:
    """What a replica is trained on.

    Args:
        corpus: the corpus.
        documents: "all": the corpus as it is. "bootstrap": as many documents as it has, drawn with
            replacement, so that replicas differ as corpora of the same source do; a document drawn
            twice is read twice in a row. "shuffled": all words in another order, over all
            sentences: what words mean is gone, and how frequent they are stays; takes four bytes of
            memory for each token.
        seed: of the replica.
    """
    everything = np.arange(len(corpus.documents))
    if documents == "all":
        return Drawn(corpus, everything, corpus.tokens)
    rng = np.random.default_rng([seed, DOCUMENTS.index(documents)])
    if documents == "bootstrap":
        places = np.sort(rng.integers(0, len(everything), len(everything)))
        return Drawn(corpus, places, corpus.tokens)
    return Drawn(corpus, everything, rng.permutation(np.asarray(corpus.tokens)))


def encode(
    texts: Iterable[Iterable[list[str]]], minimum: int, folder: Path, source: str
) -> Encoded:
    """Write a corpus as numbers; memory grows with its words and sentences, not its length.

    Args:
        texts: documents of sentences of words, read once.
        minimum: words that occur less often are left out, before any window is laid.
        folder: where the files go.
        source: what the corpus is called in an error.

    Raises:
        DataError: it is empty, or all its words are rarer than the minimum.

    Source: Identifying Biases in Politically Biased Wikis, 3.1.
    """
    places: dict[str, int] = {}
    ends: list[int] = []
    documents: list[int] = []
    raw = folder / "raw.tmp"
    total = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with raw.open("wb") as file:
            waiting: list[int] = []
            for text in texts:
                for sentence in text:
                    # A word that is new gets the next number.
                    waiting += [places.setdefault(word, len(places)) for word in sentence]
                    total += len(sentence)
                    ends.append(total)
                    if len(waiting) >= BLOCK:
                        file.write(np.array(waiting, np.int32).tobytes())
                        waiting = []
                documents.append(len(ends))
            file.write(np.array(waiting, np.int32).tobytes())
        if not total:
            do = "Check the column or the files that hold its texts, and how it is cleaned"
            raise DataError(f"Reading the corpus '{source}'", "it has no word", do)
        return _without_rare(
            raw, list(places), np.array(ends), np.array(documents), minimum, folder, source
        )
    except OSError as error:
        raise write_failed(raw, error) from error
    finally:
        with suppress(OSError):
            raw.unlink(missing_ok=True)


def _without_rare(
    raw: Path,
    words: list[str],
    ends: NDArray[np.int64],
    documents: NDArray[np.int64],
    minimum: int,
    folder: Path,
    source: str,
) -> Encoded:
    counts = np.zeros(len(words), np.int64)
    stored = np.memmap(raw, np.int32, "r")
    for start in range(0, len(stored), BLOCK):
        counts += np.bincount(stored[start : start + BLOCK], minlength=len(words))
    kept = sorted(np.flatnonzero(counts >= minimum), key=lambda one: (-counts[one], words[one]))
    if not kept:
        found = f"its most frequent word occurs {counts.max()} times, less than {minimum}"
        raise DataError(f"Reading the corpus '{source}'", found, "Give a smaller --minimum")
    new = np.full(len(words), -1, np.int32)
    new[kept] = np.arange(len(kept), dtype=np.int32)
    moved = np.zeros(len(ends), np.int64)
    written = 0
    with replacing(folder / "tokens.i32") as temporary, temporary.open("wb") as file:
        for start in range(0, len(stored), BLOCK):
            block = new[stored[start : start + BLOCK]]
            before = np.concatenate([[0], np.cumsum(block >= 0)])
            here = (ends >= start) & (ends <= start + len(block))
            moved[here] = written + before[ends[here] - start]
            file.write(block[block >= 0].tobytes())
            written += int(before[-1])
    with replacing(folder / "ends.npz") as temporary, temporary.open("wb") as file:
        np.savez(file, sentences=moved, documents=documents, counts=counts[kept])
    with replacing(folder / "words.json") as temporary:
        temporary.write_text(json.dumps([words[one] for one in kept], ensure_ascii=False), "utf-8")
    return read_encoded(folder)


def read_encoded(folder: Path) -> Encoded:
    """A corpus that `encode` wrote; its tokens stay on disk."""
    with np.load(folder / "ends.npz", allow_pickle=False) as held:
        sentences, documents, counts = held["sentences"], held["documents"], held["counts"]
    words = tuple(json.loads((folder / "words.json").read_text("utf-8")))
    tokens = np.memmap(folder / "tokens.i32", np.int32, "r")
    return Encoded(words, counts, tokens, sentences, documents)
