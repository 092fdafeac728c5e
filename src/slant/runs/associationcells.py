"""One test on one corpus by one method: its effect, p-values and checks, kept in one file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from slant.data.writing import intact, sealed
from slant.embeddings.association import associations, attribute_direction, effect_size
from slant.embeddings.robustness import placed_in_null
from slant.embeddings.wordsets import FactTest, SetTest
from slant.runs.associationsettings import LEVEL, SIMILARITY, AssociationSettings, Method
from slant.runs.locatedtests import Located, located, similarities_of, vectors_of
from slant.runs.outsidequantities import Quantity
from slant.runs.replicachecks import fisher_check, frequency_check, steadiness
from slant.runs.wordvectors import Replica, read_extract
from slant.stats.crossed import Replicas, Similarities, crossed_draws
from slant.stats.intervals import interval
from slant.stats.permutations import Permuted, permutation_test
from slant.types import Floats, Undefined

Kind = Literal["test", "fact", "measures", "compared"]


@dataclass(frozen=True, slots=True)
class Source:
    """A corpus as a cell needs it.

    Fields:
        name: of the corpus.
        extracts: what `wordvectors.extracted` left of each replica.
        names: of the replicas.
        fingerprint: of their files.
        replicas: what tells them apart.
    """

    name: str
    extracts: tuple[Path, ...]
    names: tuple[str, ...]
    fingerprint: str
    replicas: Replicas

    def read(self) -> list[Replica]:
        """The replicas' vectors of the words of the run."""
        return [read_extract(path) for path in self.extracts]


@dataclass(frozen=True, slots=True)
class Cell:
    """One unit of work: a test on one corpus, or its difference between two; `path` is the one
    file it leaves. An outside quantity is of cells of single words only."""

    kind: Kind
    test: SetTest | FactTest
    method: Method
    sources: tuple[Source, ...]
    settings: AssociationSettings
    path: Path
    quantity: Quantity | None = None


def read_cell(path: Path) -> dict[str, Any] | None:
    """What a cell left; None where it is absent or damaged, and is to be made again."""
    content = intact(path)
    return None if content is None else dict(json.loads(content))


def write_cell(path: Path, content: dict[str, Any]) -> None:
    """Write a cell atomically; numbers unrounded, so that they come back bit by bit."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    sealed(path, lambda temporary: temporary.write_text(text + "\n", "utf-8"))


def tested(cell: Cell) -> dict[str, Any]:
    """The record of one test of sets on one corpus by one method.

    d is the mean over replicas. p permutes the labels of X and Y over h averaged over replicas;
    replicas of one corpus are no independent evidence. The interval is the crossed bootstrap's.

    Args:
        cell: of a test of sets and one source, or that and one of its shuffled documents.
    """
    test, source, settings = cell.test, cell.sources[0], cell.settings
    assert isinstance(test, SetTest)
    replicas = source.read()
    where = located(test, {source.name: replicas}, settings)
    hx, hy = associations_of(where, replicas, cell.method)
    similar = similarities_of(where, replicas, SIMILARITY[cell.method], settings, source.replicas)
    spreads = vocabulary_spreads(where, replicas, cell.method, settings)
    each = effects_of(hx, hy, settings, spreads)
    defined = [one for one in each if not isinstance(one, Undefined)]
    whole = len(defined) == len(each)
    mean = permuted(hx.mean(axis=0), hy.mean(axis=0), settings)
    own = [mean] if len(replicas) == 1 else [
        permuted(x, y, settings) for x, y in zip(hx, hy, strict=True)
    ]  # fmt: skip
    low, high, told = interval_of(similar, cell)
    record: dict[str, Any] = {
        "name": test.name,
        "vectors": source.name,
        "method": cell.method,
        **{role: getattr(test, role).name for role in "xyab"},
        "d": float(np.mean(defined)) if whole else None,
        "low": low if whole else None,
        "high": high if whole else None,
        "interval": told,
        **p_fields(mean),
        **{f"n_{role}": len(where.words[role]) for role in "xyab"},
        "missing": list(where.missing),
        "replicas": [
            {"name": name, "d": None if isinstance(d, Undefined) else d, "p": one.p}
            for name, d, one in zip(source.names, each, own, strict=True)
        ],
        "spread": float(np.std(defined, ddof=1)) if whole and len(defined) > 1 else None,
        "fisher": fisher_check(hx, hy, [one.p for one in own], settings, test.name),
        **steadiness(where, replicas, cell.method, settings),
        "frequency_matched": frequency_check(where, hx, hy, replicas, settings, spreads),
        "values": {
            role: [[word, float(h)] for word, h in zip(where.words[role], mean_h, strict=True)]
            for role, mean_h in (("x", hx.mean(axis=0)), ("y", hy.mean(axis=0)))
        },
        "both": both_sides(where),
        "shuffled": shuffled_record(cell, replicas) if len(cell.sources) > 1 else None,
    }
    if not whole:
        record["why"] = next(one.why for one in each if isinstance(one, Undefined))
    return record


def associations_of(
    where: Located, replicas: Sequence[Replica], method: Method
) -> tuple[Floats, Floats]:
    """h of the words of X and of Y in each replica: (replicas, n) and (replicas, m)."""
    x, y, a, b = (vectors_of(where.words[role], replicas) for role in "xyab")
    measure = SIMILARITY[method]
    return associations(x, a, b, measure), associations(y, a, b, measure)


def vocabulary_spreads(
    where: Located, replicas: Sequence[Replica], method: Method, settings: AssociationSettings
) -> list[float | None]:
    """The deviation of h over each replica's vocabulary; None where d is not divided by it."""
    if settings.deviation != "vocabulary":
        return [None] * len(replicas)
    measure = SIMILARITY[method]
    a, b = (vectors_of(where.words[role], replicas) for role in "ab")
    directions = attribute_direction(a, b, measure)
    return [
        float(np.sqrt(max(0.0, one @ replica.covariances[measure] @ one)))
        for one, replica in zip(directions, replicas, strict=True)
    ]


