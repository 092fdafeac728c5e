"""Other measures of bias in word vectors, beside WEAT: each from its own paper.

A set of n words is a float array (n, d), a row for each word, as stored: only what a formula itself
divides by a length is divided. Nothing here draws anything, so that nothing needs a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np

from slant.embeddings.association import unit
from slant.embeddings.directions import Score, without_direction, without_words
from slant.embeddings.sentiment import rnsb
from slant.errors import unknown_name
from slant.metrics.faithfulness import rank_correlation
from slant.types import Floats, Undefined


def weat_score(x: Floats, y: Floats, a: Floats, b: Floats) -> Score:
    """How much more the words of x than those of y lie near a rather than b: WEAT's raw statistic.

    Sum over x of h less the sum over y, where h(w) = mean cosine of w and a less that of w and b.
    Not divided by a deviation, hence not comparable between tests; sets of unlike size make it
    differ from 0 without any bias.

    Args:
        x, y: (n, d), (m, d) targets.
        a, b: (p, d), (q, d) attributes.

    Returns:
        From -2 (n + m) to 2 (n + m); x and y exchanged, it changes its sign. Undefined where a set
        is empty or a vector is zero.
    Source: Caliskan, Bryson and Narayanan 2017, supplement.

    >>> x, y = np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])
    >>> weat_score(x, y, x, y)  # h = 1 - 0 of x, 0 - 1 of y
    2.0
    """
    lacking = without_words(x=x, y=y, a=a, b=b) or without_direction(x=x, y=y, a=a, b=b)
    if lacking:
        return lacking
    axis = unit(a).mean(0) - unit(b).mean(0)
    return float((unit(x) @ axis).sum() - (unit(y) @ axis).sum())


def rnd(
    x: Floats, y: Floats, a: Floats, *, distance: Literal["euclidean", "cosine"] = "euclidean"
) -> Score:
    """How much farther the words of a are from the mean of x than from that of y (RND).

    Mean over the words of a of: distance to the mean vector of x less distance to that of y. The
    paper sums where this takes the mean, and has all vectors at length 1 beforehand.

    Args:
        x, y: (n, d), (m, d) two groups.
        a: (p, d) neutral words.
        distance: "euclidean", or "cosine": 1 less the cosine, so that signs agree. (The authors'
            code and WEFE take the difference of cosines here, which has the opposite sign.)

    Returns:
        Below 0: nearer to x. Euclidean: at most as far from 0 as the two means are from each
        other; cosine: in [-2, 2]. Undefined where a set is empty and, with the cosine, where a
        mean or a vector of a is zero.
    Source: Garg, Schiebinger, Jurafsky and Zou 2018, "Relative norm distance".

    >>> x, y, a = np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]), np.array([[3.0, 0.0]])
    >>> rnd(x, y, a)  # 3 - 4
    -1.0
    """
    lacking = without_words(x=x, y=y, a=a)
    if lacking:
        return lacking
    mean_x, mean_y = x.mean(0), y.mean(0)
    if distance == "euclidean":
        far = np.linalg.norm(a - mean_x, axis=1) - np.linalg.norm(a - mean_y, axis=1)
        return float(far.mean())
    lacking = without_direction(the_mean_of_x=mean_x, the_mean_of_y=mean_y, a=a)
    return lacking or float((unit(a) @ (unit(mean_y) - unit(mean_x))).mean())


def mac(targets: Sequence[Floats], attributes: Sequence[Floats]) -> Score:
    """The mean cosine distance of target words from attribute sets (MAC).

    Mean over all words of all target sets and over the attribute sets, each pair counting once,
    of the mean of 1 - cosine over the words of the attribute set. The authors read 1 as no bias;
    it says no more than that the two kinds of words are unrelated on average: a target at a
    distance of 0.5 from one set and 1.5 from the other has 1 too.

    Args:
        targets: arrays (n_i, d).
        attributes: arrays (p_j, d).

    Returns:
        In [0, 2]. Undefined where there are no sets, one is empty or a vector is zero.
    Source: Manzini, Lim, Tsvetkov and Black 2019, section 4.

    >>> mac([np.array([[1.0, 0.0]])], [np.array([[2.0, 0.0]]), np.array([[0.0, 3.0]])])
    0.5
    """
    if not targets or not attributes:
        return Undefined("there are no sets")
    named = {f"target_set_{i}": rows for i, rows in enumerate(targets, 1)}
    named |= {f"attribute_set_{i}": rows for i, rows in enumerate(attributes, 1)}
    lacking = without_words(**named) or without_direction(**named)
    if lacking:
        return lacking
    centres = np.stack([unit(rows).mean(0) for rows in attributes])
    return float((1 - unit(np.concatenate(list(targets))) @ centres.T).mean())


def ect(x: Floats, y: Floats, a: Floats) -> Score:
    """Whether two groups order attribute words alike by nearness (ECT).

    Spearman's correlation, ties having mean ranks, over the words of a, of their cosines with the
    mean vector of x and with that of y.

    Args:
        x, y: (n, d), (m, d) groups.
        a: (p, d) attributes.

    Returns:
        In [-1, 1]; 1: the same order, no bias. Undefined where a set is empty, a mean or a vector
        of a is zero, a has one word, or all of a is equally near to a group.
    Source: Dev and Phillips 2019, section 2.

    >>> x, y = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    >>> ect(x, y, np.array([[3.0, 1.0], [1.0, 1.0], [1.0, 2.0]]))
    -1.0
    """
    lacking = without_words(x=x, y=y, a=a)
    if lacking:
        return lacking
    mean_x, mean_y = x.mean(0), y.mean(0)
    lacking = without_direction(the_mean_of_x=mean_x, the_mean_of_y=mean_y, a=a)
    if lacking:
        return lacking
    value = rank_correlation(unit(a) @ unit(mean_x), unit(a) @ unit(mean_y))
    if np.isnan(value):
        return Undefined("the words of a are all equally near to a group")
    return value


def ripa(x: Floats, y: Floats, a: Floats) -> Score:
    """How far the words of a point along the difference of each pair of words (RIPA).

    Mean over pairs and over the words of a of a.(x_i - y_i) / |x_i - y_i|. Pairs are rows of equal
    number, so that a word that is missing must be left out with its partner. Lengths count: a
    frequent word's longer vector weighs more.

    Args:
        x, y: (n, d) each; row i of x and row i of y are one pair (man, woman).
        a: (p, d) words.

    Returns:
        Above 0: on the side of x; at most the greatest length of a vector in a. Undefined where a
        set is empty, x and y differ in size, or the words of a pair have the same vector.
    Source: Ethayarajh, Duvenaud and Hirst 2019, section 3.

    >>> ripa(np.array([[4.0, 0.0]]), np.array([[1.0, 4.0]]), np.array([[5.0, 0.0]]))  # (3, -4) / 5
    3.0
    """
    lacking = without_words(x=x, y=y, a=a)
    if lacking:
        return lacking
    if len(x) != len(y):
        return Undefined(f"x has {len(x)} words and y {len(y)}, which makes no pairs")
    lacking = without_direction(difference_of_a_pair=x - y)
    return lacking or float((a @ unit(x - y).T).mean())


def same(w: Floats, a: Floats, b: Floats) -> Score:
    """How far words lean to either of two attribute sets, whichever it is (SAME).

    Mean over w of |cosine of w and g|, where g = mean of a less mean of b, all at length 1 before
    the mean. It equals the mean of WEAT's |h| divided by the length of g, and no bias of one word
    makes up for the opposite bias of another. For two sets only: with more, the published value
    depends on their order.

    Args:
        w: (n, d) words.
        a, b: (p, d), (q, d) attributes.

    Returns:
        In [0, 1]; 0: every word is as near to a as to b. Undefined where a set is empty, a vector
        is zero, or a and b have the same mean.
    Source: Schröder, Schulz, Kenneweg, Feldhans, Hinder and Hammer 2021, as published with the
        SAME score (Schröder, Schulz and Hammer 2024).

    >>> same(np.array([[3.0, 4.0], [-4.0, 3.0]]), np.array([[1.0, 0.0]]), np.array([[-2.0, 0.0]]))
    0.7
    """
    lacking = without_words(w=w, a=a, b=b) or without_direction(w=w, a=a, b=b)
    if lacking:
        return lacking
    axis = unit(a).mean(0) - unit(b).mean(0)
    lacking = without_direction(mean_of_a_less_that_of_b=axis)
    return lacking or float(np.abs(unit(w) @ unit(axis)).mean())


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, and the sets of a test that it takes.

    Fields:
        score: the function.
        sets: its arguments, once for each value that it has for a test: the names of sets, x and y
            being targets, a and b attributes; the words of "xy" are those of x and y together.
        low, high: the ends of its range whatever the vectors; infinite where their lengths count.
        unbiased: its value where there is no bias.
        paired: whether row i of x and row i of y must belong together.
    """

    score: Callable[..., Score]
    sets: tuple[tuple[str, ...], ...]
    low: float
    high: float
    unbiased: float
    paired: bool = False


