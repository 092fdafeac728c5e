"""One article of a BAIT run with all that was answered about it: places, counts and fates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final, get_args

from slant.data.documents import sound
from slant.errors import OptionError, unknown_name
from slant.metrics.locate import STEPS, GoldUse, Resolved, located
from slant.metrics.triggerfates import SpanFate, span_fates
from slant.metrics.triggers import OVERLAPS, trigger_tallies
from slant.metrics.triggerscores import Absent
from slant.types import Answer, Array, Item

PAIRINGS: Final = ("accompanying", "all")


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """What decides the numbers of a scored run, beside its answers.

    Fields:
        least: similarity from which a returned string is taken for a window of the article.
        gold_use: for which steps of location gold may choose among several places.
        span_threshold, trigger_threshold: tau_s and tau_t, from which spans and triggers match.
        trigger_overlap: "dice", "jaccard" or "max".
        absent: what a bias that neither side has is worth in the macro F1.
        without: biases left out of the second set of scores; None: the schema's dominant ones.
        pairing: which zero-shot runs examples are compared with: "accompanying" or "all".
        low_similarity: below which a window counts as doubtful.
        level: of all intervals.
        resamples, permutations: of the bootstrap and of the sign-flip tests.
        stretches: random ones per prediction in the analysis of surface cues.
        seed: of all of these.
    """

    least: float = 0.80
    gold_use: GoldUse = "literal"
    span_threshold: float = 0.5
    trigger_threshold: float = 0.5
    trigger_overlap: str = "dice"
    absent: Absent = "left-out"
    without: tuple[str, ...] | None = None
    pairing: str = "accompanying"
    low_similarity: float = 0.90
    level: float = 0.95
    resamples: int = 2000
    permutations: int = 100_000
    stretches: int = 5
    seed: int = 42


def check_rules(rules: ScoringRules) -> None:
    """Stops where rules cannot be followed, before anything is read.

    Raises:
        OptionError: a number outside its range. UnknownName: a name that there is not.
    """
    for name, value in (("resamples", rules.resamples), ("permutations", rules.permutations)):
        if value < 1:
            raise OptionError(f"Scoring with {value} {name}", "it is below 1", "Give 1 or more")
    if rules.seed < 0:
        raise OptionError(f"Scoring with the seed {rules.seed}", "it is below 0", "Give 0 or more")
    for name, share in (
        ("least similarity", rules.least), ("span threshold", rules.span_threshold),
        ("trigger threshold", rules.trigger_threshold), ("level", rules.level),
    ):  # fmt: skip
        if not 0 < share <= 1 or (name == "level" and share == 1):
            do = "Give more than 0 and less than 1" if name == "level" else "Give one in (0, 1]"
            raise OptionError(f"Scoring with a {name} of {share}", "it is out of range", do)
    for kind, given, known in (
        ("pairing of zero-shot runs", rules.pairing, PAIRINGS),
        ("use of gold", rules.gold_use, get_args(GoldUse)),
        ("overlap of triggers", rules.trigger_overlap, OVERLAPS),
        ("worth of an absent bias", rules.absent, get_args(Absent)),
    ):
        if given not in known:
            raise unknown_name(kind, given, known)


@dataclass(frozen=True, slots=True)
class Said:
    """What a system said of one article in one run.

    Fields:
        system, shots, run: whose answer it is.
        answer: with quotes as returned, or with spans; empty where it is unusable.
        fault: why it is unusable, else None.
    """

    system: str
    shots: int
    run: str
    answer: Answer
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """An article with its gold and everything that was said of it."""

    place: int
    item: Item
    gold: Answer
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What became of everything that was said of an article.

    Fields:
        place: of the article.
        counts: by level, (answers, biases, 4).
        fates: a line of fates.jsonl for each answer.
    """

    place: int
    counts: Mapping[str, Array]
    fates: tuple[dict[str, Any], ...]


def weighed(asked: Asked, codes: Sequence[str], rules: ScoringRules) -> Weighed:
    """Locate, count and tell the fate of every answer about an article.

    Args:
        asked: the article.
        codes: of all biases.
        rules: thresholds and options.
    """
    placed = [
        located(asked.item.text, one.answer, asked.gold, least=rules.least, gold_use=rules.gold_use)
        for one in asked.said
    ]
    tallies = trigger_tallies(
        [asked.gold] * len(placed),
        [answer for answer, _ in placed],
        [f"{asked.item.id}, {one.system}, {one.run}" for one in asked.said],
        codes,
        span_threshold=rules.span_threshold,
        trigger_threshold=rules.trigger_threshold,
    )
    fates = tuple(
        _fates(asked, said, answer, steps, rules)
        for said, (answer, steps) in zip(asked.said, placed, strict=True)
    )
    return Weighed(asked.place, {name: one.counts for name, one in tallies.items()}, fates)


def step_counts(fates: Sequence[Mapping[str, Any]], low: float) -> dict[str, Any]:
    """How the returned strings of some answers were located (table 7).

    Args:
        fates: lines of fates.jsonl.
        low: similarity below which a window counts as doubtful.

    Returns:
        "steps" {step: strings}, "low_similarity", "fuzzy_similarity" (the median, None where no
        string needed it), "unlocated_characters", "returned_characters".
    """
    steps = dict.fromkeys(STEPS, 0)
    similar: list[float] = []
    lost = returned = 0
    for trigger in (trigger for line in fates for trigger in line["triggers"]):
        for span in trigger["spans"]:
            returned += span["end"] - span["start"]
            if span["step"] is not None:
                steps[span["step"]] += 1
            if span["step"] == "fuzzy":
                similar.append(span["similarity"])
        steps["unlocated"] += len(trigger["unlocated"])
        lost += sum(map(len, trigger["unlocated"]))
    return {
        "steps": steps,
        "low_similarity": sum(one < low for one in similar),
        "fuzzy_similarity": median(similar) if similar else None,
        "unlocated_characters": lost,
        "returned_characters": returned + lost,
    }


def _fates(
    asked: Asked,
    said: Said,
    answer: Answer,
    steps: Sequence[Sequence[Resolved]],
    rules: ScoringRules,
) -> dict[str, Any]:
    found = span_fates(
        asked.gold,
        answer,
        span_threshold=rules.span_threshold,
        trigger_threshold=rules.trigger_threshold,
        trigger_overlap=rules.trigger_overlap,
    )
    triggers = []
    for trigger, mark, resolved in zip(found.predicted, said.answer.marks, steps, strict=True):
        # spans that the answer had already stand before those that were located
        how: list[Resolved | None] = [None] * len(mark.spans)
        how += [one for one in resolved if one.span is not None]
        triggers.append(
            {
                "bias": trigger.bias,
                "matched": trigger.matched,
                "spans": [_span(one, way) for one, way in zip(trigger.spans, how, strict=True)],
                "unlocated": [sound(quote) for quote in trigger.unlocated],
            }
        )
    return {
        "system": said.system,
        "shots": said.shots,
        "run": said.run,
        "article": asked.item.id,
        "fault": said.fault,
        "labels": sorted(answer.labels),
        "triggers": triggers,
        "missed": [
            {"bias": trigger.bias, "start": span.start, "end": span.end}
            for trigger in found.gold
            for span in trigger.spans
            if span.fate == "missed"
        ],
    }


def _span(fate: SpanFate, how: Resolved | None) -> dict[str, Any]:
    return {
        "start": fate.start,
        "end": fate.end,
        "fate": fate.fate,
        "step": how.step if how else None,
        "similarity": how.similarity if how else None,
    }
