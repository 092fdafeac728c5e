"""Word sets, and the tests over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.errors import DataError


@dataclass(frozen=True, slots=True)
class WordSet:
    """A named list of words, none twice, in the order of its source."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetTest:
    """Two sets of target words against two sets of attribute words: a WEAT.

    Fields:
        name: of the test.
        x, y: targets; a positive effect says that x is nearer to a, y to b.
        a, b: attributes.
    """

    name: str
    x: WordSet
    y: WordSet
    a: WordSet
    b: WordSet


@dataclass(frozen=True, slots=True)
class FactTest:
    """Single words against two sets of attribute words: a WEFAT.

    Fields:
        name: of the test.
        w: the words, each of which has a value of its own.
        a, b: attributes; a positive value is nearer to a.
    """

    name: str
    w: WordSet
    a: WordSet
    b: WordSet


@dataclass(frozen=True, slots=True)
class WordSets:
    """What one file holds.

    Fields:
        source: the file's name.
        sets: its lists by name.
        tests, facts: its tests by name, in the order of the file; none where it has lists only.
    """

    source: str
    sets: Mapping[str, WordSet]
    tests: Mapping[str, SetTest]
    facts: Mapping[str, FactTest]


def checked_set(name: str, words: Sequence[Any], asked: str) -> WordSet:
    """A word set, once it is sure that it has words, and none twice.

    Args:
        name: of the set.
        words: as read.
        asked: what is being done, for the error.

    Raises:
        DataError: no words, one that is no string, or one that stands twice.
    """
    if not words:
        raise DataError(asked, f"the set '{name}' is empty", "Give it words")
    seen: set[str] = set()
    for number, word in enumerate(words, 1):
        if not isinstance(word, str) or not word.strip():
            found = f"entry {number} of the set '{name}' is {word!r}"
            raise DataError(asked, found, "Give words as strings")
        if word in seen:
            found = f"the set '{name}' has '{word}' twice"
            raise DataError(asked, found, "Give each word once")
        seen.add(word)
    return WordSet(name, tuple(words))


def checked_test(test: SetTest, asked: str) -> SetTest:
    """The same test, once it is sure that no word is on two sides.

    Args:
        test: of two pairs of sets.
        asked: what is being done, for the error.

    Raises:
        DataError: X and Y, or A and B, share a word.
    """
    for one, other in ((test.x, test.y), (test.a, test.b)):
        _check_apart(test.name, one, other, asked)
    return test


def checked_fact(fact: FactTest, asked: str) -> FactTest:
    """The same WEFAT, once it is sure that A and B share no word.

    Args:
        fact: of one set and a pair of sets.
        asked: what is being done, for the error.

    Raises:
        DataError: A and B share a word.
    """
    _check_apart(fact.name, fact.a, fact.b, asked)
    return fact


def _check_apart(name: str, one: WordSet, other: WordSet, asked: str) -> None:
    shared = [word for word in one.words if word in set(other.words)]
    if shared:
        found = f"in the test '{name}', '{one.name}' and '{other.name}' share '{shared[0]}'"
        raise DataError(asked, found, "Take the word out of one of them")
