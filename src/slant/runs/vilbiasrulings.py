"""What judges rule of the rationales of a run: verdicts read, several of them brought to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from slant.metrics.pairs import Vote, majority
from slant.runs.taskscores import shown_estimate
from slant.runs.verdictjournals import judged_sum
from slant.runs.vilbiasfiles import GoldPair, Judge, PlantedLine, VerdictLine
from slant.stats.intervals import wilson
from slant.systems.modelfamilies import same_family
from slant.systems.pairanswers import PairAnswer
from slant.systems.verdicts import Verdict, verdict

ALL_JUDGES: Final = "all judges"
"""The row of the majority over judges, where there are several."""
EXPECTED: Final = ("supports_gold", "faithful")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge's verdicts on one rationale come to.

    Fields:
        supports, faithful: the majority over its samples and orders.
        said: each verdict with its line; empty for the majority of several judges.
    """

    supports: Vote
    faithful: Vote
    said: tuple[tuple[VerdictLine, Verdict], ...] = ()

    @property
    def judged(self) -> bool:
        """Whether any verdict could be read."""
        return self.supports.value is not None


def rulings(
    judge: Judge, system: str, run: str, gold: Sequence[GoldPair], answers: Sequence[PairAnswer]
) -> list[Ruling | None] | None:
    """A judge's ruling on each rationale of a run; None where it was not asked about any.

    Rule: a verdict about another label or rationale than those that are there now is none.

    Args:
        judge: with what it replied.
        system, run: whose rationales.
        gold, answers: of the run, pair by pair.

    Returns:
        Pair by pair; None where there is no rationale, or no reply about it.
    """
    own = judge.verdicts.get((system, run))
    if own is None:
        return None
    return [
        _ruling(_current(own.get(one.id, ()), one, said.rationale)) if said.rationale else None
        for one, said in zip(gold, answers, strict=True)
    ]


def _current(lines: Sequence[VerdictLine], one: GoldPair, rationale: str) -> list[VerdictLine]:
    about = judged_sum(one.label, rationale)
    return [line for line in lines if line.judged in ("", about)]


def _ruling(lines: Sequence[VerdictLine]) -> Ruling | None:
    if not lines:
        return None
    said = tuple((line, verdict(line.raw, line.stop)) for line in lines)
    return Ruling(
        majority(one.supports_gold for _, one in said),
        majority(one.faithful for _, one in said),
        said,
    )


def all_judges(several: Sequence[Sequence[Ruling | None]]) -> list[Ruling | None]:
    """The majority over judges, each with one vote: its own majority.

    Args:
        several: by judge, pair by pair.
    """
    found: list[Ruling | None] = []
    for of_item in zip(*several, strict=True):
        own = [one for one in of_item if one is not None]
        supports = majority(one.supports.value for one in own)
        faithful = majority(one.faithful.value for one in own)
        found.append(Ruling(supports, faithful) if own else None)
    return found


def judge_row(
    judge: Judge, ruled: Mapping[tuple[str, str], Sequence[Ruling | None]], level: float
) -> dict[str, Any]:
    """What scores.json says of a judge: how its replies could be read, whether it agrees with
    itself, which systems are of its own family, and how it errs on planted rationales.

    Args:
        judge: with what it replied.
        ruled: its rulings by system and run.
        level: of the intervals.
    """
    own = [one for of_run in ruled.values() for one in of_run if one is not None]
    said = [pair for one in own for pair in one.said]
    faults = Counter(one.fault for _, one in said if one.fault)
    several = [one for one in own if sum(not v.fault for _, v in one.said) > 1]
    flips = [found for one in own if (found := _flipped(one)) is not None]
    return {
        "name": judge.name,
        "rationales": len(own),
        "verdicts": len(said),
        "faults": dict(sorted(faults.items())),
        "samples": max((line.sample for line, _ in said), default=0),
        "orders": sorted({line.order for line, _ in said if line.order}),
        "ties": sum(one.supports.tied for one in own),
        "kin": sorted({system for system, _ in ruled if same_family(judge.name, system)}),
        "unanimous": shown_estimate(wilson(sum(map(_alike, several)), len(several), level)),
        "flipped": shown_estimate(wilson(sum(flips), len(flips), level)),
        "planted": planted_errors(judge.planted, level),
    }


def _alike(one: Ruling) -> bool:
    return len({(v.supports_gold, v.faithful) for _, v in one.said if not v.fault}) == 1


def _flipped(one: Ruling) -> bool | None:
    """Whether the ruling depends on the order in which things were shown; None of one order."""
    orders = sorted({line.order for line, v in one.said if not v.fault})
    by_order = [
        (
            majority(v.supports_gold for line, v in one.said if line.order == order).value,
            majority(v.faithful for line, v in one.said if line.order == order).value,
        )
        for order in orders
    ]
    return None if len(orders) < 2 else any(a != b for a, b in combinations(by_order, 2))


def planted_errors(lines: Sequence[PlantedLine], level: float) -> dict[str, Any] | None:
    """How often a judge is wrong on rationales of which the truth is known; None without any.

    Rule: a case is wrong where the majority of the verdicts on it differs from what is expected in
    any key, or none could be read. Of a case nothing is held against the judge in a key that has
    no expectation.

    Returns:
        `all` and each kind: cases, wrong, unreadable, error (an estimate with Wilson's interval).
    """
    if not lines:
        return None
    cases: dict[tuple[str, str], list[PlantedLine]] = {}
    for line in lines:
        cases.setdefault((line.kind, line.case), []).append(line)
    wrong: dict[str, list[tuple[bool, bool]]] = {"all": []}
    for (kind, _), own in sorted(cases.items()):
        read = [verdict(line.raw, line.stop) for line in own]
        unreadable = all(one.fault for one in read)
        votes = {
            "supports_gold": majority(one.supports_gold for one in read).value,
            "faithful": majority(one.faithful for one in read).value,
        }
        asked = {key: own[0].expected.get(key) for key in EXPECTED}
        missed = any(right is not None and votes[key] != right for key, right in asked.items())
        for name in ("all", kind):
            wrong.setdefault(name, []).append((missed or unreadable, unreadable))
    return {
        name: {
            "cases": len(found),
            "wrong": sum(one for one, _ in found),
            "unreadable": sum(one for _, one in found),
            "error": shown_estimate(wilson(sum(one for one, _ in found), len(found), level)),
        }
        for name, found in wrong.items()
    }
