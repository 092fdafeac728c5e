"""Near-duplicate texts: MinHash proposes pairs, the exact Jaccard similarity decides."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from slant.types import Array, Floats

NDArrayU64 = NDArray[np.uint64]

SHINGLE = 5
"""Bytes of the normalised text in one shingle; five of them are one integer without collision."""
BANDS, ROWS = 60, 4
"""60 bands of 4 rows propose a pair of similarity 0.5 with probability 1 - (1 - 0.5**4)**60 = 0.979
and one of 0.6 with 0.9998. Their product stays below 256: see `_agreement`."""
SEED = 42
"""Of the sketches that protocols use; the leak report takes another, to find what they missed."""
FULL_BUCKET = 64
"""Up to this size every pair of a bucket is compared; above it each text with its neighbour and
with the first."""
DEVIATIONS = 4
"""A pair whose sketches agree less than the threshold by this many standard errors is not measured:
one of 30,000 pairs at the threshold is lost so."""
SKETCHED, COMPARED, MEASURED = 1_000, 4_000, 5_000
"""Texts sketched, and pairs compared and measured at a time: few enough for the processor's
cache."""


def near_duplicates(keys: Sequence[str] | pl.Series, threshold: float) -> Array:
    """The cluster of each text: texts linked by a chain of pairs at least `threshold` alike.

    The similarity of two texts is |A & B| / |A | B| over the sets of their 5-byte shingles.
    Candidate pairs come from MinHash with banding (package rensa); each is then measured exactly,
    so a pair in one cluster is never an artefact of the sketch.

    Args:
        keys: normalised texts (`texts.key`): lower case, letters and digits only.
        threshold: smallest similarity that links, in (0, 1].

    Returns:
        (n,) int64: equal numbers for texts of one cluster; numbered by first appearance.

    Source: Broder 1997, On the resemblance and containment of documents.

    >>> texts = ["the mayor of elm said no to it", "rain", "the mayor of elm said no to this"]
    >>> near_duplicates(texts, 0.7).tolist()
    [0, 1, 0]
    """
    first, second = similar_pairs(keys, threshold)
    return linked(len(keys), first, second)


def similar_pairs(
    keys: Sequence[str] | pl.Series, threshold: float, seed: int = SEED
) -> tuple[Array, Array]:
    """Index pairs (i < j) of texts that are at least `threshold` alike, each pair once.

    Args:
        keys: as in `near_duplicates`; a series of strings spares a copy of them.
        threshold: smallest similarity kept, in (0, 1].
        seed: of the sketches; it decides which pairs near the threshold are missed.

    Returns:
        Two (pairs,) int64 arrays, ordered by i, then j.
    """
    texts = keys if isinstance(keys, pl.Series) else pl.Series(keys, dtype=pl.String)
    size = BANDS * ROWS
    least = size * threshold - DEVIATIONS * math.sqrt(size * threshold * (1 - threshold))
    sketches = _sketches(texts, seed)
    found: Array = np.empty(0, np.int64)
    for band in range(BANDS):
        first, second = _bucket_pairs(sketches.view(np.uint64)[:, band])
        # Chance agreements grow with the square of the texts, so most pairs must end here.
        likely = _agreement(sketches, first, second) >= least
        found = np.union1d(found, first[likely] * np.int64(len(texts)) + second[likely])
    first, second = np.divmod(found, max(len(texts), 1))
    keep = _similarity(texts, first, second) >= threshold - 1e-12
    return first[keep], second[keep]


def linked(size: int, first: Array, second: Array) -> Array:
    """Connected components of a graph, numbered by first appearance.

    Args:
        size: number of nodes.
        first, second: (edges,) node indices.

    Returns:
        (size,) int64 component of each node.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(first):
        return np.arange(size)
    # Scipy before 1.13 takes no wider indices here, and instead of an error gives one component.
    edges = np.asarray(first, np.int32), np.asarray(second, np.int32)
    graph = coo_array((np.ones(len(first), np.int8), edges), shape=(size, size))
    _, component = connected_components(graph, directed=False)
    _, where, inverse = np.unique(component, return_index=True, return_inverse=True)
    order = np.empty(len(where), np.int64)
    order[np.argsort(where)] = np.arange(len(where))
    renumbered: Array = order[inverse]
    return renumbered


