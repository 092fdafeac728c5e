"""Which tests are asked for: by name, by a published battery, or spelled over lists."""

from __future__ import annotations

from collections.abc import Sequence

from slant.embeddings.wordsets import (
    FactTest,
    SetTest,
    WordSet,
    WordSets,
    checked_fact,
    checked_test,
)
from slant.errors import DataError, unknown_name

KNOCHE_PAIRS = (
    ("pleasant", "unpleasant"),
    ("science", "art"),
    ("intellectual_words", "appearance_words"),
    ("career", "family"),
)
"""X and Y of the paper's 16 tests; table 1 calls them attributes, its code targets."""
KNOCHE_ATTRIBUTES = (
    ("male", "female"),
    ("white_names", "black_names"),
    ("christianity_words", "islam_words"),
    ("christianity_words", "atheism_words"),
)
"""A and B. Table 1 heads the second column black/white, but its text reads the 0.727 there as
white names nearer to pleasant words, which is d with the white names as A."""
KNOCHE_FACTS = ("science", "art", "intellectual_words", "appearance_words")
"""The sets whose words figure 2 shows, by male and female."""

BATTERIES = {
    "knoche2019": (
        *(f"{x}/{y}:{a}/{b}" for x, y in KNOCHE_PAIRS for a, b in KNOCHE_ATTRIBUTES),
        *(f"{w}:male/female" for w in KNOCHE_FACTS),
    )
}
"""Published batteries: a name, and the tests it stands for, spelled over the lists' names."""


def asked_tests(
    sets: WordSets, names: Sequence[str] | None
) -> tuple[list[SetTest], list[FactTest]]:
    """The tests of a run.

    Args:
        sets: of `read_sets`.
        names: of tests in the file; of a battery (`BATTERIES`); "X/Y:A/B" over the file's lists
            for a test, "W:A/B" for single words. None: all tests of the file.

    Returns:
        Tests of sets and of single words, in the order asked, each once.

    Raises:
        UnknownName: no test, battery or list of that name. DataError: a file of lists only and no
            names, or a test whose sets share a word.

    >>> lists = {name: WordSet(name, (f"{name}1", f"{name}2")) for name in "xyab"}
    >>> tests, facts = asked_tests(WordSets("made", lists, {}, {}), ["x/y:a/b", "x:a/b"])
    >>> tests[0].y.words, facts[0].w.words
    (('y1', 'y2'), ('x1', 'x2'))
    """
    if names is None:
        if not sets.tests and not sets.facts:
            battery = next((name for name in BATTERIES if not _absent(name, sets)), None)
            do = "Give --tests X/Y:A/B over its lists"
            if battery:
                do += f", or --tests {battery}"
            raise DataError(f"Reading the word sets '{sets.source}'", "they name no test", do)
        return list(sets.tests.values()), list(sets.facts.values())
    tests: dict[str, SetTest] = {}
    facts: dict[str, FactTest] = {}
    for name in (one for given in names for one in BATTERIES.get(given, (given,))):
        if name in sets.tests:
            tests[name] = sets.tests[name]
        elif name in sets.facts:
            facts[name] = sets.facts[name]
        elif ":" in name:
            found = _spelled(name, sets)
            if isinstance(found, SetTest):
                tests[name] = found
            else:
                facts[name] = found
        else:
            raise unknown_name("test", name, [*sets.tests, *sets.facts, *BATTERIES])
    return list(tests.values()), list(facts.values())


def _spelled(name: str, sets: WordSets) -> SetTest | FactTest:
    asked = f"Reading the test '{name}'"
    targets, _, attributes = name.partition(":")
    sides = [part.split("/") for part in (targets, attributes)]
    if len(sides[0]) not in (1, 2) or len(sides[1]) != 2 or not all(map(all, sides)):
        raise DataError(asked, "it is not X/Y:A/B or W:A/B", "Write for example science/art:he/she")
    found = [_listed(one, sets) for side in sides for one in side]
    if len(sides[0]) == 2:
        return checked_test(SetTest(name, *found), asked)
    return checked_fact(FactTest(name, *found), asked)


def _listed(name: str, sets: WordSets) -> WordSet:
    if name not in sets.sets:
        raise unknown_name("word set", name, sets.sets)
    return sets.sets[name]


def _absent(battery: str, sets: WordSets) -> list[str]:
    """The lists that a battery needs and the file does not have."""
    parts = (part for one in BATTERIES[battery] for part in one.replace("/", ":").split(":"))
    return [part for part in dict.fromkeys(parts) if part not in sets.sets]
