"""Near-duplicate texts: MinHash proposes pairs, the exact Jaccard similarity decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from slant.types import Array, Floats

NDArrayU64 = NDArray[np.uint64]

SHINGLE = 5
"""Bytes of the normalised text in one shingle; five of them are one integer without collision."""
BANDS, ROWS = 32, 4
"""32 bands of 4 rows propose a pair of similarity 0.6 with probability 1 - (1 - 0.6**4)**32 = 0.988
and one of 0.7 with 0.9998."""
FULL_BUCKET = 64
"""Up to this size every pair of a bucket is compared; above it each text with its neighbour and
with the first."""
CHUNK = 20_000


def near_duplicates(keys: Sequence[str], threshold: float) -> Array:
    """The cluster of each text: texts linked by a chain of pairs at least `threshold` alike.

    The similarity of two texts is |A & B| / |A | B| over the sets of their 5-byte shingles.
    Candidate pairs come from MinHash with banding (package rensa); each is then measured exactly,
    so a pair in one cluster is never an artefact of the sketch.

    Args:
        keys: normalised texts (`texts.key`): lower case, words separated by one blank.
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


def similar_pairs(keys: Sequence[str], threshold: float) -> tuple[Array, Array]:
    """Index pairs (i < j) of texts that are at least `threshold` alike, each pair once.

    Args:
        keys: as in `near_duplicates`.
        threshold: smallest similarity kept, in (0, 1].

    Returns:
        Two (pairs,) int64 arrays, ordered by i, then j.
    """
    if not keys:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    bands = np.concatenate(
        [_bands(keys[start : start + CHUNK]) for start in range(0, len(keys), CHUNK)]
    )
    found: Array = np.empty(0, np.int64)
    for band in range(BANDS):
        first, second = _bucket_pairs(bands[:, band])
        codes = first * np.int64(len(keys)) + second
        found = np.union1d(found, codes)
    first, second = np.divmod(found, len(keys))
    keep = _similarity(keys, first, second) >= threshold - 1e-12
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

    graph = coo_array((np.ones(len(first), np.int8), (first, second)), shape=(size, size))
    _, component = connected_components(graph, directed=False)
    _, where, inverse = np.unique(component, return_index=True, return_inverse=True)
    order = np.empty(len(where), np.int64)
    order[np.argsort(where)] = np.arange(len(where))
    renumbered: Array = order[inverse]
    return renumbered


def _shingles(keys: Sequence[str]) -> tuple[NDArrayU64, Array]:
    """Every shingle as an integer, and where each text's shingles begin: (sum,), (n + 1,)."""
    pad = b" " * (SHINGLE - 1)
    encoded = [key.encode() or b" " for key in keys]
    buffer = np.frombuffer(pad.join(encoded) + pad, np.uint8).astype(np.uint64)
    lengths = np.fromiter((len(text) for text in encoded), np.int64, len(encoded))
    begins = np.concatenate([[0], np.cumsum(lengths + len(pad))])
    codes = np.zeros(len(buffer) - SHINGLE + 1, np.uint64)
    for place in range(SHINGLE):
        codes |= buffer[place : place + len(codes)] << np.uint64(8 * place)
    # Shingles that would reach into the next text are dropped; a text shorter than one shingle
    # keeps a single, padded one.
    counts = np.maximum(lengths - SHINGLE + 1, 1)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    places = np.repeat(begins[:-1] - offsets[:-1], counts) + np.arange(offsets[-1])
    return codes[places], offsets


def _mixed(codes: NDArrayU64) -> NDArrayU64:
    """Spread the bits of small integers (splitmix64), which MinHash needs."""
    mixed = codes * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _bands(keys: Sequence[str]) -> NDArrayU64:
    """(n, BANDS) one integer per band of the MinHash signature."""
    from rensa import RMinHash

    codes, offsets = _shingles(keys)
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(
        _mixed(codes), offsets.astype(np.uint64), BANDS * ROWS, 42
    )
    rows = np.array(matrix.to_rows(), np.uint64).reshape(len(keys), BANDS, ROWS)
    code = np.zeros((len(keys), BANDS), np.uint64)
    for row in range(ROWS):
        code = _mixed(code ^ rows[:, :, row]) + np.uint64(row)
    return code


def _bucket_pairs(band: NDArrayU64) -> tuple[Array, Array]:
    """Pairs (i < j) of texts that share this band."""
    order = np.argsort(band, kind="stable").astype(np.int64)
    _, starts, sizes = np.unique(band[order], return_index=True, return_counts=True)
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


def _similarity(keys: Sequence[str], first: Array, second: Array) -> Floats:
    """(pairs,) exact Jaccard similarity of the shingle sets."""
    from scipy.sparse import csr_array

    if not len(first):
        return np.empty(0)
    used, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    codes, offsets = _shingles([keys[index] for index in used])
    _, columns = np.unique(codes, return_inverse=True)
    sets = csr_array(
        (np.ones(len(codes), np.int32), columns.astype(np.int64), offsets),
        shape=(len(used), int(columns.max()) + 1),
    )
    sets.sum_duplicates()
    sets.data[:] = 1
    sizes = np.diff(sets.indptr)
    similarity = np.empty(len(first))
    for start in range(0, len(first), CHUNK):
        left, right = (side[start : start + CHUNK] for side in np.split(place, 2))
        shared = sets[left].multiply(sets[right]).sum(axis=1)
        similarity[start : start + CHUNK] = shared / (sizes[left] + sizes[right] - shared)
    return similarity
