"""Word vectors from counts of neighbours alone: no training, no package beyond scipy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from slant.data.writing import replacing
from slant.embeddings.corpus import PAPER, Cleaning, document_sentences
from slant.embeddings.vectors import Vectors
from slant.errors import DataError, OptionError
from slant.types import Array

SMOOTHING = 0.75
"""The power of a context word's count in its share, which keeps rare contexts from the top."""
FEWEST = 3
"""Words below which there is nothing to decompose."""


def count_vectors(
    sentences: Iterable[Sequence[str]],
    name: str,
    *,
    window: int = 5,
    minimum: int = 5,
    dimensions: int = 100,
) -> Vectors:
    """Vectors of words: positive pointwise mutual information with their neighbours, decomposed.

    Rule: n(w, c) counts how often c stands within `window` words of w in a sentence. PPMI =
    max(0, ln(n(w, c) · N / (n(w) · n'(c)))), n'(c) being n(c)**0.75 scaled to sum to N. The
    vectors are U·sqrt(S) of its largest singular values. The same text gives the same vectors.

    Args:
        sentences: lists of words.
        name: of the corpus.
        window: words to each side, 1 or more.
        minimum: rarer words are no word and no neighbour, 1 or more.
        dimensions: at most so many; fewer where there are not more words.

    Returns:
        Most frequent words first, equally frequent ones in alphabetical order.

    Raises:
        OptionError: a number below 1. DataError: fewer than three words are left.

    Source: Levy, Goldberg and Dagan 2015, Improving Distributional Similarity, sections 2 and 3.
    """
    for option, value in (("window", window), ("minimum", minimum), ("dimensions", dimensions)):
        if value < 1:
            found = f"{option} is {value}, below 1"
            raise OptionError(f"Counting the neighbours of '{name}'", found, "Give 1 or more")
    known = [list(one) for one in sentences]
    counts = Counter(word for one in known for word in one)
    kept = [word for word, n in counts.items() if n >= minimum]
    kept.sort(key=lambda word: (-counts[word], word))
    if len(kept) < FEWEST:
        found = f"{len(kept)} words occur {minimum} times or more"
        do = f"Give a larger corpus, or a smaller minimum; {FEWEST} words are needed"
        raise DataError(f"Counting the neighbours of '{name}'", found, do)
    rows = {word: row for row, word in enumerate(kept)}
    # Rarer words leave a gap: those beside them come no nearer.
    coded = [np.array([rows.get(word, -1) for word in one], np.int64) for one in known]
    matrix = _decomposed(_mutual_information(_neighbours(coded, len(kept), window)), dimensions)
    return Vectors(name, rows, matrix, None, {word: counts[word] for word in kept})


def _neighbours(sentences: Sequence[Array], words: int, window: int) -> Any:
    """(words, words) sparse, symmetric: how often two stand within the window."""
    from scipy.sparse import coo_array

    whole = np.concatenate(sentences)
    sentence = np.repeat(np.arange(len(sentences)), [len(one) for one in sentences])
    pairs = []
    for gap in range(1, window + 1):
        left, right = whole[:-gap], whole[gap:]
        beside = (left >= 0) & (right >= 0) & (sentence[:-gap] == sentence[gap:])
        pairs.append((left[beside], right[beside]))
    first, second = (np.concatenate(side) for side in zip(*pairs, strict=True))
    half = coo_array((np.ones(len(first)), (first, second)), shape=(words, words)).tocsr()
    return half + half.T


def _mutual_information(counted: Any) -> Any:
    """PPMI of counts, sparse."""
    total = counted.sum()
    own = np.asarray(counted.sum(axis=1)).ravel()
    context = np.asarray(counted.sum(axis=0)).ravel() ** SMOOTHING
    context = context / max(context.sum(), 1.0) * total
    cells = counted.tocoo()
    with np.errstate(divide="ignore"):
        information = np.log(cells.data * total / (own[cells.coords[0]] * context[cells.coords[1]]))
    cells.data = np.maximum(information, 0.0)
    return cells.tocsr()


def _decomposed(matrix: Any, dimensions: int) -> Any:
    from scipy.sparse.linalg import svds
    from threadpoolctl import threadpool_limits

    size = matrix.shape[0]
    # The start of the iteration is fixed, and one thread adds in one order: equal numbers.
    with threadpool_limits(limits=1):
        left, values, _ = svds(
            matrix, k=min(dimensions, size - 1), v0=np.ones(size), return_singular_vectors="u"
        )
    order = np.argsort(-values, kind="stable")
    return np.ascontiguousarray(left[:, order] * np.sqrt(values[order]), np.float32)


def write_count_vectors(
    corpus: Path,
    out: Path,
    *,
    text: str | None = None,
    cleaning: Cleaning = PAPER,
    window: int = 5,
    dimensions: int = 100,
) -> Vectors:
    """Count the neighbours of a corpus's words, and write the vectors as word2vec text.

    Args:
        corpus, text: see `corpus.read_texts`.
        out: the file; its name without suffix is the corpus's.
        cleaning: which tokens stay, and how often a word must occur.
        window, dimensions: as for `count_vectors`.

    Raises:
        DataError, OptionError, MissingExtra: see `count_vectors` and `corpus.document_sentences`.
        WorkFailed: the file cannot be written.
    """
    documents = document_sentences([corpus], cleaning, text)
    made = count_vectors(
        (sentence for document in documents for sentence in document), out.stem,
        window=window, minimum=cleaning.minimum, dimensions=dimensions,
    )  # fmt: skip
    with replacing(out) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.write(f"{made.matrix.shape[0]} {made.matrix.shape[1]}\n")
        for word, row in zip(made.rows, made.matrix.tolist(), strict=True):
            file.write(f"{word} {' '.join(f'{value:.6g}' for value in row)}\n")
    return made
