"""Two corpora that differ in one association only, of known strength: what a test should find."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.data.writing import replacing
from slant.errors import OptionError

CORPORA = ("planted", "plain")
SETS = "sets.json"
GROUPS = ("planted", "control")
SHORTEST, LONGEST = 9, 14
"""Words of a sentence."""
ABOUT = 5
"""Words of a sentence that are about something: target, attribute, three words of its topic."""
SHARES = (0.4, 0.3)
"""Of the sentences, those about the planted and about the control association."""
PER_DOCUMENT = 10
TOPIC_WORDS = 12
SUCCESSORS = 6
FOLLOWS = 0.7
AT_ONCE = 2000
FEWEST, MOST = 1_000, 1_000_000_000


@dataclass(frozen=True, eq=False, slots=True)
class Language:
    """An invented language.

    Fields:
        words: all of them.
        successors: (fillers, 6), the words that tend to follow each; fillers come first in `words`.
        weights: (fillers,), how frequent each is, summing to 1.
        targets: group -> (2, n), the words of X and of Y.
        attributes: group -> (2, n), the words of A and of B.
        topics: group -> (2, 12), words that stand beside those of A, and of B.
    """

    words: tuple[str, ...]
    successors: NDArray[np.int64]
    weights: NDArray[np.float64]
    targets: dict[str, NDArray[np.int64]]
    attributes: dict[str, NDArray[np.int64]]
    topics: dict[str, NDArray[np.int64]]


def invented_language(seed: int, fillers: int, size: int = 8) -> Language:
    """A language whose words share no more than chance makes them share.

    Which words are targets and attributes is chance as well, so that without a planted association
    every split of the targets is equally likely.

    Args:
        seed: the same seed gives the same language.
        fillers: words that have no meaning.
        size: words of each target and attribute set.
    """
    rng = np.random.default_rng([seed, 0])
    needed = fillers + len(GROUPS) * (4 * size + 2 * TOPIC_WORDS)
    words = _invented_words(rng, needed)
    places = iter(range(fillers, needed))

    def taken(count: int) -> NDArray[np.int64]:
        return np.array([[next(places) for _ in range(count)] for _ in range(2)])

    weights = 1.0 / (np.arange(fillers, dtype=np.float64) + 2.7)
    weights = weights / weights.sum()
    return Language(
        words,
        rng.choice(fillers, (fillers, SUCCESSORS), p=weights),
        weights.astype(np.float64),
        {group: taken(size) for group in GROUPS},
        {group: taken(size) for group in GROUPS},
        {group: taken(TOPIC_WORDS) for group in GROUPS},
    )


def _invented_words(rng: np.random.Generator, count: int) -> tuple[str, ...]:
    first, second = list("bcdfghjklmnprstvwz"), list("aeiou")
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = int(rng.integers(2, 5))
        parts = zip(rng.choice(first, syllables), rng.choice(second, syllables), strict=True)
        words["".join(a + b for a, b in parts)] = None
    return tuple(words)


def planted_sentences(
    language: Language, words: int, strength: float, seed: int
) -> Iterator[list[str]]:
    """Sentences of a corpus, in constant memory.

    A sentence about a group holds, side by side and in any order, one of its targets, one of its
    attributes and three words of the attribute's topic, between words that follow one another as a
    Markov chain does. Where the target is of X, the attribute is of A with the probability
    (1 + strength) / 2, where it is of Y with (1 - strength) / 2; for the control group with 1 / 2.
    So targets are equally frequent at every strength, and so are attributes.

    Args:
        language: its words.
        words: at least so many.
        strength: of the planted association, in [-1, 1].
        seed: of the sentences.
    """
    rng = np.random.default_rng([seed, 1])
    given = 0
    while given < words:
        block, lengths = _block(rng, language, strength)
        for row, length in zip(block.tolist(), lengths.tolist(), strict=True):
            yield [language.words[one] for one in row[:length]]
            given += length
            if given >= words:
                return


def _block(
    rng: np.random.Generator, language: Language, strength: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    fillers = len(language.weights)
    drawn = rng.choice(fillers, (AT_ONCE, LONGEST), p=language.weights)
    follows = rng.random((AT_ONCE, LONGEST)) < FOLLOWS
    which = rng.integers(0, SUCCESSORS, (AT_ONCE, LONGEST))
    for place in range(1, LONGEST):
        next_one = language.successors[drawn[:, place - 1], which[:, place]]
        drawn[:, place] = np.where(follows[:, place], next_one, drawn[:, place])
    lengths = rng.integers(SHORTEST, LONGEST + 1, AT_ONCE)
    kind = rng.choice(len(GROUPS) + 1, AT_ONCE, p=[*SHARES, 1 - sum(SHARES)])
    for number, group in enumerate(GROUPS):
        rows = np.flatnonzero(kind == number)
        about = _about(rng, language, group, len(rows), strength if number == 0 else 0.0)
        begin = (rng.random(len(rows)) * (lengths[rows] - ABOUT + 1)).astype(np.int64)
        drawn[rows[:, None], begin[:, None] + np.arange(ABOUT)] = about
    return drawn, lengths


def _about(
    rng: np.random.Generator, language: Language, group: str, count: int, strength: float
) -> NDArray[np.int64]:
    """(count, 5), the words of sentences about a group."""
    targets, attributes, topics = (
        held[group] for held in (language.targets, language.attributes, language.topics)
    )
    side = rng.integers(0, 2, count)
    # Side 0, X, goes with topic 0, A.
    same = rng.random(count) < (1 + strength) / 2
    topic = np.where(same, side, 1 - side)
    words = np.column_stack([
        targets[side, rng.integers(0, targets.shape[1], count)],
        attributes[topic, rng.integers(0, attributes.shape[1], count)],
        *(topics[topic, rng.integers(0, TOPIC_WORDS, count)] for _ in range(ABOUT - 2)),
    ])  # fmt: skip
    return rng.permuted(words, axis=1)


def plant(
    out: Path, *, words: int = 30_000, strength: float = 0.8, seed: int = 0, size: int = 8
) -> dict[str, Any]:
    """Write two corpora that differ in one association only, and the tests that should tell.

    planted.jsonl has the association, plain.jsonl does not; both are documents of ten sentences
    in a language of the seed's. sets.json has two tests: "planted", and "control", of an
    association that neither corpus has. With strength 0 both are null corpora.

    Args:
        out: the folder.
        words: of each corpus.
        strength: of the association, in [-1, 1]; a negative one has the opposite sign.
        seed: of the language and the sentences.
        size: words of each target and attribute set.

    Returns:
        What planted.json says: words, strength, seed, size, and words and texts of each corpus.

    Raises:
        OptionError: a number is out of its range. WorkFailed: the folder cannot be written.
    """
    for name, value, low, high in (
        ("words", words, FEWEST, MOST), ("strength", strength, -1, 1), ("seed", seed, 0, 2**32 - 1),
        ("size", size, 2, 100),
    ):  # fmt: skip
        if not low <= value <= high:
            found = f"it is outside {low:,} to {high:,}"
            raise OptionError(f"Setting --{name} {value}", found, "Give one inside")
    language = invented_language(seed, 300 + int(words**0.5), size)
    record: dict[str, Any] = {"words": words, "strength": strength, "seed": seed, "size": size}
    record["corpora"] = {}
    for number, name in enumerate(CORPORA):
        own = planted_sentences(
            language, words, strength if number == 0 else 0.0, 2 * seed + number
        )
        record["corpora"][name] = _write(out / f"{name}.jsonl", own)
    with replacing(out / SETS) as temporary:
        temporary.write_text(json.dumps(_sets(language), indent=1) + "\n", "utf-8")
    with replacing(out / "planted.json") as temporary:
        temporary.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    return record


def _write(path: Path, sentences: Iterator[list[str]]) -> dict[str, int]:
    texts = words = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        waiting: list[str] = []

        def flush() -> None:
            nonlocal texts
            if waiting:
                text = " ".join(waiting)
                file.write(json.dumps({"id": str(texts), "text": text}) + "\n")
                texts += 1
                waiting.clear()

        for sentence in sentences:
            words += len(sentence)
            waiting.append(" ".join(sentence).capitalize() + ".")
            if len(waiting) == PER_DOCUMENT:
                flush()
        flush()
    return {"words": words, "texts": texts}


def _sets(language: Language) -> dict[str, Any]:
    sets = {}
    for group in GROUPS:
        for names, held in (("xy", language.targets), ("ab", language.attributes)):
            for side, letter in enumerate(names):
                sets[f"{group}-{letter}"] = [language.words[one] for one in held[group][side]]
    tests = [
        {"name": group, **{letter: f"{group}-{letter}" for letter in "xyab"}} for group in GROUPS
    ]
    return {"sets": sets, "tests": tests}