def effects_of(
    hx: Floats, hy: Floats, settings: AssociationSettings, spreads: Sequence[float | None]
) -> list[float | Undefined]:
    """d of each replica."""
    return [
        effect_size(x, y, deviation=settings.over_words, spread=spread)
        for x, y, spread in zip(hx, hy, spreads, strict=True)
    ]


def permuted(x: Floats, y: Floats, settings: AssociationSettings) -> Permuted:
    """The permutation test of associations by the choices of the run."""
    return permutation_test(
        x,
        y,
        alternative=settings.alternative,
        strict=settings.strict,
        permutations=settings.permutations,
        seed=settings.seed,
    )


def p_fields(test: Permuted) -> dict[str, Any]:
    """What a record says of a permutation test."""
    return {
        "p": test.p,
        "p_low": test.low,
        "p_high": test.high,
        "p_method": test.method,
        "p_error": test.error,
        "p_min": test.smallest,
    }


def interval_of(similar: Similarities, cell: Cell) -> tuple[float | None, float | None, str]:
    """Ends of the crossed bootstrap's interval, and what was drawn."""
    n, m, p, q = similar.sizes
    if not cell.settings.resamples:
        return None, None, "none: no resamples were asked for"
    drawn = ["targets"] * (min(n, m) > 1) + ["attributes"] * (max(p, q) > 1)
    if len(similar.values) > 1:
        drawn += ["replicas"] + ["documents"] * (similar.replicas == "documents")
    told = f"crossed bootstrap: {', '.join(drawn) or 'nothing to draw'}"
    names = ["crossed", cell.test.name, cell.method]
    draws = crossed_draws(
        [similar],
        cell.settings.deviation,
        resamples=cell.settings.resamples,
        seed=cell.settings.seed,
        names=names,
    )[0]
    if isinstance(draws, Undefined):
        return None, None, f"none: {draws.why}"
    found = interval(draws, LEVEL, "percentile")
    if found.low is None:
        return None, None, "none: X or Y has one word" if min(n, m) < 2 else f"none: {found.method}"
    return found.low, found.high, told


def shuffled_record(cell: Cell, replicas: Sequence[Replica]) -> dict[str, Any]:
    """Where d stands among those of replicas whose documents' words were shuffled.

    d is the mean over replicas, those are of single replicas: they vary more, so that p is rather
    too large than too small.

    Args:
        cell: of a test, a source and one of its shuffled documents.
        replicas: of the first.
    """
    source, shuffled = cell.sources
    null = shuffled.read()
    where = located(cell.test, {source.name: replicas, shuffled.name: null}, cell.settings)
    found = []
    for every in (replicas, null):
        hx, hy = associations_of(where, every, cell.method)
        spreads = vocabulary_spreads(where, every, cell.method, cell.settings)
        found.append(effects_of(hx, hy, cell.settings, spreads))
    own, others = ([one for one in each if not isinstance(one, Undefined)] for each in found)
    record: dict[str, Any] = {"vectors": shuffled.name, "count": len(others), "d": others}
    if len(own) < len(replicas) or not others:
        return record | {"p": None, "why": "an effect is undefined"}
    placed = placed_in_null(
        float(np.mean(own)), np.array(others), alternative=cell.settings.alternative
    )
    if isinstance(placed, Undefined):
        return record | {"p": None, "why": placed.why}
    spread = None if isinstance(placed.deviation, Undefined) else placed.deviation
    return record | {
        "p": placed.p, "p_min": placed.smallest, "mean": placed.mean, "spread": spread
    }  # fmt: skip


def both_sides(where: Located) -> list[str]:
    """Words that are a target and an attribute of the same test: nearest to themselves."""
    targets = {word for role in ("x", "y", "w") for word in where.words.get(role, ())}
    return [word for role in "ab" for word in where.words[role] if word in targets]