def _mac_of_two(x: Floats, y: Floats, a: Floats, b: Floats) -> Score:
    return mac([x, y], [a, b])


ALL = (("x", "y", "a", "b"),)
EACH = (("x", "y", "a"), ("x", "y", "b"))
WORDS = (("xy", "a", "b"),)
MEASURES: Mapping[str, Measure] = {
    "weat": Measure(weat_score, ALL, -inf, inf, 0),
    "rnd": Measure(rnd, EACH, -inf, inf, 0),
    "rnsb": Measure(rnsb, WORDS, 0, inf, 0),
    "mac": Measure(_mac_of_two, ALL, 0, 2, 1),
    "ect": Measure(ect, EACH, -1, 1, 1),
    "ripa": Measure(ripa, EACH, -inf, inf, 0, paired=True),
    "same": Measure(same, WORDS, 0, 1, 0),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What one measure says of a test.

    Fields:
        measure: its name.
        sets: the names of the sets that it was given.
        value: the score.
    """

    measure: str
    sets: tuple[str, ...]
    value: Score


def measured(sets: Mapping[str, Floats], names: Sequence[str] = tuple(MEASURES)) -> list[Measured]:
    """What each measure says of one test of two targets and two attributes.

    Those that take one attribute set have two values, one of a and one of b.

    Args:
        sets: the arrays (n, d) of "x", "y", "a" and "b".
        names: of the measures.

    Raises:
        UnknownName: a measure that does not exist.

    >>> x, y = np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])
    >>> for found in measured({"x": x, "y": y, "a": x, "b": y}, ["rnd", "same"]):
    ...     print(found.measure, *found.sets, round(found.value, 3))
    rnd x y a -2.236
    rnd x y b 2.236
    same xy a b 0.707
    """
    arrays = {**sets, "xy": np.concatenate([sets["x"], sets["y"]])}
    unknown = [name for name in names if name not in MEASURES]
    if unknown:
        raise unknown_name("measure", unknown[0], MEASURES)
    return [
        Measured(name, taken, MEASURES[name].score(*[arrays[each] for each in taken]))
        for name in names
        for taken in MEASURES[name].sets
    ]
