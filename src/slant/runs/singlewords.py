"""The values of single words on one corpus, and whether they follow an outside quantity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slant.embeddings.wefat import WordAssociation, word_associations
from slant.embeddings.wordsets import FactTest
from slant.runs.associationcells import Cell
from slant.runs.associationsettings import LEVEL, SIMILARITY, SINGLE_WORDS, AssociationSettings
from slant.runs.locatedtests import located, vectors_of
from slant.runs.outsidequantities import Quantity
from slant.stats.correlations import weighted_correlation
from slant.types import Undefined


def single_words(cell: Cell) -> dict[str, Any]:
    """The record of one WEFAT on one corpus: each word's value, h and p, means over replicas.

    Args:
        cell: of one source and a test of single words.
    """
    fact, source, settings = cell.test, cell.sources[0], cell.settings
    assert isinstance(fact, FactTest)
    replicas = source.read()
    where = located(fact, {source.name: replicas}, settings)
    w, a, b = (vectors_of(where.words[role], replicas) for role in "wab")
    found = word_associations(
        w,
        a,
        b,
        SIMILARITY[cell.method],
        alternative=settings.alternative,
        strict=settings.strict,
        permutations=settings.permutations,
        seed=settings.seed,
        names=[fact.name],
    )
    return {
        "name": fact.name,
        "vectors": source.name,
        "method": SINGLE_WORDS[cell.method],
        **{role: one.name for role, one in (("w", fact.w), ("a", fact.a), ("b", fact.b))},
        "words": [
            {"word": word, "value": _number(one.value), "h": one.h, "p": one.permuted.p}
            for word, one in zip(where.words["w"], found, strict=True)
        ],
        "p_method": found[0].permuted.method,
        "p_min": found[0].permuted.smallest,
        "missing": list(where.missing),
        "outside": None
        if cell.quantity is None
        else outside_record(cell.quantity, where.words["w"], found, settings),
    }


def outside_record(
    quantity: Quantity,
    words: Sequence[str],
    found: Sequence[WordAssociation],
    settings: AssociationSettings,
) -> dict[str, Any]:
    """The correlation of words' values with an outside quantity, over the words that have both.

    A word's quantity is the weighted mean over the rows that name it. In `r` each word counts once,
    so that the published 0.90 for occupations comes out; in `weighted_r` as much as its rows weigh.

    Args:
        quantity: from outside.
        words: of the test.
        found: their associations.
        settings: of the run.
    """
    both = [
        (one.value, quantity.values[word], quantity.weights[word])
        for word, one in zip(words, found, strict=True)
        if word in quantity.values and not isinstance(one.value, Undefined)
    ]
    record = {
        "n": len(both), "quantity": quantity.name, "weight": quantity.weight,
        "missing": [word for word in words if word not in quantity.values],
    }  # fmt: skip
    values, shares, weights = ([one[i] for one in both] for i in range(3))

    def correlation(weighing: list[float] | None) -> dict[str, Any]:
        r = weighted_correlation(
            values,
            shares,
            weighing,
            level=LEVEL,
            resamples=max(1, settings.resamples),
            seed=settings.seed,
            names=["outside", quantity.name],
        )
        if isinstance(r, Undefined):
            return {"r": None, "low": None, "high": None, "why": r.why}
        ends = (r.low, r.high) if settings.resamples else (None, None)
        return {"r": r.value, "low": ends[0], "high": ends[1]}

    weighted = correlation(weights) if quantity.weight else None
    return record | correlation(None) | {"weighted_r": weighted}


def _number(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value
