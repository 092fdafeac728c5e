"""The stretch of a text that is most like a quote: exact semi-global alignment."""

from __future__ import annotations

from functools import lru_cache
from math import floor

import numpy as np
from numpy.typing import NDArray

from slant.errors import OptionError
from slant.types import Span

_Codes = NDArray[np.int32]

SHORTEST_PIECE = 3
"""Pieces of a quote shorter than this stand nearly everywhere, so that they rule nothing out."""

FEW_WINDOWS = 500
"""As many are measured sooner than their starts are aligned as well."""

_EPSILON = 1e-9


def best_window(text: str, quote: str, least: float) -> tuple[Span, float] | None:
    """The window of a text that is most similar to a quote.

    Similarity = 1 - Levenshtein(quote, window) / max(length of quote, length of window). The
    result is that of comparing every window of the text.

    Args:
        text: of an article.
        quote: what is looked for.
        least: the similarity that a window must reach, in (0, 1].

    Returns:
        The window and its similarity in [least, 1]: the highest one, of equal ones the leftmost,
        of those the shortest. None where no window reaches `least`, or the quote is empty.

    Raises:
        OptionError: `least` is not in (0, 1].

    Source: BAIT paper, section 5 (Locating spans) and appendix G; Sellers 1980.

    >>> best_window("The new tax will devastate them.", "tax would devastate", 0.8)
    (Span(start=8, end=26), 0.8421052631578947)
    """
    windows, similarity = best_windows(text, quote, least)
    return (windows[0], similarity) if windows else None


def best_windows(text: str, quote: str, least: float) -> tuple[list[Span], float]:
    """All windows of a text that share the highest similarity with a quote.

    A window with d edits is at most m + d long, m being the length of the quote, so that its
    similarity is at most m / (m + d). Few edits are tried first: among m characters in d + 1
    pieces, one piece must stand in the window as it is, and only around such places is aligned.
    There, Sellers' algorithm gives the fewest edits of any window that ends at each character
    (and of any that starts there, where many may be the best); windows between such places that
    can reach the best similarity are then measured.

    Args:
        text, quote, least: as in `best_window`.

    Returns:
        The windows by start, then end, and their similarity; no window and 0.0 where none
        reaches `least`.

    >>> best_windows("ab ab", "ab", 0.8)
    ([Span(start=0, end=2), Span(start=3, end=5)], 1.0)
    """
    if not 0 < least <= 1:
        raise OptionError(
            "Looking for a quote", f"the least similarity is {least}", "Give a number in (0, 1]"
        )
    size = len(quote)
    if not size or not text:
        return [], 0.0
    most, edits = floor(size * (1 / least - 1) + _EPSILON), 0
    while True:
        found, distance, longer = _within(text, quote, edits, least)
        # A window with d edits costs at least d / (m + d): what can be as good as the found one?
        enough = distance * size // (longer - distance) if found else most
        if edits >= min(enough, most):
            return found, 1 - distance / longer if found else 0.0
        edits = min(enough, most, 2 * edits + 2)


def _within(text: str, quote: str, edits: int, least: float) -> tuple[list[Span], int, int]:
    """The best windows with at most `edits` edits, their edits, and the length they count on."""
    nothing: tuple[list[Span], int, int] = ([], 1, 1)
    size = len(quote)
    places, width = _regions(text, quote, edits)
    if not places:
        return nothing
    codes = _codes(text)
    grid = np.full((len(places), width), -1, np.int32)
    for row, place in enumerate(places):
        from_, to = max(place, 0), min(place + width, len(text))
        grid[row, from_ - place : to - place] = codes[from_:to]
    pattern = _codes(quote)
    ends = _fewest(_aligned(grid, pattern), places, len(text), edits)
    fewest = int(ends.min())
    if fewest > edits:
        return nothing
    # A window that ends where the fewest edits are reached is at least this similar
    cost = min(fewest / size, 1 - least) + _EPSILON
    starts = np.zeros_like(ends)
    if np.count_nonzero(ends <= cost * (size + ends)) * (2 * edits + 1) > FEW_WINDOWS:
        back = _aligned(grid[:, ::-1], pattern[::-1])[:, ::-1]
        starts = _fewest(back, places, len(text), edits)
    return _measured(text, quote, _pairs(starts, ends, size, edits, cost), least)


