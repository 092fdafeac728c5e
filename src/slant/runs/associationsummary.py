"""What a run of associations says of all its cells together: corrections, coverage, signature."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import slant
from slant.embeddings.grams import overlaps
from slant.embeddings.wordsets import FactTest, SetTest, WordSet
from slant.errors import OptionError
from slant.runs.associationsettings import AssociationSettings
from slant.runs.corpora import Corpus
from slant.runs.locatedtests import roles_of
from slant.runs.wordvectors import Replica
from slant.stats.corrections import benjamini_hochberg, bonferroni, holm
from slant.types import Floats

CORRECTIONS: Mapping[str, Callable[[Any], Floats]] = {
    "bonferroni": bonferroni,
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
}
OVERLAPS = 20
"""Pairs of a target and an attribute that share most n-grams, in a record."""


def corrected(records: Sequence[dict[str, Any]], family: int | None) -> int:
    """Fill `adjusted` of records, taken as one family.

    Args:
        records: with `p`, None where there is none.
        family: how many tests are corrected together, those elsewhere included, whose p is taken
            to be 1; None: as many as have a p here.

    Returns:
        The number of tests corrected together.
    Raises:
        OptionError: there are more here than the family is said to have.
    """
    tested = [one for one in records if one["p"] is not None]
    check_family(family, len(tested))
    size = len(tested) if family is None else family
    padded = [one["p"] for one in tested] + [1.0] * (size - len(tested))
    for record in records:
        record["adjusted"] = dict.fromkeys(CORRECTIONS)
    for name, correction in CORRECTIONS.items():
        for record, p in zip(tested, correction(padded), strict=False):
            record["adjusted"][name] = float(p)
    return size


def check_family(family: int | None, number: int) -> None:
    """Refuse a family that is smaller than the tests at hand.

    Args:
        family: how many tests are corrected together, if that was said.
        number: of tests here.

    Raises:
        OptionError: it is smaller.
    """
    if family is not None and family < number:
        found = f"there are {number} tests here"
        raise OptionError(f"Correcting a family of {family} tests", found, "Give a larger --family")


def sets_of(tests: Sequence[SetTest | FactTest]) -> dict[str, WordSet]:
    """All sets of some tests by name, each once."""
    return {one.name: one for test in tests for one in roles_of(test).values()}


def vectors_record(
    corpus: Corpus, replicas: Sequence[Replica], tests: Sequence[SetTest | FactTest]
) -> dict[str, Any]:
    """What a record says of a corpus: its files, size, and which words of each set it knows."""
    coverage = {}
    for name, one in sets_of(tests).items():
        missing = [word for word in one.words if any(word not in r.vectors for r in replicas)]
        made = {word for replica in replicas for word in replica.by_grams} - set(missing)
        coverage[name] = {
            "known": len(one.words) - len(missing),
            "of": len(one.words),
            "missing": missing,
            "by_grams": [word for word in one.words if word in made],
        }
    return {
        "files": [path.name for path in corpus.files],
        "replicas": len(replicas),
        "words": replicas[0].size,
        "dimensions": replicas[0].dimensions,
        "fingerprint": corpus.fingerprint,
        "coverage": coverage,
        "overlap": _overlap(replicas[0], tests) if replicas[0].grams else None,
    }


def _overlap(replica: Replica, tests: Sequence[SetTest | FactTest]) -> list[tuple[str, str, float]]:
    """Targets and attributes of one test that share most n-grams, hence part of their vectors."""
    pairs: dict[tuple[str, str], float] = {}
    for test in tests:
        known = {
            role: [word for word in one.words if word in replica.vectors]
            for role, one in roles_of(test).items()
        }
        targets = [word for role in known if role not in "ab" for word in known[role]]
        for first, second, share in overlaps(targets, [*known["a"], *known["b"]], top=OVERLAPS):
            pairs[first, second] = share
    order = sorted(pairs.items(), key=lambda one: (-one[1], one[0]))
    return [(first, second, share) for (first, second), share in order[:OVERLAPS]]


def association_signature(
    source: str,
    tests: Sequence[SetTest | FactTest],
    corpora: Sequence[Corpus],
    settings: AssociationSettings,
) -> str:
    """What must be equal for two runs of associations to be comparable, in one line."""
    words = {name: one.words for name, one in sets_of(tests).items()}
    digest = hashlib.sha256(json.dumps(words, ensure_ascii=False).encode()).hexdigest()
    choices = settings.fields()
    methods = "+".join(choices.pop("methods"))
    measures = "+".join(choices.pop("measures"))
    parts = [
        "assoc",
        f"sets:{source}@{digest[:8]}",
        f"tests:{len(tests)}",
        f"vectors:{'+'.join(f'{one.name}@{one.fingerprint[:8]}' for one in corpora)}",
        f"method:{methods}",
        *(f"{name.replace('_', '-')}:{value}" for name, value in choices.items()),
        *([f"measures:{measures}"] if measures else []),
        f"slant:{slant.__version__}",
    ]
    return "|".join("_".join(part.split()) for part in parts)
