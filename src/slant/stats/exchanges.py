"""Whether two corpora have the same effect: the corpora exchanged on each word."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from slant.errors import DataError, OptionError
from slant.stats.resampling import generator
from slant.types import Floats, Test, Undefined

TIE = 1e-10
"""Statistics nearer than this are the same: sums in another order differ by less."""

_BLOCK = 1 << 21


def exchange_test(
    first: Floats,
    second: Floats,
    targets: int,
    *,
    restandardise: bool,
    permutations: int,
    seed: int,
    names: Sequence[str],
) -> Test | Undefined:
    """Whether the effect sizes of two corpora over the same words differ.

    The statistic is d of the first profile less d of the second, d being the mean of a profile over
    X less that over Y, divided by its standard deviation over both. Null hypothesis: on each word
    of X and Y the two corpora's standardised associations could have changed places, words being
    independent of one another. Both profiles are brought to mean 0 and deviation 1 first, so that
    a corpus in which all words lean to A, or all lean more strongly, is no difference. Each
    exchange is then a sample of the null; d is worked out anew, deviations included, since with a
    strong association in both corpora the test would never reject otherwise.

    All 2^(words - 1) exchanges where they are no more than `permutations` (the exchange of all
    words changes the sign only), else as many random ones, p = (b + 1) / (permutations + 1).
    Two-sided. It says how far a difference goes beyond these words; not whether it would stand
    with other attribute words or other texts: for these see `crossed.crossed_draws`.

    Args:
        first, second: (n + m,) the standardised associations of the words of X, then of Y, as
            `crossed.standardised` gives them.
        targets: n, the number of words of X.
        restandardise: whether the deviation is that of the words themselves; with the whole
            vocabulary's, profiles are taken as they are, but for their means.
        permutations: how many exchanges at most.
        seed, names: of the stream; see `resampling.generator`.

    Returns:
        `statistic` is the difference, `n` the number of words; undefined where a profile is, or
        does not vary.

    >>> a, b = np.array([1.0, 2, 3, -1, -2, -3]), np.array([-1.0, 2, 3, 1, -2, -3])
    >>> test = exchange_test(
    ...     a, b, 3, restandardise=True, permutations=100, seed=1, names=["doc"]
    ... )
    >>> round(test.statistic, 3), test.method  # 4 / sqrt(28 / 5) - (8 / 3) / sqrt(28 / 5)
    (0.563, 'exchange of corpora on 6 words, all 32')
    >>> test.p  # they differ on two words: both or none exchanged is as far from 0
    0.5
    """
    _check(first, second, targets, permutations)
    if np.isnan(first).any() or np.isnan(second).any():
        return Undefined("the association is the same for all words of X and Y")
    size = len(first)
    if restandardise:
        deviations = [one.std(ddof=1) for one in (first, second)]
        if min(deviations) <= TIE:
            return Undefined("the association is the same for all words of X and Y")
        first, second = ((one / s) for one, s in zip((first, second), deviations, strict=True))
    first, second = first - first.mean(), second - second.mean()
    middle, half = (first + second) / 2, (first - second) / 2
    side = np.concatenate([np.full(targets, 1 / targets), np.full(size - targets, -1.0)])
    side[targets:] /= size - targets
    # Exchanged profiles are middle +- sign x half: all that d needs is linear in the signs.
    parts = np.stack([side * half, half, middle * half], axis=1)
    squares = float((middle**2 + half**2).sum())

    def differences(signs: Floats) -> Floats:
        apart, total, product = (signs @ parts).T
        if not restandardise:
            return np.asarray(2 * apart)
        between = float(side @ middle)
        one, other = (
            (between + way * apart)
            / np.sqrt((squares + 2 * way * product - total**2 / size) / (size - 1))
            for way in (1, -1)
        )
        found: Floats = one - other
        return found

    value = float(differences(np.ones((1, size)))[0])
    total = 2 ** (size - 1)
    exact = total <= permutations
    stream = generator(seed, names)
    number, extreme = (total if exact else permutations), 0
    step = max(1, _BLOCK // size)
    for start in range(0, number, step):
        stop = min(start + step, number)
        signs = _numbered(start, stop, size) if exact else _drawn(stop - start, size, stream)
        extreme += int((np.abs(differences(signs)) >= abs(value) - TIE).sum())
    p = extreme / number if exact else (extreme + 1) / (number + 1)
    told = f"exchange of corpora on {size} words, {'all' if exact else 'random'} {number}"
    return Test("exchange", value, p, size, told)


def exchange_error(test: Test, permutations: int) -> float | None:
    """The standard error that drawing exchanges leaves in p; None where all were worked out.

    Args:
        test: of `exchange_test`.
        permutations: that it was given.
    """
    if 2 ** (test.n - 1) <= permutations:
        return None
    return sqrt(test.p * (1 - test.p) / permutations)


def _numbered(start: int, stop: int, size: int) -> Floats:
    """Exchanges by number: bit k says whether word k + 1 is exchanged; word 0 never is."""
    numbers = np.arange(start, stop, dtype=np.int64)[:, None]
    bits = (numbers >> np.arange(size - 1)) & 1
    return np.concatenate([np.ones((len(numbers), 1)), 1.0 - 2 * bits], axis=1)


def _drawn(number: int, size: int, stream: np.random.Generator) -> Floats:
    signs = 2 * stream.integers(0, 2, size=(number, size)) - 1
    return signs.astype(np.float64)


def _check(first: Floats, second: Floats, targets: int, permutations: int) -> None:
    asked = "Testing the difference of two corpora"
    if first.ndim != 1 or first.shape != second.shape or not 0 < targets < len(first):
        found = f"the profiles have the shapes {first.shape} and {second.shape}, {targets} targets"
        raise DataError(asked, found, "Give associations of the same words of X and Y")
    if permutations < 1:
        raise OptionError(asked, f"{permutations} were asked for", "Give 1 or more permutations")
