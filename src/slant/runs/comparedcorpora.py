"""One test compared between two corpora, on the words that both know."""

from __future__ import annotations

from typing import Any

from slant.embeddings.wordsets import SetTest
from slant.runs.associationcells import Cell
from slant.runs.associationsettings import EXCHANGES, LEVEL, SIMILARITY
from slant.runs.locatedtests import located, similarities_of
from slant.stats.crossed import Similarities, crossed_draws, standardised
from slant.stats.exchanges import exchange_error, exchange_test
from slant.stats.intervals import interval
from slant.stats.resampling import Draws
from slant.types import Undefined


def compared(cell: Cell) -> dict[str, Any]:
    """The record of one difference: d of the first source less d of the second.

    Words are drawn alike for both corpora, replicas apart; see `stats.crossed`. p is that of
    `stats.exchanges`, always two-sided.

    Args:
        cell: of two sources and a test of sets.
    """
    test, settings = cell.test, cell.settings
    assert isinstance(test, SetTest)
    replicas = {source.name: source.read() for source in cell.sources}
    where = located(test, replicas, settings)
    similar = [
        similarities_of(where, replicas[one.name], SIMILARITY[cell.method], settings, one.replicas)
        for one in cell.sources
    ]
    first, second = cell.sources
    record: dict[str, Any] = {
        "name": test.name,
        "method": cell.method,
        "first": first.name,
        "second": second.name,
        "difference": None,
        "low": None,
        "high": None,
        "p": None,
        "p_method": None,
        "p_error": None,
        **{f"n_{role}": len(where.words[role]) for role in "xyab"},
        "missing": list(where.missing),
    }
    permutations = min(settings.permutations, EXCHANGES)
    exchanged = exchange_test(
        standardised(similar[0], settings.deviation),
        standardised(similar[1], settings.deviation),
        len(where.words["x"]),
        restandardise=settings.deviation != "vocabulary",
        permutations=permutations,
        seed=settings.seed,
        names=["exchange", test.name, cell.method],
    )
    drawn = _draws(similar, cell)
    if isinstance(exchanged, Undefined) or isinstance(drawn, Undefined):
        why = [one.why for one in (exchanged, drawn) if isinstance(one, Undefined)]
        return record | {"why": why[0]}
    found = interval(drawn, LEVEL, "percentile") if settings.resamples else None
    return record | {
        "difference": drawn.value,
        "low": found.low if found else None,
        "high": found.high if found else None,
        "p": exchanged.p,
        "p_method": exchanged.method,
        "p_error": exchange_error(exchanged, permutations),
    }


def _draws(similar: list[Similarities], cell: Cell) -> Draws | Undefined:
    drawn = crossed_draws(
        similar,
        cell.settings.deviation,
        resamples=max(1, cell.settings.resamples),
        seed=cell.settings.seed,
        names=["crossed", cell.test.name, cell.method],
    )
    first, second = drawn
    if isinstance(first, Undefined):
        return first
    if isinstance(second, Undefined):
        return second
    return Draws(first.value - second.value, first.draws - second.draws, first.clusters, 1)
