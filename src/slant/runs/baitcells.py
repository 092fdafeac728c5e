"""The cells of a BAIT run: one system with one number of examples, in all its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slant.data.schemas import Schema
from slant.runs.baitanswers import NOT_ASKED, RunAnswers, StoredAnswer
from slant.runs.baitfates import Asked, Said, Weighed
from slant.runs.baithumans import HUMAN, Pair
from slant.runs.baitrecords import BaitFolder
from slant.runs.baitscores import Counted
from slant.systems.triggeranswers import ParsedAnswer, parsed_answer
from slant.types import Answer


@dataclass(frozen=True, slots=True)
class Cell:
    """One system with one number of examples.

    Fields:
        system, kind, shots: which.
        runs: their names.
        articles: ids, those of all runs.
        begin: place of the first article among all that are weighed; the others follow.
        said: (runs,) place of each run's answer among those about an article.
        answers: how many came; expected: how many should have.
        faults, remarks: how many answers have each kind.
        not_asked: articles that a run has no line for, all runs together.
        usage: tokens and money, added up.
    """

    system: str
    kind: str
    shots: int
    runs: tuple[str, ...]
    articles: tuple[str, ...]
    begin: int
    said: tuple[int, ...]
    answers: int
    expected: int
    faults: Mapping[str, int]
    remarks: Mapping[str, int]
    not_asked: int
    usage: Mapping[str, float]

    def counted(self, found: Sequence[Weighed], codes: Sequence[str]) -> Counted:
        """The counts of the cell.

        Args:
            found: of all articles, by their place.
            codes: of all biases.
        """
        own = found[self.begin : self.begin + len(self.articles)]
        places = list(self.said)
        counts = {
            level: np.stack([one.counts[level][places] for one in own], axis=1)
            for level in own[0].counts
        }
        return Counted(self.runs, tuple(codes), counts)

    def fates(self, found: Sequence[Weighed]) -> list[dict[str, Any]]:
        """The lines of fates.jsonl of the cell, run by run."""
        own = found[self.begin : self.begin + len(self.articles)]
        return [one.fates[place] for place in self.said for one in own]

    def told(self) -> dict[str, Any]:
        """What scores.json says of the answers, before what they say is looked at."""
        return {
            "answers": self.answers,
            "expected": self.expected,
            "faults": dict(self.faults),
            "no_answer": self.expected - self.answers,
            "not_asked": self.not_asked,
            "remarks": dict(self.remarks),
            "usage": dict(self.usage),
        }


def cells_of(run: BaitFolder, pairs: Sequence[Pair]) -> tuple[list[Cell], list[Asked]]:
    """The cells of a run, people last, and the articles with everything said of them.

    Args:
        run: what is on disk.
        pairs: of annotators.

    Returns:
        Cells in the order of run.json's systems and of numbers of examples; articles by place.
    """
    parsed = [_parsed(answers, run.schema) for answers in run.answers]
    asked = [
        Asked(
            place,
            example.item,
            example.gold,
            tuple(
                _said(answers, own[example.item.id])
                for answers, own in zip(run.answers, parsed, strict=True)
            ),
        )
        for place, example in enumerate(run.examples)
    ]
    articles = tuple(example.item.id for example in run.examples)
    groups: dict[tuple[str, int], list[int]] = {}
    for place, answers in enumerate(run.answers):
        groups.setdefault((answers.system, answers.shots), []).append(place)
    cells = [
        _cell([run.answers[n] for n in places], [parsed[n] for n in places], places, articles)
        for places in groups.values()
    ]
    for pair in pairs:
        begin, own = len(asked), pair.asked(len(asked))
        ids, size = tuple(one.item.id for one in own), len(own)
        name = own[0].said[0].run
        cells.append(
            Cell(pair.name, HUMAN, 0, (name,), ids, begin, (0,), size, size, {}, {}, 0, {})
        )
        asked += own
    return cells, asked


def _parsed(answers: RunAnswers, schema: Schema) -> dict[str, ParsedAnswer]:
    names = {bias.code: bias.name for bias in schema.biases}
    return {
        article: parsed_answer(one.raw, schema.codes, names=names, stop=one.stop)
        for article, one in answers.answers.items()
    }


def _said(answers: RunAnswers, parsed: ParsedAnswer) -> Said:
    answer = parsed.answer or Answer()
    return Said(answers.system, answers.shots, answers.run, answer, parsed.fault)


def _cell(
    runs: Sequence[RunAnswers],
    parsed: Sequence[Mapping[str, ParsedAnswer]],
    places: Sequence[int],
    articles: tuple[str, ...],
) -> Cell:
    stored = [one for answers in runs for one in answers.answers.values()]
    found = [one for own in parsed for one in own.values()]
    faults = Counter(one.fault for one in found if one.fault is not None)
    remarks = Counter(remark for one in found for remark in one.remarks)
    first = runs[0]
    return Cell(
        first.system,
        first.kind,
        first.shots,
        tuple(one.run for one in runs),
        articles,
        0,
        tuple(places),
        sum(one.raw is not None for one in stored),
        len(stored),
        dict(sorted(faults.items())),
        dict(sorted(remarks.items())),
        sum(one.raw is None and one.error == NOT_ASKED for one in stored),
        _usage(stored),
    )


def _usage(stored: Sequence[StoredAnswer]) -> dict[str, float]:
    total: dict[str, float] = {}
    for one in stored:
        for name, amount in (one.usage or {}).items():
            total[name] = total.get(name, 0) + amount
    return total