def _shingles(texts: pl.Series) -> tuple[NDArrayU64, Array]:
    """Every shingle as an integer, and where each text's shingles begin: (sum,), (n + 1,)."""
    pad = " " * (SHINGLE - 1)
    texts = texts.replace("", " ")
    # Eight bytes are read for each shingle, of which five count.
    buffer = (texts.str.join(pad).item() + pad + " " * (8 - SHINGLE)).encode()
    windows = np.ndarray(len(buffer) - 7, "<u8", buffer, strides=(1,))
    lengths = texts.str.len_bytes().to_numpy().astype(np.int64)
    begins = np.cumsum(lengths + len(pad)) - lengths - len(pad)
    # Shingles that would reach into the next text are dropped; a text shorter than one shingle
    # keeps a single, padded one.
    counts = np.maximum(lengths - SHINGLE + 1, 1)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    places = np.repeat(begins - offsets[:-1], counts) + np.arange(offsets[-1])
    codes: NDArrayU64 = windows[places] & np.uint64((1 << 8 * SHINGLE) - 1)
    return codes, offsets


def _mixed(codes: NDArrayU64) -> NDArrayU64:
    """Spread the bits of small integers (splitmix64), which MinHash needs."""
    mixed = codes * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _sketches(texts: pl.Series, seed: int) -> NDArray[np.uint16]:
    """(n, BANDS * ROWS) the last 16 bits of each minimum: four of them are one band."""
    from rensa import RMinHash

    size = BANDS * ROWS
    sketches = np.empty((len(texts), size), np.uint16)
    for start in range(0, len(texts), SKETCHED):
        codes, offsets = _shingles(texts[start : start + SKETCHED])
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(
            _mixed(codes), offsets.astype(np.uint64), size, seed
        )
        # The package gives lists of Python's integers; an array of C's takes them in fastest.
        minima = array("I")
        for row in matrix.to_rows():
            minima.fromlist(row)
        digests = np.frombuffer(minima, np.uintc).astype(np.uint16)
        sketches[start : start + SKETCHED] = digests.reshape(-1, size)
    return sketches


def _agreement(sketches: NDArray[np.uint16], first: Array, second: Array) -> NDArray[np.uint64]:
    """(pairs,) in how many of their minima two texts agree."""
    agreement = np.empty(len(first), np.uint64)
    for start in range(0, len(first), COMPARED):
        here = slice(start, start + COMPARED)
        equal = sketches[first[here]] == sketches[second[here]]
        # Eight truth values are one integer: first bytes are added, a product then sums them up;
        # the sum is one byte.
        bytes_ = equal.view(np.uint64).sum(axis=1, dtype=np.uint64)
        agreement[here] = (bytes_ * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return agreement


def _bucket_pairs(band: NDArrayU64) -> tuple[Array, Array]:
    """Pairs (i < j) of texts that share this band."""
    # A hash and the index in one integer: numpy sorts those many times faster than it sorts
    # indices, and a chance agreement of two hashes is only one more pair to compare.
    upper = _mixed(band) & np.uint64(0xFFFFFFFF00000000)
    both = np.sort(upper | np.arange(len(band), dtype=np.uint64))
    order = (both & np.uint64(0xFFFFFFFF)).astype(np.int64)
    both >>= np.uint64(32)
    ends = np.flatnonzero(np.concatenate([both[1:] != both[:-1], [True]])[: len(both)])
    sizes = np.diff(ends, prepend=-1)
    starts = ends - sizes + 1
    firsts: list[Array] = []
    seconds: list[Array] = []
    small = sizes[sizes > 1]
    for size in np.unique(small[small <= FULL_BUCKET]):
        members = order[starts[sizes == size][:, None] + np.arange(size)]
        left, right = np.triu_indices(int(size), k=1)
        firsts.append(members[:, left].ravel())
        seconds.append(members[:, right].ravel())
    for start, size in zip(starts[sizes > FULL_BUCKET], sizes[sizes > FULL_BUCKET], strict=True):
        members = order[start : start + size]
        firsts += [members[:-1], np.repeat(members[0], size - 1)]
        seconds += [members[1:], members[1:]]
    if not firsts:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return np.concatenate(firsts), np.concatenate(seconds)


def _similarity(texts: pl.Series, first: Array, second: Array) -> Floats:
    """(pairs,) exact Jaccard similarity of the shingle sets."""
    similarity = np.empty(len(first))
    for start in range(0, len(first), MEASURED):
        here = slice(start, start + MEASURED)
        similarity[here] = _few_similarities(texts, first[here], second[here])
    return similarity


def _few_similarities(texts: pl.Series, first: Array, second: Array) -> Floats:
    from scipy.sparse import csr_array

    used, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    codes, offsets = _shingles(texts.gather(used))
    _, columns = np.unique(codes, return_inverse=True)
    sets = csr_array(
        (np.ones(len(codes), np.int32), columns.astype(np.int64), offsets),
        shape=(len(used), int(columns.max()) + 1),
    )
    sets.sum_duplicates()
    sets.data[:] = 1
    sizes = np.diff(sets.indptr)
    left, right = np.split(place, 2)
    shared = sets[left].multiply(sets[right]).sum(axis=1)
    similarity: Floats = shared / (sizes[left] + sizes[right] - shared)
    return similarity
