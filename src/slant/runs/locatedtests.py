"""The words of a test that all replicas of a corpus know, and their vectors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slant.embeddings.association import Measure, unit
from slant.embeddings.wefat import similarities
from slant.embeddings.wordsets import FactTest, SetTest, WordSet
from slant.errors import DataError, RunError
from slant.runs.associationsettings import AssociationSettings
from slant.runs.wordvectors import Replica
from slant.stats.crossed import Replicas, Similarities
from slant.types import Floats


class UnknownSet(DataError):
    """A set of which no word is known, so that its test has no number at all."""


@dataclass(frozen=True, slots=True)
class Located:
    """A test's words that are known, X and Y cut where that is asked.

    Fields:
        words: role ("x", "y", "a", "b", or "w") -> its words, in the order of the set.
        missing: words that no replica, or not every replica, knows, in the order of the sets.
    """

    words: Mapping[str, tuple[str, ...]]
    missing: tuple[str, ...]


def located(
    test: SetTest | FactTest,
    corpora: Mapping[str, Sequence[Replica]],
    settings: AssociationSettings,
) -> Located:
    """The words of a test that every replica of every given corpus knows.

    Args:
        test: of sets or of single words.
        corpora: name -> its replicas.
        settings: of the run.

    Raises:
        UnknownSet: no word of one of the sets is known. DataError: two words of the test are one
            word by the rule on case.
    """
    every = [one for replicas in corpora.values() for one in replicas]
    known = {
        role: tuple(word for word in one.words if all(word in r.vectors for r in every))
        for role, one in roles_of(test).items()
    }
    asked = f"Testing '{test.name}' on '{' and '.join(corpora)}'"
    for role, one in roles_of(test).items():
        if not known[role]:
            found = f"none of the {len(one.words)} words of its set '{one.name}' is known"
            do = "Give vectors that have such words, choose other tests, or see --case"
            raise UnknownSet(asked, found, do)
    if settings.case != "exact":
        _check_distinct(known, every[0], asked, settings.case)
    missing = [
        word
        for role, one in roles_of(test).items()
        for word in one.words
        if word not in known[role]
    ]
    if settings.unequal == "cut" and "x" in known:
        size = min(len(known["x"]), len(known["y"]))
        known |= {role: known[role][:size] for role in "xy"}
    return Located(known, tuple(dict.fromkeys(missing)))


def roles_of(test: SetTest | FactTest) -> dict[str, WordSet]:
    """The sets of a test by role: targets before attributes."""
    if isinstance(test, SetTest):
        return {"x": test.x, "y": test.y, "a": test.a, "b": test.b}
    return {"w": test.w, "a": test.a, "b": test.b}


def vectors_of(words: Collection[str], replicas: Sequence[Replica]) -> Floats:
    """(replicas, n, dimensions) of words that all know.

    Raises:
        RunError: the replicas have vectors of unlike length.
    """
    lengths = {one.dimensions for one in replicas}
    if len(lengths) > 1:
        found = f"they have {' and '.join(map(str, sorted(lengths)))} dimensions"
        raise RunError("Reading the replicas of a corpus", found, "Train them alike")
    return np.stack([np.stack([one.vectors[word] for word in words]) for one in replicas])


def similarities_of(
    where: Located,
    replicas: Sequence[Replica],
    measure: Measure,
    settings: AssociationSettings,
    kind: Replicas,
) -> Similarities:
    """Of every target word with every attribute word, in each replica.

    Args:
        where: a located test of sets.
        replicas: of one corpus.
        measure: "cosine", or "projection": the product of the vectors, whose mean over A less that
            over B is the projection on mean A less mean B, but for a factor that d does not have.
        settings: of the run; with the deviation "vocabulary" the covariances are taken along.
        kind: what tells the replicas apart.
    """
    words = where.words
    targets, attributes = (*words["x"], *words["y"]), (*words["a"], *words["b"])
    w, ab = vectors_of(targets, replicas), vectors_of(attributes, replicas)
    covariance = None
    if settings.deviation == "vocabulary":
        over = np.stack([one.covariances[measure] for one in replicas])
        sides = unit(ab) if measure == "cosine" else ab
        covariance = sides @ over @ sides.transpose(0, 2, 1)
    sizes = (len(words["x"]), len(words["y"]), len(words["a"]), len(words["b"]))
    return Similarities(similarities(w, ab, measure), sizes, covariance, kind)


def _check_distinct(
    known: Mapping[str, Sequence[str]], replica: Replica, asked: str, case: str
) -> None:
    for one, other in (("x", "y"), ("a", "b"), *((role, role) for role in known)):
        if one not in known:
            continue
        first = {replica.vectors[word].tobytes(): word for word in known[one]}
        for word in known[other]:
            twin = first.get(replica.vectors[word].tobytes())
            if twin is not None and twin != word:
                found = f"'{twin}' and '{word}' are one word with --case {case}"
                raise DataError(asked, found, "Take one of them out, or choose another --case")
