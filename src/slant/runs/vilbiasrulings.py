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
"""The row of the majority over the judges that are believed, where there are several."""
BELIEVED: Final = 0.5
"""What a judge's known errors must lie below for it to vote."""
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


def believed(planted: Mapping[str, Any] | None, below: float | None) -> bool:
    """Whether a judge's rulings count in "all judges", and in what a run is said to show.

    Rule: its errors on planted rationales are known, and the upper ends of the intervals of its
    error, of its false yes and of its false no all lie below `below`. The three are asked for, as
    most planted rationales deserve a no: a judge that never says yes errs on few of them.

    Args:
        planted: of `planted_errors`.
        below: None believes every judge.
    """
    if below is None:
        return True
    if not planted:
        return False
    ends = [planted["all"][name]["high"] for name in ("error", "false_yes", "false_no")]
    return all(end is not None and end < below for end in ends)


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
    judge: Judge,
    ruled: Mapping[tuple[str, str], Sequence[Ruling | None]],
    level: float,
    below: float | None,
) -> dict[str, Any]:
    """What scores.json says of a judge: how its replies could be read, whether it agrees with
    itself, which systems are of its own family, how it errs on planted rationales, and whether it
    is believed.

    Args:
        judge: with what it replied.
        ruled: its rulings by system and run.
        level: of the intervals.
        below: as in `believed`.
    """
    planted = planted_errors(judge.planted, level)
    shown = [fault for line in judge.planted if (fault := verdict(line.raw, line.stop).fault)]
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
        "planted_replies": len(judge.planted),
        "planted_faults": dict(sorted(Counter(shown).items())),
        "planted": planted,
        "believed": believed(planted, below),
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
    no expectation. A false yes is a yes to a key that deserves a no, a false no the reverse; both
    are over the cases that deserve such an answer and could be read.

    Returns:
        `all` and each kind: cases, wrong, unreadable, and as estimates with Wilson's interval
        error, false_yes, false_no.
    """
    if not lines:
        return None
    cases: dict[tuple[str, str], list[PlantedLine]] = {}
    for line in lines:
        cases.setdefault((line.kind, line.case), []).append(line)
    told: dict[str, list[_Case]] = {"all": []}
    for (kind, _), own in sorted(cases.items()):
        read = [verdict(line.raw, line.stop) for line in own]
        unreadable = all(one.fault for one in read)
        votes = {
            "supports_gold": majority(one.supports_gold for one in read).value,
            "faithful": majority(one.faithful for one in read).value,
        }
        asked = {key: own[0].expected.get(key) for key in EXPECTED}
        missed = any(right is not None and votes[key] != right for key, right in asked.items())
        said_yes = None if unreadable else _mistaken(asked, votes, False)
        said_no = None if unreadable else _mistaken(asked, votes, True)
        for name in ("all", kind):
            told.setdefault(name, []).append((missed or unreadable, unreadable, said_yes, said_no))
    return {
        name: {
            "cases": len(found),
            "wrong": sum(one[0] for one in found),
            "unreadable": sum(one[1] for one in found),
            "error": _share([one[0] for one in found], level),
            "false_yes": _share([one[2] for one in found], level),
            "false_no": _share([one[3] for one in found], level),
        }
        for name, found in told.items()
    }


_Case = tuple[bool, bool, bool | None, bool | None]
"""Of a planted case: wrong, unreadable, falsely called yes, falsely called no."""


def _mistaken(
    asked: Mapping[str, bool | None], votes: Mapping[str, bool | None], due: bool
) -> bool | None:
    """Whether the other answer was given to a key that deserves `due`; None where none does."""
    keys = [key for key, right in asked.items() if right is due]
    return any(votes[key] != due for key in keys) if keys else None


def _share(found: Sequence[bool | None], level: float) -> dict[str, Any]:
    known = [one for one in found if one is not None]
    return {**shown_estimate(wilson(sum(known), len(known), level)), "n": len(known)}