def _regions(text: str, quote: str, edits: int) -> tuple[list[int], int]:
    """Where regions of one width start that together hold every window of at most `edits` edits."""
    size, pieces = len(quote), edits + 1
    if size // pieces < SHORTEST_PIECE and edits:
        return [0], len(text)
    slack = size // 2
    width = size + slack + 2 * edits
    diagonals = set()
    for piece in range(pieces):
        offset, stop = size * piece // pieces, size * (piece + 1) // pieces
        at = text.find(quote[offset:stop])
        while at >= 0:
            diagonals.add(at - offset)
            at = text.find(quote[offset:stop], at + 1)
    places: list[int] = []
    reached = None
    for diagonal in sorted(diagonals):
        if reached is None or diagonal > reached:
            places.append(diagonal - edits)
            reached = diagonal + slack
    return (places, width) if len(places) * width < len(text) or not places else ([0], len(text))


def _aligned(grid: _Codes, pattern: _Codes) -> _Codes:
    """(regions, width + 1): fewest edits between the pattern and a window that ends there.

    A row is kept less its column number: a character more in the window then costs nothing, and
    the step along the row, which waits for its left neighbour, is a running minimum.
    """
    columns = np.arange(grid.shape[1] + 1, dtype=np.int32)
    row = np.tile(-columns, (grid.shape[0], 1))
    same = {code: (grid == code).astype(np.int32) for code in set(pattern.tolist())}
    for number, code in enumerate(pattern.tolist(), start=1):
        below = row + 1
        np.minimum(below[:, 1:], row[:, :-1] - same[code], out=below[:, 1:])
        below[:, 0] = number
        row = np.minimum.accumulate(below, axis=1)
    aligned: _Codes = row + columns
    return aligned


def _fewest(aligned: _Codes, places: list[int], size: int, edits: int) -> _Codes:
    """(size + 1,) the fewest edits at each place of the text, edits + 1 where there are more."""
    fewest = np.full(size + 1, edits + 1, np.int32)
    for row, place in zip(aligned, places, strict=True):
        from_, to = max(place, 0), min(place + row.size, size + 1)
        np.minimum(fewest[from_:to], row[from_ - place : to - place], out=fewest[from_:to])
    return fewest


def _pairs(
    starts: _Codes, ends: _Codes, size: int, edits: int, cost: float
) -> list[tuple[float, int, int]]:
    """Windows that may cost no more than `cost`: the least that each can cost, start, end."""
    found: list[tuple[float, int, int]] = []
    likely = np.flatnonzero(ends <= edits)
    for length in range(max(1, size - edits), size + edits + 1):
        stops = likely[likely >= length]
        bound = np.maximum(ends[stops], starts[stops - length])
        bound = np.maximum(bound, abs(length - size)) / max(length, size)
        for index in np.flatnonzero(bound <= cost).tolist():
            stop = int(stops[index])
            found.append((float(bound[index]), stop - length, stop))
    return sorted(found)


def _measured(
    text: str, quote: str, pairs: list[tuple[float, int, int]], least: float
) -> tuple[list[Span], int, int]:
    from rapidfuzz.distance import Levenshtein

    size, best = len(quote), 1 - least + _EPSILON
    found: list[Span] = []
    distance, longer = 1, 1
    for bound, start, end in pairs:
        if bound > best:
            break
        length = max(size, end - start)
        edits = Levenshtein.distance(quote, text[start:end])
        if edits > best * length:
            continue
        if not found or edits * longer < distance * length:
            found, distance, longer = [], edits, length
            best = edits / length + _EPSILON
        if edits * longer == distance * length:
            found.append(Span(start, end))
    return sorted(found, key=lambda span: (span.start, span.end)), distance, longer


@lru_cache(maxsize=64)
def _codes(text: str) -> _Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int32)
